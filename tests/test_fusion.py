from __future__ import annotations

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.utils.estimator_checks import parametrize_with_checks

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, make_sts_pipeline
from skpara.datasets import load_sts_sample
from skpara.metrics import pearson_score


def _known_to_differ(estimator):
    if estimator.estimator is not None:
        return {}
    # Splits choose among random features: a row twice is not quite a row of weight two.
    return dict.fromkeys(
        ["check_sample_weight_equivalence_on_dense_data"], "random features in each split"
    )


@parametrize_with_checks(
    [FusionRegressor(random_state=0), FusionRegressor(Ridge(), n_repeats=2, random_state=0)],
    expected_failed_checks=_known_to_differ,
)
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    return X, 5 * X[:, 0] ** 2 + 0.1 * rng.standard_normal(300)


def test_scores_stay_in_range(numbers):
    X, y = numbers
    model = FusionRegressor(LinearRegression()).fit(X, y)
    free = FusionRegressor(LinearRegression(), score_range=None).fit(X, y)
    far = np.vstack([X.min(axis=0) - 1, X.max(axis=0) + 1])
    assert free.predict(far)[0] < 0
    assert free.predict(far)[1] > 5
    np.testing.assert_array_equal(model.predict(far), [0, 5])
    np.testing.assert_array_equal(model.predict(X), np.clip(free.predict(X), 0, 5))


def test_repeats_are_the_mean_of_seeded_copies(numbers):
    X, y = numbers
    model = FusionRegressor(n_repeats=3, score_range=None, random_state=0).fit(X, y)
    assert len({copy.random_state for copy in model.estimators_}) == 3
    mean = np.mean([copy.predict(X) for copy in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict(X), mean)
    np.testing.assert_array_equal(
        FusionRegressor(n_repeats=3, score_range=None, random_state=0).fit(X, y).predict(X), mean
    )


def test_importances_find_the_feature_and_sum_to_one(numbers):
    X, y = numbers
    model = FusionRegressor(n_repeats=2, random_state=0).fit(X, y)
    assert isinstance(model.estimators_[0], GradientBoostingRegressor)
    assert model.feature_importances_.argmax() == 0
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert not hasattr(FusionRegressor(Ridge()).fit(X, y), "feature_importances_")
    assert not hasattr(FusionRegressor(), "feature_importances_")


def test_names_of_a_frame_are_kept(numbers):
    X, y = numbers
    model = FusionRegressor().fit(pd.DataFrame(X, columns=list("abcd")), y)
    assert model.feature_names_in_.tolist() == list("abcd")


@pytest.mark.parametrize("score_range", [(5, 0), (1,), (1, 1)])
def test_bad_range(numbers, score_range):
    with pytest.raises(ValueError, match="low < high"):
        FusionRegressor(score_range=score_range).fit(*numbers)


def test_weights_for_a_regressor_that_takes_none(numbers):
    from sklearn.neighbors import KNeighborsRegressor

    with pytest.raises(ValueError, match="KNeighborsRegressor takes no sample_weight"):
        FusionRegressor(KNeighborsRegressor()).fit(*numbers, sample_weight=np.ones(300))


def test_the_given_estimator_is_not_fitted(numbers):
    given = Ridge()
    FusionRegressor(given).fit(*numbers)
    assert not hasattr(given, "coef_")


@pytest.fixture(scope="module")
def sample():
    return load_sts_sample(return_X_y=True)


def test_the_pipeline_learns_the_sample_and_survives_joblib(sample, tmp_path):
    pairs, scores = sample
    model = make_sts_pipeline(random_state=0).fit(pairs[:400], scores[:400])
    predicted = model.predict(pairs[400:])
    assert pearson_score(scores[400:], predicted) > 0.6
    assert ((predicted >= 0) & (predicted <= 5)).all()
    joblib.dump(model, tmp_path / "sts.joblib")
    again = joblib.load(tmp_path / "sts.joblib", mmap_mode="r")
    np.testing.assert_array_equal(again.predict(pairs[400:]), predicted)
    names = model[:-1].get_feature_names_out()
    assert len(names) == model[-1].n_features_in_


def test_the_readme_s_ways_to_join(sample):
    pairs, scores = sample
    for features in (ParagramEncoder(), make_union(ParagramEncoder(), LexicalFeatures())):
        model = make_pipeline(features, FusionRegressor(random_state=0))
        model.fit(pairs[:60].tolist(), scores[:60])
        predicted = model.predict([("A man plays a guitar.", "Someone is playing music.")])
        assert predicted.shape == (1,)


def test_tuned_by_two_workers_and_reloaded(sample, tmp_path):
    pairs, scores = sample
    search = GridSearchCV(
        make_sts_pipeline(
            ParagramEncoder(max_iter=1, random_state=0),
            LexicalFeatures(["counts", "lengths"]),
            FusionRegressor(Ridge()),
        ),
        {"features__encoder__margin": [0.4, 0.8], "fusion__estimator__alpha": [1.0]},
        cv=2,
        n_jobs=2,
    ).fit(pairs[:120], scores[:120])
    joblib.dump(search.best_estimator_, tmp_path / "best.joblib")
    again = joblib.load(tmp_path / "best.joblib")
    np.testing.assert_array_equal(again.predict(pairs), search.predict(pairs))


def test_unlabeled_sentences_reach_the_parts_that_ask_for_them(sample):
    pairs, scores = sample
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_sts_pipeline(
            ParagramEncoder(max_iter=1, cross_fit=2).set_fit_request(unlabeled=False),
            LexicalFeatures("counts").set_fit_request(unlabeled=True),
            FusionRegressor(Ridge()),
        )
        model.fit(pairs[:60], scores[:60], unlabeled=["a zebra"])
    lexical = dict(model["features"].transformer_list)["lexical"]
    assert "zebra" in lexical.document_frequencies_["word"]
