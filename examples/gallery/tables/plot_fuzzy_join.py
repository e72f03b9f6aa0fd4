"""
Three joins of two tables
=========================

Two tables name the same things in different words. :class:`~skpara.TableMatcher` joins them
without training: descriptions by their meaning, names by their spelling, and records by several
columns.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from skpara import TableMatcher

# %%
# Descriptions
# ------------
#
# Customers wrote the items of their orders as they liked. Nothing in the catalogue is like the
# cake: it has no match, and ``reason`` says why.

catalogue = pd.DataFrame(
    {
        "name": [
            "bicycle, red, 28 inch",
            "garden chair, folding, wood",
            "LED desk lamp with dimmer",
            "stainless steel kettle 1.7 l",
            "wireless computer mouse",
            "cordless drill 18 V",
        ],
        "price": [349, 45, 29, 35, 19, 119],
    }
)
orders = pd.DataFrame(
    {
        "item": [
            "red bike 28 inch",
            "foldable wooden chairs for the garden",
            "dimmable lamp for my desk",
            "water kettle (steel)",
            "cordles drill 18V",
            "birthday cake",
        ]
    }
)
TableMatcher().join(orders, catalogue, left_on="item", right_on="name").round(2)

# %%
# Names
# -----
#
# A column of names is compared by characters, and by words that may be abbreviated, mistyped or
# missing. Each match has a probability:

museums = [
    *("Museum of Modern Art, Oslo", "Oslo City Museum", "National Museum of Art, Bergen"),
    *("Maritime Museum Lund", "Natural History Museum of Turku", "Railway Museum (Gothenburg)"),
    *("Malmo Castle", "Viking Ship Museum", "Museum of Science and Technology, Tampere"),
]
visits = [
    *("Oslo Museum of Modern Art", "City Mus. of Oslo", "Natl. Art Museum Bergen"),
    *("Lund Maritime Musuem", "Nat. History Museum, Turku", "Gothenburg Railway Museum"),
    *("Malmo Art Hall", "Toy Museum", "Tampere Science & Technology Museum"),
]
matcher = TableMatcher(threshold=0).fit(museums)
best = matcher.match(visits)
labels = [
    f"{visits[query]}  \N{RIGHTWARDS ARROW}  {museums[candidate]}" for query, candidate, _ in best
]
figure, ax = plt.subplots(figsize=(8, 3.8), layout="constrained")
colors = ["tab:blue" if p >= 0.5 else "tab:gray" for p in best["probability"]]
ax.barh(labels, best["probability"], color=colors)
ax.axvline(0.5, color="tab:red", linestyle="--", linewidth=1)
ax.invert_yaxis()
ax.set_xlabel("probability")
plt.show()

# %%
# The Art Hall is not the Castle: with a probability of 0.6, two in five such matches are wrong.
# Where a wrong match costs more than a missing one, ``precision`` takes the most matches
# whose mean probability is that; ``threshold`` moves the dashed line.

strict = TableMatcher(precision=0.95).fit(museums)
[visits[query] for query in strict.match(visits)["query"]]

# %%
# Records
# -------
#
# Several columns are compared one by one: a date with a wrong digit is near, a missing number says
# nothing. How much each column counts is learned from the two tables. ``explain=True`` says what
# each adds to the log odds of a match.

rng = np.random.default_rng(0)
first, last = "Ada Bo Cy Eva Finn Gro Ida Jon Kai Liv".split(), "Berg Dahl Holm Lund Moe".split()
people = pd.DataFrame(
    {
        "name": [f"{a} {b}" for a in first for b in last],
        "born": [
            f"19{y}-0{m}-1{d}" for y, m, d in rng.integers([30, 1, 0], [99, 10, 10], (50, 3))
        ],
        "postcode": rng.integers(1000, 9999, 50).astype(str),
    }
)
patients = people.iloc[::4].reset_index(drop=True)
patients.loc[0, "name"] = "Berg, Ada"
patients.loc[1, "born"] = patients.loc[1, "born"][:-1] + "9"
patients.loc[2, "postcode"] = None
patients.loc[3] = ["Finn Moe", "1950-01-01", "0001"]  # another one of this name
records = TableMatcher()
joined = records.join(patients, people, on=["name", "born", "postcode"], explain=True)
joined[["name", "name_match", "probability"]].head().round(2)

# %%
# What adds up to the third match, whose postcode is missing. The baseline is what rows of
# these tables have in general, and "whole row" all columns as one text:

reason = joined["reason"][2]
names = ["baseline", *reason.names]
added = np.array([reason.baseline, *reason.contributions])
starts = np.cumsum(added) - added
figure, ax = plt.subplots(figsize=(8, 2.4), layout="constrained")
ax.barh(names, added, left=starts, color=np.where(added > 0, "tab:blue", "tab:orange"))
ax.axvline(0, color="tab:gray", linewidth=1)
ax.invert_yaxis()
ax.set_xlabel(f"log odds that {joined['name'][2]} is {joined['name_match'][2]}")
plt.show()
