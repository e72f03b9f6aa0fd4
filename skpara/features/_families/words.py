"""Words, lemmas and n-grams that two sentences share, cosines of counts and vectors, lengths."""

from __future__ import annotations

import numpy as np

from skpara._core import Ragged
from skpara._typing import Floats
from skpara.features._bags import CHAR_SIZES
from skpara.features._batch import Family, PairBatch
from skpara.features._families.vocabulary import VOCABULARY
from skpara.features._kernels import (
    Ids,
    Sides,
    cosines,
    harmonic_mean,
    ratio,
    shared_ngrams,
    shared_weights,
    vector_cosines,
)

_SIZES = (1, 2, 3)
# Lengths of character n-grams: those usual for words, and those that Charagram chose.
_RANGES = (3, 5), (2, 4)
_TINY = 1e-5  # as in TakeLab; two empty sides have a difference of 0
DETERMINERS: frozenset[str] = frozenset(VOCABULARY["determiners"])
NEGATIONS: frozenset[str] = frozenset(VOCABULARY["negations"])


def compute_words(batch: PairBatch) -> Floats:
    """Compare word n-grams.

    n_gram_match_lc_1, n_gram_match_lc_2, n_gram_match_lc_3
        F of shared n-grams of content words; 1 if a side has none [1].
    n_gram_match_1, n_gram_match_2, n_gram_match_3
        The same with all words [1].
    """
    takelab = batch.takelab
    kinds = takelab.content_word_ids, takelab.word_ids
    return np.concatenate([_ngram_matches(ids, takelab.sides) for ids in kinds]).T


def _ngram_matches(lists: Ragged, sides: Sides) -> Floats:
    # It is 1 where a side has no n-gram, as TakeLab defines it.
    return shared_ngrams(lists, sides, len(_SIZES))[1]


def compute_chars(batch: PairBatch) -> Floats:
    """Compare character n-grams within words, with the spaces around them.

    char_n_gram_match_2, char_n_gram_match_3, char_n_gram_match_4, char_n_gram_match_5
        Dice coefficient of the n-grams [3]. A shorter word counts as a whole.
    """
    chars = batch.bags.chars
    return weighted_match(chars.ids, batch.sides, chars.of_size).T


def weighted_match(lists: Ragged, sides: Sides, weights: Floats) -> Floats:
    """Compute F of the weights of the shared items; 0 where no weight is shared.

    An item that occurs twice on both sides is shared twice.
    """
    return shared_weights(lists, sides, weights)[3]


def compute_match(batch: PairBatch) -> Floats:
    """Compare the information in words.

    weight_word_match_olc
        F of the information in shared words [1].
    """
    takelab = batch.takelab
    weights = np.maximum(batch.takelab_information, 0.0)  # unknown words weigh nothing
    return weighted_match(takelab.word_ids, takelab.sides, weights[None]).T


def compute_overlap(batch: PairBatch) -> Floats:
    """Compare sets of words, including numbers.

    word_jaccard
        Distinct shared words / distinct words of either side [3].
    word_containment
        Distinct shared words / distinct words of the side with fewer [3].
    """
    words = batch.bags.distinct[0]
    left, right = (words.lengths[side] for side in batch.sides)
    [shared], _ = shared_ngrams(words, batch.sides, 1)
    return np.array(
        [ratio(shared, left + right - shared), ratio(shared, np.minimum(left, right))]
    ).T


def compute_counts(batch: PairBatch) -> Floats:
    """Compare counts of words, without punctuation.

    cosine
        Cosine of the counts of words [2].
    cosine_icf
        Cosine of (1 + ln count) times document weight [2]. "icf" may also mean the frequency in
        the collection, which counts every occurrence.
    cosine_icf_char, cosine_icf_char_2_4
        The same for character 3- to 5-grams within words, and for 2- to 4-grams.
    """
    bags = batch.bags
    chars = batch.bags.chars
    sides = batch.sides
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
    """Compare combinations of word vectors; values range from -1 to 1.

    sum_w2v
        Cosine of the sums of the vectors [2].
    weighted_dist_sim
        The same, each vector weighted by the information of its word [1]; unknown words weigh
        nothing.
    product_w2v
        Cosine of the element-wise products [2]. The paper does not define it further.
    """
    ids = batch.bags.ids
    matrix = batch.word_vectors
    sides = batch.sides
    weights = np.array([np.ones(len(matrix)), np.maximum(batch.information, 0.0)])
    # Rows of zeros (unknown words) would make every product zero.
    known = ids.only(batch.word_norms > 0)
    sums = vector_cosines(ids, sides, matrix, weights)
    products = vector_cosines(known, sides, matrix)
    return np.concatenate([sums, products]).T


def compute_tagged(batch: PairBatch) -> Floats:
    """Compare sums of the vectors of some words, as sum_w2v does (NLP).

    nn_w2v
        Nouns, including proper nouns [2].
    vb_w2v
        Verbs, including "be" and "have" but not modal verbs [2].
    """
    tagged = batch.tagged
    weights = np.array([tagged.are("NN"), tagged.are("VB")], dtype=float)
    return vector_cosines(tagged.ids, batch.takelab.sides, batch.tagged_vectors, weights).T


def compute_lengths(batch: PairBatch) -> Floats:
    """Compare lengths.

    rel_len_diff_lc
        Difference in the number of content words / the larger number [1].
    rel_ic_diff_olc
        The same for summed information in excess of the most common word's [1].
    len_sum
        ln(1 + words of both sides): people score short and long pairs differently.
    len_ratio
        (1 + words of the shorter side) / (1 + words of the longer side).
    """
    takelab = batch.takelab
    frequencies = batch.frequencies
    excess = np.maximum(0.0, batch.takelab_information - frequencies.min_information)
    content = takelab.content_word_ids.lengths
    words = takelab.word_ids.lengths
    surplus = takelab.word_ids.sums(excess)
    left, right = takelab.sides
    return np.array(
        [
            _relative_difference(content[left], content[right]),
            _relative_difference(surplus[left], surplus[right]),
            np.log(1 + words[left] + words[right]),
            (1 + np.minimum(words[left], words[right]))
            / (1 + np.maximum(words[left], words[right])),
        ]
    ).T


