"""Mentions of numbers, times, quantifiers and names; signs; and which names and words are one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged
from skpara._normal_form import without_accents
from skpara._typing import Bools
from skpara.features._batch import PairBatch
from skpara.features._kernels import MOST_WORDS, Ids, Sides, are_among, missing
from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    FAILURES,
    QUANTIFIERS,
    are_synonyms,
    is_misspelling,
    kinds_in,
    words_in,
)
from skpara.quantities import CURRENCIES, DAYS, MONTHS, Meaning, read
from skpara.resources import WordNet

# Quantifiers that may also be written as numbers.
_SHARES = {"half": 0.5, "quarter": 0.25}
# Units, which are not names: "64 GB".
_UNITS = words_in("units")
# Titles are left out with a name or added to it; text that was read by a parser has brackets such
# as "-LRB-".
NO_NAMES = words_in("titles").union(words_in("brackets"), MONTHS, DAYS, CURRENCIES)
# Names of a place in other words, each with one of them.
_SAME_NAME = kinds_in("same name")

# Numbers that may be a year.
_YEARS = frozenset(range(1000, 10_000))
# Characters that the tokenizer may leave out between two tokens.
_MOST_LEFT_OUT = 12
# Characters that tokens leave out: powers, primes, arrows, ticks, emoji.
_SYMBOLS = (
    "<>\u00b2\u00b3\u00b9\u2032-\u2034\u2070-\u209f\u2190-\u2211\u2213-\u22ff\u2600-\u27bf"
    "\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff"
)
_SYMBOL = re.compile(f"[{_SYMBOLS}]")
# What a text with signs or symbols has: few texts do.
_OF_SIGNS = re.compile(rf"[+#−{_SYMBOLS}]|(?<!\w)-[\d$]|[A-Z]-(?!\w)|\b[Mm]inus ")
_PIECES_OF_SIGNS = ("+", "#", "-", "<", ">", "inus ")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# A dash that is a sign and not between two words.
_DASH = re.compile(r"(?<![^\s(=:,<>])[-−]\$?$")
_BEFORE_SIGNS = ("", "(", "=", ":", ",", "<", ">")
_DEGREES = re.compile(r"\s?(?:°|degrees?\b|%|percent\b|points?\b|[CF]\b)")
# Parts of speech in front of a number below zero, not of a dash: "is -5", "to -5".
_BEFORE_NUMBERS = "bxvpds"
_SHARP = re.compile(r"#(?!\w)")
# Not "the X- and Y-axis".
_GRADE = re.compile(r"-(?!\w|,? (?:and|or|to)\b)")
# Bits of the shape of a token; texts have the same tokens again and again.
_CAPITALIZED, _LETTERS, _NAME, _DOLLAR = 1, 2, 4, 8
_CACHED_TOKENS = 20_000
# Parts of speech that no name has.
_NAMELESS = "!bx&sdp"
# Capitalized words from which a sentence may be a headline.
FEWEST_OF_HEADLINE = 4
# Words that acronyms leave out.
_NOT_SPELLED = frozenset(["of", "the", "and", "for"])
# Endings that turn a place into its people; three letters must remain.
_DEMONYM = re.compile(r"(?<=\w{3})(ian|ean|ia|an|ese|ish|is|i|n|s|a|e|y)s?$")


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared.

    It is at some of the tokens, from ``place`` or before to ``end``. What it says may be
    ``written`` in other words.
    """

    kind: str
    value: Any
    place: int
    start: int = -1
    end: int = -1
    says: frozenset[Meaning] = frozenset()
    written: frozenset[Meaning] = frozenset()
    text: str = ""


def word_at(words: Sequence[str], i: int) -> str:
    """Return the word at a position, which may be behind the last one: then ""."""
    return words[i] if i < len(words) else ""


