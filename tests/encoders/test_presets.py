from __future__ import annotations

import pytest

from skpara import ParagramEncoder
from skpara.encoders import paper_settings
from skpara.encoders._presets import _SETTINGS


@pytest.mark.parametrize("name", _SETTINGS)
def test_every_preset_trains(name, small_vectors, small_pairs):
    settings = paper_settings(name) | {"max_iter": 1, "vectors": small_vectors}
    encoder = ParagramEncoder(**settings, random_state=0).fit(small_pairs)
    assert encoder.n_iter_ == 1
    assert f'"{name}"' in paper_settings.__doc__


def test_dcu_as_the_paper_states():
    settings = paper_settings("dcu-2016-task-internal")
    stated = {
        "margin": 0.8,
        "negatives": "random",
        "optimizer": "adadelta",
        "batch_size": 100,
        "word_decay": 1e-5,
        "positive_threshold": 3.8,
        "oov": "rare",
    }
    assert stated.items() <= settings.items()


def test_2017_as_the_paper_states():
    average, gran = map(paper_settings, ("wieting-2017-average", "wieting-2017-gran"))
    for settings in (average, gran):
        assert settings["optimizer"] == "adam"
        assert settings["learning_rate"] == 0.001
        assert settings["margin"] == 0.4
        assert settings["word_decay"] == settings["network_decay"] == 0
    assert (average["max_iter"], gran["max_iter"]) == (20, 3)


def test_a_caller_may_change_what_it_gets():
    paper_settings("wieting-2017-gran")["margin"] = 9
    assert paper_settings("wieting-2017-gran")["margin"] == 0.4


def test_names_are_listed():
    with pytest.raises(ValueError, match="wieting-2016-lstm-no-output-gate"):
        paper_settings("wieting")
