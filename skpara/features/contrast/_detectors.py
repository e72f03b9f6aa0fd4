"""The detectors: one class for each kind of difference."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, ClassVar

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import GROUPS
from skpara.features.contrast._changed_mentions import FEWEST_IN_PLACES, find_changed
from skpara.features.contrast._detector import HINT, REASON, Detector, Difference
from skpara.features.contrast._edits import Exchange
from skpara.features.contrast._exclusion import exclude
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import (
    DENIALS,
    FUTURE,
    MUTUAL_RELATIONS,
    NOT_ANOTHER_PERSON,
    OPPOSITES_IF_ONLY_CHANGE,
    PAST,
    PRONOUNS,
)
from skpara.features.contrast._mentions import Mention, harmonize_kinds
from skpara.features.contrast._names import are_one_name, plain_name
from skpara.features.contrast._roles import AGENT, PATIENT
from skpara.features.contrast._scope_detector import ScopeWords
from skpara.features.contrast._tokens import GENDERED_PAIRS, Mark

if TYPE_CHECKING:
    from skpara.features.contrast._alignment import AlignedPairs
    from skpara.features.contrast._comparison import Comparison
    from skpara.features.contrast._sentences import Sentence

# Words that differ between two sentences if a changed number or name is all that matters.
MOST_CHANGED = 6
# Words that differ if one word and those that depend on it have changed.
FEW_CHANGED = 3
# Parts of speech of predicates: verbs, adjectives and adverbs.
_PREDICATES = frozenset("vjr")
# Words of "not until", which means "only when", and of "nobody but".
_LIMITS = frozenset(["until", "till", "unless", "before", "without", "except", "but"])
_NEGATING_PREFIXES = ("un", "in", "im", "ir", "non", "dis")
_NEGATING_ENDINGS = ("less", "lessly")
# Parts of speech that have roles.
_BEARERS = re.compile("[njcdp]")
_VERB = re.compile("[vb]")
# Columns of two exchanged words by their part of speech: others have exchanged their roles.
_COLUMNS_OF_WORDS = {"j": "modifiers_swapped", "c": "number_flip", "d": "quantifier_flip"}
# Words between phrases whose order does not matter, as in "near".
_BESIDE = frozenset(["near", "next", "beside", "alongside", "with"])
# Tokens between the items of a list, in any order.
_LISTING = frozenset([",", "and", "or", "&"])
# Words between phrases whose order matters whatever the phrases are.
_CAUSES = frozenset(["because", "if", "so", "unless"])
# Verbs and prepositions that relate equals.
_JOINING = frozenset(["be", "as", "while", "versus", "vs"])


@set_module("skpara.features.contrast")
class Negation(Detector):
    """Words that only one side negates."""

    name = "negation"
    columns = ("negation_flip",)
    example = ("I like pizza.", "I don't like pizza.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        negated = comparison.first.negated
        other_negated = comparison.second.negated
        if not (any(negated) or any(other_negated)):
            return
        found = self._find_words(comparison)
        if not found or self._is_made_up_for(comparison):
            return
        n_negations = comparison.first.n_negations + comparison.second.n_negations
        is_one_sided = any(negated) != any(other_negated) or n_negations % 2 == 1
        is_reason = (
            is_one_sided
            and comparison.n_changed <= MOST_CHANGED
            and not self._is_denied_otherwise(comparison, found)
        )
        places, other_places = zip(*found, strict=True)
        yield Difference("negation_flip", places, other_places, REASON if is_reason else HINT)

    def _is_denied_otherwise(self, comparison: Comparison, found: list[tuple[int, int]]) -> bool:
        """Return whether the other side may deny the same in other words.

        "It will no longer sell tickets" and "It will stop selling tickets".
        """
        first = comparison.first
        second = comparison.second
        are_first = {first.negated[i] for i, _ in found}
        if len(are_first) > 1:
            return False
        if are_first == {True}:
            return self._denies(second, first)
        return self._denies(first, second)

    def _denies(self, side: Sentence, other: Sentence) -> bool:
        """Return whether a side has a word that denies something and that the other side lacks."""
        if "only" in side.tokens and not _LIMITS.isdisjoint(other.tokens):
            return True  # "only if he pays" is "not unless he pays"
        known = {*other.bases, *other.tokens}
        for k, base in enumerate(side.bases):
            if base in DENIALS and base not in known and (base != "end" or side.classes[k] == "v"):
                return True
            if not known.isdisjoint(_without_negation(side.tokens[k])):
                return True
        return False

    def _find_words(self, comparison: Comparison) -> list[tuple[int, int]]:
        """Return the predicates that one side negates, or else the nouns."""
        first = comparison.first
        second = comparison.second
        equal = []  # predicates that both sides negate, or neither
        predicates = []
        nouns = []
        for i, j in comparison.aligned:
            if (i, j) in comparison.opposed:
                continue
            differs = first.negated[i] != second.negated[j]
            if _is_predicate(first, i) or _is_predicate(second, j):
                if differs:
                    predicates.append((i, j))
                else:
                    equal.append((i, j))
            elif differs:
                nouns.append((i, j))
        if predicates:
            return predicates
        # Which nouns are behind a negated verb depends on the order of words.
        has_opposite_negation = any(
            first.classes[i] == "!" or second.classes[j] == "!" for i, j in comparison.opposed
        )
        is_of_nouns = not equal or comparison.n_changed == 1 or has_opposite_negation
        return nouns if is_of_nouns else []

    def _is_made_up_for(self, comparison: Comparison) -> bool:
        """Return whether an opposite is negated: "not possible to win" is "impossible to win"."""
        first = comparison.first
        second = comparison.second
        return any(
            first.classes[i] in GROUPS and first.negated[i] != second.negated[j]
            for i, j in comparison.opposed
        )


def _is_predicate(side: Sentence, i: int) -> bool:
    """Return whether a word says something: no adjective in front of a noun, as in "red spots"."""
    kind = side.classes[i]
    return kind in "vr" or (kind == "j" and side.classes[i + 1 : i + 2] not in ("n", "j"))


def _without_negation(token: str) -> Iterator[str]:
    """Yield a word without the part that negates it: "paid" for "unpaid", "aim" for "aimless"."""
    for ending in _NEGATING_ENDINGS:
        if token.endswith(ending):
            yield token.removesuffix(ending)
    for prefix in _NEGATING_PREFIXES:
        if token.startswith(prefix):
            yield token.removeprefix(prefix)


@set_module("skpara.features.contrast")
class Tense(Detector):
    """Verbs that are past in one sentence and to come in the other one."""

    name = "tense"
    columns = ("time_flip",)
    example = ("She left.", "She will leave.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL) & (pairs.n_changed <= FEW_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        is_first_past = FUTURE.isdisjoint(first.tokens)
        if is_first_past == FUTURE.isdisjoint(second.tokens):
            return
        past, future = (first, second) if is_first_past else (second, first)
        has_past = not PAST.isdisjoint(set(past.tokens) - set(future.tokens))
        for places in comparison.aligned:
            i, j = places if is_first_past else places[::-1]
            is_form = past.tokens[i] != past.bases[i] == future.tokens[j]
            is_past_form = is_form and not past.tokens[i].endswith(("s", "ing"))
            if past.classes[i] == "v" and (has_past or is_past_form):
                yield Difference("time_flip", places[:1], places[1:])


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
        are_exchanged = comparison.is_converse or any(
            change.kind == "converse" for change in comparison.role_changes
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
                yield Difference("antonym_flip", (i,), (j,))

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
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= MOST_CHANGED)
        return pairs.either_has(Mark.PHRASAL) & has_few

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
            may_oppose = comparison.n_changed == 2 and "not" not in first.tokens
            is_opposite = frozenset((word, other)) in OPPOSITES_IF_ONLY_CHANGE
            if may_oppose and is_opposite and not comparison.is_converse:
                yield Difference("antonym_flip", (i,), (j,))
            column = self._column(comparison, i, j, word, other)
            if column:
                yield Difference(column, (i,), (j,))

    def _column(self, comparison: Comparison, i: int, j: int, word: str, other: str) -> str:
        """Return the column of a word in the place of another one; "" if they may agree."""
        first = comparison.first
        second = comparison.second
        n_names = (i in first.names) + (j in second.names)
        is_told = (i, j) in comparison.opposed or (i, j) in comparison.misspelled
        if n_names == 2 or is_told:
            return ""
        if word in NOT_ANOTHER_PERSON or other in NOT_ANOTHER_PERSON:
            return ""
        if n_names == 1 and (word in PRONOUNS or other in PRONOUNS):  # "he" may be "Otto"
            return ""
        lexicon = comparison.lexicon
        are_words = lexicon.is_word[first.ids[i]] and lexicon.is_word[second.ids[j]]
        is_only_change = comparison.n_changed == 2 and are_words
        # Only one of the first words of two sentences may be known as a name.
        are_names = f"{first.cased[i]} {second.cased[j]}".istitle()
        may_be_names = n_names == 1 and is_only_change and are_names
        if may_be_names and not are_one_name(lexicon.wordnet, word, other):
            return "name_flip"
        if {word, other} in GENDERED_PAIRS:
            return "attribute_flip"
        if exclude(lexicon, first.ids[i], second.ids[j], is_only_change, n_names == 1):
            return "attribute_flip"
        return ""


@set_module("skpara.features.contrast")
class ExchangedPhrases(Detector):
    """Two phrases that changed places, as in "from Oslo to Rome"."""

    name = "exchanged phrases"
    columns = ("roles_swapped", "modifiers_swapped", "number_flip", "quantifier_flip")
    example = ("They flew from Paris to London.", "They flew from London to Paris.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.n_changed == 0

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        exchange = comparison.exchange
        if exchange is None or not self._is_difference(comparison, exchange):
            return
        kind = self._kind_of_both(comparison, exchange)
        column = _COLUMNS_OF_WORDS.get(kind, "roles_swapped")
        yield Difference(column, exchange.before + exchange.after, exchange.exchanged)

    def _kind_of_both(self, comparison: Comparison, exchange: Exchange) -> str:
        """Return the parts of speech of both phrases if they are equal, else ""."""
        before = comparison.first.classes_of(exchange.before)
        return before if before == comparison.first.classes_of(exchange.after) else ""

    def _is_difference(self, comparison: Comparison, exchange: Exchange) -> bool:
        """Return whether the order of two phrases matters."""
        first = comparison.first
        second = comparison.second
        kinds = first.classes_of(exchange.before), first.classes_of(exchange.after)
        kinds_between = first.classes_of(exchange.between)
        bases = [first.bases[k] for k in exchange.between]
        # A tagger may take a verb for a noun in one of the sentences: "Rebels shell army".
        ends = exchange.exchanged[0], exchange.exchanged[-1]
        other_between = [
            k
            for k in second.ordered_places
            if ends[0] < k < ends[1] and k not in exchange.exchanged
        ]
        if "v" in second.classes_of(other_between):
            kinds_between = second.classes_of(other_between)
        elif "n" in kinds_between and any(
            first.tokens[i] != second.tokens[j]
            for i, j in zip(exchange.between, other_between, strict=True)
        ):
            kinds_between = kinds_between.replace("n", "v")
        if not _BESIDE.isdisjoint(bases):
            return False
        relations = {
            base: kind
            for base, kind in zip(bases, kinds_between, strict=True)
            if kind in ("v", "p")
        }
        verbs = [base for base, kind in relations.items() if kind == "v"]
        if "say" in verbs and any(map(_VERB.search, kinds)):
            return False
        kind = self._kind_of_both(comparison, exchange)
        # "The banker who met her resigned" and "When he spoke, she listened" are of two clauses.
        gap = first.classes[exchange.before[-1] : exchange.after[0]]
        is_one_clause = "," not in gap and "s" not in gap
        is_mutual = is_one_clause and not MUTUAL_RELATIONS.isdisjoint(verbs or first.bases)
        if is_mutual and kind not in _COLUMNS_OF_WORDS:
            return False
        if kind == "c":  # "won 3-1" and "won 1-3", but not "3, 1 and 2"
            between = first.tokens[exchange.before[-1] + 1 : exchange.after[0]]
            return not between or not _LISTING.issuperset(between)
        if not _CAUSES.isdisjoint(bases):
            return True
        if kind == "v":  # "rose in Spain and fell in Italy"
            return "n" in kinds_between
        # "white shirt and black pants"
        are_adjectives = kind == "j" and "n" in kinds_between
        # Nouns behind prepositions, whatever their tags are.
        start = exchange.before[0]
        is_behind_preposition = start > 0 and first.classes[start - 1] == "p"
        are_governed = is_behind_preposition and kinds_between.endswith("p")
        have_roles = are_governed or all(map(_BEARERS.search, kinds))
        return have_roles and (are_adjectives or not _JOINING.issuperset(relations))


@set_module("skpara.features.contrast")
class Roles(Detector):
    """Two words that have exchanged who does what to whom."""

    name = "roles"
    columns: ClassVar[tuple[str, ...]] = ("roles_swapped", "roles_kept")
    example = ("The dog chased the cat.", "The dog was chased by the cat.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        have_verbs = pairs.have_aligned_kind("vj") | pairs.both_have_kind("bx")
        return (pairs.have_aligned_kind("n") & have_verbs) | pairs.have_other_partners()

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        changes = defaultdict(list)
        for change in comparison.role_changes:
            if change.kind == "kept":
                noun = change.noun
                yield Difference("roles_kept", (noun,), (comparison.partner[noun],))
            elif change.kind == "changed":
                changes[change.first, change.second].append(change.noun)
        if not changes or self._are_phrases(comparison) or comparison.is_converse:
            return
        swapped = [
            noun
            for (role, other), nouns in changes.items()
            if (other, role) in changes
            for noun in nouns
        ]
        is_swap = len({comparison.first.bases[noun] for noun in swapped}) > 1
        weight = REASON if is_swap and comparison.n_changed <= MOST_CHANGED else HINT
        found = swapped or changes[AGENT, PATIENT] + changes[PATIENT, AGENT]
        if found:
            partners = [comparison.partner[noun] for noun in found]
            yield Difference("roles_swapped", found, partners, weight)

    def _are_phrases(self, comparison: Comparison) -> bool:
        """Return whether two phrases changed places, which another detector tells."""
        return comparison.n_changed == 0 and any(ExchangedPhrases()._detect(comparison))


@set_module("skpara.features.contrast")
class Mentions(Detector):
    """Numbers, times, names and quantifiers that one side lacks."""

    name = "mentions"
    columns = (
        "number_flip",
        "number_added",
        "time_flip",
        "time_added",
        "name_flip",
        "name_added",
        "quantifier_flip",
        "quantifier_added",
    )
    example = ("Two dogs ran.", "Three dogs ran.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MENTIONED) | pairs.have_new_names()

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        names, other_names = comparison.new_names
        only_first = names + first.mentions_missing_from(second)
        only_second = other_names + second.mentions_missing_from(first)
        only_first, only_second = (
            harmonize_kinds(only_first, only_second),
            harmonize_kinds(only_second, only_first),
        )
        for kind in sorted({mention.kind for mention in only_first + only_second}):
            own = [mention for mention in only_first if mention.kind == kind]
            other = [mention for mention in only_second if mention.kind == kind]
            yield self._difference(comparison, kind, own, other)

    def _difference(
        self, comparison: Comparison, kind: str, own: list[Mention], other: list[Mention]
    ) -> Difference:
        places = [mention.place for mention in own]
        other_places = [mention.place for mention in other]
        topic = kind.split()[0]
        if topic not in ("number", "name", "quantifier"):
            topic = "time"
        # "Only dogs may enter" is not "Dogs may enter".
        adds_only = {mention.value for mention in own + other} == {"only"}
        if (own and other) or (adds_only and comparison.n_changed == 1):
            values = {mention.value for mention in own + other}
            # "Nobody disliked it" is "everybody liked it".
            is_made_up_for = values == {"all", "none"} and bool(comparison.opposed)
            is_reason = comparison.n_changed <= MOST_CHANGED and not is_made_up_for
            if topic == "name" and comparison.form is Form.STATEMENT:
                is_reason = is_reason and _are_in_one_place(comparison, places, other_places)
            weight = REASON if is_reason else HINT
            return Difference(f"{topic}_flip", places, other_places, weight)
        return Difference(f"{topic}_added", places, other_places)


def _are_in_one_place(comparison: Comparison, own: list[int], other: list[int]) -> bool:
    """Return whether one of some names stands where one of the other names does.

    It is replaced by it, has the same preposition, or the same role for the same verb.
    """
    first = comparison.first
    second = comparison.second
    replaced = set(comparison.replaced)
    for i, j in product(own, other):
        if (i, j) in replaced:
            return True
        is_governed = i > 0 and j > 0 and first.classes[i - 1] == second.classes[j - 1] == "p"
        if is_governed and first.bases[i - 1] == second.bases[j - 1]:
            return True
        roles = product(first.roles.get(i, ()), second.roles.get(j, ()))
        if any(
            role.name == one.name
            and role.verb >= 0
            and comparison.partner.get(role.verb) == one.verb
            for role, one in roles
        ):
            return True
    return False


@set_module("skpara.features.contrast")
class ChangedMentions(Detector):
    """Numbers and times that become another one which the sentence already has."""

    name = "changed mentions"
    columns = ("number_flip", "time_flip")
    example = ("Pack of 10 pens, 10 blue", "Pack of 12 pens, 10 blue")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.MENTIONED, FEWEST_IN_PLACES)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        for mention, other in find_changed(comparison):
            topic = "number" if mention.kind.startswith("number") else "time"
            weight = REASON if comparison.n_changed <= MOST_CHANGED else HINT
            yield Difference(f"{topic}_flip", (mention.place,), (other.place,), weight)


# The detectors that fill the columns of the features, in the order of their differences.
DETECTORS: tuple[Detector, ...] = (
    Negation(),
    Tense(),
    Opposites(),
    OppositePhrases(),
    ReplacedWords(),
    ExchangedPhrases(),
    Roles(),
    Mentions(),
    ChangedMentions(),
    ScopeWords(),
)
