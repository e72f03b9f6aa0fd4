"""
Out of core, with Dask
======================

``skpara.dask`` encodes and scores tables that are larger than the memory. They are read,
scored and written partition by partition, by threads here, by the machines of a cluster
elsewhere.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import dask
import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline, make_union

import skpara.dask
from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
model = make_pipeline(
    make_union(ParagramEncoder(max_iter=0), LexicalFeatures("fast")),
    FusionRegressor(random_state=0),
).fit(pairs, scores)

# %%
# Twelve files of 1,000 pairs each stand for a large table. Most of the pairs are made at random,
# so that few are alike.

folder = TemporaryDirectory()
rng = np.random.default_rng(0)
for number in range(12):
    table = pairs[rng.integers(0, len(pairs), 1000)].copy()
    table[: 80 * number, 1] = rng.permutation(table[: 80 * number, 1])
    frame = pd.DataFrame(table, columns=["sentence1", "sentence2"])
    frame.to_csv(f"{folder.name}/{number:02d}.csv", index=False)

# %%
# Nothing is read until the results are written. Each file is one partition.

table = dd.read_csv(f"{folder.name}/*.csv", dtype=object)
predicted = skpara.dask.predict(model, table).to_frame("score")
Path(folder.name, "scores").mkdir()
with dask.config.set(scheduler="threads", num_workers=2):
    # The numbers make the names sort like the partitions.
    predicted.to_csv(f"{folder.name}/scores/*.csv", name_function=lambda i: f"{i:02d}")
files = sorted(Path(folder.name, "scores").iterdir())
[path.name for path in files[:3]]

# %%
# The scores of each file, read again:

scores = [pd.read_csv(path)["score"] for path in files]
folder.cleanup()
figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
ax.boxplot(scores, flierprops={"markersize": 2})
ax.set(xlabel="file", ylabel="predicted score")
plt.show()
