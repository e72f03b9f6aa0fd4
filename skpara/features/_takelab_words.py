"""What a word is, and which of them are stop words, in the sense of the TakeLab features."""

from __future__ import annotations

import re

STOP_WORDS = frozenset(
    "i a about an are as at be by for from how in is it of on or that the this to was what when "
    "where who will with 's did have has had were 'll".split()
)
_NOT_IN_WORDS = re.compile(r"[0-9,.()=\[\]/_`]")


def is_word(token: str) -> bool:
    """Whether a token holds no digit, comma, full stop, bracket and the like.

    Examples
    --------
    >>> from skpara.features._takelab_words import is_word
    >>> [token for token in ["The", "U.S.", "won", "3", "games", "!"] if is_word(token)]
    ['The', 'won', 'games', '!']
    """
    return token.isalpha() or not _NOT_IN_WORDS.search(token)
