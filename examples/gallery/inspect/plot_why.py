"""
Why this score?
===============

:func:`~skpara.explain` splits a score into contributions of features, and aligns the
words of the two sentences.
"""

import matplotlib.pyplot as plt

from skpara import make_sts_pipeline
from skpara.datasets import load_sts_sample
from skpara.explanation import explain
from skpara.plots import AlignmentDisplay

sample = load_sts_sample()
model = make_sts_pipeline(random_state=0)
model.fit(sample.data, sample.target, groups=sample.groups)
pair = ("Rebels retake the town from the army.", "The army retakes the town from rebels.")
[explanation] = explain(model, [pair])
explanation

# %%
# As a plot: lines connect the words that match, and bars show the strongest features.

AlignmentDisplay.from_estimator(model, pair)
plt.show()

# %%
# The cosine of two averages is a sum over pairs of words, so that of an encoder is explained
# exactly:

[cosine] = explain(model["features"]["encoder"], [pair])
for name, contribution, _ in cosine.top(5):
    print(f"{contribution:+.3f}  {name}")
