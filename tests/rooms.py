"""The rooms of the package, and from which others each may import.

test_import.py enforces it, and docs/architecture.rst shows it.
"""

from __future__ import annotations

LEARNING = {"text", "resources", "networks", "saving"}
ENCODING = LEARNING | {"learning"}
SCORING = ENCODING | {"encoders", "siamese", "features", "quantities"}
# Private modules at the top level are open to all.
MAY_IMPORT: dict[str, set[str]] = {
    "datasets": set(),
    "metrics": set(),
    "text": set(),
    "resources": {"text"},
    "networks": {"text", "resources"},
    "saving": {"text", "resources", "networks"},
    "learning": LEARNING,
    "encoders": ENCODING,
    "siamese": ENCODING,
    "quantities": {"text"},
    "features": {"text", "resources", "quantities"},
    "fusion": SCORING,
    "augment": SCORING,
    "explanation": SCORING | {"fusion"},
    "matching": SCORING | {"explanation", "datasets", "fusion", "metrics"},
    "scale": {"matching", "datasets"},
    "dask": SCORING | {"matching"},
}
# Nothing imports from these, so they may import from everywhere.
LEAVES = {"plots", "cli"}
