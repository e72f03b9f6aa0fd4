"""Agreement of predicted similarity scores with gold scores, and its uncertainty.

All functions take one number for each pair, on any scale: Pearson's and Spearman's correlations
are the same for scores in [0, 1] and in [0, 5]. They raise ``ValueError`` if lengths differ, a
value is not finite, or there are fewer than two pairs (in any data set).
"""

from __future__ import annotations

from skpara.metrics._correlation import (
    pearson_score,
    pearson_scorer,
    spearman_score,
    spearman_scorer,
)

# For the command line
from skpara.metrics._semeval import Estimate as Estimate
from skpara.metrics._semeval import SemevalReport as SemevalReport
from skpara.metrics._semeval import semeval_intervals, semeval_report, semeval_score
from skpara.metrics._significance import bootstrap_interval

__all__ = [
    "bootstrap_interval",
    "pearson_score",
    "pearson_scorer",
    "semeval_intervals",
    "semeval_report",
    "semeval_score",
    "spearman_score",
    "spearman_scorer",
]
