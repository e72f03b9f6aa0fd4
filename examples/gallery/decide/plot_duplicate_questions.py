"""
Duplicate questions, with a promised precision
==============================================

To merge duplicates without asking anyone, a site needs a rule that is right, say, four times out
of five. A classifier with calibrated probabilities gives that: the threshold follows from the
precision.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_recall_curve
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

from skpara import LexicalFeatures, ParagramEncoder
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
duplicate = scores >= 4
model = make_pipeline(
    make_union(ParagramEncoder(max_iter=0), LexicalFeatures("fast")),
    StandardScaler(),
    CalibratedClassifierCV(LogisticRegression(C=0.01), cv=5),
)

# %%
# Probabilities of held-out pairs, and the lowest threshold with a precision of .8 on these:

probability = cross_val_predict(model, pairs, duplicate, cv=5, method="predict_proba")[:, 1]
precision, recall, thresholds = precision_recall_curve(duplicate, probability)
enough = np.flatnonzero(precision[:-1] >= 0.8)[0]
print(f"threshold {thresholds[enough]:.2f}: recall {recall[enough]:.2f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.plot(recall, precision)
left.plot(recall[enough], precision[enough], "o", color="black")
left.axhline(0.8, color="black", linestyle="--", linewidth=1)
left.set(xlabel="recall", ylabel="precision", ylim=(0, 1.02))
observed, predicted = calibration_curve(duplicate, probability, n_bins=8, strategy="quantile")
right.plot([0, 1], [0, 1], color="lightgray")
right.plot(predicted, observed, "o-")
right.set(xlabel="predicted probability", ylabel="fraction that are duplicates", aspect="equal")
plt.show()

# %%
# Probabilities can be read as they are: of the pairs with .8, about 80 in 100 are duplicates. A
# fitted model of this kind also decides in tables:
# ``SentenceMatcher(model, min_probability=threshold)``.
