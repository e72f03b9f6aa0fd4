"""Parameters: set by the user, validated by fit, never changed by the estimator."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.utils._param_validation import generate_invalid_param_val, make_constraint

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_raises,
    fingerprint,
    fitted,
    methods,
    outputs,
    target,
    unfitted,
)


def check_pair_clone_of_fitted(name: str, estimator_orig: Any) -> None:
    """Check that a clone of a fitted estimator is unfitted and learns the same."""
    original = fitted(estimator_orig)
    copy = clone(original)
    learned = [a for a in vars(copy) if a.endswith("_") and not a.startswith("_")]
    assert not learned, f"clone of a fitted {name} must not keep {learned}."
    expected = outputs(original)
    assert_equal_outputs(
        outputs(copy.fit(PAIRS, target(copy))), expected, "a clone must learn the same"
    )


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
    constraints = getattr(estimator_orig, "_parameter_constraints", None)
    if constraints is not None:
        assert set(constraints) == set(parameters), (
            f"_parameter_constraints of {name} and its parameters differ in "
            f"{sorted(set(constraints) ^ set(parameters))}."
        )
    for parameter in parameters:
        allowed: Any = constraints[parameter] if constraints else []
        if isinstance(allowed, str):  # "no_validation"
            continue
        bad_values = [type("BadType", (), {})()]
        for constraint in map(make_constraint, allowed):
            try:
                bad_values.append(generate_invalid_param_val(constraint))
            except NotImplementedError:  # the constraint allows every value of its type
                continue
        for value in bad_values:
            estimator = unfitted(estimator_orig).set_params(**{parameter: value})
            for method in ("fit", "partial_fit", "fit_transform"):
                if hasattr(estimator, method):
                    assert_raises(
                        f"{method} of {name} with {parameter}={value!r:.60}",
                        getattr(estimator, method),
                        PAIRS,
                        target(estimator_orig),
                        match=rf"(?s)(?=.*\b{parameter}\b)(?=.*{name})",
                    )


def check_pair_no_work_before_fit(name: str, estimator_orig: Any) -> None:
    """Check that set_params has the same effect as passing parameters to the constructor."""
    estimator = unfitted(estimator_orig)
    parameters = estimator.get_params(deep=False)
    later = type(estimator)(**dict.fromkeys(parameters))
    later.set_params(**{name: clone(value, safe=False) for name, value in parameters.items()})
    y = target(estimator)
    assert methods(later) == methods(estimator), f"set_params of {name} must not remove methods."
    assert_equal_outputs(
        outputs(later.fit(PAIRS, y)),
        outputs(estimator.fit(PAIRS, y)),
        "set_params must do what the constructor does",
    )


def _leaves(estimator: Any) -> dict[str, Any]:
    """Return all parameters but estimators, whose own parameters are among them."""
    return {
        parameter: fingerprint(value)
        for parameter, value in estimator.get_params(deep=True).items()
        if not _contains_estimators(value)
    }


def _contains_estimators(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_contains_estimators(item) for item in value)
    return hasattr(value, "get_params")
