"""Contradictions between sentences that share most of their words.

A :class:`Detector` finds one kind of difference; :class:`Terms` is one for a list of words.
``DETECTORS`` fill the columns of the features "contrast"; ``GUARD_DETECTORS`` tell why
:class:`~skpara.Deduplicator` and :class:`~skpara.TableMatcher` keep two sentences apart.
"""

from skpara.features.contrast._alignment import AlignedPairs as AlignedPairs
from skpara.features.contrast._columns import DETECTORS as DETECTORS
from skpara.features.contrast._columns import FAMILY as FAMILY
from skpara.features.contrast._columns import GUARD_DETECTORS as GUARD_DETECTORS
from skpara.features.contrast._comparison import Comparison as Comparison
from skpara.features.contrast._detector import REASON as REASON
from skpara.features.contrast._detector import Detector, Difference
from skpara.features.contrast._detector import find_differences as find_differences
from skpara.features.contrast._terms import TERMS as TERMS
from skpara.features.contrast._terms import Terms

__all__ = ["Detector", "Difference", "Terms"]
