"""Phrases that read as if they had been translated stay out of pages, docstrings and comments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("phrase", PHRASES)
def test_phrases_stay_out(phrase):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        if MADE.isdisjoint(path.parts)
        for number, line in enumerate(path.read_text("utf8").split("\n"), 1)
        if re.search(phrase, line, re.IGNORECASE)
    ]
    assert not found, f"Write {PHRASES[phrase]}:\n" + "\n".join(found)