def _relative_difference(first: Floats | Ids, second: Floats | Ids) -> Floats:
    return np.abs(first - second) / (np.maximum(first, second) + _TINY)


def compute_function_words(batch: PairBatch) -> Floats:
    """Compare determiners and negations.

    det_1, det_2
        Determiners on both sides, and on only one side, counting repetitions / words [2]. The
        paper names these two without defining them.
    negation_mismatch
        1 if only one side has a negation ("not", "never", "without" ...).
    """
    takelab = batch.takelab
    kinds = DETERMINERS, NEGATIONS
    marks = np.array([[word in kind for word in takelab.distinct] for kind in kinds], dtype=float)
    shared, first, second, _ = shared_weights(takelab.word_ids, takelab.sides, marks)
    lengths = takelab.word_ids.lengths
    n_words = lengths[takelab.sides[0]] + lengths[takelab.sides[1]]
    matched = 2 * shared[0]
    return np.array(
        [
            ratio(matched, n_words),
            ratio(first[0] + second[0] - matched, n_words),
            (first[1] > 0) != (second[1] > 0),
        ]
    ).T


def compute_lemmas(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words (NLP).

    n_gram_match_lem_1, n_gram_match_lem_2, n_gram_match_lem_3
        F of shared n-grams of lemmas; 1 if a side has none [1].
    weight_word_match_lem
        F of the information in shared lemmas [1].
    """
    lemmas, ids = batch.lemmas
    weights = batch.frequencies.information(lemmas)[None]
    sides = batch.takelab.sides
    return np.concatenate([_ngram_matches(ids, sides), weighted_match(ids, sides, weights)]).T


def compute_wordnet(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words in WordNet (NLP).

    wn_sim_lem
        F of the mean, over the lemmas of a side, of the highest path similarity to a lemma of the
        other, 1 / (1 + steps) between any senses; 1 if a side has no lemma [1].
    antonym_mismatch
        1 if lemmas found on one side only are antonyms [6].
    """
    return np.array([_similarity(batch), _antonyms(batch)]).T


def _similarity(batch: PairBatch) -> Floats:
    names, ids = batch.lemmas
    sides = batch.takelab.sides
    means = batch.wordnet.mean_similarities(names, ids, sides)
    is_empty = ids.lengths == 0
    return np.where(is_empty[sides[0]] | is_empty[sides[1]], 1.0, harmonic_mean(*means))


def _antonyms(batch: PairBatch) -> Floats:
    names, ids = batch.lemmas
    number = {word: i for i, word in enumerate(names)}
    find = batch.wordnet.antonyms
    opposites = {
        i: found
        for word, i in number.items()
        if (antonyms := find(word)) and (found := {number[a] for a in antonyms if a in number})
    }
    # Few pairs have a word and an antonym of it or of another word.
    opposable = np.zeros(len(names), dtype=bool)
    opposable[[*opposites, *set().union(*opposites.values())]] = True
    mismatches = np.zeros(len(batch))
    for p, *sides in ids.only(opposable).pairs(batch.takelab.sides):
        if not all(sides):
            continue
        first, second = map(set, sides)
        mismatches[p] = any(
            not opposites.get(i, set()).isdisjoint(second - first) for i in first - second
        )
    return mismatches


WORDS = Family(
    "word_ngrams",
    tuple(f"n_gram_match{kind}_{n}" for kind in ("_lc", "") for n in _SIZES),
    compute_words,
)
CHARS = Family(
    "char_ngrams",
    tuple(f"char_n_gram_match_{n}" for n in CHAR_SIZES),
    compute_chars,
)
WEIGHTED = Family(
    "weighted_match",
    ("weight_word_match_olc",),
    compute_match,
    needs=frozenset(["frequencies"]),
)
OVERLAP = Family(
    "word_overlap",
    ("word_jaccard", "word_containment"),
    compute_overlap,
)
COUNTS = Family(
    "counts",
    ("cosine", "cosine_icf", "cosine_icf_char", "cosine_icf_char_2_4"),
    compute_counts,
    needs=frozenset(["document_frequencies"]),
)
VECTORS = Family(
    "vectors",
    ("sum_w2v", "weighted_dist_sim", "product_w2v"),
    compute_vectors,
    needs=frozenset(["frequencies", "vectors"]),
)
TAGGED = Family(
    "tagged_vectors",
    ("nn_w2v", "vb_w2v"),
    compute_tagged,
    needs=frozenset(["vectors", "tagger"]),
)
LENGTHS = Family(
    "lengths",
    ("rel_len_diff_lc", "rel_ic_diff_olc", "len_sum", "len_ratio"),
    compute_lengths,
    needs=frozenset(["frequencies"]),
)
FUNCTION_WORDS = Family(
    "function_words",
    ("det_1", "det_2", "negation_mismatch"),
    compute_function_words,
)
LEMMAS = Family(
    "lemmas",
    ("n_gram_match_lem_1", "n_gram_match_lem_2", "n_gram_match_lem_3", "weight_word_match_lem"),
    compute_lemmas,
    needs=frozenset(["frequencies", "wordnet", "tagger"]),
)
WORDNET = Family(
    "wordnet",
    ("wn_sim_lem", "antonym_mismatch"),
    compute_wordnet,
    needs=frozenset(["wordnet", "tagger"]),
)
