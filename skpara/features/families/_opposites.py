"""Words that mean the opposite of each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from skpara.resources import WordNet


def _both_ways(pairs: str) -> dict[str, frozenset[str]]:
    """Return the opposites of each word of pairs "word/word"."""
    opposites: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs.split():
        first, second = pair.split("/")
        opposites[first].add(second)
        opposites[second].add(first)
    return {word: frozenset(others) for word, others in opposites.items()}


# WordNet has no prepositions, and one antonym of an adjective at most.
_OPPOSITES = _both_ways(
    "in/out inside/outside into/off on/off on/under over/under above/below above/under up/down "
    "upstairs/downstairs before/after left/right front/behind toward/from towards/from near/far "
    "with/without more/less most/least first/last early/late always/never happy/sad big/tiny "
    "huge/tiny huge/small large/tiny begin/end start/stop start/finish start/end begin/stop "
    "begin/finish arrive/leave arrive/depart come/go push/pull enter/leave rise/fall buy/sell "
    "give/take open/shut cheap/expensive easy/difficult noisy/quiet loud/quiet correct/wrong "
    "true/false clean/dirty full/empty wet/dry sleep/wake sit/stand win/lose increase/decrease "
    "increase/reduce raise/lower gain/lose love/hate like/hate like/dislike accept/reject "
    "accept/refuse allow/forbid allow/ban agree/disagree remember/forget add/remove put/remove "
    "build/destroy save/waste save/spend succeed/fail pass/fail against/for alive/dead "
    "asleep/awake old/young old/new rich/poor thick/thin fat/thin deep/shallow soft/hard "
    "strong/weak warm/cold warm/cool hot/cool sharp/blunt wide/narrow bright/dark heavy/light "
    "polite/rude kind/cruel brave/cowardly calm/nervous generous/greedy lazy/busy smooth/rough "
    "sweet/bitter sweet/sour fresh/stale safe/dangerous guilty/innocent public/private "
    "same/different possible/impossible friend/enemy profit/loss supply/demand victory/defeat "
    "question/answer peace/war success/failure hire/fire praise/criticize praise/blame "
    "attack/defend borrow/lend laugh/cry live/die appear/disappear improve/worsen "
    "strengthen/weaken expand/shrink fast/slow quick/slow ahead/behind indoors/outdoors"
)
# Those before adjectives, and before verbs. A short remainder is often no word of its own.
_PREFIXES = {"JJ": ("un", "non", "dis", "in", "im", "ir", "il"), "VB": ("un", "dis", "mis")}
_SHORTEST_REST = 4


def find_opposites(
    wordnet: WordNet,
    words: Sequence[str],
    tags: Sequence[str],
    bases: Sequence[str],
    base_of: Sequence[int],
) -> dict[int, set[int]]:
    """Return for the places of ``words`` the places of their opposites.

    Word number i has the part of speech ``tags[i]`` and the base form ``bases[base_of[i]]``.
    """
    forms: list[set[str]] = []
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for i, (word, tag, base) in enumerate(zip(words, tags, base_of, strict=True)):
        # "fell" is a verb of its own, and a form of "fall".
        more = wordnet.base_forms(word, "v") if tag == "VB" else ()
        forms.append({bases[base], *more})
        for form in forms[-1]:
            numbers[form].add(i)
    result: defaultdict[int, set[int]] = defaultdict(set)
    for i, (word, tag) in enumerate(zip(words, tags, strict=True)):
        others = {
            other
            for form in forms[i]
            for other in wordnet.antonyms(form) | _OPPOSITES.get(form, frozenset())
        }
        others.update(
            rest
            for prefix in _PREFIXES.get(tag, ())
            if len(rest := word.removeprefix(prefix)) >= _SHORTEST_REST and rest != word
        )
        for other in others & numbers.keys():
            for j in numbers[other]:
                result[i].add(j)
                result[j].add(i)
    return dict(result)
