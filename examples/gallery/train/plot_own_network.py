"""
A network of your own
=====================

A network has two parts: an object with the parameters, and the torch module that it builds. This
one weights each word by a learned function of its vector, and takes the weighted mean.
"""

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn

from skpara import ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.learning import Adam
from skpara.networks import Network, SentenceModule
from skpara.text import tokenize


class AttentionModule(SentenceModule):
    def __init__(self, n_dims):
        super().__init__()
        self.n_dims_out = n_dims
        self.weight = nn.Parameter(torch.zeros(n_dims))  # zero: all words weigh the same

    def sentence_vectors(self, rows, ids, offsets, lengths):
        """Return one vector for each sentence.

        ``rows`` are the vectors of the distinct words, ``ids`` the rows of the words of all
        sentences one after the other; ``lengths`` has the number of words of each sentence.
        """
        weights = torch.exp(rows @ self.weight)[ids]
        sentence = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        sums = rows.new_zeros(len(lengths), rows.shape[1])
        sums = sums.index_add(0, sentence, weights[:, None] * rows[ids])
        totals = rows.new_zeros(len(lengths)).index_add(0, sentence, weights)
        return sums / totals.clamp(min=1e-9)[:, None]


class Attention(Network):
    def make_module(self, n_dims, rng):
        return AttentionModule(n_dims)


# %%
# It is trained, cloned, searched and saved like the networks of the package. Callbacks, early
# stopping and dropout work, too.

pairs, scores = load_sts_sample(return_X_y=True)
encoder = ParagramEncoder(
    Attention(word_dropout=0.1), optimizer=Adam(0.005), max_iter=10, random_state=0
)
encoder.fit(pairs, scores)

# %%
# The words that it gives the smallest and the largest weights, of the hundred most frequent ones:

counts = Counter(word for text in pairs.ravel() for word in tokenize(text))
words = np.array([word for word, _ in counts.most_common(100)])
weights = np.exp(encoder.vectors_.lookup(words.tolist()) @ encoder.weights_["weight"])
order = np.argsort(weights)
order = np.r_[order[:10], order[-10:]]
figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
ax.barh(words[order], weights[order])
ax.axvline(1, color="black", linestyle="--", linewidth=1)
ax.set_xlabel("weight (1 before training)")
plt.show()
