"""Training of word vectors and networks.

Users configure optimizers, negatives, teachers, paraphrasers, starting points, devices and
callbacks; sessions and objectives are for training of your own. Torch is imported when a name that
needs it is first used.
"""

import lazy_loader

# The stub also has the names that only other rooms use.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Callback",
    "Device",
    "Negatives",
    "Objective",
    "Paraphraser",
    "Session",
    "Start",
    "Teacher",
    "TrainingSettings",
]
