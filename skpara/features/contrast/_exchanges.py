"""Detectors of exchanged phrases, and of other roles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison, Exchange
from skpara.features.contrast._detector import (
    HINT,
    REASON,
    Detector,
    Difference,
)
from skpara.features.contrast._lexicon import (
    IN_ORDER,
    MUTUAL_RELATIONS,
)
from skpara.features.contrast._roles import AGENT, PATIENT
from skpara.features.contrast._sentences import Sentence

# Parts of speech that have roles.
_BEARERS = re.compile("[njcdp]")
_VERB = re.compile("[vb]")
# Columns of two exchanged words by their part of speech: others have exchanged their roles.
_COLUMNS_OF_WORDS = {"j": "modifiers_swapped", "c": "number_flip", "d": "quantifier_flip"}
# Words between phrases whose order does not matter, as in "near".
_BESIDE = frozenset(["near", "next", "beside", "alongside", "with"])
# Prepositions of phrases that describe the noun in front.
_OF_NOUNS = frozenset(["from", "of", "with", "without", "for"])
# Tokens between the items of a list, in any order.
_LISTING = frozenset([",", "and", "or", "&"])
# Words between phrases whose order matters whatever the phrases are.
_CAUSES = frozenset(["because", "if", "so", "unless"])
# Tokens in front of the first of two clauses that are exchanged, as in "If you ...".
_MOST_BEFORE = 2
# Verbs and prepositions that relate equals.
_JOINING = frozenset(["be", "as", "while", "versus", "vs"])


class ExchangedPhrases(Detector):
    """Two phrases that changed places, as in "from Oslo to Rome"."""

    name = "exchanged phrases"
    columns = ("roles_swapped", "modifiers_swapped", "number_flip", "quantifier_flip")
    different = (
        ("They flew from Paris to London.", "They flew from London to Paris."),
        ("A red car hit a blue truck.", "A blue car hit a red truck."),
        ("He fell and then laughed.", "He laughed and then fell."),
        ("ferry times from calais to dover", "ferry times from dover to calais"),
    )
    same = (
        ("Dogs and cats like milk.", "Cats and dogs like milk."),
        ("Anna married Peter.", "Peter married Anna."),
    )

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
        kind = self._kind_of_both(comparison, exchange)
        if kind == "c":  # "won 3-1" and "won 1-3", but not "3, 1 and 2"
            between = first.tokens[exchange.before[-1] + 1 : exchange.after[0]]
            return not between or not _LISTING.issuperset(between)
        kinds_between = self._kinds_between(comparison, exchange)
        relations = {
            first.bases[k]: kind
            for k, kind in zip(exchange.between, kinds_between, strict=True)
            if kind in ("v", "p")
        }
        if self._are_equals(comparison, exchange, relations):
            return False
        if self._is_told(comparison, exchange):
            return True
        if kind == "v":  # "rose in Spain and fell in Italy"
            return "n" in kinds_between
        # "white shirt and black pants"
        are_adjectives = kind == "j" and "n" in kinds_between
        # Nouns behind prepositions, whatever their tags are.
        start = exchange.before[0]
        is_behind_preposition = start > 0 and first.classes[start - 1] == "p"
        are_governed = is_behind_preposition and kinds_between.endswith("p")
        kinds = first.classes_of(exchange.before), first.classes_of(exchange.after)
        have_roles = are_governed or all(map(_BEARERS.search, kinds))
        return have_roles and (are_adjectives or not _JOINING.issuperset(relations))

    def _kinds_between(self, comparison: Comparison, exchange: Exchange) -> str:
        """Return the parts of speech of the words between two phrases.

        A tagger may take a verb for a noun in one of the sentences: "Rebels shell army".
        """
        first = comparison.first
        second = comparison.second
        kinds = first.classes_of(exchange.between)
        ends = exchange.exchanged[0], exchange.exchanged[-1]
        others = [
            k
            for k in second.ordered_places
            if ends[0] < k < ends[1] and k not in exchange.exchanged
        ]
        other_kinds = second.classes_of(others)
        if "v" in other_kinds:
            return other_kinds
        are_other_forms = any(
            first.tokens[i] != second.tokens[j]
            for i, j in zip(exchange.between, others, strict=True)
        )
        return kinds.replace("n", "v") if "n" in kinds and are_other_forms else kinds

    def _are_equals(
        self, comparison: Comparison, exchange: Exchange, relations: dict[str, str]
    ) -> bool:
        """Return whether what is between two phrases relates equals: "near", "married"."""
        first = comparison.first
        # "A bus station near the train museum" has exchanged parts of what is beside.
        is_whole = first.classes[exchange.before[-1] + 1 : exchange.before[-1] + 2] != "n"
        if is_whole and any(first.bases[k] in _BESIDE for k in exchange.between):
            return True
        kinds = first.classes_of(exchange.before), first.classes_of(exchange.after)
        verbs = [base for base, kind in relations.items() if kind == "v"]
        if "say" in verbs and any(map(_VERB.search, kinds)):
            return True
        # "The banker who met her resigned" and "When he spoke, she listened" are of two clauses.
        gap = first.classes[exchange.before[-1] : exchange.after[0]]
        is_one_clause = "," not in gap and "s" not in gap
        is_mutual = is_one_clause and not MUTUAL_RELATIONS.isdisjoint(verbs or first.bases)
        return is_mutual and self._kind_of_both(comparison, exchange) not in _COLUMNS_OF_WORDS

    def _is_told(self, comparison: Comparison, exchange: Exchange) -> bool:
        """Return whether a word tells that the order of two phrases matters."""
        first = comparison.first
        bases = [first.bases[k] for k in exchange.between]
        is_cause = not _CAUSES.isdisjoint(bases)
        is_attribute = self._is_of_another(first, exchange)
        is_sequence = not IN_ORDER.isdisjoint(bases)
        # "If it rains, we stay" and "If we stay, it rains"
        gap = first.classes[exchange.before[-1] : exchange.after[0]]
        is_first_clause = "," in gap and exchange.before[0] <= _MOST_BEFORE
        begins_alike = first.tokens[0] == comparison.second.tokens[0]
        is_condition = is_first_clause and begins_alike and first.tokens[0] in _CAUSES
        return is_cause or is_sequence or is_condition or is_attribute

    def _is_of_another(self, side: Sentence, exchange: Exchange) -> bool:
        """Return whether a word or phrase describes another noun than before.

        "My sister's teacher" and "my teacher's sister", "a noisy neighbor's dog" and "a
        neighbor's noisy dog", "the man from Oslo called her" and "the man called her from Oslo",
        "said on Monday that ..." and "said that ... on Monday".
        """
        before = side.classes_of(exchange.before)
        between = side.classes_of(exchange.between)
        after = side.classes_of(exchange.after)
        if (before, between, after) == ("n", "'", "n"):
            return True
        if between:
            return False
        for phrase, places, passed in (
            (before, exchange.before, after),
            (after, exchange.after, before),
        ):
            if phrase == "j" and ("'" in passed or "n&" in passed) and "n" in passed:
                return True
            is_behind_noun = side.classes[places[0] - 1 : places[0]] == "n" and places[0] > 0
            is_of_noun = phrase[0] == "p" and side.tokens[places[0]] in _OF_NOUNS
            if is_of_noun and is_behind_noun and passed[0] in "vb" and "n" in passed:
                return True
            if phrase[0] in "pt" and "t" in phrase and passed[0] == "s":
                return True
        return False


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

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        have_verbs = pairs.have_aligned_kind("vj") | pairs.both_have_kind("bx")
        may_differ = (pairs.have_aligned_kind("n") & have_verbs) | pairs.have_other_partners()
        if self._are_kept_told:
            return may_differ
        are_close = pairs.n_changed <= MOST_CHANGED
        return may_differ & are_close & (pairs.count_noun_partners() >= 2)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
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
