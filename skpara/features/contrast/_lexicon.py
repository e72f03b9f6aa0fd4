"""Lists of words that the rules know, and facts about words that hold in any sentence.

The lists are in ``vocabulary.json``; the facts are part of speech, base form, marks, opposites.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count, permutations
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from rapidfuzz.distance import OSA

from skpara._core import Ragged
from skpara._typing import Bools
from skpara.features._batch import PairBatch
from skpara.features._families.words import NEGATIONS
from skpara.features._kernels import Ids
from skpara.features._takelab import WORDNET_POS, is_content
from skpara.quantities import ADVERBS, HINTS, MONTHS, ORDINALS, PERIODS, PLAIN_DATES, TIMES
from skpara.resources import WordFrequencies, WordNet

VOCABULARY: dict[str, Any] = json.loads(
    Path(__file__).with_name("vocabulary.json").read_text("utf-8")
)

Meaning = TypeVar("Meaning")


class Phrase(NamedTuple, Generic[Meaning]):
    """A phrase of a sentence: where it starts and ends, and what it means."""

    start: int
    end: int
    meaning: Meaning


class Phrases(Generic[Meaning]):
    """Listed phrases, each with its meaning.

    A phrase is looked up by one of its words: the first one, or else the longest one, which is
    seldom as frequent as the "in" of "in spite of".

    Attributes
    ----------
    keys : frozenset of str
        The words by which phrases are looked up.
    """

    def __init__(self, meanings: Mapping[str, Meaning], *, by_longest: bool = False) -> None:
        found: defaultdict[str, list[tuple[int, list[str], Meaning]]] = defaultdict(list)
        # The longest phrase is tried first.
        for text in sorted(meanings, key=lambda text: -text.count(" ")):
            words = text.split()
            key = max(words, key=len) if by_longest else words[0]
            found[key].append((words.index(key), words, meanings[text]))
        self._by_key = dict(found)
        self.keys = frozenset(found)

    def match(self, words: Sequence[str], place: int) -> Phrase[Meaning] | None:
        """Return the longest phrase whose key is at a position, if there is one."""
        for offset, phrase, meaning in self._by_key.get(words[place], ()):
            start = place - offset
            end = start + len(phrase)
            if start >= 0 and list(words[start:end]) == phrase:
                return Phrase(start, end, meaning)
        return None

    def find(self, words: Sequence[str]) -> list[Meaning]:
        """Return what the phrases among some words mean."""
        found = (self.match(words, place) for place in range(len(words)))
        return [phrase.meaning for phrase in found if phrase]


def words_in(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(VOCABULARY[name])


def kinds_in(name: str) -> dict[str, str]:
    """Return the kind of each word of a table, which has a list of words for each kind."""
    return {word: kind for kind, words in VOCABULARY[name].items() for word in words}


class Quantifier(NamedTuple):
    """A quantifier: its amount, such as "all", and of what it is one, such as "person"."""

    amount: str
    of: str


# Quantifiers of different things are not compared: "always" does not contradict "nobody".
_QUANTIFIED = kinds_in("quantified")
QUANTIFIERS = {
    word: Quantifier(amount, _QUANTIFIED.get(word, ""))
    for word, amount in kinds_in("quantifiers").items()
}

_HALVES_OF_DAY = ["o'clock", "am", "a.m.", "a.m", "pm", "p.m.", "p.m"]
# Words of times, which are compared as times, not as words.
TIME_WORDS = frozenset(_HALVES_OF_DAY).union(TIMES, ADVERBS, PLAIN_DATES)
# They negate the words behind "to", as in "failed to win".
FAILURES = words_in("negating what follows to")
# They negate a clause that they begin: "unless he pays" is "if he does not pay".
NEGATING_CLAUSES = words_in("negating clauses")
# Their negation does not reach what follows: "not only", "no shortage of". Some are quantifiers.
AFFIRMING_PHRASES = Phrases(kinds_in("affirming phrases"))
FUTURE = frozenset(["will", "'ll", "wo"])

PREPOSITIONS = words_in("prepositions")
PRONOUNS = words_in("pronouns")
_PERIODS = {f"{period}{ending}" for period in PERIODS for ending in ("", "s")}
# The part of speech that a word has whatever its tag; a later one of these holds.
PART_OF_SPEECH = {
    **dict.fromkeys(TIME_WORDS | _PERIODS, "t"),
    **kinds_in("parts of speech of words"),
    **dict.fromkeys(NEGATIONS, "!"),
}
PART_OF_SPEECH_OF_TAG = kinds_in("parts of speech of tags")


# Words that mean the same if what they relate is exchanged: "Anna married Peter".
MUTUAL_RELATIONS = words_in("mutual relations")


def _read_opposites() -> dict[str, set[str]]:
    opposites: dict[str, set[str]] = {}
    for sides in VOCABULARY["opposites"]:
        for words, others in permutations(sides):
            for word in words:
                opposites.setdefault(word, set()).update(others)
    return opposites


# Opposites that WordNet does not have: prepositions, and words like those that it has.
OPPOSITES = _read_opposites()

_ARTICLES = frozenset(["a", "an", "the"])
_NOMINATIVE = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "i"}
_ABBREVIATIONS = {"pcs": "piece", "pkg": "package", "qty": "quantity"}
# Prefixes that negate adjectives and verbs, by tag.
_NEGATING_PREFIXES = {
    "JJ": ("un", "non", "dis", "in", "im", "ir", "il"),
    "VB": ("un", "dis", "mis", "de"),
}
# Words that may negate, and those that announce what is to come.
_MODAL = FAILURES | FUTURE | NEGATING_CLAUSES
# Letters that a word has without its prefix: a shorter rest is often no word of its own.
_SHORTEST_REST = 4
# WordNet has these opposites, which are compared as mentions.
_COMPARED_AS_MENTIONS = QUANTIFIERS.keys() | ORDINALS.keys()
# WordNet has these opposites, which seldom contradict each other.
_NO_OPPOSITES = frozenset(["here", "there"])
_PARTICIPLE_ENDINGS = ("ed", "en", "ing")
# Bits of the number that says which senses a word may have.
_SENSE_BITS = 64
# Texts have the same words again and again: 15 MB.
_CACHED_FACTS = 20_000
# Letters of the shortest word that may have one wrong letter: "cat" and "car" are two words.
_LENGTH_FOR_ONE_ERROR = 4
# Letters of the shortest word that may have two.
_LENGTH_FOR_TWO_ERRORS = 8
MOST_ERRORS = 2
# Longer words are not compared: they are not words, and the time grows with their length.
_LONGEST_WORD = 30
# In running text, a misspelling is this many times as rare as the word.
_TIMES_AS_RARE = 3


class Mark:
    """Properties of a word that decide which rules look at it, as bits."""

    # Plain integers: to read a member of an enumeration takes as long as to find a fact.
    WORD = 1  # a noun, verb, adjective or adverb, which is aligned
    ORDERED = 2  # its place matters: no mark and no article
    MODAL = 4  # a negation, or a sign of the future
    MENTIONED = 8  # may be part of a number, time or quantifier
    COLOR = 16
    KNOWN = 32  # has a sense in WordNet


class TokenFacts(NamedTuple):
    """Properties of a word with its tag in any sentence."""

    part_of_speech: str
    base: str
    marks: int  # a sum of the bits of Mark
    senses: int  # of 64 bits, synonyms have one in common
    forms: tuple[str, ...]  # the words whose opposites are its opposites
    opposites: frozenset[str]


def part_of_speech(word: str, tag: str) -> str:
    """Return the part of speech of a lower-cased token.

    n noun or pronoun, v verb, b form of "be", x auxiliary, j adjective, r adverb, d determiner,
    c number, t time, p preposition, s word that begins a clause, & "and", ' possessive, !
    negation, comma, full stop for other marks.
    """
    if word == "that":
        return "d" if tag == "DT" else "s"
    if word in PREPOSITIONS and tag != "VB" and word not in NEGATIONS:  # "like" may be a verb
        return "r" if tag in ("RP", "RB") else "p"
    if word in PART_OF_SPEECH:
        return "'" if (word, tag) == ("'s", "PO") else PART_OF_SPEECH[word]
    if not any(map(str.isalnum, word)):
        return "."
    return PART_OF_SPEECH_OF_TAG.get(tag, "n" if word in PRONOUNS else "d")


@lru_cache(1)
def colors(wordnet: WordNet) -> frozenset[int]:
    return wordnet.descendants("color")


@lru_cache(1)
def persons(wordnet: WordNet) -> frozenset[int]:
    return wordnet.descendants("person")


@lru_cache(_CACHED_FACTS)
def _find_facts(wordnet: WordNet, word: str, tag: str) -> TokenFacts:
    kind = part_of_speech(word, tag)
    pos = WORDNET_POS.get(tag, "")
    if word in _NOMINATIVE:
        base = _NOMINATIVE[word]
    elif word in _ABBREVIATIONS:
        base = _ABBREVIATIONS[word]
    elif pos:
        base = wordnet.lemma(word, pos)
    else:
        base = word
    forms = _find_forms(wordnet, word, base, pos)
    senses = wordnet.senses(base)
    bits = 0
    for sense in senses:
        bits |= 1 << sense % _SENSE_BITS
    return TokenFacts(
        part_of_speech=kind,
        base=base,
        marks=_find_marks(wordnet, word, base, tag, kind, senses),
        senses=bits,
        forms=tuple(forms),
        opposites=_find_opposites(wordnet, word, tag, forms),
    )


def _find_marks(
    wordnet: WordNet, word: str, base: str, tag: str, kind: str, senses: frozenset[int]
) -> int:
    marks = 0
    if _is_aligned(word, tag, kind):
        marks |= Mark.WORD
    if kind not in ".," and word not in _ARTICLES:
        marks |= Mark.ORDERED
    if kind == "!" or word in _MODAL:
        marks |= Mark.MODAL
    if may_be_mentioned(word):
        marks |= Mark.MENTIONED
    if senses:
        marks |= Mark.KNOWN
        if not senses.isdisjoint(colors(wordnet)):
            marks |= Mark.COLOR
    return marks


def _is_aligned(word: str, tag: str, kind: str) -> bool:
    """Return whether a word is compared with words, not as part of a number or time."""
    is_of_kind = kind in "nvjt" or (kind == "r" and tag == "RB")
    return (
        is_of_kind
        and is_content(word)
        and not word[0].isdigit()
        and word not in QUANTIFIERS
        and word not in TIME_WORDS
    )


def _find_forms(wordnet: WordNet, word: str, base: str, pos: str) -> set[str]:
    """Return the words that a word may be a form of, and the word itself if it is one."""
    forms = {base}
    if pos in ("v", "a"):  # "fell" is a verb of its own, and a form of "fall"
        forms.add(word)
    kinds = [pos] if pos else []
    if pos == "r":  # "later" is also one of "late", as an adjective is
        kinds.append("a")
    if pos == "a" and word.endswith(_PARTICIPLE_ENDINGS):  # it may be a participle
        kinds.append("v")
    for kind in kinds:
        forms.update(wordnet.base_forms(word, kind))
    return forms


def _find_opposites(wordnet: WordNet, word: str, tag: str, forms: set[str]) -> frozenset[str]:
    opposites = set[str]()
    prefixes = _NEGATING_PREFIXES.get(tag, ())
    if word.startswith(prefixes):
        rests = [word.removeprefix(prefix) for prefix in prefixes if word.startswith(prefix)]
        opposites.update(rest for rest in rests if len(rest) >= _SHORTEST_REST)
    for form in forms:
        opposites.update(wordnet.antonyms(form))
        opposites.update(OPPOSITES.get(form, ()))
    opposites -= _COMPARED_AS_MENTIONS if word in _COMPARED_AS_MENTIONS else _NO_OPPOSITES
    return frozenset(opposites)


class TokenLexicon:
    """The distinct words of a batch with their tags, and the facts about each.

    Attributes
    ----------
    words, classes, bases : list of str
        The lower-cased words, their parts of speech and their base forms.
    marks : ndarray of int64
        The marks of each word, a sum of the bits of :class:`Mark`.
    kinds : ndarray of uint8
        ``classes`` as numbers of characters.
    base_numbers : ndarray of int64
        Numbers that are equal where base forms are.
    vocabulary : dict of str to int
        Numbers of the words and their base forms.
    opposites : dict of int to set of int
        The positions of the opposites of each word that has some here.
    """

    def __init__(self, batch: PairBatch) -> None:
        self.wordnet = batch.wordnet
        self.vectors = batch.tagged_vectors
        self.words = batch.tagged.words
        facts = [
            _find_facts(batch.wordnet, word, tag)
            for word, tag in zip(self.words, batch.tagged.tags, strict=True)
        ]
        columns = [list(column) for column in zip(*facts, strict=True)] or [[] for _ in range(6)]
        self.classes, self.bases, marks, senses, forms, opposites = columns
        self.marks = np.array(marks, dtype=np.int64)
        self.kinds = np.frombuffer("".join(self.classes).encode("ascii"), dtype=np.uint8)
        self._lengths = np.array([len(base) for base in self.bases], dtype=np.int64)
        # Words and base forms are numbered together.
        self.vocabulary = defaultdict[str, int](count().__next__)
        _, numbers = Ragged.of([self.words, self.bases], self.vocabulary)
        self._numbers, self.base_numbers = numbers.ids.reshape(2, -1)
        self.is_word = (self.marks & Mark.WORD > 0).tolist()
        self.has_order = (self.marks & Mark.ORDERED > 0).tolist()
        self.opposites = _match_opposites(forms, opposites)
        self._senses = np.array(senses, dtype=np.uint64)

    def are_among(self, words: frozenset[str]) -> Bools:
        """Return which words, or their base forms, are among some."""
        found = np.zeros(len(self.vocabulary), dtype=bool)
        found[[self.vocabulary[word] for word in words.intersection(self.vocabulary)]] = True
        return found[self._numbers] | found[self.base_numbers]

    def may_share_sense(self, first: Ids, second: Ids) -> Bools:
        """Return where words may have a sense in common."""
        return self._senses[first] & self._senses[second] > 0

    def mark_misspellings(self, first: Ids, second: Ids) -> Bools:
        """Return where one of two words is a misspelling of the other."""
        are_known = self.marks[first] & self.marks[second] & Mark.KNOWN > 0
        are_as_long = abs(self._lengths[first] - self._lengths[second]) <= MOST_ERRORS
        found: Bools = ~are_known & are_as_long
        for k in found.nonzero()[0].tolist():
            found[k] = is_misspelling(self.wordnet, self.bases[first[k]], self.bases[second[k]])
        return found


def _match_opposites(
    forms: Sequence[Sequence[str]], opposites: Sequence[frozenset[str]]
) -> dict[int, set[int]]:
    """Return the positions of the opposites of each word that has some among the others."""
    wanted = frozenset[str]().union(*opposites)
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for i, names in enumerate(forms):
        for form in names:
            if form in wanted:
                positions[form].append(i)
    found: defaultdict[int, set[int]] = defaultdict(set)
    for i, others in enumerate(opposites):
        for opposite in others:
            for j in positions.get(opposite, ()):
                found[i].add(j)
                found[j].add(i)
    return dict(found)


def may_be_mentioned(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number, a time or a quantifier."""
    return word in QUANTIFIERS or is_number_or_time(word)


