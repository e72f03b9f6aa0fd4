"""What an estimator says of itself, before and after fit."""

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
    assert_refused,
    fitted,
    fresh,
    methods,
    outputs,
    target,
)

# What the checks know to pass as metadata of fit.
_METADATA = {
    "sample_weight": [1.0, 2.0] * (len(PAIRS) // 2),
    "groups": ["a", "b", "c"] * (len(PAIRS) // 3),
    "unlabeled": SENTENCES,
}


def check_pair_tags(name: str, estimator_orig: Any) -> None:
    """The tags say: a table of text, not numbers, not distances between rows."""
    tags = get_tags(estimator_orig)
    given = tags.input_tags
    assert given.string, (
        f"{name} takes text; set tags.input_tags.string (PairEstimatorMixin does)."
    )
    assert given.two_d_array, f"{name} takes pairs, a table; leave tags.input_tags.two_d_array on."
    assert not given.pairwise, f"{name} takes no distances between rows; leave pairwise off."
    assert not given.sparse, f"{name} takes no sparse matrix; leave tags.input_tags.sparse off."
    if hasattr(estimator_orig, "transform"):
        assert tags.transformer_tags is not None, f"{name} transforms; inherit TransformerMixin."
    if hasattr(estimator_orig, "predict"):
        assert tags.estimator_type in ("regressor", "classifier"), (
            f"{name} predicts; inherit RegressorMixin or ClassifierMixin."
        )


def check_pair_html_repr(name: str, estimator_orig: Any) -> None:
    """Notebooks show it, fitted or not, and it says which."""
    for estimator, state in ((fresh(estimator_orig), "Not fitted"), (fitted(estimator_orig), "")):
        with config_context(display="diagram"):
            html = estimator._repr_mimebundle_()["text/html"]
        if get_tags(estimator).requires_fit:
            state = state or "<span>Fitted"
            assert state in html, f"The HTML of {name} does not say {state!r}."
        assert name in html, f"The HTML of {name} does not name it."


def check_pair_fit_takes_y(name: str, estimator_orig: Any) -> None:
    """Pipelines and searches pass y as the second argument to fit, partial_fit and score."""
    for method in ("fit", "partial_fit", "fit_transform", "score"):
        if hasattr(estimator_orig, method):
            parameters = list(inspect.signature(getattr(estimator_orig, method)).parameters)
            assert parameters[1:2] == ["y"], f"The second argument of {method} of {name} is no y."


def check_pair_fit_returns_self(name: str, estimator_orig: Any) -> None:
    """So that model.fit(pairs).predict(pairs) works."""
    estimator = fresh(estimator_orig)
    assert estimator.fit(PAIRS, target(estimator)) is estimator, f"fit of {name} gives not self."


def check_pair_unfitted(name: str, estimator_orig: Any) -> None:
    """Before fit methods raise NotFittedError; or the tags say that it needs no fit."""
    estimator = fresh(estimator_orig)
    if get_tags(estimator).requires_fit:
        for method in methods(estimator):
            what = f"{method} of {name} before fit"
            assert_refused(what, getattr(estimator, method), PAIRS, to=(NotFittedError,))
        return
    assert_equal_outputs(outputs(estimator), outputs(fitted(estimator)), "fit changes it")


def check_pair_is_fitted(name: str, estimator_orig: Any) -> None:
    """scikit-learn's check_is_fitted tells before from after."""
    estimator = fresh(estimator_orig)
    if get_tags(estimator).requires_fit:
        assert_refused(f"New {name}", check_is_fitted, estimator, to=(NotFittedError,))
    check_is_fitted(fitted(estimator))


def check_pair_n_features_in(name: str, estimator_orig: Any) -> None:
    """n_features_in_ is 2, and not there before fit."""
    assert not hasattr(fresh(estimator_orig), "n_features_in_"), f"{name} has it before fit."
    found = getattr(fitted(estimator_orig), "n_features_in_", None)
    assert found == 2, f"n_features_in_ of a fitted {name} is {found}, not 2."


def check_pair_n_iter(name: str, estimator_orig: Any) -> None:
    """What has max_iter says how many passes it made."""
    if not estimator_orig.get_params(deep=False).get("max_iter"):
        raise SkipTest("no max_iter, or none wanted")
    found = getattr(fitted(estimator_orig), "n_iter_", None)
    assert isinstance(found, int), f"n_iter_ of {name} is {found!r}, not an int."
    assert found >= 1, f"n_iter_ of {name} is {found}; count the passes made."


def check_pair_metadata_routing(name: str, estimator_orig: Any) -> None:
    """What else fit takes can be asked for, and comes through a pipeline."""
    estimator = fresh(estimator_orig)
    if isinstance(get_routing_for_object(estimator), MetadataRouter):
        raise SkipTest("passes metadata on")
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
            for wanted in (False, True):
                asking = clone(estimator).set_fit_request(**{metadata: wanted})
                consumed = get_routing_for_object(asking).consumes("fit", [metadata])
                assert (metadata in consumed) == wanted, (
                    f"set_fit_request({metadata}={wanted}) of {name} changes nothing."
                )
            if metadata in _METADATA:
                value = {metadata: _METADATA[metadata]}
                through = make_pipeline(asking).fit(PAIRS, y, **value)
                direct = clone(estimator).fit(PAIRS, y, **value)
                assert_equal_outputs(
                    outputs(through), outputs(direct), f"{metadata} is lost in a pipeline"
                )
