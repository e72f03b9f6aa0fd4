"""Reasons why two sentences that look alike do not mean the same."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from skpara._compatibility import no_collection
from skpara._pairs import as_pairs
from skpara._typing import PairsLike
from skpara.features._batch import Knowledge, PairBatch, split
from skpara.features.contrast import (
    GUARD_DETECTORS,
    REASON,
    AlignedPairs,
    Comparison,
    Detector,
    Difference,
    find_differences,
)
from skpara.features.contrast._lexicon import colors, persons
from skpara.features.contrast._terms import ADDED_TO_NAMES, are_exclusive
from skpara.resources import Tagger, WordNet, WordVectors

CONTRAST_KINDS = (
    "identifier",
    "number",
    "name",
    "negation",
    "antonym",
    "time",
    "quantifier",
    "attribute",
    "role",
    "scope",
)
# Codes, and numbers of five digits or more.
_CODE = re.compile(r"\b(?=[A-Z]*\d)[A-Z\d]{5,40}\b", re.IGNORECASE)
# Codes of a text that are compared: a text with more is a list of them.
_MOST_CODES = 8
# Marks between the parts of a code.
_SEPARATOR = re.compile("[-/. ]")
# Similarity of known words that may be taken for misspellings of each other.
_ALIKE = 0.5


class Contrast(NamedTuple):
    """A reason: its kind, and the words of each sentence as they are written, "" for none."""

    kind: str
    first: str
    second: str

    def __str__(self) -> str:
        if self.kind == "role":
            return f"roles of {self.first}"
        if self.kind == "negation":
            return f"negation of {self.first}"
        if not self.first or not self.second:
            return f"only one has {self.first}{self.second}"
        return f"{self.second}, not {self.first}"


def find_contrasts(
    pairs: PairsLike, detectors: Iterable[Detector] = GUARD_DETECTORS
) -> list[list[Contrast]]:
    """Return the reasons why the sentences of each pair do not mean the same.

    They depend on the pair alone and on tables of the package: nothing is fitted. A pair without a
    reason may still have two meanings. ``detectors`` find the reasons.
    """
    detectors = tuple(detectors)
    knowledge = Knowledge(vectors=WordVectors.load(), wordnet=WordNet.load(), tagger=Tagger.load())
    found = list[list[Contrast]]()
    for part in split(as_pairs(pairs)):
        plain = [(_unescape(a), _unescape(b)) for a, b in part]
        texts = np.array([(_join_codes(a, b), _join_codes(b, a)) for a, b in plain], dtype=object)
        # Each reason once, in the order of the detectors.
        reasons: list[dict[Contrast, None]] = [{} for _ in part]
        with no_collection():
            aligned = AlignedPairs(PairBatch(texts, knowledge))
            for comparison, difference in find_differences(aligned, detectors):
                kind = _kind(difference.column)
                if kind and difference.weight >= REASON:
                    reasons[comparison.number][_contrast(kind, comparison, difference)] = None
        found += map(list, reasons)
    return found


def _unescape(text: str) -> str:
    """Return a text without the entities of HTML, as in "don&rsquo;t"."""
    return html.unescape(text) if "&" in text and ";" in text else text


def _join_codes(text: str, other: str) -> str:
    """Write codes in one piece if the other text does: "DHP-484-Z" as "DHP484Z"."""
    if not any(map(str.isdigit, other)):
        return text
    for code in _CODE.findall(other)[:_MOST_CODES]:
        if code not in text and code.lower() in _SEPARATOR.sub("", text).lower():
            parts = f"{_SEPARATOR.pattern}?".join(code)
            text = re.sub(rf"\b{parts}\b", code, text, flags=re.IGNORECASE)
    return text


def kinds_of(detector: Detector) -> set[str]:
    """Return the kinds of reasons that a detector may find."""
    kinds = {_kind(column) for column in detector.columns} - {""}
    return kinds | {"identifier"} if "number" in kinds else kinds


def tells_names_apart(contrast: Contrast) -> bool:
    """Return whether a reason of the kind "attribute" or "name" also holds for names.

    A name with a different word is often an alias. It is not if one has a lesser office ("deputy")
    or is not the real thing ("faux"), if the words are colors or mutually exclusive terms, or if
    WordNet has both and they look alike: then neither is a misspelling of the other. First names
    that look alike may be of one person.
    """
    if contrast.kind not in ("attribute", "name"):  # as words with a capital are of titles
        return False
    first = contrast.first.lower()
    second = contrast.second.lower()
    if not (first and second):
        return first + second in ADDED_TO_NAMES
    if are_exclusive(first, second):
        return True
    wordnet = WordNet.load()
    senses = wordnet.senses(first), wordnet.senses(second)
    if all(not found.isdisjoint(colors(wordnet)) for found in senses):
        return True
    are_known = all(senses) and senses[0].isdisjoint(senses[1])
    are_persons = any(not found.isdisjoint(persons(wordnet)) for found in senses)
    is_like = Levenshtein.normalized_similarity(first, second) >= _ALIKE
    return are_known and is_like and not are_persons


def _kind(column: str) -> str:
    """Return the kind of the reasons in a column, "" for a column of no reasons."""
    if column in ("roles_swapped", "modifiers_swapped"):
        return "role"
    return column.removesuffix("_flip") if column.endswith("_flip") else ""


def _contrast(kind: str, comparison: Comparison, difference: Difference) -> Contrast:
    first = comparison.first
    second = comparison.second
    if kind == "number" and (
        first.is_identifier(difference.first) or second.is_identifier(difference.second)
    ):
        kind = "identifier"
    mark = " and " if kind == "role" else " "
    return Contrast(
        kind,
        mark.join(first.surface_forms(difference.first)),
        mark.join(second.surface_forms(difference.second)),
    )
