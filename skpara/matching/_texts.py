"""Texts of a column: which are alike by spelling, words and meaning, and in what.

A text is normalised: lower case, no accents, "&" is "and", "U.S." is "us", no "'s". Its character
n-grams (two and three, within words) and its words are weighted by TF-IDF of the indexed texts
alone, so that what a query gets does not depend on other queries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from skpara._array_files import check_array, check_texts
from skpara._core import Ragged, distinct
from skpara._normal_form import fold, record_key
from skpara._public import set_module
from skpara._typing import Floats, Vectors
from skpara.matching._model import run_starts
from skpara.matching._products import best_products, products
from skpara.matching._search import Rows, exact_cosines, nearest
from skpara.matching._word_pairs import (
    Side,
    Words,
    best_similarities,
    joined_sides,
    letters_in_common,
)
from skpara.text import CharacterNgrams

WORD = re.compile(r"[^\W_]+")
# Letters and digits apart: "MX500" is "MX 500".
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_POSSESSIVE = re.compile(r"'s\b")
# "C++" is not "C#", nor "A-" A, nor "-5" 5. But "&" is a word, and there are several ways to write
# phone numbers, dates, "#3" and "Acme®".
_SIGN = re.compile(r"[^\w\s&/|*~\\®©.,:;+#-]|[+#](?!\s?\d)|(?<!\w)[-.](?=\d)|-(?!\S)")
_APOSTROPHES = re.compile("['\u02bc`]")
# Texts of the same words have one vector: no more of them than these are candidates by it.
_MOST_TIES = 64
# The first words of two texts are compared, all with all, and the first characters: otherwise the
# time grows with the square of the length.
_MOST_WORDS = 512
# Pairs of words that are compared at a time. Those that may be similar, a tenth, take 50 MB.
_PAIRS_OF_WORDS = 2**23

FEATURES = [
    "characters",
    "words",
    "meaning",
    "soft",
    "containment",
    "contained",
    "least",
    "most",
    "unexplained",
    "missing",
    "number_unexplained",
    "number_missing",
    "first",
    "last",
    "sorted",
    "joined",
    "equal",
    "length",
]
# The numbers of words of each text that the other one does not explain, their weight, and how
# many of them are short.
REST = [
    f"{what} {side}" for what in ("words", "weight", "short words") for side in ("left", "gone")
]
_SHORT = 3
# A word is explained by one that is as similar.
_EXPLAINED = 0.8


def shallow_copy(x: Any) -> Any:
    """Return an object with the same attributes; ``copy.copy`` would make some of them anew."""
    new = object.__new__(type(x))
    vars(new).update(vars(x))
    return new


def become(x: Any, new: Any) -> None:
    """Give an object the attributes of another, in one step as seen by other threads."""
    vars(x).update(vars(new))


def normalize(text: str) -> str:
    """Return the words of a text as they are compared, joined by spaces.

    Of a text without words, such as an emoji, its signs are the words.
    """
    text = fold(text).replace("&", " and ")
    text = _DOTTED.sub(lambda match: match[0].replace(".", ""), text)
    text = _APOSTROPHES.sub("", _POSSESSIVE.sub("", text))
    return " ".join(_PARTS.findall(text) or text.split())


def signs(text: str) -> str:
    """Return the signs of a text that mean something, which equal texts have in common."""
    return "".join(_SIGN.findall(record_key(text)))


class Counts(NamedTuple):
    """Numbers of the n-grams and words of some texts: those of more texts are their sums."""

    ngrams: list[str]
    n_ngrams: Rows  # how often each occurs
    with_ngram: Rows  # in how many texts
    words: list[str]  # in the order in which they first occur
    with_word: Rows

    @classmethod
    def of(cls, texts: Sequence[str]) -> Counts:
        """Count what texts have."""
        normal = list(map(normalize, texts))
        ngrams = _within_words(normal)
        return cls.of_normal(normal, ngrams, _ngram_counts(ngrams, normal))

    @classmethod
    def of_normal(cls, normal: list[str], ngrams: CharacterNgrams, counts: Any) -> Counts:
        """Count what normalised texts have, after how often each has n-grams."""
        words: dict[str, int] = {}
        for text in normal:
            for word in dict.fromkeys(text.split()):
                words[word] = words.get(word, 0) + 1
        return cls(
            ngrams.words,
            np.bincount(counts.indices, counts.data, len(ngrams)).astype(np.int64),
            np.bincount(counts.indices, minlength=len(ngrams)),
            list(words),
            np.array(list(words.values()), dtype=np.int64),
        )


class Numbers(NamedTuple):
    """In how many of all texts that are searched n-grams and words are."""

    ngrams: list[str]
    with_ngram: Rows
    words: list[str]
    with_word: Rows
    n_texts: int


def rareness(n_with: Rows, n_texts: int) -> NDArray[np.float32]:
    """Return the weight of what ``n_with`` texts have, as scikit-learn's transformer does."""
    n_with_one_more = np.asarray(n_with, dtype=np.float32) + np.float32(1)
    ratios = np.full_like(n_with_one_more, n_texts + 1) / n_with_one_more
    result: NDArray[np.float32] = np.log(ratios) + np.float32(1)
    return result


