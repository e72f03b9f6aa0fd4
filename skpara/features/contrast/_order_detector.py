"""The detector of events in another order."""

from __future__ import annotations

from collections.abc import Iterator

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import MOST_CHANGED, Comparison
from skpara.features.contrast._detector import Detector, Difference
from skpara.features.contrast._lexicon import EARLIER_CLAUSES, IN_ORDER, LATER_CLAUSES
from skpara.features.contrast._sentences import Sentence
from skpara.features.contrast._tokens import Mark


@set_module("skpara.features.contrast")
class OrderOfEvents(Detector):
    """Two events of which each sentence tells another one first, and says so."""

    name = "order of events"
    columns = ("roles_swapped",)
    example = ("He fell and then laughed.", "He laughed and then fell.")

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        return pairs.both_have(Mark.SEQUENCE) & (pairs.n_changed <= MOST_CHANGED)

    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        first = comparison.first
        second = comparison.second
        partner = comparison.partner
        if comparison.opposed:  # "before" and "after" are told as such
            return
        verbs = [
            i for i, j in sorted(partner.items()) if first.classes[i] == second.classes[j] == "v"
        ]
        if len(verbs) != 2:  # it is not clear which of three events are related
            return
        others = [partner[i] for i in verbs]
        is_first_earlier = _is_first_earlier(first, *verbs)
        is_other_earlier = _is_first_earlier(second, *sorted(others))
        if is_first_earlier is None or is_other_earlier is None:
            return
        if is_first_earlier == (is_other_earlier == (others[0] < others[1])):
            return
        yield Difference("roles_swapped", verbs, others)


def _is_first_earlier(side: Sentence, verb: int, later_verb: int) -> bool | None:
    """Return whether the first of two verbs is of the earlier event; None if nothing tells."""
    for token in side.tokens[:verb]:  # "After he ate, he slept"
        if token in EARLIER_CLAUSES:
            return True
        if token in LATER_CLAUSES:
            return False
    for token in side.tokens[verb + 1 : later_verb]:
        if token in EARLIER_CLAUSES:
            return False
        if token in LATER_CLAUSES:
            return True
    is_told = any(token in IN_ORDER for token in side.tokens[verb + 1 :])
    return True if is_told else None
