"""Words and phrases of which a thing has only one: "vegan" or "vegetarian", "and" or "or"."""

from __future__ import annotations

from collections.abc import Sequence

from skpara.features.contrast._lexicon import EXCLUSIVE_TERMS, Term


def find_terms(tokens: Sequence[str], bases: Sequence[str]) -> dict[Term, tuple[int, ...]]:
    """Find the listed words and phrases of a sentence, with the positions of their words."""
    found: dict[Term, tuple[int, ...]] = {}
    end = 0
    for i, token in enumerate(tokens):
        if i < end or not (token in EXCLUSIVE_TERMS.keys or bases[i] in EXCLUSIVE_TERMS.keys):
            continue
        phrases = [EXCLUSIVE_TERMS.match(words, i) for words in (tokens, bases)]
        longest = max(phrase.end - phrase.start if phrase else 0 for phrase in phrases)
        for phrase in phrases:
            if phrase is not None and phrase.end - phrase.start == longest:
                end = max(end, phrase.end)
                for term in phrase.meaning:
                    found.setdefault(term, tuple(range(phrase.start, phrase.end)))
    return found
