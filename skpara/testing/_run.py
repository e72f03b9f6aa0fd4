"""Run all checks on one estimator, or as tests of pytest."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal
from unittest import SkipTest

from sklearn.exceptions import EstimatorCheckFailedWarning, SkipTestWarning
from sklearn.utils import estimator_checks

from skpara.testing import _fitting, _inputs, _interface, _outputs

# Those checks of scikit-learn that pass no data to the estimator.
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
# What is cheap and explains later failures comes first.
_OF_SKPARA = [
    check
    for module in (_interface, _inputs, _fitting, _outputs)
    for name, check in vars(module).items()
    if name.startswith("check_pair_")
]
CHECKS: tuple[Callable[[str, Any], None], ...] = (
    *(getattr(estimator_checks, name) for name in _OF_SCIKIT_LEARN),
    *_OF_SKPARA,
)

Expected = Mapping[str, str]


def pair_checks_generator(estimator: Any) -> Iterator[tuple[Any, partial[None]]]:
    """Yield the estimator with each check that :func:`check_pair_estimator` runs.

    Parameters
    ----------
    estimator : estimator object
        An unfitted estimator of pairs.

    Yields
    ------
    estimator : estimator object
        The same estimator.
    check : partial
        A function of the estimator. It raises an exception if the check fails, and
        ``unittest.SkipTest`` if it does not apply. ``check.func.__name__`` is its name.

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
    """Check that an estimator of pairs meets scikit-learn's conventions.

    This does on pairs of sentences what scikit-learn's ``check_estimator`` does on numbers: it
    checks parameters, input validation, fit, outputs, persistence and composition. The sample
    has thirty English pairs with scores from 0 to 5, or with the classes 0 and 1 for a
    classifier. Outputs that should be equal may differ by a relative 1e-5, because networks
    compute in single precision.

    Parameters
    ----------
    estimator : estimator object
        An unfitted estimator of pairs. Each check fits clones of it: choose parameters that make
        this quick. The checks call ``transform``, ``predict``, ``predict_proba``,
        ``predict_distribution``, ``decision_function``, ``score_pairs`` and ``select``, if it has
        them.
    expected_failed_checks : dict of str to str, default=None
        Names of checks that may fail, each with the reason.
    on_skip : {"warn"} or None, default="warn"
        Whether to issue a ``SkipTestWarning`` for each check that does not apply.
    on_fail : {"raise", "warn"} or None, default="raise"
        What to do when a check fails unexpectedly: raise its exception, issue an
        ``EstimatorCheckFailedWarning``, or only report it in the results.
    callback : callable, default=None
        Called after each check, with the entries of its result as keyword arguments. It cannot
        be combined with ``on_fail="raise"``.

    Returns
    -------
    list of dict
        One result for each check, with the keys of scikit-learn's ``check_estimator``:
        ``estimator``, ``check_name``, ``exception``, ``status`` ("passed", "failed", "skipped" or
        "xfail"), ``expected_to_fail`` and ``expected_to_fail_reason``.

    Examples
    --------
    >>> from skpara import LexicalFeatures
    >>> from skpara.testing import check_pair_estimator
    >>> results = check_pair_estimator(LexicalFeatures("counts"), on_skip=None)
    >>> sorted({result["status"] for result in results})
    ['passed', 'skipped']
    """
    if on_fail == "raise" and callback is not None:
        raise ValueError("callback cannot be provided together with on_fail='raise'.")
    expected = _validated(expected_failed_checks)
    results = []
    for _, check in pair_checks_generator(estimator):
        name = check.func.__name__
        status = "passed"
        exception: Exception | None = None
        try:
            check(estimator)
        except SkipTest as error:
            status, exception = "skipped", error
            if on_skip == "warn":
                message = f"Skipping {name} for {type(estimator).__name__}: {error}"
                warnings.warn(message, SkipTestWarning, stacklevel=2)
        except Exception as error:
            status, exception = "xfail" if name in expected else "failed", error
            if status == "failed" and on_fail == "raise":
                raise
        result = {
            "estimator": estimator,
            "check_name": name,
            "exception": exception,
            "status": status,
            "expected_to_fail": name in expected,
            # scikit-learn's own words where no failure is expected
            "expected_to_fail_reason": expected.get(name, "Check is not expected to fail"),
        }
        if status in ("failed", "xfail") and on_fail == "warn":
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
    """Return a pytest decorator that runs a test for each estimator with each check.

    Parameters
    ----------
    estimators : iterable of estimator object
        Unfitted estimators of pairs, as for :func:`check_pair_estimator`.
    expected_failed_checks : callable, default=None
        A function of an estimator that returns a dict of names of checks that may fail, each
        with the reason.
    xfail_strict : bool, default=None
        Whether such a check must fail; None follows the configuration of pytest.

    Returns
    -------
    pytest.MarkDecorator
        A decorator for a test with the arguments ``estimator`` and ``check``.

    Examples
    --------
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
        expected = _validated(expected_failed_checks and expected_failed_checks(estimator))
        for _, check in pair_checks_generator(estimator):
            name = check.func.__name__
            case = f"{number}-{type(estimator).__name__}-{name}"
            marks = []
            if name in expected:
                marks.append(pytest.mark.xfail(reason=expected[name], **strict))
            cases.append(pytest.param(estimator, check, marks=marks, id=case))
    return pytest.mark.parametrize(("estimator", "check"), cases)


def _validated(expected: Expected | None) -> Expected:
    """Return the checks that are expected to fail, if there are checks of these names."""
    unknown = set(expected or ()) - {check.__name__ for check in CHECKS}
    if unknown:
        raise ValueError(f"expected_failed_checks has names of no check: {sorted(unknown)}.")
    return expected or {}
