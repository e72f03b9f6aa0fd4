"""Networks that predict scores or classes of pairs, and classes of sentences."""

from skpara.siamese._classifier import SiameseClassifier
from skpara.siamese._regressor import SiameseLSTMRegressor, SiameseRegressor
from skpara.siamese._sentence_classifier import SentenceClassifier

__all__ = ["SentenceClassifier", "SiameseClassifier", "SiameseLSTMRegressor", "SiameseRegressor"]
