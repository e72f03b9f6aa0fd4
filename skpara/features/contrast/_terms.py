"""Different words: one in the place of another, and listed words and phrases.

``terms.json`` has the lists with their conditions, and examples of each.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from skpara._public import set_module, with_fields
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import (
    MOST_CHANGED,
    REASON,
    Comparison,
    Detector,
    Difference,
    Examples,
)
from skpara.features.contrast._lexicon import (
    PRONOUNS,
    Mark,
    Phrases,
    TokenLexicon,
    are_synonyms,
    words_in,
)
from skpara.features.contrast._mentions import NO_NAMES, are_one_name, is_initial_of, plain_name
from skpara.features.contrast._sentences import Form, Sentence
from skpara.resources import WordFrequencies, WordNet

# Words that do not stand for another person than a name does: "Mr Smith" is "John Smith".
_NOT_ANOTHER_PERSON = words_in("not another person") | NO_NAMES
# Kinds of these exclude each other, however similar they are.
_EXCLUSIVE_KINDS = words_in("exclusive kinds")
# Two words with the probability _RARE, that of the more frequent one, are different things if
# their cosine is below _LIMIT, which is _FALL lower for words ten times as frequent.
_RARE = 1e-5
_LIMIT = 0.5
_FALL = 0.4
# Probability of a word that nobody has counted.
_UNSEEN = 1e-9
# Words this similar may be forms or spellings of one word.
_ONE_SPELLING = 0.8
# Other words than nouns are only a hint: one may paraphrase the other.
_STRONGEST_HINT = 0.9
# A word without a vector is unlike no other: its cosine is 0, not undefined.
_TINY = 1e-300

Places = tuple[int, ...]


class Term(NamedTuple):
    """A word or phrase of a list: its row there, and the group of phrases that mean the same."""

    row: int
    group: int


@set_module("skpara.features.contrast")
@with_fields
class Terms(Detector):
    """Lists of mutually exclusive words and phrases, such as "vegan" and "vegetarian".

    Parameters
    ----------
    name : str
        A short name.
    groups : list of lists of lists of str
        Rows of groups; a group has words and phrases that mean the same. Two sentences differ if
        they have different groups of a row. A row with a single group lists words that make a
        difference when only one sentence has them, such as "refurbished".
    column : str, default="attribute_flip"
        The feature that such a difference changes.
    most_changed : int, default=6
        How many words may differ at most.
    forms : sequence of {"title", "statement", "question"}
        The forms of sentences to which the lists apply; all by default.
    is_moved : bool, default=False
        Whether sentences also differ if a phrase of both precedes different words.
    follows : {"", "thing", "clause"}, default=""
        What must follow in one sentence and be in the other: "thing", the next word, unless it is
        a name; "clause", the clause's next word other than function words.
    followed_by : dict of str to str
        For the first word of a phrase, the parts of speech that may follow it: not "in May".
    different, same : lists of pairs of str
        Examples.

    Examples
    --------
    >>> from skpara import Deduplicator
    >>> from skpara.features.contrast import GUARD_DETECTORS, Terms
    >>> offences = Terms("offences", [[["careless driving"], ["dangerous driving"]]])
    >>> rows = ["She was fined for careless driving.", "She was fined for dangerous driving."]
    >>> found = Deduplicator(threshold=0.7, guard=[*GUARD_DETECTORS, offences]).fit(rows)
    >>> found.borderline()[0][3]
    'dangerous driving, not careless driving'
    """

    name: str
    groups: Sequence[Sequence[Sequence[str]]]
    column: str = "attribute_flip"
    most_changed: int = 6
    forms: Sequence[str] = ("title", "statement", "question")
    is_moved: bool = False
    follows: Literal["", "thing", "clause"] = ""
    followed_by: Mapping[str, str] = field(default_factory=dict)
    different: Examples = ()
    same: Examples = ()

    def __post_init__(self) -> None:
        terms: dict[str, list[Term]] = {}
        for row, groups in enumerate(self.groups):
            for group, texts in enumerate(groups):
                for text in texts:
                    terms.setdefault(text, []).append(Term(row, group))
        self.phrases = Phrases(terms, by_longest=True)
        self._alone = {row for row, groups in enumerate(self.groups) if len(groups) == 1}
        self.columns = (self.column,)

    def __repr__(self) -> str:
        return f"Terms({self.name!r})"

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        if pairs.lexicon.vocabulary.keys().isdisjoint(self.phrases.keys):
            return np.zeros(len(pairs), dtype=bool)
        left, right = pairs.have_words(self.phrases.keys)
        have_some = left | right if self._alone else left & right
        fewest = 0 if self.is_moved else 1
        return have_some & (pairs.n_changed >= fewest) & (pairs.n_changed <= self.most_changed)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        own = self._find_terms(first)
        others = self._find_terms(second)
        is_perhaps_moved = self.is_moved and not comparison.n_changed
        # What follows takes longer to tell.
        if own.keys() == others.keys() and not is_perhaps_moved:
            return
        if len(self.forms) < len(Form) and comparison.form.value not in self.forms:
            return
        if comparison.is_converse:
            return
        if is_perhaps_moved:
            yield from self._find_moved(comparison, own, others)
        only_first = {term: places for term, places in own.items() if term not in others}
        only_second = {term: places for term, places in others.items() if term not in own}
        for term, other in product(only_first, only_second):
            places = only_first[term]
            other_places = only_second[other]
            is_denied = first.negated[places[0]] != second.negated[other_places[0]]
            is_one_row = term.row == other.row and not is_denied
            if is_one_row and self._are_exclusive(comparison, places, other_places):
                yield Difference(self.column, places, other_places)
        added = self._find_added(first, second, only_first, comparison.partner)
        other_added = self._find_added(second, first, only_second, comparison.partner_in_first)
        if bool(added) != bool(other_added):  # "almost hid" is "tried to hide"
            for places in added:
                yield Difference(self.column, places, ())
            for places in other_added:
                yield Difference(self.column, (), places)

    def _find_moved(
        self, comparison: Comparison, own: dict[Term, Places], others: dict[Term, Places]
    ) -> Iterator[Difference]:
        """Find terms of both sentences that stand in front of another word."""
        for term in [term for term in own if term in others]:  # a set has no order
            behind = comparison.first.next_word(own[term][-1])
            other_behind = comparison.second.next_word(others[term][-1])
            if other_behind >= 0 and comparison.partner.get(behind, other_behind) != other_behind:
                yield Difference(self.column, own[term], others[term])

    def _find_added(
        self,
        side: Sentence,
        other: Sentence,
        only_here: dict[Term, Places],
        partner: Mapping[int, int],
    ) -> list[Places]:
        """Return the places of what only one side has, also in another form."""
        return [
            places
            for term, places in only_here.items()
            if term.row in self._alone
            and side.bases[places[0]] not in other.bases
            and self._is_followed(side, other, places, partner)
        ]

    def _are_exclusive(self, comparison: Comparison, places: Places, others: Places) -> bool:
        """Return whether two terms of a row stand where they exclude each other."""
        if len(places) == len(others) == 1 and (places[0], others[0]) in comparison.opposed:
            return False  # plain opposites
        first = comparison.first
        second = comparison.second
        return self._is_followed(first, second, places, comparison.partner) and (
            self._is_followed(second, first, others, comparison.partner_in_first)
        )

    def _is_followed(
        self, side: Sentence, other: Sentence, places: Places, partner: Mapping[int, int]
    ) -> bool:
        """Return whether what has to follow does so, and is in the other sentence."""
        end = places[-1] + 1
        if self.follows == "thing":
            is_thing = (
                side.classes[end : end + 1] in ("n", "j", "v", "r") and end not in side.names
            )
            return is_thing and side.tokens[end] in other.tokens
        if self.follows == "clause":
            governed = side.next_word(end)
            if governed < 0:
                return any(k in partner for k in range(places[0]))
            return governed in partner
        return True

    def _find_terms(self, side: Sentence) -> dict[Term, Places]:
        """Find the listed words and phrases of a sentence, with the positions of their words."""
        if self not in side.terms:
            found: dict[Term, Places] = {}
            for places, terms in self._read(side):
                for term in terms:
                    found.setdefault(term, places)
            side.terms[self] = found
        return side.terms[self]

    def _read(self, side: Sentence) -> Iterator[tuple[Places, list[Term]]]:
        end = 0
        keys = self.phrases.keys
        words = enumerate(zip(side.tokens, side.bases, strict=True))
        for i in [i for i, (token, base) in words if token in keys or base in keys]:
            if i < end:
                continue
            both = (self.phrases.match(words, i) for words in (side.tokens, side.bases))
            found = [phrase for phrase in both if phrase]
            longest = max((phrase.end - phrase.start for phrase in found), default=0)
            for phrase in found:
                kind = side.classes[phrase.end : phrase.end + 1]
                may_follow = kind in self.followed_by.get(side.bases[phrase.start], kind)
                if may_follow and phrase.end - phrase.start == longest:
                    end = phrase.end
                    yield tuple(range(phrase.start, end)), phrase.meaning


def read_rules() -> tuple[Terms, ...]:
    """Read the rules of ``terms.json``."""
    text = Path(__file__).with_name("terms.json").read_text("utf-8")
    return tuple(Terms(**rule) for rule in json.loads(text))


TERMS = read_rules()
_BY_NAME = {rule.name: rule for rule in TERMS}
# Words that turn a name into another; "junior" is often left out of a person's name.
ADDED_TO_NAMES = frozenset(_BY_NAME["privatives"].groups[0][0]) - {"junior"}


def are_exclusive(first: str, second: str) -> bool:
    """Return whether texts have other terms of a row of "exclusive terms"."""
    phrases = _BY_NAME["exclusive terms"].phrases
    terms, others = (phrases.find(text.split()) for text in (first, second))
    return any(
        term.row == other.row and term.group != other.group
        for term, other in product(chain(*terms), chain(*others))
    )


class ReplacedWords(Detector):
    """A word in the place of a word that it excludes: another colour, name, animal or drug."""

    name = "replaced words"
    columns = ("attribute_flip", "name_flip")
    different = (
        ("A grey scarf", "A purple scarf"),
        ("A man drinks tea.", "A man drinks coffee."),
        ("She is allergic to lisinopril.", "She is allergic to gabapentin."),
        ("Is losartan safe at night?", "Is valsartan safe at night?"),
        ("Error in module auth", "Error in module billing"),
    )
    same = (
        ("A dog walks.", "An animal walks."),
        ("The biker fell.", "The man fell."),
        ("Is the sofa green?", "Is the couch green?"),
        ("He recieved the parcel.", "He received the parcel."),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        only_first, only_second = pairs.only
        is_replaced = (only_first > 0) & (only_second > 0) & (pairs.n_changed <= MOST_CHANGED)
        return is_replaced & ((pairs.n_changed == 2) | pairs.both_have(Mark.COLOR))

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.replaced:
            if first.bases[i] in second.bases or second.bases[j] in first.bases:
                continue
            if not self._may_agree(comparison, i, j):
                column, weight = self._weigh(comparison, i, j)
                if weight > 0:
                    yield Difference(column, (i,), (j,), weight)

    def _may_agree(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether two words may stand for one thing, or are two names."""
        first = comparison.first
        second = comparison.second
        words = {plain_name(first.tokens[i]), plain_name(second.tokens[j])}
        n_names = (i in first.names) + (j in second.names)
        is_title = not _NOT_ANOTHER_PERSON.isdisjoint(words)
        # "He" may be "Otto".
        is_person = n_names == 1 and not PRONOUNS.isdisjoint(words)
        is_initial = is_initial_of(first.cased[i], second.cased[j])
        is_one = len(words) == 1 or (i, j) in comparison.misspelled  # "NFL" and "N.F.L."
        return n_names == 2 or is_title or is_person or is_initial or is_one

    def _weigh(self, comparison: Comparison, i: int, j: int) -> tuple[str, float]:
        """Return the column of a word in the place of another, and its weight."""
        first = comparison.first
        second = comparison.second
        lexicon = comparison.lexicon
        word, other = first.ids[i], second.ids[j]
        is_only_change = comparison.n_changed == 2
        # Only one of the first words of two sentences may be known as a name.
        are_names = f"{first.cased[i]} {second.cased[j]}".istitle()
        if is_only_change and are_names and (i in first.names) != (j in second.names):
            names = plain_name(first.tokens[i]), plain_name(second.tokens[j])
            if not are_one_name(lexicon.wordnet, *names):
                return "name_flip", REASON
        if lexicon.marks[word] & lexicon.marks[other] & Mark.COLOR:
            do_exclude = not are_synonyms(lexicon.wordnet, *comparison.bases(i, j))
            return "attribute_flip", REASON * do_exclude
        return "attribute_flip", weigh_exchange(lexicon, word, other) if is_only_change else 0.0


