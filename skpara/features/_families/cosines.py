"""Cosines of the counts of words and of character n-grams, and of combined word vectors."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import cosines, vector_cosines

# Lengths of character n-grams: those usual for words, and those that Charagram chose.
_RANGES = (3, 5), (2, 4)


def compute_counts(batch: PairBatch) -> Floats:
    """Compute cosines of counts: in [0, 1], symmetric, and 0 where a side is empty.

    cosine
        Of the counts of words, without punctuation marks.
    cosine_icf
        Of damped counts times inverse document frequency, which is counted in fit and so belongs
        to the domain. This is a reading: "icf" may also be meant to invert the frequency in the
        collection, which counts every occurrence.
    cosine_icf_char, cosine_icf_char_2_4
        The same over character 3- to 5-grams inside words, and over 2- to 4-grams.
    """
    bags, chars, sides = batch.bags, batch.bags.chars, batch.sides
    idf = batch.knowledge.document_frequencies["char"].idf_of_ngrams(chars)
    ranges = [idf * ((chars.lengths >= low) & (chars.lengths <= high)) for low, high in _RANGES]
    return np.concatenate(
        [
            cosines(bags.ids, sides, np.ones((1, len(bags.words))), damped=False),
            cosines(bags.ids, sides, batch.word_idf[None]),
            cosines(chars.ids, sides, np.array(ranges)),
        ]
    ).T


def compute_vectors(batch: PairBatch) -> Floats:
    """Compute cosines of combined word vectors, in [-1, 1] and symmetric; 0 where a side has none.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products. This is a reading of the name: the paper describes the
        feature only as a similarity by Word2Vec.
    """
    ids, matrix, sides = batch.bags.ids, batch.word_vectors, batch.sides
    weights = np.array([np.ones(len(matrix)), np.maximum(batch.information, 0.0)])
    # Rows of zeros (unknown words) would make every product zero.
    known = ids.only(batch.word_norms > 0)
    sums, products = (
        vector_cosines(ids, sides, matrix, weights),
        vector_cosines(known, sides, matrix),
    )
    return np.concatenate([sums, products]).T


def compute_tagged(batch: PairBatch) -> Floats:
    """Compute cosines like sum_w2v, over TakeLab's words with some tags.

    These are readings of names: "nn" and "vb" stand for the tags that start with NN and VB.

    nn_w2v
        Of the nouns, including proper nouns.
    vb_w2v
        Of the verbs, including "be" and "have" but not modal verbs.
    """
    tagged = batch.tagged
    weights = np.array([[tag == pos for tag in tagged.tags] for pos in ("NN", "VB")], dtype=float)
    return vector_cosines(tagged.ids, batch.takelab.sides, batch.tagged_vectors, weights).T


COUNTS = Family(
    "counts",
    ("cosine", "cosine_icf", "cosine_icf_char", "cosine_icf_char_2_4"),
    compute_counts,
    needs={"document_frequencies"},
)
VECTORS = Family(
    "vectors",
    ("sum_w2v", "weighted_dist_sim", "product_w2v"),
    compute_vectors,
    needs={"frequencies", "vectors"},
)
TAGGED = Family(
    "tagged_vectors", ("nn_w2v", "vb_w2v"), compute_tagged, needs={"vectors", "tagger"}
)
