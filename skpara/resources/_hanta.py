"""Tags by the model of the Hanover Tagger, several times faster than by its own code.

The model is a hidden Markov model of the morphemes of a word, and another of the tags of a
sentence. Both are searched as HanTa does, with the same numbers in the same order, so the tags are
the same. The model's tables are memory-mapped from the user's cache folder.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara.resources._cache import (
    NATIVE,
    Tables,
    TextIndex,
    cached_tables,
    encode,
    items,
    package_folder,
)

_FORMAT = 3  # of the arrays in the cache folder; increased when they change
_MODEL = "morphmodel_en.pgz"
# Whose tags are kept, some 30 MB in all: words as they are written, words that the model does not
# list, and parts of these.
_CACHED_WORDS, _CACHED_ANALYSES, _CACHED_MORPHEMES = 50_000, 10_000, 20_000
_EMPTY, _START, _END, _UNKNOWN = 0, 1, 2, 3  # HanTa's numbers
# HanTa drops the paths whose probability is that far below the best ones, so the same numbers are
# necessary for the same tags: the fourth or sixth best path less 1, and tags within 5 of the best.
_MORPHEME_BEAM, _TAG_BEAM, _MARGIN, _CUTOFF = 3, 5, 1, 5
_WHOLE_WORD = 4.6  # how much less probable a word is that would be one unknown morpheme
_LONGEST_ENDING = 4
_LONGEST_LENGTH = 24  # of morphemes, for their probability by length
_QUOTE = re.compile(r"(`|``|´|´´|'|'')$")

_LEAST = -1e6  # paths of lower values are impossible
_FOLLOWERS = [f"follower_{x}" for x in ("starts", "tags", "values", "states", "guesses")]
_NATIVE_TABLES = [
    *["transitions", *_FOLLOWERS, "end_starts", "end_states", "end_values"],
    *["item_starts", "item_tags", "item_values", "suffix_values", "length_values"],
]
OwnTags = tuple[tuple[int, float], ...]


class HantaModel:
    """The model's tables, and the tags of a sentence."""

    def __init__(self) -> None:
        folder = package_folder("HanTa")
        files = [folder / "HanoverTagger.py", folder / _MODEL]
        arrays, more = cached_tables("hanta", _FORMAT, files, _read)
        self._known = TextIndex(arrays, "known")
        self._morphemes = TextIndex(arrays, "morphemes")
        views = {name: items(array) for name, array in arrays.items()}
        self._known_starts, self._known_tags = views["known_starts"], views["known_tags"]
        self._known_values = views["known_values"]
        self._morpheme_starts, self._morpheme_tags = views["item_starts"], views["item_tags"]
        self._morpheme_values = views["item_values"]
        self._transitions = views["transitions"]
        self.tags: list[str] = more["tags"]
        self._place = {number: i for i, number in enumerate(more["numbers"])}
        self._end = self._place[_END]
        self._prior = dict(more["prior"])
        self._case = {tag: values for tag, *values in more["case"]}
        self._end_tags: list[int] = more["end_tags"]
        suffixes = TextIndex(arrays, "suffixes")
        self._native = None
        if NATIVE is not None:
            tables = tuple(arrays[name] for name in _NATIVE_TABLES)
            indexes = self._morphemes.native, suffixes.native
            self._native = NATIVE.model(*indexes, tables, len(self.tags), len(self._end_tags))
        else:
            lists = {name: arrays[name].tolist() for name in _NATIVE_TABLES[1:]}
            self._suffixes = dict(zip(suffixes, lists["suffix_values"], strict=True))
            self._lengths = lists["length_values"]
            # Of each state: (tag, value, state, place among the guessed tags or -1) of followers.
            followers = list(zip(*(lists[name] for name in _FOLLOWERS[1:]), strict=True))
            ends = list(zip(lists["end_values"], lists["end_states"], strict=True))
            self._followers = [followers[i:j] for i, j in pairwise(lists["follower_starts"])]
            self._ends = [ends[i:j] for i, j in pairwise(lists["end_starts"])]
            self._guessed = [[step[1:] for step in f if step[3] >= 0] for f in self._followers]
        self._own_tags = lru_cache(_CACHED_WORDS)(self._find_own_tags)
        self._tags_of_morpheme = lru_cache(_CACHED_MORPHEMES)(self._find_tags_of_morpheme)
        self._analyzed = lru_cache(_CACHED_ANALYSES)(self.analyze)

    def tag(self, words: list[str]) -> list[int]:
        """Return the most probable tags of a sentence, as positions in ``tags``."""
        own_tags = [self._own_tags(word, i == 0) for i, word in enumerate(words)]
        if self._native is not None:
            return NATIVE.tag(self._native, own_tags, self._end)
        transitions, n_tags = self._transitions, len(self.tags)
        base = n_tags + 1
        # A state is a pair of tags, (previous, last), as previous * base + last; n_tags is the
        # start. States are visited in order of insertion: of equal paths the first wins.
        row = {base * base - 1: 0.0}
        links: list[dict[int, int]] = []
        for own in own_tags:
            bound = -math.inf
            if len(row) > _TAG_BEAM:
                bound = sorted(row.values(), reverse=True)[_TAG_BEAM] - _MARGIN
            new: dict[int, float] = {}
            link: dict[int, int] = {}
            for state, value in row.items():
                if value < bound:
                    continue
                start, target = state * n_tags, state % base * base
                for tag, word_value in own:
                    total = value + transitions[start + tag] + word_value
                    key = target + tag
                    if key not in new or total > new[key]:
                        new[key] = total
                        link[key] = state
            links.append(link)
            row = new
        state, best = -1, -math.inf
        for key, value in row.items():
            total = value + transitions[key * n_tags + self._end]
            if total > best:
                state, best = key, total
        tags = []
        for link in reversed(links):
            tags.append(state % base)
            state = link[state]
        return tags[::-1]

    def _find_own_tags(self, word: str, first: bool) -> OwnTags:
        """Return the tags that a word can have, and the logarithms of p(word | tag)."""
        upper = word[:1].isupper()  # tells nothing at the start of a sentence
        word = '"' if len(word) <= 2 and _QUOTE.match(word) else word.lower()
        i = self._known.find(word)
        if i >= 0:
            span = slice(self._known_starts[i], self._known_starts[i + 1])
            values = dict(zip(self._known_tags[span], self._known_values[span], strict=True))
        else:
            values = self._analyzed(word)
        own = [
            (tag, (value if first else value + self._case[tag][upper]) - self._prior[tag])
            for tag, value in values.items()
            if tag != _UNKNOWN
        ]
        if not own:  # an unknown word can be anything
            return tuple((k, 0) for k in range(len(self.tags)) if k != self._end)
        if i < 0:
            least = max(value for _, value in own) - _CUTOFF
            own = [(tag, value) for tag, value in own if value >= least]
        # In the order of the model's tables, in which HanTa visits them.
        return tuple(sorted((self._place[tag], value) for tag, value in own))

    def analyze(self, word: str) -> dict[int, float]:
        """Return the tags of a word that the model does not list, from its morphemes."""
        if self._native is not None:
            ends = NATIVE.analyze(self._native, encode(word))
        else:
            ends = self._ends_of(word)
        values: dict[int, float] = {}
        for end, value in ends:
            tag = self._end_tags[end]
            known = values.get(tag)
            values[tag] = value if known is None else float(np.logaddexp(known, value))
        return values or {_UNKNOWN: 0.0}

    def _ends_of(self, word: str) -> list[tuple[int, float]]:
        """Return the ways in which a word can end: their numbers and values."""
        length = len(word)
        short = 0 if length < 4 else 2  # no unknown morpheme of a longer word is that short
        letters = [encode(letter) for letter in word]
        endings = [self._endings(word, j) for j in range(length + 1)]
        rows: list[dict[int, float]] = [{} for _ in range(length + 1)]
        rows[0][0] = 0.0
        for i in range(length):
            row = rows[i]
            states = [state for state in row if self._followers[state]]
            if len(row) > _MORPHEME_BEAM:
                bound = sorted(row.values(), reverse=True)[_MORPHEME_BEAM] - _MARGIN
                states = [state for state in states if row[state] >= bound]
            if not states:
                continue
            # Of each morpheme that begins here: where it ends, its listed tags, and the values of
            # its length and ending for the tags that unknown morphemes can have.
            morphemes: list[tuple[Any, ...]] = []
            morpheme = b""
            for j in range(i + 1, length + 1):
                size = j - i
                morpheme += letters[j - 1]
                listed = self._tags_of_morpheme(morpheme)
                if size > short:
                    ending = endings[j][min(size - 1, _LONGEST_ENDING)]
                    lengths = self._lengths[min(size, _LONGEST_LENGTH)]
                    less = _WHOLE_WORD if size == length else 0.0
                    morphemes.append((rows[j], listed, lengths, ending, less))
                elif listed is not None:
                    morphemes.append((rows[j], listed, None, None, 0.0))
            for state in states:
                value = row[state]
                followers, guessed = self._followers[state], self._guessed[state]
                for target, listed, lengths, ending, less in morphemes:
                    if listed is None:
                        for step, new, k in guessed:
                            total = value + step + (lengths[k] + ending[k] - less)
                            if total > target.get(new, _LEAST):
                                target[new] = total
                        continue
                    for tag, step, new, k in followers:
                        if tag in listed:
                            total = value + step + listed[tag]
                        elif k >= 0 and lengths is not None:
                            total = value + step + (lengths[k] + ending[k] - less)
                        else:
                            continue
                        if total > target.get(new, _LEAST):
                            target[new] = total
        final: dict[int, float] = {}
        for state, value in rows[-1].items():
            for step, end in self._ends[state]:
                if value + step > final.get(end, _LEAST):
                    final[end] = value + step
        return list(final.items())

    def _find_tags_of_morpheme(self, morpheme: bytes) -> dict[int, float] | None:
        """Return the tags and values of a listed morpheme."""
        i = self._morphemes.find_encoded(morpheme)
        if i < 0:
            return None
        span = slice(self._morpheme_starts[i], self._morpheme_starts[i + 1])
        return dict(zip(self._morpheme_tags[span], self._morpheme_values[span], strict=True))

    def _endings(self, word: str, end: int) -> list[list[float]]:
        """Return the values of the longest known ending of at most 0, 1, ... 4 letters."""
        values = [self._suffixes[""]]
        for size in range(1, _LONGEST_ENDING + 1):
            values.append(self._suffixes.get(word[max(0, end - size) : end], values[-1]))
        return values


