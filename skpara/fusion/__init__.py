"""From features to a score: the regressors, and the whole system as one pipeline."""

from skpara.fusion._cosine import CosineRegressor, make_cosine_scorer
from skpara.fusion._pipeline import STSPipeline, make_sts_pipeline
from skpara.fusion._presets import paper_settings
from skpara.fusion._regressor import FusionRegressor

__all__ = [
    "CosineRegressor",
    "FusionRegressor",
    "STSPipeline",
    "make_cosine_scorer",
    "make_sts_pipeline",
    "paper_settings",
]
