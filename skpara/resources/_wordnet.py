"""WordNet: base forms, antonyms, and path similarity in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, unpack_words
from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._word_table import WordTable

Integers: TypeAlias = NDArray[np.int64]
# Concatenated positions of the words of one side of each pair, and how many words each has.
Side: TypeAlias = tuple[Integers, Integers]

_FILE = Path(__file__).parent / "data" / "wordnet.safetensors"
# Replacements of the ending of a word that give its base form, by part of speech.
_ENDINGS = {
    "n": {
        **{"s": [""], "ses": ["s"], "ves": ["f"], "xes": ["x"], "zes": ["z"]},
        **{"ches": ["ch"], "shes": ["sh"], "men": ["man"], "ies": ["y"]},
    },
    "v": {"s": [""], "ies": ["y"], "es": ["e", ""], "ed": ["e", ""], "ing": ["e", ""]},
    "a": {"er": ["", "e"], "est": ["", "e"]},
    "r": {},
}
_BITS = {pos: 1 << i for i, pos in enumerate(_ENDINGS)}
_LAST_LETTERS = {pos: {ending[-1] for ending in endings} for pos, endings in _ENDINGS.items()}
# Words with a lemma and words with senses that are kept: 10 MB each.
_CACHED_LEMMAS, _CACHED_WORDS = 50_000, 20_000
_FAR = 100  # more steps than any path has, yet a sum with one is small enough for int8
_BITS_OF_SENSE, _BITS_OF_STEPS = 32, 7  # of one number, for sorting
_MAX_CELLS = 500_000  # numbers of steps at a time, which take about 20 MB


@set_module("skpara.resources", trusted=True)
class WordNet:
    """Base forms, antonyms and path similarities of WordNet 3.0.

    Use :meth:`load` to get the packaged table.

    References
    ----------
    C. Fellbaum, editor (1998). WordNet: an electronic lexical database. MIT Press.
    """

    def __init__(self) -> None:
        arrays, _ = map_arrays(_FILE)
        self._words = WordTable(arrays["words"])
        self._irregular = _entries(arrays["irregular"])
        self._antonyms = _entries(arrays["antonyms"])
        self._kinds, firsts = arrays["kinds"], np.bitwise_count(arrays["kinds"])
        self._first_entries, _ = _lists(firsts, firsts)
        # Entry i, a word as one part of speech, has the senses sense_starts[i] to
        # sense_starts[i + 1]; sense i has such parents.
        self._sense_starts, self._senses = _lists(arrays["n_senses"], arrays["senses"])
        self._starts = np.append(0, np.cumsum(arrays["n_parents"], dtype=np.int32))
        self._parents = np.asarray(arrays["parents"])  # reading a memmap takes longer
        self._n_nouns, self._n_senses = int(arrays["n_nouns"][0]), len(arrays["n_parents"])
        # Texts have the same words again and again.
        self._lemma = lru_cache(_CACHED_LEMMAS)(self._find_lemma)
        self._entry = lru_cache(_CACHED_LEMMAS)(self._find_entry)
        self._sense_numbers = lru_cache(_CACHED_WORDS)(self._find_senses)

    @classmethod
    def load(cls) -> WordNet:
        """Return the packaged table, which is shared in the process."""
        return _packaged()

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle has no data, and names the public class, not this file.
        return WordNet._restore, ()

    @classmethod
    def _restore(cls, folder: str = "") -> WordNet:
        """Return the packaged table; files of version 0.2 name a folder of raw files."""
        return cls.load()

    def __getstate__(self) -> dict[str, Any]:
        return {}  # for model files

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(vars(WordNet.load()))

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Return the base forms of a word that WordNet has, as nltk's ``morphy`` does.

        Parameters
        ----------
        word : str
            A lower-cased word.
        pos : {"n", "v", "a", "r"}
            Its part of speech: noun, verb, adjective or adverb.

        Returns
        -------
        list of str
            The forms; the word itself is the first if WordNet has it.
        """
        forms = [word]
        if pos + word in self._irregular:
            forms += self._irregular[pos + word]
        elif word[-1:] in _LAST_LETTERS[pos]:
            forms += [
                word[: len(word) - len(ending)] + replacement
                for ending, replacements in _ENDINGS[pos].items()
                if word.endswith(ending)
                for replacement in replacements
            ]
        bit = _BITS[pos]
        return [form for form in dict.fromkeys(forms) if self._entry(form)[0] & bit]

    def _find_entry(self, word: str) -> tuple[int, int]:
        """Return the bits of a word's parts of speech, and its first entry."""
        row = self._words.find(word)
        return (0, 0) if row < 0 else (int(self._kinds[row]), self._first_entries[row])

    def lemma(self, word: str, pos: str) -> str:
        """Return the first base form of a word.

        Parameters
        ----------
        word : str
            A lower-cased word.
        pos : {"n", "v", "a", "r"}
            Its part of speech: noun, verb, adjective or adverb.

        Returns
        -------
        str
            The base form, or the word itself if WordNet has none.
        """
        return self._lemma(word, pos)

    def _find_lemma(self, word: str, pos: str) -> str:
        return next(iter(self.base_forms(word, pos)), word)

    def antonyms(self, word: str) -> frozenset[str]:
        """Return the words that mean the opposite of one of the senses of a word.

        Parameters
        ----------
        word : str
            A base form, lower-cased.

        Returns
        -------
        frozenset of str
            The antonyms, lower-cased; most words have none.
        """
        return frozenset(self._antonyms.get(word, ()))

    def senses(self, word: str) -> frozenset[int]:
        """Return numbers for the senses of a word and of its base forms.

        Parameters
        ----------
        word : str
            A lower-cased word of any part of speech.

        Returns
        -------
        frozenset of int
            Synonyms have a number in common; a word that WordNet lacks has none.
        """
        return self._sense_numbers(word)

    def ancestors(self, word: str) -> frozenset[int]:
        """Return numbers for the senses of a word and for all that are above one of them.

        Parameters
        ----------
        word : str
            A lower-cased word of any part of speech.

        Returns
        -------
        frozenset of int
            A superset of :meth:`senses`.

        Examples
        --------
        >>> from skpara.resources import WordNet
        >>> wordnet = WordNet.load()
        >>> wordnet.senses("color") <= wordnet.ancestors("red")
        False
        >>> wordnet.senses("color").isdisjoint(wordnet.ancestors("red"))
        False
        """
        found, new = set[int](), {*self.senses(word)}
        while new := new - found:
            found |= new
            parents = (self._parents[self._starts[i] : self._starts[i + 1]] for i in new)
            new = set(chain.from_iterable(map(np.ndarray.tolist, parents)))
        return frozenset(found)

    def descendants(self, word: str) -> frozenset[int]:
        """Return numbers for the senses of a word and for all that are below one of them.

        Parameters
        ----------
        word : str
            A lower-cased word of any part of speech.

        Returns
        -------
        frozenset of int
            A superset of :meth:`senses`. This takes a millisecond.

        Examples
        --------
        >>> from skpara.resources import WordNet
        >>> wordnet = WordNet.load()
        >>> colors = wordnet.descendants("color")
        >>> [colors.isdisjoint(wordnet.senses(word)) for word in ("red", "three")]
        [False, True]
        """
        is_below = np.zeros(self._n_senses, dtype=bool)
        is_below[[*self.senses(word)]] = True
        children = np.arange(self._n_senses).repeat(np.diff(self._starts))
        while not is_below[found := children[is_below[self._parents]]].all():
            is_below[found] = True
        return frozenset(np.flatnonzero(is_below).tolist())

    def _find_senses(self, word: str) -> frozenset[int]:
        return frozenset(
            sense
            for pos in _ENDINGS
            for form in self.base_forms(word, pos)
            for sense in self._senses_of(form, pos)
        )

    def similarities(
        self, words: Sequence[str], left: NDArray[np.integer], right: NDArray[np.integer]
    ) -> Floats:
        """Compute the largest path similarity of any senses of two words.

        It is ``1 / (1 + d)``, where d is the number of steps from one sense up to a common
        ancestor and down to the other sense. Unless both are nouns, there is a root one step above
        the farthest ancestor of each.

        Parameters
        ----------
        words : sequence of str
            Words of any part of speech.
        left, right : ndarrays of int, shape (n_pairs,)
            Positions in ``words`` of the words to compare.

        Returns
        -------
        ndarray of float64, shape (n_pairs,)
            In [0, 1]: 1 for the same word, 0 if a word has no sense.

        Examples
        --------
        >>> from skpara.resources import WordNet
        >>> WordNet.load().similarities(["dog", "cat"], [0], [1])
        array([0.2])
        """
        # Each distinct word on the right is compared with all its words on the left at once.
        first, second = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
        order = np.argsort(second, kind="stable")
        distinct, counts = np.unique(second, return_counts=True)
        sides = (first[order], counts), (distinct, np.ones_like(distinct))
        similarities = np.empty(len(left))
        similarities[order] = self.largest_similarities(words, *sides)[0]
        return similarities

    def largest_similarities(
        self, words: Sequence[str], left: Side, right: Side
    ) -> tuple[Floats, Floats]:
        """Compute the largest similarity of each word to any word on the other side of its pair.

        The time grows with the number of words on both sides, not with its square.

        Parameters
        ----------
        words : sequence of str
            Words of any part of speech.
        left, right : tuples of two ndarrays of int
            Positions in ``words`` of the words of that side, pair after pair, and the number of
            words of each pair: concatenated ``ids``, and ``lengths`` by pair.

        Returns
        -------
        tuple of two ndarrays of float64
            For each position on the left, and for each on the right, the largest of its
            :meth:`similarities`; 0 if the other side is empty.
        """
        # Equal words get equal ids: they are similar even if they have no sense.
        index: dict[str, int] = {}
        ids = np.array([index.setdefault(word, len(index)) for word in words], dtype=np.int64)
        sides = [(ids[positions], lengths) for positions, lengths in (left, right)]
        reached = self._gather(index)
        results = np.zeros(len(sides[0][0])), np.zeros(len(sides[1][0]))
        ends = [np.append(0, np.cumsum(lengths)) for _, lengths in sides]
        for first, last in _blocks(reached, sides):
            spans = [slice(end[first], end[last]) for end in ends]
            block = [
                _side_of_block(reached, numbers[span], lengths[first:last])
                for (numbers, lengths), span in zip(sides, spans, strict=True)
            ]
            results[0][spans[0]] = _compare(reached, block[0], block[1])
            results[1][spans[1]] = _compare(reached, block[1], block[0])
        return results

    def _gather(self, words: Iterable[str]) -> _Words:
        """Concatenate the ancestors of the senses of words, numbered from 0, and count them."""
        # The last "sense" of each word is the word itself: it equals itself without any sense.
        names = (word.lower().replace(" ", "_") for word in words)
        lists = [(*self.senses(name), self._n_senses + i) for i, name in enumerate(names)]
        ends = np.array([*accumulate(map(len, lists), initial=0)], dtype=np.int64)
        items = np.array([*chain.from_iterable(lists)], dtype=np.int64)
        senses, rows = np.unique(items, return_inverse=True)
        # All distinct senses go up step by step. A key is a row, a sense and the steps to it.
        keys = [(np.arange(len(senses)) << _BITS_OF_SENSE | senses) << _BITS_OF_STEPS]
        row = np.flatnonzero(senses < self._n_senses)
        reached = senses[row]
        while len(row):
            starts = self._starts[reached]
            sizes = self._starts[reached + 1] - starts
            row, reached = row.repeat(sizes), self._parents[ranges(starts, sizes)].astype(np.int64)
            keys.append((row << _BITS_OF_SENSE | reached) << _BITS_OF_STEPS | len(keys))
        key = np.sort(np.concatenate(keys))
        key = key[np.diff(key >> _BITS_OF_STEPS, prepend=-1) > 0]  # the fewest steps
        steps, key = key & (1 << _BITS_OF_STEPS) - 1, key >> _BITS_OF_STEPS
        row, reached = key >> _BITS_OF_SENSE, key & (1 << _BITS_OF_SENSE) - 1
        starts = row.searchsorted(np.arange(len(senses) + 1))
        farthest = 1 + np.maximum.reduceat(steps, starts[:-1])
        farthest[senses >= self._n_senses] = _FAR
        no_noun = np.where(senses < self._n_nouns, _FAR, farthest)
        roots = [np.minimum.reduceat(x[rows], ends[:-1]) for x in (farthest, no_noun)]
        sizes = np.diff(starts)[rows]
        places, ends = ranges(starts[rows], sizes), np.append(0, sizes.cumsum())[ends]
        seen = np.zeros(self._n_senses + len(lists), dtype=bool)
        seen[reached] = True
        numbers = (seen.cumsum() - 1)[reached]
        numbers, steps = numbers[places], steps.astype(np.int8)[places]
        return _Words(numbers, int(seen.sum()), steps, ends[:-1], np.diff(ends), *roots)

    def _senses_of(self, word: str, pos: str) -> Iterable[int]:
        bits, entry = self._entry(word)
        entry += (bits & (_BITS[pos] - 1)).bit_count()
        return self._senses[self._sense_starts[entry] : self._sense_starts[entry + 1]]


