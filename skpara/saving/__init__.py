"""Fitted models in files: model files of skpara, and the hub."""

from importlib import import_module
from typing import Any

import lazy_loader

_lazy, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["from_hub", "push_to_hub", "read_description"]


def __getattr__(name: str) -> Any:
    if name in ("LinearModel", "TreeEnsemble"):  # pickles of version 0.2.0
        return getattr(import_module("skpara.fusion"), name)
    return _lazy(name)
