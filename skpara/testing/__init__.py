"""Scikit-learn's contract, run on pairs of sentences."""

from skpara.testing._run import (
    check_pair_estimator,
    pair_checks_generator,
    parametrize_with_pair_checks,
)

__all__ = ["check_pair_estimator", "pair_checks_generator", "parametrize_with_pair_checks"]
