from __future__ import annotations

import numpy as np
import pytest

from skpara import ParagramEncoder
from skpara.learning import AdaGrad, Callback


class Log(Callback):
    """Writes down which methods were called."""

    def __init__(self):
        self.calls = []

    def on_train_begin(self, session):
        self.calls.append("train begin")

    def on_batch_end(self, session, loss, n_samples):
        self.calls.append(f"batch of {n_samples}")

    def on_epoch_end(self, session, epoch):
        self.calls.append(f"epoch {epoch['epoch']}")

    def on_train_end(self, session):
        self.calls.append("train end")


class At(Callback):
    """Calls a function at the end of an epoch."""

    def __init__(self, number, function):
        self.number, self.function = number, function

    def on_epoch_end(self, session, epoch):
        if epoch["epoch"] == self.number:
            self.function(session)


def interrupt(session):
    raise KeyboardInterrupt


def fail(session):
    raise RuntimeError("A mistake of the user's callback.")


@pytest.fixture
def encoder(small_vectors):
    return ParagramEncoder(
        vectors=small_vectors, batch_size=100, max_iter=3, random_state=0, device="cpu"
    )


def test_hooks_are_called_in_order(encoder, small_pairs):
    log = Log()
    encoder.set_params(max_iter=2).fit(small_pairs, callbacks=[log])
    epochs = [call for n in (1, 2) for call in ("batch of 100", "batch of 20", f"epoch {n}")]
    assert log.calls == ["train begin", *epochs, "train end"]


def test_a_callback_sees_scores_and_adds_to_the_history(encoder, small_pairs):
    class Improvement(Callback):
        def on_train_begin(self, session):
            self.first = session.best_score

        def on_epoch_end(self, session, epoch):
            assert session.history[-1] is epoch
            epoch["improvement"] = epoch["score"] - self.first

    callback = Improvement()
    encoder.fit(small_pairs[50:], validation=small_pairs[:50], callbacks=[callback])
    improvements = [epoch["improvement"] for epoch in encoder.history_]
    assert improvements == [epoch["score"] - callback.first for epoch in encoder.history_]
    assert encoder.best_score_ == callback.first + max(0.0, *improvements)


def test_a_callback_encodes_in_the_current_state(encoder, small_pairs):
    sentences = ["w1 w2", "", "w3 unseen"]

    class Encode(Callback):
        def __init__(self):
            self.states = []

        def on_train_begin(self, session):
            self.states.append(session.encode(sentences))

        def on_epoch_end(self, session, epoch):
            self.states.append(session.encode(sentences))

    callback = Encode()
    before = encoder.encode(sentences)
    encoder.fit(small_pairs, callbacks=[callback])
    np.testing.assert_allclose(callback.states[0], before, atol=1e-6)
    np.testing.assert_allclose(callback.states[-1][:2], encoder.encode(sentences)[:2], atol=1e-6)
    assert len(np.unique(callback.states, axis=0)) == 4
    assert not callback.states[-1][1].any()


def test_training_ends_properly_after_an_interruption(encoder, small_pairs):
    log = Log()
    with pytest.raises(KeyboardInterrupt, match=r"interrupted after 2 complete.*is kept"):
        encoder.fit(small_pairs, callbacks=[At(2, interrupt), log])
    assert encoder.n_iter_ == 2
    assert log.calls[-1] == "train end"


def test_training_ends_properly_after_an_exception(encoder, small_pairs):
    log = Log()
    with pytest.raises(RuntimeError, match="mistake"):
        encoder.fit(small_pairs, callbacks=[log, At(1, fail)])
    assert log.calls[-2:] == ["epoch 1", "train end"]
    assert not hasattr(encoder, "vectors_")


def test_the_best_state_is_restored_before_training_ends(encoder, small_pairs):
    class EncodeAtTheEnd(Callback):
        def on_train_end(self, session):
            self.vectors = session.encode(["w1 w2"])

    callback = EncodeAtTheEnd()
    encoder.set_params(optimizer=AdaGrad(100.0))  # too large: the initial state stays the best
    encoder.fit(small_pairs[50:], validation=small_pairs[:50], callbacks=[callback])
    np.testing.assert_allclose(callback.vectors, encoder.encode(["w1 w2"]), atol=1e-6)


def test_progress_shows_the_loss_and_the_score(encoder, small_pairs, capsys):
    encoder.set_params(verbose=1).fit(small_pairs[50:], validation=small_pairs[:50])
    progress = capsys.readouterr().err
    assert "210/210" in progress
    assert f"loss={encoder.loss_curve_[-1]:.4f}" in progress
    assert f"score={encoder.history_[-1]['score']:.4f}" in progress
    encoder.set_params(verbose=0).fit(small_pairs)
    assert capsys.readouterr().err == ""
