"""Readings of a sentence: the numbers, times and names it mentions, negation, roles.

This is no parser. Roles are read once from left to right, from parts of speech and word order. It
knows noun phrases, verbs, passives, prepositions and "and", which is enough for most short
sentences.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skpara._unicode import without_accents
from skpara.features._families import quantities
from skpara.features._families.quantities import DAYS, HINTS, MONTHS, kinds_of, words_of
from skpara.features._families.words import NEGATIONS

# Quantifiers of different things are not compared: "always" is no answer to "nobody".
_ABOUT = kinds_of("about")
QUANTIFIERS = {
    word: (kind, _ABOUT.get(word, "")) for word, kind in kinds_of("quantifiers").items()
}
# "over 50" is at least 50 for most purposes, and not "under 50".
_BOUNDS = kinds_of("bounds")
_QUANTIFYING = _BOUNDS.keys() | QUANTIFIERS.keys()
_SIGNS = frozenset("$£€")
_DESCRIBING = (["JJ"], ["RB"])  # "most beautiful"
_DETERMINING = frozenset(["DT", "PR", "PO"])
_HALF_DAY = 720  # minutes: "three o'clock" may be 3 am or 3 pm
_SUFFIXES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(am|pm|a\.m\.?|p\.m\.?)?")
_FRACTIONS = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): -15}
_HALVES = {"morning": 0, "afternoon": 720, "evening": 720}
PERIODS = words_of("periods")
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "next": 1, "following": 1}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
RANKS = {word: n for n, word in enumerate(_ORDINALS, 1)}
_TENS = {"twenty": 20, "thirty": 30}
_RANK = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")
_YEARS = frozenset(range(1000, 10_000))  # numbers that may be one
_ALL, _ONE = ("quantifier ", "all"), ("number", 1.0)
_DECADE = re.compile(r"'?(?:[0-9]{2})?([0-9]0)s")
_COUNTS = {"once": 1.0, "twice": 2.0, "single": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0}
# Times that are one word, each with its kinds and values.
_WORDS = {
    word: [(kind, frozenset(values)) for kind, values in read.items()]
    for names, read in quantities.VOCABULARY["times"].items()
    for word in names.split()
}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
# Words of times, which are compared as times, not as words.
_DATES = (MONTHS.keys() | DAYS.keys()) - quantities.AMBIGUOUS
TIME_WORDS = frozenset([*_SUFFIXES, *_WORDS, *_DATES, "o'clock"])
# A sentence without a digit and without one of these has no numbers and no times.
_EACH = frozenset(["a", "an", "each", "every", "per"])
_NUMBER_WORDS = HINTS.union(_WORDS, _SEASONS, _SHIFTS, RANKS, _COUNTS, ["every", "per"])
# Titles are left out with a name or added to it.
NO_NAMES = words_of("titles").union(MONTHS, DAYS, quantities.CURRENCIES)
_NOT_SPELLED = frozenset("of the and for".split())
# Units that are written behind a number: "64GB" is 64.
UNITS = words_of("units")
_NO_CODES = UNITS | {""}
# What a unit measures, and how many of the smallest one it is: "2 km" is "2000 m". A pound is a
# weight and a currency.
MEASURES: defaultdict[str, dict[str, float]] = defaultdict(dict)
for _measure, _units in quantities.VOCABULARY["measures"].items():
    for _names, _size in _units.items():
        for _name in _names.split():
            MEASURES[_name][_measure] = MEASURES[f"{_name}s"][_measure] = _size
for _name, _currency in quantities.CURRENCIES.items():
    MEASURES[_name][_currency] = 1
SHARES = {"half": 0.5, "quarter": 0.25}
# Dates and fractions in digits, which are cut into several tokens.
_JOINED = re.compile(
    r"(?<![0-9/-])(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{4})?)(?![0-9/-])"
)
# Before "March", "May" or "Wed", these tell that it is no verb.
_BEFORE_DATES = words_of("before dates")
_DIGIT, _DIGITS = re.compile(r"[0-9]"), re.compile(r"[0-9]+")
_COMMA = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}")  # "1.200,00"
_MEASURED = re.compile(r"([v€£¥₹]?)([0-9.,]*[0-9])([a-z°]*)")


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared."""

    kind: str
    value: Any
    place: int  # the position of its token; -1 for a date in digits


