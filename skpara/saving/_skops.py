"""Models in skops files: which types are trusted, and what is checked of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree

from skpara._optional import import_optional
from skpara._public import is_trusted

# Sub-packages whose classes a fitted model can hold.
_MODULES = [
    f"skpara.{name}"
    for name in "encoders features fusion learning networks resources saving siamese".split()
]
_TREE = "sklearn.tree._tree.Tree"
_FORESTS = (GradientBoostingRegressor, RandomForestRegressor, ExtraTreesRegressor)


def trusted_types() -> list[str]:
    """Return the types of skpara that a skops file may contain whoever wrote it.

    Whatever such a file puts into them, loading it and predicting with it starts no program,
    opens no network connection and loads no other model. Translators and
    ``SentenceTransformerFeature`` are therefore not among them: name these yourself for a file
    whose author you trust.

    Returns
    -------
    list of str
        Full names, for the argument ``trusted`` of ``skops.io.load``.

    Examples
    --------
    >>> from skpara import trusted_types
    >>> "skpara.ParagramEncoder" in trusted_types()
    True
    """
    return sorted({name for module in _MODULES for name in _trusted_names(import_module(module))})


def _trusted_names(module: ModuleType) -> Iterator[str]:
    for name in module.__all__:
        member = getattr(module, name)
        if isinstance(member, type) and is_trusted(member):
            yield f"{member.__module__}.{name}"


def load_skops(path: str | os.PathLike[str], trusted: Sequence[str] = ()) -> Any:
    """Load a model from a skops file if all of its types can be trusted.

    Trees of scikit-learn contain node and feature numbers that are used unchecked when a tree
    predicts, so skops leaves it to the user to trust them. Here the trees of regressors are
    checked, unless ``trusted`` names their type.

    Parameters
    ----------
    path : str or path-like
        The file.
    trusted : sequence of str, default=()
        Full names of types to trust beside :func:`skpara.trusted_types`; only for authors that
        you trust.

    Returns
    -------
    estimator
        The model.

    Raises
    ------
    ValueError
        If the file is not a skops file, has types that are not trusted, or damaged trees.
    """
    skops = import_optional("skops.io", "Reading a .skops file")
    allowed = [*trusted_types(), *trusted]
    try:
        unknown = sorted({*skops.get_untrusted_types(file=path)} - {*allowed, _TREE})
    except Exception as error:  # bytes that are not a skops file raise almost anything
        raise ValueError(f"{path} is not a readable .skops file: {error!r}.") from error
    if unknown:
        raise ValueError(
            f"{path} contains {', '.join(unknown)}, which skpara does not trust. If you trust "
            f"its author, pass trusted={unknown}."
        )
    model = skops.load(path, trusted=[*allowed, _TREE])
    if _TREE not in trusted:
        _check_trees(model, None, set())
    return model


def _check_trees(part: Any, n_features: int | None, seen: set[tuple[int, int | None]]) -> None:
    """Check all trees within a model.

    ``n_features`` is the number of columns that the ensemble around ``part`` checks its input for;
    None outside of ensembles.
    """
    if (id(part), n_features) in seen:
        return
    seen.add((id(part), n_features))
    if isinstance(part, Tree):
        _check_tree(part, n_features)
        return
    if isinstance(part, dict):
        members = list(part.values())
    elif isinstance(part, (list, tuple)):
        members = list(part)
    elif isinstance(part, np.ndarray):
        members = part.ravel().tolist() if part.dtype == object else []
    else:
        members = list(getattr(part, "__dict__", {}).values())
        n_features = _n_features(part, n_features)
    for member in members:
        _check_trees(member, n_features, seen)


def _n_features(estimator: Any, n_features: int | None) -> int | None:
    """Return how many features the trees of an estimator can rely on; None if unknown."""
    if "n_features_in_" not in getattr(estimator, "__dict__", {}):
        return None
    own = int(estimator.n_features_in_)
    if isinstance(estimator, _FORESTS):
        trees = np.asarray(estimator.estimators_, dtype=object)
        boosted = isinstance(estimator, GradientBoostingRegressor)
        valid = (trees.ndim, trees.shape[-1]) == (2, 1) if boosted else trees.ndim == 1
        if not valid or any(type(getattr(tree, "tree_", 0)) is not Tree for tree in trees.ravel()):
            raise ValueError(
                f"The {type(estimator).__name__} is damaged: its estimators_ are not trees."
            )
        return own
    if isinstance(estimator, BaseDecisionTree):
        return own if n_features is None else min(own, n_features)
    return None


def _check_tree(tree: Tree, n_features: int | None) -> None:
    if n_features is None:
        raise ValueError(
            "The model has a tree outside of a known ensemble, so its number of features cannot "
            f"be checked. If you trust its author, pass trusted=[{_TREE!r}]."
        )
    left, right, feature = tree.children_left, tree.children_right, tree.feature
    inner = np.flatnonzero((left != -1) | (right != -1))
    children = np.stack([left[inner], right[inner]])
    # scikit-learn writes a child behind its parent; a path that went back could be a cycle.
    valid = tree.node_count > 0 and (children > inner).all() and (children < tree.node_count).all()
    if not valid or ((feature[inner] < 0) | (feature[inner] >= n_features)).any():
        raise ValueError("A tree of the model is damaged: its nodes are inconsistent.")
    depth = np.zeros(tree.node_count, dtype=np.int64)
    for node in inner.tolist():
        depth[[left[node], right[node]]] = depth[node] + 1
    if depth.max() > tree.max_depth:
        # max_depth is the size of a buffer that scikit-learn fills without a check.
        raise ValueError("A tree of the model is damaged: it is deeper than its max_depth.")
