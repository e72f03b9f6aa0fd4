"""Tokenization rules."""

from __future__ import annotations

import html
import re
import sys
import unicodedata

import numpy as np
from numpy.typing import NDArray

from skpara._normal_form import compose

# A word: letters and digits of any script, joined by an apostrophe, or by a comma or full stop
# between digits. Anything else that is not white space is a token of its own.
_TOKEN = re.compile(
    r"[^\W_]+(?:'[^\W_]+|(?<=[0-9])[.,](?=[0-9])[^\W_]+)*|[^\w\s]|_",
)
# Halves of characters, as broken JSON has them. No file can hold them, and words that are learned
# must be saved.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Typographic forms of the apostrophe.
_APOSTROPHES = "\u2019\u02bc"
# Traces of other tools in text. The compiled module finds sentences that may have them by the
# characters & ` ' and -; `needs_normalize` there must follow if more is matched here.
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")
# Starting the pattern with a literal apostrophe makes the search several times faster.
_CLITIC = re.compile(r"'(?:d|ll|m|re|s|t|ve)(?!['\w])")
_BRACKET = re.compile(r"-([lr])([rsc])b-")
_BRACKETS = {"lr": "(", "rr": ")", "ls": "[", "rs": "]", "lc": "{", "rc": "}"}

# One entry per character for the compiled module, filled 256 at a time when one of them occurs:
# its lower case (21 bits), its kind (2 bits), and whether it, or text around it, needs the slow
# path, `normalize` (1 bit). A filled entry is never 0.
CHARACTERS = np.zeros(sys.maxunicode + 1, dtype=np.uint32)
# Kinds of characters.
SPACE = 0
WORD = 1
MARK = 2
JOINER = 3  # joins two words, or is a mark


def replace_lone_surrogates(text: str) -> str:
    """Replace each half of a character by U+FFFD, the replacement character."""
    try:
        text.encode()  # much faster than a search, and hardly any text has one
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text; lone surrogates are allowed."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def normalize(sentence: str) -> str:
    """Bring a sentence into the normal form, in lower case, with straight apostrophes.

    Traces of other tools are undone: HTML entities ("&amp;"), and the Penn Treebank's
    quotes (``), brackets (-LRB-) and separate clitics ("do n't", "it 's"). Lone surrogates become
    U+FFFD, the replacement character.
    """
    if "&" in sentence:
        sentence = _ENTITY.sub(lambda match: html.unescape(match[0]), sentence)
    # ASCII text, nearly all of English, is composed already.
    if not sentence.isascii():
        sentence = compose(replace_lone_surrogates(sentence))
        for apostrophe in _APOSTROPHES:  # several times faster than str.translate
            sentence = sentence.replace(apostrophe, "'")
    sentence = sentence.lower()
    # Tests for single characters spare ordinary text the regular expressions.
    if "'" in sentence:
        sentence = _join_clitics(sentence).replace("''", '"')
    if "`" in sentence:
        sentence = sentence.replace("``", '"')
    if "b-" in sentence:
        sentence = _BRACKET.sub(lambda match: _BRACKETS[match[1] + match[2]], sentence)
    return sentence


def _join_clitics(sentence: str) -> str:
    """Remove the white space between a word and a clitic that belongs to it: "do n't", "it 's"."""
    parts = []
    end = 0
    for match in _CLITIC.finditer(sentence):
        start = match.start()
        start -= sentence[start - 1 : start + 2] == "n't"
        word = sentence[end:start].rstrip()
        if end + len(word) < start and word and word[-1].isalnum():
            parts.append(word)
            end = start
    return "".join([*parts, sentence[end:]])


def fill_characters(code: int) -> None:
    """Fill the entries of a character and of its neighbors in ``CHARACTERS``."""
    start = code & ~255
    CHARACTERS[start : start + 256] = [_entry(chr(i)) for i in range(start, start + 256)]


def _entry(character: str) -> int:
    lower = normalize(character)
    kind = SPACE if lower.isspace() else WORD if lower.isalnum() else MARK
    if lower in "',.":
        kind = JOINER
    # A sigma depends on its neighbors. Characters that may combine with the one before are marks,
    # Hangul jamo and letters of scripts beyond the first plane.
    code = ord(character)
    category = unicodedata.category(character)
    alone = compose(character) == character and len(lower) == 1 and character != "Σ"
    combines = (
        category[0] == "M" or 0x1100 <= code < 0x1200 or (code > 0xFFFF and category == "Lo")
    )
    return ord(lower[:1] or " ") | kind << 21 | (not alone or combines or lower in "&`'-") << 23


fill_characters(0)  # ASCII


def tokenize(sentence: str) -> list[str]:
    """Split a sentence into lower-cased words, numbers and punctuation marks.

    Contractions and numbers stay whole ("don't", "1,650.5"); hyphenated words are split; every
    other mark is a token. Text that was tokenized by the rules of the Penn Treebank ("do n't",
    "-LRB-") or has HTML entities ("&amp;") gives the tokens of plain text.

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
