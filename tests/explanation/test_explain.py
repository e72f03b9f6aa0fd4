"""From a fitted model and pairs to explanations."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skpara import (
    FusionClassifier,
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    TableMatcher,
    WordVectors,
    load_pair_classifier,
)
from skpara.augment import FunctionTranslator, TranslateToEnglish
from skpara.explanation import explain
from skpara.networks import Average

FEATURES = ["align_f", "len_sum", "cosine_icf", "edit_words"]
PAIRS = [
    ("A man plays a guitar.", "Someone is playing music."),
    ("Two dogs run through the snow.", "Two dogs run through the snow."),
    ("A girl rides a horse.", "Prices rose 3%."),
    ("", "Hello there"),
    ("?", ""),
]


def boosting():
    return GradientBoostingRegressor(n_estimators=20, random_state=0)


@pytest.fixture(scope="module")
def sample(scored_sample):
    return scored_sample[0][:80], scored_sample[1][:80]


@pytest.fixture(scope="module")
def model(sample):
    features = make_union(ParagramEncoder(max_iter=1), LexicalFeatures(FEATURES))
    return make_pipeline(features, FusionRegressor(boosting())).fit(*sample)


def texts(explanation):
    first, second = explanation.words
    return [(first[m.first].text, second[m.second].text, m.kind) for m in explanation.matches]


@pytest.mark.parametrize("empty", [[], np.empty((0, 2), dtype=object)], ids=["list", "array"])
def test_no_pairs_have_no_explanations(model, empty):
    assert explain(model, empty) == []
    assert explain(ParagramEncoder(max_iter=0), empty) == []


def test_contributions_sum_to_the_models_score(model):
    explanations = explain(model, PAIRS)
    assert [e.pair for e in explanations] == PAIRS
    np.testing.assert_allclose([e.score for e in explanations], model.predict(PAIRS))
    for explanation, row in zip(explanations, model[:-1].transform(PAIRS), strict=True):
        assert explanation.names == tuple(model[:-1].get_feature_names_out())
        np.testing.assert_allclose(explanation.values, row)
        assert not explanation.clipped
        assert explanation.unclipped == pytest.approx(explanation.score, abs=1e-8)
        strengths = [abs(added) for _, _, added in explanation.top(2)]
        assert strengths == sorted(np.abs(explanation.contributions), reverse=True)[:2]
    assert texts(explanations[1]) == [(w, w, "same") for w in "Two dogs run through snow".split()]
    assert explanations[1].unmatched() == ((), ())
    assert explanations[3].matches == explanations[4].matches == ()


def test_words_are_those_of_the_sentences(model):
    first, second = explain(model, PAIRS[:1])[0].words
    assert [word.text for word in first] == ["A", "man", "plays", "a", "guitar", "."]
    assert [word.text for word in second if word.content] == ["Someone", "playing", "music"]
    guitar, stop = first[4], first[5]
    vectors, frequencies = (
        getattr(model[0].transformer_list[1][1], name) for name in ("vectors_", "frequencies_")
    )
    assert guitar.norm == pytest.approx(np.linalg.norm(vectors["guitar"]), rel=1e-6)
    assert stop.information == 0
    assert guitar.information == frequencies.information(["guitar"])[0]
    assert guitar.information > first[1].information  # rarer than "man"


def test_matches_are_those_of_the_feature(sample):
    lexical = LexicalFeatures(["aligned_content", "aligned_content_ic"])
    counted = make_pipeline(lexical, Ridge()).fit(*sample)
    for explanation in explain(counted, sample[0]):
        matched = sum(match.similarity for match in explanation.matches)
        first, second = explanation.words
        shared = sum(
            match.similarity * (first[match.first].information + second[match.second].information)
            for match in explanation.matches
        )
        content = [word for side in explanation.words for word in side if word.content]
        information = sum(word.information for word in content)
        expected = [2 * matched / len(content), shared / information]
        assert explanation.values == pytest.approx(expected, rel=1e-5)


def test_kinds_of_matches():
    near = {"big": [1, 0, 0], "hot": [0, 1, 0], "guitar": [0, 0, 1]}
    near |= {"large": [0.8, 0.6, 0], "cold": [0, 0.8, 0.6], "music": [0.6, 0, 0.8]}
    lexical = LexicalFeatures("word_alignment", vectors=near)
    counted = make_pipeline(lexical, Ridge()).fit(PAIRS, range(5))
    pairs = [
        ("A big dog runs.", "The large dogs ran home."),
        ("It was a hot day.", "It was a cold day."),
        ("guitar", "music"),
    ]
    assert [texts(explanation) for explanation in explain(counted, pairs)] == [
        [("big", "large", "synonym"), ("dog", "dogs", "lemma"), ("runs", "ran", "lemma")],
        [("hot", "cold", "antonym"), ("day", "day", "same")],
        [("guitar", "music", "similar")],
    ]


def test_features_are_shown_as_they_were_before_scaling(sample):
    lexical = LexicalFeatures(FEATURES)
    scaled = make_pipeline(lexical, StandardScaler(), Ridge()).fit(*sample)
    for explanation, pair in zip(explain(scaled, PAIRS), PAIRS, strict=True):
        assert explanation.names == tuple(FEATURES)
        np.testing.assert_allclose(explanation.values, lexical.transform([pair])[0])
        assert explanation.unclipped == pytest.approx(explanation.score)


def test_a_translated_pair_is_explained_in_english(sample):
    english = {"un perro grande": "a big dog"}
    translator = FunctionTranslator(lambda texts: [english[text] for text in texts], "es-en")
    to_english = TranslateToEnglish(
        translators={"es": translator},
        detector=lambda texts: ["es" if text in english else "en" for text in texts],
    )
    pair = ("un perro grande", "a dog")
    steps = make_pipeline(to_english, LexicalFeatures(FEATURES), Ridge())
    explanation = explain(steps.fit(*sample), [pair])[0]
    assert explanation.pair == pair
    assert texts(explanation) == [("dog", "dog", "same")]


def test_the_cosine_of_an_average_is_split_over_pairs_of_words():
    vectors = WordVectors(["red", "dog", "cat"], np.array([[1, 0], [0, 2], [1, 1]], np.float32))
    network = Average(distinct_words=False, redundancy=0.0)
    encoder = ParagramEncoder(network, vectors=vectors)
    explanation = explain(encoder, [("red dog dog", "cat red")])[0]
    # (1, 4) and (2, 1); "dog" counts twice
    shares = {"red ~ cat": 1, "red ~ red": 1, "dog ~ cat": 4, "dog ~ red": 0}
    contributions = dict(zip(explanation.names, explanation.contributions, strict=True))
    assert contributions == pytest.approx({k: v / np.sqrt(17 * 5) for k, v in shares.items()})
    assert explanation.baseline == 0
    assert explanation.score == pytest.approx(6 / np.sqrt(17 * 5))
    np.testing.assert_allclose(explanation.values, [0.5**0.5, 1, 0.5**0.5, 0], atol=1e-7)
    encoder = ParagramEncoder(Average(redundancy=0.0), vectors=vectors)
    once = explain(encoder, [("red dog dog", "cat red")])[0]
    assert once.score == pytest.approx(4 / np.sqrt(5 * 5))  # (1, 2) and (2, 1)
    np.testing.assert_allclose(once.contributions, [0.2, 0.2, 0.4, 0], atol=1e-7)


def test_the_cosine_of_a_weighted_average_has_the_weights_in_its_parts():
    vectors = WordVectors(["red", "dog", "cat"], np.array([[1, 0], [0, 2], [1, 1]], np.float32))
    encoder = ParagramEncoder(Average(distinct_words=False, redundancy=2.0), vectors=vectors)
    explanation = explain(encoder, [("red dog dog", "cat red")])[0]
    # "dog" is similar to another word by 1, "cat" and "red" by r: (1, 4/3), (2, 1) / (1 + 2 r)
    shares = {"red ~ cat": 1, "red ~ red": 1, "dog ~ cat": 4 / 3, "dog ~ red": 0}
    contributions = dict(zip(explanation.names, explanation.contributions, strict=True))
    norm = np.sqrt((1 + 16 / 9) * 5)
    assert contributions == pytest.approx({k: v / norm for k, v in shares.items()})
    assert explanation.score == pytest.approx((2 + 4 / 3) / norm)


def test_contributions_of_words_sum_to_the_cosine(small_vectors):
    for oov in ("subword", "rare", "zero"):
        encoder = ParagramEncoder(vectors=small_vectors, oov=oov)
        for explanation in explain(encoder, [*PAIRS, ("Zyx plays!", "zyx, zyx guitar")]):
            assert explanation.unclipped == pytest.approx(explanation.score, abs=1e-6)


def test_a_clipped_score_says_so(sample):
    pairs, scores = sample
    regressor = FusionRegressor(Ridge(), score_range=(0, 1))
    clipped = make_pipeline(LexicalFeatures(FEATURES), regressor).fit(pairs, scores.clip(0, 1))
    search = GridSearchCV(clipped, {}, cv=2).fit(pairs, scores.clip(0, 1))
    explanation = explain(search, PAIRS[1:2])[0]
    assert explanation.score == 1
    assert explanation.clipped
    assert f", clipped from {explanation.unclipped:.2f}\n" in str(explanation)


def test_a_model_that_cannot_be_explained_is_refused(sample):
    unfitted = make_pipeline(LexicalFeatures(FEATURES), Ridge())
    for model in (unfitted, GridSearchCV(unfitted, {}, cv=2)):
        with pytest.raises(NotFittedError):
            explain(model, PAIRS)
    with pytest.raises(TypeError, match="got LexicalFeatures"):
        explain(LexicalFeatures(FEATURES).fit(sample[0]), PAIRS)
    with pytest.raises(TypeError, match="two lists are list"):
        explain(unfitted, ["It rains."], ["It is raining."])
    unnamed = FunctionTransformer(lambda pairs: np.array([[len(a), len(b)] for a, b in pairs]))
    with pytest.raises(TypeError, match=r"features with names.*get_feature_names_out"):
        explain(make_pipeline(unnamed, Ridge()).fit(*sample), PAIRS)
    numbers = make_pipeline(StandardScaler(), Ridge()).fit([[0, 1], [2, 1]], [0, 1])
    with pytest.raises(TypeError, match="no step turns pairs into features"):
        explain(numbers, PAIRS)
    network = ParagramEncoder("projection", max_iter=1).fit(sample[0][:4])
    with pytest.raises(TypeError, match=r"'projection' network is not a sum over words"):
        explain(network, PAIRS)


def test_the_dict_survives_json(model):
    data = json.loads(json.dumps(explain(model, PAIRS[:1])[0].to_dict()))
    features = [feature for group in data["groups"] for feature in group["features"]]
    total = data["baseline"] + sum(feature["contribution"] for feature in features)
    assert total == pytest.approx(data["score"])
    assert data["pair"] == list(PAIRS[0])
    assert data["words"][0][4]["text"] == "guitar"
    match = data["matches"][0]
    assert (match["first"], match["second"]) == (2, 2)  # plays, playing


def test_groups_sum_to_the_score(model):
    for explanation in explain(model, PAIRS):
        for n in (None, 1, 2):
            groups = explanation.groups(n)
            total = sum(group.contribution for group in groups)
            assert explanation.baseline + total == pytest.approx(explanation.unclipped)
            assert n is None or len(groups) <= n
            for group in groups:
                added = sum(added for _, _, added in group.features)
                assert group.contribution == pytest.approx(added)


def test_groups_have_names_that_people_understand(model, sample):
    groups = {group.title: group for group in explain(model, PAIRS[:1])[0].groups()}
    features = {feature[0] for feature in groups["words in common"].features}
    assert features == {"lexicalfeatures__align_f", "lexicalfeatures__cosine_icf"}
    assert {"length", "meaning of the sentences", "same order of words"} <= set(groups)
    lengths = FunctionTransformer(
        lambda pairs: np.array([[len(a), len(b)] for a, b in pairs]),
        feature_names_out=lambda *_: ["first", "second"],
    )
    union = make_union(LexicalFeatures("fast"), lengths)
    groups = explain(make_pipeline(union, Ridge()).fit(*sample), PAIRS[:1])[0].groups()
    titles = {group.title for group in groups}
    assert "functiontransformer" in titles
    assert len(titles) < 13
    assert not any("_" in title for title in titles)


def test_the_text_shows_score_groups_and_words(model):
    explanation = explain(model, PAIRS[:1])[0]
    lines = str(explanation).splitlines()
    assert lines[:2] == list(PAIRS[0])
    assert f"score {explanation.score:.2f} = baseline {explanation.baseline:.2f}" in lines[3]
    group = explanation.groups()[0]
    assert lines[5].startswith(f"{group.contribution:+7.3f}  {group.title}")
    assert ("+" if group.contribution > 0 else "-") * 20 in lines[5]
    assert any(line.split()[:3] == ["guitar", "~", "music"] for line in lines)
    assert lines[-2:] == ["only in the first: man", "only in the second: Someone"]
    assert "score" in repr(explanation)
    assert len(repr(explanation)) < 120


def test_unfamiliar_text_is_said(model):
    foreign, usual = explain(model, [("Xqzw vbnm.", "Qwrt plkj."), PAIRS[0]])
    assert foreign.novelty == 1
    assert "unlike the text that the model has learned from" in str(foreign)
    assert "unlike the text" in foreign.to_html()
    assert usual.novelty < 0.4
    assert "unlike the text" not in str(usual)


def test_html_of_any_pair_is_well_formed(model):
    from xml.etree import ElementTree

    for explanation in explain(model, [*PAIRS, ("a <b> c <script>", "x & 'y' \"z\"")]):
        html = explanation._repr_html_()
        ElementTree.fromstring(html[html.index("<div") :])
        assert "width:100.0%" in html
        assert "<b> c" not in html
        assert "<script" not in html


def test_the_contributions_of_a_long_text_add_up_to_its_score():
    words = [f"w{k}" for k in range(600)]  # more than are compared one by one
    rng = np.random.default_rng(0)
    vectors = WordVectors(words, rng.standard_normal((600, 4)).astype(np.float32))
    encoder = ParagramEncoder(Average(redundancy=0), vectors=vectors)
    [explanation] = explain(encoder, [(" ".join(words), "w3 w599")])
    assert len(explanation.names) == 2 * 513
    assert explanation.contributions.sum() == pytest.approx(explanation.score, abs=1e-5)
    one, other = vectors.matrix.mean(axis=0), vectors.matrix[[3, 599]].mean(axis=0)
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert explanation.score == pytest.approx(cosine, abs=1e-5)


def test_a_classifier_and_a_matcher_have_a_probability(model):
    classifier = load_pair_classifier()
    explanations = explain(classifier, PAIRS)
    probabilities = classifier.predict_proba(PAIRS)[:, 1]
    np.testing.assert_allclose([e.probability for e in explanations], probabilities)
    shown = f"probability {probabilities[0]:.2f} (the score is its log odds)"
    assert str(explanations[0]).splitlines()[4] == shown
    assert shown in explanations[0].to_html()
    shop = {"name": ["red bicycle", "garden chair"], "price": [250, 40]}
    matches = TableMatcher().fit(shop, on=["name", "price"]).match(shop, explain=True)
    for reason, probability in zip(matches["reason"], matches["probability"], strict=True):
        assert reason.probability == pytest.approx(probability)
    assert explain(model, PAIRS[:1])[0].probability is None


@pytest.mark.parametrize("scaled", [False, True])
def test_intervals_are_those_of_the_regressor(sample, scaled):
    steps = [StandardScaler()] if scaled else []
    regressor = FusionRegressor(Ridge(), intervals=True, random_state=0)
    model = make_pipeline(LexicalFeatures(FEATURES), *steps, regressor).fit(*sample)
    explanations = explain(model, PAIRS, coverage=0.75)
    expected = regressor.predict_interval(model[:-1].transform(PAIRS), 0.75)
    np.testing.assert_allclose([e.interval for e in explanations], expected)
    assert {e.coverage for e in explanations} == {0.75}
    assert explain(model, PAIRS[:1])[0].coverage == 0.9


def test_of_sparse_features_those_that_are_used_are_shown():
    names = ["apple", "pear", "plum", "fig"]
    terms = FunctionTransformer(
        lambda pairs: csr_matrix([[float(name in a) for name in names] for a, _ in pairs]),
        feature_names_out=lambda *_: np.array(names),
    )
    texts = ["apple pear", "pear plum", "plum", "apple plum", "apple"] * 40
    pairs = [(text, "x") for text in texts]
    labels = [int("plum" in text) for text in texts]
    model = make_pipeline(terms, FusionClassifier(cv=2, random_state=0)).fit(pairs, labels)
    explanations = explain(model, pairs[:2])
    assert {e.names for e in explanations} == {("apple", "pear", "plum")}  # no pair has a fig
    assert [e.values.tolist() for e in explanations] == [[1, 1, 0], [0, 1, 1]]
    np.testing.assert_allclose([e.score for e in explanations], model.decision_function(pairs[:2]))
    for explanation in explanations:
        assert explanation.unclipped == pytest.approx(explanation.score)
        assert explanation.contributions.any()


def test_an_encoder_alone_is_grouped_by_the_words_of_the_first_sentence():
    vectors = WordVectors(["red", "dog", "cat"], np.array([[1, 0], [0, 2], [1, 1]], np.float32))
    [explanation] = explain(ParagramEncoder(vectors=vectors), [("red dog", "cat dog")])
    assert {group.title for group in explanation.groups()} == {"red", "dog"}
    regressor = make_pipeline(ParagramEncoder(vectors=vectors), Ridge()).fit(PAIRS, range(5))
    assert texts(explain(regressor, [("red dog", "cat dog")])[0])[-1] == ("dog", "dog", "same")