class Bag(NamedTuple):
    """Prepared texts: what :class:`TextIndex` compares."""

    texts: list[str]  # normalised
    ids: Rows  # the different words of all texts, in order
    offsets: Rows  # where the words of each text begin
    ngrams: Any  # sparse matrices of weights
    words: Any
    units: Vectors | None  # vectors of length 1 or 0
    unknown: list[str]  # words that are not indexed; their ids follow the others

    def part(self, rows: Rows) -> Bag:
        """Return some of the texts."""
        words = Ragged(self.ids, self.offsets).take(rows)
        units = None if self.units is None else self.units[rows]
        texts = [self.texts[row] for row in rows.tolist()]
        return self._replace(
            texts=texts, ids=words.ids, offsets=words.offsets, ngrams=self.ngrams[rows],
            words=self.words[rows], units=units,
        )  # fmt: skip

    @property
    def n_words(self) -> Rows:
        """Number of words of each text that are compared."""
        return np.minimum(np.diff(self.offsets), _MOST_WORDS)


@set_module("skpara.matching", trusted=True)
class TextIndex:
    """Texts to search in, and the weights of n-grams and words that they have."""

    # Of how many of all texts n-grams and words are, if those that are indexed are a part.
    _n_with: tuple[Rows | None, Rows | None] = None, None

    def __init__(self, texts: Sequence[str], units: Vectors | None = None) -> None:
        normal = list(map(normalize, texts))
        ngrams = _within_words(normal)
        table = _ngram_counts(ngrams, normal)
        counts = Counts.of_normal(normal, ngrams, table)
        both = counts.ngrams, counts.with_ngram, counts.words, counts.with_word
        self._learn(ngrams, Numbers(*both, len(texts)))
        self._index(self._bag(normal, table, units))

    @classmethod
    def of_numbers(cls, numbers: Numbers) -> TextIndex:
        """Return an index of no texts, for :meth:`of_texts`, with the weights of all texts."""
        new = object.__new__(cls)
        new._learn(CharacterNgrams(numbers.ngrams, (2, 3)), numbers)
        new._n_with = numbers.with_ngram, numbers.with_word
        return new.of_texts([])

    def of_texts(self, texts: Sequence[str], units: Vectors | None = None) -> TextIndex:
        """Return an index of other texts with the same weights."""
        new = shallow_copy(self)
        new._index(self.prepare(texts, units))
        return new

    def extended(self, texts: Sequence[str], units: Vectors | None = None) -> TextIndex:
        """Return an index of more texts, which costs less than a new one.

        Weights stay as they are: new words are the rarest, and new n-grams have none.
        """
        new, normal, mine = shallow_copy(self), list(map(normalize, texts)), self.rows
        words = [*self._words, *self._word_ids(normal)[2]]
        rare = np.full(max(1, len(words)) - len(self._words), self._rarest)
        of_words = np.append(self.idfs[1][: len(self._words)], rare)
        new._weigh(self.ngrams, words, [self.idfs[0], of_words])
        more = new._bag(normal, _ngram_counts(new.ngrams, normal), units)
        old = csr_matrix(mine.words, shape=(len(mine.texts), more.words.shape[1]))
        new._index(
            Bag(
                mine.texts + normal,
                np.concatenate([mine.ids, more.ids]),
                np.concatenate([mine.offsets, more.offsets[1:] + mine.offsets[-1]]),
                vstack([mine.ngrams, more.ngrams], "csr"),
                vstack([old, more.words], "csr"),
                None
                if mine.units is None or units is None
                else np.concatenate([mine.units, units]),
                [],
            )
        )
        return new

    def _learn(self, ngrams: CharacterNgrams, numbers: Numbers) -> None:
        """Set the weights, by numbers of texts."""
        none = np.zeros(1, dtype=np.int64)  # a table has a column
        both = (x if len(x) else none for x in (numbers.with_ngram, numbers.with_word))
        idfs = [rareness(x, numbers.n_texts) for x in both]
        # Of words that are in no text; a text is never rarer.
        self._rarest = float(np.log(1 + numbers.n_texts) + 1)
        self._weigh(ngrams, numbers.words, idfs)

    def _weigh(self, ngrams: CharacterNgrams, words: list[str], idfs: list[Any]) -> None:
        self.ngrams, self.idfs, self._words = ngrams, idfs, words
        self.words = {word: number for number, word in enumerate(words)}
        self.idf, self._digits = idfs[1].astype(np.float64), _has_digit(words)

    def _index(self, rows: Bag) -> None:
        self.rows = rows
        self.ngrams_of, self._words_of = rows.ngrams.T.tocsr(), rows.words.T.tocsr()

    def __getstate__(self) -> dict[str, Any]:
        state = {"ngrams": self.ngrams.words, "words": self._words, "idf": self.idfs}
        return state | {"rarest": self._rarest, "rows": tuple(self.rows)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._rarest = state["rarest"]
        self._weigh(CharacterNgrams(state["ngrams"], (2, 3)), state["words"], state["idf"])
        self._index(Bag(*state["rows"]))

    def _check_loaded(self) -> None:
        rows, n = self.rows, len(self.rows.texts)
        check_texts("words", self._words, len(self.words.keys() - {""}))
        check_texts("texts", rows.texts)
        check_array("words of texts", rows.ids, np.int64, (None,), below=len(self.words))
        check_array("borders", rows.offsets, np.int64, (n + 1,), below=len(rows.ids) + 1)
        sizes = [max(1, len(self.ngrams)), max(1, len(self.words))]
        for idf, size in zip(self.idfs, sizes, strict=True):
            check_array("weights", idf, np.floating, (size,))
        for table, size in zip((rows.ngrams, rows.words), sizes, strict=True):
            if table.shape != (n, size):
                raise ValueError("a table of n-grams or words has another size than its texts")
            check_array("weights of texts", table.data, np.float32, (None,))
        if rows.units is not None:
            check_array("vectors of texts", rows.units, np.float32, (n, None))
        lightest = min(self._rarest, *(idf.min() for idf in self.idfs))
        if not lightest > 0 or np.diff(rows.offsets, prepend=0).min() < 0 or rows.unknown:
            raise ValueError("the words of texts are out of order, or their weights not positive")

    def _word_ids(self, normal: list[str]) -> tuple[Rows, Rows, list[str]]:
        """Return the ids of words, where texts begin, and the words that are not indexed."""
        known, new = self.words, dict[str, int]()
        ids, offsets = [], [0]
        for text in normal:
            for word in dict.fromkeys(text.split()):
                number = known.get(word)
                if number is None:
                    number = new.setdefault(word, len(known) + len(new))
                ids.append(number)
            offsets.append(len(ids))
        return np.array(ids, dtype=np.int64), np.array(offsets), list(new)

    def _word_counts(self, ids: Rows, offsets: Rows) -> Any:
        shape = (len(offsets) - 1, max(1, len(self.words), ids.max(initial=0) + 1))
        counts = csr_matrix((np.ones(len(ids), dtype=np.float32), ids, offsets), shape=shape)
        return counts[:, : max(1, len(self.words))]

    def _bag(self, normal: list[str], ngram_counts: Any, units: Vectors | None) -> Bag:
        ids, offsets, unknown = self._word_ids(normal)
        both = ngram_counts, self._word_counts(ids, offsets)
        ngrams, words = map(_weighted, both, self.idfs)
        return Bag(normal, ids, offsets, ngrams, words, units, unknown)

    def prepare(self, texts: Sequence[str], units: Vectors | None = None) -> Bag:
        """Prepare texts to be looked up."""
        normal = list(map(normalize, texts))
        return self._bag(normal, _ngram_counts(self.ngrams, normal), units)

    def candidates(self, bag: Bag, k: int, with_vectors: bool = True) -> tuple[Rows, Rows]:
        """Propose the k nearest indexed texts by n-grams, by words and by vectors of each text.

        Returns rows of the bag and of the index, in order, each pair once.
        """
        mine, n_rows, n_columns = self.rows, len(bag.texts), len(self.rows.texts)
        found = [best_products(*table, k) for table in self._tables(bag)]
        units, others = bag.units, mine.units
        if with_vectors and units is not None and others is not None and n_rows:
            rows, columns = nearest(lambda block: units[block] @ others.T, (n_rows, n_columns), k)
            place = np.arange(len(rows)) - np.searchsorted(rows, rows)
            few = place < k + _MOST_TIES
            found.append(rows[few] * n_columns + columns[few])
        return np.divmod(distinct(np.concatenate(found)), max(n_columns, 1))

    def proposed(self, bag: Bag, k: int) -> list[tuple[Rows, Rows, Floats]]:
        """Propose the k nearest texts by n-grams, and by words, with the products of both.

        What is too frequent among all texts is not read, however rare it is in this part of them.
        """
        proposals = []
        for (left, right, inverted), n_with in zip(self._tables(bag), self._n_with, strict=True):
            keys = np.sort(best_products(left, right, inverted, k, n_with))
            rows, columns = np.divmod(keys, max(len(self.rows.texts), 1))
            proposals.append((rows, columns, products(left, right, rows, columns)))
        return proposals

    def _tables(self, bag: Bag) -> tuple[tuple[Any, Any, Any], ...]:
        mine = self.rows
        return (bag.ngrams, mine.ngrams, self.ngrams_of), (bag.words, mine.words, self._words_of)

    def part(self, rows: Rows) -> TextIndex:
        """Return the index of some texts, with the weights of all."""
        new = shallow_copy(self)
        new._index(self.rows.part(rows))
        return new

    def text_numbers(self, columns: Rows) -> Rows:
        """Return a number for each of these indexed texts, the same one for equal texts."""
        numbers, chosen = dict[str, int](), _Chosen.of(self.rows.texts, columns)
        return chosen.each(lambda text: numbers.setdefault(text, len(numbers))).astype(np.int64)

    def compare(self, bag: Bag, rows: Rows, columns: Rows, by_words: bool = True) -> Floats:
        """Return the features of pairs of a text of the bag and an indexed one.

        Without ``by_words``, only features of characters, meaning and equality are computed: the
        others are slow for long texts.
        """
        return self.compared(bag, rows, columns, by_words)[0]

    def compare_with_rest(self, bag: Bag, rows: Rows, columns: Rows) -> tuple[Floats, Floats]:
        """Return the features of pairs, and what is left of both texts, see ``REST``."""
        features, sides = self.compared(bag, rows, columns)
        rest = np.zeros((len(rows), len(REST)))
        words, idf = self._words + bag.unknown, self._facts(bag.unknown)[0] / self._rarest
        for side, found in enumerate(sides):
            left = found.found < _EXPLAINED
            pairs, ids, amounts = found.pairs[left], found.ids[left], 1 - found.found[left]
            are_short = _Chosen.of(words, ids).each(_is_short).astype(float)
            for number, weights in enumerate((np.ones(len(ids)), idf[ids], are_short)):
                amount = np.bincount(pairs, weights * amounts, len(rows))
                rest[:, 2 * number + side] = amount
        return features, rest

    def compared(
        self, bag: Bag, rows: Rows, columns: Rows, by_words: bool = True
    ) -> tuple[Floats, list[Words]]:
        """Return the features of pairs, and the words of both texts."""
        mine, features = self.rows, np.zeros((len(rows), len(FEATURES)))
        f = dict(zip(FEATURES, features.T, strict=True))
        f["characters"][:] = products(bag.ngrams, mine.ngrams, rows, columns)
        if bag.units is not None and mine.units is not None:
            f["meaning"][:] = exact_cosines(bag.units, mine.units, rows, columns)
        left, right = _Chosen.of(bag.texts, rows), _Chosen.of(mine.texts, columns)
        f["equal"][:] = left.each(str) == right.each(str)
        if not by_words:
            return features, joined_sides([])
        f["words"][:] = products(bag.words, mine.words, rows, columns)
        for name, form in (("sorted", _sorted), ("joined", _joined)):
            f[name][:] = letters_in_common(left.each(form).tolist(), right.each(form).tolist())
        lengths = (np.log1p(side.each(len).astype(np.int64)) for side in (left, right))
        f["length"][:] = -np.abs(np.subtract(*lengths))
        both = np.flatnonzero((bag.n_words[rows] > 0) & (mine.n_words[columns] > 0))
        found = []
        for chosen in self._parts(bag, rows[both], columns[both]) if len(both) else ():
            part = both[chosen]
            sides, ends = self._aligned(bag, rows[part], columns[part])
            for name, values in (self._words_compared(bag, sides) | ends).items():
                f[name][part] = values
            found.append([words._replace(pairs=part[words.pairs]) for words in sides])
        return features, joined_sides(found)

    def _parts(self, bag: Bag, rows: Rows, columns: Rows) -> list[Rows]:
        """Return the numbers of the pairs that are compared at a time."""
        costs = np.cumsum(64 + bag.n_words[rows] * self.rows.n_words[columns])
        borders = np.flatnonzero(np.diff(costs // _PAIRS_OF_WORDS)) + 1
        return np.split(np.arange(len(rows)), borders)

    def _words_compared(self, bag: Bag, sides: list[Words]) -> dict[str, Floats]:
        """Return the features that come from the words of pairs of texts."""
        a, b = (self._explained(bag.unknown, words) for words in sides)
        soft = (a["weight"] + b["weight"]) / (2 * np.sqrt(a["total"] * b["total"]))
        return {
            "soft": soft, "containment": a["share"], "contained": b["share"],
            "least": np.minimum(a["share"], b["share"]),
            "most": np.maximum(a["share"], b["share"]),
            "unexplained": a["left"], "missing": b["left"],
            "number_unexplained": a["number"], "number_missing": b["number"],
        }  # fmt: skip

    def _aligned(
        self, bag: Bag, rows: Rows, columns: Rows
    ) -> tuple[list[Words], dict[str, Floats]]:
        """Return the words of both, each compared with the most similar one of the other text.

        And the similarities of their first and of their last words.
        """
        mine, n = self.rows, len(rows)
        sides = (
            Side(bag.ids, bag.offsets[rows], bag.n_words[rows]),
            Side(mine.ids, mine.offsets[columns], mine.n_words[columns]),
        )
        words, has_digit = self._words + bag.unknown, self._facts(bag.unknown)[1]
        found = best_similarities(words, has_digit, *(side.with_ends() for side in sides))
        of_both = [
            Words(side.pairs(), side.words(), values[: side.sizes.sum()])
            for side, values in zip(sides, found, strict=True)
        ]
        ends = found[0][len(of_both[0].ids) :]
        return of_both, {"first": ends[:n], "last": ends[n:]}

    def _explained(self, unknown: list[str], words: Words) -> dict[str, Floats]:
        """Return how much of texts the most similar words of others explain."""
        texts = run_starts(words.pairs)
        (idf, digits), found = (x[words.ids] for x in self._facts(unknown)), words.found
        return {
            "total": np.add.reduceat(idf**2, texts),
            "weight": np.add.reduceat(idf**2 * found, texts),
            "share": np.add.reduceat(idf * found, texts) / np.add.reduceat(idf, texts),
            "left": np.maximum.reduceat(idf * (1 - found), texts) / self._rarest,
            "number": np.maximum.reduceat(digits * (1 - found), texts),
        }

    def _facts(self, unknown: list[str]) -> tuple[Floats, Floats]:
        """Return the weight of each word, and whether it has digits."""
        idf = np.append(self.idf, np.full(len(unknown), self._rarest))
        return idf, np.append(self._digits, _has_digit(unknown))


def _ngram_counts(ngrams: CharacterNgrams, normal: list[str]) -> Any:
    """Return how often texts have n-grams, as a sparse matrix."""
    found = ngrams.token_ids(normal)
    ones = np.ones(len(found.ids), dtype=np.float32)
    shape = (len(normal), max(1, len(ngrams)))
    counts = csr_matrix((ones, found.ids, found.offsets), shape=shape)
    counts.sum_duplicates()
    return counts


def _within_words(normal: list[str]) -> CharacterNgrams:
    """Return the n-grams within words, as if each word stood alone between spaces."""
    ngrams = CharacterNgrams.learn(normal, (2, 3)).words
    return CharacterNgrams([x for x in ngrams if " " not in x[1:-1]], (2, 3))


class _Chosen(NamedTuple):
    """Texts, of which some are chosen several times."""

    texts: list[str]
    places: Rows

    @classmethod
    def of(cls, texts: list[str], rows: Rows) -> _Chosen:
        """Choose the texts of rows."""
        different, places = np.unique(rows, return_inverse=True)
        return cls([texts[row] for row in different.tolist()], places)

    def each(self, function: Callable[[str], object]) -> NDArray[np.object_]:
        """Return what a function makes of the chosen texts; it reads each text once."""
        return np.array([*map(function, self.texts), None], dtype=object)[self.places]


def _sorted(text: str) -> str:
    return " ".join(sorted(text.split()))


def _joined(text: str) -> str:
    return text.replace(" ", "")


def _is_short(word: str) -> bool:
    return word.isalpha() and len(word) <= _SHORT


def _has_digit(words: Sequence[str]) -> Floats:
    return np.array([not word.isalpha() for word in words], dtype=np.float64)


def _weighted(counts: Any, idf: NDArray[np.floating]) -> Any:
    """Weigh counts as scikit-learn's ``TfidfTransformer(sublinear_tf=True)`` does, to the bit.

    Its checks take longer than a small table. Lengths are sums in double precision, term by term.
    """
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    weights = np.log(counts.data) + 1
    weights *= idf[counts.indices]
    lengths = np.sqrt(np.bincount(rows, weights * weights, counts.shape[0]))
    weights /= lengths[rows]
    counts.data = weights
    return counts
