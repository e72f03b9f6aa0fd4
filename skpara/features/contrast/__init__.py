"""Contradictions between sentences that share most of their words.

Detectors find kinds of differences. ``DETECTORS`` fill the columns of the features "contrast";
``GUARD_DETECTORS``, with three more, tell why :class:`~skpara.Deduplicator` and
:class:`~skpara.TableMatcher` keep two sentences apart.
"""

from skpara.features.contrast._alignment import AlignedPairs as AlignedPairs
from skpara.features.contrast._columns import FAMILY as FAMILY
from skpara.features.contrast._comparison import Comparison as Comparison
from skpara.features.contrast._detector import REASON as REASON
from skpara.features.contrast._detector import Detector, Difference
from skpara.features.contrast._detector import find_differences as find_differences
from skpara.features.contrast._detectors import DETECTORS, GUARD_DETECTORS
from skpara.features.contrast._lexicon import MEASURES as MEASURES

__all__ = ["DETECTORS", "GUARD_DETECTORS", "Detector", "Difference"]
