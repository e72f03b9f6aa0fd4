"""
Fuzzy join of two tables
========================

Two tables name the same things in different words. :class:`~skpara.SentenceMatcher` joins
them by the meaning of a column, and by its spelling, without training.
"""

import matplotlib.pyplot as plt
import pandas as pd

from skpara import SentenceMatcher

catalogue = pd.DataFrame(
    {
        "name": [
            "bicycle, red, 28 inch",
            "garden chair, folding, wood",
            "LED desk lamp with dimmer",
            "stainless steel kettle 1.7 l",
            "children's raincoat, yellow",
            "wireless computer mouse",
            "cotton bath towel, large",
            "cordless drill 18 V",
        ],
        "price": [349, 45, 29, 35, 25, 19, 15, 119],
    }
)
orders = pd.DataFrame(
    {
        "item": [
            "red bike 28 inch",
            "foldable wooden chairs for the garden",
            "dimmable lamp for my desk",
            "water kettle (steel)",
            "yellow rain jacket for kids",
            "mouse for PC, no cable",
            "big towel",
            "cordles drill 18V",
            "birthday cake",
        ]
    }
)
matcher = SentenceMatcher()
joined = matcher.join(orders, catalogue, on=("item", "name"))
joined[["item", "name", "score", "price"]].round(2)

# %%
# The last order has no match: its best score is below ``min_score``, 0.6 by default. To choose
# this bound, look at the best score of each row, and below which one they are wrong:

items, names = orders["item"].tolist(), catalogue["name"].tolist()
best = SentenceMatcher(min_score=None).fit(names).match(items)
labels = [
    f"{items[query]}  \N{RIGHTWARDS ARROW}  {names[candidate]}"
    for query, candidate in zip(best["query"], best["candidate"], strict=True)
]
figure, ax = plt.subplots(figsize=(8, 3.8), layout="constrained")
colors = ["tab:blue" if score >= 0.6 else "tab:gray" for score in best["score"]]
ax.barh(labels, best["score"], color=colors)
ax.axvline(0.6, color="black", linestyle="--", linewidth=1)
ax.invert_yaxis()
ax.set_xlabel("score of the best match")
plt.show()
