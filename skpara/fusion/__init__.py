"""Features into a score: the regressor on top, and the whole system as one pipeline."""

from skpara.fusion._linear import LinearPart
from skpara.fusion._pipeline import STSPipeline, make_sts_pipeline
from skpara.fusion._regressor import FusionRegressor

__all__ = ["FusionRegressor", "LinearPart", "STSPipeline", "make_sts_pipeline"]