def _read() -> Tables:
    from HanTa.HanoverTagger import HanoverTagger

    model = HanoverTagger(_MODEL)
    numbers = list(next(iter(model.LP_trans_word.values())))
    place = {number: i for i, number in enumerate(numbers)} | {_START: len(numbers)}
    base = len(numbers) + 1
    transitions = np.full((base, base, len(numbers)), np.nan)
    for (previous, last), values in model.LP_trans_word.items():
        if previous == _EMPTY and last != _START:
            continue  # never reached: only the start of the sentence follows nothing
        row = base - 1 if previous == _EMPTY else place[previous]
        transitions[row, place[last]] = [values[number] for number in numbers]
    guessed = [tag for tag in model.LP_hapax_t if tag in model.LP_s_t]
    lengths = [
        [model.Int_t + model.LP_hapax_t[tag] + model.LP_len_t[tag][size] for tag in guessed]
        for size in range(_LONGEST_LENGTH + 1)
    ]
    suffixes = list(dict.fromkeys(suffix for tag in guessed for suffix in model.LP_s_t[tag]))
    morphemes: dict[str, list[tuple[int, float]]] = {}
    for tag, values in model.LP_m_t.items():
        for morpheme, value in values.items():
            if tag > 0:  # the others are the ends of words, which are empty
                morphemes.setdefault(morpheme, []).append((tag, value))
    followers, ends, end_tags = _steps(model, guessed)
    tags, values, targets, guesses = zip(*chain.from_iterable(followers), strict=True)
    end_values, end_states = zip(*chain.from_iterable(ends), strict=True)
    arrays = {
        "transitions": transitions.reshape(-1),
        "follower_starts": _starts(followers),
        "follower_tags": np.array(tags, dtype=np.int32),
        "follower_values": np.array(values),
        "follower_states": np.array(targets, dtype=np.int32),
        "follower_guesses": np.array(guesses, dtype=np.int32),
        "end_starts": _starts(ends),
        "end_states": np.array(end_states, dtype=np.int32),
        "end_values": np.array(end_values),
        "length_values": np.array(lengths),
        "suffix_values": np.array([[_suffix(model, t, s) for t in guessed] for s in suffixes]),
        **TextIndex.arrays("suffixes", suffixes),
        **TextIndex.arrays("known", model.cache),
        **_columns("known", list(model.cache.values())),
        **TextIndex.arrays("morphemes", morphemes),
        **_columns("item", list(morphemes.values())),
    }
    return arrays, {
        "numbers": numbers,
        "tags": [model.int2tag[number] for number in numbers],
        "prior": list(model.LP_wtag.items()),
        "case": [(tag, case[False], case[True]) for tag, case in model.LP_case_t.items()],
        "end_tags": end_tags,
    }


