"""Join tables whose rows differ in writing, drop duplicates, score how alike sentences are.

Public names load on first use, so that ``import skpara`` stays quick: neither torch, gensim
nor matplotlib is imported until something needs it. The names stand in ``__init__.pyi``.
"""

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
# It is public in skpara.resources; pickles of version 0.2.0 name it here.
__all__.remove("WordFrequencies")


def __getattr__(name):
    try:
        return _load(name)
    except AttributeError:
        from skpara._missing_names import refuse

        refuse(name, __all__)
