"""The detector of function words that change whether a clause is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._detector import HINT, REASON, Detector, Difference
from skpara.features.contrast._lexicon import ADDED_SCOPE, WEAKLY_ADDED_SCOPE
from skpara.features.contrast._tokens import Mark

if TYPE_CHECKING:
    from skpara.features.contrast._alignment import AlignedPairs
    from skpara.features.contrast._comparison import Comparison
    from skpara.features.contrast._scope import Scope
    from skpara.features.contrast._sentences import Sentence

# Words that differ, those of the scope among them, if it may matter.
_MOST_CHANGED = 6
# Words that differ besides those of the scope if it is all that matters.
_MOST_OTHERS = 2
# Values that are others where the clause is negated.
_NEGATED_VALUES = frozenset(["must", "may", "can", "unless"])
# Parts of speech with which a clause ends.
_CLAUSE_ENDS = ".,s"
# Values that permit.
_PERMITTING = frozenset(["may", "can"])


@set_module("skpara.features.contrast")
class ScopeWords(Detector):
    """A word that changes whether a clause is true: "almost", "only if", "could have"."""

    name = "scope"
    columns = ("scope_flip",)
    example = ("She almost missed the ferry.", "She missed the ferry.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        has_few = (pairs.n_changed > 0) & (pairs.n_changed <= _MOST_CHANGED)
        return pairs.either_has(Mark.SCOPE) & has_few

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
        for kind in sorted({scope.operator.kind for scope in only_first + only_second}):
            own = [scope for scope in only_first if scope.operator.kind == kind]
            others = [scope for scope in only_second if scope.operator.kind == kind]
            values = {scope.operator.value for scope in own + others}
            is_reason = bool(own and others)
            # "Almost hid" is "tried to hide", and "can" is "may".
            if is_reason and (values == _PERMITTING or not values.isdisjoint(ADDED_SCOPE)):
                continue
            if not is_reason:
                is_known = any(operator.kind == kind for operator in operators & other_operators)
                if is_known or values.isdisjoint(ADDED_SCOPE | WEAKLY_ADDED_SCOPE):
                    continue
                is_reason = not values.isdisjoint(ADDED_SCOPE)
            places = [k for scope in own for k in range(scope.start, scope.end)]
            other_places = [k for scope in others for k in range(scope.start, scope.end)]
            n_others = comparison.n_changed - len(places) - len(other_places)
            weight = REASON if is_reason and n_others <= _MOST_OTHERS else HINT
            yield Difference("scope_flip", places, other_places, weight)

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
