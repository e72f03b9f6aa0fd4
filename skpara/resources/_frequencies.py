"""How common words are, and how much information they carry."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._wordfreq import EnglishFrequencies

_DEFAULT = "default"


@set_module("skpara", trusted=True)
class WordFrequencies:
    """Read-only table of words and their probabilities.

    Use :meth:`load` to create one. Words are looked up as they are: lower-case them first, as
    :func:`skpara.text.tokenize` does.

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
        positive = {w: value for w, count in counts.items() if (value := _count(w, count)) > 0}
        if not positive:
            raise ValueError(
                "The frequency table has no word with a count above 0; pass lines of "
                "'word count', a mapping of word to count, or 'default'."
            )
        values = positive.values()
        self._set(positive, math.fsum(values), max(values), min(values))

    def _set(self, counts: Mapping[str, float], total: float, most: float, least: float) -> None:
        self._counts, self._total = counts, total
        # The word of a one-word table has probability 1, and rounding must not go below 0 nats.
        self.min_information = max(0.0, math.log(total) - math.log(most))
        self.max_information = max(0.0, math.log(total) - math.log(least))

    @classmethod
    def load(
        cls, source: str | os.PathLike[str] | Mapping[str, float] | WordFrequencies = _DEFAULT
    ) -> WordFrequencies:
        """Load a table of word frequencies.

        Parameters
        ----------
        source : "default", path, mapping or WordFrequencies, default="default"
            "default": English, from the ``wordfreq`` package, without a network. A path: a
            UTF-8 file of lines ``word count``; where a word has two lines, their counts are
            added. A mapping: word to count or to probability. A loaded table is returned as it
            is.

        Returns
        -------
        WordFrequencies
            The table.

        Raises
        ------
        FileNotFoundError
            If ``source`` is a path and the file does not exist.
        ValueError
            If a line is not a word and a count.
        TypeError
            If ``source`` is something else.

        References
        ----------
        R. Speer (2022). wordfreq, version 3. Zenodo.
        """
        if isinstance(source, WordFrequencies):
            return source
        if isinstance(source, Mapping):
            return cls(source)
        if isinstance(source, str) and source == _DEFAULT:
            return cls._from_wordfreq()
        if isinstance(source, (str, os.PathLike)):
            return cls(_read_counts(Path(source)))
        raise TypeError(
            f"frequencies is {type(source).__name__} {source!r:.60}; pass 'default', the path of "
            "a file of 'word count' lines, a mapping of word to count, or WordFrequencies."
        )

    @classmethod
    def _from_wordfreq(cls) -> WordFrequencies:
        loaded = cls.__new__(cls)
        # The shares sum to a little less than 1, as the rarest words are missing.
        counts = _english()
        loaded._set(counts, 1.0, *counts.extremes)
        return loaded

    @property
    def _is_default(self) -> bool:
        return isinstance(self._counts, EnglishFrequencies)

    def _count(self, word: str) -> float:
        count = self._counts.get(word, 0.0)
        if count == 0.0 and isinstance(self._counts, EnglishFrequencies):
            # The table has numbers by their shape only ("0000").
            count = self._counts.of_number(word) if any(map(str.isdigit, word)) else 0.0
        return count

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
        return self._count(word) / self._total

    def information(self, words: Iterable[str], *, unknown: float = 0.0) -> Floats:
        """Compute the information content of words, ln(1 / probability), in nats.

        Parameters
        ----------
        words : iterable of str
            Lower-cased words.
        unknown : float, default=0.0
            Value for unknown words: 0, as in TakeLab (:class:`~skpara.LexicalFeatures`), or
            ``max_information``, which is that of the rarest known word.

        Returns
        -------
        ndarray of float64, shape (n_words,)
            Information content; not negative if ``unknown`` is not.
        """
        words = list(words)
        if isinstance(self._counts, EnglishFrequencies):
            counts = self._counts.shares(words)
            for i in np.flatnonzero(counts == 0).tolist():
                counts[i] = self._count(words[i])
        else:
            values = map(self._counts.get, words, repeat(0.0))
            counts = np.fromiter(values, dtype=np.float64, count=len(words))
        known = counts > 0
        information = np.full(len(counts), float(unknown))
        nats = math.log(self._total) - np.log(counts[known])
        information[known] = np.maximum(nats, 0.0)
        return information

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
        return WordFrequencies.load, (_DEFAULT if self._is_default else dict(self._counts),)

    def __getstate__(self) -> dict[str, Any]:
        # This is for skops, which would write a node for each word of a dict.
        return {"counts": None if self._is_default else json.dumps(dict(self._counts))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        counts = state["counts"]
        loaded = WordFrequencies.load(_DEFAULT if counts is None else json.loads(counts))
        self.__dict__.update(vars(loaded))


@lru_cache(maxsize=1)
def _english() -> EnglishFrequencies:
    return EnglishFrequencies()


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


def _read_counts(path: Path) -> dict[str, float]:
    counts: dict[str, float] = {}
    for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        parts = line.rsplit(None, 1)
        try:
            word, count = parts[0].strip(), float(parts[1])
        except (IndexError, ValueError):
            raise ValueError(
                f"{path}, line {number} is {line!r:.60}; each line must have a word, "
                "a space and the word's count."
            ) from None
        counts[word] = counts.get(word, 0.0) + count
    return counts
