"""WordNet: base forms, antonyms, and path similarity in bulk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, unpack_words
from skpara._core import Integers, Ragged, list_kernels, offsets_of, text_kernels
from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._word_table import WordTable

_FILE = Path(__file__).parent / "data" / "wordnet.safetensors"
# Words whose base forms and senses are kept: 20 MB.
_CACHED_WORDS = 30_000
_NO_WORDS: frozenset[str] = frozenset()


class _Word(NamedTuple):
    """A word: its base forms by part of speech, and numbers of the senses of all of them."""

    forms: dict[str, list[str]]
    senses: frozenset[int]


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
        words = WordTable(arrays["words"])
        irregular = defaultdict[str, dict[str, list[str]]](dict)
        for key, forms in _entries(arrays["irregular"]).items():
            irregular[key[1:]][key[0]] = forms
        # Entry i, a word as one part of speech, has the senses sense_starts[i] to
        # sense_starts[i + 1]; sense i has such parents.
        tables: tuple[Any, ...] = (
            *words.arrays,
            arrays["kinds"],
            offsets_of(np.bitwise_count(arrays["kinds"])),
            offsets_of(arrays["n_senses"]),
            arrays["senses"],
        )
        # A memoryview is passed on much faster than an array.
        views: list[Any] = [*(table.data for table in tables), irregular]
        self._forms_and_senses: Any = partial(text_kernels.base_forms, *views)
        antonyms = _entries(arrays["antonyms"])
        self._antonyms = {word: frozenset(others) for word, others in antonyms.items()}
        # Reading a memmap takes longer.
        self._parents = Ragged(np.asarray(arrays["parents"]), offsets_of(arrays["n_parents"]))
        self._n_nouns = int(arrays["n_nouns"][0])
        self._n_senses = len(arrays["n_parents"])
        # Texts have the same words again and again.
        self._word = lru_cache(_CACHED_WORDS)(self._read_word)

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
        return [*self._word(word).forms[pos]]

    def _read_word(self, word: str) -> _Word:
        return _Word(*self._forms_and_senses(word))

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
        forms = self._word(word).forms[pos]
        return forms[0] if forms else word

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
        return self._antonyms.get(word, _NO_WORDS)

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
        return self._word(word).senses

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
        distinct, numbers = Ragged.of([[*words]])
        of_one_word = Ragged(numbers.ids, np.arange(len(words) + 1))
        sides = np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
        return self.mean_similarities(distinct, of_one_word, sides)[0]

    def mean_similarities(
        self, words: Sequence[str], lists: Ragged, sides: tuple[Integers, Integers]
    ) -> Floats:
        """Compute the mean of the largest similarity of each word to one of the other side.

        The time grows with the number of words on both sides, not with its square.

        Parameters
        ----------
        words : sequence of str
            Distinct words of any part of speech.
        lists : Ragged
            Lists of positions in ``words``.
        sides : tuple of two ndarrays of int64, shape (n_pairs,)
            The positions of the two lists of each pair.

        Returns
        -------
        ndarray of float64, shape (2, n_pairs)
            For each pair the mean over the words of the left side, and over those of the right
            side, of the largest of their :meth:`similarities`; 0 if a side is empty.
        """
        senses = [self.senses(word.lower().replace(" ", "_")) for word in words]
        offsets = offsets_of([len(numbers) for numbers in senses])
        items = np.fromiter(chain.from_iterable(senses), dtype=np.int64, count=offsets[-1])
        means = np.empty((2, len(sides[0])))
        list_kernels.path_similarities(
            lists.ids,
            lists.offsets,
            *sides,
            items,
            offsets,
            self._parents.ids,
            self._parents.offsets,
            self._n_nouns,
            means,
        )
        return means


_packaged = lru_cache(maxsize=1)(WordNet)


def _entries(packed: NDArray[np.uint8]) -> dict[str, list[str]]:
    """Return the words of lines by their first word."""
    return {first: others for first, *others in map(str.split, unpack_words(packed))}
