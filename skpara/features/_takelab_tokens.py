"""Sentences to the tokens that the TakeLab features are defined on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import Any

# One step of a tokeniser: run (pattern, replacement) only where one of the pieces is in the text.
_Step = tuple[Any, str, tuple[str, ...]]

_ANGLE = re.compile(r"<([^ ]+)>")
_DOLLAR = re.compile(r"\$US(\d)")
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 ]*")
_EXPANSIONS = {"n't": "not", "'m": "am"}

# Each pattern of nltk's TreebankWordTokenizer with pieces of text, one of which every match has
# to hold. A pattern that is not listed is always run, so a later nltk stays right, only slower.
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
    """Tokens of one sentence, before compounds are joined.

    Typographic quotes and dashes are made plain, hyphens and slashes become spaces, the rest is
    cut as by nltk's ``TreebankWordTokenizer``, and "n't" and "'m" are written out.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    list of str
        In order, case kept, none of them empty.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features._takelab_tokens import takelab_tokens
    >>> takelab_tokens("She didn't read the well-known book.")
    ['She', 'did', 'not', 'read', 'the', 'well', 'known', 'book', '.']
    """
    return [_EXPANSIONS.get(token, token) for token in treebank_tokens(_plain(sentence))]


def join_compounds(tokens: Sequence[str], others: Sequence[str]) -> list[str]:
    """Join neighbours that the other sentence writes as one word.

    Parameters
    ----------
    tokens, others : sequence of str
        Tokens of the two sentences, neither of them joined yet.

    Returns
    -------
    list of str
        ``tokens``, where two neighbours whose concatenation is, without regard to case, a token
        of ``others`` are one token; taken from left to right.

    Examples
    --------
    >>> from skpara.features._takelab_tokens import join_compounds
    >>> join_compounds(["the", "base", "ball", "bat"], ["Baseball"])
    ['the', 'baseball', 'bat']
    """
    whole = {other.lower() for other in others}
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


def compounds(tokens: Sequence[str]) -> frozenset[str]:
    """Lower-cased concatenations of neighbouring tokens: all that could be joined."""
    if len(tokens) < 2:
        return frozenset()
    # Tokens hold no white space; one text is lower-cased faster than many.
    return frozenset("\n".join(map(add, tokens, tokens[1:])).lower().split("\n"))


def treebank_tokens(text: str) -> list[str]:
    """Tokens of nltk's ``TreebankWordTokenizer().tokenize(text)``, several times faster.

    The tokeniser is a row of substitutions, most of which change nothing in most sentences. Each
    can match only where a certain piece of text is, so looking for that piece first is enough.
    """
    before, after, contractions, hints = _treebank_steps()
    # No substitution but those of contractions matches letters, digits and spaces.
    if not _PLAIN_TEXT.fullmatch(text):
        text = _run(before, text)
        text = _run(after, f" {text} ")
    # Beyond ASCII, other letters fold to the ones looked for ("ſ" to "s"): run them all then.
    if not text.isascii() or hints.search(text.lower()):
        text = f" {text} "
        for pattern, replacement in contractions:
            text = pattern.sub(replacement, text)
    return text.split()


def _run(steps: Sequence[_Step], text: str) -> str:
    for pattern, replacement, pieces in steps:
        if not pieces:
            text = pattern.sub(replacement, text)
            continue
        for piece in pieces:
            if piece in text:
                text = pattern.sub(replacement, text)
                break
    return text


@lru_cache(maxsize=1)
def _treebank_steps() -> tuple[list[_Step], list[_Step], list[tuple[Any, str]], Any]:
    """Substitutions before and after the text is padded; contractions, and what hints at one."""
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
        for quote in "’´":
            text = text.replace(quote, "'")
        for dash in "—–":
            text = text.replace(dash, "--")
    text = text.replace("``", '"').replace("''", '"').replace("-", " ").replace("/", " ")
    if "<" in text and ">" in text:
        text = _ANGLE.sub(r"\1", text)
    if "$US" in text:
        text = _DOLLAR.sub(r"$\1", text)
    return text
