"""Facts about words: vectors, frequencies, parts of speech and WordNet."""

import lazy_loader

# The stub also has the names that only other rooms use.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["WordFrequencies"]
