"""Any text gives finite numbers: ids, features, vectors, scores, explanations."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.pipeline import make_pipeline, make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, WordVectors, explain
from skpara.text import CharacterNgrams, Vocabulary, normalize, tokenize

pytestmark = pytest.mark.slow

FUZZ = settings.get_profile("fuzz")  # of conftest.py

# Text that tokenizers, number features and taggers have rules for, mixed with any characters.
PIECES = st.sampled_from(
    "a the dog cat's DON'T 3 1,650.5 1/2 $5 5% 1e400 -7 ten million U.S. 9999999999999999999999 "
    "Paris paris <e> {} ' '' \" . ... ,.,. - _ £ € ½ ² ٣ 一二 İ ß ﬁ café cafe\u0301 \u0345 "
    "\U0001f600 \u200b \ufeff \u2028 \ud800 \x00 \x1c \x85 \t \n NN/dog a/b/c dog#n.01".split(" ")
)
TEXT = st.one_of(
    st.text(max_size=40),
    st.lists(PIECES, max_size=12).map(" ".join),
    st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=12).map("".join),
    st.builds(lambda piece, n: piece * n, PIECES, st.integers(0, 400)),
    # lone surrogates, as json and os.fsdecode may give
    st.text(st.characters(), max_size=20),
)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3)
WORDS = ["a", "the", "dog", "cat's", "don't", "3", "1,650.5", "café", ".", "\ud800", "ß", "\x00"]


@cache
def vectors():
    return WordVectors(WORDS, np.random.default_rng(0).standard_normal((len(WORDS), 8)))


@cache
def features():
    return LexicalFeatures().fit([("a dog barks", "the cat's asleep")])


@cache
def pipeline():
    parts = make_union(ParagramEncoder(vectors=vectors()), LexicalFeatures())
    model = make_pipeline(parts, FusionRegressor(GradientBoostingRegressor(n_estimators=3)))
    pairs = [(f"a dog barks {i}", f"the cat's asleep {i % 3}") for i in range(20)]
    return model.fit(pairs, np.linspace(0, 5, 20))


@FUZZ
@given(TEXT)
def test_tokens_are_words_without_white_space(text):
    tokens = tokenize(text)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    # only white space is lost
    assert "".join(tokens) == "".join("".join(tokenize(part)) for part in text.split())


@FUZZ
@given(st.lists(TEXT, max_size=5))
def test_ids_are_those_of_the_tokens(texts):
    vocabulary = Vocabulary(WORDS)
    ids, offsets, unknown = vocabulary.token_ids(texts)
    words = [*WORDS, *unknown]
    tokens = [words[i] for i in ids]
    assert [tokens[a:b] for a, b in pairwise(offsets)] == [tokenize(text) for text in texts]


@FUZZ
@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=4), st.integers(1, 8))
def test_character_ngrams_are_those_of_a_window(learned, texts, longest):
    shortest = min(2, longest)
    ngrams = CharacterNgrams.learn(learned, (shortest, longest))
    ids, offsets, _ = ngrams.token_ids(texts)
    for text, a, b in zip(texts, offsets, offsets[1:], strict=False):
        words = normalize(text).split()
        line = f" {' '.join(words)} " if words else ""
        windows = [
            line[i : i + n] for n in range(shortest, longest + 1) for i in range(len(line) - n + 1)
        ]
        assert sorted(ngrams.words[i] for i in ids[a:b]) == sorted(
            window for window in windows if window in ngrams
        )


@FUZZ
@given(PAIRS)
def test_lexical_features_are_finite(pairs):
    values = features().transform(pairs)
    assert values.shape == (len(pairs), len(features().get_feature_names_out()))
    assert np.isfinite(values).all()


@FUZZ
@given(PAIRS, st.sampled_from(["subword", "rare", "zero"]))
def test_similarities_are_from_minus_one_to_one(pairs, oov):
    encoder = ParagramEncoder(vectors=vectors(), oov=oov)
    left, right = zip(*pairs, strict=True)
    assert np.isfinite(encoder.encode(left)).all()
    similarity = encoder.similarity(left, right)
    assert (np.abs(similarity) <= 1 + 1e-6).all()


@FUZZ
@given(st.tuples(TEXT, TEXT))
def test_scores_and_their_explanations_are_finite(pair):
    [score] = pipeline().predict([pair])
    [explanation] = explain(pipeline(), [pair])
    assert 0 <= score <= 5
    assert explanation.score == score
    assert np.isfinite(explanation.contributions).all()
    assert str(explanation)
