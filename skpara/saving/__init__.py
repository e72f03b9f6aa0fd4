"""Model files, and the Hugging Face hub."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
__all__ = ["from_hub", "push_to_hub", "read_description"]
