"""Tags, signatures and attributes, before and after fit."""

from __future__ import annotations

import inspect
from typing import Any
from unittest import SkipTest

from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, get_routing_for_object
from sklearn.utils.validation import check_is_fitted

from skpara.testing._sample import (
    PAIRS,
    SENTENCES,
    assert_equal_outputs,
    assert_raises,
    fitted,
    methods,
    outputs,
    target,
    unfitted,
)

# Values for the metadata of fit that the checks know.
_METADATA = {
    "sample_weight": [1.0, 2.0] * (len(PAIRS) // 2),
    "groups": ["a", "b", "c"] * (len(PAIRS) // 3),
    "unlabeled": SENTENCES,
}


def check_pair_tags(name: str, estimator_orig: Any) -> None:
    """Check that the tags declare a table of text, neither numbers nor a distance matrix."""
    tags = get_tags(estimator_orig)
    assert tags.input_tags.string, (
        f"{name} takes text: set tags.input_tags.string (PairEstimatorMixin does)."
    )
    assert tags.input_tags.two_d_array, f"{name} takes pairs: set tags.input_tags.two_d_array."
    for tag in ("pairwise", "sparse"):
        assert not getattr(tags.input_tags, tag), (
            f"{name} takes neither distance matrices nor sparse matrices: "
            f"do not set tags.input_tags.{tag}."
        )
    if hasattr(estimator_orig, "transform"):
        assert tags.transformer_tags is not None, f"{name} transforms: inherit TransformerMixin."
    if hasattr(estimator_orig, "predict"):
        assert tags.estimator_type in ("regressor", "classifier"), (
            f"{name} predicts: inherit RegressorMixin or ClassifierMixin."
        )


def check_pair_html_repr(name: str, estimator_orig: Any) -> None:
    """Check that the HTML for notebooks shows the name, and whether the estimator is fitted."""
    for estimator, state in (
        (unfitted(estimator_orig), "Not fitted"),
        (fitted(estimator_orig), "<span>Fitted"),
    ):
        with config_context(display="diagram"):
            html = estimator._repr_mimebundle_()["text/html"]
        if get_tags(estimator).requires_fit:
            assert state in html, f"The HTML of {name} must contain {state!r}."
        assert name in html, f"The HTML of {name} must contain its name."


def check_pair_fit_takes_y(name: str, estimator_orig: Any) -> None:
    """Check that pipelines and searches can pass y as the second argument."""
    for method in ("fit", "partial_fit", "fit_transform", "score"):
        if hasattr(estimator_orig, method):
            parameters = list(inspect.signature(getattr(estimator_orig, method)).parameters)
            assert parameters[1:2] == ["y"], (
                f"The second argument of {method} of {name} must be y."
            )


def check_pair_fit_returns_self(name: str, estimator_orig: Any) -> None:
    """Check that calls can be chained: model.fit(pairs).predict(pairs)."""
    estimator = unfitted(estimator_orig)
    assert estimator.fit(PAIRS, target(estimator)) is estimator, f"fit of {name} must return self."


def check_pair_unfitted(name: str, estimator_orig: Any) -> None:
    """Check that methods raise NotFittedError before fit, unless the tags say it needs no fit."""
    estimator = unfitted(estimator_orig)
    if get_tags(estimator).requires_fit:
        for method in methods(estimator):
            what = f"{method} of an unfitted {name}"
            assert_raises(what, getattr(estimator, method), PAIRS, errors=(NotFittedError,))
        return
    assert_equal_outputs(
        outputs(estimator), outputs(fitted(estimator)), "fit must change nothing without the tag"
    )


def check_pair_is_fitted(name: str, estimator_orig: Any) -> None:
    """Check that scikit-learn's check_is_fitted works before and after fit."""
    estimator = unfitted(estimator_orig)
    if get_tags(estimator).requires_fit:
        what = f"check_is_fitted of an unfitted {name}"
        assert_raises(what, check_is_fitted, estimator, errors=(NotFittedError,))
    check_is_fitted(fitted(estimator))


def check_pair_n_features_in(name: str, estimator_orig: Any) -> None:
    """Check that n_features_in_ is 2 after fit, and missing before it."""
    assert not hasattr(unfitted(estimator_orig), "n_features_in_"), (
        f"{name} must not have n_features_in_ before fit."
    )
    n_features = getattr(fitted(estimator_orig), "n_features_in_", None)
    assert n_features == 2, f"n_features_in_ of a fitted {name} must be 2, not {n_features}."


def check_pair_n_iter(name: str, estimator_orig: Any) -> None:
    """Check that an estimator with max_iter counts its epochs in n_iter_."""
    if not estimator_orig.get_params(deep=False).get("max_iter"):
        raise SkipTest("max_iter is missing or 0")
    n_iter = getattr(fitted(estimator_orig), "n_iter_", None)
    assert isinstance(n_iter, int), f"n_iter_ of {name} must be an int, not {n_iter!r}."
    assert n_iter >= 1, f"n_iter_ of {name} must be at least 1, not {n_iter}."


def check_pair_metadata_routing(name: str, estimator_orig: Any) -> None:
    """Check that metadata of fit can be requested, and arrives through a pipeline."""
    estimator = unfitted(estimator_orig)
    if isinstance(get_routing_for_object(estimator), MetadataRouter):
        raise SkipTest("routes metadata to other estimators")
    names = [
        parameter.name
        for parameter in inspect.signature(estimator.fit).parameters.values()
        if parameter.name not in ("X", "y") and parameter.kind is not parameter.VAR_KEYWORD
    ]
    if not names:
        raise SkipTest("fit takes no metadata")
    y = target(estimator)
    with config_context(enable_metadata_routing=True):
        for metadata in names:
            for request in (False, True):
                requesting = clone(estimator).set_fit_request(**{metadata: request})
                consumed = get_routing_for_object(requesting).consumes("fit", [metadata])
                assert (metadata in consumed) == request, (
                    f"set_fit_request({metadata}={request}) of {name} must have an effect."
                )
            if metadata in _METADATA:
                value = {metadata: _METADATA[metadata]}
                routed = make_pipeline(requesting).fit(PAIRS, y, **value)
                direct = clone(estimator).fit(PAIRS, y, **value)
                what = f"a pipeline must pass {metadata} on"
                assert_equal_outputs(outputs(routed), outputs(direct), what)
