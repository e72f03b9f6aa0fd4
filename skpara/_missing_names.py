"""The public name that is meant by one that the package does not have."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

from skpara._near_names import near_name

# What other packages call what is here.
_OTHER_NAMES = {
    "Deduplicator": {
        "Dedupe",
        "Deduper",
        "Duplicates",
        "dedup",
        "dedupe",
        "deduplicate",
        "drop_duplicates",
        "find_duplicates",
    },
    "FusionClassifier": {"PairClassifier"},
    "ParagramEncoder": {"Encoder", "SentenceEncoder", "SentenceTransformer"},
    "ParagramEncoder().encode": {"embed", "encode"},
    "ParagramEncoder().similarity": {"Similarity", "cosine", "cosine_similarity", "similarity"},
    "TableMatcher": {"FuzzyMatcher", "Joiner", "Linker", "Matcher", "RecordLinker"},
    "TableMatcher().join": {"fuzzy_join", "join", "match", "match_tables", "merge"},
    "load_model": {"load"},
    "load_pair_classifier().decide": {"classify", "decide", "is_same"},
    "make_sts_pipeline": {"predict", "score", "train"},
    "save_model": {"dump", "save"},
}
# Rooms with public names of their own.
_ROOMS = (
    "augment",
    "datasets",
    "encoders",
    "explanation",
    "features",
    "fusion",
    "learning",
    "matching",
    "metrics",
    "networks",
    "plots",
    "resources",
    "saving",
    "siamese",
)


def refuse(name: str, known: Sequence[str]) -> NoReturn:
    """Raise for a name that is not among the ``known`` ones, with the one that is meant.

    It is an AttributeError, and an ImportError in ``from skpara import ...``, which would show
    another message than that of an AttributeError.
    """
    if find_spec(f"skpara.{name}"):  # a module, which is imported after an AttributeError
        raise AttributeError(name)
    text = f"skpara has no {name}.{_remedy(name, known)}"
    asking = sys._getframe(2).f_code.co_name  # of __getattr__
    raise ImportError(text) if asking == "_handle_fromlist" else AttributeError(text)


def _remedy(name: str, known: Sequence[str]) -> str:
    if name.startswith("_"):
        return ""
    for room in _ROOMS:
        if name in import_module(f"skpara.{room}").__all__:
            return f" It is in skpara.{room}: from skpara.{room} import {name}"
    near = near_name(name, [*_OTHER_NAMES, *known], _OTHER_NAMES)
    return f" Did you mean {near}?" if near else ""
