"""Networks from word ids to sentence vectors."""

from skpara.networks._average import Average
from skpara.networks._charagram import Charagram
from skpara.networks._dan import DAN
from skpara.networks._gran import GRAN
from skpara.networks._lstm import LSTM
from skpara.networks._names import as_network
from skpara.networks._network import Network, SentenceModule
from skpara.networks._projection import Projection
from skpara.networks._rnn import RNN

__all__ = [
    "DAN",
    "GRAN",
    "LSTM",
    "RNN",
    "Average",
    "Charagram",
    "Network",
    "Projection",
    "SentenceModule",
    "as_network",
]
