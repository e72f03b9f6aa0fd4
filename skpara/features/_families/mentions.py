"""Numbers, times, names and quantifiers of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skpara.features._families.quantities import AMBIGUOUS, DAYS, HINTS, MONTHS, amounts, dates

_CLASSES = {
    "all": "all every each both entire whole everyone everybody everything always",
    "some": "some several someone somebody something sometimes occasionally",
    "most": "most mostly",
    "many": "many much numerous lots plenty often frequently usually regularly",
    "half": "half",
    "quarter": "quarter",
    "few": "few fewer rarely seldom hardly scarcely",
    "none": "no none neither nobody nothing never",
    "only": "only merely",
}
# Quantifiers of different things are not compared: "always" is no answer to "nobody".
_ABOUT = {
    "person": "everyone everybody someone somebody nobody",
    "thing": "everything something nothing",
    "time": "always sometimes occasionally often frequently usually regularly rarely seldom "
    "hardly scarcely never",
}
_about = {word: about for about, words in _ABOUT.items() for word in words.split()}
QUANTIFIERS = {
    word: (kind, _about.get(word, ""))
    for kind, words in _CLASSES.items()
    for word in words.split()
}
# "over 50" is at least 50 for most purposes, and not "under 50".
_BOUNDS = dict.fromkeys("over above exceeding more least".split(), "lower")
_BOUNDS |= dict.fromkeys("under below less fewer most".split(), "upper")
_QUANTIFYING = _BOUNDS.keys() | QUANTIFIERS.keys()
_SIGNS = frozenset("$£€")
_DESCRIBING = (["JJ"], ["RB"])  # "most beautiful"
_HALF_DAY = 720  # minutes: "three o'clock" may be 3 am or 3 pm
_SUFFIXES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(am|pm|a\.m\.?|p\.m\.?)?")
_FRACTIONS = {"half": 30, "quarter": 15}
_HALVES = {"morning": 0, "afternoon": 720, "evening": 720}
PERIODS = frozenset("minute hour day week weekend month year decade century season".split())
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "next": 1, "following": 1}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
RANKS = {word: n for n, word in enumerate(_ORDINALS, 1)}
_TENS = {"twenty": 20, "thirty": 30}
_RANK = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")
_DECADE = re.compile(r"'?(?:[0-9]{2})?([0-9]0)s")
_FREQUENCIES = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
_FREQUENCIES |= dict.fromkeys(("yearly", "annually", "annual"), "year")
_COUNTS = {"once": 1.0, "twice": 2.0, "single": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0}
_PARTS_OF_DAY = "morning afternoon evening night dawn dusk".split()
_SUNS = {"sunrise": "dawn", "sunset": "dusk"}
# Times that are one word.
_WORDS: dict[str, list[tuple[str, Any]]] = {
    **{word: [("clock", frozenset([720]))] for word in ("noon", "midday")},
    "midnight": [("clock", frozenset([0]))],
    **{word: [("part of day", frozenset([word]))] for word in _PARTS_OF_DAY},
    **{word: [("part of day", frozenset([part]))] for word, part in _SUNS.items()},
    "tonight": [("part of day", frozenset(["evening", "night"])), ("relative", ("day", 0))],
    **{word: [("frequency", period)] for word, period in _FREQUENCIES.items()},
    "yesterday": [("relative", ("day", -1))],
    "today": [("relative", ("day", 0))],
    "tomorrow": [("relative", ("day", 1))],
}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
# Words of times, which are compared as times, not as words.
TIME_WORDS = frozenset(
    [*_SUFFIXES, *_WORDS, "o'clock"] + [name for name in (*MONTHS, *DAYS) if name not in AMBIGUOUS]
)
# A sentence without a digit and without one of these has no numbers and no times.
_NUMBER_WORDS = HINTS.union(_WORDS, _SEASONS, _SHIFTS, RANKS, _COUNTS, ["every"])
# Titles are left out with a name or added to it.
_NO_NAMES = frozenset(
    "i mr mrs ms miss dr sir prof professor president prime minister sen senator gov governor "
    "rep king queen prince princess pope inc corp ltd co".split()
).union(MONTHS, DAYS)
_NOT_SPELLED = frozenset("of the and for".split())
# Units that are written behind a number: "64GB" is 64.
UNITS = frozenset(
    "s sec min h hr hrs mm cm km mph ft inch mg g kg lb lbs oz ml l v w kw hz mhz ghz kb mb gb tb "
    "mah mp ° °c °f".split()
)
_NO_CODES = UNITS | {""}
_DIGIT = re.compile(r"[0-9]")
_MEASURED = re.compile(r"[v€£¥₹]?([0-9.,]*[0-9])([a-z°]*)")


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared."""

    kind: str
    value: Any
    place: int  # the position of its token; -1 for a date in digits


