"""Tuning of a sentence-transformers model: what changes, on which pairs, and what is saved."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.pipeline import make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.encoders import SentenceTransformerFeature
from skpara.encoders._fine_tuning import _batches
from skpara.fusion import STSPipeline

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("load_once")]
THEMES = ("the dog cat sleeps runs".split(), "a man plays guitar music".split())
SETTINGS = {
    "max_iter": 10,
    "learning_rate": 3e-3,
    "batch_size": 10,
    "device": "cpu",
    "random_state": 0,
}


@pytest.fixture(scope="module")
def folder(make_transformer):
    return make_transformer(seed=0, scale=0.2)  # larger random weights learn little


@pytest.fixture(scope="module")
def scored():
    """Sentences on one of two themes, animals or music; pairs of one theme score higher."""
    rng = np.random.default_rng(0)
    themes = rng.integers(0, 2, size=(80, 2))
    pairs = [
        tuple(" ".join(rng.choice(THEMES[theme], size=3)) for theme in pair) for pair in themes
    ]
    return pairs, np.where(themes[:, 0] == themes[:, 1], 4.0, 1.0) + rng.random(80)


@pytest.fixture(scope="module")
def tuned(folder, scored):
    return SentenceTransformerFeature(folder, **SETTINGS).fit(*scored)


def correlation(feature, pairs, scores):
    return np.corrcoef(feature.transform(pairs)[:, 0], scores)[0, 1]


def test_tuning_brings_cosines_nearer_to_the_scores(folder, scored, tuned):
    untuned = SentenceTransformerFeature(folder, device="cpu").fit(*scored)
    assert correlation(tuned, *scored) > correlation(untuned, *scored) + 0.2
    assert untuned.tuned_weights_ == {}
    assert tuned.n_iter_ == len(tuned.loss_curve_) == 10
    assert tuned.loss_curve_[-1] < 0.5 * tuned.loss_curve_[0]


def test_the_upper_layers_move_in_a_copy(folder, scored):
    package = pytest.importorskip("sentence_transformers")
    model = package.SentenceTransformer(str(folder), device="cpu")
    before = {name: w.detach().numpy().copy() for name, w in model.named_parameters()}
    fitted = SentenceTransformerFeature(model, **SETTINGS).fit(*scored)
    for name, weight in model.named_parameters():
        np.testing.assert_array_equal(weight.detach().numpy(), before[name])
        assert weight.requires_grad
    assert fitted.tuned_weights_
    for name, weight in fitted.tuned_weights_.items():
        assert ".layer.1." in name  # of two
        assert type(weight) is np.ndarray
    # A shift of all keys alike changes no attention, so its gradient is rounding alone.
    moved = [n for n, w in fitted.tuned_weights_.items() if np.abs(w - before[n]).max() > 1e-3]
    assert len(moved) >= len(fitted.tuned_weights_) - 1


def test_sentences_have_the_default_prompt_of_the_model(folder, scored):
    package = pytest.importorskip("sentence_transformers")
    pairs, scores = scored
    model = package.SentenceTransformer(str(folder), device="cpu")
    written_out = [tuple(f"dog {sentence}" for sentence in pair) for pair in pairs]
    expected = SentenceTransformerFeature(model, **SETTINGS).fit(written_out, scores)
    prompted = copy.deepcopy(model)
    prompted.prompts, prompted.default_prompt_name = {"query": "dog "}, "query"
    fitted = SentenceTransformerFeature(prompted, **SETTINGS).fit(pairs, scores)
    np.testing.assert_array_equal(fitted.transform(pairs), expected.transform(written_out))


def test_the_seed_determines_what_is_tuned(folder, scored, tuned):
    import torch

    torch_state = torch.get_rng_state()
    again = clone(tuned).fit(*scored)
    assert torch.equal(torch.get_rng_state(), torch_state)
    np.testing.assert_array_equal(again.transform(scored[0]), tuned.transform(scored[0]))
    other = clone(tuned).set_params(random_state=1).fit(*scored)
    assert np.abs(other.transform(scored[0]) - tuned.transform(scored[0])).max() > 1e-4


def test_a_pickle_holds_what_was_tuned(scored, tuned):
    again = pickle.loads(pickle.dumps(tuned))
    np.testing.assert_allclose(again.transform(scored[0]), tuned.transform(scored[0]), atol=1e-6)
    np.testing.assert_array_equal(again.probe_, tuned.probe_)


def test_no_model_sees_the_pairs_of_its_fold(folder, scored):
    pairs, scores = scored
    # Whitening learns from the sentences of all pairs, which are no labels.
    settings = {**SETTINGS, "number_weight": 0, "whitening": 0}
    feature = SentenceTransformerFeature(folder, cross_fit=2, **settings)
    cosines = feature.fit_transform(pairs, scores)[:, 0]
    rows = np.arange(len(pairs))
    for train, test in KFold(2, shuffle=True, random_state=0).split(rows):
        part = SentenceTransformerFeature(folder, **settings)
        part.fit([pairs[i] for i in train], scores[train])
        np.testing.assert_allclose(
            cosines[test], part.transform([pairs[i] for i in test])[:, 0], atol=1e-5
        )
    whole = SentenceTransformerFeature(folder, **settings).fit(pairs, scores)
    np.testing.assert_allclose(feature.transform(pairs), whole.transform(pairs), atol=1e-6)
    assert np.corrcoef(cosines, scores)[0, 1] < correlation(whole, pairs, scores)


def test_a_batch_is_of_one_group_and_its_scores_differ():
    rng = np.random.default_rng(0)
    groups = np.repeat(["a", "b", "c"], [45, 12, 30])
    scores = np.where(groups == "c", 1.0, rng.random(87))
    batches = _batches(groups, scores, 20, rng)
    assert all(len(set(groups[rows])) == 1 for rows in batches)
    # Two whole batches of "a" (the last five are left out), one of all of "b", none of "c".
    sizes = sorted((groups[rows[0]], len(rows)) for rows in batches)
    assert sizes == [("a", 20)] * 2 + [("b", 12)]


def test_groups_are_routed_through_a_pipeline(folder, scored):
    pairs, scores = scored
    groups = np.repeat(["x", "y"], 40)
    feature = SentenceTransformerFeature(folder, **SETTINGS)
    union = make_union(feature, LexicalFeatures("counts"))
    pipeline = STSPipeline([("features", union), ("fusion", FusionRegressor())])
    pipeline.fit(pairs, scores, groups=groups, unlabeled=pairs[:5])
    inside = pipeline["features"].transformer_list[0][1]
    alone = clone(feature).fit(pairs, scores, groups=groups)
    np.testing.assert_array_equal(inside.transform(pairs), alone.transform(pairs))
    assert (
        np.abs(clone(feature).fit(pairs, scores).transform(pairs) - alone.transform(pairs)).max()
        > 1e-4
    )


def test_pairs_with_a_blank_sentence_are_left_out(folder, scored):
    pairs, scores = scored
    more = [*pairs, ("", "a dog"), ("music", " ")]
    # Whitening also learns from the sentence beside a blank one.
    settings = {**SETTINGS, "number_weight": 0, "whitening": 0}
    with_blanks = SentenceTransformerFeature(folder, **settings).fit(more, [*scores, 0, 0])
    without = SentenceTransformerFeature(folder, **settings).fit(pairs, scores)
    np.testing.assert_array_equal(with_blanks.transform(pairs), without.transform(pairs))
    np.testing.assert_array_equal(with_blanks.transform(more)[-2:], np.zeros((2, 1)))


def test_what_cannot_be_tuned_is_refused(folder, scored, small_vectors, tuned):
    pairs, scores = scored
    feature = SentenceTransformerFeature(folder, max_iter=1, device="cpu")
    with pytest.raises(ValueError, match="pass y"):
        feature.fit(pairs)
    with pytest.raises(ValueError, match="all scores are the same"):
        feature.fit(pairs, np.ones(len(pairs)))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        feature.fit(pairs, scores, groups=["a"])
    with pytest.raises(TypeError, match="not ParagramEncoder"):
        SentenceTransformerFeature(ParagramEncoder(vectors=small_vectors), max_iter=1).fit(*scored)
    broken = pickle.loads(pickle.dumps(tuned))
    broken.tuned_weights_ = {name: w[:1] for name, w in tuned.tuned_weights_.items()}
    with pytest.raises(ValueError, match="has no weight"):
        broken.transform(pairs)
