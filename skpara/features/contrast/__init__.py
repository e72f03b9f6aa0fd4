"""Contradictions between sentences that share most of their words.

A :class:`Detector` finds one kind of difference. ``DETECTORS`` fill the columns of the features
"contrast"; ``GUARD_DETECTORS`` tell why :class:`~skpara.Deduplicator` and
:class:`~skpara.TableMatcher` keep two sentences apart.
"""

from skpara.features.contrast._alignment import AlignedPairs as AlignedPairs
from skpara.features.contrast._columns import FAMILY as FAMILY
from skpara.features.contrast._comparison import Comparison as Comparison
from skpara.features.contrast._detector import REASON as REASON
from skpara.features.contrast._detector import Detector, Difference
from skpara.features.contrast._detector import find_differences as find_differences

# Also for pickles, which name classes by this module.
from skpara.features.contrast._detectors import DETECTORS as DETECTORS
from skpara.features.contrast._guard_detectors import GUARD_DETECTORS as GUARD_DETECTORS
from skpara.features.contrast._guard_detectors import AddedNames as AddedNames
from skpara.features.contrast._guard_detectors import ExchangedRoles as ExchangedRoles
from skpara.features.contrast._lexicon import MEASURES as MEASURES
from skpara.features.contrast._mention_detectors import ChangedMentions as ChangedMentions
from skpara.features.contrast._mention_detectors import Mentions as Mentions
from skpara.features.contrast._negation_detector import Negation as Negation
from skpara.features.contrast._number_detectors import Counts as Counts
from skpara.features.contrast._number_detectors import Frequencies as Frequencies
from skpara.features.contrast._number_detectors import Letters as Letters
from skpara.features.contrast._number_detectors import LongerNames as LongerNames
from skpara.features.contrast._number_detectors import NumbersAndYears as NumbersAndYears
from skpara.features.contrast._number_detectors import (
    PrepositionsOfAmounts as PrepositionsOfAmounts,
)
from skpara.features.contrast._number_detectors import Signs as Signs
from skpara.features.contrast._order_detector import OrderOfEvents as OrderOfEvents
from skpara.features.contrast._part_detectors import LesserOffices as LesserOffices
from skpara.features.contrast._part_detectors import Parts as Parts
from skpara.features.contrast._part_detectors import Privatives as Privatives
from skpara.features.contrast._role_detectors import ExchangedPhrases as ExchangedPhrases
from skpara.features.contrast._role_detectors import Roles as Roles
from skpara.features.contrast._scope_detector import Questions as Questions
from skpara.features.contrast._scope_detector import ScopeWords as ScopeWords
from skpara.features.contrast._word_detectors import ExclusiveTerms as ExclusiveTerms
from skpara.features.contrast._word_detectors import OppositePhrases as OppositePhrases
from skpara.features.contrast._word_detectors import Opposites as Opposites
from skpara.features.contrast._word_detectors import OtherParticles as OtherParticles
from skpara.features.contrast._word_detectors import ReplacedWords as ReplacedWords
from skpara.features.contrast._word_detectors import Tense as Tense

__all__ = ["Detector", "Difference"]
