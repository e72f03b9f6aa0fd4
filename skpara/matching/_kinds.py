"""Kinds of columns: what their cells look like, and how they are searched and compared.

Each is a class; :func:`as_kind` finds them by their names. Capital letters are ignored.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from skpara._normal_form import compact, key
from skpara._public import set_module
from skpara._typing import Floats
from skpara.matching._codes import codes
from skpara.matching._model import NAMES, SENTENCES
from skpara.matching._search import Rows
from skpara.matching._texts import FEATURES, signs
from skpara.quantities import (
    MEASURES_OF_CELLS,
    days,
    digits,
    iso_form,
    measured,
    number,
    sides,
    time_of_day,
)
from skpara.resources import Tagger

# Cells that are read, evenly spread over the different ones: in a tenth of a second.
_MOST_CELLS = 500
# A column is of dates, numbers or codes if at least this share of its cells are: "nearly all".
_NEARLY_ALL = 0.8
# It is of numbers if more than this share has a mark or a unit. Integers alone are codes.
_WITH_MARKS = 0.05
# Integers with at most this many digits are scores or counts, which are numbers.
_DIGITS_OF_COUNTS = 2
# Share of digits among the letters and digits of a code with spaces.
_MOSTLY_DIGITS = 0.7
# The longest code in characters: more are a text that has no spaces.
_LONGEST_CODE = 40
# A text is a sentence if it has one of these finite verbs and at least _WITH_VERB words.
_FINITE = frozenset(["VBZ", "VBD", "VBP", "MD"])
_WITH_VERB = 3
# With a final mark, these count as finite verbs, too: "Two dogs run on the beach."
_MAYBE_FINITE = frozenset(["VB", "VBN"])
# So is a text with at least _WITH_FUNCTION words, like captions and questions, of which at least
# _SHARE_OF_FUNCTION have one of these tags of function words.
_FUNCTION = frozenset(["DT", "IN", "TO", "PRP", "PRP$", "CC", "WP", "WDT", "WRB", "EX"])
_SHARE_OF_FUNCTION = 0.4
_WITH_FUNCTION = 4
# So is a text in another language, in which no more than the share _FOREIGN of the words are
# function words, if it has a final mark and at least _WITH_MARK words.
_WITH_MARK = 5
_FOREIGN = 0.1
_MOST_WORDS = 40
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[^\w\s]")
# "A. Blum and I. Kant" has neither an article nor a pronoun.
_INITIAL = re.compile(r"\b[^\W\d_]\.")
_MARKS = frozenset(".?!。？！")


# Weights of meaning and spelling in the similarity of sentences; as in the packaged numbers.
_MEANING = 0.9
_SPELLING = 0.1
# Two numbers are half alike if their ratio is the exponential of this.
_HALF = 0.3
# Similarity of two sizes with the same sides in another order.
_OTHER_ORDER = 0.98
# Highest similarity of two sizes, one of which lacks a side.
_LACKS_A_SIDE = 0.8
# Dates that are this many days apart have nothing in common.
_DAYS = 365
# How much less alike dates are that overlap, for the logarithm of how much longer both are.
_VAGUE = 0.08
# Highest similarity of two dates with different times of the day.
_OTHER_TIME = 0.6
# Letters that were read for digits.
_MISREAD = re.compile(r"(?<=\d)[oil]+(?=\d)")
_AS_DIGITS = str.maketrans("oil", "011")
# What is in front of a code and no part of it: "S/N US1036171".
_LABEL = re.compile(
    r"(?:[sp]/?n|no|nr|ser(?:ial)?(?: no)?|id|ref|#)[ .:#]{1,9}+(?=\S{0,40}\d)", re.IGNORECASE
)
# What a table of floats makes of a whole number.
_POINT_ZERO = re.compile(r"(?<=^\d)(\d*)\.0$")
# A code of at least _LONG_CODE letters and digits has the similarity _WITHIN to a longer text that
# contains it.
_LONG_CODE = 6
_WITHIN = 0.97
# Fewest digits of a code that consists of several words.
_DIGITS_OF_WORDS = 4


class Cells(NamedTuple):
    """Cells of a column as they are compared; each is an element of both arrays."""

    forms: NDArray[np.object_]  # the normal forms, as text
    values: Floats  # what else a kind reads from them

    @classmethod
    def of(cls, forms: Sequence[str], values: Any = None) -> Cells:
        """Return cells with these forms and, for each, values."""
        of_forms = np.empty(len(forms), dtype=object)
        of_forms[:] = forms
        values = np.zeros(len(forms)) if values is None else values
        return cls(of_forms, np.array(values, dtype=np.float64))

    def take(self, places: Rows) -> Cells:
        """Return some cells."""
        return Cells(self.forms[places], self.values[places])


@set_module("skpara.matching")
class Kind:
    """A kind of column, to pass as ``on={"column": kind}``.

    Cells are the same if their normal forms are. To define your own kind, derive a class and
    override :meth:`normal`, which removes irrelevant differences in writing, or :meth:`similarity`
    of two normal forms. The pickle of a matcher contains the kind; loading it imports the class.

    Examples
    --------
    >>> from skpara import TableMatcher
    >>> from skpara.matching import Kind
    >>> class Postcode(Kind):
    ...     name = "postcode"
    ...
    ...     def normal(self, cell):
    ...         return cell.replace(" ", "").upper()
    >>> shops = {"name": ["Blue Door", "Blue Door"], "postcode": ["SW1A 1AA", "EC1A 1BB"]}
    >>> matcher = TableMatcher().fit(shops, on={"name": "names", "postcode": Postcode()})
    >>> matcher.kinds_
    {'name': 'names', 'postcode': 'postcode'}
    """

    name: ClassVar[str] = "exact"
    is_text: ClassVar[bool] = False  # compared by spelling and words,
    has_meaning: ClassVar[bool] = False  # and by vectors
    is_amount: ClassVar[bool] = False  # similarities are of ratios, see ``ratios``
    must_agree: ClassVar[bool] = False
    must_be_read: ClassVar[bool] = False  # other cells carry no information

    def __repr__(self) -> str:
        return self.name

    def looks(self, cell: str) -> bool:
        """Return whether a cell may be of this kind.

        Parameters
        ----------
        cell : str
            The cell, which is not empty.

        Returns
        -------
        bool
            Whether it looks like this kind.
        """
        return True

    def normal(self, cell: str) -> str:
        """Return the form in which a cell is searched and compared.

        Parameters
        ----------
        cell : str
            The cell, which is not empty.

        Returns
        -------
        str
            The normal form; here without case, accents and repeated spaces.
        """
        return key(cell)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return how alike pairs of normal forms are.

        Parameters
        ----------
        left, right : list of str
            The normal forms of both cells of each pair.

        Returns
        -------
        ndarray of shape (n_pairs,)
            Similarities from 0 to 1, NaN where there is none.
        """
        return np.array([a == b for a, b in zip(left, right, strict=True)], dtype=np.float64)

    def share(self, cells: Sequence[str]) -> float:
        """Return the share of cells that look like this kind.

        Parameters
        ----------
        cells : list of str
            Cells, none of them empty.

        Returns
        -------
        float
            The share, from 0 to 1.
        """
        return float(np.mean([self.looks(cell) for cell in cells]))

    def told(self, cells: Sequence[str]) -> Any:
        """Return what :meth:`read` needs to know of all cells of a reference.

        Parameters
        ----------
        cells : list of str
            The different cells.

        Returns
        -------
        object
            Here None.
        """

    def read(self, cells: Sequence[str], told: Any) -> Cells:
        """Read the cells of a column.

        Parameters
        ----------
        cells : list of str
            The cells.
        told : object
            What :meth:`told` returned of the reference.

        Returns
        -------
        Cells
            The normal forms and, for each, numbers.
        """
        return Cells.of([self.normal(cell) for cell in cells])

    def compare(self, left: Cells, right: Cells) -> Floats:
        """Return how alike pairs of cells are.

        Parameters
        ----------
        left, right : Cells
            Both cells of each pair, as :meth:`read` returned them.

        Returns
        -------
        ndarray of shape (n_pairs,)
            Similarities from 0 to 1, NaN where there is none.
        """
        return self.similarity(left.forms.tolist(), right.forms.tolist())


