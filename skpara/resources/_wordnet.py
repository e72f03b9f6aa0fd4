"""WordNet as compact arrays: base forms, senses, antonyms, and path similarity in bulk.

The files are those that Princeton, Debian and nltk distribute. Of the senses only what the
similarity needs is loaded: the ancestors of each, and the steps up to them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._public import set_module
from skpara._typing import Floats

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NEEDED = [name for s in _FILES.values() for name in (f"index.{s}", f"data.{s}", f"{s}.exc")]
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
_FAR = 100  # more steps than any path has, yet small enough for the int8 tables of steps
_BLOCK = 512  # words whose steps to all ancestors are in one table, of a few MB
_MAX_STEPS = 2_000_000  # steps that are compared at a time, which take some 50 MB


class _Senses(NamedTuple):
    """The ancestors of the senses of words, concatenated word by word."""

    ancestors: NDArray[np.int64]  # of each word, distinct and sorted
    steps: NDArray[np.int64]  # the fewest steps up to each from any sense of the word
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
        missing = [name for name in _NEEDED if not (self.folder / name).is_file()]
        if missing:
            raise FileNotFoundError(
                f"{self.folder} lacks {', '.join(missing)} of WordNet; pass its folder or 'auto'."
            )
        numbers, hypernyms, self._antonyms = _read_senses(self.folder)
        self._is_noun = np.array([pos == "n" for pos, _ in numbers])
        self._senses: dict[str, dict[str, tuple[int, ...]]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        for pos, name in _FILES.items():
            self._senses[pos] = _read_index(self.folder / f"index.{name}", pos, numbers)
            irregular = map(str.split, _lines(self.folder / f"{name}.exc"))
            self._exceptions[pos] = {form: base_forms for form, *base_forms in irregular}
        self._starts, self._ancestors, self._steps = _closure(len(numbers), hypernyms)
        self._to_root = 1 + np.maximum.reduceat(self._steps, self._starts[:-1]).astype(np.int64)

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
        import nltk

        folders = [*(Path(path) / "corpora" / "wordnet" for path in nltk.data.path), _DEBIAN]
        complete = (f for f in folders if all((f / name).is_file() for name in _NEEDED))
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
        known = self._senses[pos]
        forms = self._exceptions[pos].get(word)
        if forms is None and word[-1:] in _LAST_LETTERS[pos]:
            forms = [
                word[: len(word) - len(ending)] + replacement
                for ending, replacements in _ENDINGS[pos].items()
                if word.endswith(ending)
                for replacement in replacements
            ]
        if not forms:
            return [word] if word in known else []
        return list(dict.fromkeys(form for form in [word, *forms] if form in known))

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
        return frozenset(self._antonyms.get(word, ()))

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
        left, right = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
        senses = self._gathered(words)
        distances = np.full(len(left), 2 * _FAR, dtype=np.int64)
        if len(left) and len(senses.ancestors):
            roots, no_noun = senses.to_root, senses.to_root_no_noun
            # Two nouns do not meet in the added root: one of the two senses must not be a noun.
            distances = np.minimum(no_noun[left] + roots[right], roots[left] + no_noun[right])
            np.minimum(distances, _through_ancestors(senses, left, right), out=distances)
        similarities = np.where(distances < _FAR, 1 / (1 + distances), 0.0)
        texts = np.array(words, dtype=object)
        similarities[texts[left] == texts[right]] = 1.0
        return similarities

    def _numbers(self, word: str) -> list[int]:
        """Return the senses of a word and of its base forms."""
        plain = word.lower().replace(" ", "_")
        numbers = [
            number
            for pos, known in self._senses.items()
            for form in self.base_forms(plain, pos)
            for number in known[form]
        ]
        return list(dict.fromkeys(numbers))

    def _gathered(self, words: Sequence[str]) -> _Senses:
        senses_of = [self._numbers(word) for word in words]
        owners = np.repeat(np.arange(len(words)), [len(numbers) for numbers in senses_of])
        senses = np.array([n for numbers in senses_of for n in numbers], dtype=np.int64)
        sizes = self._starts[senses + 1] - self._starts[senses]
        first = np.repeat(self._starts[senses] - (np.cumsum(sizes) - sizes), sizes)
        places = first + np.arange(len(first))
        # Sorted by (word, ancestor, steps), the first of equal (word, ancestor) has fewest steps.
        keys = np.repeat(owners, sizes) * len(self._is_noun) + self._ancestors[places]
        order = np.argsort(keys * _FAR + self._steps[places])
        distinct, first_of = np.unique(keys[order], return_index=True)
        owner, ancestors = np.divmod(distinct, len(self._is_noun))
        roots = np.full((2, len(words)), _FAR, dtype=np.int64)
        np.minimum.at(roots[0], owners, self._to_root[senses])
        no_noun = ~self._is_noun[senses]
        np.minimum.at(roots[1], owners[no_noun], self._to_root[senses[no_noun]])
        return _Senses(
            ancestors,
            self._steps[places][order][first_of].astype(np.int64),
            np.bincount(owner, minlength=len(words)),
            *roots,
        )


def _through_ancestors(
    senses: _Senses, left: NDArray[np.integer], right: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return the fewest steps from two words to a common ancestor."""
    counts = senses.counts
    starts = np.append(0, np.cumsum(counts))
    ancestors, places = np.unique(senses.ancestors, return_inverse=True)
    distances = np.full(len(left), 2 * _FAR, dtype=np.int64)
    # A dense table from the words of a block to all ancestors turns the search for common
    # ancestors into indexing; all words at once would take too much memory.
    for first in range(0, len(counts), _BLOCK):
        block = slice(starts[first], starts[min(first + _BLOCK, len(counts))])
        words = np.repeat(np.arange(len(counts)), counts)[block] - first
        table = np.full((_BLOCK, len(ancestors)), _FAR, dtype=np.int8)
        table[words, places[block]] = senses.steps[block]
        rows = np.flatnonzero((right >= first) & (right < first + _BLOCK) & (counts[left] > 0))
        for part in _parts(rows, counts[left]):
            sizes = counts[left[part]]
            ends = np.cumsum(sizes)
            own = np.arange(ends[-1]) + np.repeat(starts[left[part]] - (ends - sizes), sizes)
            of_right = np.repeat(right[part] - first, sizes)
            total = senses.steps[own] + table[of_right, places[own]]
            distances[part] = np.minimum.reduceat(total, ends - sizes)
    return distances


