"""Training of word vectors and networks.

What users configure: optimizers, negatives, teachers, paraphrasers, starting points, devices and
callbacks. What estimators stand on: sessions, objectives and fitted networks. Torch is imported
when a name that needs it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
