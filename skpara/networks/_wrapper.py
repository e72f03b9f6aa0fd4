"""Base class of networks that add layers to another network."""

from __future__ import annotations

from skpara.networks._names import as_network
from skpara.networks._network import Network


class WrapperNetwork(Network):
    """Network around another one, which decides what is read and how much is dropped out."""

    network: str | Network

    @property
    def units(self) -> str:  # type: ignore[override]
        """What the wrapped network reads."""
        return as_network(self.network).units

    @property
    def dropout(self) -> float:  # type: ignore[override]
        """Fraction of units dropped out, as set on the wrapped network."""
        return as_network(self.network).dropout

    @property
    def word_dropout(self) -> float:  # type: ignore[override]
        """Fraction of words left out, as set on the wrapped network."""
        return as_network(self.network).word_dropout
