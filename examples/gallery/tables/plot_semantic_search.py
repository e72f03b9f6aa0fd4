"""
Semantic search
===============

Which sentences of a collection mean something close to a query? The collection here has the 1,280
sentences of the packaged sample. A query shares few words with its results.
"""

from textwrap import shorten

import matplotlib.pyplot as plt

from skpara import TableMatcher
from skpara.datasets import load_sts_sample

sentences = sorted(set(load_sts_sample().data.ravel()))
queries = ["Someone is making music.", "My computer is slow.", "The team won."]

# %%
# ``fit`` computes vectors of the sentences, ``match`` the best of them for each query.

matcher = TableMatcher(top_k=5, threshold=0).fit(sentences)
matches = matcher.match(queries)
matches[:3]

# %%
figure, axes = plt.subplots(len(queries), 1, figsize=(8, 6), sharex=True, layout="constrained")
for row, (query, ax) in enumerate(zip(queries, axes, strict=True)):
    best = matches[matches["query"] == row]
    ax.barh(range(len(best)), best["probability"], color="tab:blue", alpha=0.4)
    for place, candidate in enumerate(best["candidate"]):
        ax.text(0.01, place, shorten(sentences[candidate], 75), va="center")
    ax.invert_yaxis()
    ax.set_yticks([])
    ax.set_title(query, loc="left")
axes[-1].set(xlabel="probability of the same meaning", xlim=(0, 1))
plt.show()

# %%
# For a better order, fit :func:`~skpara.make_pair_classifier` to pairs like yours:
# ``TableMatcher(5, model=model)`` finds candidates by their vectors and lets the model score
# them.
