"""Networks from word ids to sentence vectors; all but the average import torch when used."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
