"""Path similarities of words: steps from their senses up to the nearest common ancestor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.resources._cache import NATIVE

Integers: TypeAlias = NDArray[np.int64]
# Concatenated positions of the words of one side of each pair, and how many words each has.
Side: TypeAlias = tuple[Integers, Integers]

_FAR = 100  # more steps than any path has, yet small enough for int8
_MAX_CELLS = 4_000_000  # size in bytes of the tables of steps
_MAX_STEPS = 500_000  # steps that are compared at a time, which take some 20 MB


class _Words(NamedTuple):
    """The ancestors of the senses of words, concatenated word by word."""

    ancestors: Integers  # of each word, distinct; numbered from 0
    n_ancestors: int  # distinct ones of all words
    steps: NDArray[np.int8]  # the fewest steps up to each from any sense of the word
    counts: Integers  # number of ancestors of each word
    roots: Integers  # fewest steps of any sense to the root of all senses, or _FAR
    roots_no_noun: Integers  # the same without the senses that are nouns


class _SideOfBlock(NamedTuple):
    """What the words of one side of a block of pairs have in reach."""

    ids: Integers
    owners: Integers  # the pair of each word
    starts: Integers  # where the ancestors of each word begin in the next two
    cells: Integers  # (pair, ancestor) of each ancestor of each word
    steps: Integers
    nearest: NDArray[np.int8]  # by (pair, ancestor): the fewest steps from any word
    roots: Integers  # the fewest of any word of each pair
    roots_no_noun: Integers


class SenseGraph:
    """The ancestors of all senses, with the steps up to each.

    Those of sense i are the ``starts[i]``-th to the ``starts[i + 1]``-th. Nouns are the first.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], n_nouns: int) -> None:
        self._starts, self._ancestors = arrays["starts"], arrays["ancestors"]
        self._steps, self._to_root = arrays["steps"], arrays["to_root"]
        self._n_nouns = n_nouns

    def largest_similarities(
        self, senses_of: Sequence[Sequence[int]], left: Side, right: Side
    ) -> tuple[Floats, Floats]:
        """Compute the largest similarity of each word to any on the other side of its pair.

        ``senses_of`` has the numbers of the senses of each word.
        """
        if NATIVE is not None:
            return self._largest_similarities_in_c(senses_of, left, right)
        words = self._gather(senses_of)
        sides = left, right
        results = np.zeros(len(left[0])), np.zeros(len(right[0]))
        ends = [np.append(0, np.cumsum(lengths)) for _, lengths in sides]
        for first, last in _blocks(words, sides):
            spans = [slice(end[first], end[last]) for end in ends]
            block = [
                _side_of_block(words, ids[span], lengths[first:last])
                for (ids, lengths), span in zip(sides, spans, strict=True)
            ]
            results[0][spans[0]] = _compare(words, block[0], block[1])
            results[1][spans[1]] = _compare(words, block[1], block[0])
        return results

    def _largest_similarities_in_c(
        self, senses_of: Sequence[Sequence[int]], left: Side, right: Side
    ) -> tuple[Floats, Floats]:
        ends = np.array([0, *accumulate(map(len, senses_of))], dtype=np.int64)
        senses = np.fromiter(chain.from_iterable(senses_of), dtype=np.int64, count=int(ends[-1]))
        sides = [np.ascontiguousarray(array, dtype=np.int64) for array in (*left, *right)]
        graph = (self._starts, self._ancestors, self._steps, self._to_root)
        results = NATIVE.largest_similarities(*graph, self._n_nouns, senses, ends, *sides)
        first, second = (np.frombuffer(similarities) for similarities in results)
        return first, second

    def _gather(self, senses_of: Sequence[Sequence[int]]) -> _Words:
        owners = np.repeat(np.arange(len(senses_of)), [len(numbers) for numbers in senses_of])
        senses = np.fromiter(chain.from_iterable(senses_of), dtype=np.int64, count=len(owners))
        n_words, n_senses = len(senses_of), len(self._to_root)
        begins, ends = self._starts[senses].astype(np.int64), self._starts[senses + 1]
        places, _ = _ranges(begins, ends - begins)
        keys = np.repeat(owners, ends - begins) * (n_senses + 1) + self._ancestors[places]
        keys = keys * _FAR + self._steps[places]
        # Each word is also its own ancestor, above all senses: it equals itself without any sense.
        selves = (np.arange(1, n_words + 1) * (n_senses + 1) - 1) * _FAR
        # Sorted by (word, ancestor, steps), the first of equal (word, ancestor) has fewest steps.
        keys = np.sort(np.concatenate([keys, selves]))
        keys, steps = np.divmod(keys, _FAR)
        new = np.diff(keys, prepend=-1) > 0
        owner, ancestors = np.divmod(keys[new], n_senses + 1)
        seen = np.zeros(n_senses + 1, dtype=bool)
        seen[ancestors] = True
        distinct = np.flatnonzero(seen)
        number = np.empty(n_senses + 1, dtype=np.int64)
        number[distinct] = np.arange(len(distinct))
        numbers = number[ancestors] + np.where(ancestors == n_senses, owner, 0)
        to_root = self._to_root[senses].astype(np.int64)
        roots = np.full((2, n_words), _FAR, dtype=np.int64)
        np.minimum.at(roots[0], owners, to_root)
        no_noun = senses >= self._n_nouns
        np.minimum.at(roots[1], owners[no_noun], to_root[no_noun])
        counts = np.bincount(owner, minlength=n_words)
        n_ancestors = len(distinct) + n_words
        return _Words(numbers, n_ancestors, steps[new].astype(np.int8), counts, *roots)


