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

sample = load_sts_sample()
model = make_sts_pipeline(random_state=0)
model.fit(sample.data, sample.target, groups=sample.groups)
pair = ("Rebels retake the town from the army.", "The army retakes the town from rebels.")
[explanation] = explain(model, [pair])
explanation

# %%
# The groups of features as a plot, the strongest first:

groups = explanation.groups(8)
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh([group.title for group in groups], [group.contribution for group in groups])
ax.set_xlabel(f"Added to the baseline, {explanation.baseline:.2f}")
ax.invert_yaxis()
plt.show()

# %%
# The cosine of two averages is a sum over pairs of words, so the cosine of an encoder is
# explained exactly:

[cosine] = explain(model["features"]["encoder"], [pair])
for name, contribution, _ in cosine.top(5):
    print(f"{contribution:+.3f}  {name}")
