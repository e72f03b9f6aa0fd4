"""The version of skpara: the one place it is written down (``setup.py`` reads this file)."""

__version__ = "0.3.0.dev0"
