"""The short names of the networks."""

from __future__ import annotations

from typing import Any

from skpara.networks._average import Average
from skpara.networks._charagram import Charagram
from skpara.networks._dan import DAN
from skpara.networks._gran import GRAN
from skpara.networks._lstm import LSTM
from skpara.networks._network import Network
from skpara.networks._projection import Projection
from skpara.networks._rnn import RNN

_NETWORKS: dict[str, tuple[type[Network], dict[str, Any]]] = {
    "average": (Average, {}),
    "projection": (Projection, {}),
    "dan": (DAN, {}),
    "rnn": (RNN, {}),
    "irnn": (RNN, {"identity": True}),
    "lstm": (LSTM, {}),
    "lstm_no_output_gate": (LSTM, {"output_gate": False}),
    "gran": (GRAN, {}),
    "charagram": (Charagram, {}),
}


def as_network(network: str | Network) -> Network:
    """The network that a name stands for; a configured one is returned as it is.

    Raises
    ------
    ValueError, TypeError
        If there is no such network.
    """
    if isinstance(network, Network):
        return network
    if isinstance(network, str) and network in _NETWORKS:
        kind, fields = _NETWORKS[network]
        return kind(**fields)
    error = ValueError if isinstance(network, str) else TypeError
    raise error(
        f"network must be one of {list(_NETWORKS)} or an object of skpara.networks, "
        f"got {network!r}."
    )
