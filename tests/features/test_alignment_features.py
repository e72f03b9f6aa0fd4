from __future__ import annotations

import numpy as np
import pytest

from skpara import WordVectors
from skpara.features import AlignmentFeatures
from skpara.testing import parametrize_with_pair_checks

VECTORS = {"a": [1.0, 0.0, 0.0], "dog": [0.0, 2.0, 0.0], "puppy": [0.0, 3.0, 4.0]}
VECTORS |= {"not": [0.0, 0.0, 1.0]}
COUNTS = {"a": 50, "dog": 10, "puppy": 2, "not": 20}
PAIRS = [("a dog", "a puppy"), ("a a dog", "not a dog"), ("", "dog"), ("", "")]


def features(pairs, output="both", **parameters):
    parameters = {"vectors": WordVectors(list(VECTORS), [*VECTORS.values()]), **parameters}
    alignment = AlignmentFeatures(output, frequencies=COUNTS, **parameters).fit(pairs)
    names = alignment.get_feature_names_out().tolist()
    return dict(zip(names, alignment.transform(pairs).T, strict=True))


@parametrize_with_pair_checks([AlignmentFeatures("statistics"), AlignmentFeatures("vectors")])
def test_it_is_an_estimator_of_pairs(estimator, check):
    check(estimator)


def test_statistics_are_those_computed_by_hand():
    columns = features(PAIRS, "statistics")
    # "dog" and "puppy" have a cosine of 0.6.
    np.testing.assert_allclose(columns["first_similarity_mean"], [0.8, 1, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(columns["first_similarity_min"], [0.6, 1, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(columns["second_similarity_min"], [0.6, 0, 0, 0], rtol=1e-6)
    rarity = {word: np.log(82 / count) for word, count in COUNTS.items()}
    expected = rarity["puppy"] * 0.4
    np.testing.assert_allclose(columns["second_residue_ic_sum"][0], expected, rtol=1e-6)
    np.testing.assert_allclose(columns["second_residue_ic_max"][1], rarity["not"], rtol=1e-6)
    weighted = (rarity["a"] + 0.6 * rarity["dog"]) / (rarity["a"] + rarity["dog"])
    np.testing.assert_allclose(columns["first_similarity_ic_mean"][0], weighted, rtol=1e-6)
    assert columns["second_unshared_words"].tolist() == [1, 1, 1, 0]
    np.testing.assert_allclose(columns["second_unshared_share"], [1 / 2, 1 / 3, 1, 0])
    np.testing.assert_allclose(columns["second_unshared_ic_max"][0], rarity["puppy"])
    np.testing.assert_allclose(columns["second_unshared_ic_sum"][1], rarity["not"])
    assert columns["second_unshared_negations"].tolist() == [0, 1, 0, 0]
    assert columns["first_words"].tolist() == [2, 2, 0, 0]


def test_vectors_are_means_and_residues_of_length_1():
    columns = features(PAIRS, "vectors")

    def vectors(name):
        return np.column_stack([columns[f"{name}_{k}"] for k in range(3)])

    # "a" counts twice in "a a dog".
    np.testing.assert_allclose(vectors("mean_first")[1], np.array([2, 2, 0]) / 8**0.5, rtol=1e-6)
    np.testing.assert_allclose(vectors("residue_first")[0], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(vectors("residue_second")[0], [0, 0.6, 0.8], atol=1e-6)
    np.testing.assert_allclose(vectors("residue_second")[1], [0, 0, 1], atol=1e-6)
    for part in ("mean", "residue"):
        u, v = vectors(f"{part}_first"), vectors(f"{part}_second")
        np.testing.assert_array_equal(vectors(f"{part}_difference"), np.abs(u - v))
        np.testing.assert_array_equal(vectors(f"{part}_product"), u * v)


def test_swapped_sentences_swap_the_sides():
    pairs = [*PAIRS, ("A man plays a guitar.", "Nobody plays."), ("?!", "Ω ß")]
    columns = features(pairs, vectors="default")
    swapped = features([pair[::-1] for pair in pairs], vectors="default")
    for name, values in columns.items():
        other = name.replace("first", "2nd").replace("second", "first").replace("2nd", "second")
        np.testing.assert_allclose(values, swapped[other], atol=1e-6)


def test_both_has_the_columns_of_statistics_and_vectors():
    columns = features(PAIRS)
    separate = features(PAIRS, "statistics") | features(PAIRS, "vectors")
    assert list(columns) == list(separate)
    for name, values in columns.items():
        np.testing.assert_array_equal(values, separate[name])


def test_equal_sentences_leave_no_residue():
    columns = features([("A zyxqwv dog", "A zyxqwv dog")], vectors="default")
    assert not any(values.any() for name, values in columns.items() if "residue" in name)


def test_unknown_output_is_refused():
    with pytest.raises(ValueError, match="'output' parameter of AlignmentFeatures"):
        AlignmentFeatures("residues").fit(PAIRS)