def is_number_or_time(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number or a time."""
    if word in HINTS or word.isalpha():  # most words
        return word in HINTS
    return word.rstrip(".") in MONTHS or any(map(str.isdigit, word))


def are_synonyms(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether two base forms are equal or have a sense in common."""
    return first == second or not wordnet.senses(first).isdisjoint(wordnet.senses(second))


def is_misspelling(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
    return look_alike(wordnet, first, second) and not _are_two_words(first, second)


def look_alike(wordnet: WordNet, first: str, second: str) -> bool:
    """Return whether few letters differ between two words, one of which WordNet lacks."""
    length = max(len(first), len(second))
    if length < _LENGTH_FOR_ONE_ERROR:
        most = 0
    elif length < _LENGTH_FOR_TWO_ERRORS:
        most = 1
    else:
        most = MOST_ERRORS
    return (
        abs(len(first) - len(second)) <= most
        and length <= _LONGEST_WORD
        and OSA.distance(first, second, score_cutoff=most) <= most
        and (first + second).isalpha()
        and not (wordnet.senses(first) and wordnet.senses(second))
    )


def _are_two_words(first: str, second: str) -> bool:
    """Return whether neither of two words is so much rarer that it may misspell the other."""
    probability = WordFrequencies.load().probability
    rare, frequent = sorted((probability(first), probability(second)))
    is_form = first.startswith(second) or second.startswith(first)
    if not frequent:  # nobody has counted either: long ones may be one name
        return max(len(first), len(second)) < _LENGTH_FOR_TWO_ERRORS
    return rare > frequent / _TIMES_AS_RARE and (first + second).isascii() and not is_form
