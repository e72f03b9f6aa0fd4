"""The whole system as one pipeline."""

from __future__ import annotations

import warnings

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import StandardScaler

from skpara import (
    FusionClassifier,
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    WordVectors,
    explain,
    learning,
    load_pair_classifier,
    make_pair_classifier,
    make_sts_pipeline,
    novelty,
)
from skpara.fusion import make_cosine_scorer
from skpara.metrics import pearson_score, pearson_scorer


@pytest.fixture(scope="module")
def model(scored_sample):
    pairs, scores = scored_sample
    return make_sts_pipeline(random_state=0).fit(pairs[:120], scores[:120])


def test_the_pipeline_learns_the_sample_and_survives_joblib(scored_sample, model, tmp_path):
    pairs, scores = scored_sample
    predicted = model.predict(pairs[400:])
    assert pearson_score(scores[400:], predicted) > 0.6
    assert ((predicted >= 0) & (predicted <= 5)).all()
    joblib.dump(model, tmp_path / "sts.joblib")
    again = joblib.load(tmp_path / "sts.joblib", mmap_mode="r")
    np.testing.assert_array_equal(again.predict(pairs[400:]), predicted)
    assert len(model[:-1].get_feature_names_out()) == model[-1].n_features_in_


def test_two_steps_boost(scored_sample):
    pairs, scores = scored_sample
    model = Pipeline([("encoder", ParagramEncoder()), ("fusion", FusionRegressor())])
    model.set_params(encoder__random_state=0, fusion__random_state=0)
    model.fit(pairs[:300], scores[:300])
    fusion = model["fusion"]
    assert fusion.linear_weight_ == 0.6
    assert len(fusion.estimators_) == 1
    assert fusion.feature_importances_.shape == (3,)
    assert (fusion.feature_importances_ > 0).all()
    assert pearson_score(scores[300:], model.predict(pairs[300:])) > 0.8


def test_a_search_over_boosting_changes_the_scores(scored_sample):
    pairs, scores = scored_sample
    trees = GradientBoostingRegressor(n_estimators=20)
    model = Pipeline(
        [
            ("encoder", ParagramEncoder(max_iter=1, random_state=0)),
            ("fusion", FusionRegressor(trees, linear_weight=0.6)),
        ]
    )
    grid = {"fusion__estimator__max_depth": [1, 4], "fusion__random_state": [0]}
    search = GridSearchCV(model, grid, scoring=pearson_scorer, cv=2)
    one, other = search.fit(pairs[:120], scores[:120]).cv_results_["mean_test_score"]
    assert one != other
    assert len(search.best_estimator_["fusion"].feature_importances_) == 3


@pytest.mark.slow
def test_tuned_by_two_workers_and_reloaded(scored_sample, tmp_path):
    pairs, scores = scored_sample
    search = GridSearchCV(
        make_sts_pipeline(
            ParagramEncoder("projection", max_iter=1, random_state=0),  # trains by torch
            LexicalFeatures(["counts", "lengths"]),
            FusionRegressor(Ridge()),
            paraphraser=None,
        ),
        {"features__encoder__word_decay": [1e-5, 1e-4], "fusion__estimator__alpha": [1.0]},
        cv=2,
        n_jobs=2,
    ).fit(pairs[:120], scores[:120])
    joblib.dump(search.best_estimator_, tmp_path / "best.joblib")
    again = joblib.load(tmp_path / "best.joblib")
    np.testing.assert_array_equal(again.predict(pairs), search.predict(pairs))


class Teacher:
    """Encodes a sentence by its length, and records it."""

    def __init__(self):
        self.encoded = []

    def encode(self, sentences):
        self.encoded += sentences
        lengths = np.array([len(sentence) for sentence in sentences])
        return np.column_stack([np.cos(lengths / 50), np.sin(lengths / 50)])


def parts(model):
    return dict(model["features"].transformer_list)


