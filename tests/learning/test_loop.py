from __future__ import annotations

import warnings

import pytest

from skpara.learning._loop import Stopping, run_passes


class Counter:
    """A trainer whose state is the number of passes made."""

    def __init__(self):
        self.state = 0

    def one_pass(self):
        self.state += 1
        yield 2.0, 10
        yield 1.0, 30

    def snapshot(self):
        return self.state

    def revert(self, snapshot):
        self.state = snapshot


def test_history_of_loss_and_speed():
    trainer = Counter()
    history = run_passes(trainer, [trainer.one_pass] * 2)
    assert [entry["epoch"] for entry in history] == [1, 2]
    assert history[0]["loss"] == pytest.approx((2 * 10 + 30) / 40)
    assert history[0]["n_pairs"] == 40
    assert history[0]["score"] is None
    assert history[0]["pairs_per_second"] == pytest.approx(40 / history[0]["seconds"])


@pytest.mark.parametrize(
    ("scores", "n_passes", "kept"),
    [
        ([0.0, 0.1, 0.3, 0.2, 0.2, 0.9], 4, 2),  # two passes without a better one
        ([0.5, 0.4, 0.4], 2, 0),  # the start was best
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 6, 6),
    ],
)
def test_stops_when_no_better_and_keeps_the_best(scores, n_passes, kept):
    trainer = Counter()
    stopping = Stopping(lambda: scores[trainer.state], patience=2)
    history = run_passes(trainer, [trainer.one_pass] * 6, stopping=stopping)
    assert len(history) == n_passes
    assert [entry["score"] for entry in history] == scores[1 : n_passes + 1]
    assert trainer.state == kept


def test_an_interruption_keeps_what_was_learned():
    trainer = Counter()

    def interrupted():
        trainer.state += 1
        yield 1.0, 10
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match=r"interrupted after 1 complete pass"):
        history = run_passes(trainer, [trainer.one_pass, interrupted, trainer.one_pass])
    assert len(history) == 1
    assert trainer.state == 2


def test_an_interruption_with_early_stopping_puts_back_the_best():
    trainer = Counter()

    def interrupted():
        trainer.state += 1
        raise KeyboardInterrupt
        yield

    scores = [0.0, 0.5]
    stopping = Stopping(lambda: scores[trainer.state], patience=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run_passes(trainer, [trainer.one_pass, interrupted], stopping=stopping)
    assert trainer.state == 1
