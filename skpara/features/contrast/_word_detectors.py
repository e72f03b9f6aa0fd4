"""Detectors of other words: opposites, words in the place of others, and other tenses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import GROUPS, AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import (
    FEW_CHANGED,
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._exclusion import exclude
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import (
    FUTURE,
    NOT_ANOTHER_PERSON,
    OPPOSITES_IF_ONLY_CHANGE,
    PARTICLES,
    PAST,
    PHRASAL_VERBS,
    PRIVATIVES,
    PRONOUNS,
    QUANTIFIERS,
    SAME_PARTICLES,
)
from skpara.features.contrast._names import are_one_name, is_initial_of, plain_name
from skpara.features.contrast._roles import AGENT
from skpara.features.contrast._tokens import GENDERED_PAIRS, Mark

# Forms of "be" that tell the tense.
_PRESENT = frozenset(["is", "are", "am"])
_PAST_OF_BE = frozenset(["was", "were"])
# "Not every" is not "not any", though "every" may be "any".
_DENIED_AMOUNTS = frozenset([frozenset(["any", "every"]), frozenset(["any", "all"])])
# Words that differ if only the form of an auxiliary does: "has" and "is", and no other.
_MOST_OF_AUXILIARIES = 2


@set_module("skpara.features.contrast")
class Tense(Detector):
    """Verbs that are past in one sentence and to come in the other one."""

    name = "tense"
    columns = ("time_flip",)
    example = ("She left.", "She will leave.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        may_be_to_come = pairs.either_has(Mark.MODAL) & (pairs.n_changed <= FEW_CHANGED)
        have_auxiliaries = pairs.both_have_kind("bx")
        return may_be_to_come | (have_auxiliaries & (pairs.n_changed <= _MOST_OF_AUXILIARIES))

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        is_first_past = FUTURE.isdisjoint(first.tokens)
        if is_first_past == FUTURE.isdisjoint(second.tokens):
            are_sentences = ["."] in (first.tokens[-1:], second.tokens[-1:])
            if are_sentences and comparison.form is Form.STATEMENT:
                yield from self._find_other_forms(comparison)
            return
        past, future = (first, second) if is_first_past else (second, first)
        has_past = not PAST.isdisjoint(set(past.tokens) - set(future.tokens))
        for places in comparison.aligned:
            i, j = places if is_first_past else places[::-1]
            is_form = past.tokens[i] != past.bases[i] == future.tokens[j]
            is_past_form = is_form and not past.tokens[i].endswith(("s", "ing"))
            if past.classes[i] == "v" and (has_past or is_past_form):
                yield Difference("time_flip", places[:1], places[1:])

    def _find_other_forms(self, comparison: Comparison) -> Iterator[Difference]:
        """Find "was" in the place of "is", and "has done" in the place of "is doing"."""
        first = comparison.first
        second = comparison.second
        if len(first.ordered_places) != len(second.ordered_places):
            return
        for i, j in zip(first.ordered_places, second.ordered_places, strict=True):
            words = first.tokens[i : i + 2]
            others = second.tokens[j : j + 2]
            bases = comparison.bases(i, j)
            if bases == ("be", "be"):
                forms = words[0], others[0]
                is_other = any(
                    form in _PRESENT and other in _PAST_OF_BE
                    for form, other in (forms, forms[::-1])
                )
            elif bases == ("be", "have"):
                is_other = self._is_unfinished(words, others)
            elif bases == ("have", "be"):
                is_other = self._is_unfinished(others, words)
            else:
                is_other = False
            if is_other:
                yield Difference("time_flip", (i,), (j,))

    def _is_unfinished(self, words: list[str], others: list[str]) -> bool:
        """Return whether words are as in "is doing" and "has done"."""
        is_passive = words[1:] == ["being"] and others[1:] == ["been"]
        return is_passive or (self._is_doing(words) and self._has_done(others))

    def _is_doing(self, words: list[str]) -> bool:
        """Return whether a form of "be" and the next word are as in "is doing"."""
        return len(words) == 2 and words[1].endswith("ing")

    def _has_done(self, words: list[str]) -> bool:
        """Return whether a form of "have" and the next word are as in "has done"."""
        return len(words) == 2 and not words[1].endswith("ing") and words[1] != "been"


@set_module("skpara.features.contrast")
class Opposites(Detector):
    """A word and its opposite, such as "hot" and "cold"."""

    name = "opposites"
    columns = ("antonym_flip", "antonym_negated")
    example = ("The soup is hot.", "The soup is cold.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.have_opposites()

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        # "Bought it from her" and "sold it to her" have one agent.
        are_exchanged = comparison.is_converse or any(
            change.kind == "converse" and AGENT in (change.first, change.second)
            for change in comparison.role_changes
        )
        bounds = {m.place for m in first.mentions if m.kind == "quantifier bound"}
        for i, j in comparison.opposed:
            kinds = {first.classes[i], second.classes[j]}
            is_all = "!" not in kinds and self._is_only_change(comparison, i, j)
            if i in bounds or not (is_all or self._may_oppose(comparison, i, j)):
                continue
            if first.negated[i] != second.negated[j]:
                yield Difference("antonym_negated", (i,), (j,))
            elif not are_exchanged:
                # Where many other words differ, they may be of two clauses.
                weight = REASON if comparison.is_close else HINT
                yield Difference("antonym_flip", (i,), (j,), weight)

    def _is_only_change(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether only a word and its opposite differ, or "in" and "out of"."""
        if comparison.n_changed > FEW_CHANGED or len(comparison.replaced) != 1:
            return False
        ((place, other_place),) = comparison.replaced
        return place - i in (0, 1) and other_place - j in (0, 1)

    def _may_oppose(self, comparison: Comparison, i: int, j: int) -> bool:
        """Return whether opposites are so where other words differ.

        Prepositions often are not: "turned out" and "in the end".
        """
        kinds = {comparison.first.classes[i], comparison.second.classes[j]}
        if kinds != {"p"}:
            return kinds <= GROUPS.keys()
        names = comparison.bases(i, j)  # "A before B" is "B after A"
        return any(
            (role.name, other.name) == names
            for noun in comparison.first.roles
            for role, other in product(*comparison.roles_of(noun))
        )