_packaged = lru_cache(maxsize=1)(WordNet)


def _entries(packed: NDArray[np.uint8]) -> dict[str, list[str]]:
    """Return the words of lines by their first word."""
    return {first: others for first, *others in map(str.split, unpack_words(packed))}


def _lists(sizes: NDArray[np.uint8], items: Any) -> tuple[Any, Any]:
    """Return where each of some concatenated lists starts, and the items, as Python numbers."""
    # Reading an item of a memoryview is several times faster than of an array.
    return np.append(0, np.cumsum(sizes, dtype=np.int32)).data, memoryview(items)


class _Words(NamedTuple):
    """The ancestors of the senses of words, concatenated word by word and sense by sense."""

    ancestors: Integers  # numbered from 0
    n_ancestors: int  # distinct ones of all words
    steps: NDArray[np.int8]  # the fewest steps up to each from the sense
    starts: Integers  # where the ancestors of each word begin
    counts: Integers  # number of ancestors of each word
    roots: Integers  # fewest steps of any sense to the root of all senses, or _FAR
    roots_no_noun: Integers  # the same without the senses that are nouns


class _SideOfBlock(NamedTuple):
    """The ancestors of the words of one side of a block of pairs."""

    ids: Integers
    owners: Integers  # the pair of each word
    starts: Integers  # where the ancestors of each word begin in the next two
    cells: Integers  # (pair, ancestor) of each ancestor of each word
    steps: NDArray[np.int8]
    nearest: NDArray[np.int8]  # by (pair, ancestor): the fewest steps from any word
    roots: Integers  # the fewest of any word of each pair
    roots_no_noun: Integers


