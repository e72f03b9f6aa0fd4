from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import load_sts_sample
from skpara.learning import (
    AdaDelta,
    AdaGrad,
    Adam,
    FittedState,
    MarginObjective,
    Negatives,
    Session,
    Start,
    TrainingSettings,
)
from skpara.networks import Average, Charagram, Projection

PAIRS = np.array([(f"w{i} w{i + 1}", f"w{i + 1} new{i % 3}") for i in range(8)], dtype=object)


def margin_objective():
    return MarginObjective(Negatives(), batch_size=4)


def test_a_session_trains_like_the_estimator(make_session, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, optimizer="adadelta", batch_size=4)
    encoder.set_params(max_iter=2, random_state=0, device="cpu").fit(PAIRS)
    sentences = PAIRS.T.ravel().tolist()
    session = make_session(sentences=sentences, optimizer=AdaDelta(), word_decay=1e-5)
    history = session.fit(margin_objective(), 2)
    assert [epoch["loss"] for epoch in history] == encoder.loss_curve_
    state = session.state()
    assert state.vectors.words == encoder.vectors_.words
    np.testing.assert_array_equal(state.vectors.matrix, encoder.vectors_.matrix)


def test_lookup_adds_no_words_and_training_does(make_session):
    session = make_session(sentences=["w1 new"])
    n_words = len(session.trainer.table)
    tokens, extra = session.lookup(["newer w1 new"])
    assert len(extra) == 1
    assert session._tokenize(["newer w1 new"]).ids.tolist() == tokens.ids.tolist()
    assert len(session.trainer.table) == n_words + 1
    np.testing.assert_array_equal(session.trainer.table[n_words], extra[0])


def test_max_length_cuts_sentences(make_session, small_vectors):
    session = make_session(sentences=["w1 w2 w3", "w4"], max_length=2)
    assert session.tokens.lengths.tolist() == [2, 1]
    expected = (small_vectors["w1"] + small_vectors["w2"]) / 2
    np.testing.assert_allclose(session.encode(["w1 w2 w3"])[0], expected, atol=1e-6)


def test_memory_of_a_session():
    packaged = WordVectors.load()
    vectors = WordVectors(packaged.vocabulary, *packaged.layers[:2])  # without a float32 matrix
    sentences = 40 * load_sts_sample().data.ravel().tolist()
    tracemalloc.start()
    try:
        Session(Average(), sentences, vectors=vectors)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 80e6  # 69 MB; with a matrix 60 more, with all tokens sorted at once 35 more


def test_a_continued_session_does_not_repeat_random_numbers(small_vectors):
    draws = []
    for n in (0, 0, 1, 2):
        state = FittedState(small_vectors, history=[{}] * n)
        session = Session(Average(), [], vectors=small_vectors, state=state, random_state=0)
        draws.append(session.rng.random())
    assert draws[0] == draws[1]
    assert len(set(draws)) == 3


def test_n_grams_of_another_size_are_refused(small_pairs):
    encoder = ParagramEncoder(Charagram(n_dims=8), max_iter=1, device="cpu").fit(small_pairs[:5])
    started = ParagramEncoder(Charagram(n_dims=9), vectors=Start(encoder), device="cpu")
    with pytest.raises(ValueError, match="have 8 dimensions, the network's n_dims is 9"):
        started.fit(small_pairs[:5])


def test_word_decay_pulls_new_words_to_their_first_vectors():
    vectors = WordVectors(["aa", "ab", "b"], np.eye(3, 4, dtype=np.float32))
    pairs = [("aa abc", "ab abd"), ("b abd", "abc")] * 3
    encoder = ParagramEncoder(
        vectors=vectors, word_decay=50.0, optimizer="adagrad", max_iter=100, random_state=0
    ).fit(pairs)
    for word in ("aa", "abc", "abd"):
        first = vectors.lookup([word])[0]
        np.testing.assert_allclose(encoder.vectors_[word], first, atol=0.05)


def trained_table(small_vectors, network, dropout):
    settings = TrainingSettings(optimizer=AdaDelta(), dropout=dropout)
    sentences = PAIRS.T.ravel().tolist()
    options = {"vectors": small_vectors, "settings": settings, "random_state": 0}
    session = Session(network, sentences, **options)
    session.fit(margin_objective(), 2)
    return session.state().vectors.matrix


@pytest.mark.parametrize("rates", [{"dropout": 0.3}, {"word_dropout": 0.3}])
def test_dropout_may_be_left_out(small_vectors, rates):
    plain = trained_table(small_vectors, Average(), dropout=True)
    np.testing.assert_array_equal(trained_table(small_vectors, Average(**rates), False), plain)
    assert np.abs(trained_table(small_vectors, Average(**rates), True) - plain).max() > 1e-4


@pytest.mark.parametrize("network", [Average(), Projection()], ids=["average", "projection"])
@pytest.mark.parametrize("optimizer", [AdaDelta(), AdaGrad(), Adam()])
def test_a_continued_session_has_the_optimizers_of_the_first(small_vectors, network, optimizer):
    sentences = PAIRS.T.ravel().tolist()
    settings = TrainingSettings(optimizer=optimizer, device="cpu")
    options = {"vectors": small_vectors, "settings": settings, "random_state": 0}
    first = Session(network, sentences, **options)
    first.fit(margin_objective(), 2)
    kept = first.optimizer_state()
    state = first.state(network, optimizer=kept)
    again = Session(network, sentences, state=state, **options).optimizer_state()
    fresh = Session(network, sentences, **options).optimizer_state()
    for name, values in kept["rows"].items():
        np.testing.assert_array_equal(again["rows"][name], values, err_msg=name)
    assert repr(again["weights"]) == repr(kept["weights"])
    assert repr(fresh) != repr(kept)