def find_mentions(
    text: str,
    words: Sequence[str],
    cased: Sequence[str],
    tags: Sequence[str],
    classes: Sequence[str],
) -> list[Mention]:
    """Find the mentions of a text with these tokens; ``words`` are the tokens in lower case."""
    mentions = list(_find_names(cased, tags, classes))
    if not _QUANTIFYING.isdisjoint(words):
        mentions += _find_quantifiers(words, tags)
    if not _NUMBER_WORDS.isdisjoint(words) or _DIGIT.search(" ".join(words)):
        found = [Mention(*date) for date in dates(text, words)]
        mentions += found
        known = {date.value for date in found if date.kind in ("day", "year")}
        half = next((_HALVES[word] for word in words if word in _HALVES), None)
        mentions += _find_numbers(words, half, known)
        mentions += _find_times(words, half, known)
    return mentions


def _find_names(
    cased: Sequence[str], tags: Sequence[str], classes: Sequence[str]
) -> Iterator[Mention]:
    upper = [i for i, token in enumerate(cased) if token[0].isupper()]
    # In headlines every word may be capitalized.
    is_headline = len(upper) > 3 and 2 * len(upper) > sum(map(str.isalpha, cased))
    for i in upper:
        name = plain_name(cased[i])
        is_initial = len(name) < len(cased[i]) == 2
        if name in _NO_NAMES or not name.isalpha() or is_initial or classes[i] in "!bx&sdp":
            continue
        if tags[i].startswith("NNP") or (i and not is_headline):
            yield Mention("name", name, i)


def plain_name(token: str) -> str:
    """Return a name without capitals and full stops."""
    return token.lower().replace(".", "")


def find_acronyms(*sides: Sequence[str]) -> set[str]:
    """Return the acronyms of one side that the other side spells out, and its words."""
    found = set[str]()
    for tokens, others in (sides, sides[::-1]):
        for name in {plain_name(token) for token in tokens if token.isupper() and len(token) > 1}:
            spelled = [token.lower() for token in others if token.lower() not in _NOT_SPELLED]
            initials = "".join(token[0] for token in spelled)
            # The USA may be the United States.
            start = max(initials.find(name), initials.find(name[:2]) if len(name) == 3 else -1)
            if start >= 0:
                found |= {name, *spelled[start : start + len(name)]}
    return found


def _find_quantifiers(words: Sequence[str], tags: Sequence[str]) -> Iterator[Mention]:
    for i, word in enumerate(words):
        if word not in _QUANTIFYING:
            continue
        after = [*words[i + 1 : i + 3], "", ""]
        if word in ("least", "most"):
            is_bound = words[max(0, i - 1)] == "at"
        else:
            number = after[after[0] in _SIGNS]
            is_bound = after[0] == "than" or number[:1].isdigit() or number in HINTS
        if is_bound and word in _BOUNDS:
            yield Mention("quantifier bound", _BOUNDS[word], i)
        elif word in QUANTIFIERS and not (word == "most" and tags[i + 1 : i + 2] in _DESCRIBING):
            kind, about = QUANTIFIERS[word]
            is_a_few = word == "few" and i and words[i - 1] == "a"
            yield Mention(f"quantifier {about}", "some" if is_a_few else kind, i)