@set_module("skpara.features.contrast")
class OppositePhrases(Detector):
    """A verb with its particle and its opposite, such as "set up" and "shut down"."""

    name = "opposite phrases"
    columns = ("antonym_flip", "antonym_negated")
    example = ("The plane took off.", "The plane landed.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.PHRASAL) & pairs.differ_little(MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for phrase, places in first.opposite_phrases.items():
            opposite = phrase._replace(side=1 - phrase.side)
            other_places = second.opposite_phrases.get(opposite, ())
            is_phrase = len(places) + len(other_places) > 2
            if not (other_places and is_phrase) or phrase in second.opposite_phrases:
                continue
            if opposite in first.opposite_phrases:
                continue
            is_negated = first.negated[places[0]] != second.negated[other_places[0]]
            column = "antonym_negated" if is_negated else "antonym_flip"
            yield Difference(column, places, other_places)


@set_module("skpara.features.contrast")
class OtherParticles(Detector):
    """A verb with another particle: "look after" and "look for"."""

    name = "other particles"
    columns = ("antonym_flip",)
    example = ("She looked up the word.", "She looked over the word.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.PARTICLE) & pairs.differ_little(FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.aligned:
            verb, other_verb = comparison.bases(i, j)
            if verb != other_verb or verb not in PHRASAL_VERBS:
                continue
            particle = "".join(first.tokens[i + 1 : i + 2])
            other = "".join(second.tokens[j + 1 : j + 2])
            are_particles = particle in PARTICLES and other in PARTICLES
            may_agree = any({particle, other} <= words for words in SAME_PARTICLES)
            if are_particles and particle != other and not may_agree:
                yield Difference("antonym_flip", (i, i + 1), (j, j + 1))


@set_module("skpara.features.contrast")
class ExclusiveTerms(Detector):
    """Words or phrases of which a thing has only one: "vegan" and "vegetarian"."""

    name = "exclusive terms"
    columns = ("attribute_flip",)
    example = ("A laptop battery", "A tablet battery")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.differ_little(MOST_CHANGED) & pairs.both_have(Mark.TERM)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        if comparison.is_converse:
            return
        for term, other in product(first.terms, second.terms):
            is_other = term.number == other.number and term.group != other.group
            if is_other and term not in second.terms and other not in first.terms:
                places = first.terms[term]
                other_places = second.terms[other]
                if not self._is_told(comparison, places, other_places):
                    yield Difference("attribute_flip", places, other_places)

    def _is_told(
        self, comparison: Comparison, places: tuple[int, ...], other_places: tuple[int, ...]
    ) -> bool:
        """Return whether one of two terms is denied, or other detectors compare them."""
        first = comparison.first
        second = comparison.second
        is_denied = first.negated[places[0]] != second.negated[other_places[0]]
        are_opposed = (places[-1], other_places[-1]) in comparison.opposed
        word = first.tokens[places[0]]
        other = second.tokens[other_places[0]]
        are_mentions = word in QUANTIFIERS and other in QUANTIFIERS
        is_privative = not PRIVATIVES.isdisjoint([word, other])
        return is_denied or are_opposed or are_mentions or is_privative


@set_module("skpara.features.contrast")
class ReplacedWords(Detector):
    """A word in the place of a word that it excludes: another colour, name or animal."""

    name = "replaced words"
    columns = ("attribute_flip", "name_flip", "antonym_flip")
    example = ("A grey scarf", "A purple scarf")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        only_first, only_second = pairs.only
        is_replaced = (only_first > 0) & (only_second > 0) & (pairs.n_changed <= MOST_CHANGED)
        is_single = pairs.n_changed == 2
        is_special = pairs.both_have(Mark.COLOR) | pairs.both_have(Mark.GENDERED)
        return is_replaced & (is_single | is_special)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        for i, j in comparison.replaced:
            if first.bases[i] in second.bases or second.bases[j] in first.bases:
                continue
            word = plain_name(first.tokens[i])
            other = plain_name(second.tokens[j])
            if word == other:  # "NFL" and "N.F.L."
                continue
            if self._are_opposites(comparison, word, other):
                yield Difference("antonym_flip", (i,), (j,))
            if not self._may_agree(comparison, i, j, word, other):
                column = self._column(comparison, i, j, word, other)
                if column:
                    yield Difference(column, (i,), (j,))

    def _are_opposites(self, comparison: Comparison, word: str, other: str) -> bool:
        """Return whether two words are opposites, as nothing else differs."""
        if frozenset((word, other)) in _DENIED_AMOUNTS:
            sides = comparison.first, comparison.second
            return comparison.n_changed == 2 and all(side.n_negations == 1 for side in sides)
        # "How do I ...?" is "How do you ...?"
        is_anybody = comparison.form is Form.QUESTION and word in PRONOUNS
        may_oppose = comparison.n_changed == 2 and "not" not in comparison.first.tokens
        is_opposite = frozenset((word, other)) in OPPOSITES_IF_ONLY_CHANGE
        return may_oppose and is_opposite and not is_anybody and not comparison.is_converse

    def _may_agree(self, comparison: Comparison, i: int, j: int, word: str, other: str) -> bool:
        """Return whether two words may stand for one thing, or other detectors compare them."""
        first = comparison.first
        second = comparison.second
        n_names = (i in first.names) + (j in second.names)
        is_told = (i, j) in comparison.opposed or (i, j) in comparison.misspelled
        is_title = word in NOT_ANOTHER_PERSON or other in NOT_ANOTHER_PERSON
        # "He" may be "Otto".
        is_person = n_names == 1 and (word in PRONOUNS or other in PRONOUNS)
        is_initial = is_initial_of(first.cased[i], second.cased[j])
        return n_names == 2 or is_told or is_title or is_person or is_initial

    def _column(self, comparison: Comparison, i: int, j: int, word: str, other: str) -> str:
        """Return the column of a word in the place of another one; "" if they may agree."""
        first = comparison.first
        second = comparison.second
        lexicon = comparison.lexicon
        n_names = (i in first.names) + (j in second.names)
        are_words = lexicon.is_word[first.ids[i]] and lexicon.is_word[second.ids[j]]
        is_only_change = comparison.n_changed == 2 and are_words
        # Only one of the first words of two sentences may be known as a name.
        are_names = f"{first.cased[i]} {second.cased[j]}".istitle()
        may_be_names = n_names == 1 and is_only_change and are_names
        if may_be_names and not are_one_name(lexicon.wordnet, word, other):
            return "name_flip"
        do_exclude = {word, other} in GENDERED_PAIRS or exclude(
            lexicon, first.ids[i], second.ids[j], is_only_change, n_names == 1
        )
        return "attribute_flip" if do_exclude else ""
