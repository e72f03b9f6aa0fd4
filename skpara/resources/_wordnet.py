"""WordNet: base forms, antonyms, and path similarity in bulk.

The files are those that Princeton, Debian and nltk distribute. They are read once, into arrays in
the user's cache folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._cache import TextIndex, Texts, cached_tables
from skpara.text import Sides

_FORMAT = 1  # of the arrays in the cache folder; increased when they change
_PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_FILES = [f for s in _PARTS_OF_SPEECH.values() for f in (f"index.{s}", f"data.{s}", f"{s}.exc")]
_DEBIAN = Path("/usr/share/wordnet")
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
_LAST_LETTERS = {pos: {ending[-1] for ending in endings} for pos, endings in _ENDINGS.items()}
_FAR = 100  # more steps than any path has, yet small enough for int8
_MAX_CELLS = 4_000_000  # size in bytes of the tables of steps
_MAX_STEPS = 500_000  # steps that are compared at a time, which take some 20 MB
_CACHED_WORDS = 50_000  # whose lemmas and senses are kept, some 10 MB each


class _Senses(NamedTuple):
    """The ancestors of the senses of words, concatenated word by word."""

    ancestors: NDArray[np.int64]  # of each word, distinct; numbered from 0 in order
    n_ancestors: int  # distinct ones of all words
    steps: NDArray[np.int8]  # the fewest steps up to each from any sense of the word
    counts: NDArray[np.int64]  # number of ancestors of each word
    to_root: NDArray[np.int64]  # fewest steps of any sense to the root of all senses, or _FAR
    to_root_no_noun: NDArray[np.int64]  # the same without the senses that are nouns


@set_module("skpara.resources", trusted=True)
class WordNet:
    """Base forms, antonyms and path similarities of WordNet.

    Parameters
    ----------
    folder : path
        Folder of the files ``index.noun``, ``data.noun``, ``noun.exc`` and so on.

    Attributes
    ----------
    folder : pathlib.Path
        The folder.

    Raises
    ------
    FileNotFoundError
        If a file is missing.

    References
    ----------
    C. Fellbaum, editor (1998). WordNet: an electronic lexical database. MIT Press.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        paths = [self.folder / name for name in _FILES]
        missing = [path.name for path in paths if not path.is_file()]
        if missing:
            raise FileNotFoundError(
                f"{self.folder} lacks {', '.join(missing)} of WordNet; pass its folder or 'auto'."
            )

        def read() -> Any:
            from skpara.resources._wordnet_files import read_tables

            return read_tables(self.folder, _PARTS_OF_SPEECH)

        arrays, more = cached_tables("wordnet", _FORMAT, paths, read)
        self._words = TextIndex(arrays, "words")
        self._irregular = TextIndex(arrays, "irregular")
        self._irregular_base_forms = Texts(arrays, "base_forms")
        self._antonym_words = TextIndex(arrays, "antonym_words")
        self._antonyms = Texts(arrays, "antonyms")
        # Which senses a word has, and which ancestors a sense, as positions where these begin.
        self._sense_starts, self._senses = arrays["sense_starts"], arrays["senses"]
        self._starts, self._ancestors = arrays["starts"], arrays["ancestors"]
        self._steps, self._to_root = arrays["steps"], arrays["to_root"]
        self._n_nouns: int = more["n_nouns"]  # nouns are the first senses
        # Texts have the same words again and again.
        self._cached_lemma = lru_cache(_CACHED_WORDS)(self._find_lemma)
        self._cached_senses = lru_cache(_CACHED_WORDS)(self._find_senses)

    def __reduce__(self) -> tuple[Callable[[str], WordNet], tuple[str]]:
        # A pickle has the path, not the data, and names the public class, not this file.
        return WordNet._restore, (str(self.folder),)

    @classmethod
    def _restore(cls, folder: str) -> WordNet:
        """Load a saved WordNet from its folder, or from where this machine has it."""
        return _loaded(folder) if Path(folder).is_dir() else WordNet.load("auto")

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": str(self.folder)}  # for skops

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(vars(WordNet._restore(state["folder"])))

    @classmethod
    def load(cls, source: str | os.PathLike[str] | WordNet = "auto") -> WordNet:
        """Load WordNet from a folder or from where it is installed.

        Parameters
        ----------
        source : "auto", path or WordNet, default="auto"
            "auto" searches nltk's data folders for the corpus "wordnet", then Debian's
            ``/usr/share/wordnet``.

        Returns
        -------
        WordNet
            The loaded files, which are shared in the process.

        Raises
        ------
        FileNotFoundError
            If WordNet is not found.
        """
        if isinstance(source, WordNet):
            return source
        if source != "auto":
            return _loaded(str(source))
        folder = cls.installed_folder()
        if folder is not None:
            return _loaded(str(folder))
        raise FileNotFoundError(
            "WordNet is not installed. Install Debian's wordnet-base (apt-get install "
            "wordnet-base), or nltk's copy: python -m nltk.downloader wordnet."
        )

    @staticmethod
    def installed_folder() -> Path | None:
        """Return the folder where "auto" finds WordNet.

        Returns
        -------
        pathlib.Path or None
            The folder, or None if WordNet is not installed.
        """
        folders = [*(Path(path, "corpora", "wordnet") for path in _nltk_folders()), _DEBIAN]
        complete = (f for f in folders if all((f / name).is_file() for name in _FILES))
        return next(complete, None)

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
        known = self._words
        row = self._irregular.find(pos + word)
        if row >= 0:
            forms = self._irregular_base_forms[row].split()
        elif word[-1:] in _LAST_LETTERS[pos]:
            forms = [
                word[: len(word) - len(ending)] + replacement
                for ending, replacements in _ENDINGS[pos].items()
                if word.endswith(ending)
                for replacement in replacements
            ]
        else:
            forms = []
        return list(dict.fromkeys(form for form in [word, *forms] if pos + form in known))

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
        return self._cached_lemma(word, pos)

    def _find_lemma(self, word: str, pos: str) -> str:
        forms = self.base_forms(word, pos)
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
        row = self._antonym_words.find(word)
        return frozenset(self._antonyms[row].split()) if row >= 0 else frozenset()

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
        >>> wordnet = WordNet.load()  # doctest: +SKIP
        >>> wordnet.similarities(["dog", "cat"], [0], [1])  # doctest: +SKIP
        array([0.2])
        """
        # Each distinct word on the right is compared with all its words on the left at once.
        left, right = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
        order = np.argsort(right, kind="stable")
        distinct, counts = np.unique(right, return_counts=True)
        sides = Sides(left[order], counts), Sides(distinct, np.ones_like(distinct))
        similarities = np.empty(len(left))
        similarities[order] = self.largest_similarities(words, *sides)[0]
        return similarities

    def largest_similarities(
        self, words: Sequence[str], left: Sides, right: Sides
    ) -> tuple[Floats, Floats]:
        """Compute the largest similarity of each word to any word on the other side of its pair.

        The time grows with the number of words on both sides, not with its square.

        Parameters
        ----------
        words : sequence of str
            Words of any part of speech.
        left, right : Sides
            Positions in ``words`` of the words of both sides of each pair.

        Returns
        -------
        left_similarities, right_similarities : ndarrays of float64
            For each item of ``left.ids`` and of ``right.ids`` the largest of its
            :meth:`similarities`; 0 if the other side is empty.
        """
        # Equal words get equal ids: they are similar even if they have no sense.
        index: dict[str, int] = {}
        ids = np.array([index.setdefault(word, len(index)) for word in words], dtype=np.int64)
        sides = [Sides(ids[side.ids], side.lengths) for side in (left, right)]
        senses = self._gathered(list(index))
        similarities = [np.zeros(len(side.ids)) for side in sides]
        places = [np.append(0, np.cumsum(side.lengths)) for side in sides]
        for first, last in _blocks(senses, sides):
            spans = [slice(ends[first], ends[last]) for ends in places]
            block = [
                Sides(side.ids[span], side.lengths[first:last])
                for side, span in zip(sides, spans, strict=True)
            ]
            for result, span, values in zip(
                similarities, spans, _compare(senses, *block), strict=True
            ):
                result[span] = values
        return similarities[0], similarities[1]

    def _find_senses(self, word: str) -> list[int]:
        """Return the numbers of the senses of a word and of its base forms."""
        plain = word.lower().replace(" ", "_")
        starts, numbers = self._sense_starts, []
        for pos in _PARTS_OF_SPEECH:
            for form in self.base_forms(plain, pos):
                row = self._words.find(pos + form)
                numbers += self._senses[starts[row] : starts[row + 1]].tolist()
        return list(dict.fromkeys(numbers))

    def _gathered(self, words: Sequence[str]) -> _Senses:
        senses_of = [self._cached_senses(word) for word in words]
        owners = np.repeat(np.arange(len(words)), [len(numbers) for numbers in senses_of])
        senses = np.fromiter(chain.from_iterable(senses_of), dtype=np.int64, count=len(owners))
        n_words, n_senses = len(words), len(self._to_root)
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
        return _Senses(numbers, n_ancestors, steps[new].astype(np.int8), counts, *roots)


def _ranges(
    begins: NDArray[np.int64], sizes: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the concatenated ranges ``begins[i]:begins[i] + sizes[i]``, and where each begins."""
    starts = np.cumsum(sizes) - sizes
    return np.arange(int(np.sum(sizes))) + np.repeat(begins - starts, sizes), starts


