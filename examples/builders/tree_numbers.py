"""Trees of packaged models as the numbers of a JSON file."""

from __future__ import annotations

from typing import Any

import numpy as np

from skpara.fusion import TreeEnsemble


def to_numbers(trees: TreeEnsemble) -> dict[str, Any]:
    """Return trees as lists for a file of JSON; a node has a threshold or, if a leaf, a value."""
    inner = trees.left_ > np.arange(len(trees.left_))
    return {
        "baseline": float(f"{trees.baseline_:.4g}"),
        "n_trees": trees.n_trees_,
        "importances": [float(f"{x:.4g}") for x in trees.feature_importances_],
        "left": np.where(inner, trees.left_, 0).tolist(),
        "feature": trees.feature_.tolist(),
        "number": [
            float(f"{x:.6g}")
            for x in np.where(inner, trees.threshold_, trees.factor_ * trees.value_)
        ],
        "cover": trees.cover_.astype(int).tolist(),
    }