def _steps(
    model: Any, guessed: list[int]
) -> tuple[list[list[tuple[Any, ...]]], list[list[tuple[float, int]]], list[int]]:
    """Return the followers of each state, the ways in which it can end, and the tags of these.

    A state is a pair of tags of morphemes; they are numbered from the start, which is the first.
    """
    states = {(_EMPTY, _START): 0}
    ends: dict[tuple[int, int], int] = {}
    for (before, last), steps in model.LP_trans.items():
        states.setdefault((before, last), len(states))
        for tag in steps:
            numbers = states if tag > 0 else ends
            numbers.setdefault((last, tag), len(numbers))
    following: list[list[tuple[Any, ...]]] = [[] for _ in states]
    ending: list[list[tuple[float, int]]] = [[] for _ in states]
    place = {tag: i for i, tag in enumerate(guessed)}
    for (before, last), steps in model.LP_trans.items():
        state = states[before, last]
        for tag, value in steps.items():
            if tag > 0:
                following[state].append((tag, value, states[last, tag], place.get(tag, -1)))
            else:
                ending[state].append((value, ends[last, tag]))
    return following, ending, [-tag for _, tag in ends]


def _suffix(model: Any, tag: int, suffix: str) -> float:
    """Return the value of the longest ending of a suffix that a tag has."""
    values = model.LP_s_t[tag]
    return next(values[suffix[k:]] for k in range(len(suffix) + 1) if suffix[k:] in values)


def _columns(name: str, values: list[list[tuple[int, float]]]) -> dict[str, Any]:
    """Return lists of tags and values as columns, and where each list begins."""
    tags, logs = zip(*(item for items in values for item in items), strict=True)
    return {
        f"{name}_starts": _starts(values),
        f"{name}_tags": np.array(tags, dtype=np.int16),
        f"{name}_values": np.array(logs, dtype=np.float64),
    }


def _starts(lists: Sequence[Sequence[Any]]) -> NDArray[np.uint32]:
    """Return where each of some lists begins, and the end, when they are concatenated."""
    return np.cumsum([0, *map(len, lists)]).astype(np.uint32)
