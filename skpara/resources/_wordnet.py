"""WordNet as compact arrays: base forms, senses, antonyms, and path similarity in bulk.

The files are read as Princeton distributes them (and Debian and nltk pass on). Of the senses only
what the similarity needs is kept: for each its ancestors and how far up they are.
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

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_DEBIAN = Path("/usr/share/wordnet")
# What each ending of a word is replaced with to find its base form, by part of speech.
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
_LAST_LETTERS = {pos: {ending[-1] for ending in endings} for pos, endings in _ENDINGS.items()}
_FAR = 100  # farther than any path
_BLOCK = 512  # words whose ancestors are laid out at a time


class _Senses(NamedTuple):
    """The ancestors of the senses of words, word after word."""

    ancestors: NDArray[np.int64]  # of each word, distinct and sorted
    steps: NDArray[np.int64]  # the fewest up to each from any sense of the word
    counts: NDArray[np.int64]  # how many ancestors each word has
    to_root: NDArray[np.int64]  # fewest steps of any sense of a word to a root above all; _FAR
    to_root_no_noun: NDArray[np.int64]  # the same of senses that are no nouns


@set_module("skpara.resources", trusted=True)
class WordNet:
    """WordNet's base forms and path similarity.

    Parameters
    ----------
    folder : path
        Holds ``index.noun``, ``data.noun``, ``noun.exc`` and so on.

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
        missing = [name for name in _needed_files() if not (self.folder / name).is_file()]
        if missing:
            raise FileNotFoundError(f"{self.folder} lacks {', '.join(missing)} of WordNet.")
        numbers: dict[tuple[str, int], int] = {}
        edges: list[tuple[int, str, int]] = []
        opposites: list[tuple[str, str, int, int]] = []
        words: dict[tuple[str, int], list[str]] = {}
        for pos in _FILES:
            path = self.folder / f"data.{_FILES[pos]}"
            _read_senses(path, pos, numbers, edges, opposites, words)
        self._is_noun = np.array([pos == "n" for pos, _ in numbers])
        self._senses = {
            pos: _read_index(self.folder / f"index.{name}", pos, numbers)
            for pos, name in _FILES.items()
        }
        self._exceptions = {
            pos: _read_exceptions(self.folder / f"{name}.exc") for pos, name in _FILES.items()
        }
        up = [(child, numbers[pos, offset]) for child, pos, offset in edges]
        self._starts, self._ancestors, self._steps = _closure(len(numbers), up)
        self._to_root = 1 + np.maximum.reduceat(self._steps, self._starts[:-1]).astype(np.int64)
        self._antonyms: dict[str, set[str]] = {}
        for word, pos, offset, place in opposites:
            self._antonyms.setdefault(word, set()).add(words[pos, offset][place])

    def __reduce__(self) -> tuple[Callable[[str], WordNet], tuple[str]]:
        return _restored, (str(self.folder),)  # read again, once, where it is needed

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": str(self.folder)}  # what skops writes

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(vars(_restored(state["folder"])))

    @classmethod
    def load(cls, source: str | os.PathLike[str] | WordNet = "auto") -> WordNet:
        """WordNet from a folder, or from where it is installed.

        Parameters
        ----------
        source : "auto", path or WordNet, default="auto"
            "auto" looks into nltk's data folders for the corpus "wordnet", then into Debian's
            ``/usr/share/wordnet``.

        Raises
        ------
        FileNotFoundError
            If it is nowhere, with what to install.
        """
        if isinstance(source, WordNet):
            return source
        if source != "auto":
            return _loaded(str(source))
        for folder in _places():
            if all((folder / name).is_file() for name in _needed_files()):
                return _loaded(str(folder))
        raise FileNotFoundError(
            "WordNet is not installed. Install Debian's wordnet-base (apt-get install "
            "wordnet-base), or nltk's copy: python -m nltk.downloader wordnet."
        )

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Forms of ``word`` that WordNet holds for a part of speech, as nltk's ``morphy``.

        Parameters
        ----------
        word : str
            Lower-cased.
        pos : {"n", "v", "a", "r"}

        Returns
        -------
        list of str
            The word itself first, if WordNet has it.
        """
        known = self._senses[pos]
        forms = self._exceptions[pos].get(word)
        if forms is None and word[-1:] in _LAST_LETTERS[pos]:
            forms = [
                word[: len(word) - len(ending)] + other
                for ending, others in _ENDINGS[pos].items()
                if word.endswith(ending)
                for other in others
            ]
        if not forms:
            return [word] if word in known else []
        return list(dict.fromkeys(form for form in [word, *forms] if form in known))

    def lemma(self, word: str, pos: str) -> str:
        """The base form of ``word`` for a part of speech; the word itself where there is none."""
        forms = self.base_forms(word, pos)
        return forms[0] if forms else word

    def antonyms(self, word: str) -> frozenset[str]:
        """Words that mean the opposite of ``word`` in one of their senses.

        Parameters
        ----------
        word : str
            A base form, lower-cased.

        Returns
        -------
        frozenset of str
            Lower-cased; empty for most words.
        """
        return frozenset(self._antonyms.get(word, ()))

    def similarities(
        self, words: Sequence[str], left: NDArray[np.integer], right: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Largest path similarity of any sense of one word with any sense of another.

        ``1 / (1 + d)``, with d the fewest steps from the two senses up to a common ancestor. Where
        either is no noun, a root above all is one step above the farthest ancestor of each.

        Parameters
        ----------
        words : sequence of str
        left, right : ndarrays of int, shape (n,)
            Numbers of the words to compare.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1]: 1 for the same word, 0 where a word has no sense.

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
            roots, others = senses.to_root, senses.to_root_no_noun
            # Pairs of nouns do not use the root above all.
            distances = np.minimum(others[left] + roots[right], roots[left] + others[right])
            np.minimum(distances, _through_ancestors(senses, left, right), out=distances)
        found = np.where(distances < _FAR, 1 / (1 + distances), 0.0)
        texts = np.array(words, dtype=object)
        found[texts[left] == texts[right]] = 1.0
        return found

    def _numbers(self, word: str) -> list[int]:
        """The senses of a word and of its base forms."""
        plain = word.lower().replace(" ", "_")
        numbers = [
            number
            for pos, known in self._senses.items()
            for form in self.base_forms(plain, pos)
            for number in known[form]
        ]
        return list(dict.fromkeys(numbers))

    def _gathered(self, words: Sequence[str]) -> _Senses:
        numbers = [self._numbers(word) for word in words]
        owners = np.repeat(np.arange(len(words)), [len(own) for own in numbers])
        senses = np.array([number for own in numbers for number in own], dtype=np.int64)
        sizes = self._starts[senses + 1] - self._starts[senses]
        first = np.repeat(self._starts[senses] - (np.cumsum(sizes) - sizes), sizes)
        places = first + np.arange(len(first))
        # The first of equal (word, ancestor) has the fewest steps.
        keys = np.repeat(owners, sizes) * len(self._is_noun) + self._ancestors[places]
        order = np.argsort(keys * _FAR + self._steps[places])
        distinct, kept = np.unique(keys[order], return_index=True)
        owner, ancestors = np.divmod(distinct, len(self._is_noun))
        roots = np.full((2, len(words)), _FAR, dtype=np.int64)
        np.minimum.at(roots[0], owners, self._to_root[senses])
        others = ~self._is_noun[senses]
        np.minimum.at(roots[1], owners[others], self._to_root[senses[others]])
        return _Senses(
            ancestors,
            self._steps[places][order][kept].astype(np.int64),
            np.bincount(owner, minlength=len(words)),
            *roots,
        )


def _through_ancestors(
    senses: _Senses, left: NDArray[np.integer], right: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Fewest steps up to an ancestor of both."""
    counts = senses.counts
    starts = np.append(0, np.cumsum(counts))
    ancestors, places = np.unique(senses.ancestors, return_inverse=True)
    found = np.full(len(left), 2 * _FAR, dtype=np.int64)
    for first in range(0, len(counts), _BLOCK):
        # Steps from each word of the block to every ancestor.
        block = slice(starts[first], starts[min(first + _BLOCK, len(counts))])
        words = np.repeat(np.arange(len(counts)), counts)[block] - first
        table = np.full((_BLOCK, len(ancestors)), _FAR, dtype=np.int8)
        table[words, places[block]] = senses.steps[block]
        here = np.flatnonzero((right >= first) & (right < first + _BLOCK) & (counts[left] > 0))
        for some in _parts(here, counts[left]):
            sizes = counts[left[some]]
            ends = np.cumsum(sizes)
            own = np.arange(ends[-1]) + np.repeat(starts[left[some]] - (ends - sizes), sizes)
            of_right = np.repeat(right[some] - first, sizes)
            total = senses.steps[own] + table[of_right, places[own]]
            found[some] = np.minimum.reduceat(total, ends - sizes)
    return found


