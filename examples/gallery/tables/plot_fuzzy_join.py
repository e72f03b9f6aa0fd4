"""
Fuzzy join of two tables
========================

Two tables name the same things in different words. :class:`~skpara.TableMatcher` joins
them by the meaning of a column, and by its spelling, without training.
"""

import matplotlib.pyplot as plt
import pandas as pd

from skpara import TableMatcher

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
matcher = TableMatcher()
joined = matcher.join(orders, catalogue, left_on="item", right_on="name")
joined[["item", "name", "probability", "price"]].round(2)

# %%
# The last order has no match: the probability of its best candidate is below ``min_probability``,
# 0.5 by default. Look at the best candidate of each row, and below which probability they are
# wrong:

items, names = orders["item"].tolist(), catalogue["name"].tolist()
best = TableMatcher(min_probability=0).fit(names).match(items)
labels = [
    f"{items[query]}  \N{RIGHTWARDS ARROW}  {names[candidate]}"
    for query, candidate in zip(best["query"], best["candidate"], strict=True)
]
figure, ax = plt.subplots(figsize=(8, 3.8), layout="constrained")
colors = ["tab:blue" if p >= 0.5 else "tab:gray" for p in best["probability"]]
ax.barh(labels, best["probability"], color=colors)
ax.axvline(0.5, color="black", linestyle="--", linewidth=1)
ax.invert_yaxis()
ax.set_xlabel("probability of the best candidate")
plt.show()
