"""Which network a name stands for."""

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


@pytest.mark.parametrize("name", EXPECTED)
def test_each_name(name):
    network, expected = as_network(name), EXPECTED[name]
    assert type(network) is type(expected)
    assert network.get_params() == expected.get_params()
    assert as_network(name) is not network  # fields set on one do not reach another
    assert isinstance(network.build(5, np.random.default_rng(0)), SentenceModule)


def test_an_unknown_name_is_told_all_names():
    with pytest.raises(ValueError, match="'bert'") as error:
        as_network("bert")
    for name in EXPECTED:
        assert repr(name) in str(error.value)
