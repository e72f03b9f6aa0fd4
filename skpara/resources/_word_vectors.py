"""WordVectors: a read-only table from words to rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._public import set_module
from skpara._typing import Oov, Vectors
from skpara.resources import _vector_files
from skpara.resources._subword import SubwordIndex
from skpara.text import Vocabulary

_DEFAULT = Path(__file__).parent / "data" / "default.safetensors"


@set_module("skpara", trusted=True)
class WordVectors:
    """Read-only table of word vectors.

    Many estimators can share one table: scikit-learn's ``clone`` returns the same object, joblib's
    workers share it by memory map, and pickles contain only arrays. A pickle contains the packaged
    table once, in eight bits; tables that were tuned from it add only the rows that changed.

    Parameters
    ----------
    words : iterable of str, or Vocabulary
        Distinct words, most frequent first. Text is lower-cased before the lookup, so words must
        be lower-cased too, as :meth:`load` does.
    matrix : array-like of shape (n_words, n_dims)
        One row for each word: floats, or ``int8`` codes if ``scales`` is passed.
    scales : array-like of shape (n_words,), optional
        Factor of each row of codes.

    Attributes
    ----------
    vocabulary : Vocabulary
        Index of the words.

    Raises
    ------
    ValueError
        If a word occurs twice, the shapes do not match, or a vector is not finite.

    Examples
    --------
    >>> from skpara import WordVectors
    >>> vectors = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.8, 0.6]])
    >>> "dog" in vectors, len(vectors), vectors.n_dims
    (True, 2, 2)
    >>> vectors.lookup(["cat", "xyz"], oov="zero").tolist()
    [[0.800000011920929, 0.6000000238418579], [0.0, 0.0]]
    """

    def __init__(
        self,
        words: Iterable[str] | Vocabulary,
        matrix: ArrayLike,
        scales: ArrayLike | None = None,
    ) -> None:
        # Tables over the same words can share one index.
        self.vocabulary = words if isinstance(words, Vocabulary) else Vocabulary(words)
        self._table = _read_only(matrix, np.float32 if scales is None else np.int8)
        self._scales = None if scales is None else _read_only(scales, np.float32)
        self._matrix: Vectors | None = self._table if scales is None else None
        self._subwords: SubwordIndex | None = None
        self._check()

    def _check(self) -> None:
        table = self._table
        if table.ndim != 2 or table.shape[0] != len(self.words) or table.shape[1] < 1:
            raise ValueError(
                f"The matrix has shape {table.shape}; {len(self.words)} words need shape "
                f"({len(self.words)}, n_dims), one row for each word."
            )
        if len(self.words) == 0:
            raise ValueError("The table has no words; pass at least one.")
        measured = table if self._scales is None else self._scales
        if not np.isfinite(measured).all():
            row = int(np.flatnonzero(~np.isfinite(measured.reshape(len(measured), -1)).all(1))[0])
            raise ValueError(
                f"The vector of {self.words[row]!r} (row {row}) is not finite; remove the word "
                "or correct the vector."
            )

    @property
    def words(self) -> list[str]:
        """Words in the order of the rows."""
        return self.vocabulary.words

    @property
    def n_dims(self) -> int:
        """Length of a vector."""
        return int(self._table.shape[1])

    @property
    def rarest_row(self) -> int:
        """Row of the rarest word, which is the last one of letters and digits.

        The last row need not be a word: the packaged table ends with punctuation marks.
        """
        last = len(self) - 1
        return next((i for i in range(last, -1, -1) if self.words[i].isalnum()), last)

    @property
    def matrix(self) -> Vectors:
        """Read-only float32 array of shape (n_words, n_dims)."""
        # Eight-bit rows are converted once, on first use.
        if self._matrix is None:
            assert self._scales is not None
            self._matrix = _read_only(self._table * self._scales[:, None], np.float32)
        return self._matrix

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __getitem__(self, word: str) -> Vectors:
        return self.matrix[self.vocabulary.index[word]]

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, {self.n_dims} dimensions)"

    def __sklearn_clone__(self) -> WordVectors:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # A method of the public class: a pickle must not name this file.
        return WordVectors._restore, (self.__getstate__(),)

    @classmethod
    def _restore(cls, state: dict[str, Any]) -> WordVectors:
        """Restore a pickled table; if it equals the packaged one, return that with its indices."""
        vectors = WordVectors.__new__(WordVectors)
        vectors.__setstate__(state)
        if vectors._scales is not None:
            packaged = _default()
            assert packaged._scales is not None
            same = np.array_equal(packaged._table, vectors._table)
            same = same and np.array_equal(packaged._scales, vectors._scales)
            if same and vectors.words == packaged.words:
                return packaged
        return vectors

    def __getstate__(self) -> dict[str, Any]:
        # Words are one string. Converted rows and indices are rebuilt after loading.
        moved = self._moved_rows() if self._scales is None else None
        if moved is None:
            words = json.dumps(self.words)
            return {"words": words, "table": self._table, "scales": self._scales}
        # However many tables were tuned from the packaged one, a file has that only once.
        base = _default()
        more = json.dumps(self.words[len(base) :])
        return {"base": base, "words": more, "moved": moved, "rows": self.matrix[moved]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        words = json.loads(state["words"])
        if "base" not in state:
            WordVectors.__init__(self, words, state["table"], state["scales"])
            return
        base = state["base"]
        matrix = np.empty((len(base) + len(words), base.n_dims), dtype=np.float32)
        matrix[: len(base)] = base.matrix
        matrix[state["moved"]] = state["rows"]
        WordVectors.__init__(self, [*base.words, *words] if words else base.vocabulary, matrix)

    def _moved_rows(self) -> NDArray[np.int64] | None:
        """Return the rows that differ from the packaged table, or None if most of them do."""
        base, matrix = _default(), self.matrix
        n_words = len(base)
        if len(self) < n_words or self.n_dims != base.n_dims:
            return None
        if self.vocabulary is not base.vocabulary and self.words[:n_words] != base.words:
            return None
        changed = np.ones(len(self), dtype=bool)
        changed[:n_words] = (matrix[:n_words] != base.matrix).any(axis=1)
        # With the packaged table, a quarter of the size, more changed rows would save nothing.
        return np.flatnonzero(changed) if changed.mean() < 0.7 else None

    @classmethod
    def load(cls, source: Any = "default") -> WordVectors:
        """Load word vectors from a file, a mapping or gensim.

        Parameters
        ----------
        source : "default", path, gensim object, mapping or WordVectors, default="default"
            "default" is the table that ships with skpara (see the model card). A path may be
            that of word2vec text or binary, of GloVe text, each also in ``.gz`` or alone in a
            ``.zip``, or of a ``.npz`` or ``.safetensors`` file from :meth:`save`. A gensim
            object is ``KeyedVectors`` or a model, of which ``.wv`` is taken. A mapping maps
            words to vectors.

        Returns
        -------
        WordVectors
            The table with lower-cased words. Of words that become equal, one that was already
            lower-cased stays, else the first.

        Raises
        ------
        FileNotFoundError
            If ``source`` is a path and the file does not exist.
        ValueError
            If the file cannot be read or a vector is not finite.
        TypeError
            If ``source`` is something else.

        Warns
        -----
        UserWarning
            If a text file has more rows than its first line announces. All of them are read.
        """
        if isinstance(source, WordVectors):
            return source
        if isinstance(source, str) and source == "default":
            return _default()
        if isinstance(source, (str, os.PathLike)):
            with np.errstate(over="ignore"):  # overflow gives infinity, which is refused
                table = _vector_files.read(Path(source))
                try:
                    return cls(*table)
                except ValueError as error:
                    raise ValueError(f"{os.fspath(source)}: {error}") from error
        if isinstance(source, Mapping):
            return cls(*_vector_files.from_mapping(source))
        source = getattr(source, "wv", source)  # of a gensim model: Word2Vec, FastText
        if hasattr(source, "index_to_key") and hasattr(source, "vectors"):
            return cls(*_vector_files.lower_cased(source.index_to_key, source.vectors))
        raise TypeError(
            "vectors must be 'default', a path, gensim's KeyedVectors or a model that has them as "
            ".wv, a mapping from words to vectors or a WordVectors, got "
            f"{type(source).__name__}."
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file.

        The file is written under another name and then renamed, so it is never incomplete.

        Parameters
        ----------
        path : path
            Where to write; the suffix is ``.safetensors`` or ``.npz``. :meth:`load` reads both
            and memory-maps the former.

        Raises
        ------
        ValueError
            If the suffix is another one.
        """
        _vector_files.write(Path(path), self.words, self._table, self._scales)

    def lookup(self, words: Sequence[str], oov: Oov = "subword") -> Vectors:
        """Return the vectors of words.

        Parameters
        ----------
        words : sequence of str
            Lower-cased words.
        oov : {"subword", "rare", "zero"}, default="subword"
            Vector of an unknown word: the mean of the known words that share most of its
            character 3- to 5-grams; the vector of the rarest word, as in Hokamp and Arora (2016),
            see :attr:`rarest_row`; or zeros.

        Returns
        -------
        ndarray of float32, shape (n_words, n_dims)
            One vector for each word.

        Raises
        ------
        ValueError
            If ``oov`` is something else.
        """
        if oov not in get_args(Oov):
            raise ValueError(f"oov must be one of {list(get_args(Oov))}, got {oov!r}.")
        index = self.vocabulary.index
        rows = np.fromiter(map(index.get, words, repeat(-1)), dtype=np.int64, count=len(words))
        vectors = self.matrix[rows]
        unknown = np.flatnonzero(rows < 0)
        if len(unknown):
            vectors[unknown] = self.unknown_vectors([words[i] for i in unknown.tolist()], oov)
        return vectors

    def unknown_vectors(self, words: Sequence[str], oov: Oov) -> Vectors:
        """Return the vectors of words that are known to be missing from the table.

        Parameters
        ----------
        words : sequence of str
            Lower-cased words.
        oov : {"subword", "rare", "zero"}
            The same as in :meth:`lookup`.

        Returns
        -------
        ndarray of float32, shape (n_words, n_dims)
            One vector for each word.
        """
        if oov == "rare":
            return np.repeat(self.matrix[[self.rarest_row]], len(words), axis=0)
        if oov == "zero" or not words:
            return np.zeros((len(words), self.n_dims), dtype=np.float32)
        if self._subwords is None:
            self._subwords = SubwordIndex(self.words, self.matrix)
        return self._subwords.vectors(words)


@lru_cache(maxsize=1)
def _default() -> WordVectors:
    return WordVectors(*_vector_files.read(_DEFAULT))


def _read_only(values: ArrayLike, dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.asarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array