class _Same(Kind):
    """Cells that must be the same, such as countries."""

    name = "same"
    must_agree = True


class _Number(Kind):
    """Numbers with or without a unit, compared by their ratio."""

    name = "number"
    must_be_read = True
    is_amount = True

    def looks(self, cell: str) -> bool:
        return not np.isnan(number(cell))

    def share(self, cells: Sequence[str]) -> float:
        whole = [plain for cell in cells if (plain := cell.removesuffix(".0")).isdecimal()]
        if len(cells) - len(whole) <= _WITH_MARKS * len(cells):
            counts = [len(x) <= _DIGITS_OF_COUNTS and x == str(int(x)) for x in whole]
            return float(np.mean(counts)) if all(counts) else 0.0
        return super().share(cells)

    def told(self, cells: Sequence[str]) -> tuple[str, float]:
        """Return what the most frequent unit measures, and its size."""
        units = Counter((x.measure, x.unit) for x in map(measured, cells) if x.measure)
        return max(units, key=lambda unit: (units[unit], unit), default=("", 1.0))

    def read(self, cells: Sequence[str], told: tuple[str, float]) -> Cells:
        """Read numbers and what they measure: without a unit, what is usual, in its unit."""
        usual, size = told
        forms, values = [], []
        for cell, x in zip(cells, map(measured, cells), strict=True):
            measure = (x.measure or usual) if usual else ""
            unit = x.unit / (size if measure == usual else 1) if x.measure and usual else 1
            value = x.value * unit
            values.append((value, MEASURES_OF_CELLS.index(measure)))
            other = "" if measure == usual else f" {measure}"  # 50 % is not $50
            forms.append(cell if np.isnan(value) else f"{value:.10g}{other}")
        return Cells.of(forms, np.reshape(values, (-1, 2)))

    def compare(self, left: Cells, right: Cells) -> Floats:
        """Compare numbers by their ratio, if they measure the same."""
        (a, measures), (b, others) = left.values.T, right.values.T
        return np.where(measures == others, _near(a, b), np.nan)


