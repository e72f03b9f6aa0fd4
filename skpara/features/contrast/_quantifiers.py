"""Quantifiers and bounds that a sentence mentions: "all", "at least 9"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skpara.features._families.quantities import HINTS
from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    BOUNDS,
    FAILURES,
    QUANTIFIERS,
)
from skpara.features.contrast._mentions import QUANTIFYING, Mention, word_at

_CURRENCY_SIGNS = frozenset("$£€")
# Tags of words that "most" makes a superlative of, as in "most beautiful".
_DESCRIBING = frozenset(["JJ", "RB"])
# Tags of words such as "the" or "their" in front of a superlative.
_DETERMINING = frozenset(["DT", "PR", "PO"])


def find_quantifiers(
    words: Sequence[str], tags: Sequence[str], places: Sequence[int]
) -> Iterator[Mention]:
    """Find the quantifiers and bounds at some positions of a sentence."""
    for i in places:
        word = words[i]
        if word not in QUANTIFYING:
            continue
        if word in BOUNDS and _is_bound(words, i):
            yield Mention("quantifier bound", BOUNDS[word], i)
        elif word in QUANTIFIERS and not (word == "most" and _is_superlative(words, tags, i)):
            amount, of = QUANTIFIERS[word]
            affirming = AFFIRMING_PHRASES.match(words, i)
            if affirming is not None:  # "no shortage of" is many, "no doubt" no quantifier
                amount = affirming.meaning
                if not amount:
                    continue
            elif word == "never" and word_at(words, i + 1) in FAILURES:  # "never fails to"
                amount = "all"
            if word_at(words, i + 1) == "any":  # "hardly any"
                of = ""
            if word == "few" and i > 0 and words[i - 1] == "a":
                amount = "some"
            yield Mention(f"quantifier {of}", amount, i)


def _is_bound(words: Sequence[str], i: int) -> bool:
    """Return whether a word bounds a number, as in "at least" or "over 50"."""
    if words[i] in ("least", "most"):
        return words[max(0, i - 1)] == "at"
    following = word_at(words, i + 1)
    if following == "than":
        return True
    number = word_at(words, i + 2) if following in _CURRENCY_SIGNS else following
    return number[:1].isdigit() or number in HINTS


def _is_superlative(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """Return whether "most" is the one of "the most useful tips", not of "most plastic bags"."""
    following = word_at(tags, i + 1)
    if following not in _DESCRIBING:
        return False
    is_determined = i > 0 and tags[i - 1] in _DETERMINING
    is_plural = following == "JJ" and word_at(words, i + 2).endswith("s")
    return is_determined or not is_plural
