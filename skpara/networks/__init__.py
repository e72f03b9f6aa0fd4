"""Torch modules from token ids to sentence vectors."""

from skpara.networks._average import Average

__all__ = ["Average"]
