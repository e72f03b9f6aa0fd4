"""The detector of function words that change whether a clause is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import HINT, REASON, Detector, Difference
from skpara.features.contrast._forms import Form
from skpara.features.contrast._lexicon import ADDED_SCOPE, WEAKLY_ADDED_SCOPE
from skpara.features.contrast._scope import Scope
from skpara.features.contrast._sentences import Sentence
from skpara.features.contrast._tokens import Mark

# Words that differ besides those of the scope if it is all that matters.
_MOST_OTHERS = 2
# Words that differ between a question and a statement, such as "did".
_MOST_OF_QUESTIONS = 2
# Values that are others where the clause is negated.
_NEGATED_VALUES = frozenset(["may", "might", "can", "unless"])
# Parts of speech with which a clause ends.
_CLAUSE_ENDS = ".,s"
# Of these, "must not" forbids and "need not" allows.
_DUTIES = frozenset(["must", "have to"])
# Values that may be said of the same.
_AGREEING = (
    {"may", "can"},
    {"may", "might"},
    {"may", "might", "can"},
    {"besides", "including"},
    {"will", "can"},
    {"will", "must"},
    {"will", "have to"},
    {"will", "can", "may"},
)
# Of these, "only if he pays" is "not unless he pays".
_LIMITS = frozenset(["if", "only if", "unless"])


@set_module("skpara.features.contrast")
class Questions(Detector):
    """A question whether something is so, and the statement that it is."""

    name = "questions"
    columns = ("scope_flip",)
    example = ("Is the pool open?", "The pool is open.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.n_changed <= _MOST_OF_QUESTIONS

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        if (first.form is Form.QUESTION) == (second.form is Form.QUESTION):
            return
        question, other = (first, second) if first.form is Form.QUESTION else (second, first)
        # "Could you send it?" asks to send it, and "You paid?" may be a statement.
        is_inverted = question.classes[:1] in ("b", "x") and question.tokens[1:2] != ["you"]
        is_inverted = is_inverted or question.tokens[:2] == ["did", "you"]
        is_said = other.tokens[-1:] == ["."]
        if is_inverted and is_said and not _count_others(comparison, (), ()):
            yield Difference("scope_flip", (0,), (0,))


@set_module("skpara.features.contrast")
class ScopeWords(Detector):
    """A word that changes whether a clause is true: "almost", "only if", "could have"."""

    name = "scope"
    columns = ("scope_flip",)
    example = ("She almost missed the ferry.", "She missed the ferry.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.either_has(Mark.SCOPE) & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        operators = {scope.operator for scope in first.scopes}
        other_operators = {scope.operator for scope in second.scopes}
        partner = comparison.partner
        partner_in_first = comparison.partner_in_first
        only_first = [
            scope
            for scope in first.scopes
            if scope.operator not in other_operators
            and self._is_aligned(comparison, first, second, scope, partner)
        ]
        only_second = [
            scope
            for scope in second.scopes
            if scope.operator not in operators
            and self._is_aligned(comparison, second, first, scope, partner_in_first)
        ]
        yield from self._find_moved(comparison)
        for kind in sorted({scope.operator.kind for scope in only_first + only_second}):
            own = [scope for scope in only_first if scope.operator.kind == kind]
            others = [scope for scope in only_second if scope.operator.kind == kind]
            if own and others:
                weight = self._weigh_replaced(comparison, own, others)
            elif any(operator.kind == kind for operator in operators & other_operators):
                weight = 0.0
            else:
                weight = self._weigh_added(first, second, own) or self._weigh_added(
                    second, first, others
                )
            if not weight:
                continue
            places = [k for scope in own for k in range(scope.start, scope.end)]
            other_places = [k for scope in others for k in range(scope.start, scope.end)]
            if _count_others(comparison, places, other_places) > _MOST_OTHERS:
                weight = HINT
            yield Difference("scope_flip", places, other_places, weight)

    def _find_moved(self, comparison: Comparison) -> Iterator[Difference]:
        """Find "only" in front of another word, where nothing else differs."""
        first = comparison.first
        second = comparison.second
        places = [scope.start for scope in first.scopes if scope.operator.value == "only"]
        others = [scope.start for scope in second.scopes if scope.operator.value == "only"]
        if comparison.n_changed or len(places) != 1 or len(others) != 1:
            return
        following = first.bases[places[0] + 1 : places[0] + 2]
        if following and following != second.bases[others[0] + 1 : others[0] + 2]:
            yield Difference("scope_flip", places, others)

    def _weigh_replaced(
        self, comparison: Comparison, own: list[Scope], others: list[Scope]
    ) -> float:
        """Return the weight of phrases that are others of their kind; 0 if they may agree."""
        values = {scope.operator.value for scope in own + others}
        if values == _DUTIES:
            are_denied = comparison.first.n_negations > 0 and comparison.second.n_negations > 0
            return REASON if are_denied else 0.0
        if values == {"might", "can"}:  # "It cannot be" and "It might not be"
            are_denied = comparison.first.n_negations > 0 and comparison.second.n_negations > 0
            return REASON if are_denied else 0.0
        if "accustomed" in values:
            return REASON
        if "might" in values and comparison.form is Form.QUESTION:
            return 0.0
        # "Almost hid" is "tried to hide", and "can" is "may".
        if values in _AGREEING or not values.isdisjoint(ADDED_SCOPE):
            return 0.0
        # "Only if he pays" is "not unless he pays".
        n_negations = comparison.first.n_negations + comparison.second.n_negations
        is_same_limit = "unless" in values and values <= _LIMITS and n_negations % 2 == 0
        return 0.0 if is_same_limit else REASON

    def _weigh_added(self, side: Sentence, other: Sentence, scopes: list[Scope]) -> float:
        """Return the weight of phrases that only one sentence has; 0 if they do not matter."""
        values = {scope.operator.value for scope in scopes}
        words = {side.bases[scope.start] for scope in scopes if side.classes[scope.start] in "vn"}
        if not words.isdisjoint(other.bases):  # "tried to" and "tried doing"
            return 0.0
        if not values.isdisjoint(ADDED_SCOPE):
            return REASON
        return HINT if not values.isdisjoint(WEAKLY_ADDED_SCOPE) else 0.0

    def _is_aligned(
        self,
        comparison: Comparison,
        side: Sentence,
        other: Sentence,
        scope: Scope,
        partner: dict[int, int],
    ) -> bool:
        """Return whether the clause of a phrase is also in the other sentence."""
        is_word = comparison.lexicon.is_word
        behind = range(scope.end, len(side.tokens))
        governed = next((k for k in behind if is_word[side.ids[k]]), -1)
        if governed < 0:
            return any(k in partner for k in range(scope.start))
        if governed not in partner:
            return False
        # "Must not" is "may not", and "unless he pays" is "if he does not pay".
        if scope.operator.value not in _NEGATED_VALUES:
            return True
        end = next((k for k in behind if side.classes[k] in _CLAUSE_ENDS), len(side.tokens))
        clause = [partner[k] for k in range(governed, end) if k in partner]
        return not any(other.negated[k] for k in clause)


def _count_others(
    comparison: Comparison, places: Sequence[int], other_places: Sequence[int]
) -> int:
    """Count the content words that only one side has, but those at some positions."""
    is_word = comparison.lexicon.is_word
    sides = (
        (comparison.first, comparison.partner, places),
        (comparison.second, comparison.partner_in_first, other_places),
    )
    return sum(
        is_word[i] and k not in partner and k not in known
        for side, partner, known in sides
        for k, i in enumerate(side.ids)
    )
