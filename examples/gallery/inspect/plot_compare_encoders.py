"""
Compare encoders, with confidence intervals
===========================================

On a few hundred pairs, a difference of .02 in Pearson's r may be chance. Bootstrap intervals
show how precise each figure is. An interval of the difference of two models on the same pairs is
sharper: their errors are alike, so intervals may overlap where the difference is clear.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import bootstrap
from sklearn.feature_extraction.text import TfidfVectorizer

from skpara import ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.metrics import bootstrap_interval, pearson_score

pairs, scores = load_sts_sample(return_X_y=True)
first, second = pairs.T


class TfIdf:
    """The cosine of TF-IDF vectors, as a baseline."""

    def similarity(self, first, second):
        vectorizer = TfidfVectorizer().fit([*first, *second])
        products = vectorizer.transform(first).multiply(vectorizer.transform(second))
        return np.asarray(products.sum(axis=1)).ravel()


encoders = {
    "TF-IDF": TfIdf(),
    "vectors, unknown words ignored": ParagramEncoder(oov="zero"),
    "vectors": ParagramEncoder(),
}
predicted = {name: encoder.similarity(first, second) for name, encoder in encoders.items()}

# %%
r = np.array([pearson_score(scores, values) for values in predicted.values()])
intervals = [bootstrap_interval(scores, values, random_state=0) for values in predicted.values()]
low, high = np.transpose(intervals)
figure, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
ax.errorbar(r, list(predicted), xerr=[r - low, high - r], fmt="o", capsize=4)
ax.set(xlabel="Pearson's r, 95 % interval", ylim=(-0.5, len(r) - 0.5))
ax.invert_yaxis()
plt.show()

# %%
# The intervals of the last two overlap. That of their difference says whether the vectors of
# unknown words help, whichever pairs are drawn.


def difference(scores, a, b):
    return pearson_score(scores, a) - pearson_score(scores, b)


samples = scores, predicted["vectors"], predicted["vectors, unknown words ignored"]
result = bootstrap(samples, difference, paired=True, vectorized=False, random_state=0)
low, high = result.confidence_interval
print(f"{difference(*samples):.3f}, interval {low:.3f} to {high:.3f}")

# %%
# This sample has few pairs, written by one author. :doc:`/results/vectors` compares on real data.
