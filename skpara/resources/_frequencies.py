"""Word frequencies and information content."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from skpara._array_files import map_arrays
from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._word_table import WordTable

_DEFAULT = "default"
_FILE = Path(__file__).parent / "data" / "frequencies.safetensors"
_CACHED_WORDS = 50_000  # about 10 MB
# Numbers whose digits are zeros in the table. Their sequences of digits have an estimated share.
_NUMBER = re.compile(r"\d[\d.,]+")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
# Words as wordfreq splits them, but for symbols and scripts without spaces: marks stay in words,
# and a vowel begins a word after "l'" and the like.
_TOKEN = re.compile(
    r"@s(?!\w)|\w{1,2}'(?=[aehiouyœà-åè-ïò-öù-ü])"
    r"|\w(?:\w|(?<=[^\W\d_])[:.'·‘’](?=[^\W\d_])|(?<=\d)[.,;'‘’](?=\d))*(?:@s?(?!\w))?"
)
_QUOTES = re.compile("[\u02bc\u2018-\u201b]")


@set_module("skpara.resources", trusted=True)
class WordFrequencies:
    """Read-only table of words and their probabilities.

    Use :meth:`load` to create one. Words are looked up as they are: lower-case them first, as
    ``skpara.text.tokenize`` does.

    Parameters
    ----------
    counts : mapping of str to float
        How often each word was seen. Counts are finite and not negative; a word of count 0 is
        an unknown word.

    Attributes
    ----------
    min_information : float
        Information of the commonest word, in nats.
    max_information : float
        Information of the rarest word, in nats.

    Raises
    ------
    ValueError
        If a count is negative, infinite or NaN, or if no count is above 0.

    Examples
    --------
    >>> from skpara.resources import WordFrequencies
    >>> frequencies = WordFrequencies.load({"the": 90, "dog": 9, "barks": 1})
    >>> frequencies.probability("dog")
    0.09
    >>> frequencies.information(["the", "dog", "barks", "zyzzyva"]).round(2).tolist()
    [0.11, 2.41, 4.61, 0.0]
    """

    def __init__(self, counts: Mapping[str, float]) -> None:
        if not isinstance(counts, Mapping):
            raise TypeError(
                f"frequencies is {type(counts).__name__} {counts!r:.60}; pass 'default', a "
                "mapping of word to count, or WordFrequencies."
            )
        positive = {w: value for w, count in counts.items() if (value := _count(w, count)) > 0}
        if not positive:
            raise ValueError(
                "The frequency table has no word with a count above 0; pass a mapping of word to "
                "count, or 'default'."
            )
        values = positive.values()
        self._set(positive, math.fsum(values), max(values), min(values))

    def _set(
        self, counts: Mapping[str, float] | _English, total: float, most: float, least: float
    ) -> None:
        self._counts = counts
        self._total = total
        # The word of a one-word table has probability 1, and rounding must not go below 0 nats.
        self.min_information = max(0.0, math.log(total) - math.log(most))
        self.max_information = max(0.0, math.log(total) - math.log(least))

    @classmethod
    def load(
        cls, source: str | Mapping[str, float] | WordFrequencies = _DEFAULT
    ) -> WordFrequencies:
        """Load a table of word frequencies.

        Parameters
        ----------
        source : "default", mapping or WordFrequencies, default="default"
            "default": English, the table of ``wordfreq``. A mapping: word to count or to
            probability. A loaded table is returned as it is.

        Returns
        -------
        WordFrequencies
            The table.

        Raises
        ------
        ValueError
            If a count is negative, infinite or NaN, or if no count is above 0.
        TypeError
            If ``source`` is something else.

        References
        ----------
        R. Speer (2022). wordfreq, version 3. Zenodo.
        """
        if isinstance(source, WordFrequencies):
            return source
        if isinstance(source, str) and source == _DEFAULT:
            loaded = cls.__new__(cls)
            english = _english()
            # The shares sum to a little less than 1, as the rarest words are missing.
            loaded._set(english, 1.0, english.most, english.least)
            return loaded
        return cls(source)  # type: ignore[arg-type]

    @property
    def _source(self) -> str | dict[str, float]:
        return dict(self._counts) if isinstance(self._counts, Mapping) else _DEFAULT

    def probability(self, word: str) -> float:
        """Return the share of a word among all words of running text.

        Parameters
        ----------
        word : str
            A lower-cased word.

        Returns
        -------
        float
            Its probability, in [0, 1]; 0.0 if the word is unknown.
        """
        return self._counts.get(word, 0.0) / self._total

    def information(self, words: Iterable[str], *, unknown: float = 0.0) -> Floats:
        """Compute the information content of words, ln(1 / probability), in nats.

        Parameters
        ----------
        words : iterable of str
            Lower-cased words.
        unknown : float, default=0.0
            Value for unknown words: 0, as in TakeLab (:class:`~skpara.LexicalFeatures`), or
            ``max_information``, the value of the rarest known word.

        Returns
        -------
        ndarray of float64, shape (n_words,)
            Information content; not negative if ``unknown`` is not.
        """
        counts = self._counts_of(list(words))
        known = counts > 0
        information = np.full(len(counts), float(unknown))
        nats = math.log(self._total) - np.log(counts[known])
        information[known] = np.maximum(nats, 0.0)
        return information

    def _counts_of(self, words: list[str]) -> Floats:
        if isinstance(self._counts, _English):
            return self._counts.shares(words)
        return np.array([self._counts.get(word, 0.0) for word in words], dtype=np.float64)

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __contains__(self, word: object) -> bool:
        return word in self._counts

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n_words={len(self)})"

    def __sklearn_clone__(self) -> WordFrequencies:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Store only the name of the packaged table: pickles stay small and processes share it.
        return WordFrequencies.load, (self._source,)

    def __getstate__(self) -> dict[str, Any]:
        # For model files, which name the packaged table, too.
        return {"counts": None if self._source == _DEFAULT else json.dumps(self._source)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        counts = state["counts"]
        loaded = WordFrequencies.load(_DEFAULT if counts is None else json.loads(counts))
        self.__dict__.update(vars(loaded))


class _English:
    """Shares of English words; a number of several digits is in the table as zeros."""

    def __init__(self) -> None:
        arrays, _ = map_arrays(_FILE)
        self._words = WordTable(arrays["words"])
        self._levels = arrays["levels"]
        self._shares = arrays["shares"]  # in falling order
        self._years = arrays["years"]
        self._first_digits = arrays["first_digits"].tolist()
        self.most = float(self._shares[0])
        self.least = float(self._shares[-1])
        self.get = lru_cache(_CACHED_WORDS)(self._get)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        words = list(self._words)
        return (words[i] for i in np.argsort(self._levels, kind="stable").tolist())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and bool(self._words.find([word])[0] >= 0)

    def _get(self, word: str, default: float = 0.0) -> float:
        """Return the share of a word, estimated if it is a number that the table lacks."""
        [row] = self._words.find([word])
        if row >= 0:
            return float(self._shares[self._levels[row]])
        return self._estimate(word) if any(map(str.isdigit, word)) else default

    def shares(self, words: list[str]) -> Floats:
        """Return the shares of words, 0 of unknown ones."""
        rows = self._words.find(words)
        shares = np.where(rows < 0, 0.0, self._shares[self._levels[rows]])
        for i in (rows < 0).nonzero()[0].tolist():
            if not words[i].isalpha() and any(map(str.isdigit, words[i])):
                shares[i] = self.get(words[i])
        return shares

    def _estimate(self, word: str) -> float:
        """Return what ``wordfreq.word_frequency`` estimates for a word with digits."""
        inverse = 0.0
        for token in _split(word):
            shape = _NUMBER.sub(lambda match: _DIGIT.sub("0", match[0]), token)
            [row] = self._words.find([shape])
            if row < 0:
                return 0.0
            digits = _DIGITS.findall(" ".join(_NUMBER.findall(token))) if shape != token else []
            shares = math.prod(map(self._share_of_digits, digits), start=1.0)
            inverse += 1.0 / (float(self._shares[self._levels[row]]) * shares)
        if inverse == 0.0:
            return 0.0
        share = 1.0 / inverse
        return round(share, 3 + math.floor(-math.log(share, 10)))  # three significant digits

    def _share_of_digits(self, digits: str) -> float:
        """Return the estimated share of a number among numbers of its length."""
        if len(digits) == 4:  # often a year
            return float(self._years[int(digits)])
        return self._first_digits[int(digits[0])] / 10 ** (len(digits) - 1)


def _split(word: str) -> list[str]:
    """Split a word into tokens as ``wordfreq`` does."""
    text = unicodedata.normalize("NFC", word).casefold()
    text = "".join(" " if unicodedata.category(x) == "No" else x for x in text)  # ² and ½
    return [_QUOTES.sub("'", token).strip("'") for token in _TOKEN.findall(text)]


_english = lru_cache(maxsize=1)(_English)


def _count(word: str, count: Any) -> float:
    try:
        value = float(count)
    except (TypeError, ValueError):
        value = math.nan
    if not isinstance(word, str) or not 0 <= value < math.inf:
        raise ValueError(
            f"The frequency table maps {word!r:.60} to {count!r:.60}; it must map a word (str) to "
            "a count, a finite number that is not negative."
        )
    return value
