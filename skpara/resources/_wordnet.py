"""WordNet: base forms, antonyms, and path similarity in bulk.

The files are those that Princeton, Debian and nltk distribute. They are read once, into arrays in
the user's cache folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._cache import TextIndex, Texts, cached_tables
from skpara.resources._sense_graph import SenseGraph, Side

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
_CACHED_WORDS = 50_000  # whose lemmas and senses are kept, some 10 MB each


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
        # The senses of word i are the sense_starts[i]-th to the sense_starts[i + 1]-th.
        self._sense_starts, self._senses = arrays["sense_starts"], arrays["senses"]
        self._graph = SenseGraph(arrays, more["n_nouns"])
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
        return self._graph.largest_similarities([*map(self._cached_senses, index)], *sides)

    def _find_senses(self, word: str) -> list[int]:
        """Return the numbers of the senses of a word and of its base forms."""
        plain = word.lower().replace(" ", "_")
        starts, numbers = self._sense_starts, []
        for pos in _PARTS_OF_SPEECH:
            for form in self.base_forms(plain, pos):
                row = self._words.find(pos + form)
                numbers += self._senses[starts[row] : starts[row + 1]].tolist()
        return list(dict.fromkeys(numbers))


@lru_cache(maxsize=2)
def _loaded(folder: str) -> WordNet:
    return WordNet(folder)


def _nltk_folders() -> list[str]:
    """Return the folders in which nltk looks for its data."""
    # Importing nltk takes longer than loading everything else that scoring needs. If it has been
    # imported, its list may have been changed.
    if "nltk" in sys.modules or (os.name == "nt" and find_spec("nltk")):
        import nltk

        return list(nltk.data.path)
    named = [path for path in os.environ.get("NLTK_DATA", "").split(os.pathsep) if path]
    of_python = [os.path.join(sys.prefix, *part, "nltk_data") for part in ([], ["share"], ["lib"])]
    of_system = [f"/usr/{part}/nltk_data" for part in ("share", "local/share", "lib", "local/lib")]
    return [*map(os.path.expanduser, [*named, "~/nltk_data"]), *of_python, *of_system]
