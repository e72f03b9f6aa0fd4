"""Tables for several languages, on bitext that is small enough to be checked by hand."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from skpara import ParagramEncoder, WordVectors
from skpara.encoders import align_vectors
from skpara.learning import mean_vectors

# So that a few pairs are enough.
align = partial(align_vectors, min_count=1)

ENGLISH = {"dog": [3.0, 0.0, 0.0], "cat": [0.0, 3.0, 0.0], "no": [0.0, 0.0, 3.0]}
ANIMALS = [("dog", "perro"), ("cat", "gato"), ("dog cat", "perro gato")]
PAIRS = [
    *ANIMALS,
    ("dog no", "perro ninguno"),
    ("cat", "no gato"),
    ("cat dog", "gato no perro"),
    ("no dog", "ninguno no"),
]


def close(got, expected):
    np.testing.assert_allclose(got, expected, atol=0.03)  # what 8 bits leave of 3


def expected_translations(pairs, rounds=3):
    """IBM model 1 by its definition: expected counts of (word, translation)."""
    bags = [(first.split(), second.split()) for first, second in pairs]
    counts = {(f, e): 1.0 for first, second in bags for f in second for e in first}
    for _ in range(rounds):
        totals = {}
        for (_, e), count in counts.items():
            totals[e] = totals.get(e, 0) + count
        probability = {(f, e): count / totals[e] for (f, e), count in counts.items()}
        counts = dict.fromkeys(counts, 0.0)
        for first, second in bags:
            for f in second:
                total = sum(probability[f, e] for e in first)
                for e in first:
                    counts[f, e] += probability[f, e] / total
    return counts


def test_each_word_gets_the_vector_of_its_translation():
    table = align(ANIMALS, ENGLISH)
    assert table.words == ["dog", "cat", "no", "perro", "gato"]
    close(table.lookup(["perro", "gato"]), [ENGLISH["dog"], ENGLISH["cat"]])
    cosines = ParagramEncoder(vectors=table).similarity(["dog", "dog"], ["perro", "gato"])
    close(cosines, [1, 0])


def test_first_vectors_are_means_by_expected_counts_of_model_1():
    table = align(PAIRS, ENGLISH, max_iter=0)
    counts = expected_translations(PAIRS)
    for word in ("perro", "gato", "ninguno"):
        shares = np.array([counts.get((word, e), 0.0) for e in ENGLISH])
        mean = shares @ np.array(list(ENGLISH.values()))
        close(table[word], 3 * mean / np.linalg.norm(mean))  # all English vectors have length 3


def test_rows_minimize_the_regularized_error():
    alpha = 0.05
    table = align(PAIRS, ENGLISH, alpha=alpha, max_iter=50)
    start = align(PAIRS, ENGLISH, alpha=alpha, max_iter=0)
    words = ["perro", "gato", "ninguno", "no"]
    shares, targets = [], []
    for first, second in PAIRS:
        tokens = second.split()
        shares.append([tokens.count(word) / len(tokens) for word in words])
        targets.append(np.mean([ENGLISH[word] for word in first.split()], axis=0))
        # "no" is a word of both languages: English sentences should keep their means, with four
        # times the weight.
        tokens = first.split()
        shares.append([0, 0, 0, 2 * tokens.count("no") / len(tokens)])
        targets.append(shares[-1][3] * np.array(ENGLISH["no"]))
    design, initial = np.array(shares), start.lookup(words)
    expected = np.linalg.solve(
        design.T @ design + alpha * np.eye(len(words)),
        design.T @ np.array(targets) + alpha * initial,
    )
    close(table.lookup(words), expected)


def test_a_shared_word_is_learned_from_both_languages():
    # In the translations, "no" occurs 40 times and means "dog".
    often = align([("dog", "no")] * 40 + [("no", "x")], ENGLISH)["no"]
    rarely = align([("dog", "no")] + [("no", "x")] * 40, ENGLISH)["no"]
    np.testing.assert_allclose(often / 3, [1, 0, 0], atol=0.1)
    assert rarely.tolist() == WordVectors.load(ENGLISH)["no"].tolist()  # kept as it was


def test_words_that_no_translation_has_keep_their_rows():
    vectors = WordVectors.load()
    table = align([("A dog.", "Un perro."), ("No cat!", "\u00a1No gato!")], vectors)
    assert table.words[: len(vectors)] == vectors.words
    assert table.layers.table.dtype == np.int8
    changed = {"un", "perro", "no", "gato"}
    ids = np.flatnonzero([word not in changed for word in vectors.words])[::10]
    np.testing.assert_array_equal(table.take(ids), vectors.take(ids))
    sentences = ["A man plays the guitar.", "Dogs"]
    np.testing.assert_array_equal(mean_vectors(table, sentences), mean_vectors(vectors, sentences))


def test_numbers_and_marks_are_the_same_in_all_languages():
    english = {**ENGLISH, "7": [1.0, 1.0, 1.0], ".": [0.5, 0.0, 0.0]}
    table = align([("dog 7 .", "perro 7 ."), ("cat 8", "\u00bfgato 8"), *ANIMALS], english)
    assert set(table.words) - set(english) == {"perro", "gato", "\u00bf"}
    np.testing.assert_allclose(table.lookup(["7", "."]), [english["7"], english["."]], atol=0.01)
    close(table["perro"] / 3, [1, 0, 0])


def test_neither_parts_nor_order_change_the_table(monkeypatch):
    expected = align(PAIRS, ENGLISH)
    monkeypatch.setattr("skpara.encoders._bitext._SENTENCES", 2)
    monkeypatch.setattr("skpara.encoders._bitext._CHUNK", 3)
    table = align(PAIRS[::-1], ENGLISH)
    close(expected.lookup(table.words), table.matrix)


def test_rare_words_are_left_out_and_empty_sentences_allowed():
    table = align_vectors([*ANIMALS, ("dog", "can")], ENGLISH)
    assert set(table.words) == {*ENGLISH, "perro", "gato"}
    empty = align([*ANIMALS, ("", "gato"), ("dog", ""), ("", "")], ENGLISH)
    assert np.isfinite(empty.matrix).all()
    with pytest.raises(ValueError, match="No word occurs in 9 of the 3 translations"):
        align(ANIMALS, ENGLISH, min_count=9)


def test_swapped_columns_are_an_error():
    with pytest.raises(ValueError, match="columns seem to be swapped"):
        align([(second, first) for first, second in ANIMALS], ENGLISH)


@pytest.mark.parametrize("options", [{"min_count": 0}, {"alpha": 0.0}, {"max_iter": -1}])
def test_parameters_are_checked(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} == .*must be"):
        align(ANIMALS, ENGLISH, **options)