def ranges(begins: Integers, sizes: Integers) -> Integers:
    """Concatenate the ranges ``begins[i]:begins[i] + sizes[i]``."""
    return np.arange(int(sizes.sum())) + np.repeat(begins - np.cumsum(sizes) + sizes, sizes)


def _blocks(words: _Words, sides: Sequence[Side]) -> Iterator[tuple[int, int]]:
    """Cut the pairs into blocks that take little memory."""
    n_pairs = len(sides[0][1])
    cells = np.full(n_pairs, float(words.n_ancestors))
    for ids, lengths in sides:
        cells += np.bincount(np.arange(n_pairs).repeat(lengths), words.counts[ids], n_pairs)
    blocks = cells.cumsum() // _MAX_CELLS
    return pairwise([0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), n_pairs])


def _side_of_block(words: _Words, ids: Integers, lengths: Integers) -> _SideOfBlock:
    n_pairs = len(lengths)
    owners = np.repeat(np.arange(n_pairs), lengths)
    sizes = words.counts[ids]
    places = ranges(words.starts[ids], sizes)
    # A dense table from pairs to ancestors turns the search for common ancestors into indexing.
    cells = np.repeat(owners * words.n_ancestors, sizes) + words.ancestors[places]
    nearest = np.full(n_pairs * words.n_ancestors, _FAR, dtype=np.int8)
    steps = words.steps[places]
    np.minimum.at(nearest, cells, steps)
    roots = np.full((2, n_pairs), _FAR, dtype=np.int64)
    np.minimum.at(roots[0], owners, words.roots[ids])
    np.minimum.at(roots[1], owners, words.roots_no_noun[ids])
    return _SideOfBlock(ids, owners, np.cumsum(sizes) - sizes, cells, steps, nearest, *roots)


def _compare(words: _Words, own: _SideOfBlock, other: _SideOfBlock) -> Floats:
    """Compute the largest similarity of the words of a side to words of the other side."""
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
