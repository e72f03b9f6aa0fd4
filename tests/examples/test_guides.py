"""The examples with other packages run, wherever these packages are installed.

In ``make test-works-with`` all of them are, and the tests fail if one is missing.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from pathlib import Path
from textwrap import dedent

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "works_with.rst", DOCS / "moving.rst", DOCS / "guide/engines.rst"]


def blocks_of(page):
    """The blocks of Python code of a page, each with the name of its section."""
    text = page.read_text("utf8")
    pattern = r"^\.\. code-block:: python\n\n((?:(?:   .*)?\n)+)"
    for match in re.finditer(pattern, text, re.MULTILINE):
        titles = re.findall(r"^(\S.*)\n[=~-]+$", text[: match.start()], re.MULTILINE)
        yield titles[-1], dedent(match[1])


def cases():
    """On the page of many packages, all blocks start with the first one."""
    for page in PAGES:
        blocks = list(blocks_of(page))
        assert blocks, f"{page} has no example"
        first = blocks.pop(0)[1] if page.name == "works_with.rst" else ""
        for title, code in blocks:
            yield pytest.param(first + code, id=f"{page.stem}, {title}")


@pytest.mark.parametrize("code", list(cases()))
def test_example_runs_and_prints_what_it_says(code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if "pyspark" in code:
        if not shutil.which("java"):
            pytest.skip("Spark needs Java")
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the other packages
        try:
            exec(code, {"__name__": "__main__"})
        except ImportError as error:
            if str(error.name).startswith("skpara") or os.environ.get("SKPARA_REQUIRE_PACKAGES"):
                raise
            pytest.skip(str(error))
    printed = capsys.readouterr().out.split("\n")
    for output in re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE):
        assert output in printed