def _near(left: Floats, right: Floats) -> Floats:
    """Return the similarities of numbers: one half if their ratio is exp(_HALF) or exp(-_HALF)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(left / right)
        values = 1 / (1 + (ratios / _HALF) ** 2)
    are_none = np.isnan(left) | np.isnan(right)
    return np.where(are_none, np.nan, np.where(left == right, 1.0, np.nan_to_num(values)))


def ratios(similarities: Floats) -> Floats:
    """Return the logarithms of the ratios of numbers that have these similarities."""
    return _HALF * np.sqrt(1 / np.maximum(similarities, np.finfo(float).tiny) - 1)


class _Size(Kind):
    """Lengths of several sides: "825 x 559 mm" is "H 82.5 cm; W 55.9 cm"."""

    name = "size"
    must_be_read = True

    def looks(self, cell: str) -> bool:
        return bool(sides(cell))

    def read(self, cells: Sequence[str], told: Any) -> Cells:
        """Read up to four sides."""
        found = [sides(cell)[:4] for cell in cells]
        forms = [
            " x ".join(f"{x:.4g}" for x in of_cell) or cell
            for cell, of_cell in zip(cells, found, strict=True)
        ]
        return Cells.of(forms, [[*x, *[np.nan] * (4 - len(x))] for x in found])

    def compare(self, left: Cells, right: Cells) -> Floats:
        """Compare the sides that both have, in the order given and by length."""
        a, b = left.values, right.values
        lacking = np.isnan(a).sum(axis=1) != np.isnan(b).sum(axis=1)
        by_length = _near(-np.sort(-a), -np.sort(-b))
        in_order = np.where(lacking[:, None], np.nan, _near(a, b))
        best = np.fmax(
            np.fmin.reduce(in_order, axis=1), _OTHER_ORDER * np.fmin.reduce(by_length, axis=1)
        )
        return np.where(lacking, _LACKS_A_SIDE * best, best)


class _Code(Kind):
    """Phone numbers, and letters and digits that may be mistyped."""

    name = "code"

    def looks(self, cell: str) -> bool:
        bare = _LABEL.sub("", cell)
        plain = compact(bare)
        if digits(cell) or len(plain) > _LONGEST_CODE:
            return bool(digits(cell))
        words, n_digits = bare.split(), sum(map(str.isdigit, plain))
        if len(words) == 1 and plain in codes(bare):
            return True
        are_parts = all(len(compact(x)) <= 2 or any(map(str.isdigit, x)) for x in words)
        return n_digits > _MOSTLY_DIGITS * len(plain) or (
            are_parts and n_digits >= _DIGITS_OF_WORDS
        )

    def normal(self, cell: str) -> str:
        """Return the digits of a phone number, or the letters and digits of a code.

        The letters O, I and l between digits are digits.
        """
        bare = _POINT_ZERO.sub(r"\1", _LABEL.sub("", cell))
        form = digits(bare) or compact(bare)
        return _MISREAD.sub(lambda match: match[0].translate(_AS_DIGITS), form)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the share of letters and digits that stay; swapped neighbours are one change.

        Leading zeros of a number are ignored, and a code may be part of a longer text.
        """
        values = process.cpdist(left, right, scorer=OSA.normalized_similarity).astype(np.float64)
        for place in np.flatnonzero(values < _WITHIN).tolist():
            short, long = sorted((left[place], right[place]), key=len)
            if long[:1] == "0" and long.isdigit() and short.lstrip("0") == long.lstrip("0"):
                values[place] = 1
            elif short in long and _is_within(short, long):
                values[place] = _WITHIN
        return values


