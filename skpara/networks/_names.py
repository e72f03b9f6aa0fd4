"""The short names of the networks."""

from __future__ import annotations

from typing import Any

from skpara._typing import NetworkName
from skpara.networks._averaging import DAN, Average, Charagram, Projection
from skpara.networks._network import Network
from skpara.networks._recurrent import GRAN, LSTM, RNN

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


def as_network(network: NetworkName | Network, **defaults: Any) -> Network:
    """Return the network that a name stands for; a configured one is returned as it is.

    ``defaults`` are parameters for a name, which all networks have, such as ``dropout``.
    """
    if isinstance(network, Network):
        return network
    if isinstance(network, str) and network in _NETWORKS:
        network_class, parameters = _NETWORKS[network]
        return network_class(**defaults, **parameters)
    error = ValueError if isinstance(network, str) else TypeError
    raise error(
        f"network must be one of {list(_NETWORKS)} or an instance of skpara.networks.Network, "
        f"got {network!r}. A transformer is none of them: use SentenceTransformerFeature, or pass "
        "it as teacher."
    )
