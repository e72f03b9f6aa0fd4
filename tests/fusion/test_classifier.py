"""The classifier of pairs: classes, calibration, thresholds, files and explanations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import FixedThresholdClassifier

from skpara import (
    FusionClassifier,
    LexicalFeatures,
    explain,
    load_model,
    load_pair_classifier,
    make_pair_classifier,
    save_model,
)
from skpara.explanation import contributions


@pytest.fixture(scope="module")
def data():
    """Two dense columns and a hundred rare ones; the first two matter."""
    rng = np.random.default_rng(0)
    dense = rng.uniform(size=(3000, 2))
    rare = sparse.random(3000, 100, 0.03, random_state=0, format="csr")
    rare.data[:] = 1
    logits = (
        6 * dense[:, 0] - 3 + 3 * rare[:, [0]].toarray()[:, 0] - 3 * rare[:, [1]].toarray()[:, 0]
    )
    labels = rng.uniform(size=3000) < 1 / (1 + np.exp(-logits))
    return sparse.hstack([dense, rare]).tocsr(), labels


@pytest.fixture(scope="module")
def fitted(data):
    X, y = data
    return FusionClassifier(cv=3, random_state=0).fit(X[:1500], y[:1500])


@pytest.fixture(scope="module")
def of_pairs(sample):
    labels = np.where(sample.target >= 3, "same", "other")
    model = make_pair_classifier(
        lexical=LexicalFeatures("counts"), classifier=FusionClassifier(cv=2, random_state=0)
    )
    return model.fit(sample.data, labels)


def test_trees_read_common_columns_only(data, fitted):
    X, y = data
    assert fitted.columns_.tolist() == [0, 1]
    assert not fitted.coef_[:, :2].any()
    assert fitted.coef_[0, 2] > 0.5
    assert fitted.coef_[0, 3] < -0.5
    dense = FusionClassifier(cv=2, random_state=0).fit(X[:200].toarray(), y[:200])
    assert len(dense.columns_) == X.shape[1]


def test_rare_columns_help(data, fitted):
    X, y = data
    without = FusionClassifier(cv=2, random_state=0).fit(X[:1500, :2], y[:1500])
    test = slice(1500, None)
    with_them = roc_auc_score(y[test], fitted.predict_proba(X[test])[:, 1])
    assert with_them > roc_auc_score(y[test], without.predict_proba(X[test, :2])[:, 1]) + 0.005


def test_probabilities_are_calibrated(data, fitted):
    X, y = data
    probabilities = fitted.predict_proba(X[1500:])[:, 1]
    for low in (0, 0.2, 0.4, 0.6, 0.8):
        rows = (probabilities >= low) & (probabilities < low + 0.2)
        assert abs(probabilities[rows].mean() - y[1500:][rows].mean()) < 0.08


def test_thresholds_reach_their_target_on_new_pairs(data, fitted):
    X, y = data
    probabilities = fitted.predict_proba(X[1500:])[:, 1]
    for precision in (0.6, 0.7, 0.8):
        above = probabilities >= fitted.threshold(precision=precision)
        assert y[1500:][above].mean() > precision - 0.04
    above = probabilities >= fitted.threshold(recall=0.9)
    assert above[y[1500:]].mean() > 0.87


@pytest.mark.parametrize("kind", ["precision", "recall"])
def test_thresholds_grow_with_the_target_and_its_confidence(fitted, kind):
    targets = np.linspace(0.55, 0.8, 6)
    thresholds = [fitted.threshold(**{kind: target}) for target in targets]
    assert thresholds == sorted(thresholds, reverse=kind == "recall")
    thresholds = [fitted.threshold(**{kind: 0.6}, confidence=c) for c in (None, 0.7, 0.9, 0.99)]
    assert thresholds == sorted(thresholds, reverse=kind == "recall")
    assert len(set(thresholds)) > 2


def test_targets_that_cannot_be_reached(fitted):
    with pytest.raises(ValueError, match="No threshold has a precision of 1 on held-out"):
        fitted.threshold(precision=1)
    with pytest.raises(ValueError, match=r"with a confidence of 0\.999 on"):
        fitted.threshold(precision=0.86, confidence=0.999)
    with pytest.raises(ValueError, match="confidence must be between 0 and 1, got 1"):
        fitted.threshold(precision=0.6, confidence=1)
    with pytest.raises(ValueError, match=r"between 0 and 1, got 90\. Did you mean 0\.9"):
        fitted.threshold(recall=90)
    assert fitted.threshold(0.6) == fitted.threshold(precision=0.6)
    for targets in ({}, {"precision": 0.5, "recall": 0.5}):
        with pytest.raises(ValueError, match="Pass one of precision and recall"):
            fitted.threshold(**targets)


def test_pairs_between_two_thresholds_are_unsure(data, fitted):
    X, y = data
    new, truth = X[1500:], y[1500:]
    decided = fitted.decide(new, precision=0.8)
    for name in (False, True):
        assert (truth[decided == name] == name).mean() > 0.77
    above = fitted.predict_proba(new)[:, 1] >= fitted.threshold(precision=0.8)
    np.testing.assert_array_equal(decided == True, above)  # noqa: E712
    unsure = (decided == "unsure").mean()
    assert 0.1 < unsure < (fitted.decide(new, precision=0.8, confidence=0.9) == "unsure").mean()
    # Easy targets leave nothing open, and one class may be decided alone.
    assert set(fitted.decide(new, precision=0.6).tolist()) == {False, True}
    few = FusionClassifier(cv=2, random_state=0)
    alone = few.fit(X[:1500, :2], X[:1500, [2]].toarray().ravel() > 0)
    assert set(alone.decide(new[:, :2], precision=0.95, unsure=None).tolist()) <= {False, None}
    with pytest.raises(ValueError, match="No threshold has a precision of 1 on"):
        fitted.decide(new, precision=1)
    with pytest.raises(ValueError, match="unsure=True is one of the classes"):
        fitted.decide(new, precision=0.8, unsure=True)


@pytest.mark.parametrize("names", [(0, 1), (False, True), ("a", "b")])
def test_any_two_classes(data, names):
    X, y = data
    labels = np.array(names)[y[:300].astype(int)]
    model = FusionClassifier(cv=2, random_state=0).fit(X[:300], labels)
    assert model.classes_.tolist() == list(names)
    predicted = model.predict(X[:50])
    assert predicted.dtype == labels.dtype
    best = model.predict_proba(X[:50]).argmax(axis=1)
    assert predicted.tolist() == model.classes_[best].tolist()


def test_three_classes(sample):
    pairs, kinds = sample.data[:100], np.array(["contradiction", "neutral", "entailment"])
    labels = kinds[np.digitize(sample.target[:100], [2, 4])]
    model = make_pair_classifier(
        lexical=LexicalFeatures("counts"),
        classifier=FusionClassifier(cv=2, random_state=0),
        ordered=True,
    ).fit(pairs, labels)
    probabilities = model.predict_proba(pairs)
    assert probabilities.shape == (len(labels), 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert model.score(pairs, labels) > 0.6
    for method, data in ((model.threshold, ()), (model.decide, (pairs,))):
        with pytest.raises(ValueError, match="binary classification only, got 3 classes"):
            method(*data, precision=0.9)


def test_what_folds_need(data):
    X, _ = data
    with pytest.raises(ValueError, match="y has one class"):
        FusionClassifier().fit(X[:10], ["a"] * 10)
    with pytest.raises(ValueError, match="Only one pair is of the class 'b'"):
        FusionClassifier().fit(X[:10], ["a"] * 9 + ["b"])
    with pytest.raises(ValueError, match="must hold out each pair once"):
        FusionClassifier(cv=[(np.arange(5), np.arange(5, 8))]).fit(X[:10], ["a", "b"] * 5)


def test_groups_are_held_out_together(data):
    X, _ = data
    groups = np.repeat(np.arange(100), 4)
    # The group says the class: only a model that sees other pairs of the group can know it.
    labels = np.repeat(np.random.default_rng(0).integers(2, size=100), 4)
    columns = np.column_stack([groups, X[:400, 0].toarray().ravel()])
    forest = RandomForestClassifier(n_estimators=5, random_state=0)
    alone = FusionClassifier(forest, cv=3, random_state=0)
    sure = alone.fit(columns, labels).weights_.item()
    assert clone(alone).fit(columns, labels, groups=groups).weights_.item() < sure / 2
    with pytest.raises(ValueError, match="A class is in one fold only"):
        FusionClassifier().fit(X[:10], ["a"] * 5 + ["b"] * 5, groups=["a"] * 5 + ["b"] * 5)


def test_weights_shift_probabilities(data):
    X, y = data
    X, y, rows = X[:200], y[:200], X[1000:1500]
    weights = np.where(y, 5.0, 1.0)
    plain = FusionClassifier(cv=2, random_state=0).fit(X, y)
    weighted = FusionClassifier(cv=2, random_state=0).fit(X, y, sample_weight=weights)
    shares = [model.predict_proba(rows)[:, 1].mean() for model in (weighted, plain)]
    assert shares[0] > shares[1] + 0.1
    # Their unit does not matter.
    same = clone(plain).fit(X, y, sample_weight=weights / 128)
    np.testing.assert_array_equal(same.predict_proba(rows), weighted.predict_proba(rows))
    assert same.threshold(precision=0.8) == weighted.threshold(precision=0.8)
    masked = np.ma.array(weights, mask=weights == 1)
    for wrong in (np.where(y, -1, 1), np.zeros(200), 1e200 * weights, masked):
        with pytest.raises(ValueError, match=r"not 0 for all|at least one non-zero|NaN"):
            plain.fit(X, y, sample_weight=wrong)


def test_probabilities_for_another_base_rate(data, fitted):
    X, y = data
    rng = np.random.default_rng(0)
    second, first = np.flatnonzero(y[1500:]) + 1500, np.flatnonzero(~y[1500:]) + 1500
    rows = np.concatenate([first, rng.choice(second, len(first) // 19, replace=False)])
    rare = clone(fitted).set_params(base_rate=0.05)
    for name, value in vars(fitted).items():
        if name.endswith("_"):
            setattr(rare, name, value)
    assert fitted.predict_proba(X[rows])[:, 1].mean() > 0.2
    probabilities = rare.predict_proba(X[rows])[:, 1]
    assert probabilities.mean() == pytest.approx(y[rows].mean(), abs=0.02)
    order = np.argsort(fitted.decision_function(X[rows]), kind="stable")
    assert (np.diff(rare.decision_function(X[rows])[order]) >= 0).all()
    above = probabilities >= rare.threshold(precision=0.25)
    assert y[rows][above].mean() > 0.22
    above = fitted.predict_proba(X[rows])[:, 1] >= fitted.threshold(precision=0.7)
    assert y[rows][above].mean() < 0.22
    rows = rows[::50]
    baseline, added = contributions(rare, X[rows])
    total = baseline + np.asarray(added).sum(axis=1)
    np.testing.assert_allclose(total, rare.decision_function(X[rows]))
    with pytest.raises(ValueError, match="base_rate"):
        rare.set_params(base_rate=5).predict(X[:1])
    with pytest.raises(ValueError, match="two classes"):
        FusionClassifier(base_rate=0.1).fit(np.eye(6), [0, 1, 2] * 2)


def test_one_column_needs_no_trees(data):
    X, y = data
    model = FusionClassifier(cv=2, random_state=0).fit(X[:, [0]].toarray(), y)
    assert model.estimators_ == []
    assert (np.diff(model.predict_proba(np.linspace(0, 1, 9)[:, None])[:, 1]) > 0).all()
    with pytest.raises(AttributeError, match="default estimator"):
        _ = model.feature_importances_


def test_rows_do_not_depend_on_each_other(data, fitted):
    X, _ = data
    for rows in (X[:100], X[:100].toarray()):
        together = fitted.predict_proba(rows)
        alone = [fitted.predict_proba(rows[[k]])[0] for k in range(20)]
        np.testing.assert_array_equal(alone, together[:20])
    assert fitted.predict_proba(X[:0]).shape == (0, 2)
    np.testing.assert_allclose(fitted.predict_proba(X[:100].toarray()), together)


def test_importances_are_of_common_columns(fitted):
    assert fitted.feature_importances_.sum() == pytest.approx(1)
    assert fitted.feature_importances_.argmax() == 0
    assert not fitted.feature_importances_[2:].any()


def test_contributions_sum_to_the_decision(data, fitted):
    X, _ = data
    baseline, added = contributions(fitted, X[:10])
    np.testing.assert_allclose(
        baseline + added.sum(axis=1), fitted.decision_function(X[:10]), atol=1e-9
    )


def test_explanations_name_words(of_pairs):
    pairs = [("A dog runs.", "A dog does not run."), ("A man sings.", "A man sings.")]
    explanations = explain(of_pairs, pairs)
    np.testing.assert_allclose(
        [explanation.unclipped for explanation in explanations], of_pairs.decision_function(pairs)
    )
    names = explanations[0].names
    assert "terms__both dog" in names
    assert "lexical__cosine" in names
    assert len(names) < 100
    assert explain(of_pairs, np.empty((0, 2), dtype=object)) == []


def test_a_saved_classifier_is_the_same(of_pairs, sample, tmp_path):
    loaded = load_model(save_model(of_pairs, tmp_path / "model.skpara"))
    expected = of_pairs.predict_proba(sample.data)
    np.testing.assert_array_equal(loaded.predict_proba(sample.data), expected)
    assert loaded.threshold(recall=0.9) == of_pairs.threshold(recall=0.9)
    longer = type(of_pairs)([of_pairs.steps[0], ("same", "passthrough"), of_pairs.steps[1]])
    decide = (model.decide(sample.data, precision=0.8) for model in (loaded, of_pairs, longer))
    assert len(set(map(str, map(list, decide)))) == 1
    of_pairs[-1].curve_ = of_pairs[-1].curve_[:, :3]  # as in files of 0.2.0
    loaded = load_model(save_model(of_pairs, tmp_path / "model.skpara"))
    assert loaded.threshold(recall=0.9) == of_pairs.threshold(recall=0.9)
    assert str(explain(loaded, sample.data[:1])[0]) == str(explain(of_pairs, sample.data[:1])[0])


def test_thresholds_of_scikit_learn(of_pairs, sample):
    labels = np.where(sample.target >= 3, "same", "other")
    threshold = of_pairs.threshold(recall=0.8)
    fixed = FixedThresholdClassifier(of_pairs, threshold=threshold, pos_label="same")
    above = fixed.fit(sample.data, labels).predict(sample.data) == "same"
    np.testing.assert_array_equal(above, of_pairs.predict_proba(sample.data)[:, 1] >= threshold)


def test_packaged_classifier_is_fitted(tmp_path):
    model = load_pair_classifier()
    pairs = [("A man plays a guitar.", "A man is playing a guitar."), ("It rains.", "A cat.")]
    assert model.predict(pairs).tolist() == ["same", "different"]
    assert 0 < model.threshold(precision=0.8) < 1
    assert len(explain(model, pairs)) == 2
    alone = [model.predict_proba([pair])[0] for pair in pairs]
    np.testing.assert_allclose(model.predict_proba(pairs), alone, rtol=1e-9)
    loaded = load_model(save_model(model, tmp_path / "model.skpara"))
    np.testing.assert_array_equal(loaded.predict_proba(pairs), model.predict_proba(pairs))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Flight from London to Paris", "Flight from Paris to London", False),
        ("The dog bites the man.", "The man bites the dog.", False),
        ("Meeting on Monday at 10", "Meeting on Tuesday at 10", False),
        ("iPhone 12 64GB black", "iPhone 13 64GB black", False),
        ("The service was good.", "The service was not good.", False),
        ("Profit rose 3 percent", "Profit fell 3 percent", False),
        ("The dog bites the man.", "The man is bitten by the dog.", True),
        ("It costs 5 dollars.", "It costs $5.", True),
        ("It is not easy.", "It isn't easy.", True),
        ("It has 64GB of memory.", "It has 64 GB of memory.", True),
        ("The shop opens at 18:00.", "The shop opens at 6 pm.", True),
        ("It has 1,000 seats.", "It has 1000 seats.", True),
    ],
)
def test_packaged_classifier_tells_opposites_from_repeats(first, second, same):
    probabilities = load_pair_classifier().predict_proba([(first, second), (second, first)])[:, 1]
    assert (probabilities > 0.5).all() if same else (probabilities < 0.3).all()
    np.testing.assert_allclose(*probabilities, rtol=1e-9)
