"""Quantifiers and bounds that a sentence mentions: "all", "at least 9"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    BOUNDS,
    FAILURES,
    QUANTIFIERS,
    SHARES,
)
from skpara.features.contrast._mentions import QUANTIFYING, Mention, word_at
from skpara.quantities import HINTS, Meaning

# "No more than five" are five at most.
_OTHER_BOUND = {"lower": "upper", "upper": "lower"}
_DENYING = frozenset(["no", "not"])
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
            is_denied = i > 0 and words[i - 1] in _DENYING
            bound = _OTHER_BOUND[BOUNDS[word]] if is_denied else BOUNDS[word]
            yield _quantifier("quantifier bound", bound, i)
        elif word in QUANTIFIERS and not (word == "most" and _is_superlative(words, tags, i)):
            amount = _find_amount(words, i)
            of = "" if word_at(words, i + 1) == "any" else QUANTIFIERS[word].of  # "hardly any"
            if amount:
                yield _quantifier(f"quantifier {of}", amount, i)


def _quantifier(kind: str, value: str, place: int) -> Mention:
    says = {Meaning(kind, value)}
    written = frozenset[Meaning]()
    if kind == "quantifier " and value in SHARES:
        says.add(Meaning("share", 100 * SHARES[value]))
        written = frozenset([Meaning("number", SHARES[value])])
    return Mention(kind, value, place, place, place + 1, frozenset(says), written)


def _find_amount(words: Sequence[str], i: int) -> str:
    """Return the amount of the quantifier at a position, "" if it is none."""
    word = words[i]
    before = words[i - 1] if i > 0 else ""
    affirming = AFFIRMING_PHRASES.match(words, i)
    if affirming is not None:  # "no shortage of" is many, "no doubt" no quantifier
        return affirming.meaning
    if word == "never" and word_at(words, i + 1) in FAILURES:  # "never fails to"
        return "all"
    amount = QUANTIFIERS[word].amount
    is_some = (before, word) == ("a", "few") or (before, amount) == ("not", "all")
    return "some" if is_some else amount


def _is_bound(words: Sequence[str], i: int) -> bool:
    """Return whether a word bounds a number, as in "at least" or "over 50"."""
    if words[i] in ("least", "most"):
        return words[max(0, i - 1)] == "at"
    following = word_at(words, i + 1)
    if following == "than":
        return True
    if i > 1 and words[i - 1] == "or" and _is_number(words[i - 2]):  # "five or more"
        return True
    if words[i] == "up":
        return following == "to" and _is_amount(words, i + 2)
    if words[i] in ("maximum", "minimum") and following == "of":
        return _is_amount(words, i + 2)
    return _is_amount(words, i + 1)


def _is_amount(words: Sequence[str], i: int) -> bool:
    """Return whether a number begins at a position, perhaps with a sign of a currency."""
    is_sign = word_at(words, i) in _CURRENCY_SIGNS
    return _is_number(word_at(words, i + 1 if is_sign else i))


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in HINTS


def _is_superlative(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """Return whether "most" is the one of "the most useful tips", not of "most plastic bags"."""
    following = word_at(tags, i + 1)
    if following not in _DESCRIBING:
        return False
    is_determined = i > 0 and tags[i - 1] in _DETERMINING
    is_plural = following == "JJ" and word_at(words, i + 2).endswith("s")
    return is_determined or not is_plural