Meaning = tuple[str, Any]


def may_be_mentioned(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number, a time or a quantifier."""
    return word in _QUANTIFYING or _is_number_or_time(word)


def _is_number_or_time(word: str) -> bool:
    is_known = word in _NUMBER_WORDS or word.rstrip(".") in MONTHS
    return is_known or bool(_DIGIT.search(word))


def may_be_name(token: str) -> bool:
    """Return whether a token looks like a name; in some sentences any capitalized word does."""
    name = plain_name(token) if token[0].isupper() else ""
    is_initial = len(name) < len(token) == 2
    return name not in NO_NAMES and name.isalpha() and not is_initial


def find_mentions(
    text: str, words: Sequence[str], tags: Sequence[str], places: Sequence[int]
) -> list[Mention]:
    """Find the mentions of a text, but for names.

    ``words`` are its tokens in lower case, and ``places`` the positions of those that
    :func:`may_be_mentioned`.
    """
    mentions = list(_find_quantifiers(words, tags, places))
    if places := [i for i in places if _is_number_or_time(words[i])]:
        joined = find_joined(text, words)
        found = [*_find_dates(text, words, places, joined)]
        mentions += found
        known = {date.value for date in found if date.kind in ("day", "year")}
        half = next((_HALVES[words[i]] for i in places if words[i] in _HALVES), None)
        mentions += _find_numbers(words, places, half, known, joined)
        mentions += _find_times(words, places, half, known)
    return mentions


def find_joined(text: str, words: Sequence[str]) -> dict[int, str]:
    """Return dates and fractions in digits by the positions of their first tokens."""
    found, start = dict[int, str](), 0
    for match in _JOINED.finditer(text) if "/" in text or "-" in text else ():
        parts = _DIGITS.findall(match[0])
        ends = range(start + len(parts), len(words) + 1)
        end = next((k for k in ends if [*words[k - len(parts) : k]] == parts), 0)
        if end:
            found[end - len(parts)] = match[0]
            start = end
    return found


def _find_dates(
    text: str, words: Sequence[str], places: Sequence[int], joined: dict[int, str]
) -> Iterator[Mention]:
    found = set[int]()
    for kind, value, i in quantities.dates(text, words, places):
        if i < 0:  # in digits
            dates = ((k, [*map(int, _DIGITS.findall(date))]) for k, date in joined.items())
            place, parts = next((date for date in dates if value in date[1]), (-1, [value]))
            # "5/6/2012" may be of May or of June.
            is_either = kind != "year" and max(parts[:2]) <= 12
            yield Mention(kind, frozenset(parts[:2]) if is_either else value, place)
        elif (
            kind != "year" or "".join(words[i + 1 : i + 2]).strip("$") not in MEASURES
        ):  # "2000 m"
            found.add(i)
            yield Mention(kind, value, i)
    for i in places:
        name = words[i].rstrip(".")
        if name in quantities.AMBIGUOUS and i and i not in found and words[i - 1] in _BEFORE_DATES:
            is_day = name in DAYS
            yield Mention(*(("weekday", DAYS[name]) if is_day else ("month", MONTHS[name])), i)


def meanings(mention: Mention, words: Sequence[str]) -> tuple[set[Meaning], set[Meaning]]:
    """Return what a mention says, and as what it may be written by a mention of another kind.

    "2 km" says 2,000 m and may be written as 2; 3:30 pm as 3.3 or 15.3, and a half as 0.5.
    """
    kind, value, _ = mention
    says = {(kind, v) for v in (value if isinstance(value, frozenset) else (value,))}
    numbers = {SHARES[value]} if kind == "quantifier " and value in SHARES else set()
    if kind == "clock":
        hours = [divmod(minute, 60) for minute in value]
        numbers = {round(h + m / 100, 2) for hour, m in hours for h in (hour, hour % 12 or 12)}
    if kind == "number" and isinstance(value, float) and (measures := _measures(mention, words)):
        says, numbers = measures, {value}
    return says, {("number", number) for number in numbers}


def _measures(mention: Mention, words: Sequence[str]) -> set[Meaning]:
    """Return what a number with a unit measures."""
    word, end = words[mention.place], mention.place + 1
    while end < len(words) and words[end] in HINTS:  # "two million dollars"
        end += 1
    match = None if word.isdecimal() else _MEASURED.fullmatch(word)
    sign, _, unit = match.groups() if match else ("", "", "")
    found = sign if sign in MEASURES else quantities.unit_of(words, mention.place, end, MEASURES)
    sizes = MEASURES.get(found or unit, {}).items()
    return {(kind, round(mention.value * size, 6)) for kind, size in sizes}


def as_one_kind(mentions: list[Mention], others: list[Mention]) -> list[Mention]:
    """Take a year for a number, and one for a quantifier, if others mention these instead."""
    read = {mention[:2] for mention in others}
    if any(kind == "number" and value in _YEARS for kind, value in read):
        mentions = [m._replace(kind=m.kind.replace("year", "number")) for m in mentions]
    if _ALL in read:
        mentions = [m._replace(kind=_ALL[0]) if m[:2] == _ONE else m for m in mentions]
    return mentions


def plain_name(token: str) -> str:
    """Return a name without capitals, accents and full stops."""
    return without_accents(token.lower()).replace(".", "")


def find_acronyms(*sides: Sequence[str]) -> set[str]:
    """Return the acronyms of one side that the other side spells out, and its words."""
    found = set[str]()
    for tokens, others in (sides, sides[::-1]):
        names = {plain_name(token) for token in tokens if token.isupper() and len(token) > 1}
        if not names:
            continue
        lowered = map(str.lower, others)
        spelled = [token for token in lowered if token not in _NOT_SPELLED]
        initials = "".join(token[0] for token in spelled)
        for name in names:
            # The USA may be the United States.
            start = max(initials.find(name), initials.find(name[:2]) if len(name) == 3 else -1)
            if start >= 0:
                found |= {name, *spelled[start : start + len(name)]}
    return found


def _find_quantifiers(
    words: Sequence[str], tags: Sequence[str], places: Sequence[int]
) -> Iterator[Mention]:
    for i in places:
        word = words[i]
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
        elif word in QUANTIFIERS and not (word == "most" and _is_superlative(words, tags, i)):
            kind, about = QUANTIFIERS[word]
            about = "" if after[0] == "any" else about  # "hardly any"
            is_a_few = word == "few" and i and words[i - 1] == "a"
            yield Mention(f"quantifier {about}", "some" if is_a_few else kind, i)


def _is_superlative(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """Return whether "most" is the one of "the most useful tips", not of "most plastic bags"."""
    is_plural = tags[i + 1 : i + 2] == ["JJ"] and "".join(words[i + 2 : i + 3]).endswith("s")
    is_determined = i > 0 and tags[i - 1] in _DETERMINING
    return tags[i + 1 : i + 2] in _DESCRIBING and (is_determined or not is_plural)


def _find_numbers(
    words: Sequence[str],
    places: Sequence[int],
    half: int | None,
    known: set[Any],
    joined: dict[int, str],
) -> Iterator[Mention]:
    """Find numbers and codes, and the times of day that numbers are part of."""
    taken = set[int]()
    for i, text in joined.items():
        parts = [*map(int, _DIGITS.findall(text))]
        if len(parts) == 3 or 0 < parts[0] < parts[1]:
            taken |= {*range(i, i + len(parts))}
            if len(parts) == 2:
                yield Mention("number", parts[0] / parts[1], i)
    # "a million" begins in front of a place.
    starts = sorted({*places, *(i - 1 for i in places if i)})
    plain = [w.replace(".", "").replace(",", ".") if _COMMA.fullmatch(w) else w for w in words]
    found = [amount for amount in quantities.amounts(plain, starts) if amount.start not in taken]
    taken |= {k for _, start, end in found for k in range(start, end)}
    if "(" in words:
        for i, word in enumerate(words):
            if words[i - 1] == "(" and len(word) == 1 and word.isalpha():  # "section 12(b)"
                yield Mention("number", word, i)
    for i in places:
        word = words[i]
        if i in taken or not _DIGIT.search(word):
            continue
        measured = _MEASURED.fullmatch(word)
        amounts = [measured[2] + measured[3], measured[2]] if measured else []
        if measured and measured[3] in _NO_CODES and (read := quantities.amounts(amounts)):
            found.append(read[0]._replace(start=i, end=i + 1))
        elif not (_CLOCK.fullmatch(word) or _RANK.fullmatch(word) or _DECADE.fullmatch(word)):
            yield Mention("number", "".join(filter(str.isalnum, word)), i)
    for value, start, end in found:
        before, after = ("", "", *words)[start : start + 2], [*words[end : end + 1], ""][0]
        if before in _FRACTIONS:
            yield Mention("clock", _clock(60 * value + _FRACTIONS[before], half), start)
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


def _find_times(
    words: Sequence[str], places: Sequence[int], half: int | None, known: set[Any]
) -> Iterator[Mention]:
    for i in places:
        word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
        period = following.removesuffix("s")
        if word in _WORDS and words[max(0, i - 1)] != "good":  # "good morning"
            yield from (Mention(kind, value, i) for kind, value in _WORDS[word])
        for k, each in enumerate(words[i : i + 3], i):  # "twice a week", "$9 an hour", "per day"
            if each in _EACH and "".join(words[k + 1 : k + 2]) in PERIODS:
                yield Mention("frequency", words[k + 1], k + 1)
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
        elif word in _SHIFTS and (period in PERIODS or following in _DATES):
            yield Mention("relative", f"{period} {_SHIFTS[word]}", i)
        elif word in RANKS:
            yield Mention("number rank", RANKS[word] + _TENS.get(words[i - 1], 0), i)
        elif word in _COUNTS:
            yield Mention("number", _COUNTS[word], i)


def _clock_in_digits(word: str, following: str, half: int | None, i: int) -> Iterator[Mention]:
    """Find a time such as "3pm" or "15:00"."""
    clock = _CLOCK.fullmatch(word)
    if clock and int(clock[1]) < 25 and (clock[3] or ":" in word):
        hours = int(clock[1])
        half = 0 if half is None and word[0] == "0" else half  # "06:15" is not "6:15"
        known = _HALF_DAY if 12 < hours < 24 else _SUFFIXES.get(clock[3] or following, half)
        yield Mention("clock", _clock(60 * hours + int(clock[2] or 0), known), i)


AGENT, PATIENT = "agent", "patient"
_PREPOSITIONS = words_of("prepositions")
_PRONOUNS = words_of("pronouns")
# They negate the words behind "to", as in "failed to win".
FAILURES = words_of("failures")
FUTURE, PAST = frozenset(["will", "'ll", "wo"]), words_of("past")
# They also negate the verb in front of them, as in "ate nothing".
_WITH_THE_VERB = words_of("negating the verb")
# Prepositions that may also begin a clause, such as "before he slept".
_CONJUNCTIONS = frozenset("after as before since than until".split())
# Parts of speech that a word has whatever its tag.
_CLASS_OF_WORD = {
    **dict.fromkeys([*TIME_WORDS, *PERIODS, *(f"{period}s" for period in PERIODS)], "t"),
    **kinds_of("classes"),
    **dict.fromkeys(NEGATIONS, "!"),
}
_CLASS_OF_TAG = kinds_of("classes of tags")
# Words between a verb and "no", subjects of a verb, and roles of a noun: larger numbers only make
# strange text slow.
_REACH = 8
_MOST_SUBJECTS = 4
_MOST_ROLES = 8


def word_class(word: str, tag: str) -> str:
    """Return the part of speech of a lower-cased token.

    n noun or pronoun, v verb, b form of "be", x auxiliary, j adjective, r adverb, d determiner,
    c number, t time, p preposition, s word that begins a clause, & "and", ' possessive, !
    negation, comma, full stop for other marks.
    """
    if word == "that":
        return "d" if tag == "DT" else "s"
    if word in _PREPOSITIONS and tag != "VB" and word not in NEGATIONS:  # "like" may be a verb
        return "r" if tag in ("RP", "RB") else "p"
    if word in _CLASS_OF_WORD:
        return "'" if (word, tag) == ("'s", "PO") else _CLASS_OF_WORD[word]
    if not any(map(str.isalnum, word)):
        return "."
    return _CLASS_OF_TAG.get(tag, "n" if word in _PRONOUNS else "d")


def find_negated(tokens: Sequence[str], classes: Sequence[str]) -> list[bool]:
    """Return which tokens are negated: those behind a negation, up to the end of its clause."""
    negated = [False] * len(tokens)
    if "!" not in classes and FAILURES.isdisjoint(tokens):
        return negated
    current, verb = False, -1
    behind = zip([*classes[1:], "."], [*tokens[1:], ""], strict=True)
    for i, (token, kind, following) in enumerate(zip(tokens, classes, behind, strict=True)):
        if kind in ".,s" or (kind == "&" and following[0] in "vbx"):  # a clause ends
            current, verb = False, -1
        elif kind == "!":
            if following[1] == "only":
                continue
            current = not current or token in ("nor", "neither")
            if token in _WITH_THE_VERB and 0 <= verb >= i - _REACH:
                negated[verb:i] = [current] * (i - verb)
        elif token in FAILURES and following[1] in (("of", "from") if token == "free" else ["to"]):
            current = not current
        else:
            negated[i] = current
            verb = i if kind == "v" else verb
    return negated


Role = tuple[str, int]


class Roles:
    """The roles of nouns, read from left to right.

    A role is "agent", "patient" or a preposition, and the position of the verb (-1 for a form of
    "be").
    """

    _noun = _verb = _described = -1
    _has_verb = _passive = _be = _joined = _relative = False
    _preposition = _last_preposition = ""

    def __init__(self, tokens: Sequence[str], classes: Sequence[str]) -> None:
        # A mark behind the last token spares tests for the end.
        self._tokens, self._classes = [*tokens, ""], "".join(classes) + "."
        self.of_nouns: dict[int, list[Role]] = {}
        self._subjects: list[int] = []  # of the latest verb
        self._objects: list[int] = []
        self._free: list[int] = []  # nouns since the latest verb that have no preposition
        self._latest: list[Role] = []  # roles of the latest noun
        readers = self._readers
        for i, kind in enumerate(classes):
            if read := readers.get(kind):
                read(self, i)

    def _read_noun(self, i: int) -> None:
        if self._classes[i + 1] in "n'" and self._tokens[i] not in _PRONOUNS:
            return
        if not (self._joined and self._noun >= 0):
            self._latest = self._roles_of(i)
        elif self._free and self._free[-1] == self._noun:
            self._free.append(i)
        if self._latest:
            self.of_nouns[i] = list(self._latest)
        self._noun, self._joined = i, False
        # The preposition is kept for a noun behind "and", but not for another noun.
        self._last_preposition, self._preposition = self._preposition, ""

    def _roles_of(self, i: int) -> list[Role]:
        if self._preposition:
            role = AGENT if self._preposition == "by" and self._passive else self._preposition
        else:
            role, self._free = PATIENT, [i]
            if self._has_verb:
                if len(self._objects) == 1:  # "gave Mary a book": a book to Mary
                    self.of_nouns[self._objects[0]] = [("to", self._verb)]
                self._objects.append(i)
        return [(role, self._verb)] if self._has_verb else []

    def _read_verb(self, i: int) -> None:
        kind = self._classes[i]
        if kind != "v" and self._is_auxiliary(i):
            self._be |= kind == "b"
            return
        self._find_subjects(i)
        by = self._tokens[i + 1] == "by" and self._noun == i - 1
        self._passive = kind == "v" and (self._be or by) and not self._tokens[i].endswith("ing")
        self._verb = i if kind == "v" else -1
        if kind == "b":
            self._read_predicate(i)
        for k in self._subjects[-_MOST_SUBJECTS:]:
            roles = self.of_nouns.setdefault(k, [])
            if len(roles) < _MOST_ROLES:
                roles.append((PATIENT if self._passive else AGENT, self._verb))
        self._has_verb, self._be, self._joined, self._relative = True, False, False, False
        self._free, self._objects, self._latest = [], [], []
        self._preposition = ""

    def _is_auxiliary(self, i: int) -> bool:
        k = self._skip(i + 1, "r!")
        is_question = self._classes[i] == "b" and self._tokens[k] in _PRONOUNS  # "Is he asleep?"
        return self._classes[k] in "vbx" or (is_question and self._classes[k] == "n")

    def _skip(self, i: int, kinds: str) -> int:
        while self._classes[i] in kinds:
            i += 1
        return i

    def _find_subjects(self, i: int) -> None:
        free = self._free
        after_and = self._joined or self._classes[i - 1] == "&"
        if self._relative:
            self._subjects = [self._noun] if self._noun >= 0 else []
            self._described = self._noun
        elif self._described >= 0 and free and not after_and:
            # "The man who kicked the ball ran": the ball did not run.
            self._subjects, self._described = [self._described], -1
        elif self._has_verb and len(free) > 1 and self.of_nouns.get(free[-1]):
            # "Anna called Peter and Mary called Paul": Mary was not called.
            self._subjects = [free[-1]]
            self.of_nouns[free[-1]] = []
        elif free and not after_and:
            self._subjects = free
        elif self._noun == i - 1 and self._last_preposition in _CONJUNCTIONS:
            self._subjects = [self._noun]

    def _read_predicate(self, i: int) -> None:
        """Take an adjective behind "be" for the verb, as in "is taller than Peter"."""
        k = self._skip(i + 1, "r!d")
        if self._classes[k] == "j" and self._classes[k + 1] not in "nj":
            self._verb = k

    def _read_preposition(self, i: int) -> None:
        if not (self._tokens[i] == "to" and self._classes[i + 1] in "vbx"):
            self._preposition = self._tokens[i]
        self._joined = False

    def _read_time(self, i: int) -> None:  # "this morning" is no object
        self._preposition = ""

    def _read_and(self, i: int) -> None:
        self._joined = self._classes[i + 1] not in "vbxs"

    def _read_comma(self, i: int) -> None:
        self._joined = self._noun == i - 1 and not self._preposition

    def _read_clause(self, i: int) -> None:
        self._relative = self._tokens[i] in ("who", "which", "that") and self._noun == i - 1
        if not self._relative:
            self._has_verb, self._free = False, []
        self._joined, self._preposition = False, ""

    def _read_end(self, i: int) -> None:
        self._has_verb, self._joined, self._preposition = False, False, ""
        self._free, self._described = [], -1

    _readers = {
        **{"n": _read_noun, "v": _read_verb, "b": _read_verb, "x": _read_verb},
        **{"p": _read_preposition, "t": _read_time, "&": _read_and, "s": _read_clause},
        **{",": _read_comma, ".": _read_end},
    }