def small(paraphraser="copy", teacher=None, **options):
    """The system with few features, short training and few vectors."""
    model = make_sts_pipeline(
        paraphraser=paraphraser,
        teacher=teacher and learning.Teacher(teacher, max_iter=1),
        lexical=LexicalFeatures("counts"),
        regressor=FusionRegressor(Ridge()),
        random_state=0,
        **options,
    )
    names = [n for n in parts(model) if n != "lexical"]
    cross_fit = {f"features__{n}__cross_fit": 2 for n in names if n != "taught"}
    epochs = {f"features__{n}__max_iter": 1 for n in names if n != "taught"}
    packaged = WordVectors.load("default")
    subset = WordVectors(packaged.words[:500], packaged.matrix[:500])
    vectors = {f"features__{n}__vectors": subset for n in names}
    return model.set_params(**cross_fit, **epochs, **vectors)


def test_the_options_decide_which_parts_there_are():
    assert list(parts(make_sts_pipeline())) == ["encoder", "lexical"]
    model = make_sts_pipeline(
        paraphraser="copy", teacher=Teacher(), positive_threshold=4, score_range=(1, 5)
    )
    assert list(parts(model)) == ["encoder", "synthetic", "taught", "lexical"]
    for name in ("encoder", "synthetic"):
        assert parts(model)[name].positive_threshold == 4
    assert model["fusion"].score_range == (1, 5)


ZEBRAS = ["a zebra", "two zebras graze"]


@pytest.mark.parametrize(
    ("unlabeled", "routed"), [(ZEBRAS, False), (np.array([ZEBRAS] * 3, dtype=object), True)]
)
def test_unlabeled_sentences_reach_every_part_also_as_pairs(scored_sample, unlabeled, routed):
    pairs, scores = scored_sample[0], scored_sample[1][:60]
    n_paraphrases = (scores >= scores.min() + 0.76 * np.ptp(scores)).sum()
    teacher = Teacher()
    with sklearn.config_context(enable_metadata_routing=routed):
        model = small(teacher=teacher).fit(pairs[:60], scores, unlabeled=unlabeled)
    assert "zebra" in parts(model)["lexical"].document_frequencies_["word"]
    assert parts(model)["synthetic"].n_paraphrases_ == n_paraphrases + len(ZEBRAS)
    assert parts(model)["encoder"].n_paraphrases_ == len(scores)
    assert set(ZEBRAS) <= set(teacher.encoded)
    assert len(teacher.encoded) == len(set(teacher.encoded))  # encoded once for all
    # as with any other pipeline
    same = {"features__unlabeled": np.ravel(unlabeled).tolist()}
    named = small(teacher=teacher).fit(pairs[:60], scores, **same)
    np.testing.assert_array_equal(named.predict(pairs[:99]), model.predict(pairs[:99]))


@pytest.mark.parametrize(("low", "high"), [(0, 100), (-3, -1)])
def test_predictions_follow_the_scale_of_the_scores(scored_sample, low, high):
    pairs, scores = scored_sample
    expected = small().fit(pairs[:80], scores[:80])
    model = small().fit(pairs[:80], low + (high - low) * scores[:80] / 5)
    for name in ("encoder", "synthetic"):
        assert parts(model)[name].n_paraphrases_ == parts(expected)[name].n_paraphrases_
    rescaled = low + (high - low) * expected.predict(pairs[200:]) / 5
    # Encoders learn in single precision.
    np.testing.assert_allclose(model.predict(pairs[200:]), rescaled, atol=1e-4 * (high - low))


def test_the_default_ranks_alike_on_any_scale(scored_sample, model):
    pairs, scores = scored_sample
    percent = make_sts_pipeline(random_state=0).fit(pairs[:120], 20 * scores[:120])
    expected, predicted = model.predict(pairs[400:]), percent.predict(pairs[400:]) / 20
    # Rounding errors decide between equally good splits of the trees.
    np.testing.assert_allclose(predicted, expected, atol=0.25)
    assert pearson_score(expected, predicted) > 0.999


def test_a_few_pairs_are_scored_as_many(scored_sample, model, monkeypatch):
    pairs = scored_sample[0][:150]
    expected = model.predict(pairs)
    for n, n_pairs in ((1, 20), (2, 20), (7, 42), (64, 150), (65, 150)):
        parts = [model.predict(pairs[i : i + n]) for i in range(0, n_pairs, n)]
        np.testing.assert_array_equal(np.concatenate(parts)[:n_pairs], expected[:n_pairs])
    assert model.predict([]).shape == (0,)
    monkeypatch.setattr(FeatureUnion, "transform", None)  # few pairs do without it
    np.testing.assert_array_equal(model.predict(pairs[:3].tolist()), expected[:3])


