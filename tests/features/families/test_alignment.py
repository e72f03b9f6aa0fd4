from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features import DocumentFrequencies, Knowledge, PairBatch, _kernels
from skpara.features._families import alignment
from skpara.resources import WordFrequencies, WordVectors

NAMES = alignment.BEST.names
VECTORS = WordVectors.load(
    {"dog": [1.0, 0.0], "puppy": [2.4, 1.8], "cat": [0.0, 2.0], "the": [-0.1, 0.0]}
)
FREQUENCIES = WordFrequencies.load({"the": 80, "dog": 10, "cat": 8, "puppy": 2})
DOCUMENTS = DocumentFrequencies({"the": 9, "dog": 3, "cat": 2, "puppy": 1}, 9)
SENTENCES = st.lists(st.sampled_from([*VECTORS.words, "xyz", "42"]), max_size=9).map(" ".join)


def features(*pairs):
    knowledge = Knowledge(
        frequencies=FREQUENCIES, vectors=VECTORS, document_frequencies={"word": DOCUMENTS}
    )
    return alignment.compute_best(PairBatch(np.array(pairs, dtype=object), knowledge))


def slow_features(first, second):
    """One pair, by the definitions, word by word."""
    sides = first.split(), second.split()
    vectors = {
        w: v.astype(float) for s in sides for w, v in zip(s, VECTORS.lookup(s), strict=True)
    }

    def similarity(a, b):
        u, v = vectors[a], vectors[b]
        norms = np.linalg.norm(u) * np.linalg.norm(v)
        return 1.0 if a == b else max(0.0, u @ v / norms) if norms else 0.0

    def plain(word):
        return 1.0

    def ic(word):
        unknown = FREQUENCIES.max_information
        return max(1e-6, FREQUENCIES.information([word], unknown=unknown)[0])

    def icf(word):
        return max(1e-6, DOCUMENTS.idf([word])[0] * np.linalg.norm(vectors[word]))

    found = []
    for weight in (plain, ic, icf):
        means, worst = [], 0.0
        for ours, theirs in (sides, sides[::-1]):
            best = [max((similarity(w, o) for o in theirs), default=0.0) for w in ours]
            weights = [weight(w) for w in ours]
            means.append(np.average(best, weights=weights) if ours else 0.0)
            losses = [weight(w) * (1 - b) for w, b in zip(ours, best, strict=True)]
            worst = max([worst, *losses])
        found.append(2 * means[0] * means[1] / sum(means) if sum(means) else 0.0)
        found.append(min(means))
        if weight is not plain:
            found.append(worst)
    return found


def test_one_pair_by_hand():
    # The cosine of puppy is 0.8 with dog and 0.6 with cat; that of dog and cat is 0.
    (found,) = features(("dog cat", "puppy"))
    assert found[0] == pytest.approx(2 * 0.7 * 0.8 / 1.5, rel=1e-6)
    assert found[1] == pytest.approx(0.7, rel=1e-6)
    assert found[4] == pytest.approx(max(np.log(10) * 0.2, np.log(100 / 8) * 0.4), rel=1e-5)


@given(SENTENCES, SENTENCES)
def test_features_are_as_defined_and_symmetric(first, second):
    there, back = features((first, second), (second, first))
    np.testing.assert_allclose(there, slow_features(first, second), atol=1e-5)
    np.testing.assert_allclose(there, back, atol=1e-6)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=12))
def test_groups_of_pairs_do_not_matter(pairs):
    together = features(*pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_kernels, "_CELLS_PER_PART", 1)
        alone = features(*pairs)
    np.testing.assert_array_equal(together, alone)


def test_the_same_words_align_even_without_vectors():
    found = dict(zip(NAMES, features(("the qqq dog", "dog the qqq"))[0], strict=True))
    for name, value in found.items():
        assert value == pytest.approx(0.0 if name.endswith("worst") else 1.0)


def test_an_empty_side_is_similar_to_nothing():
    found = dict(zip(NAMES, features(("", "the cat"))[0], strict=True))
    assert found.pop("align_ic_worst") == pytest.approx(np.log(100 / 8))
    assert found.pop("align_icf_worst") == pytest.approx(2 * DOCUMENTS.idf(["cat"])[0])
    assert set(found.values()) == {0.0}
    np.testing.assert_array_equal(features(("", "")), np.zeros((1, len(NAMES))))


def test_one_changed_key_word_shows_in_the_worst_more_than_in_the_mean():
    same, article, key = features(
        ("the dog the cat", "the dog the cat"),
        ("the dog the cat", "cat dog cat"),
        ("the dog the cat", "the dog the the"),
    )
    worst = NAMES.index("align_ic_worst")
    assert same[worst] == 0 < article[worst] < key[worst]
