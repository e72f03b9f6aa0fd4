"""Models in skops files: which types are let in, and what is checked of them."""

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
    for name in ("encoders", "features", "fusion", "networks", "resources", "siamese")
]
_TREE = "sklearn.tree._tree.Tree"
_FORESTS = (GradientBoostingRegressor, RandomForestRegressor, ExtraTreesRegressor)


def trusted_types() -> list[str]:
    """Types of skpara that a skops file may hold whoever wrote it.

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
    """A model of a skops file, if it holds nothing else than can be checked.

    Trees of scikit-learn hold numbers of nodes and features that are followed unchecked when a
    tree predicts, so skops leaves it to the reader to trust them. Here those of regressors are
    checked, unless ``trusted`` names them.

    Parameters
    ----------
    path : path
    trusted : sequence of str
        Full names of more types to let in.

    Raises
    ------
    ImportError
        If skops is not installed.
    ValueError
        If the file is none of skops, or holds types that are not trusted, or trees that do not
        hold together.
    """
    skops = import_optional("skops.io", "Reading a .skops file")
    allowed = [*trusted_types(), *trusted]
    try:
        unknown = sorted({*skops.get_untrusted_types(file=path)} - {*allowed, _TREE})
    except Exception as error:  # bytes that are no such file raise whatever they come upon
        raise ValueError(f"{path} is not a readable .skops file: {error!r}.") from error
    if unknown:
        raise ValueError(
            f"{path} holds {', '.join(unknown)}, which skpara does not vouch for. If you trust "
            f"who wrote it, pass trusted={unknown}."
        )
    model = skops.load(path, trusted=[*allowed, _TREE])
    if _TREE not in trusted:
        _check(model, None, set())
    return model


def _check(part: Any, n_features: int | None, seen: set[tuple[int, int | None]]) -> None:
    """Look for trees in a model; ``n_features`` is what the forest around them checks."""
    if (id(part), n_features) in seen:
        return
    seen.add((id(part), n_features))
    if isinstance(part, Tree):
        _check_tree(part, n_features)
        return
    if isinstance(part, dict):
        inner = list(part.values())
    elif isinstance(part, (list, tuple)):
        inner = list(part)
    elif isinstance(part, np.ndarray):
        inner = part.ravel().tolist() if part.dtype == object else []
    else:
        inner = list(getattr(part, "__dict__", {}).values())
        n_features = _features_checked(part, n_features)
    for one in inner:
        _check(one, n_features, seen)


def _features_checked(estimator: Any, n_features: int | None) -> int | None:
    """How many features the trees of an estimator can rely on; None where they cannot."""
    if "n_features_in_" not in getattr(estimator, "__dict__", {}):
        return None
    own = int(estimator.n_features_in_)
    if isinstance(estimator, _FORESTS):
        trees = np.asarray(estimator.estimators_, dtype=object)
        boosted = isinstance(estimator, GradientBoostingRegressor)
        right = (trees.ndim, trees.shape[-1]) == (2, 1) if boosted else trees.ndim == 1
        if not right or any(type(getattr(one, "tree_", 0)) is not Tree for one in trees.ravel()):
            raise ValueError(f"{type(estimator).__name__} is damaged: it is not made of trees.")
        return own
    if isinstance(estimator, BaseDecisionTree):
        return own if n_features is None else min(own, n_features)
    return None


def _check_tree(tree: Tree, n_features: int | None) -> None:
    if n_features is None:
        raise ValueError(
            "The model has trees of which nobody can tell how many features they are given. If "
            f"you trust who wrote it, pass trusted=[{_TREE!r}]."
        )
    left, right, feature = tree.children_left, tree.children_right, tree.feature
    inner = np.flatnonzero((left != -1) | (right != -1))
    children = np.stack([left[inner], right[inner]])
    # A child stands behind its parent, so that no path is a circle.
    whole = tree.node_count > 0 and (children > inner).all() and (children < tree.node_count).all()
    if not whole or ((feature[inner] < 0) | (feature[inner] >= n_features)).any():
        raise ValueError("A tree of the model is damaged: its nodes do not hold together.")
    depth = np.zeros(tree.node_count, dtype=np.int64)
    for node in inner.tolist():
        depth[[left[node], right[node]]] = depth[node] + 1
    if depth.max() > tree.max_depth:
        raise ValueError("A tree of the model is damaged: it is deeper than it says.")
