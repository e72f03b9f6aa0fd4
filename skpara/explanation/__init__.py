"""Why a pair got its score: the words that matched and the features that moved it."""

from skpara.explanation._contributions import contributions
from skpara.explanation._explain import explain
from skpara.explanation._explanation import Explanation, FeatureGroup, Match, Word
from skpara.explanation._novelty import novelty
from skpara.explanation._novelty import parts_of as parts_of

__all__ = ["Explanation", "FeatureGroup", "Match", "Word", "contributions", "explain", "novelty"]
