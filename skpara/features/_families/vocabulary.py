"""Lists of words that the families know, from ``vocabulary.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VOCABULARY: dict[str, Any] = json.loads(
    Path(__file__).with_name("vocabulary.json").read_text("utf-8")
)
