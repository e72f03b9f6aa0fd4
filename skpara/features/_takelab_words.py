"""Words, content words and their weights, in the sense of the TakeLab features."""

from __future__ import annotations

import re
from collections.abc import Iterable

STOP_WORDS = frozenset(
    "i a about an are as at be by for from how in is it of on or that the this to was what when "
    "where who will with 's did have has had were 'll".split()
)
_NOT_IN_WORDS = re.compile(r"[0-9,.()=\[\]/_`]")


def is_word(token: str) -> bool:
    """Whether a token holds no digit, comma, full stop, bracket and the like."""
    return token.isalpha() or not _NOT_IN_WORDS.search(token)


def words(tokens: Iterable[str]) -> list[str]:
    """The tokens that are words, lower-cased.

    Examples
    --------
    >>> from skpara.features._takelab_words import words
    >>> words(["The", "U.S.", "won", "3", "games", "!"])
    ['the', 'won', 'games', '!']
    """
    return [token.lower() for token in tokens if is_word(token)]


def content_words(words: Iterable[str]) -> list[str]:
    """The words that are not stop words, in order, with repeats."""
    return [word for word in words if word not in STOP_WORDS]