def find_starts(text: str, tokens: Sequence[str]) -> list[int]:
    """Return where each token of a text starts, and behind them where the last one ends."""
    starts = list[int]()
    end = 0
    for token in tokens:
        start = text.find(token, end, end + len(token) + _MOST_LEFT_OUT)
        if start < 0:  # the tokenizer writes it in another way
            starts.append(end)
        else:
            starts.append(start)
            end = start + len(token)
    return [*starts, end]


def find_quantities(text: str, tokens: Sequence[str]) -> list[Mention]:
    """Find the numbers and times of a text of some tokens."""
    found = []
    quantities = read(text)
    starts = find_starts(text, tokens) if quantities else []
    for quantity in quantities:
        place, first, last = (
            bisect_right(starts, k, hi=len(starts) - 1) - 1
            for k in (quantity.place, quantity.start, quantity.end - 1)
        )
        if quantity.place < starts[-1] and place >= 0:
            found.append(
                Mention(
                    quantity.kind,
                    quantity.value,
                    place,
                    first,
                    last + 1,
                    quantity.says,
                    quantity.written,
                    text[quantity.start : quantity.end],
                )
            )
    return found


class Signed(NamedTuple):
    """A number or word with its sign: "C#". Symbols are signs of nothing."""

    sign: str
    place: int
    written: str


def may_have_sign(text: str) -> bool:
    """Return whether a text may have a symbol, or a number or letter with a sign."""
    # Most texts have nothing that a sign has, which is found in less time.
    is_plain = text.isascii() and not any(
        map(text.__contains__, ("+", "#", "-", "<", ">", "inus "))
    )
    return not is_plain and _OF_SIGNS.search(text) is not None


def find_signs(text: str, cased: Sequence[str], classes: str) -> dict[str, list[Signed]]:
    """Find the signs, "" for none, of each number and word, and symbols behind the last token."""
    found = defaultdict[str, list[Signed]](list)
    for k, (token, start) in enumerate(zip(cased, find_starts(text, cased), strict=False)):
        end = start + len(token)
        bare = token.lstrip("+−")
        number = _NUMBER.match(bare)
        if number:
            sign = "-" if _is_below_zero(text, end - len(bare), end, cased, classes, k) else ""
            found[number[0]].append(Signed(sign, k, sign + bare))
            continue
        core = token.rstrip("+")
        sign = token[len(core) :] if token[0].isupper() or len(core) == 1 else ""
        if len(core) == 1 and _SHARP.match(text, end):
            sign = "#"
        elif core.isupper() and len(core) < 3 and _GRADE.match(text, end):
            sign = "-"
        # "A" is an article unless it names something: "vitamin A".
        if sign or core.lower() != "a" or classes[max(0, k - 1)] == "n":
            found[core.lower()].append(Signed(sign, k, core + sign))
    for i, symbol in enumerate(_SYMBOL.findall(text), len(cased)):
        found[""].append(Signed(symbol, i, symbol))
    return found


def _is_below_zero(
    text: str, start: int, end: int, tokens: Sequence[str], classes: str, k: int
) -> bool:
    """Return whether a sign, and no dash, is in front of the number at a position."""
    if k > 0 and tokens[k - 1].lower() == "minus":
        return not "".join(tokens[: k - 1])[-1:].isdigit()  # "10 minus 5"
    before = text[max(0, start - _MOST_LEFT_OUT) : start]
    if not _DASH.search(before):
        return False
    return (
        before.rstrip("-−$").rstrip()[-1:] in _BEFORE_SIGNS
        or _DEGREES.match(text, end) is not None
        or classes[max(0, k - 1)] in _BEFORE_NUMBERS
    )