def _ranges(begins: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Return the concatenated ranges ``begins[i]:begins[i] + sizes[i]``, and where each begins."""
    starts = np.cumsum(sizes) - sizes
    return np.arange(int(np.sum(sizes))) + np.repeat(begins - starts, sizes), starts


def _blocks(words: _Words, sides: Sequence[Side]) -> Iterator[tuple[int, int]]:
    """Cut the pairs into blocks that take little memory."""
    n_pairs = len(sides[0][1])
    steps = np.zeros(n_pairs)
    for ids, lengths in sides:
        owners = np.repeat(np.arange(n_pairs), lengths)
        steps += np.bincount(owners, words.counts[ids], minlength=n_pairs)
    ends = np.cumsum(steps)
    most = max(1, _MAX_CELLS // max(1, words.n_ancestors))
    first = 0
    while first < n_pairs:
        limit = (ends[first - 1] if first else 0) + _MAX_STEPS
        last = max(first + 1, min(first + most, int(np.searchsorted(ends, limit, side="right"))))
        yield first, last
        first = last


def _side_of_block(words: _Words, ids: Integers, lengths: Integers) -> _SideOfBlock:
    n_pairs = len(lengths)
    owners = np.repeat(np.arange(n_pairs), lengths)
    sizes = words.counts[ids]
    places, starts = _ranges((np.cumsum(words.counts) - words.counts)[ids], sizes)
    # A dense table from pairs to ancestors turns the search for common ancestors into indexing.
    cells = np.repeat(owners * words.n_ancestors, sizes) + words.ancestors[places]
    nearest = np.full(n_pairs * words.n_ancestors, _FAR, dtype=np.int8)
    np.minimum.at(nearest, cells, words.steps[places])
    roots = np.full((2, n_pairs), _FAR, dtype=np.int64)
    np.minimum.at(roots[0], owners, words.roots[ids])
    np.minimum.at(roots[1], owners, words.roots_no_noun[ids])
    steps = words.steps[places].astype(np.int64)
    return _SideOfBlock(ids, owners, starts, cells, steps, nearest, *roots)


def _compare(words: _Words, own: _SideOfBlock, other: _SideOfBlock) -> Floats:
    """Compute the largest similarity of the words of a side to those of the other side."""
    if len(own.ids) == 0:
        return np.zeros(0)
    # Two nouns do not meet in the added root: one of the two senses must not be a noun.
    distances = np.minimum(
        words.roots_no_noun[own.ids] + other.roots[own.owners],
        words.roots[own.ids] + other.roots_no_noun[own.owners],
    )
    through = np.minimum.reduceat(own.steps + other.nearest[own.cells], own.starts)
    np.minimum(distances, through, out=distances)
    return np.where(distances < _FAR, 1 / (1 + distances), 0.0)
