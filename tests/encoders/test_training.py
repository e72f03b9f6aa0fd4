"""Training data of an encoder: paraphrases, graded scores, labels, teachers, held-out pairs."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import load_sts_sample
from skpara.learning import AdaGrad, Paraphraser, Teacher

# Paraphrases: of which pairs, and made of what


def test_rows_below_the_threshold_are_ignored(encoder, small_pairs):
    y = np.linspace(0, 5, len(small_pairs))
    with_all = encoder.set_params(positive_threshold=3.8).fit(small_pairs, y)
    assert with_all.n_paraphrases_ == (y >= 3.8).sum()
    chosen = [pair for pair, score in zip(small_pairs, y, strict=True) if score >= 3.8]
    only = clone(encoder).fit(chosen)
    np.testing.assert_array_equal(with_all.vectors_.matrix, only.vectors_.matrix)


def test_too_few_paraphrases_are_refused(encoder, small_pairs):
    encoder.set_params(positive_threshold=3.8)
    with pytest.raises(ValueError, match=r"1 of 3 pairs .* Lower positive_threshold"):
        encoder.fit(small_pairs[:3], [1, 2, 4])
    with pytest.raises(ValueError, match=r"1 pair\(s\) with scores; at least 2"):
        encoder.set_params(positive_threshold=None).fit(small_pairs[:1], [4.2])


class Doubling:
    """Repeats the first word, and records the sentences it gets."""

    def __init__(self):
        self.calls = []

    def __deepcopy__(self, memo):
        return self  # clones share it

    def pairs(self, sentences):
        self.calls.append(list(sentences))
        pairs = [(text, f"{text.split()[0]} {text}") for text in sentences if text]
        return np.array(pairs, dtype=object).reshape(-1, 2)


def test_a_paraphraser_adds_pairs_of_all_sentences(small_vectors, small_pairs):
    doubling = Doubling()
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=doubling)
    y = np.linspace(0, 5, 20)
    encoder.fit(small_pairs[:20], y, unlabeled=["a dog", "a dog", "", small_pairs[0][0]])
    sentences = [sentence for pair in small_pairs[:20] for sentence in pair] + ["a dog", ""]
    assert doubling.calls == [list(dict.fromkeys(sentences))]
    assert encoder.n_paraphrases_ == (y >= 3.8).sum() + len(set(sentences)) - 1
    same = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    more = [*small_pairs[:20], *map(tuple, doubling.pairs(list(dict.fromkeys(sentences))))]
    expected = same.fit(more).similarity(sentences[:2], sentences[2:4])
    encoder.set_params(random_state=0).fit(small_pairs[:20], unlabeled=["a dog", ""])
    np.testing.assert_array_equal(encoder.similarity(sentences[:2], sentences[2:4]), expected)


def test_only_unlabeled_sentences_may_be_paraphrased(small_vectors, small_pairs):
    doubling = Doubling()
    paraphraser = Paraphraser(doubling, sentences="unlabeled")
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=paraphraser)
    encoder.fit(small_pairs[:20], unlabeled=["a dog", "a dog", "w1 w2"])
    assert doubling.calls == [["a dog", "w1 w2"]]
    assert encoder.n_paraphrases_ == 22
    assert encoder.fit(small_pairs[:20]).n_paraphrases_ == 20
    with pytest.raises(ValueError, match="'sentences' parameter of Paraphraser"):
        encoder.set_params(paraphraser__sentences="none").fit(small_pairs[:20])


def test_paraphrases_are_made_once_for_all_folds(encoder, small_pairs):
    doubling = Doubling()
    encoder.set_params(max_iter=1, paraphraser=doubling, cross_fit=3)
    scores = np.linspace(0, 5, 30)
    features = encoder.fit_transform(small_pairs[:30], scores, unlabeled=["a dog"])
    assert features.shape == (30, 3)
    assert len(doubling.calls) == 1
    alone = clone(encoder).set_params(paraphraser=None).fit_transform(small_pairs[:30])
    assert not np.allclose(features, alone)


def test_unlabeled_sentences_alone_change_nothing(small_vectors, small_pairs):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    alone = clone(encoder).fit(small_pairs).vectors_.matrix
    with_more = encoder.fit(small_pairs, unlabeled=["w1 w2"]).vectors_.matrix
    np.testing.assert_array_equal(with_more, alone)
    with pytest.raises(ValueError, match="'paraphraser' parameter"):
        clone(encoder).set_params(paraphraser="apertium").fit(small_pairs)


def test_unlabeled_sentences_are_routed_through_a_pipeline(small_vectors, small_pairs):
    doubling = Doubling()
    with sklearn.config_context(enable_metadata_routing=True):
        encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=doubling)
        model = make_pipeline(encoder, Ridge())
        model.fit(small_pairs[:20], np.linspace(0, 5, 20), unlabeled=["a dog runs"])
    assert doubling.calls[0][-1] == "a dog runs"
    model = make_pipeline(ParagramEncoder(vectors=small_vectors, paraphraser=doubling), Ridge())
    scores = np.linspace(0, 5, 20)
    model.fit(small_pairs[:20], scores, paragramencoder__unlabeled=["a cat sleeps"])
    assert doubling.calls[1][-1] == "a cat sleeps"


# Graded scores


def correlation(encoder, pairs, scores):
    return np.corrcoef(encoder.similarity(*zip(*pairs, strict=True)), scores)[0, 1]


@pytest.mark.parametrize("network", ["average", "gran", "charagram"])
def test_cosines_learn_graded_scores(encoder, small_pairs, network):
    y = np.random.default_rng(0).uniform(0, 5, len(small_pairs))
    start = clone(encoder).set_params(network=network, max_iter=1).fit(small_pairs, y)
    encoder.set_params(network=network, max_iter=8).fit(small_pairs, y)
    assert encoder.n_paraphrases_ == len(small_pairs)
    assert encoder.loss_curve_[-1] < encoder.loss_curve_[0]
    assert correlation(encoder, small_pairs, y) > correlation(start, small_pairs, y) + 0.05


def test_default_settings_gain_on_held_out_pairs():
    pairs, scores = load_sts_sample(return_X_y=True)
    train, test = slice(0, 400), slice(400, None)
    encoder = ParagramEncoder(random_state=0)
    before = correlation(encoder, pairs[test], scores[test])
    encoder.fit(pairs[train], scores[train])
    assert correlation(encoder, pairs[test], scores[test]) > before


def test_steps_follow_the_scale_of_the_vectors(encoder, small_vectors, small_pairs):
    y = np.random.default_rng(0).uniform(0, 5, len(small_pairs))
    large = WordVectors(small_vectors.words, 16 * small_vectors.matrix)
    for scores in (y, None):
        encoder.set_params(word_decay=0.0, output="similarity").fit(small_pairs, scores)
        other = clone(encoder).set_params(vectors=large).fit(small_pairs, scores)
        np.testing.assert_allclose(
            other.transform(small_pairs), encoder.transform(small_pairs), atol=3e-4
        )


def test_a_held_out_set_of_graded_scores_is_correlated_with(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(0, 5, len(small_pairs))
    encoder.set_params(early_stopping=True).fit(small_pairs, y)
    assert encoder.n_paraphrases_ == 108
    assert -1 <= encoder.best_score_ <= 1
    encoder.fit(small_pairs, y, validation=small_pairs)  # without scores: minus a loss
    assert encoder.best_score_ < 0


# Class labels

LABELS = {
    "text": np.array(["paraphrase", "other"]),
    "booleans": np.array([True, False]),
    "zero and one": np.array([0, 1]),
    "three classes": np.array([2, 0, 1]),
    "floats": np.array([0.0, 1.0]),
    "objects": np.array(["yes", "no"], dtype=object),
}


@pytest.mark.parametrize("kind", LABELS)
def test_nothing_is_learned_from_class_labels(encoder, small_vectors, small_pairs, kind):
    y = np.resize(LABELS[kind], len(small_pairs))
    fits = [
        lambda e: e.fit(small_pairs, y),
        lambda e: e.partial_fit(small_pairs, y),
        lambda e: e.set_params(early_stopping=True).fit(small_pairs, y),
        lambda e: e.fit(small_pairs, y, validation=(small_pairs, y)),
        lambda e: e.set_params(cross_fit=3).fit_transform(small_pairs, y),
        lambda e: e.set_params(positive_threshold="auto").fit(small_pairs, y),
    ]
    for fit in fits:
        fitted = clone(encoder)
        with pytest.warns(UserWarning, match="y has class labels.*positive_threshold") as warned:
            fit(fitted)
        assert len(warned) == 1
        np.testing.assert_array_equal(fitted.vectors_.matrix[:300], small_vectors.matrix)
        assert fitted.n_paraphrases_ == fitted.n_iter_ == 0


def test_text_that_names_no_classes_is_refused(encoder, small_pairs):
    n = len(small_pairs)
    for y in ([f"{k / 10}" for k in range(n)], [f"pair {k}" for k in range(n)]):
        with pytest.raises(ValueError, match=r"Expected scores, which are numbers, got y\[0\]"):
            clone(encoder).fit(small_pairs, y)


def test_labels_are_scores_where_a_number_is_the_threshold(encoder, small_pairs):
    y = np.resize([1, 0], len(small_pairs))
    chosen = clone(encoder).fit(small_pairs[::2])
    for labels in (y, y.astype(bool)):
        fitted = clone(encoder).set_params(positive_threshold=1).fit(small_pairs, labels)
        np.testing.assert_array_equal(fitted.vectors_.matrix, chosen.vectors_.matrix)


def test_labels_leave_teacher_and_paraphraser_to_work(encoder, small_pairs):
    y = np.resize(["a", "b"], 20)
    encoder.set_params(teacher=FirstWords(), paraphraser=Doubling(), max_iter=1)
    with pytest.warns(UserWarning, match="class labels"):
        encoder.fit(small_pairs[:20], y)
    assert len(encoder.teacher_loss_curve_) == 20
    assert encoder.n_paraphrases_ == len({s for pair in small_pairs[:20] for s in pair})
    encoder.set_params(max_iter=0).fit(small_pairs[:20], y)  # without a warning


# A teacher


class FirstWords:
    """Puts sentences with the same first word at the same point of three dimensions."""

    def __init__(self):
        self.sentences = []

    def encode(self, sentences):
        self.sentences += sentences
        words = sorted({s.split()[0] for s in self.sentences})
        directions = np.random.default_rng(1).standard_normal((len(words), 3))
        return np.array([directions[words.index(s.split()[0])] for s in sentences])


def cosines(vectors):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units @ units.T


@pytest.mark.parametrize("network", ["average", "gran"])
def test_cosines_become_those_of_the_teacher(encoder, small_pairs, network):
    teacher, pairs = FirstWords(), [*small_pairs[:20], ("w3 w7", "w7 w3 zyx")]
    sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
    encoder.set_params(network=network, teacher=Teacher(teacher, number_weight=0), max_iter=0)
    start = clone(encoder).set_params(teacher=None).fit(small_pairs[:20])
    encoder.fit(small_pairs[:20], unlabeled=["w3 w7", "w7 w3 zyx"])
    assert sorted(teacher.sentences) == sorted(sentences)
    assert len(encoder.teacher_loss_curve_) == 20
    assert encoder.teacher_loss_curve_[-1] < 0.5 * encoder.teacher_loss_curve_[0]
    assert encoder.loss_curve_ == []
    assert encoder.n_paraphrases_ == 0
    targets = cosines(teacher.encode(sentences))
    off = ~np.eye(len(sentences), dtype=bool)
    before, after = (
        np.corrcoef(cosines(e.encode(sentences))[off], targets[off])[0, 1]
        for e in (start, encoder)
    )
    assert before < 0.5
    assert after > 0.7


def test_decay_pulls_towards_what_the_teacher_led_to(encoder, small_pairs):
    encoder.set_params(batch_size=100, teacher=FirstWords())
    taught = clone(encoder).set_params(max_iter=0).fit(small_pairs)
    heavy = encoder.set_params(word_decay=10.0, optimizer=AdaGrad(0.001)).fit(small_pairs)
    light = clone(heavy).set_params(word_decay=0.0, optimizer=AdaGrad(0.05)).fit(small_pairs)
    far = np.abs(light.vectors_.matrix - taught.vectors_.matrix).max()
    assert np.abs(heavy.vectors_.matrix - taught.vectors_.matrix).max() < 0.02 < far
    assert len(heavy.loss_curve_) == 3
    assert heavy.teacher_loss_curve_ == taught.teacher_loss_curve_


def test_the_teacher_encodes_once_for_all_folds(encoder, small_vectors, small_pairs):
    teacher = FrozenEstimator(ParagramEncoder(vectors=small_vectors))
    encoder.set_params(teacher=teacher, max_iter=0, cross_fit=3)
    out_of_fold = encoder.fit_transform(small_pairs)
    # Without the margin objective no scores are used, so that the folds do not differ.
    np.testing.assert_allclose(out_of_fold, encoder.transform(small_pairs), atol=1e-12)
    counting = FirstWords()
    encoder.set_params(teacher=counting, cross_fit=2, max_iter=1).fit_transform(small_pairs)
    assert len(counting.sentences) == len(set(counting.sentences))


def test_a_teacher_that_cannot_be_used_is_refused(small_vectors, small_pairs):
    class Silent:
        def encode(self, sentences):
            return np.full((len(sentences), 3), np.nan)

    encoder = ParagramEncoder(vectors=small_vectors, teacher=Silent())
    with pytest.raises(ValueError, match="NaN or infinite numbers"):
        encoder.fit(small_pairs)
    with pytest.raises(ValueError, match="'teacher' parameter"):
        encoder.set_params(teacher=3).fit(small_pairs)


# Early stopping


def test_early_stopping_keeps_the_best_state(encoder, small_pairs):
    y = np.random.default_rng(0).uniform(0, 5, len(small_pairs))
    encoder.set_params(
        early_stopping=True, max_iter=50, n_iter_no_change=2, positive_threshold=1.0
    )
    encoder.fit(small_pairs, y)
    scores = [entry["score"] for entry in encoder.history_]
    assert encoder.n_iter_ < 50
    assert encoder.best_score_ >= max(scores) - 1e-9
    assert encoder.n_paraphrases_ < (y >= 1.0).sum()


def test_validation_scores_are_those_of_the_encoder(encoder, small_pairs):
    pairs = [*small_pairs[:20], ("w1 never", "w2 heard"), ("", "w3")]
    scores = np.random.default_rng(0).uniform(0, 5, len(pairs))
    encoder.set_params(max_iter=2, n_iter_no_change=5).fit(
        small_pairs[20:], validation=(pairs, scores)
    )
    first, second = zip(*pairs, strict=True)
    r = np.corrcoef(encoder.similarity(first, second), scores)[0, 1]
    # The words unknown to training keep their initial vectors in the score, and get those of
    # their tuned neighbours afterwards: not the same, but near.
    assert encoder.best_score_ == pytest.approx(r, abs=0.02)
    encoder.fit(small_pairs[20:], validation=(pairs[:20], scores[:20]))
    r = np.corrcoef(encoder.similarity(first[:20], second[:20]), scores[:20])[0, 1]
    assert encoder.best_score_ == pytest.approx(r, abs=1e-6)


def test_the_initial_state_is_kept_where_training_harms(encoder, small_vectors, small_pairs):
    away = [(a, b) for (a, _), (_, b) in zip(small_pairs, small_pairs[7:], strict=False)]
    scores = encoder.similarity(*zip(*away, strict=True))  # the initial cosines are the truth
    encoder.fit(small_pairs, validation=(away, scores))
    np.testing.assert_allclose(
        encoder.vectors_.matrix[:290], small_vectors.matrix[:290], atol=1e-6
    )
    assert encoder.best_score_ == pytest.approx(1, abs=1e-6)


def test_a_paraphraser_that_makes_nothing_is_warned_of(small_vectors, small_pairs):
    class Silent:
        def pairs(self, sentences):
            return np.empty((0, 2), dtype=object)

    y = np.linspace(0, 5, 20)
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, paraphraser=Silent())
    with pytest.warns(UserWarning, match="made no pairs of [1-4]. sentences"):
        encoder.fit(small_pairs[:20], y)
    assert encoder.n_paraphrases_ == (y >= 3.8).sum()


def test_character_ngrams_have_vectors_without_training(small_pairs):
    encoder = ParagramEncoder("charagram", max_iter=0, random_state=0).fit(small_pairs[:20])
    assert encoder.n_iter_ == encoder.n_paraphrases_ == 0
    assert encoder.encode(["w1 w2"]).any()
    with pytest.raises(ValueError, match="have no character n-grams"):
        encoder.fit([("", "")] * 4)
