"""
Duplicate questions, with a target precision
============================================

To merge duplicates without asking anyone, a site needs a rule that is right, say, four times out
of five. A classifier with calibrated probabilities gives that: the threshold follows from the
precision.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import calibration_curve
from sklearn.metrics import precision_recall_curve, precision_score, recall_score
from sklearn.model_selection import train_test_split

from skpara import make_pair_classifier
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
train, test, y_train, y_test = train_test_split(pairs, scores >= 3, random_state=0)
model = make_pair_classifier(random_state=0).fit(train, y_train)

# %%
# The threshold comes from held-out folds of the training pairs. On new pairs it has about the same
# precision, up to chance: there are few of them here.

threshold = model.threshold(precision=0.8)
probability = model.predict_proba(test)[:, 1]
merged = probability >= threshold
precision, recall = precision_score(y_test, merged), recall_score(y_test, merged)
print(f"threshold {threshold:.2f}: precision {precision:.2f}, recall {recall:.2f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
precisions, recalls, _ = precision_recall_curve(y_test, probability)
left.plot(recalls, precisions)
left.plot(recall, precision, "o", color="black")
left.axhline(0.8, color="black", linestyle="--", linewidth=1)
left.set(xlabel="recall", ylabel="precision", ylim=(0, 1.02))
observed, predicted = calibration_curve(y_test, probability, n_bins=5, strategy="quantile")
right.plot([0, 1], [0, 1], color="lightgray")
right.plot(predicted, observed, "o-")
right.set(xlabel="predicted probability", ylabel="fraction that are duplicates", aspect="equal")
plt.show()

# %%
# Probabilities can be read as they are: of the pairs with .8, about 80 in 100 are duplicates. The
# model also decides in tables: ``TableMatcher(model=model, threshold=threshold)`` and
# ``Deduplicator(threshold, model=model)``.
