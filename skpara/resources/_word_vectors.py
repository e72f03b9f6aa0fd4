"""Word vectors: a read-only table from words to rows."""

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
from skpara._typing import Oov
from skpara.resources import _vector_files
from skpara.resources._subword import SubwordIndex
from skpara.text import Vocabulary

_DEFAULT = Path(__file__).parent / "data" / "default.safetensors"


@set_module("skpara", trusted=True)
class WordVectors:
    """Read-only table of word vectors.

    One table serves many estimators: scikit-learn's ``clone`` returns the same object, workers
    of joblib share it by memory map, and pickles hold arrays only. In a pickle the packaged table
    stands once and in eight bits; tables tuned from it add the rows that were moved.

    Parameters
    ----------
    words : iterable of str, or Vocabulary
        Distinct words, most frequent first. Text is lower-cased before look-up, so words should
        be too; :meth:`load` sees to it.
    matrix : array-like of shape (n_words, n_dims)
        One row a word: floats, or ``int8`` codes when ``scales`` is given.
    scales : array-like of shape (n_words,), optional
        What each row of codes is multiplied with.

    Attributes
    ----------
    words : list of str
    matrix : ndarray of shape (n_words, n_dims), float32, read-only
    n_dims : int

    Raises
    ------
    ValueError
        If a word occurs twice, the shapes do not agree, or a vector is not finite.

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
        # Tables over the same words share the index.
        self.vocabulary = words if isinstance(words, Vocabulary) else Vocabulary(words)
        self._codes: NDArray[np.int8] | None = None
        self._scales: NDArray[np.float32] | None = None
        self._matrix: NDArray[np.float32] | None = None
        if scales is None:
            self._matrix = _read_only(np.asarray(matrix, dtype=np.float32))
        else:
            self._codes = _read_only(np.asarray(matrix, dtype=np.int8))
            self._scales = _read_only(np.asarray(scales, dtype=np.float32))
        self._subwords: SubwordIndex | None = None
        self._check()

    def _check(self) -> None:
        table = self._table
        if table.ndim != 2 or table.shape[0] != len(self.words) or table.shape[1] < 1:
            raise ValueError(
                f"The matrix has shape {table.shape}; {len(self.words)} words need "
                f"({len(self.words)}, n_dims): one row a word."
            )
        if len(self.words) == 0:
            raise ValueError("The table holds no words; pass at least one.")
        measured = table if self._scales is None else self._scales
        if not np.isfinite(measured).all():
            row = int(np.flatnonzero(~np.isfinite(measured.reshape(len(measured), -1)).all(1))[0])
            raise ValueError(
                f"The vector of {self.words[row]!r} (row {row}) is not finite; remove the word "
                "or mend the file."
            )

    @property
    def _table(self) -> NDArray[Any]:
        table = self._matrix if self._codes is None else self._codes
        assert table is not None
        return table

    @property
    def words(self) -> list[str]:
        """The words, in the order of the rows."""
        return self.vocabulary.words

    @property
    def n_dims(self) -> int:
        """Length of a vector."""
        return int(self._table.shape[1])

    @property
    def matrix(self) -> NDArray[np.float32]:
        """The rows, float32 and read-only. Eight-bit rows are widened once and kept."""
        if self._matrix is None:
            assert self._codes is not None
            assert self._scales is not None
            self._matrix = _read_only(self._codes * self._scales[:, None])
        return self._matrix

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        return self.matrix[self.vocabulary.index[word]]

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, {self.n_dims} dimensions)"

    def __sklearn_clone__(self) -> WordVectors:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.__getstate__(),)

    def __getstate__(self) -> dict[str, Any]:
        # Words as one string; widened rows and indices are made again where they are needed.
        moved = None if self._codes is not None else self._moved_rows()
        if moved is None:
            words = json.dumps(self.words)
            return {"words": words, "table": self._table, "scales": self._scales}
        # The packaged table stands once in a file, however many were tuned from it.
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
        """Rows other than the packaged table's; None where this is another table, or nearly."""
        base, matrix = _default(), self.matrix
        n_words = len(base)
        if len(self) < n_words or self.n_dims != base.n_dims:
            return None
        if self.vocabulary is not base.vocabulary and self.words[:n_words] != base.words:
            return None
        changed = np.ones(len(self), dtype=bool)
        changed[:n_words] = (matrix[:n_words] != base.matrix).any(axis=1)
        return np.flatnonzero(changed) if changed.mean() < 0.7 else None

    @classmethod
    def load(cls, source: Any = "default") -> WordVectors:
        """Word vectors from wherever they are.

        Parameters
        ----------
        source : "default", path, gensim KeyedVectors, mapping or WordVectors
            "default" is the table that ships with skpara (see the model card). A path may lead to
            word2vec text or binary, GloVe text, or ``.npz`` and ``.safetensors`` as :meth:`save`
            writes them. A mapping goes from words to vectors.

        Returns
        -------
        WordVectors
            Words are lower-cased; where that makes two the same, the one that was lower-case
            already stays, else the first.

        Raises
        ------
        FileNotFoundError, ValueError, TypeError
            With the path and the remedy.

        Examples
        --------
        >>> from skpara import WordVectors
        >>> WordVectors.load({"Dog": [1.0, 0.0], "cat": [0.0, 1.0]}).words
        ['dog', 'cat']
        """
        if isinstance(source, WordVectors):
            return source
        if isinstance(source, str) and source == "default":
            return _default()
        if isinstance(source, (str, os.PathLike)):
            with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
                table = _vector_files.read(Path(source))
                try:
                    return cls(*table)
                except ValueError as error:
                    raise ValueError(f"{os.fspath(source)}: {error}") from error
        if isinstance(source, Mapping):
            return cls(*_vector_files.from_mapping(source))
        if hasattr(source, "index_to_key") and hasattr(source, "vectors"):
            return cls(*_vector_files.lower_cased(source.index_to_key, source.vectors))
        raise TypeError(
            f"vectors must be 'default', a path, gensim KeyedVectors, a mapping from words to "
            f"vectors or a WordVectors, got {type(source).__name__}."
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table beside ``path`` and rename it: ``.safetensors`` or ``.npz``.

        Both are read back by :meth:`load`; ``.safetensors`` is memory-mapped there.

        Raises
        ------
        ValueError
            If the ending is another one.
        """
        _vector_files.write(Path(path), self.words, self._table, self._scales)

    def lookup(self, words: Sequence[str], oov: Oov = "subword") -> NDArray[np.float32]:
        """Vectors of words, unknown ones by rule.

        Parameters
        ----------
        words : sequence of str
            Lower-cased words.
        oov : {"subword", "rare", "zero"}, default="subword"
            What an unknown word gets: the mean of the known words that share most of its
            character 3- to 5-grams; the vector of the table's last (rarest) word, as Hokamp and
            Arora (2016) did; or zeros.

        Returns
        -------
        ndarray of shape (n_words, n_dims), float32
        """
        check_oov(oov)
        index = self.vocabulary.index
        rows = np.fromiter(map(index.get, words, repeat(-1)), dtype=np.int64, count=len(words))
        found = self.matrix[rows]
        unknown = np.flatnonzero(rows < 0)
        if len(unknown):
            found[unknown] = self.unknown_vectors([words[i] for i in unknown.tolist()], oov)
        return found

    def unknown_vectors(self, words: Sequence[str], oov: Oov) -> NDArray[np.float32]:
        """Vectors, by the rule ``oov``, of words known not to be in the table."""
        if oov == "rare":
            return np.repeat(self.matrix[-1:], len(words), axis=0)
        if oov == "zero" or not words:
            return np.zeros((len(words), self.n_dims), dtype=np.float32)
        if self._subwords is None:
            self._subwords = SubwordIndex(self.words, self.matrix)
        return self._subwords.vectors(words)


def check_oov(oov: str) -> None:
    """Refuse an unknown rule for unknown words."""
    if oov not in get_args(Oov):
        raise ValueError(f"oov must be one of {list(get_args(Oov))}, got {oov!r}.")


@lru_cache(maxsize=1)
def _default() -> WordVectors:
    return WordVectors(*_vector_files.read(_DEFAULT))


def _restored(state: dict[str, Any]) -> WordVectors:
    """A pickled table; the packaged one where it is the same, as its indices may be there."""
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


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array
