"""
How sure is a score?
====================

A predicted score is off by some amount. The errors on held-out pairs say by how much, and an
interval around each prediction contains the true score nine times out of ten.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline, make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
train, test, y_train, y_test = train_test_split(pairs, scores, random_state=0)
model = make_pipeline(
    make_union(ParagramEncoder(max_iter=0), LexicalFeatures("fast")),
    FusionRegressor(random_state=0),
)

# %%
# Nine tenths of the held-out training pairs have errors below this quantile:

errors = np.abs(cross_val_predict(model, train, y_train, cv=5) - y_train)
width = np.quantile(errors, 0.9)
predicted = model.fit(train, y_train).predict(test)
inside = np.abs(predicted - y_test) <= width
print(f"\N{PLUS-MINUS SIGN}{width:.2f} contains {inside.mean():.0%} of the new scores")

# %%
order = np.argsort(predicted)
places = np.arange(len(order))
low, high = np.clip([predicted[order] - width, predicted[order] + width], 0, 5)
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.fill_between(places, low, high, alpha=0.3, label="interval of 90 %")
ax.plot(places, predicted[order], label="predicted")
for mark, color, rows in (("inside", "black", inside), ("outside", "tab:red", ~inside)):
    ax.plot(places[rows[order]], y_test[order][rows[order]], ".", color=color, label=mark)
ax.set(xlabel="new pairs, in the order of the predicted score", ylabel="score")
ax.legend()
plt.show()
