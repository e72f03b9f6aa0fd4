"""
Deduplicate a column
====================

Answers to an open question repeat each other in other words.
:class:`~skpara.Deduplicator` groups them.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from skpara import Deduplicator, ParagramEncoder

answers = pd.DataFrame(
    {
        "answer": [
            "The delivery took too long.",
            "Great service, very friendly staff!",
            "Shipping was much too slow.",
            "I could not find the search box.",
            "The staff were friendly and helpful.",
            "Too expensive.",
            "Delivery took far too long!",
            "The prices are too high.",
            "The website crashes on my phone.",
            "Very slow delivery.",
            "Friendly staff and great service.",
            "Prices are much too high",
            "Your site keeps crashing on my mobile phone.",
            "More colours, please.",
        ]
    }
)
deduplicator = Deduplicator(threshold=0.7, min_cosine=0.3).fit(answers)
answers.assign(group=deduplicator.labels_).sort_values("group", kind="stable")

# %%
# One row of each group is kept, which the others resemble: all pairs of a group have a cosine of
# at least the threshold. The default, 0.9, is for large tables, where more sentences are alike by
# chance. For these few answers, 0.7 finds more.

deduplicator.drop_duplicates(answers)

# %%
# The threshold decides. ``borderline`` shows the pairs that are closest to it, which are the
# ones to look at, and those that a guard keeps apart, such as "too slow" and "not slow", with the
# reason. ``labels`` groups by another threshold without another ``fit``:

for first, second, score in deduplicator.borderline(width=0.1)[["first", "second", "score"]]:
    print(f"{score:.2f}  {answers['answer'][first]}  {answers['answer'][second]}")

# %%
# All cosines, in the order of the groups:

order = np.argsort(deduplicator.labels_, kind="stable")
vectors = ParagramEncoder().encode(answers["answer"])
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
left.imshow((vectors @ vectors.T)[np.ix_(order, order)], cmap="Blues", vmin=0, vmax=1)
left.set_yticks(range(len(answers)), answers["answer"][order], fontsize="small")
left.set_xticks([])
thresholds = np.linspace(0.3, 1, 71)
counts = [deduplicator.labels(threshold).max() + 1 for threshold in thresholds]
right.plot(thresholds, counts)
right.axvline(deduplicator.threshold, color="black", linestyle="--", linewidth=1)
right.set(xlabel="threshold", ylabel="groups")
plt.show()
