from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures, WordVectors
from skpara.features import _kernels, aligned_words
from skpara.features._families import alignment

COUNTS = {"the": 500, "dog": 20, "cat": 30, "puppy": 5, "runs": 40, "bank": 10, "river": 9}
INFORMATION = {word: np.log(sum(COUNTS.values()) / count) for word, count in COUNTS.items()}
VECTORS = WordVectors(
    ["dog", "puppy", "cat", "river", "bank"],
    np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1], [0, 1, 0], [0, 0.6, 0.8]], dtype=np.float32),
)


def compute(*pairs):
    tags = dict(token.split("/") for pair in pairs for text in pair for token in text.split())
    lexical = LexicalFeatures(
        "word_alignment",
        frequencies=COUNTS,
        vectors=VECTORS,
        tagger=lambda tokens: [tags.get(token, "NN") for token in tokens],
    )
    plain = [
        tuple(" ".join(token.split("/")[0] for token in text.split()) for text in pair)
        for pair in pairs
    ]
    return lexical.fit([("", "")]).transform(plain)


def test_one_pair_by_hand():
    # dog and puppy have a cosine of .8; "runs" and "ran" one lemma; "the" is a stop word.
    found = compute(("the/DT dog/NN runs/VBZ", "the/DT puppy/NN ran/VBD river/NN"))
    information = [INFORMATION[w] for w in ("dog", "runs", "puppy", "river")]
    information.append(max(INFORMATION.values()))  # "ran" is not in the table
    shared = 0.72 * (information[0] + information[2]) + information[1] + information[4]
    assert found[0] == pytest.approx([2 * (0.72 + 1) / 5, shared / sum(information)])


def test_a_word_is_aligned_once():
    assert compute(("dog/NN dog/NN", "dog/NN"))[0, 0] == pytest.approx(2 / 3)
    assert compute(("dog/NN puppy/NN", "puppy/NN"))[0, 0] == pytest.approx(2 / 3)


def test_dissimilar_words_are_not_aligned():
    # river and bank have a cosine of .6, cat and river of 0
    assert compute(("river/NN", "bank/NN"))[0, 0] == pytest.approx(0.9 * 0.6)
    assert compute(("river/NN", "cat/NN"))[0, 0] == 0


def test_empty_sides_and_stop_words():
    found = compute(
        ("", ""), ("the/DT", "the/DT"), ("dog/NN", ""), ("?/.", "?/."), ("3/CD", "3/CD")
    )
    assert found[:, 0].tolist() == [0, 0, 0, 0, 1]


def test_neighbors_decide_between_equal_words():
    # The last occurrence is next to another aligned word on both sides.
    similar = np.zeros((6, 2))
    similar[[0, 5], 0] = 1  # the word comes twice on the left
    similar[4, 1] = 1
    assert np.argwhere(aligned_words(similar)).tolist() == [[4, 1], [5, 0]]


def slow_alignment(similar):
    """Greedy search: the best pair of words, then the best of the remaining words."""
    rows, columns = similar.shape
    window = alignment.WINDOW

    def score(i, j):
        around = similar[max(0, i - window) : i + window + 1, max(0, j - window) : j + window + 1]
        neighbors = min(1.0, (around.sum() - similar[i, j]) / (2 * window))
        return round(0.9 * similar[i, j] + 0.1 * neighbors, 6), -abs(i - j), -(i + j)

    order = sorted(np.ndindex(rows, columns), key=lambda ij: score(*ij), reverse=True)
    taken, chosen = [set(), set()], np.zeros(similar.shape, dtype=bool)
    for i, j in order:
        if similar[i, j] > 0 and i not in taken[0] and j not in taken[1]:
            chosen[i, j] = True
            taken[0].add(i)
            taken[1].add(j)
    return chosen


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6))
def test_alignment_is_that_of_a_greedy_search(rows, columns, seed):
    # Few values, so that many are equal.
    similar = np.random.default_rng(seed).choice([0, 0, 0.5, 0.75, 1], (rows, columns))
    expected = slow_alignment(similar)
    np.testing.assert_array_equal(aligned_words(similar), expected)
    np.testing.assert_array_equal(aligned_words(similar.T).T, expected)


def test_groups_of_pairs_do_not_matter(monkeypatch):
    pairs = [("dog/NN runs/VBZ", "puppy/NN " * n + "ran/VBD") for n in range(9)]
    whole = compute(*pairs)
    monkeypatch.setattr(_kernels, "_CELLS_PER_PART", 10)
    np.testing.assert_array_equal(compute(*pairs), whole)
