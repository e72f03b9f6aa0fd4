"""Regressors and a classifier that turn features into scores, and ready-made pipelines."""

from skpara.fusion._classifier import FusionClassifier
from skpara.fusion._cosine import CosineRegressor, make_cosine_scorer
from skpara.fusion._factories import make_pair_classifier, make_sts_pipeline
from skpara.fusion._packaged import load_pair_classifier
from skpara.fusion._pipeline import PairPipeline
from skpara.fusion._presets import paper_settings
from skpara.fusion._regressor import FusionRegressor

# For the command, and names of model files
from skpara.fusion._thresholds import cut_offs as cut_offs
from skpara.saving import LinearModel as LinearModel
from skpara.saving import TreeEnsemble

__all__ = [
    "CosineRegressor",
    "FusionClassifier",
    "FusionRegressor",
    "PairPipeline",
    "TreeEnsemble",
    "load_pair_classifier",
    "make_cosine_scorer",
    "make_pair_classifier",
    "make_sts_pipeline",
    "paper_settings",
]
STSPipeline = PairPipeline  # in pickles of version 0.2.0
