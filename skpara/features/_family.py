"""What a family of features is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skpara._typing import Floats
from skpara.features._batch import PairBatch


@dataclass(frozen=True)
class Family:
    """Features that are computed together.

    To add a family, write a module with its functions, its ``compute`` and its ``FAMILY``, and
    list the latter in ``_catalogue.py``.

    Parameters
    ----------
    group : str
        Name that selects all of its features.
    names : tuple of str
        Names of the features, in the order of the columns.
    compute : callable
        Takes a batch of pairs and returns an array of shape (n_pairs, len(names)): finite for any
        text, each row computed from its own pair only.
    needs : frozenset of {"frequencies", "vectors", "document_frequencies", "wordnet", "tagger"}
        What ``compute`` reads besides the pairs; ``fit`` loads or learns only what is needed.
    """

    group: str
    names: tuple[str, ...]
    compute: Callable[[PairBatch], Floats]
    needs: frozenset[str] = frozenset()
