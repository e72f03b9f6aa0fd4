"""All checks, for one estimator or for pytest."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import ModuleType
from typing import Any, Literal
from unittest import SkipTest

from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning
from sklearn.utils import estimator_checks

from skpara.testing import (
    _composition,
    _containers,
    _fitting,
    _interface,
    _invariance,
    _outputs,
    _parameters,
    _persistence,
    _refusals,
)

# scikit-learn's own checks that look at no data.
_OF_SCIKIT_LEARN = (
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
)


def _checks_of(module: ModuleType) -> list[Callable[[str, Any], None]]:
    return [check for name, check in vars(module).items() if name.startswith("check_pair_")]


CHECKS: tuple[Callable[[str, Any], None], ...] = (
    *(getattr(estimator_checks, name) for name in _OF_SCIKIT_LEARN),
    *_checks_of(_parameters),
    *_checks_of(_interface),
    *_checks_of(_refusals),
    *_checks_of(_containers),
    *_checks_of(_fitting),
    *_checks_of(_invariance),
    *_checks_of(_outputs),
    *_checks_of(_persistence),
    *_checks_of(_composition),
)

Expected = Mapping[str, str]


def pair_checks_generator(estimator: Any) -> Iterator[tuple[Any, partial[None]]]:
    """Yield the estimator with each check that :func:`check_pair_estimator` runs.

    Parameters
    ----------
    estimator : estimator of pairs

    Yields
    ------
    estimator : the estimator
    check : partial
        Raises what it finds when called with the estimator, and ``unittest.SkipTest`` where it
        does not apply. ``check.func.__name__`` is its name.

    Raises
    ------
    TypeError
        If it is a class, not an instance.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.testing import pair_checks_generator
    >>> estimator, check = next(pair_checks_generator(ParagramEncoder()))
    >>> check.func.__name__
    'check_estimator_cloneable'
    >>> check(estimator)
    """
    if isinstance(estimator, type):
        raise TypeError(
            f"Got the class {estimator.__name__}; pass an instance: {estimator.__name__}()."
        )
    for check in CHECKS:
        yield estimator, partial(check, type(estimator).__name__)


def check_pair_estimator(
    estimator: Any,
    *,
    expected_failed_checks: Expected | None = None,
    on_skip: Literal["warn"] | None = "warn",
    on_fail: Literal["raise", "warn"] | None = "raise",
    callback: Callable[..., Any] | None = None,
) -> list[dict[str, Any]]:
    """Check whether an estimator of pairs keeps scikit-learn's promises.

    What scikit-learn's ``check_estimator`` runs on numbers this runs on pairs of sentences: of
    parameters, input, fit, output, files and composition. The thirty pairs are in English, their
    scores from 0 to 5; a classifier gets the classes 0 and 1. Results that should be equal may
    differ by 1e-5 of them, since networks compute in single precision.

    Parameters
    ----------
    estimator : estimator of pairs
        An instance, unfitted. Each check fits copies of it: choose parameters that make this
        quick. Of its methods ``transform``, ``predict``, ``predict_proba``,
        ``predict_distribution``, ``decision_function``, ``score_pairs`` and ``select`` are called.
    expected_failed_checks : dict of str to str, default=None
        Names of checks that may fail, and why.
    on_skip : {"warn"} or None, default="warn"
        Whether a ``SkipTestWarning`` says that a check does not apply.
    on_fail : {"raise", "warn"} or None, default="raise"
        What happens where a check fails that may not: its exception is raised, or an
        ``EstimatorCheckFailedWarning`` is given, or it only stands in the results.
    callback : callable, default=None
        Called with each result's entries as keyword arguments.

    Returns
    -------
    list of dict
        For each check ``estimator``, ``check_name``, ``exception``, ``status`` ("passed",
        "failed", "skipped" or "xfail"), ``expected_to_fail`` and ``expected_to_fail_reason``, as
        scikit-learn 1.6 and newer has it.

    Raises
    ------
    TypeError
        If the estimator is a class.
    ValueError
        If there are both a callback and ``on_fail="raise"``, or an expected failure is of no
        check.
    Exception
        That of the first check that fails, with ``on_fail="raise"``.

    See Also
    --------
    parametrize_with_pair_checks : The same as tests of pytest.

    Examples
    --------
    >>> from skpara import LexicalFeatures
    >>> from skpara.testing import check_pair_estimator
    >>> results = check_pair_estimator(LexicalFeatures("counts"), on_skip=None)
    >>> sorted({result["status"] for result in results})
    ['passed', 'skipped']
    >>> [result["check_name"] for result in results if result["status"] == "skipped"]
    ['check_pair_n_iter', ...]
    """
    if on_fail == "raise" and callback is not None:
        raise ValueError("callback cannot be provided together with on_fail='raise'.")
    expected = _known(expected_failed_checks)
    results = []
    for _, check in pair_checks_generator(estimator):
        result = _result(estimator, check, expected)
        name, error = result["check_name"], result["exception"]
        if result["status"] == "skipped" and on_skip == "warn":
            message = f"Skipping {name} for {type(estimator).__name__}: {error}"
            warnings.warn(message, SkipTestWarning, stacklevel=2)
        if result["status"] == "failed" and on_fail == "raise":
            raise error
        if result["status"] in ("failed", "xfail") and on_fail == "warn":
            warnings.warn(EstimatorCheckFailedWarning(**result), stacklevel=2)
        results.append(result)
        if callback is not None:
            callback(**result)
    return results


def parametrize_with_pair_checks(
    estimators: Iterable[Any],
    *,
    expected_failed_checks: Callable[[Any], Expected] | None = None,
    xfail_strict: bool | None = None,
) -> Any:
    """Decorate a test so that pytest runs it for each estimator with each check.

    Parameters
    ----------
    estimators : iterable of estimators of pairs
        Instances, as for :func:`check_pair_estimator`.
    expected_failed_checks : callable, default=None
        Takes an estimator, gives a dict of the names of checks that may fail to why.
    xfail_strict : bool, default=None
        Whether such a check must fail; None is what pytest is configured to.

    Returns
    -------
    pytest.MarkDecorator

    Raises
    ------
    TypeError
        If an estimator is a class.
    ValueError
        If an expected failure is of no check.

    See Also
    --------
    check_pair_estimator : The same in one call.

    Examples
    --------
    In a file of tests:

    >>> from skpara import LexicalFeatures
    >>> from skpara.testing import parametrize_with_pair_checks
    >>> @parametrize_with_pair_checks([LexicalFeatures("counts")])
    ... def test_contract(estimator, check):
    ...     check(estimator)
    """
    import pytest

    strict: dict[str, Any] = {} if xfail_strict is None else {"strict": xfail_strict}
    cases = []
    for number, estimator in enumerate(estimators):
        expected = _known(expected_failed_checks and expected_failed_checks(estimator))
        for _, check in pair_checks_generator(estimator):
            name = check.func.__name__
            marks = []
            if name in expected:
                marks.append(pytest.mark.xfail(reason=expected[name], **strict))
            case = f"{number}-{type(estimator).__name__}-{name}"
            cases.append(pytest.param(estimator, check, marks=marks, id=case))
    return pytest.mark.parametrize(("estimator", "check"), cases)


def _result(estimator: Any, check: partial[None], expected: Expected) -> dict[str, Any]:
    name = check.func.__name__
    status = "passed"
    error: Exception | None = None
    try:
        check(estimator)
    except SkipTest as skipped:
        status, error = "skipped", skipped
    except Exception as found:
        status, error = "xfail" if name in expected else "failed", found
    return {
        "estimator": estimator,
        "check_name": name,
        "exception": error,
        "status": status,
        "expected_to_fail": name in expected,
        "expected_to_fail_reason": expected.get(name, "Check is not expected to fail"),
    }


def _known(expected: Expected | None) -> Expected:
    """What is expected to fail, all of it checks."""
    unknown = set(expected or ()) - {check.__name__ for check in CHECKS}
    if unknown:
        raise ValueError(f"expected_failed_checks names no check: {sorted(unknown)}.")
    return expected or {}
