from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr, softmax

from skpara.learning import LabelObjective, ScoreLoss
from skpara.learning._score_loss import SMOOTHING, label_distribution
from skpara.networks import Siamese


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0, [1, 0, 0, 0, 0, 0]),
        (5, [0, 0, 0, 0, 0, 1]),
        (3, [0, 0, 0, 1, 0, 0]),
        (4.7, [0, 0, 0, 0, 0.3, 0.7]),
        (0.25, [0.75, 0.25, 0, 0, 0, 0]),
        (4.999, [0, 0, 0, 0, 0.001, 0.999]),
    ],
)
def test_labels_as_in_the_paper(score, expected):
    distribution = label_distribution(np.array([score], dtype=float), 6)[0]
    np.testing.assert_allclose(distribution, expected, atol=1e-12)


@given(st.integers(2, 9), st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_the_mean_of_a_label_is_its_score(n_classes, fractions):
    scores = np.array(fractions) * (n_classes - 1)
    distributions = label_distribution(scores, n_classes)
    assert distributions.shape == (len(fractions), n_classes)
    assert np.all(distributions >= 0)
    np.testing.assert_allclose(distributions.sum(axis=1), 1)
    np.testing.assert_allclose(distributions @ np.arange(n_classes), scores, atol=1e-9)
    assert np.all((distributions > 0).sum(axis=1) <= 2)


def test_the_divergence_is_scipys():
    loss = ScoreLoss("kl", (0, 5), 6)
    scores = np.array([0.0, 2.3, 5.0])
    outputs = np.random.default_rng(0).standard_normal((3, 6))
    smoothed = label_distribution(scores, 6) + SMOOTHING
    smoothed /= smoothed.sum(axis=1, keepdims=True)
    expected = rel_entr(smoothed, softmax(outputs, axis=1)).sum(axis=1).mean()
    divergence = loss(torch.tensor(outputs), torch.tensor(loss.targets(scores)).double())
    assert float(divergence) == pytest.approx(expected, rel=1e-5)
    best = torch.log(torch.tensor(smoothed))
    assert float(loss(best, torch.tensor(smoothed))) == pytest.approx(0, abs=1e-12)


def test_scores_are_expected_classes_on_the_scale():
    loss = ScoreLoss("kl", (1, 5), 3)
    outputs = torch.tensor([[50.0, 0.0, 0.0], [0.0, 0.0, 50.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(loss.scores(outputs), [1, 5, 3])
    np.testing.assert_allclose(loss.distributions(outputs)[2], [1 / 3] * 3)
    np.testing.assert_allclose(loss.targets(np.array([2.0]))[0], [0.5, 0.5, 0], atol=1e-5)


@pytest.mark.parametrize("kind", ["mse", "manhattan"])
def test_squared_error_on_the_unit_scale(kind):
    loss = ScoreLoss(kind, (0, 5), 6)
    targets = torch.tensor(loss.targets(np.array([0.0, 2.5, 5.0])))
    assert targets.ravel().tolist() == [0, 0.5, 1]
    outputs = torch.tensor([[0.1], [0.4], [1.3]])
    assert float(loss(outputs, targets)) == pytest.approx((0.01 + 0.01 + 0.09) / 3)
    np.testing.assert_allclose(loss.scores(outputs), [0.5, 2, 5], rtol=1e-6)


def test_the_validation_score_is_pearsons_r_of_predictions(make_session):
    rng = np.random.default_rng(0)
    pairs = np.array([[f"w{i}", f"w{j}"] for i, j in rng.integers(0, 290, (9, 2))], dtype=object)
    scores = rng.uniform(0, 5, 9)
    session = make_session(Siamese("average"))
    objective = LabelObjective(ScoreLoss("kl", (0, 5), 6), scores, batch_size=4)
    vectors = torch.from_numpy(session.encode(pairs.T.ravel().tolist()))
    with torch.no_grad():  # each vector is that of a single word
        outputs = session.trainer.module(vectors, torch.arange(18), torch.arange(18))
    expected = np.corrcoef(outputs.softmax(dim=1).numpy() @ np.arange(6), scores)[0, 1]
    assert objective.score(session, pairs, scores) == pytest.approx(expected, abs=1e-5)
    assert objective.score(session, pairs, np.full(9, 2.0)) == -1
