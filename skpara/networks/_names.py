"""The short names of the networks."""

from __future__ import annotations

from typing import Any

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


def as_network(network: str | Network, **defaults: Any) -> Network:
    """Return the network that a name stands for; a configured one is returned as it is.

    Parameters
    ----------
    network : str or Network
        A name, or a network.
    **defaults : dict
        Parameters for the network that a name stands for. Those that the network does not have
        are ignored, as are those that the name itself sets. They do not change a configured
        network.

    Returns
    -------
    Network
        The network.

    Raises
    ------
    ValueError
        If no network has this name.
    TypeError
        If ``network`` is neither a name nor a network.

    Examples
    --------
    >>> from skpara.networks import DAN, as_network
    >>> as_network("lstm", dropout=0.3)
    LSTM(dropout=0.3)
    >>> as_network(DAN(n_layers=1), dropout=0.3)
    DAN(n_layers=1)
    """
    if isinstance(network, Network):
        return network
    if isinstance(network, str) and network in _NETWORKS:
        network_class, parameters = _NETWORKS[network]
        names = network_class._get_param_names()
        applicable = {name: value for name, value in defaults.items() if name in names}
        return network_class(**applicable | parameters)
    error = ValueError if isinstance(network, str) else TypeError
    raise error(
        f"network must be one of {list(_NETWORKS)} or an instance of skpara.networks.Network, "
        f"got {network!r}."
    )
