"""From features to a score: the regressor, and the whole system as one pipeline."""

from skpara.fusion._pipeline import STSPipeline, make_sts_pipeline
from skpara.fusion._presets import paper_settings
from skpara.fusion._regressor import FusionRegressor

__all__ = ["FusionRegressor", "STSPipeline", "make_sts_pipeline", "paper_settings"]
