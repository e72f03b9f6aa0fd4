"""WordVectors: a read-only table from words to rows."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._array_files import is_usable
from skpara._core import Ragged, text_kernels
from skpara._public import set_module
from skpara._typing import Attributes, FilePath, Ints, Oov, Vectors
from skpara.resources import _vector_files
from skpara.resources._packaged_vectors import (
    DEFAULT_FILE,
    LANGUAGES_FILE,
    own_multilingual_file,
    read_product_codes,
)
from skpara.resources._subword import (
    MOST_WORDS,
    SubwordIndex,
    UnknownVectors,
    has_digit,
    random_directions,
)
from skpara.text import Vocabulary

# Unknown words at a time, which bounds the memory of the twenty neighbors of each.
_UNKNOWN_AT_ONCE = 1024
# Rows that are compared at a time, a megabyte.
_ROWS_AT_ONCE = 4096

# Length of the part that only one number has, in median lengths of the rows. From .75 to 1.5, r of
# the cosine on STS 2012-2015 is between .765 and .768; without it .753.
_NUMBER_LENGTH = np.float32(1.25)


class Layers(NamedTuple):
    """The rows of a large shared table, and a few on top of it.

    Rows are numbered on from ``table`` to ``moved``. Word ``i`` has row ``places[i]``, or row
    ``i`` where ``places`` is None as no row has moved. Where ``table`` has 8-bit codes, its rows
    are multiplied by ``scales``. Pooling reads these arrays and copies no
    table.
    """

    table: Vectors | NDArray[np.int8]
    scales: Vectors | None
    moved: Vectors
    places: NDArray[np.int32] | None


@set_module("skpara", trusted=True)
class WordVectors:
    """Read-only table of word vectors.

    Many estimators can share one table: scikit-learn's ``clone`` returns the same object, joblib's
    workers share it by memory map, and pickles contain only arrays. A table tuned from another
    shares its rows, words and indices, and adds only what changed, in memory and in pickles; see
    :meth:`with_rows`. The packaged table takes eight bits per number.

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
        # Codes that need no conversion are not read: a mapped table stays on disk.
        codes = self._table if scales is None else np.asarray(matrix)
        if codes.dtype != self._table.dtype and not np.array_equal(self._table, codes):
            raise ValueError("The codes of 8-bit vectors must be whole numbers from -128 to 127.")
        self._matrix: Vectors | None = self._table if scales is None else None
        # The table that this one shares its rows with, and the rows on top of it.
        self._base: WordVectors | None = None
        self._moved_ids = np.empty(0, dtype=np.int64)
        self._moved = np.empty((0, *self._table.shape[-1:]), dtype=np.float32)
        self._places: NDArray[np.int32] | None = None
        self._subwords: SubwordIndex | None = None
        self._unknown: dict[Oov, UnknownVectors] = {}
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
        if self._scales is not None and measured.shape != (len(table),):
            raise ValueError(f"scales has shape {measured.shape}; pass one number for each word.")
        usable = is_usable(measured)
        if not usable.all():
            row = int(np.flatnonzero(~usable.reshape(len(measured), -1).all(1))[0])
            raise ValueError(_not_finite(self.words[row], row))

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
        # Joined and converted on first use. It takes 60 MB for the packaged table, so encoding and
        # training use `take` and `layers` instead.
        if self._matrix is None:
            self._matrix = _read_only(self.take(np.arange(len(self))), np.float32)
        return self._matrix

    @property
    def layers(self) -> Layers:
        """The arrays that hold the rows."""
        return Layers(self._table, self._scales, self._moved, self._places)

    @cached_property
    def rms(self) -> float:
        """Root mean square of all numbers of the table."""
        total = 0.0
        for start in range(0, len(self), 4096):  # in blocks, which fit into the cache
            rows = self.take(np.arange(start, min(start + 4096, len(self)))).ravel()
            total += float(rows @ rows)
        return float(np.sqrt(total / (len(self) * self.n_dims)))

    def take(self, ids: NDArray[np.integer]) -> Vectors:
        """Return rows by their numbers.

        Parameters
        ----------
        ids : ndarray of int, shape (n_rows,)
            Positions in :attr:`words`.

        Returns
        -------
        ndarray of float32, shape (n_rows, n_dims)
            A copy of the rows.
        """
        if self._places is None or self._matrix is not None:
            if self._matrix is not None:
                return self._matrix.take(ids, axis=0)
            assert self._scales is not None
            return self._table.take(ids, axis=0) * self._scales[ids, None]
        assert self._base is not None
        places = self._places[ids] - len(self._table)
        on_top = places >= 0
        # Words that were added have no row in the base, and are all on top.
        rows = self._base.take(np.where(on_top, 0, ids))
        rows[on_top] = self._moved[places[on_top]]
        return rows

    def with_rows(
        self, ids: NDArray[np.integer], rows: Vectors, words: Sequence[str] = ()
    ) -> WordVectors:
        """Return a table with some rows replaced and words added, which shares all the rest.

        Parameters
        ----------
        ids : ndarray of int, shape (n_rows,)
            Distinct positions of the rows in the words of this table, followed by ``words``. All
            of ``words`` must have a row.
        rows : ndarray of float32, shape (n_rows, n_dims)
            The new rows.
        words : sequence of str, default=()
            Words to add.

        Returns
        -------
        WordVectors
            The new table, or this one if nothing differs. Unknown words get the mean of similar
            words of the first table that others were made from, with their new rows.

        Raises
        ------
        ValueError
            If a row is not finite, or a word is in the table already.

        Examples
        --------
        >>> import numpy as np
        >>> from skpara import WordVectors
        >>> vectors = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.75, 0.5]])
        >>> tuned = vectors.with_rows(np.array([1, 2]), np.float32([[0, 1], [2, 2]]), ["puppy"])
        >>> tuned.lookup(["dog", "cat", "puppy"]).tolist()
        [[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]
        """
        vocabulary = self.vocabulary.extend(words) if words else self.vocabulary
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            row = int(ids[np.flatnonzero(~finite)[0]])
            raise ValueError(_not_finite(vocabulary.words[row], row))
        known = ids < len(self)
        changed = ~known
        changed[known] = (self.take(ids[known]) != rows[known]).any(axis=1)
        if not changed.any():
            return self
        ids = ids[changed]
        rows = rows[changed]
        moved_ids = np.union1d(self._moved_ids, ids)
        moved = np.empty((len(moved_ids), self.n_dims), dtype=np.float32)
        moved[np.searchsorted(moved_ids, self._moved_ids)] = self._moved
        moved[np.searchsorted(moved_ids, ids)] = rows
        tuned = WordVectors.__new__(WordVectors)
        tuned._put_on(self._base or self, vocabulary, moved_ids, moved)
        return tuned

    def rounded(self) -> WordVectors:
        """Return a table with tuned rows that take eight bits per number in a pickle.

        Returns
        -------
        WordVectors
            The new table, or this one if it was not tuned from a table of 8-bit codes. A row
            differs from the row of the first table by its codes times a factor.
        """
        if self._base is None or self._scales is None:
            return self
        base, codes, factors = self._differences()
        tuned = WordVectors.__new__(WordVectors)
        tuned._put_on(self._base, self.vocabulary, self._moved_ids, base + codes * factors)
        return tuned

    def _differences(self) -> tuple[Vectors, NDArray[np.int8], Vectors]:
        """Return the rows of the base that were tuned, and 8-bit differences with factors."""
        assert self._base is not None
        base = np.zeros_like(self._moved)
        known = self._moved_ids < len(self._base)
        base[known] = self._base.take(self._moved_ids[known])
        with np.errstate(over="ignore", invalid="ignore"):
            differences = self._moved - base
            largest = np.abs(differences).max(axis=1, initial=0.0, keepdims=True)
            # Powers of two, so that rounded rows have these very codes again.
            factors = np.ldexp(np.float32(1), np.frexp(largest / np.float32(127.25))[1])
            codes = np.rint(differences / factors).astype(np.int8)
        return base, codes, factors.astype(np.float32)

    def _put_on(
        self, base: WordVectors, vocabulary: Vocabulary, ids: Ints, moved: Vectors
    ) -> None:
        """Initialize as a view of ``base`` in which the rows ``ids`` (sorted) are replaced."""
        vars(self).update(vars(base))
        self.vocabulary = vocabulary
        self._base = base
        self._moved_ids = ids
        places = np.arange(len(vocabulary), dtype=np.int32)
        places[ids] = len(base) + np.arange(len(ids))
        for array in (places, moved):
            array.flags.writeable = False
        self._places = _read_only(places, np.int32)
        self._moved = _read_only(moved, np.float32)
        for of_rows in ("rms", "_lengths"):
            vars(self).pop(of_rows, None)
        self._matrix = None
        self._unknown = {}

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __getitem__(self, word: str) -> Vectors:
        return self.take(np.array([self.vocabulary.index[word]]))[0]

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, {self.n_dims} dimensions)"

    def __sklearn_clone__(self) -> WordVectors:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # A method of the public class: a pickle must not name this file.
        return WordVectors._restore, (self.__getstate__(),)

    @classmethod
    def _restore(cls, state: Attributes) -> WordVectors:
        """Restore a pickled table; if it equals the packaged one, return that with its indices."""
        if state.get("scales") is not None and (packaged := _default())._scales is not None:
            same = [_equals(getattr(packaged, f"_{k}"), state[k]) for k in ("table", "scales")]
            # Before the index of the words is built, which takes longer than all the rest.
            if all(same) and _unpack(state["words"]) == packaged.words:
                return packaged
        vectors = WordVectors.__new__(WordVectors)
        vectors.__setstate__(state)
        return vectors

    def __getstate__(self) -> Attributes:
        # Words are one string. Converted rows and indices are rebuilt after loading.
        # However many tables were tuned from a table, a file has that only once.
        base = self._base
        moved = self._moved_ids
        if base is None:
            return {"words": _pack(self.words), "table": self._table, "scales": self._scales}
        words = _pack(self.words[len(base) :])
        moved = moved.astype(np.int32)
        state = {"base": base, "words": words, "moved": moved}
        rows, codes, factors = self._differences()
        if np.array_equal(rows + codes * factors, self._moved):
            return {**state, "codes": codes, "factors": factors}
        return {**state, "rows": self.take(moved)}

    def __setstate__(self, state: Attributes) -> None:
        words = _unpack(state["words"])
        if "base" not in state:
            WordVectors.__init__(self, words, state["table"], state["scales"])
            return
        base = state["base"]
        moved = np.asarray(state["moved"], dtype=np.int64)
        vocabulary = base.vocabulary.extend(words) if words else base.vocabulary
        if "rows" in state:  # rows that were not rounded
            rows = state["rows"]
        else:
            rows = state["codes"] * state["factors"]
            known = moved < len(base)
            rows[known] += base.take(moved[known])
        self._put_on(base, vocabulary, moved, rows)

    @classmethod
    def load(cls, source: Any = "default") -> WordVectors:
        """Load word vectors from a file, a mapping, gensim or model2vec.

        Parameters
        ----------
        source : str, path, gensim object, StaticModel, mapping or WordVectors, default="default"
            "default" is the table that ships with skpara (see the model card). "multilingual" is
            the same with Spanish and French words, or your own table in the cache folder, see
            the guide on other languages. A path may lead to word2vec or
            GloVe text, also in ``.gz``, or to a ``.npz`` or ``.safetensors`` file from
            :meth:`save`. A gensim object is ``KeyedVectors`` or a model, whose ``.wv`` is taken.
            Of a ``StaticModel`` of model2vec, the tokens that are whole words are taken. A mapping
            maps words to vectors.

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
            If a text file has more rows than its first line announces (all of them are read).
        """
        if isinstance(source, WordVectors):
            return source
        if isinstance(source, str) and source in _PACKAGED:
            return _PACKAGED[source]()
        if isinstance(source, (str, os.PathLike)):
            return cls._read(Path(source))
        return cls(*_vector_files.from_object(source))

    @classmethod
    def _read(cls, path: Path) -> WordVectors:
        with np.errstate(over="ignore"):  # overflow gives infinity, which is refused
            table = _vector_files.read(path)
            for array in table[1:]:
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False  # nobody else has it: it is not copied
            try:
                return cls(*table)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from error

    def save(self, path: FilePath) -> None:
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
            If the suffix is different.
        """
        rows = (self._table, self._scales) if self._base is None else (self.matrix, None)
        _vector_files.write(Path(path), self.words, *rows)

    def lookup(self, words: Sequence[str], oov: Oov = "subword") -> Vectors:
        """Return the vectors of words.

        Parameters
        ----------
        words : sequence of str
            Lower-cased words.
        oov : {"subword", "rare", "zero"}, default="subword"
            Vector of an unknown word: the mean of the known words that share most of its
            character 3- to 5-grams, and for a word with a digit a random vector on top, which only
            this word has; the vector of the rarest word, as in Hokamp and Arora (2016), see
            :attr:`rarest_row`; or zeros.

        Returns
        -------
        ndarray of float32, shape (n_words, n_dims)
            One vector for each word.

        Raises
        ------
        ValueError
            If ``oov`` is something else.
        """
        self.unknown_words(oov)  # checks it
        index = self.vocabulary.index
        rows = np.fromiter(map(index.get, words, repeat(-1)), dtype=np.int64, count=len(words))
        vectors = self.take(rows)
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
        unknown = self.unknown_words(oov)
        if len(words) > MOST_WORDS:  # too many to be kept
            unknown = self._no_unknown_words(oov)
        ids = map(unknown.ids.__getitem__, words)
        rows = np.fromiter(ids, dtype=np.int64, count=len(words)) - unknown.ids.first
        return unknown.rows()[rows]

    def unknown_words(self, oov: Oov) -> UnknownVectors:
        """Return the ids and vectors of unknown words, to which others may be added.

        Parameters
        ----------
        oov : {"subword", "rare", "zero"}
            The same as in :meth:`lookup`.

        Returns
        -------
        UnknownVectors
            The words that were met in earlier calls, or none if they became too many.
        """
        if oov not in get_args(Oov):
            raise ValueError(f"oov must be one of {list(get_args(Oov))}, got {oov!r}.")
        unknown = self._unknown.get(oov)
        if unknown is None or len(unknown.ids.words) >= MOST_WORDS:
            unknown = self._unknown[oov] = self._no_unknown_words(oov)
        return unknown

    def _no_unknown_words(self, oov: Oov) -> UnknownVectors:
        compute: Callable[[Sequence[str], Vectors], None] = self._subword_vectors
        if oov != "subword":  # one vector for all
            vector = self.take(np.array([self.rarest_row])) * np.float32(oov == "rare")
            compute = lambda _, out: np.copyto(out, vector)  # noqa: E731
        return UnknownVectors(self.vocabulary.unknown_ids(), self.n_dims, compute)

    @cached_property
    def _median_length(self) -> float:
        # Of some thousand rows from all parts of the table: all would take as long as to encode
        # 20,000 sentences.
        rows = self.take(np.arange(0, len(self), 1 + len(self) // 4096))
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
        return float(np.median(lengths))

    @cached_property
    def _lengths(self) -> Vectors:
        """Lengths of rows, without scales, which the compiled module fills in; 0 if unknown."""
        return np.zeros(len(self._table) + len(self._moved), dtype=np.float32)

    def _subword_vectors(self, words: Sequence[str], out: Vectors) -> None:
        base = self._base or self
        if base._subwords is None:
            base._subwords = SubwordIndex(base.words)
        for start in range(0, len(words), _UNKNOWN_AT_ONCE):
            part = slice(start, start + _UNKNOWN_AT_ONCE)
            ids, weights = base._subwords.shares(words[part])
            neighbors = Ragged(ids.ravel(), np.arange(len(ids) + 1) * ids.shape[1])
            _write_sums(self, neighbors, weights.ravel(), out[part])
        numbers = [i for i, word in enumerate(words) if has_digit(word)]
        if numbers:  # their spelling says little: without this, "14 cents" equals "93 cents"
            length = _NUMBER_LENGTH * np.float32(base._median_length)
            out[numbers] += length * random_directions([words[i] for i in numbers], self.n_dims)


def eight_bit_codes(rows: Vectors) -> tuple[NDArray[np.int8], Vectors]:
    """Return 8-bit codes of rows, and the scale of each: the largest number of a row is 127."""
    scales = np.abs(rows).max(axis=1, initial=0.0) / 127
    codes = np.rint(rows / np.maximum(scales, 1e-30)[:, None])  # a row of zeros stays one
    return codes.astype(np.int8), scales.astype(np.float32)


def with_codes(table: WordVectors, words: list[str], rows: Vectors) -> WordVectors:
    """Return a table of 8-bit codes with new rows for the words, added if they are new."""
    layers = table.layers
    if layers.places is None and layers.scales is not None:
        codes = np.array(layers.table)
        scales = np.array(layers.scales)
    else:
        codes, scales = eight_bit_codes(table.matrix)
    new_codes, new_scales = eight_bit_codes(rows)
    index = table.vocabulary.index
    places = np.array([index.get(word, -1) for word in words], dtype=np.int64)
    known = places >= 0
    codes[places[known]], scales[places[known]] = new_codes[known], new_scales[known]
    added = [word for word, is_known in zip(words, known, strict=True) if not is_known]
    return WordVectors(
        [*table.words, *added],
        np.vstack([codes, new_codes[~known]]),
        np.append(scales, new_scales[~known]),
    )


@lru_cache(maxsize=1)
def _default() -> WordVectors:
    return WordVectors(*_vector_files.read(DEFAULT_FILE))


def _multilingual() -> WordVectors:
    path = own_multilingual_file()
    if path is None:
        return _english_and_others()
    state = path.stat()
    return _mapped(path, state.st_mtime_ns, state.st_size)


_PACKAGED: dict[str, Callable[[], WordVectors]] = {
    "default": _default,
    "multilingual": _multilingual,
}


@lru_cache(maxsize=1)
def _mapped(path: Path, time: int, size: int) -> WordVectors:
    """Read a table; a clone or a second encoder gets the same one unless the file was replaced."""
    return WordVectors(*_vector_files.read(path))


@lru_cache(maxsize=1)
def _english_and_others() -> WordVectors:
    return with_codes(_default(), *read_product_codes(LANGUAGES_FILE))


def _equals(array: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether arrays are equal; of one that is mapped, no page stays in memory."""
    mapped = array.base
    if not isinstance(mapped, np.memmap) or array.shape != other.shape:
        return np.array_equal(array, other)
    assert mapped.filename is not None
    rows = range(0, len(other), _ROWS_AT_ONCE)
    with open(mapped.filename, "rb") as file:
        file.seek(mapped.offset)
        return all(
            np.array_equal(np.fromfile(file, array.dtype, part.size), part.ravel())
            for part in (other[start : start + _ROWS_AT_ONCE] for start in rows)
        )


