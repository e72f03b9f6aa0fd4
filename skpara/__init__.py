"""Score how alike two sentences are, inside scikit-learn.

Public names load on first use, so that ``import skpara`` stays quick: neither torch, gensim
nor matplotlib is imported until something needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from skpara._version import __version__

if TYPE_CHECKING:
    from skpara._pairs import PairEstimatorMixin
    from skpara._show_versions import show_versions
    from skpara._skops import trusted_types
    from skpara.encoders import ParagramEncoder, SentenceTransformerFeature
    from skpara.explanation import explain
    from skpara.features import LexicalFeatures
    from skpara.fusion import FusionRegressor, make_sts_pipeline
    from skpara.resources import WordFrequencies, WordVectors
    from skpara.siamese import SiameseLSTMRegressor, SiameseRegressor

_HOMES = {
    "FusionRegressor": "skpara.fusion",
    "LexicalFeatures": "skpara.features",
    "PairEstimatorMixin": "skpara._pairs",
    "ParagramEncoder": "skpara.encoders",
    "SentenceTransformerFeature": "skpara.encoders",
    "SiameseLSTMRegressor": "skpara.siamese",
    "SiameseRegressor": "skpara.siamese",
    "WordFrequencies": "skpara.resources",
    "WordVectors": "skpara.resources",
    "explain": "skpara.explanation",
    "make_sts_pipeline": "skpara.fusion",
    "show_versions": "skpara._show_versions",
    "trusted_types": "skpara._skops",
}
_ROOMS = (
    "augment",
    "dask",
    "datasets",
    "encoders",
    "explanation",
    "features",
    "fusion",
    "hub",
    "metrics",
    "networks",
    "plots",
    "resources",
    "siamese",
    "testing",
    "text",
)

__all__ = [
    "FusionRegressor",
    "LexicalFeatures",
    "PairEstimatorMixin",
    "ParagramEncoder",
    "SentenceTransformerFeature",
    "SiameseLSTMRegressor",
    "SiameseRegressor",
    "WordFrequencies",
    "WordVectors",
    "__version__",
    "explain",
    "make_sts_pipeline",
    "show_versions",
    "trusted_types",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"skpara.{name}")
    raise AttributeError(f"module 'skpara' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_ROOMS])
