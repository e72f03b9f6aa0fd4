"""What a token is."""

from __future__ import annotations

import re
import unicodedata

# A word: letters and digits of any script, joined by an apostrophe, or by a comma or full stop
# between digits. Anything else that is not white space is a token of its own.
_TOKEN = re.compile(
    r"[^\W_]+(?:'[^\W_]+|(?<=[0-9])[.,](?=[0-9])[^\W_]+)*|[^\w\s]|_",
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'"})


def normalize(sentence: str) -> str:
    """Lower-case a sentence, compose its characters (NFC) and straighten its apostrophes."""
    # ASCII text, nearly all of English, is composed already.
    if not sentence.isascii():
        sentence = unicodedata.normalize("NFC", sentence).translate(_APOSTROPHES)
    return sentence.lower()


def tokenize(sentence: str) -> list[str]:
    """Split a sentence into lower-cased words, numbers and punctuation marks.

    Contractions and numbers stay whole ("don't", "1,650.5"); hyphenated words are split; every
    other mark is a token.

    Parameters
    ----------
    sentence : str
        Text of any script.

    Returns
    -------
    list of str
        The tokens in order.

    Examples
    --------
    >>> from skpara.text import tokenize
    >>> tokenize("It's 1,650.5 miles to the well-known café!")
    ["it's", '1,650.5', 'miles', 'to', 'the', 'well', '-', 'known', 'café', '!']
    """
    return _TOKEN.findall(normalize(sentence))
