"""Detectors of what is said of what: negation, opposites, tenses, exchanges and roles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skpara._typing import Bools
from skpara.features.contrast._alignment import GROUPS, AlignedPairs
from skpara.features.contrast._clauses import AGENT, PATIENT
from skpara.features.contrast._comparison import (
    FEW_CHANGED,
    HINT,
    MOST_CHANGED,
    REASON,
    Comparison,
    Detector,
    Difference,
    Exchange,
)
from skpara.features.contrast._lexicon import FUTURE, MUTUAL_RELATIONS, Mark, words_in
from skpara.features.contrast._sentences import Sentence

# Words that deny something without a negation: "stopped smoking" is "no longer smokes".
_DENIALS = words_in("denials")
# Words of "not until", which means "only when", and of "nobody but".
_LIMITS = frozenset(["until", "till", "unless", "before", "without", "except", "but"])
_PAST = words_in("past")
# What follows "then" is later.
_IN_ORDER = words_in("events in order")
# Words that differ where a negation moves, such as "did".
_MOST_OF_AUXILIARIES = 2
# A form of "be" and words between it and a noun that it says something with.
_NOMINAL = re.compile("b[!djnr]*$")
# Parts of speech that have roles.
_BEARERS = re.compile("[njcdp]")
# Columns of two exchanged words by their part of speech: others have exchanged their roles.
_COLUMNS_OF_WORDS = {"j": "modifiers_swapped", "c": "number_flip", "d": "quantifier_flip"}
# Words between phrases whose order does not matter, as in "near".
_BESIDE = frozenset(["near", "next", "beside", "alongside", "with"])
# Tokens between the items of a list, in any order.
_LISTING = frozenset([",", "and", "or", "&"])
# Words between phrases whose order matters whatever the phrases are.
_CAUSES = frozenset(["because", "if", "so", "unless"])
_TELLING = _CAUSES | _IN_ORDER | {"to", "into"}
# Arrows that lead from one thing to another, and not back.
_ARROW = re.compile("(?<!<)[-=]>|<[-=](?!>)|[\u2190\u2192\u21d0\u21d2\u2794-\u27be]")
# Tokens in front of the first of two clauses that are exchanged, as in "If you ...".
_MOST_BEFORE = 2
# Prepositions that relate equals.
_JOINING = frozenset(["as", "versus", "vs"])


class Negation(Detector):
    """Words that only one side negates."""

    name = "negation"
    columns = ("negation_flip",)
    different = (
        ("I like pizza.", "I don't like pizza."),
        ("The train stopped here.", "The train failed to stop here."),
        ("He leaves if he pays.", "He leaves unless he pays."),
    )
    same = (
        ("He did not eat any pizza.", "He ate no pizza."),
        ("He leaves unless he pays.", "He leaves if he does not pay."),
        ("She did not only sing, she danced.", "She sang, she danced."),
        ("The train didn't stop.", "The train failed to stop."),
        ("I do not think he came.", "I think he did not come."),
        ("It will no longer sell tickets.", "It will stop selling tickets."),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        have_some = any(first.negated), any(second.negated)
        found = self._find_words(comparison) if any(have_some) else []
        # "Not possible to win" is "impossible to win".
        is_made_up_for = any(
            first.classes[i] in GROUPS and first.negated[i] != second.negated[j]
            for i, j in comparison.opposed
        )
        if not found or is_made_up_for:
            return
        are_first = {first.negated[i] for i, _ in found}
        if len(are_first) == 1:
            is_odd = (first.n_negations + second.n_negations) % 2 == 1
            # "No guest went without food" says that all had some.
            says_all = any(one.value == "all" for one in first.mentions + second.mentions)
            is_one_sided = is_odd or (have_some[0] != have_some[1] and not says_all)
            affirming, other = (second, first) if True in are_first else (first, second)
            is_close = comparison.n_changed <= MOST_CHANGED
            is_reason = is_one_sided and is_close and not self._denies(affirming, other)
        else:  # "He did not eat but drank" and "He ate but did not drink"
            is_reason = comparison.n_changed <= _MOST_OF_AUXILIARIES
        places, other_places = zip(*found, strict=True)
        yield Difference("negation_flip", places, other_places, REASON if is_reason else HINT)

    def _denies(self, side: Sentence, other: Sentence) -> bool:
        """Return whether a side has a word that denies something and that the other side lacks.

        "It will no longer sell tickets" and "It will stop selling tickets".
        """
        if "only" in side.tokens and not _LIMITS.isdisjoint(other.tokens):
            return True  # "only if he pays" is "not unless he pays"
        return any(
            base in _DENIALS and base not in other.bases and (base != "end" or kind == "v")
            for base, kind in zip(side.bases, side.classes, strict=True)
        )

    def _find_words(self, comparison: Comparison) -> list[tuple[int, int]]:
        """Return the predicates that one side negates, or else the nouns."""
        first = comparison.first
        second = comparison.second
        are_equal = False  # both sides negate a predicate, or neither
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
                    are_equal = True
            elif differs:
                nouns.append((i, j))
        # Which nouns are behind a negated verb depends on the order of words.
        has_opposite_negation = any(
            "!" in (first.classes[i], second.classes[j]) for i, j in comparison.opposed
        )
        # "Tea, not milk" and "milk, not tea".
        are_exchanged = len({first.negated[i] for i, _ in nouns}) > 1 and not comparison.n_changed
        is_of_nouns = not are_equal or comparison.n_changed == 1 or has_opposite_negation
        return predicates or (nouns if is_of_nouns or are_exchanged else [])


def _is_predicate(side: Sentence, i: int) -> bool:
    """Return whether a word says something: no adjective in front of a noun, as in "red spots"."""
    kind = side.classes[i]
    if kind == "n":  # "was not a guard"
        return bool(_NOMINAL.search(side.classes, 0, i))
    return kind in "vr" or (kind == "j" and side.classes[i + 1 : i + 2] not in ("n", "j"))


class Tense(Detector):
    """Verbs that are past in one sentence and to come in the other one."""

    name = "tense"
    columns = ("time_flip",)
    different = (("She left.", "She will leave."), ("It has been sold.", "It will be sold."))
    same = (("She leaves.", "She will leave."),)

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.MODAL) & (pairs.n_changed <= FEW_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        is_first_past = FUTURE.isdisjoint(first.tokens)
        if is_first_past == FUTURE.isdisjoint(second.tokens):
            return
        past, future = (first, second) if is_first_past else (second, first)
        has_past = not _PAST.isdisjoint(set(past.tokens) - set(future.tokens))
        for places in comparison.aligned:
            i, j = places if is_first_past else places[::-1]
            is_form = past.tokens[i] != past.bases[i] == future.tokens[j]
            is_past_form = is_form and not past.tokens[i].endswith(("s", "ing"))
            if past.classes[i] == "v" and (has_past or is_past_form):
                yield Difference("time_flip", places[:1], places[1:])


class Opposites(Detector):
    """A word and its opposite, such as "hot" and "cold"."""

    name = "opposites"
    columns = ("antonym_flip", "antonym_negated")
    different = (
        ("The soup is hot.", "The soup is cold."),
        ("Prices rose in Spain.", "Prices fell in Spain."),
        ("The road was safe.", "The road was unsafe."),
    )
    same = (
        ("The soup is not hot.", "The soup is cold."),
        ("Anna is taller than Peter.", "Peter is shorter than Anna."),
        ("The exam turned out easy.", "In the end the exam turned easy."),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.are(pairs.opposed)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        # "Bought it from her" and "sold it to her" have one agent.
        are_exchanged = comparison.is_converse or any(
            change.kind == "converse" and AGENT in (change.first, change.second)
            for change in comparison.role_changes
        )
        for i, j in comparison.opposed:
            kinds = {first.classes[i], second.classes[j]}
            is_all = "!" not in kinds and self._is_only_change(comparison, i, j)
            # Prepositions are often not opposites: "turned out" and "in the end".
            if not is_all and not kinds <= GROUPS.keys():
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


class ExchangedPhrases(Detector):
    """Two phrases that changed places, as in "from Oslo to Rome"."""

    name = "exchanged phrases"
    columns = ("roles_swapped", "modifiers_swapped", "number_flip", "quantifier_flip")
    different = (
        ("They flew from Paris to London.", "They flew from London to Paris."),
        ("A red car hit a blue truck.", "A blue car hit a red truck."),
        ("He fell and then laughed.", "He laughed and then fell."),
        ("ferry times calais to dover", "ferry times dover to calais"),
    )
    same = (
        ("Dogs and cats like milk.", "Cats and dogs like milk."),
        ("Anna married Peter.", "Peter married Anna."),
    )

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.n_changed == 0

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        exchange = comparison.exchange
        if exchange is None:
            return
        kinds = [comparison.first.classes_of(x) for x in (exchange.before, exchange.after)]
        kind = kinds[0] if kinds[0] == kinds[1] else ""
        if self._is_difference(comparison, exchange, kinds, kind):
            column = _COLUMNS_OF_WORDS.get(kind, "roles_swapped")
            yield Difference(column, exchange.before + exchange.after, exchange.exchanged)

    def _is_difference(
        self, comparison: Comparison, exchange: Exchange, kinds: list[str], kind: str
    ) -> bool:
        """Return whether the order of two phrases matters. ``kind`` is that of both."""
        first = comparison.first
        start, end = exchange.before[-1] + 1, exchange.after[0]
        if _ARROW.search(first.text_between(start - 1, end)):
            return True
        if kind == "c":  # "won 3-1" and "won 1-3", but not "3, 1 and 2"
            return start == end or not _LISTING.issuperset(first.tokens[start:end])
        bases = [first.bases[k] for k in exchange.between]
        kinds_between = first.classes_of(exchange.between)
        if self._are_equals(first, exchange, bases, kinds):
            return False
        # "If it rains, we stay" and "If we stay, it rains"
        is_first_clause = "," in first.classes[start:end] and exchange.before[0] <= _MOST_BEFORE
        is_condition = is_first_clause and first.tokens[0] in _CAUSES
        is_condition = is_condition and first.tokens[0] == comparison.second.tokens[0]
        is_of_another = kinds == ["n", "n"] and kinds_between == "'"  # "my sister's teacher"
        if is_condition or is_of_another or not _TELLING.isdisjoint(bases):
            return True
        if kind == "v":  # "rose in Spain and fell in Italy"
            return "n" in kinds_between
        # "white shirt and black pants"
        are_adjectives = kind == "j" and "n" in kinds_between
        # Nouns behind prepositions, whatever their tags are.
        is_behind_preposition = first.classes[exchange.before[0] - 1 : exchange.before[0]] == "p"
        are_governed = is_behind_preposition and kinds_between.endswith("p")
        have_roles = are_governed or all(map(_BEARERS.search, kinds))
        relations = {base for base, x in zip(bases, kinds_between, strict=True) if x in "vp"}
        return have_roles and (are_adjectives or not _JOINING.issuperset(relations))

    def _are_equals(
        self, side: Sentence, exchange: Exchange, bases: list[str], kinds: list[str]
    ) -> bool:
        """Return whether what is between two phrases relates equals: "near", "married"."""
        behind = exchange.before[-1] + 1
        gap = side.classes[behind : exchange.after[0]]
        # "A bus station near the train museum" has exchanged parts of what is beside.
        if gap[:1] != "n" and not _BESIDE.isdisjoint(bases):
            return True
        if "say" in bases and any("v" in kind or "b" in kind for kind in kinds):
            return True
        # "The banker who met her resigned" and "When he spoke, she listened" are of two clauses.
        is_one_clause = "," not in gap and "s" not in gap
        relating = bases if "v" in gap else side.bases
        is_mutual = is_one_clause and not MUTUAL_RELATIONS.isdisjoint(relating)
        return is_mutual and kinds[0] not in _COLUMNS_OF_WORDS


class Roles(Detector):
    """Two words that have exchanged who does what to whom."""

    name = "roles"
    columns = ("roles_swapped", "roles_kept")
    different = (
        ("The dog chased the cat.", "The dog was chased by the cat."),
        ("Anna gave Peter a book.", "Peter gave Anna a book."),
    )
    same = (
        ("The dog chased the cat.", "The cat was chased by the dog."),
        ("Anna sold the car to Peter.", "Peter bought the car from Anna."),
    )

    def __init__(self, *, are_kept_told: bool = True) -> None:
        self._are_kept_told = are_kept_told

    def may_differ(self, pairs: AlignedPairs) -> Bools:
        n_partners = pairs.count_noun_partners()
        if self._are_kept_told:
            return n_partners >= 1
        return (n_partners >= 2) & (pairs.n_changed <= MOST_CHANGED)

    def detect(self, comparison: Comparison) -> Iterator[Difference]:
        changes = defaultdict(list)
        for change in comparison.role_changes:
            if change.kind == "kept":
                noun = change.noun
                yield Difference("roles_kept", (noun,), (comparison.partner[noun],))
            elif change.kind == "changed":
                changes[change.first, change.second].append(change.noun)
        if not changes or comparison.is_converse:
            return
        swapped = [
            noun
            for (role, other), nouns in changes.items()
            if (other, role) in changes
            for noun in nouns
        ]
        is_swap = len({comparison.first.bases[noun] for noun in swapped}) > 1
        # "Shot by a man" and "shot a man"
        is_by = ("by" in comparison.first.tokens) != ("by" in comparison.second.tokens)
        is_only_change = comparison.n_changed == 1 and is_by
        is_reason = (is_swap and comparison.is_close) or is_only_change
        weight = REASON if is_reason else HINT
        found = swapped or changes[AGENT, PATIENT] + changes[PATIENT, AGENT]
        if found:
            partners = [comparison.partner[noun] for noun in found]
            yield Difference("roles_swapped", found, partners, weight)
