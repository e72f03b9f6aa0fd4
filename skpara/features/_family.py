"""What a family of features is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


@dataclass(frozen=True)
class Family:
    """Features that are computed together.

    To add one: write a module with its plain functions, its ``compute`` and its ``FAMILY``, and
    list that in ``_catalogue.py``.

    Attributes
    ----------
    group : str
        Name that selects all of them.
    names : tuple of str
        Their names, in the order of the columns.
    compute : callable
        Takes a batch of pairs, gives an array of shape (n_pairs, len(names)): finite numbers for
        any text, each row from its own pair alone.
    needs : frozenset of {"frequencies", "vectors", "document_frequencies", "wordnet", "tagger"}
        What ``compute`` reads beside the pairs; ``fit`` loads or learns only what is needed.
    """

    group: str
    names: tuple[str, ...]
    compute: Callable[[PairBatch], NDArray[np.float64]]
    needs: frozenset[str] = frozenset()