def harmonize_kinds(mentions: list[Mention], others: list[Mention]) -> list[Mention]:
    """Treat a year as a number, and 1 as a quantifier, if the other sentence does."""
    mentioned = {Meaning(other.kind, other.value) for other in others}
    if any(kind == "number" and value in _YEARS for kind, value in mentioned):
        mentions = [m._replace(kind=m.kind.replace("year", "number")) for m in mentions]
    amounts = {value for kind, value in mentioned if kind.startswith("quantifier")}
    if not amounts.isdisjoint(("all", "none")):
        mentions = [
            m._replace(kind="quantifier ") if m.kind == "number" and m.value == 1.0 else m
            for m in mentions
        ]
    return mentions


def find_quantifiers(words: Sequence[str], places: Sequence[int]) -> Iterator[Mention]:
    """Find the quantifiers at some positions of a sentence."""
    for i in places:
        word = words[i]
        if word not in QUANTIFIERS:
            continue
        amount = _find_amount(words, i)
        of = "" if word_at(words, i + 1) == "any" else QUANTIFIERS[word].of  # "hardly any"
        if amount:
            yield _quantifier(f"quantifier {of}", amount, i)


def _quantifier(kind: str, value: str, place: int) -> Mention:
    says = {Meaning(kind, value)}
    written = frozenset[Meaning]()
    if kind == "quantifier " and value in _SHARES:
        says.add(Meaning("share", 100 * _SHARES[value]))
        written = frozenset([Meaning("number", _SHARES[value])])
    return Mention(kind, value, place, place, place + 1, frozenset(says), written)


def _find_amount(words: Sequence[str], i: int) -> str:
    """Return the amount of the quantifier at a position, "" if it is none."""
    word = words[i]
    before = words[i - 1] if i > 0 else ""
    is_superlative = word == "most" and before in ("at", "the")
    if is_superlative or word_at(words, i + 1) == "than":  # "at most five", "fewer than"
        return ""
    affirming = AFFIRMING_PHRASES.match(words, i)
    if affirming is not None:  # "no shortage of" is many, "no doubt" no quantifier
        return affirming.meaning
    if word == "never" and word_at(words, i + 1) in FAILURES:  # "never fails to"
        return "all"
    amount = QUANTIFIERS[word].amount
    is_some = (before, word) == ("a", "few") or (before, amount) == ("not", "all")
    return "some" if is_some else amount


class Names(NamedTuple):
    """The names of a batch of pairs."""

    of_sentences: Ragged  # positions in each sentence
    # By pair, the positions of the names on each side that the other side lacks.
    new: tuple[dict[int, list[int]], dict[int, list[int]]]


def find_names(batch: PairBatch, positions: Ragged, kinds: NDArray[np.uint8]) -> Names:
    """Find the names of all sentences, and those that the other side of a pair lacks.

    ``positions`` are those of the first tokens of each sentence, and ``kinds`` the parts of speech
    of all these tokens.
    """
    is_name = _mark_names(batch, positions, kinds)
    names = positions.where(is_name)
    # A name may be written in small letters on the other side.
    tokens, n_tokens = _number_plain_tokens(batch)
    written = positions.with_ids(tokens)

    def find_new(sides: Sides) -> dict[int, list[int]]:
        new = defaultdict[int, list[int]](list)
        pair, place = missing(written, sides, is_name, n_tokens)
        for number, position in zip(pair.tolist(), place.tolist(), strict=True):
            new[number].append(position)
        return dict(new)

    left, right = batch.takelab.sides
    return Names(names, (find_new((left, right)), find_new((right, left))))


