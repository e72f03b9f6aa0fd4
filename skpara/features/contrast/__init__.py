"""Contradictions between sentences that share most of their words.

A :class:`Detector` finds one kind of difference; :class:`Terms` is one for a list of words.
``DETECTORS`` fill the columns of the features "contrast"; ``GUARD_DETECTORS`` find why
:class:`~skpara.Deduplicator` and :class:`~skpara.TableMatcher` keep two sentences apart.
"""

from skpara.features.contrast._alignment import AlignedPairs as AlignedPairs
from skpara.features.contrast._comparison import REASON as REASON
from skpara.features.contrast._comparison import Comparison as Comparison
from skpara.features.contrast._comparison import Detector, Difference
from skpara.features.contrast._comparison import find_differences as find_differences
from skpara.features.contrast._predicates import (
    ExchangedPhrases,
    Negation,
    Opposites,
    Roles,
    Tense,
)
from skpara.features.contrast._terms import TERMS as TERMS
from skpara.features.contrast._terms import ReplacedWords, Terms
from skpara.features.contrast._values import (
    AddedNames,
    ChangedMentions,
    Counts,
    Letters,
    Mentions,
    Signs,
)

__all__ = ["Detector", "Difference", "Terms"]

# The detectors whose differences fill the columns, but roles.
_DETECTORS: tuple[Detector, ...] = (
    Negation(),
    Tense(),
    Opposites(),
    ReplacedWords(),
    ExchangedPhrases(),
    Mentions(),
    ChangedMentions(),
    Counts(),
    Letters(),
    Signs(),
    *TERMS,
)
DETECTORS = (*_DETECTORS, Roles())
# Those of the guard, which has no use for equal roles. The order of reasons follows theirs.
GUARD_DETECTORS = (*_DETECTORS, Roles(are_kept_told=False), AddedNames())
