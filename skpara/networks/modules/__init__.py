"""The torch modules of the networks."""

from skpara.networks.modules._module import SentenceModule

__all__ = ["SentenceModule"]
