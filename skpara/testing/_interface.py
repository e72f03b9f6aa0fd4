"""Parameters, tags, signatures and attributes, before and after fit."""

from __future__ import annotations

import inspect
from typing import Any
from unittest import SkipTest

from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils._param_validation import generate_invalid_param_val, make_constraint
from sklearn.utils.metadata_routing import MetadataRouter, get_routing_for_object
from sklearn.utils.validation import check_is_fitted

from skpara.testing._sample import (
    PAIRS,
    SENTENCES,
    assert_equal,
    assert_raises,
    fingerprint,
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


def check_pair_clone_of_fitted(name: str, estimator_orig: Any) -> None:
    """Check that a clone of a fitted estimator is unfitted and learns the same."""
    original = fitted(estimator_orig)
    copy = clone(original)
    learned = [a for a in vars(copy) if a.endswith("_") and not a.startswith("_")]
    assert not learned, f"clone of a fitted {name} must not keep {learned}."
    assert_equal(copy.fit(PAIRS, target(copy)), original, "a clone must learn the same")


def check_pair_fit_keeps_parameters(name: str, estimator_orig: Any) -> None:
    """Check that neither fit nor the methods after it change a parameter."""
    estimator = unfitted(estimator_orig)
    before = _leaves(estimator)
    outputs(estimator.fit(PAIRS, target(estimator)))
    after = _leaves(estimator)
    changed = [parameter for parameter in before if before[parameter] != after.get(parameter)]
    assert not changed, (
        f"fit of {name} must not change its parameters {changed}; store what is derived from a "
        "parameter in an attribute with a trailing underscore."
    )


def check_pair_parameter_validation(name: str, estimator_orig: Any) -> None:
    """Check that fit rejects invalid values with a message that names parameter and class.

    If there are ``_parameter_constraints``, every parameter must have one, a value just outside
    each constraint is tried too, and parameters under "no_validation" are left out.
    """
    parameters = estimator_orig.get_params(deep=False)
    constraints = getattr(estimator_orig, "_parameter_constraints", {p: [] for p in parameters})
    assert set(constraints) == set(parameters), (
        f"_parameter_constraints of {name} and its parameters differ in "
        f"{sorted(set(constraints) ^ set(parameters))}."
    )
    for parameter, allowed in constraints.items():
        if isinstance(allowed, str):  # "no_validation"
            continue
        bad_values = [type("BadType", (), {})()]
        for constraint in map(make_constraint, allowed):
            try:
                bad_values.append(generate_invalid_param_val(constraint))
            except NotImplementedError:  # the constraint allows every value of its type
                continue
        match = rf"(?s)(?=.*\b{parameter}\b)(?=.*{name})"
        for value in bad_values:
            estimator = unfitted(estimator_orig).set_params(**{parameter: value})
            for method in ("fit", "partial_fit", "fit_transform"):
                if hasattr(estimator, method):
                    what = f"{method} of {name} with {parameter}={value!r:.60}"
                    call, y = getattr(estimator, method), target(estimator_orig)
                    assert_raises(what, call, PAIRS, y, match=match)


def check_pair_no_work_before_fit(name: str, estimator_orig: Any) -> None:
    """Check that set_params has the same effect as passing parameters to the constructor."""
    estimator = unfitted(estimator_orig)
    parameters = estimator.get_params(deep=False)
    later = type(estimator)(**dict.fromkeys(parameters))
    later.set_params(**{name: clone(value, safe=False) for name, value in parameters.items()})
    assert methods(later) == methods(estimator), f"set_params of {name} must not remove methods."
    y = target(estimator)
    what = "set_params must do what the constructor does"
    assert_equal(later.fit(PAIRS, y), estimator.fit(PAIRS, y), what)


def check_pair_tags(name: str, estimator_orig: Any) -> None:
    """Check that the tags declare a table of text, neither numbers nor a distance matrix."""
    tags = get_tags(estimator_orig)
    inputs = tags.input_tags
    assert inputs.string, f"{name} takes text: set input_tags.string (PairEstimatorMixin does)."
    assert inputs.two_d_array, f"{name} takes pairs: set input_tags.two_d_array."
    assert not inputs.pairwise | inputs.sparse, (
        f"{name} takes neither distance matrices nor sparse matrices: "
        "do not set input_tags.pairwise or input_tags.sparse."
    )
    if hasattr(estimator_orig, "transform"):
        assert tags.transformer_tags is not None, f"{name} transforms: inherit TransformerMixin."
    if hasattr(estimator_orig, "predict"):
        assert tags.estimator_type in ("regressor", "classifier"), (
            f"{name} predicts: inherit RegressorMixin or ClassifierMixin."
        )


def check_pair_html_repr(name: str, estimator_orig: Any) -> None:
    """Check that the HTML for notebooks shows the name, and whether the estimator is fitted."""
    for make, state in ((unfitted, "Not fitted"), (fitted, "<span>Fitted")):
        with config_context(display="diagram"):
            html = make(estimator_orig)._repr_mimebundle_()["text/html"]
        if get_tags(estimator_orig).requires_fit:
            assert state in html, f"The HTML of {name} must contain {state!r}."
        assert name in html, f"The HTML of {name} must contain its name."


def check_pair_fit_takes_y(name: str, estimator_orig: Any) -> None:
    """Check that pipelines and searches can pass y as the second argument."""
    for method in ("fit", "partial_fit", "fit_transform", "score"):
        if hasattr(estimator_orig, method):
            second = list(inspect.signature(getattr(estimator_orig, method)).parameters)[1:2]
            assert second == ["y"], f"The second argument of {method} of {name} must be y."


def check_pair_fit_returns_self(name: str, estimator_orig: Any) -> None:
    """Check that calls can be chained: model.fit(pairs).predict(pairs)."""
    estimator = unfitted(estimator_orig)
    assert estimator.fit(PAIRS, target(estimator)) is estimator, f"fit of {name} must return self."


def check_pair_unfitted(name: str, estimator_orig: Any) -> None:
    """Check that methods raise NotFittedError before fit, unless the tags say it needs no fit."""
    estimator = unfitted(estimator_orig)
    if not get_tags(estimator).requires_fit:
        what = "fit must change nothing without the tag"
        assert_equal(estimator, fitted(estimator_orig), what)
        return
    for method in methods(estimator):
        what = f"{method} of an unfitted {name}"
        assert_raises(what, getattr(estimator, method), PAIRS, errors=(NotFittedError,))


def check_pair_is_fitted(name: str, estimator_orig: Any) -> None:
    """Check that scikit-learn's check_is_fitted works before and after fit."""
    estimator = unfitted(estimator_orig)
    if get_tags(estimator).requires_fit:
        what = f"check_is_fitted of an unfitted {name}"
        assert_raises(what, check_is_fitted, estimator, errors=(NotFittedError,))
    check_is_fitted(fitted(estimator))


def check_pair_n_features_in(name: str, estimator_orig: Any) -> None:
    """Check that n_features_in_ is 2 after fit, and missing before it."""
    early = hasattr(unfitted(estimator_orig), "n_features_in_")
    assert not early, f"{name} must not have n_features_in_ before fit."
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
                assert_equal(routed, direct, f"a pipeline must pass {metadata} on")


def _leaves(estimator: Any) -> dict[str, Any]:
    """Return all parameters but estimators, whose own parameters are among them."""
    parameters = estimator.get_params(deep=True).items()
    return {name: fingerprint(value) for name, value in parameters if not _has_estimators(value)}


def _has_estimators(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_estimators, value))
    return hasattr(value, "get_params")
