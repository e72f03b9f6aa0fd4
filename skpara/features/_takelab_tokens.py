"""Tokens, words and stop words as the TakeLab features define them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from skpara._compiled import compiled

_native = compiled("skpara.features._native")
# One step of a tokenizer: apply (pattern, replacement) only if one of the pieces is in the text.
_Step = tuple[Any, str, tuple[str, ...]]

_ANGLES = re.compile(r"<[^ ]*")
_DOLLAR = re.compile(r"\$US(\d)")
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 ]*")
_TYPOGRAPHIC = str.maketrans({"’": "'", "´": "'", "—": "--", "–": "--"})
_EXPANSIONS = {"n't": "not", "'m": "am"}
_NOT_IN_WORDS = re.compile(r"[0-9,.()=\[\]/_`]")
STOP_WORDS = frozenset(
    "i a about an are as at be by for from how in is it of on or that the this to was what when "
    "where who will with 's did have has had were 'll".split()
)

# For each pattern of nltk's TreebankWordTokenizer pieces of text, one of which is in every match.
# A pattern that is not listed is always applied: with a later nltk this stays right, only slower.
_PIECES = {
    r"^\"": ('"',),
    r"(``)": ("``",),
    r"([ \(\[{<])(\"|\'{2})": ('"', "''"),
    r"([:,])([^\d])": (",", ":"),
    r"([:,])$": (",", ":"),
    r"\.\.\.": ("...",),
    r"[;@#$%&]": tuple(";@#$%&"),
    r'([^\.])(\.)([\]\)}>"\']*)\s*$': (".",),
    r"[?!]": ("?", "!"),
    r"([^'])' ": ("' ",),
    r"[\]\[\(\)\{\}\<\>]": tuple("][(){}<>"),
    r"--": ("--",),
    r"''": ("''",),
    r'"': ('"',),
    r"([^' ])('[sS]|'[mM]|'[dD]|') ": ("'",),
    r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ": ("'",),
}
# The same for its contractions, which ignore case: pieces of the lower-cased text.
_CONTRACTIONS = {
    r"(?i)\b(can)(?#X)(not)\b": "cannot",
    r"(?i)\b(d)(?#X)('ye)\b": "d'ye",
    r"(?i)\b(gim)(?#X)(me)\b": "gimme",
    r"(?i)\b(gon)(?#X)(na)\b": "gonna",
    r"(?i)\b(got)(?#X)(ta)\b": "gotta",
    r"(?i)\b(lem)(?#X)(me)\b": "lemme",
    r"(?i)\b(more)(?#X)('n)\b": "more'n",
    r"(?i)\b(wan)(?#X)(na)(?=\s)": "wanna",
    r"(?i) ('t)(?#X)(is)\b": "'tis",
    r"(?i) ('t)(?#X)(was)\b": "'twas",
}


def takelab_tokens(sentence: str) -> list[str]:
    """Split a sentence into tokens, before compounds are joined.

    Typographic quotes and dashes are replaced by plain ones, hyphens and slashes by spaces. The
    rest is split as by nltk's ``TreebankWordTokenizer``, and "n't" and "'m" are expanded. Case is
    kept.
    """
    tokens: list[str] | None = _native.tokens(sentence) if _native else None
    if tokens is not None:
        return tokens
    return [_EXPANSIONS.get(token, token) for token in treebank_tokens(_plain(sentence))]


def join_compounds(tokens: Sequence[str], other_tokens: Sequence[str]) -> list[str]:
    """Join two neighboring tokens wherever the other sentence writes them as one word.

    Case is ignored; tokens are joined from left to right, each at most once.
    """
    whole = {token.lower() for token in other_tokens}
    joined = []
    i = 0
    while i < len(tokens):
        compound = "".join(tokens[i : i + 2])
        if i + 1 < len(tokens) and compound.lower() in whole:
            joined.append(compound)
            i += 2
        else:
            joined.append(tokens[i])
            i += 1
    return joined


def treebank_tokens(text: str) -> list[str]:
    """Split as nltk's ``TreebankWordTokenizer().tokenize(text)`` does, several times faster.

    The tokenizer is a sequence of substitutions, most of which change nothing in most sentences.
    Each can only match where a certain piece of text occurs, and searching for that is fast.
    """
    before, after, contractions, hints = _treebank_steps()
    # Only the substitutions of contractions match letters, digits and spaces.
    if not _PLAIN_TEXT.fullmatch(text):
        text = _apply(before, text)
        text = _apply(after, f" {text} ")
    # Beyond ASCII other letters match them, too, when case is ignored ("ſ" as "s"): apply all.
    if not text.isascii() or hints.search(text.lower()):
        text = f" {text} "
        for pattern, replacement in contractions:
            text = pattern.sub(replacement, text)
    return text.split()


def _apply(steps: Sequence[_Step], text: str) -> str:
    for pattern, replacement, pieces in steps:
        # An empty piece is in every text. any() would cost more than most searches.
        for piece in pieces or ("",):
            if piece in text:
                text = pattern.sub(replacement, text)
                break
    return text


@lru_cache(maxsize=1)
def _treebank_steps() -> tuple[list[_Step], list[_Step], list[tuple[Any, str]], Any]:
    """Return substitutions before and after the text is padded, contractions, and their pieces."""
    from nltk.tokenize.treebank import TreebankWordTokenizer as Treebank

    def steps(substitutions: Sequence[tuple[Any, str]]) -> list[_Step]:
        return [(p, r, _PIECES.get(p.pattern, ())) for p, r in substitutions]

    before = [*Treebank.STARTING_QUOTES, *Treebank.PUNCTUATION]
    before += [Treebank.PARENS_BRACKETS, Treebank.DOUBLE_DASHES]
    patterns = [*Treebank.CONTRACTIONS2, *Treebank.CONTRACTIONS3]
    pieces = [_CONTRACTIONS.get(pattern.pattern, "") for pattern in patterns]
    hints = re.compile("|".join(map(re.escape, pieces)))
    contractions: list[tuple[Any, str]] = [(pattern, r" \1 \2 ") for pattern in patterns]
    return steps(before), steps(Treebank.ENDING_QUOTES), contractions, hints


def _plain(sentence: str) -> str:
    text = sentence.strip()
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC)
    text = text.replace("``", '"').replace("''", '"').replace("-", " ").replace("/", " ")
    if "<" in text and ">" in text:
        text = _ANGLES.sub(_without_angles, text)
    if "$US" in text:
        text = _DOLLAR.sub(r"$\1", text)
    return text


def _without_angles(match: re.Match[str]) -> str:
    """Remove the first "<" and the last ">" if there is something between them."""
    # One regular expression with both would take quadratic time where no ">" follows.
    text = match[0]
    end = text.rfind(">")
    return text[1:end] + text[end + 1 :] if end > 1 else text


def is_word(token: str) -> bool:
    """Return whether a token has no digit, comma, full stop, bracket and the like."""
    return token.isalpha() or not _NOT_IN_WORDS.search(token)


def is_content(word: str) -> bool:
    """Return whether a lower-cased token is a word or a number, not a stop word or a mark."""
    return word not in STOP_WORDS and any(map(str.isalnum, word))
