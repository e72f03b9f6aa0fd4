"""Tokens, words and stop words as the TakeLab features define them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from skpara._compiled import compiled

_native = compiled("skpara.features._native")
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

# The substitutions of the Penn Treebank's tokenizer, as nltk's TreebankWordTokenizer has them
# (Copyright (C) 2001-2026 NLTK Project, Apache License 2.0; see the file NOTICE). Importing nltk
# for them would take a third of the time of loading a model. Behind each are pieces of text, one
# of which is in every match.
_Step = tuple[str, str, tuple[str, ...]]
_BEFORE: list[_Step] = [
    (r"^\"", "``", ('"',)),
    (r"(``)", r" \1 ", ("``",)),
    (r"([ \(\[{<])(\"|\'{2})", r"\1 `` ", ('"', "''")),
    (r"([:,])([^\d])", r" \1 \2", (",", ":")),
    (r"([:,])$", r" \1 ", (",", ":")),
    (r"\.\.\.", " ... ", ("...",)),
    (r"[;@#$%&]", r" \g<0> ", tuple(";@#$%&")),
    (r'([^\.])(\.)([\]\)}>"\']*)\s*$', r"\1 \2\3 ", (".",)),
    (r"[?!]", r" \g<0> ", ("?", "!")),
    (r"([^'])' ", r"\1 ' ", ("' ",)),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> ", tuple("][(){}<>")),
    (r"--", " -- ", ("--",)),
]
# These follow when there is a space at both ends.
_AFTER: list[_Step] = [
    (r"''", " '' ", ("''",)),
    (r'"', " '' ", ('"',)),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 ", ("'",)),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 ", ("'",)),
]
# Contractions are split into their two groups. They ignore case: the pieces are lower-cased.
_CONTRACTIONS = {
    r"\b(can)(not)\b": "cannot",
    r"\b(d)('ye)\b": "d'ye",
    r"\b(gim)(me)\b": "gimme",
    r"\b(gon)(na)\b": "gonna",
    r"\b(got)(ta)\b": "gotta",
    r"\b(lem)(me)\b": "lemme",
    r"\b(more)('n)\b": "more'n",
    r"\b(wan)(na)(?=\s)": "wanna",
    r" ('t)(is)\b": "'tis",
    r" ('t)(was)\b": "'twas",
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
    before, after, contractions, hints = _compiled_steps()
    # Only the substitutions of contractions match letters, digits and spaces.
    if not _PLAIN_TEXT.fullmatch(text):
        text = _apply(before, text)
        text = _apply(after, f" {text} ")
    # Beyond ASCII other letters match them, too, when case is ignored ("ſ" as "s"): apply all.
    if not text.isascii() or hints.search(text.lower()):
        text = f" {text} "
        for pattern in contractions:
            text = pattern.sub(r" \1 \2 ", text)
    return text.split()


def _apply(steps: Sequence[tuple[Any, str, tuple[str, ...]]], text: str) -> str:
    for pattern, replacement, pieces in steps:
        for piece in pieces:  # any() would cost more than most searches
            if piece in text:
                text = pattern.sub(replacement, text)
                break
    return text


@lru_cache(maxsize=1)
def _compiled_steps() -> tuple[list[Any], list[Any], list[re.Pattern[str]], re.Pattern[str]]:
    """Compile the substitutions on first use: it takes longer than importing this module."""
    before, after = (
        [(re.compile(pattern), *step) for pattern, *step in steps] for steps in (_BEFORE, _AFTER)
    )
    contractions = [re.compile(pattern, re.IGNORECASE) for pattern in _CONTRACTIONS]
    hints = re.compile("|".join(map(re.escape, _CONTRACTIONS.values())))
    return before, after, contractions, hints


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