def _blocks(senses: _Senses, sides: Sequence[Sides]) -> Iterator[tuple[int, int]]:
    """Cut the pairs into blocks that take little memory."""
    n_pairs = len(sides[0].lengths)
    owners = [np.repeat(np.arange(n_pairs), side.lengths) for side in sides]
    steps = sum(
        np.bincount(owner, senses.counts[side.ids], minlength=n_pairs)
        for owner, side in zip(owners, sides, strict=True)
    )
    ends = np.cumsum(steps)
    most = max(1, _MAX_CELLS // max(1, senses.n_ancestors))
    first = 0
    while first < n_pairs:
        limit = (ends[first - 1] if first else 0) + _MAX_STEPS
        last = min(first + most, int(np.searchsorted(ends, limit, side="right")))
        yield first, max(first + 1, last)
        first = max(first + 1, last)


def _compare(senses: _Senses, left: Sides, right: Sides) -> tuple[Floats, Floats]:
    """Compute the largest similarities of the words of both sides of pairs."""
    n_pairs = len(left.lengths)
    word_starts = np.cumsum(senses.counts) - senses.counts
    owners, cells, steps, starts, nearest, roots = [], [], [], [], [], []
    for ids, lengths in (left, right):
        owner = np.repeat(np.arange(n_pairs), lengths)
        sizes = senses.counts[ids]
        places, begins = _ranges(word_starts[ids], sizes)
        # A dense table from pairs to ancestors, with the steps from the nearest word of a side,
        # turns the search for common ancestors into indexing.
        cell = np.repeat(owner * senses.n_ancestors, sizes) + senses.ancestors[places]
        table = np.full(n_pairs * senses.n_ancestors, _FAR, dtype=np.int8)
        np.minimum.at(table, cell, senses.steps[places])
        closest = np.full((2, n_pairs), _FAR, dtype=np.int64)
        np.minimum.at(closest[0], owner, senses.to_root[ids])
        np.minimum.at(closest[1], owner, senses.to_root_no_noun[ids])
        owners.append(owner)
        cells.append(cell)
        steps.append(senses.steps[places].astype(np.int64))
        starts.append(begins)
        nearest.append(table)
        roots.append(closest)
    results = []
    for own, other, ids in ((0, 1, left.ids), (1, 0, right.ids)):
        all_roots, no_noun = roots[other][:, owners[own]]
        # Two nouns do not meet in the added root: one of the two senses must not be a noun.
        distances = np.minimum(
            senses.to_root_no_noun[ids] + all_roots, senses.to_root[ids] + no_noun
        )
        if len(ids):
            through = np.minimum.reduceat(steps[own] + nearest[other][cells[own]], starts[own])
            np.minimum(distances, through, out=distances)
        results.append(np.where(distances < _FAR, 1 / (1 + distances), 0.0))
    return results[0], results[1]


@lru_cache(maxsize=2)
def _loaded(folder: str) -> WordNet:
    return WordNet(folder)


def _nltk_folders() -> list[str]:
    """Return the folders in which nltk looks for its data."""
    # Importing nltk takes longer than loading everything else that scoring needs. If it has been
    # imported, its list may have been changed.
    if "nltk" in sys.modules or os.name == "nt":
        import nltk

        return list(nltk.data.path)
    named = [path for path in os.environ.get("NLTK_DATA", "").split(os.pathsep) if path]
    of_python = [os.path.join(sys.prefix, *part, "nltk_data") for part in ([], ["share"], ["lib"])]
    of_system = [f"/usr/{part}/nltk_data" for part in ("share", "local/share", "lib", "local/lib")]
    return [*map(os.path.expanduser, [*named, "~/nltk_data"]), *of_python, *of_system]
