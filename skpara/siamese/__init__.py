"""Networks that read both sentences of a pair and give its score."""

from skpara.siamese._lstm import SiameseLSTMRegressor
from skpara.siamese._regressor import SiameseRegressor

__all__ = ["SiameseLSTMRegressor", "SiameseRegressor"]
