"""The English table of the ``wordfreq`` package, memory-mapped and without importing the package.

The import takes longer than everything else that looking up a word needs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from skpara._typing import Floats
from skpara.resources._cache import Tables, TextIndex, cached_tables, items, package_folder

_FORMAT = 1  # of the arrays in the cache folder; increased when they change
_CACHED_NUMBERS = 10_000  # some 2 MB
# What is one token wherever wordfreq splits a text, and what always separates tokens.
_SIMPLE = re.compile(r"[a-z0-9]+(?:(?<=[0-9])[.,](?=[0-9])[a-z0-9]+)*")
_SEPARATORS = re.compile(
    r"[-/$£€%#+*=&!?()\[\] ]+|(?<![a-z0-9])['.,:]+|['.,:]+(?![a-z0-9])|(?<=[0-9]):|:(?=[0-9])"
)
# Digits that the table has as zeros, and the sequences in them whose shares are estimated.
_NUMBER = re.compile(r"[0-9][0-9.,]+")
_DIGITS = re.compile(r"[0-9]+")


class EnglishFrequencies(Mapping[str, float]):
    """Shares of words, commonest first; digits are zeros ("0000") where there are several."""

    def __init__(self) -> None:
        folder = package_folder("wordfreq")
        files = [folder / "__init__.py", *sorted((folder / "data").glob("large_en.*"))]
        arrays, _ = cached_tables("wordfreq", _FORMAT, files, _read)
        self._index = TextIndex(arrays, "words")
        self._array, self._values = arrays["values"], items(arrays["values"])
        self._years, self._first_digits = arrays["years"], arrays["first_digits"]
        self.of_number = lru_cache(_CACHED_NUMBERS)(self._of_number)

    @property
    def extremes(self) -> tuple[float, float]:
        """Shares of the commonest and of the rarest word."""
        return self._values[0], self._values[-1]

    def shares(self, words: list[str]) -> Floats:
        """Return the shares of words, 0 for those that the table lacks."""
        rows = self._index.find_all(words)
        return np.where(rows < 0, 0.0, self._array[rows])

    def get(self, word: str, default: Any = None) -> Any:
        i = self._index.find(word)
        return default if i < 0 else self._values[i]

    def __getitem__(self, word: str) -> float:
        i = self._index.find(word)
        if i < 0:
            raise KeyError(word)
        return float(self._values[i])

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def _of_number(self, word: str) -> float:
        """Return what ``wordfreq.word_frequency`` estimates for a word with digits."""
        tokens = [token for token in _SEPARATORS.split(word) if token]
        if not tokens or not all(map(_SIMPLE.fullmatch, tokens)):
            # Splitting any text as wordfreq does takes its regular expressions.
            from wordfreq import word_frequency

            return float(word_frequency(word, "en"))
        inverse = 0.0
        for token in tokens:
            shape = _NUMBER.sub(lambda match: _DIGITS.sub(_zeros, match[0]), token)
            share = self.get(shape, 0.0)
            if share == 0.0:
                return 0.0
            shares = 1.0
            if shape != token:
                for digits in _DIGITS.findall(" ".join(_NUMBER.findall(token))):
                    shares *= self._of_digits(digits)
            inverse += 1.0 / (share * shares)
        share = 1.0 / inverse
        return round(share, 3 + math.floor(-math.log(share, 10)))  # three significant digits

    def _of_digits(self, digits: str) -> float:
        """Return the estimated share of a number among those of its length."""
        if len(digits) == 4:  # often a year
            return float(self._years[int(digits)])
        return float(self._first_digits[int(digits[0])]) / 10 ** (len(digits) - 1)


def _zeros(match: re.Match[str]) -> str:
    return "0" * len(match[0])


def _read() -> Tables:
    from wordfreq import get_frequency_dict
    from wordfreq.numbers import benford_freq, year_freq

    shares = get_frequency_dict("en")
    arrays = {
        "values": np.array([*shares.values()]),
        "years": np.array([year_freq(f"{year:04}") for year in range(10_000)]),
        "first_digits": np.array([benford_freq(digit) for digit in "0123456789"]),
    }
    return arrays | TextIndex.arrays("words", shares), {}
