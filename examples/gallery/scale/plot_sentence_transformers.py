"""
Export to sentence-transformers
===============================

An encoder that averages word vectors becomes a ``StaticEmbedding`` of sentence-transformers, to be
used in whatever takes such a model: its search and evaluation, BERTopic, vector databases. There,
all words have the same weight, so the encoder is one with the plain mean.
"""

import matplotlib.pyplot as plt
from sentence_transformers import util

from skpara import ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.networks import Average

pairs, scores = load_sts_sample(return_X_y=True)
first, second = pairs[:, 0].tolist(), pairs[:, 1].tolist()
encoder = ParagramEncoder(Average(redundancy=0), random_state=0).fit(pairs, scores)

# %%
# The exported model has a row for each word of the table, and for the words of ``vocabulary``.
# Other words have no vector there, while skpara computes one from the spelling.

model = encoder.to_sentence_transformer(vocabulary=[*first, *second])
model

# %%
# Its functions now work with these vectors:

hits = util.semantic_search(
    model.encode(["Someone is making music."]), model.encode(second), top_k=3
)
[(second[hit["corpus_id"]], round(hit["score"], 2)) for hit in hits[0]]

# %%
# The cosines are the same, also of sentences whose words are all in the vocabulary:

exported = util.pairwise_cos_sim(model.encode(first), model.encode(second))
figure, ax = plt.subplots(figsize=(4.2, 4), layout="constrained")
ax.scatter(encoder.similarity(first, second), exported, s=6)
ax.set(xlabel="cosine in skpara", ylabel="cosine in sentence-transformers", aspect="equal")
plt.show()
