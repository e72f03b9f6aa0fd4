"""
How sure is a score?
====================

A predicted score is off by some amount. With ``intervals=True``, the model measures its errors on
held-out pairs, and ``predict_interval`` returns intervals that contain the true score nine times
out of ten.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from skpara import make_sts_pipeline
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
train, test, y_train, y_test = train_test_split(pairs, scores, random_state=0)
model = make_sts_pipeline(intervals=True, random_state=0).fit(train, y_train)
predicted = model.predict(test)
low, high = model.predict_interval(test, coverage=0.9).T
inside = (low <= y_test) & (y_test <= high)
print(f"{inside.mean():.0%} of the new scores are inside")

# %%
# All intervals have the same width, except near the ends of the range of the scores.

order = np.argsort(predicted)
places = np.arange(len(order))
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.fill_between(places, low[order], high[order], alpha=0.3, label="interval of 90 %")
ax.plot(places, predicted[order], label="predicted")
for mark, color, rows in (("inside", "black", inside), ("outside", "tab:red", ~inside)):
    ax.plot(places[rows[order]], y_test[order][rows[order]], ".", color=color, label=mark)
ax.set(xlabel="new pairs, in the order of the predicted score", ylabel="score")
ax.legend()
plt.show()
