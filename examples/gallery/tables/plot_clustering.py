"""
Clustering questions
====================

:class:`~skpara.ParagramVectorizer` turns text into vectors, so any clustering of scikit-learn
and SciPy can group it by meaning. The questions are the first ones of the packaged sample, in
pairs that are more or less alike.
"""

import matplotlib.pyplot as plt
from scipy.cluster.hierarchy import dendrogram, linkage
from sklearn.cluster import AgglomerativeClustering

from skpara import ParagramVectorizer
from skpara.datasets import load_sts_sample

sample = load_sts_sample()
questions = sorted(set(sample.data[sample.groups == "questions"][:18].ravel()))
vectors = ParagramVectorizer().fit_transform(questions)

# %%
# Groups of two or more, whose questions have a mean cosine distance of at most one half:

clustering = AgglomerativeClustering(
    n_clusters=None, distance_threshold=0.5, metric="cosine", linkage="average"
)
labels = clustering.fit_predict(vectors)
for label in range(labels.max() + 1):
    members = [text for text, cluster in zip(questions, labels, strict=True) if cluster == label]
    if len(members) > 1:
        print(*members, sep="\n", end="\n\n")

# %%
# The same as a tree. What is joined left of the line is further apart.

figure, ax = plt.subplots(figsize=(9, 7), layout="constrained")
tree = linkage(vectors, method="average", metric="cosine")
dendrogram(tree, labels=questions, orientation="left", color_threshold=0.5, ax=ax)
ax.axvline(0.5, color="black", linestyle="--", linewidth=1)
ax.tick_params(axis="y", labelsize="small")
ax.set_xlabel("cosine distance")
ax.spines[["top", "left", "right"]].set_visible(False)
plt.show()