def test_a_few_pairs_are_scored_as_the_parameters_say(scored_sample):
    pairs, scores = scored_sample
    trees = FusionRegressor(GradientBoostingRegressor(n_estimators=9), linear_weight=0.5)
    model = make_sts_pipeline(lexical=LexicalFeatures("counts"), regressor=trees, random_state=0)
    with pytest.raises(NotFittedError):
        model.predict(pairs[:2])
    # Columns have names only where pandas is the output.
    for container in ("pandas", "default"):
        model.set_output(transform=container).fit(pairs[:60], scores[:60])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            before = model.predict(pairs[60:63])
    changed = model.set_params(features__transformer_weights={"lexical": 0.0}).predict(
        pairs[60:63]
    )
    np.testing.assert_array_equal(changed, model.predict(pairs[60:160])[:3])
    assert (changed != before).any()
    model.set_params(fusion=StandardScaler())
    assert not hasattr(model, "predict")


def test_data_that_no_step_uses_is_refused(scored_sample):
    pairs, scores = scored_sample
    model = small().set_params(fusion=Ridge())
    with pytest.raises(TypeError, match="groups"):
        model.fit(pairs[:60], scores[:60], groups=np.ones(60))
    model.fit(pairs[:60], scores[:60], unlabeled=pairs[60:70])
    with pytest.raises(TypeError, match="one kind or the other"):
        model.fit(pairs[:60], scores[:60], unlabeled=["a"], features__unlabeled=["a"])


def test_a_grid_search_encodes_a_sentence_once_by_the_teacher(scored_sample):
    pairs, scores = scored_sample
    teacher = Teacher()
    model = small(teacher=teacher, paraphraser=None)
    search = GridSearchCV(model, {"features__taught__random_state": [1, 2]}, cv=2, refit=False)
    search.fit(pairs[:60], scores[:60])
    assert len(teacher.encoded) == len(set(teacher.encoded))


def test_groups_and_weights_reach_the_regressor(scored_sample):
    pairs, scores = scored_sample
    groups, weights = np.arange(60) % 2, np.linspace(1, 3, 60)
    model = small().set_params(fusion__linear_weight=1.0)
    # Encoders that learn would use the weights, too.
    model.set_params(**{name: 0 for name in model.get_params() if name.endswith("__max_iter")})
    model.fit(pairs[:60], scores[:60], groups=groups, sample_weight=weights)
    features = clone(model[:-1]).fit_transform(pairs[:60], scores[:60])
    expected = clone(model[-1]).fit(features, scores[:60], weights, groups).linear_[-1].coef_
    np.testing.assert_allclose(model[-1].linear_[-1].coef_, expected)
    named = {"fusion__groups": groups, "fusion__sample_weight": weights}
    again = clone(model).fit(pairs[:60], scores[:60], **named)
    np.testing.assert_array_equal(again[-1].linear_[-1].coef_, model[-1].linear_[-1].coef_)


def test_a_sentence_is_most_like_itself(scored_sample, model):
    sentences = scored_sample[0][::20, 0]
    same = model.predict(np.column_stack([sentences, sentences]))
    other = model.predict(np.column_stack([sentences, np.roll(sentences, 1)]))
    assert same.min() > 3.3
    assert other.max() < 3
    assert same.mean() - other.mean() > 2.5