def _read_only(values: ArrayLike, dtype: type) -> NDArray[Any]:
    """Return a read-only array, which nobody else can change."""
    array: NDArray[Any] = np.asarray(values, dtype=dtype, order="C")
    is_shared = array is values or array.base is not None
    # Memory-mapped arrays may be unaligned; the kernels require alignment.
    if not array.flags.aligned or (array.flags.writeable and is_shared):
        array = array.copy()
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _pack(words: list[str]) -> bytes:
    # Two halves of characters side by side, as escapes, would be read as one character.
    text = json.dumps(words, ensure_ascii=False)
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _unpack(packed: list[str] | bytes | str) -> list[str]:
    if isinstance(packed, list):  # of a model file
        return packed
    # Files that were written earlier have the JSON as it is.
    if not isinstance(packed, str):
        packed = zlib.decompress(packed).decode("utf-8", "surrogatepass")
    return json.loads(packed)


def _not_finite(word: str, row: int) -> str:
    return (
        f"The vector of {word!r} (row {row}) is not finite or too large; remove the "
        "word or correct the vector."
    )


def row_means(
    vectors: WordVectors,
    lists: Ragged,
    means: Vectors,
    *,
    extra: Vectors | None = None,
    extra_lengths: Vectors | None = None,
    distinct: bool = False,
    redundancy: float = 0.0,
) -> None:
    """Write the means of the rows of each list into an array of shape (n_lists, n_dims).

    The rows of ``extra`` have the ids behind the ids of the table; their lengths are written
    where ``extra_lengths`` has zeros. A ``distinct`` id counts once in a list. With
    ``redundancy``, means are weighted as :class:`skpara.networks.Average` describes, and the
    order of the rows changes no bit.
    """
    weights = None  # the compiled function divides by the number of distinct ids itself
    if not distinct:
        lengths = lists.lengths
        parts = np.ones(len(lengths)) if redundancy else 1 / np.maximum(lengths, 1)
        weights = np.repeat(parts, lengths).astype(np.float32)
    _write_sums(vectors, lists, weights, means, extra, extra_lengths, redundancy)


def _write_sums(
    vectors: WordVectors,
    lists: Ragged,
    weights: Vectors | None,
    sums: Vectors,
    extra: Vectors | None = None,
    extra_lengths: Vectors | None = None,
    redundancy: float = 0.0,
) -> None:
    """Write the sums of the rows of each list, each row times its weight, shape (n_items,).

    Each is computed on its own and in order, so it depends on no other.
    """
    # Eight-bit and moved rows are read where they are: no float32 table is made of them.
    table, scales, moved, rows = vectors.layers
    ids = lists.ids
    if rows is not None:
        n_more = len(table) + len(moved) - len(vectors)
        ids = np.where(ids < len(vectors), rows.take(ids, mode="clip"), ids + n_more)
    text_kernels.row_sums(
        sums,
        vectors.n_dims,
        ids,
        lists.offsets,
        weights,
        table,
        scales,
        moved,
        extra,
        redundancy,
        vectors._lengths if redundancy else None,
        extra_lengths if redundancy else None,
    )
