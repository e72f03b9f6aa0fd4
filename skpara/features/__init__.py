"""Numbers that compare the words of two sentences.

Modules are imported when one of their names is first used: the reasons why two sentences differ
need neither scikit-learn nor the estimators.
"""

import lazy_loader

# The stub also has names for other rooms of the package, and for saved files.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["Family", "Knowledge", "PairBatch", "TermInteractions"]
