from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import paired_cosine_distances

from skpara import LexicalFeatures

PAIRS = np.array(
    [
        ("A man plays a guitar.", "A man is playing the guitar!"),
        ("Two dogs run, two cats sleep", "dogs dogs dogs"),
        ("Prices rose 3.5%", "Prices rose 3.5%"),
        ("no common word", "anything else"),
        ("", "nothing"),
    ],
    dtype=object,
)
MORE = ["the guitar man", "dogs and cats", "prices"]


@pytest.fixture
def features():
    return LexicalFeatures("counts").fit(PAIRS, unlabeled=MORE).transform(PAIRS)


@pytest.mark.parametrize(
    ("column", "vectorizer"),
    [
        (0, CountVectorizer(analyzer=str.split)),
        (1, TfidfVectorizer(analyzer=str.split, sublinear_tf=True)),
        (2, TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)),
        (3, TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)),
    ],
)
def test_cosines_are_those_of_scikit_learn(features, column, vectorizer):
    marks = re.compile(r"[!,](?!\d)|\.(?!\d)|%")
    clean = [marks.sub(" ", sentence.lower()) for sentence in [*PAIRS.ravel(), *MORE]]
    vectorizer.fit(list(dict.fromkeys(clean)))
    rows = vectorizer.transform(clean[: PAIRS.size])
    expected = 1 - paired_cosine_distances(rows[::2], rows[1::2])
    expected[4] = 0.0  # scikit-learn puts a zero vector half-way
    np.testing.assert_allclose(features[:, column], expected, atol=1e-12)


def test_the_same_sentence_is_1_and_nothing_shared_is_0(features):
    np.testing.assert_allclose(features[2], 1.0)
    np.testing.assert_allclose(features[3, :2], 0.0)
    np.testing.assert_allclose(features[4], 0.0)


def test_new_words_count_as_the_rarest():
    lexical = LexicalFeatures("counts").fit([("the dog", "the cat")], unlabeled=["the bird"])
    features = lexical.transform(
        [("zebra", "zebra"), ("the zebra", "the yak"), ("the dog", "the cat")]
    )
    np.testing.assert_allclose(features[0], 1.0)
    the, dog, new = lexical.document_frequencies_["word"].idf(["the", "dog", "zebra"])
    np.testing.assert_allclose(features[1, 1], the**2 / (the**2 + new**2))
    np.testing.assert_allclose(features[2, 1], the**2 / (the**2 + dog**2))
