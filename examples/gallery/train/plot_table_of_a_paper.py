"""
A table of a paper in a minute
==============================

Hokamp and Arora (2016) compare raw word vectors, vectors tuned on the scored pairs of the task,
and a fusion of both with lexical features. Here is their second table in small: the packaged
pairs, of which one half is learned from, and the other one is scored. Nothing is downloaded.
``examples/papers/dcu_semaniacs_2016.py`` does the same with the data of SemEval.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder, make_sts_pipeline
from skpara.datasets import load_sts_sample
from skpara.fusion import CosineRegressor
from skpara.metrics import pearson_score

sample = load_sts_sample()
pairs, test, scores, gold, _, kinds = train_test_split(
    sample.data,
    sample.target,
    sample.groups,
    test_size=0.5,
    stratify=sample.groups,
    random_state=0,
)

# %%
# The raw vectors are a plain average that is not trained. Task-internal tuning learns from the
# pairs with a high score. The encoder of the fusion is tuned within folds, so that the boosted
# trees see it as it will be on new pairs.


def encoder(**parameters):
    return ParagramEncoder(output="similarity", random_state=0, **parameters)


systems = {
    "raw vectors": make_pipeline(encoder(max_iter=0), CosineRegressor()),
    "task-internal": make_pipeline(encoder(), CosineRegressor()),
    "fusion": make_sts_pipeline(random_state=0),
}
table = pd.DataFrame(index=[*sorted(set(kinds)), "all"])
for name, system in systems.items():
    found = system.fit(pairs, scores).predict(test)
    table[name] = [
        *(pearson_score(gold[kinds == kind], found[kinds == kind]) for kind in table.index[:-1]),
        pearson_score(gold, found),
    ]
table.round(3)

# %%
# Pearson's r, by kind of text. As in the paper the fusion is best on most kinds, and tuning on few
# scored pairs changes little.

fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
table.plot.bar(ax=ax, ylabel="Pearson's r", rot=0, width=0.75)
ax.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
plt.show()

# %%
# The networks of the later papers train on a GPU if there is one, and else on the CPU:
# ``device="auto"`` is the default. They need torch: ``pip install "skpara[networks]"``.

network = ParagramEncoder("gran", max_iter=2, batch_size=100, device="auto", random_state=0)
network.fit(pairs, scores)
round(pearson_score(gold, network.similarity(test[:, 0], test[:, 1])), 3)
