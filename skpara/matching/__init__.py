"""Matches between two tables, and duplicates within one.

Modules are imported when one of their names is first used: the command scores pairs without them.
"""

import lazy_loader

# The stub also has the names that only other rooms use.
__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["Deduplicator", "Kind", "Matches", "TableMatcher"]
