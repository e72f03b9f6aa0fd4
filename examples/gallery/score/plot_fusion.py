"""
Fusion in ten lines
===================

The whole system: a sentence encoder and lexical features, and a regressor that combines them. It
learns from scored pairs of the packaged sample and scores held-out ones.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import train_test_split

from skpara import make_sts_pipeline
from skpara.datasets import load_sts_sample
from skpara.plots import SimilarityDisplay

sample = load_sts_sample()
train, test, y_train, y_test, _, groups = train_test_split(
    sample.data, sample.target, sample.groups, stratify=sample.groups, random_state=0
)
model = make_sts_pipeline(random_state=0).fit(train, y_train)
SimilarityDisplay.from_estimator(model, test, y_test, groups=groups)
plt.show()

# %%
# It is a pipeline of scikit-learn, whose parts can be replaced:

model

# %%
# Any pair can be scored, on the scale of the scores that the model has learned from:

model.predict(
    [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "It rains.")]
)
