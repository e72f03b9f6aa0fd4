"""Checks that estimators of pairs meet scikit-learn's conventions."""

from skpara.testing._run import (
    check_pair_estimator,
    pair_checks_generator,
    parametrize_with_pair_checks,
)

__all__ = ["check_pair_estimator", "pair_checks_generator", "parametrize_with_pair_checks"]