def _parts(rows: NDArray[np.intp], sizes: NDArray[np.int64]) -> Iterable[NDArray[np.intp]]:
    """The rows in parts that expand to a few million numbers."""
    if len(rows) == 0:
        return []
    total = np.cumsum(sizes[rows])
    cuts = np.searchsorted(total, np.arange(2_000_000, total[-1], 2_000_000))
    return [part for part in np.split(rows, np.unique(cuts)) if len(part)]


@lru_cache(maxsize=2)
def _loaded(folder: str) -> WordNet:
    return WordNet(folder)


def _restored(folder: str) -> WordNet:
    """A saved WordNet: from its folder, or from where this machine has it."""
    return _loaded(folder) if Path(folder).is_dir() else WordNet.load("auto")


def _needed_files() -> list[str]:
    return [
        name
        for stem in _FILES.values()
        for name in (f"index.{stem}", f"data.{stem}", f"{stem}.exc")
    ]


def _places() -> list[Path]:
    import nltk

    return [*(Path(path) / "corpora" / "wordnet" for path in nltk.data.path), _DEBIAN]


def _lines(path: Path) -> list[str]:
    """The entries of a file: not the licence, which is indented."""
    text = path.read_text("utf8")
    return [line for line in text.split("\n") if line and not line.startswith(" ")]


