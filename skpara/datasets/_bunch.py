"""The one form in which all loaders return pairs and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

__all__ = ["FEATURE_NAMES", "make_bunch"]

FEATURE_NAMES = ["sentence1", "sentence2"]


def make_bunch(
    pairs: Sequence[tuple[str, str]],
    scores: ArrayLike,
    groups: Sequence[str],
    *,
    descr: str,
    filenames: Sequence[str],
    as_frame: bool,
    return_X_y: bool,
    **columns: ArrayLike,
) -> Bunch | tuple[Any, Any]:
    """Bunch of ``data`` (n, 2), ``target`` (n,) and ``groups`` (n,), or ``(data, target)``."""
    data: Any = np.array(list(pairs), dtype=object).reshape(-1, 2)
    target: Any = np.asarray(scores, dtype=np.float64)
    bunch = Bunch(
        groups=np.array(groups, dtype=str),
        feature_names=list(FEATURE_NAMES),
        target_names=["score"],
        filenames=list(filenames),
        DESCR=descr,
        **{name: np.asarray(column) for name, column in columns.items()},
    )
    if as_frame:
        import pandas as pd

        data = pd.DataFrame(data, columns=FEATURE_NAMES)
        target = pd.Series(target, name="score")
        bunch["frame"] = data.assign(score=target, group=bunch["groups"])
    if return_X_y:
        return data, target
    bunch.update(data=data, target=target)
    return bunch