def _is_within(short: str, long: str) -> bool:
    """Return whether a code is a part of a longer one, and no number is cut."""
    if len(short) < _LONG_CODE or not any(map(str.isdigit, short)):
        return False
    before, _, after = long.partition(short)
    borders = before[-1:] + short[0], short[-1] + after[:1]
    return not any(len(border) == 2 and border.isdigit() for border in borders)


class _Date(Kind):
    """Dates, and what has no day: months, years, ranges of years, centuries."""

    name = "date"
    must_be_read = True

    def looks(self, cell: str) -> bool:
        return not np.isnan(days([cell])).all()

    def read(self, cells: Sequence[str], told: Any) -> Cells:
        """Read the first and last days, in two ways, and the time of the day."""
        spans, times = days(cells), np.array(list(map(time_of_day, cells)), dtype=np.float64)
        parts = zip(cells, spans[:, 0].tolist(), times.tolist(), strict=True)
        forms = [
            cell if np.isnan(span[0]) else iso_form(span) + f" {time:g}" * (time > 0)
            for cell, span, time in parts
        ]
        return Cells.of(forms, np.column_stack([spans.reshape(-1, 4), times]))

    def compare(self, left: Cells, right: Cells) -> Floats:
        """Compare dates by the days between, or how far they overlap, and by their digits."""
        spans = (x.values[:, :4].reshape(-1, 2, 2) for x in (left, right))
        (a, b), (c, d) = (np.moveaxis(x, -1, 0) for x in spans)
        start, end, other_start, other_end = a[:, :, None], b[:, :, None], c[:, None], d[:, None]
        both = np.minimum(end, other_end) - np.maximum(start, other_start) + 1
        either = np.maximum(end, other_end) - np.minimum(start, other_start) + 1
        lengths = np.abs(np.log((end - start + 1) / (other_end - other_start + 1)))
        between = np.abs(start + end - other_start - other_end) / 2
        near = np.where(
            both > 0,
            1 / (1 + _VAGUE * np.log(either / np.maximum(both, 1))),
            1 - between / _DAYS - _VAGUE * lengths,
        )
        forms = [list(map(compact, x.forms.tolist())) for x in (left, right)]
        typed = process.cpdist(*forms, scorer=OSA.normalized_similarity)
        are_as_long = np.array([len(x) == len(y) for x, y in zip(*forms, strict=True)], dtype=bool)
        best = np.nan_to_num(near, nan=0.0).max(axis=(1, 2), initial=0)
        best = np.where(are_as_long, np.maximum(typed, best), best)
        times = np.stack([left.values[:, 4], right.values[:, 4]])
        between = np.where((times % 60 > 0).all(axis=0), 0, 59)  # some are in minutes
        is_other = np.abs(times[0] - times[1]) > between
        return np.where(is_other, np.minimum(best, _OTHER_TIME), best)


class Text(Kind):
    """Names of things, compared by spelling, words and numbers."""

    name = NAMES
    is_text = True

    def normal(self, cell: str) -> str:
        """Return a text with the names of its signs, as words: "A+ plus sign"."""
        return " ".join(
            [cell, *(unicodedata.name(x, "").lower() for x in dict.fromkeys(signs(cell)))]
        )

    def of_features(self, features: Floats) -> Floats:
        """Return the similarity of pairs of texts, between 0 and 1; 1 only if they are equal."""
        f = dict(zip(FEATURES, features.T, strict=True))
        return np.where(f["equal"] == 1, 1.0, self._alike(f))

    def _alike(self, f: dict[str, Floats]) -> Floats:
        words = np.maximum(f["sorted"], f["joined"])
        return np.maximum((f["characters"] + f["soft"]) / 2, words)


