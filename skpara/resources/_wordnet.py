"""WordNet: base forms, antonyms, and path similarity in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, unpack_words
from skpara._core import Integers, Ragged, offsets_of
from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._word_table import WordTable

_FILE = Path(__file__).parent / "data" / "wordnet.safetensors"
# Replacements of the ending of a word that give its base form, by part of speech.
_ENDINGS = {
    "n": {
        "s": [""],
        "ses": ["s"],
        "ves": ["f"],
        "xes": ["x"],
        "zes": ["z"],
        "ches": ["ch"],
        "shes": ["sh"],
        "men": ["man"],
        "ies": ["y"],
    },
    "v": {"s": [""], "ies": ["y"], "es": ["e", ""], "ed": ["e", ""], "ing": ["e", ""]},
    "a": {"er": ["", "e"], "est": ["", "e"]},
    "r": {},
}
_BITS = {pos: 1 << i for i, pos in enumerate(_ENDINGS)}
# Most words end in none of these, and are a base form or none.
_ALL_ENDINGS = {pos: tuple(endings) for pos, endings in _ENDINGS.items()}
_ANY_ENDING = tuple({ending for endings in _ENDINGS.values() for ending in endings})
# Words whose lemmas are kept: 10 MB.
_CACHED_LEMMAS = 50_000
# Words whose senses are kept: 10 MB.
_CACHED_WORDS = 20_000
_FAR = 100  # more steps than any path has, yet a sum with one is small enough for int8
# Of one number, for sorting.
_BITS_OF_SENSE = 32
_BITS_OF_STEPS = 7
_FEW_SENSES = 10_000  # that are sorted in less time than an array of all senses is read
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
        self._irregular_words = frozenset(key[1:] for key in self._irregular)
        self._antonyms = _entries(arrays["antonyms"])
        self._kinds = arrays["kinds"]
        firsts = np.bitwise_count(arrays["kinds"])
        self._first_entries, _ = _lists(firsts, firsts)
        # Entry i, a word as one part of speech, has the senses sense_starts[i] to
        # sense_starts[i + 1]; sense i has such parents.
        self._sense_starts, self._senses = _lists(arrays["n_senses"], arrays["senses"])
        # Reading a memmap takes longer.
        self._parents = Ragged(np.asarray(arrays["parents"]), offsets_of(arrays["n_parents"]))
        self._n_nouns = int(arrays["n_nouns"][0])
        self._n_senses = len(arrays["n_parents"])
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
        bit = _BITS[pos]
        irregular = self._irregular.get(pos + word)
        if irregular is None and not word.endswith(_ALL_ENDINGS[pos]):
            return [word] if self._entry(word)[0] & bit else []
        forms = [word]
        if irregular is not None:
            forms += irregular
        else:
            forms += [
                word[: len(word) - len(ending)] + replacement
                for ending, replacements in _ENDINGS[pos].items()
                if word.endswith(ending)
                for replacement in replacements
            ]
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
        starts = self._parents.offsets
        found = set[int]()
        new = {*self.senses(word)}
        while new := new - found:
            found |= new
            parents = (self._parents.ids[starts[i] : starts[i + 1]] for i in new)
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
        children = self._parents.owners
        n_below = 0
        while n_below < is_below.sum():
            n_below = is_below.sum()
            is_below[children[is_below[self._parents.ids]]] = True
        return frozenset(np.flatnonzero(is_below).tolist())

    def _find_senses(self, word: str) -> frozenset[int]:
        if not (word.endswith(_ANY_ENDING) or word in self._irregular_words):
            bits, entry = self._entry(word)
            start = self._sense_starts[entry]
            end = self._sense_starts[entry + bits.bit_count()]
            return frozenset(self._senses[start:end])
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
        first = np.asarray(left, dtype=np.int64)
        second = np.asarray(right, dtype=np.int64)
        order = np.argsort(second, kind="stable")
        distinct, counts = np.unique(second, return_counts=True)
        similarities = np.empty(len(left))
        similarities[order], _ = self.largest_similarities(
            words,
            Ragged(first[order], offsets_of(counts)),
            Ragged(distinct, np.arange(len(distinct) + 1)),
        )
        return similarities

    def largest_similarities(
        self, words: Sequence[str], left: Ragged, right: Ragged
    ) -> tuple[Floats, Floats]:
        """Compute the largest similarity of each word to any word on the other side of its pair.

        The time grows with the number of words on both sides, not with its square.

        Parameters
        ----------
        words : sequence of str
            Words of any part of speech.
        left, right : Ragged
            For each pair, the positions in ``words`` of the words of that side.

        Returns
        -------
        tuple of two ndarrays of float64
            For each position on the left, and for each on the right, the largest of its
            :meth:`similarities`; 0 if the other side is empty.
        """
        # Equal words get equal ids: they are similar even if they have no sense.
        index: dict[str, int] = {}
        ids = np.array([index.setdefault(word, len(index)) for word in words], dtype=np.int64)
        left = left.with_ids(ids[left.ids])
        right = right.with_ids(ids[right.ids])
        reached = self._gather(index)
        of_left = np.zeros(len(left.ids))
        of_right = np.zeros(len(right.ids))
        for first, last in _blocks(reached, left, right):
            mine = _side_of_block(reached, left.between(first, last))
            others = _side_of_block(reached, right.between(first, last))
            of_left[left.offsets[first] : left.offsets[last]] = _compare(reached, mine, others)
            of_right[right.offsets[first] : right.offsets[last]] = _compare(reached, others, mine)
        return of_left, of_right

    def _gather(self, words: Iterable[str]) -> _Words:
        """Concatenate the ancestors of the senses of words, numbered from 0, and count them."""
        # The last "sense" of each word is the word itself: it equals itself without any sense.
        names = (word.lower().replace(" ", "_") for word in words)
        lists = [(*self.senses(name), self._n_senses + i) for i, name in enumerate(names)]
        items = np.array([*chain.from_iterable(lists)], dtype=np.int64)
        senses, rows = np.unique(items, return_inverse=True)
        of_words = Ragged(rows, offsets_of([len(senses) for senses in lists]))
        # All distinct senses go up step by step. A key is a row, a sense and the steps to it.
        keys = [(np.arange(len(senses)) << _BITS_OF_SENSE | senses) << _BITS_OF_STEPS]
        row = np.flatnonzero(senses < self._n_senses)
        reached = senses[row]
        while len(row):
            parents = self._parents.take(reached)
            row = row.repeat(parents.lengths)
            reached = parents.ids.astype(np.int64)
            keys.append((row << _BITS_OF_SENSE | reached) << _BITS_OF_STEPS | len(keys))
        key = np.sort(np.concatenate(keys))
        key = key[np.diff(key >> _BITS_OF_STEPS, prepend=-1) > 0]  # the fewest steps
        steps = key & (1 << _BITS_OF_STEPS) - 1
        key = key >> _BITS_OF_STEPS
        row = key >> _BITS_OF_SENSE
        reached = key & (1 << _BITS_OF_SENSE) - 1
        of_senses = Ragged(reached, row.searchsorted(np.arange(len(senses) + 1)))
        farthest = 1 + np.maximum.reduceat(steps, of_senses.offsets[:-1])
        farthest[senses >= self._n_senses] = _FAR
        no_noun = np.where(senses < self._n_nouns, _FAR, farthest)
        n_ancestors, numbers = self._number(reached)
        places = of_senses.places(rows)
        ends = offsets_of(of_senses.lengths[rows])[of_words.offsets]
        begins = of_words.offsets[:-1]
        return _Words(
            ancestors=Ragged(numbers[places], ends),
            n_ancestors=n_ancestors,
            steps=steps.astype(np.int8)[places],
            roots=np.minimum.reduceat(farthest[rows], begins),
            roots_no_noun=np.minimum.reduceat(no_noun[rows], begins),
        )

    @staticmethod
    def _number(items: Integers) -> tuple[int, Integers]:
        """Count the distinct items, senses or words, and return their numbers in sorted order."""
        if len(items) < _FEW_SENSES:
            distinct, numbers = np.unique(items, return_inverse=True)
            return len(distinct), numbers
        seen = np.zeros(items.max() + 1, dtype=bool)
        seen[items] = True
        numbers = seen.cumsum()
        return int(numbers[-1]), (numbers - 1)[items]

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
    return offsets_of(sizes).data, memoryview(items)


class _Words(NamedTuple):
    """The ancestors of the senses of words, sense by sense."""

    ancestors: Ragged  # of each word, numbered from 0
    n_ancestors: int  # distinct ones of all words
    steps: NDArray[np.int8]  # the fewest steps up to each from the sense
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


def _blocks(words: _Words, left: Ragged, right: Ragged) -> Iterator[tuple[int, int]]:
    """Cut the pairs into blocks that take little memory."""
    n_pairs = len(left)
    counts = words.ancestors.lengths
    cells = words.n_ancestors + left.sums(counts) + right.sums(counts)
    blocks = cells.cumsum() // _MAX_CELLS
    return pairwise([0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), n_pairs])


def _side_of_block(words: _Words, side: Ragged) -> _SideOfBlock:
    n_pairs = len(side)
    ids = side.ids
    owners = side.owners
    places = words.ancestors.places(ids)
    sizes = words.ancestors.lengths[ids]
    # A dense table from pairs to ancestors turns the search for common ancestors into indexing.
    cells = np.repeat(owners * words.n_ancestors, sizes) + words.ancestors.ids[places]
    nearest = np.full(n_pairs * words.n_ancestors, _FAR, dtype=np.int8)
    steps = words.steps[places]
    np.minimum.at(nearest, cells, steps)
    roots = np.full((2, n_pairs), _FAR, dtype=np.int64)
    np.minimum.at(roots[0], owners, words.roots[ids])
    np.minimum.at(roots[1], owners, words.roots_no_noun[ids])
    starts = offsets_of(sizes)[:-1]
    return _SideOfBlock(ids, owners, starts, cells, steps, nearest, *roots)


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