def _find_numbers(words: Sequence[str], half: int | None, known: set[Any]) -> Iterator[Mention]:
    """Find numbers and codes, and the times of day that numbers are part of."""
    found = amounts(words)
    taken = {k for _, start, end in found for k in range(start, end)}
    for i, word in enumerate(words):
        if i in taken or not _DIGIT.search(word):
            if words[i - 1] == "(" and len(word) == 1 and word.isalpha():  # "section 12(b)"
                yield Mention("number", word, i)
            continue
        measured = _MEASURED.fullmatch(word)
        if measured and measured[2] in _NO_CODES and (read := amounts([measured[1]])):
            found.append(read[0]._replace(start=i, end=i + 1))
        elif not (_CLOCK.fullmatch(word) or _RANK.fullmatch(word) or _DECADE.fullmatch(word)):
            yield Mention("number", "".join(filter(str.isalnum, word)), i)
    for value, start, end in found:
        before, after = ("", "", *words)[start : start + 2], [*words[end : end + 1], ""][0]
        if before[0] in _FRACTIONS and before[1] in ("past", "to"):
            fraction = _FRACTIONS[before[0]] if before[1] == "past" else -_FRACTIONS[before[0]]
            yield Mention("clock", _clock(60 * value + fraction, half), start)
        elif after in _SUFFIXES and value < 13:
            # "3.30 pm" has a full stop instead of a colon.
            minutes = 60 * int(value) + round(100 * (value - int(value)))
            yield Mention("clock", _clock(minutes, _SUFFIXES[after]), start)
        elif after == "o'clock":
            yield Mention("clock", _clock(60 * value, half), start)
        elif value not in known:
            yield Mention("number", value, start)


def _clock(minutes: float, half: int | None) -> frozenset[float]:
    """Return the minutes since midnight that a time of day may stand for."""
    return frozenset(
        minutes % _HALF_DAY + k for k in ((0, _HALF_DAY) if half is None else (half,))
    )


def _find_times(words: Sequence[str], half: int | None, known: set[Any]) -> Iterator[Mention]:
    for i, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True)):
        period = following.removesuffix("s")
        if word in _WORDS and words[max(0, i - 1)] != "good":  # "good morning"
            yield from (Mention(kind, value, i) for kind, value in _WORDS[word])
        is_plain = word[0].isalpha()  # the matches below take time
        if not is_plain and (rank := _RANK.fullmatch(word)):
            if int(rank[1]) not in known:
                yield Mention("number rank", int(rank[1]), i)
        elif not is_plain and (decade := _DECADE.fullmatch(word)):
            yield Mention("decade", decade[1], i)
        elif word[0].isdigit():
            yield from _clock_in_digits(word, following, half, i)
        elif word in _SEASONS and following != "in":  # "a fall in prices"
            yield Mention("season", _SEASONS[word], i)
        elif word in _SHIFTS and period in PERIODS:
            yield Mention("relative", (period, _SHIFTS[word]), i)
        elif word == "every" and following in PERIODS:
            yield Mention("frequency", following, i)
        elif word in RANKS:
            yield Mention("number rank", RANKS[word] + _TENS.get(words[i - 1], 0), i)
        elif word in _COUNTS:
            yield Mention("number", _COUNTS[word], i)


def _clock_in_digits(word: str, following: str, half: int | None, i: int) -> Iterator[Mention]:
    """Find a time such as "3pm" or "15:00"."""
    clock = _CLOCK.fullmatch(word)
    if clock and int(clock[1]) < 25 and (clock[3] or ":" in word):
        hours = int(clock[1])
        known = _HALF_DAY if 12 < hours < 24 else _SUFFIXES.get(clock[3] or following, half)
        yield Mention("clock", _clock(60 * hours + int(clock[2] or 0), known), i)
