"""Phrases that read as if they had been translated stay out of pages, docstrings and comments."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
FILES += [
    path for ending in ("rst", "md") for path in sorted((ROOT / "docs").rglob(f"*.{ending}"))
]
FILES += sorted((ROOT / "skpara").rglob("*.py"))
MADE = {"generated", "_build"}
# Each with what a native writes instead.
PHRASES = {
    r"\bso many\b": "this many, at most n, a given number of",
    r"\banother one\b|\bother ones\b": "another, others",
    r"(?<!here )\b(?:is|are|was|were) no (?!longer\b|more\b|\w+er\b|less\b)": "is not a, are not",
    r"\btells? (?:how|whether|which|what|nothing)\b": "shows, says, determines",
    r"\bmodels? of language\b": "language model",
    r"\btyping errors?\b": "typo",
    r"\bmisspelt\b": "misspelled",
}


def test_phrases_stay_out():
    found = []
    for path in FILES:
        text = path.read_text("utf8") if MADE.isdisjoint(path.parts) else ""
        for phrase, other in PHRASES.items():
            for match in re.finditer(phrase, text, re.IGNORECASE):
                number = 1 + text.count("\n", 0, match.start())
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}: write {other}")
    assert not found, "\n".join(found)
