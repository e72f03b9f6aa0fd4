"""The settings of the papers, for each of the classes that they are for."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor

import skpara
from skpara import ParagramEncoder, make_sts_pipeline, paper_settings
from skpara.learning import Start

# The names in the table of the docstring, with their classes.
CLASSES = dict(re.findall(r'^ *"(.*?)" +(\w+)', paper_settings.__doc__, re.MULTILINE))
ENCODERS = [name for name, cls in CLASSES.items() if cls == "ParagramEncoder"]
PARAPHRASED = ("dcu-2016-synthetic", "dcu-2016-fusion")


class AddsWord:
    """A paraphraser."""

    def pairs(self, sentences):
        return [(sentence, f"{sentence} w1") for sentence in sentences]


def settings_of(name):
    return paper_settings(name, paraphraser=AddsWord() if name in PARAPHRASED else None)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match="wieting-2016-lstm-no-output-gate") as error:
        paper_settings("wieting")
    assert all(f"'{name}'" in str(error.value) for name in CLASSES)
    assert len(CLASSES) == 17


@pytest.mark.parametrize("name", CLASSES)
def test_settings_are_parameters_of_the_class_in_the_table(name):
    if not hasattr(skpara, CLASSES[name]):
        pytest.skip(f"there is no {CLASSES[name]}")
    parameters = inspect.signature(getattr(skpara, CLASSES[name])).parameters
    assert settings_of(name).keys() <= parameters.keys()


@pytest.mark.parametrize("name", ENCODERS)
def test_every_encoder_trains(name, small_vectors, small_pairs):
    settings = settings_of(name) | {"max_iter": 1, "vectors": small_vectors}
    assert ParagramEncoder(**settings, random_state=0).fit(small_pairs).n_iter_ == 1


@pytest.mark.parametrize("name", ENCODERS)
def test_settings_do_not_follow_the_defaults_of_the_class(name):
    stated = """network negatives positive_threshold word_decay network_decay optimizer
        batch_size max_iter early_stopping output oov""".split()
    settings = settings_of(name)
    assert settings.keys() - {"paraphraser"} == set(stated)
    assert settings["positive_threshold"] == 3.8


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("dcu-2016-task-internal", {"margin": 0.8, "kind": "random", "word_decay": 1e-5}),
        ("umdeep-2017", {"max_length": 20, "hidden_size": 100, "dense_size": 50, "n_classes": 6}),
        ("wieting-2016-projection", {"margin": 0.4, "word_decay": 5e-9, "network_decay": 5e-6}),
        ("wieting-2016-dan", {"learning_rate": 0.05, "word_decay": 5e-6, "network_decay": 5e-6}),
        ("wieting-2016-rnn", {"kind": "mix", "word_decay": 5e-7, "network_decay": 5e-5}),
        ("wieting-2016-irnn", {"learning_rate": 0.005, "network_decay": 5.0}),
        ("wieting-2016-similarity", {"word_decay": 2.5e-5, "network_decay": 2.5e-6}),
        ("wieting-2016-average", {"learning_rate": 0.005}),
        ("wieting-2017-gran", {"learning_rate": 0.001, "margin": 0.4, "max_iter": 3}),
    ],
)
def test_values_of_papers_and_their_code(name, stated):
    settings = paper_settings(name)
    for part in ("negatives", "optimizer"):
        if hasattr(settings.get(part), "get_params"):
            settings |= settings[part].get_params()
    assert {key: settings[key] for key in stated} == {
        k: v if isinstance(v, str) else pytest.approx(v) for k, v in stated.items()
    }


def test_a_caller_may_change_what_it_gets():
    paper_settings("wieting-2017-gran")["negatives"].margin = 9
    paper_settings("wieting-2017-gran")["network"].peepholes = False
    settings = paper_settings("wieting-2017-gran")
    assert (settings["negatives"].margin, settings["network"].peepholes) == (0.4, True)


def test_a_paraphraser_is_for_the_synthetic_settings():
    for name in (*PARAPHRASED, "umdeep-2017"):
        wrong = AddsWord() if name == "umdeep-2017" else None
        with pytest.raises(ValueError, match=rf"only these, need a paraphraser.*'{name}'"):
            paper_settings(name, paraphraser=wrong)


def test_the_synthetic_encoder_learns_from_the_sentences_to_be_scored(small_vectors, small_pairs):
    settings = settings_of("dcu-2016-synthetic") | {"max_iter": 1, "vectors": small_vectors}
    encoder = ParagramEncoder(**settings)
    assert isinstance(encoder.paraphraser.source, AddsWord)
    scores = np.where(np.arange(120) < 50, 4.0, 1.0)
    encoder.fit(small_pairs, scores, unlabeled=["w3 w4", "w5 w6", "w7"])
    assert encoder.n_paraphrases_ == 50 + 3


def test_fusion_has_both_similarities_and_default_boosting(sample):
    model = clone(make_sts_pipeline(**settings_of("dcu-2016-fusion")))
    parameters = model.get_params()
    small = {k: 1 for k in parameters if k.endswith("__max_iter")}
    model.set_params(**small, features__lexical__features="counts")
    model.fit(sample.data[:100], sample.target[:100], unlabeled=sample.data[100:120])
    names = model[0].get_feature_names_out().tolist()
    assert names[:2] == [
        f"encoder__{part}__paragram_similarity" for part in ("task_internal", "synthetic")
    ]
    assert parameters["features__lexical__features"] == "dcu"
    boosting = parameters["fusion__estimator"]
    assert boosting.get_params() == GradientBoostingRegressor().get_params()
    internal, synthetic = (part for _, part in model[0].transformer_list[0][1].transformer_list)
    n_unlabeled = len(np.unique(sample.data[100:120]))
    assert synthetic.n_paraphrases_ == internal.n_paraphrases_ + n_unlabeled
    predicted = model.predict(sample.data[100:110])
    assert ((predicted >= 0) & (predicted <= 5)).all()


def test_transfer_starts_from_vectors_as_they_are():
    for name in ("wieting-2016-similarity", "wieting-2016-entailment", "wieting-2016-sentiment"):
        assert repr(paper_settings(name)["vectors"]) == repr(Start())
