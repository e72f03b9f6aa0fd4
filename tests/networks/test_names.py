"""The networks that names stand for."""

from __future__ import annotations

import numpy as np
import pytest

from skpara.networks import (
    DAN,
    GRAN,
    LSTM,
    RNN,
    Average,
    Charagram,
    Projection,
    SentenceModule,
    as_network,
)

EXPECTED = {
    "average": Average(),
    "projection": Projection(),
    "dan": DAN(),
    "rnn": RNN(),
    "irnn": RNN(identity=True),
    "lstm": LSTM(),
    "lstm_no_output_gate": LSTM(output_gate=False),
    "gran": GRAN(),
    "charagram": Charagram(),
}


@pytest.mark.parametrize("network", [Average, Projection, DAN, RNN, LSTM, GRAN, Charagram])
def test_networks_are_shown_by_what_was_chosen_and_each_is_its_own(network):
    assert repr(network()) == f"{network.__name__}()"  # without defaults, as in scikit-learn
    assert network() != network()
    assert len({network(), network()}) == 2


@pytest.mark.parametrize("name", EXPECTED)
def test_each_name_makes_a_new_network(name):
    network, expected = as_network(name), EXPECTED[name]
    assert type(network) is type(expected)
    assert network.get_params() == expected.get_params()
    assert as_network(name) is not network
    assert isinstance(network.build(5, np.random.default_rng(0)), SentenceModule)


@pytest.mark.parametrize("name", EXPECTED)
def test_defaults_are_set(name):
    defaults = {"dropout": 0.3, "word_dropout": 0.1}
    assert as_network(name, **defaults).get_params() == EXPECTED[name].get_params() | defaults


def test_a_configured_network_is_returned_as_it_is():
    network = GRAN()
    assert as_network(network, dropout=0.3) is network
    assert network.dropout == 0


def test_an_unknown_name_is_an_error_that_lists_all_names():
    with pytest.raises(ValueError, match="'bert'") as error:
        as_network("bert")
    for name in EXPECTED:
        assert repr(name) in str(error.value)
    with pytest.raises(TypeError, match=r"skpara\.networks\.Network, got 3"):
        as_network(3)