def test_mistakes_name_their_remedy(scored_sample, model):
    pairs, scores = scored_sample
    dummy = make_pair_classifier(lexical=LexicalFeatures("counts"), classifier=DummyClassifier())
    for call, error, remedy in (
        (lambda: model.predict("a", "b"), TypeError, r"One pair is \[\(sentence1, sentence2\)\]"),
        (lambda: model.fit(*pairs.T, scores), TypeError, r"two lists are list\(zip\("),
        (lambda: model.predict_proba(pairs), AttributeError, r"make_pair_classifier\(\)"),
        (lambda: dummy.fit(pairs, scores), ValueError, r"such as 0\.5\. make_sts_pipeline\(\)"),
        (lambda: explain(model, "a", "b"), TypeError, r"\[\(sentence1, sentence2\)\]"),
        (lambda: novelty(model, "a", "b"), TypeError, r"\[\(sentence1, sentence2\)\]"),
        (lambda: model.predict("pairs.csv"), TypeError, "Read it first, by .*read_pairs"),
        (lambda: ParagramEncoder().similarity(pairs), TypeError, r"similarity\(\*zip\(\*pairs\)"),
        (lambda: ParagramEncoder().encode([("a", "b")]), ValueError, "one column of pairs"),
        (lambda: FusionClassifier().fit([[0]] * 9, scores[:9]), ValueError, "Regressors, as of"),
    ):
        with pytest.raises(error, match=remedy):
            call()
    encoder = ParagramEncoder(negatives=learning.Negatives(margin=0.8), max_iter=1)
    for call, remedy in (
        (lambda: dummy.fit(pairs, scores.round()), r"6 whole .* graded scores, make_sts_pipeline"),
        (lambda: small().fit(pairs[:49], scores[:49]), "49 training pairs.*load_pair_classifier"),
        (lambda: encoder.fit(pairs[:60], scores[:60]), "^negatives: .*graded scores"),
        (lambda: make_sts_pipeline(encoder, positive_threshold=3), "^positive_threshold: "),
        (lambda: small(score_range=(0, 5), intervals=True), "^score_range and intervals: "),
        (lambda: make_pair_classifier(terms="drop", ordered=True), "^ordered: "),
        (lambda: make_pair_classifier(classifier=Ridge(), random_state=0), "^random_state: "),
    ):
        with pytest.warns(UserWarning, match=remedy):
            call()


FOREIGN = [
    *[("Das Wetter ist heute sehr schön.", "Heute scheint den ganzen Tag die Sonne.")] * 30,
    *[("Un hombre toca la guitarra en la calle.", "Alguien está tocando música.")] * 30,
]


@pytest.mark.parametrize("strange", [*FOREIGN[29:31], ("今天天气很好。", "外面阳光明媚。")])
def test_text_in_another_language_is_pointed_out_once(scored_sample, model, strange):
    classifier = load_pair_classifier()
    for X in ([strange], [strange] * 500, [*scored_sample[0][:50].tolist(), *[strange] * 500]):
        calls = (classifier.predict_proba, make_cosine_scorer().predict, model.predict)
        for predict in (*calls, lambda X: ParagramEncoder().similarity(*zip(*X, strict=True))):
            with pytest.warns(UserWarning, match="another language.*TranslateToEnglish") as shown:
                predict(X)
            assert len(shown) == 1


def test_documents_are_pointed_out():
    with pytest.warns(UserWarning, match="6,000 characters.*sentences or paragraphs"):
        make_cosine_scorer().predict([("It rains. " * 601, "It rains.")])


def test_text_that_a_model_knows_is_no_surprise(scored_sample):
    """English of any kind, words of the training pairs, vectors of another language."""
    few = [("Wzk xkvz bnm.", "Qwrt zpl."), ("Ibuprofen", "Amoxicillin"), ("", "..."), ("12", "7")]
    scorer, classifier = make_cosine_scorer(), load_pair_classifier()
    for i, pair in enumerate([*few, *scored_sample[0][::10].tolist()]):
        scorer.predict([pair])
        if i % 4 == 0 or pair in few:
            classifier.predict([pair])
    lexical = make_sts_pipeline("drop", LexicalFeatures("fast"), random_state=0)
    lexical.fit(FOREIGN, np.arange(60)).predict(FOREIGN[:1])
    vectors = WordVectors.load({"wetter": [1.0, 0.0], "sonne": [0.5, 1.0]})
    make_cosine_scorer(vectors).predict(FOREIGN)
    ParagramEncoder(vectors=vectors).similarity(*zip(*FOREIGN, strict=True))


@pytest.mark.parametrize("make", [make_sts_pipeline, make_pair_classifier])
def test_names_of_features_are_no_transformer(make):
    with pytest.raises(TypeError, match=r"such as LexicalFeatures\('fast'\)"):
        make(lexical="fast")