@lru_cache(1)
def _exclusive_kinds(wordnet: WordNet) -> frozenset[int]:
    return frozenset[int]().union(*map(wordnet.senses, _EXCLUSIVE_KINDS))


def weigh_exchange(lexicon: TokenLexicon, i: int, j: int) -> float:
    """Return how strongly a word in the place of another suggests a different meaning.

    Not at all if one is a kind of the other. Kinds of one thing, such as animals or drugs, exclude
    each other. Otherwise the more strongly, the less similar and the rarer the words are: to say
    the same, people seldom choose another rare word. Persons may be described in many ways.
    """
    wordnet = lexicon.wordnet
    first = lexicon.bases[i]
    second = lexicon.bases[j]
    above_first = wordnet.ancestors(first)
    above_second = wordnet.ancestors(second)
    common = above_first & above_second
    senses = wordnet.senses(first), wordnet.senses(second)
    if not (common.isdisjoint(senses[0] | senses[1]) and senses[0].isdisjoint(senses[1])):
        return 0.0
    probability = WordFrequencies.load().probability
    frequency = max(probability(first), probability(second), _UNSEEN)
    if frequency <= _RARE:  # the tagger guesses
        are_words = first.isalpha() and second.isalpha()
        are_nouns = are_words
    else:
        kinds = {lexicon.classes[i], lexicon.classes[j]}
        are_words = lexicon.is_word[i] and lexicon.is_word[j]
        are_nouns = "n" in kinds and kinds <= set("njt")
    # Rare words that WordNet distinguishes, such as "prednisone" and "prednisolone", are not
    # spellings of one; neither are unknown names of users, such as "asmith" and "bsmith".
    are_two = frequency <= _RARE and bool(senses[0]) and bool(senses[1])
    may_be_one = not are_two and (frequency > _UNSEEN or len(first) != len(second))
    is_one = may_be_one and OSA.normalized_similarity(first, second) >= _ONE_SPELLING
    if not are_words or is_one:
        return 0.0
    if are_nouns and not common.isdisjoint(_exclusive_kinds(wordnet)):
        return REASON
    limit = _LIMIT - _FALL * math.log10(frequency / _RARE)
    weight = max(0.0, REASON + limit - _cosine(lexicon, i, j))
    is_person = not (above_first | above_second).isdisjoint(wordnet.senses("person"))
    strongest = REASON if are_nouns and not is_person else _STRONGEST_HINT
    return min(weight, strongest)


def _cosine(lexicon: TokenLexicon, i: int, j: int) -> float:
    first, second = lexicon.vectors[[i, j]].astype(float)
    norms = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second / max(norms, _TINY))
