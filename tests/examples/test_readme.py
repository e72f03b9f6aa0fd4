"""The README is true: code runs, links lead somewhere, figures are those measured."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
sys.path.insert(0, str(ROOT / "examples" / "benchmarks"))
from accuracy_speed import read_rows  # noqa: E402

TABLES = {"catalogue", "orders", "tickets", "pairs", "new_pairs"}
LIBRARIES = {
    "plain": None,
    "pandas": (pd.DataFrame, pd.Series),
    "polars": (lambda rows: pl.DataFrame(rows, orient=None if isinstance(rows, dict) else "row"),
               pl.Series),
}  # fmt: skip


def converted(rows, library):
    """A table, pairs or a column of text as a library has them."""
    frame, column = library
    return column(rows) if isinstance(rows, list) and isinstance(rows[0], str) else frame(rows)


# Those that train on the sample, which no library changes, take the time of all others.
CASES = [
    pytest.param(block, library, id=f"{block.splitlines()[-1][:30]}-{library}")
    for block in BLOCKS
    for library in LIBRARIES
    if library == "plain" or "load_sts_sample" not in block
]


@pytest.mark.parametrize(("block", "library"), CASES)
def test_each_block_runs_alone_and_prints_what_it_says(
    block, library, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for statement in ast.parse(block).body:
        exec(ast.unparse(statement), names)
        if library != "plain":
            targets = {x.id for x in ast.walk(statement) if isinstance(x, ast.Name)}
            if isinstance(statement, ast.Assign) and isinstance(
                statement.value, ast.List | ast.Dict
            ):
                for name in targets & TABLES:
                    names[name] = converted(names[name], LIBRARIES[library])
    printed = capsys.readouterr().out
    for output in re.findall(r"^print.*# (\[.*\])$", block, re.MULTILINE):
        assert output in printed


def test_links_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)", README)
    missing = [link for link in links if not (ROOT / link).exists()]
    assert len(links) >= 10
    assert not missing


def test_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text("utf8")
    targets = re.findall(r"^\$ make ([\w-]+)", README, re.MULTILINE)
    assert set(targets) >= {"demo", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_figures_are_those_of_the_table():
    """``python examples/results.py --only accuracy-speed`` makes the table."""
    rows = read_rows(ROOT / "docs" / "results" / "accuracy-speed.txt")
    assert len(rows) in (6, 8)  # ONNX and model2vec are measured where they are installed
    for row in rows:
        r, low, high = (f"{value:.3f}".removeprefix("0") for value in row[1:4])
        cells = f" | {r} ({low}-{high}) | {row.speed:,.0f} |"
        lines = [line for line in README.split("\n") if line.endswith(cells)]
        name = row.name.removesuffix(", fast features").split("(")[0]
        assert any(name in line for line in lines), f"The README has no row of {row}."