class _Sentences(Text):
    """Sentences, compared by meaning, too."""

    name = SENTENCES
    has_meaning = True

    def _alike(self, f: dict[str, Floats]) -> Floats:
        return _MEANING * f["meaning"] + _SPELLING * f["characters"]


# Kinds that are guessed, in this order, and those that only a user can choose.
_GUESSED = [_Date(), _Size(), _Number(), _Code()]
_KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (Text(), _Sentences(), Kind(), _Same(), *_GUESSED)
}
# "text" is one of the first two, and "guess" any.
TEXTS = ("text", NAMES, SENTENCES)
KINDS = ("text", *_KINDS)


def as_kind(kind: str | Kind) -> Kind:
    """Return the kind of a name."""
    if isinstance(kind, Kind):
        return kind
    if kind not in _KINDS:
        raise ValueError(f"the kind of a column is {kind!r:.40}")
    return _KINDS[kind]


def saved_kind(kind: Kind) -> str | Kind:
    """Return the name of a kind of this module; a kind of one's own is saved itself."""
    return kind.name if _KINDS.get(kind.name) is kind else kind


def kinds_by_name(columns: Iterable[Any], kinds: Sequence[str | Kind]) -> dict[Any, str]:
    """Return the names of the kinds of columns; a list is one column without a name."""
    pairs = zip(columns, kinds, strict=True)
    return {"text" if column is None else column: as_kind(x).name for column, x in pairs}


def guessed(kind: Any, cells: Sequence[str]) -> Any:
    """Return the kind of a column; "text" and "guess" stand for what its cells look like."""
    if kind == "guess":
        return reading(cells)[0]
    if kind == "text":
        return _text_reading(_some(cells))[0]
    return kind


def reading(cells: Sequence[str]) -> tuple[str, float]:
    """Return the name of the kind of a column, and the share of its cells that are of this kind.

    Of names and sentences, a share near 0.5 says that it may be the other one.
    """
    some = _some(cells)
    for kind in _GUESSED if some else []:
        if (share := kind.share(some)) >= _NEARLY_ALL:
            return kind.name, share
    return _text_reading(some)


def _some(cells: Sequence[str]) -> list[str]:
    """Return some of the different cells that are not empty."""
    different = sorted(set(map(str.strip, cells)) - {""})  # in no order of rows
    return [different[place] for place in places_to_read(len(different)).tolist()]


def places_to_read(n: int) -> NDArray[np.int64]:
    """Return which of different cells are read to guess their kind."""
    return np.linspace(0, n - 1, min(n, _MOST_CELLS)).astype(np.int64)


def _text_reading(cells: Sequence[str]) -> tuple[str, float]:
    tokens = [_TOKEN.findall(_INITIAL.sub("", cell.lower()))[:_MOST_WORDS] for cell in cells]
    tags = Tagger.load().tag(tokens)
    found = [_is_sentence(*x) for x in zip(cells, tokens, tags, strict=True)]
    share = float(np.mean(found)) if found else 0.0
    return (SENTENCES, share) if share >= 0.5 and found else (NAMES, 1 - share)


def _is_sentence(cell: str, tokens: Sequence[str], tags: Sequence[str]) -> bool:
    of_words = [tag for token, tag in zip(tokens, tags, strict=True) if token[0].isalpha()]
    n_words = len(of_words)
    n_function = sum(tag in _FUNCTION for tag in of_words)
    has_mark = cell[-1] in _MARKS
    is_foreign = has_mark and n_function <= _FOREIGN * n_words
    least = _WITH_VERB - has_mark  # "It rains."
    return (
        (n_words >= least and not _FINITE.isdisjoint(of_words))
        or (n_words >= _WITH_FUNCTION and n_function >= _SHARE_OF_FUNCTION * n_words)
        or (n_words >= _WITH_MARK and is_foreign)
        or (n_words >= _WITH_MARK and has_mark and not _MAYBE_FINITE.isdisjoint(of_words))
    )
