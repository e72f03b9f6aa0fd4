"""Join tables whose rows are worded differently, drop duplicates, score how similar texts are.

Public names load on first use, so that ``import skpara`` stays quick: neither torch, gensim
nor matplotlib is imported until something needs it. The names stand in ``__init__.pyi``.
"""

import importlib.util
import sys

import lazy_loader

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
# It is public in skpara.resources; pickles of version 0.2.0 name it here.
__all__.remove("WordFrequencies")


def __getattr__(name):
    try:
        return _load(name)
    except AttributeError:
        if importlib.util.find_spec(f"skpara.{name}"):
            raise  # a module, which is imported after an AttributeError
        from skpara._messages import remedy_of_package_name

        text = f"skpara has no {name}.{remedy_of_package_name(name, __all__)}"
        # "from skpara import ..." would replace the text of an AttributeError by its own.
        is_import = sys._getframe(1).f_code.co_name == "_handle_fromlist"
        raise (ImportError if is_import else AttributeError)(text) from None
