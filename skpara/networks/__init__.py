"""Networks that turn word ids into sentence vectors; all but the average need torch."""

import lazy_loader

# The stub also has the names that only other rooms use.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
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
]
