"""Reasons why two sentences that look alike do not mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from skpara._pairs import as_pairs
from skpara._typing import PairsLike
from skpara.features._batch import Knowledge, PairBatch
from skpara.features._families.contrast import REASON, Comparison, Comparisons
from skpara.features._lexical import no_collection, split
from skpara.resources import Tagger, WordNet, WordVectors

# The kind of each column of "contrast" that says that the meaning is another one.
_FLIPS = ("number", "name", "negation", "antonym", "time", "quantifier", "attribute")
_KINDS = {f"{kind}_flip": kind for kind in _FLIPS}
_KINDS |= {"roles_swapped": "role", "modifiers_swapped": "role"}
CONTRAST_KINDS = tuple(dict.fromkeys(["identifier", *_KINDS.values()]))
# Codes and long numbers, how many of a text are compared, and what may be between their parts.
_CODE, _MOST, _BETWEEN = re.compile(r"\b(?=[A-Z]*\d)[A-Z\d]{5,40}\b", re.I), 8, "[-/. ]?"


class Contrast(NamedTuple):
    """A reason: its kind, and the words of each sentence as they are written, "" for none."""

    kind: str
    first: str
    second: str

    def __str__(self) -> str:
        if self.kind in ("role", "negation"):
            return f"{self.kind.replace('role', 'roles')} of {self.first}"
        if not self.first or not self.second:
            return f"only one has {self.first}{self.second}"
        return f"{self.second}, not {self.first}"


def find_contrasts(pairs: PairsLike) -> list[list[Contrast]]:
    """Return the reasons why the sentences of each pair do not mean the same.

    They depend on the pair alone and on tables of the package: nothing is fitted. A pair without a
    reason may still have two meanings.
    """
    knowledge = Knowledge(vectors=WordVectors.load(), wordnet=WordNet.load(), tagger=Tagger.load())
    found = list[list[Contrast]]()
    for part in split(as_pairs(pairs)):
        texts = np.array([(_join_codes(a, b), _join_codes(b, a)) for a, b in part], dtype=object)
        reasons: list[list[Contrast]] = [[] for _ in part]
        with no_collection():
            for number, comparison in Comparisons(PairBatch(texts, knowledge)):
                reasons[number] += dict.fromkeys(_contrasts(comparison))
        found += reasons
    return found


def _join_codes(text: str, other: str) -> str:
    """Write codes in one piece if the other text does: "DHP-484-Z" as "DHP484Z"."""
    for code in _CODE.findall(other)[:_MOST] if any(map(str.isdigit, other)) else ():
        if code not in text and code.lower() in re.sub(_BETWEEN[:-1], "", text).lower():
            text = re.sub(rf"\b{_BETWEEN.join(code)}\b", code, text, flags=re.I)
    return text


def _contrasts(comparison: Comparison) -> Iterator[Contrast]:
    for difference in chain(comparison.differences(), comparison.unlisted()):
        kind = _KINDS.get(difference.column, "")
        if difference.weight < REASON or not kind:
            continue
        sides = (comparison.first, difference.first), (comparison.second, difference.second)
        if kind == "number" and any(side.identify(places) for side, places in sides):
            kind = "identifier"
        mark = " and " if kind == "role" else " "
        yield Contrast(kind, *(mark.join(side.written(places)) for side, places in sides))
