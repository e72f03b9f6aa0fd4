"""Parameters: given by the user, checked by fit, changed by nobody."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.utils._param_validation import generate_invalid_param_val, make_constraint

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_refused,
    fingerprint,
    fitted,
    fresh,
    methods,
    outputs,
    target,
)


def check_pair_clone_of_fitted(name: str, estimator_orig: Any) -> None:
    """A clone of a fitted estimator has nothing learned, and learns the same."""
    first = fitted(estimator_orig)
    copy = clone(first)
    learned = [a for a in vars(copy) if a.endswith("_") and not a.startswith("_")]
    assert not learned, f"clone of a fitted {name} keeps {learned}."
    expected = outputs(first)
    assert_equal_outputs(
        outputs(copy.fit(PAIRS, target(copy))), expected, "a clone learns something else"
    )


def check_pair_fit_keeps_parameters(name: str, estimator_orig: Any) -> None:
    """Neither fit nor the methods after it change a parameter."""
    estimator = fresh(estimator_orig)
    before = _leaves(estimator)
    outputs(estimator.fit(PAIRS, target(estimator)))
    after = _leaves(estimator)
    changed = [parameter for parameter in before if before[parameter] != after.get(parameter)]
    assert not changed, (
        f"fit of {name} changes its parameters {changed}; keep what is derived from a parameter "
        "in an attribute with a trailing underscore."
    )


def check_pair_parameter_validation(name: str, estimator_orig: Any) -> None:
    """A senseless value is refused by fit, with a message that names parameter and class.

    Where there are ``_parameter_constraints``, all parameters must have one, a value just outside
    each is tried too, and those under "no_validation" are left out.
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
            except NotImplementedError:  # any value of its type is good
                continue
        for value in bad_values:
            estimator = fresh(estimator_orig).set_params(**{parameter: value})
            for method in ("fit", "partial_fit", "fit_transform"):
                if hasattr(estimator, method):
                    assert_refused(
                        f"{parameter}={value!r:.60} at {method} of {name}",
                        getattr(estimator, method),
                        PAIRS,
                        target(estimator_orig),
                        says=rf"(?s)(?=.*\b{parameter}\b)(?=.*{name})",
                    )


def check_pair_no_work_before_fit(name: str, estimator_orig: Any) -> None:
    """A parameter set after construction counts as much as one given to the constructor."""
    estimator = fresh(estimator_orig)
    parameters = estimator.get_params(deep=False)
    later = type(estimator)(**dict.fromkeys(parameters))
    later.set_params(**{name: clone(value, safe=False) for name, value in parameters.items()})
    y = target(estimator)
    assert methods(later) == methods(estimator), f"{name} lost methods by set_params."
    assert_equal_outputs(
        outputs(later.fit(PAIRS, y)),
        outputs(estimator.fit(PAIRS, y)),
        "set_params does less than the constructor",
    )


def _leaves(estimator: Any) -> dict[str, Any]:
    """All parameters that are no estimators, whose own parameters are among them."""
    return {
        parameter: fingerprint(value)
        for parameter, value in estimator.get_params(deep=True).items()
        if not _holds_estimators(value)
    }


def _holds_estimators(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_estimators(item) for item in value)
    return hasattr(value, "get_params")