def _read_senses(
    path: Path,
    pos: str,
    numbers: dict[tuple[str, int], int],
    edges: list[tuple[int, str, int]],
    opposites: list[tuple[str, str, int, int]],
    words: dict[tuple[str, int], list[str]],
) -> None:
    """Number the senses of a part of speech, and note what they are kinds or instances of.

    An antonym is noted as the word, and the sense and place in it where the antonym is found;
    ``words`` holds the words of the senses that have one, which antonyms name both ways.
    """
    for line in _lines(path):
        fields = line.partition("|")[0].split()
        number = numbers.setdefault((pos, int(fields[0])), len(numbers))
        pointers = 4 + 2 * int(fields[3], 16)
        for k in range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4):
            if fields[k] in ("@", "@i"):
                edges.append((number, fields[k + 2], int(fields[k + 1])))
            elif fields[k] == "!":
                own = words.setdefault((pos, int(fields[0])), _words_of(fields))
                here, there = int(fields[k + 3][:2], 16), int(fields[k + 3][2:], 16)
                # A satellite adjective is in the same file as the others.
                other = fields[k + 2].replace("s", "a")
                opposites.append((own[here - 1], other, int(fields[k + 1]), there - 1))


def _words_of(fields: list[str]) -> list[str]:
    """The words of a sense, lower-cased, without the place that an adjective may carry."""
    found = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [word.partition("(")[0].lower() for word in found]


def _read_index(
    path: Path, pos: str, numbers: dict[tuple[str, int], int]
) -> dict[str, tuple[int, ...]]:
    """The senses of each word."""
    found = {}
    for line in _lines(path):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        found[fields[0]] = tuple(numbers[pos, int(offset)] for offset in offsets)
    return found


def _read_exceptions(path: Path) -> dict[str, list[str]]:
    """Irregular forms and their base forms."""
    return {fields[0]: fields[1:] for fields in map(str.split, _lines(path))}


def _closure(
    n_senses: int, edges: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
    """For each sense its ancestors, itself among them, and the steps up to each."""
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
        found = level.tocoo()
        rows.append(found.row)
        columns.append(found.col)
        steps.append(np.full(found.nnz, len(steps)))
    row, column, step = np.concatenate(rows), np.concatenate(columns), np.concatenate(steps)
    order = np.lexsort((column, row))
    starts = np.append(0, np.cumsum(np.bincount(row, minlength=n_senses)))
    return starts, column[order].astype(np.int32), step[order].astype(np.int8)
