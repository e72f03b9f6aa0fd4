"""Explanations of scores: matching words, and contributions of features."""

from skpara.explanation._contributions import contributions
from skpara.explanation._explain import explain
from skpara.explanation._explanation import Explanation

# For plots and the command line
from skpara.explanation._novelty import novelty
from skpara.explanation._novelty import parts_of as parts_of

__all__ = ["Explanation", "contributions", "explain", "novelty"]