def _parts(rows: NDArray[np.intp], sizes: NDArray[np.int64]) -> Iterable[NDArray[np.intp]]:
    """Split rows into parts whose sizes sum to a few million."""
    if len(rows) == 0:
        return []
    total = np.cumsum(sizes[rows])
    cuts = np.searchsorted(total, np.arange(_MAX_STEPS, total[-1], _MAX_STEPS))
    return [part for part in np.split(rows, np.unique(cuts)) if len(part)]


@lru_cache(maxsize=2)
def _loaded(folder: str) -> WordNet:
    return WordNet(folder)


def _lines(path: Path) -> list[str]:
    """Return the entries of a file, without the indented license."""
    text = path.read_text("utf8")
    return [line for line in text.split("\n") if line and not line.startswith(" ")]


def _read_senses(
    folder: Path,
) -> tuple[dict[tuple[str, int], int], list[tuple[int, int]], dict[str, set[str]]]:
    """Number the senses by part of speech and offset; also return their hypernyms and antonyms.

    A hypernym is an edge from the number of a sense up to that of another; antonyms are by word.
    """
    numbers: dict[tuple[str, int], int] = {}
    edges: list[tuple[int, tuple[str, int]]] = []
    # Words of the senses with an antonym: every antonym has one itself, so these are enough.
    words: dict[tuple[str, int], list[str]] = {}
    opposites: list[tuple[str, tuple[str, int], int]] = []
    for pos, name in _FILES.items():
        for line in _lines(folder / f"data.{name}"):
            fields = line.partition("|")[0].split()
            sense = pos, int(fields[0])
            number = numbers.setdefault(sense, len(numbers))
            pointers = 4 + 2 * int(fields[3], 16)
            for k in range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4):
                # Satellite adjectives ("s") are in the file of the adjectives ("a").
                target = fields[k + 2].replace("s", "a"), int(fields[k + 1])
                if fields[k] in ("@", "@i"):
                    edges.append((number, target))
                elif fields[k] == "!":
                    own = words.setdefault(sense, _words_of(fields))
                    place, target_place = int(fields[k + 3][:2], 16), int(fields[k + 3][2:], 16)
                    opposites.append((own[place - 1], target, target_place - 1))
    antonyms: dict[str, set[str]] = {}
    for word, target, place in opposites:
        antonyms.setdefault(word, set()).add(words[target][place])
    return numbers, [(child, numbers[target]) for child, target in edges], antonyms


def _words_of(fields: list[str]) -> list[str]:
    """Return the lower-cased words of a sense, without markers such as "(p)" of adjectives."""
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [word.partition("(")[0].lower() for word in words]


def _read_index(
    path: Path, pos: str, numbers: dict[tuple[str, int], int]
) -> dict[str, tuple[int, ...]]:
    """Return the senses of each word."""
    senses = {}
    for line in _lines(path):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        senses[fields[0]] = tuple(numbers[pos, int(offset)] for offset in offsets)
    return senses


def _closure(
    n_senses: int, edges: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
    """Return the ancestors of each sense, including itself, and the fewest steps up to each.

    The ancestors of sense i are ``ancestors[starts[i]:starts[i + 1]]``.
    """
    children, parents = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(edges), dtype=np.float32)
    up = sparse.csr_matrix((ones, (children, parents)), shape=(n_senses, n_senses))
    level = sparse.identity(n_senses, dtype=np.float32, format="csr")
    reached = level.copy()
    rows, columns, steps = [np.arange(n_senses)], [np.arange(n_senses)], [np.zeros(n_senses)]
    while True:
        level = level @ up
        level = (level - level.multiply(reached > 0)).tocsr()
        level.eliminate_zeros()
        if level.nnz == 0:
            break
        level.data[:] = 1
        reached = reached + level
        entries = level.tocoo()
        rows.append(entries.row)
        columns.append(entries.col)
        steps.append(np.full(entries.nnz, len(steps)))
    row, column, step = np.concatenate(rows), np.concatenate(columns), np.concatenate(steps)
    order = np.lexsort((column, row))
    starts = np.append(0, np.cumsum(np.bincount(row, minlength=n_senses)))
    return starts, column[order].astype(np.int32), step[order].astype(np.int8)