def _mark_names(batch: PairBatch, positions: Ragged, kinds: NDArray[np.uint8]) -> Bools:
    """Return which tokens are names."""
    takelab = batch.takelab
    n_sentences = len(takelab.texts)
    owners = positions.owners
    shapes = np.array([*map(_shape, takelab.cased)], dtype=np.int64)
    shapes = shapes[takelab.cased_ids.head(MOST_WORDS).ids]
    # In headlines every word may be capitalized.
    n_upper = np.bincount(owners[shapes & _CAPITALIZED > 0], minlength=n_sentences)
    n_letters = np.bincount(owners[shapes & _LETTERS > 0], minlength=n_sentences)
    is_headline = (n_upper >= FEWEST_OF_HEADLINE) & (2 * n_upper > n_letters)
    is_inside = (positions.ids > 0) & ~is_headline[owners]
    is_proper = batch.tagged.proper.head(MOST_WORDS).ids > 0
    is_name = (shapes & _NAME > 0) & (is_inside | is_proper) & ~are_among(kinds, _NAMELESS)
    is_last = positions.ids[1:] == 0
    is_name[:-1] &= is_last | (shapes[1:] & _DOLLAR == 0)  # "US$5"
    return is_name


def _number_plain_tokens(batch: PairBatch) -> tuple[Ids, int]:
    """Number the first tokens of all sentences, equal ones alike whatever their full stops.

    Also returns how many numbers there are at most.
    """
    takelab = batch.takelab
    numbers = {token: i for i, token in enumerate(takelab.distinct)}
    for token in [token for token in numbers if "." in token]:
        numbers[token] = numbers.setdefault(plain_name(token), len(numbers))
    plain = np.array([numbers[token] for token in takelab.distinct], dtype=np.int64)
    return plain[takelab.ids.head(MOST_WORDS).ids], len(numbers)


@lru_cache(_CACHED_TOKENS)
def _shape(token: str) -> int:
    """Return what decides whether a token is a name, as bits."""
    return (
        _CAPITALIZED * token[0].isupper()
        | _LETTERS * token.isalpha()
        | _NAME * may_be_name(token)
        | _DOLLAR * (token == "$")
    )


def may_be_name(token: str) -> bool:
    """Return whether a token looks like a name; in some sentences any capitalized word does."""
    if not token[0].isupper():
        return False
    name = plain_name(token)
    return name not in NO_NAMES and name not in _UNITS and name.isalpha() and not is_initial(token)


def is_initial(token: str) -> bool:
    """Return whether a token is an initial, such as "J."."""
    return len(token) == 2 and token[0].isupper() and token[1] == "."


def is_initial_of(token: str, other: str) -> bool:
    """Return whether one of two tokens is the initial of the other: "J." and "John"."""
    if not (is_initial(token) or is_initial(other)):
        return False
    return token[0] == other[0] and token != other


def plain_name(token: str) -> str:
    """Return a name without capitals, accents and full stops."""
    return without_accents(token.lower()).replace(".", "")


def are_one_name(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether two names stand for the same: "India", "Indian" or "Burma", "Myanmar"."""
    first = _SAME_NAME.get(first, first)
    second = _SAME_NAME.get(second, second)
    return (
        _have_one_stem(first, second)
        or are_synonyms(wordnet, first, second)
        or is_misspelling(wordnet, first, second)
    )


def _have_one_stem(first: str, second: str) -> bool:
    stems = {first, _DEMONYM.sub("", first)}
    return not stems.isdisjoint((second, _DEMONYM.sub("", second)))


def find_acronyms(first: Sequence[str], second: Sequence[str]) -> set[str]:
    """Return the acronyms of one side that the other side spells out, and its words."""
    return _find_spelled(first, second) | _find_spelled(second, first)


def _find_spelled(tokens: Sequence[str], others: Sequence[str]) -> set[str]:
    """Return the acronyms among tokens that other tokens spell out, and the latter."""
    found = set[str]()
    names = {plain_name(token) for token in tokens if token.isupper() and len(token) > 1}
    if not names:
        return found
    lowered = map(str.lower, others)
    spelled = [token for token in lowered if token not in _NOT_SPELLED]
    initials = "".join(token[0] for token in spelled)
    for name in names:
        start = initials.find(name)
        if start < 0 and len(name) == 3:  # the USA may be the United States
            start = initials.find(name[:2])
        if start >= 0:
            found |= {name, *spelled[start : start + len(name)]}
    return found
