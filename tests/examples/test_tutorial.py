"""The tutorial runs from top to bottom, its shell commands included."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

from skpara.cli import main

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.rst"


def test_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    outcome = doctest.testfile(str(TUTORIAL), module_relative=False, optionflags=options)
    assert outcome.failed == 0, capsys.readouterr().out
    assert outcome.attempted > 20
    commands = [
        line.strip().removeprefix("$ skpara ")
        for line in TUTORIAL.read_text("utf8").split("\n")
        if line.startswith("   $ skpara ")
    ]
    assert len(commands) == 2
    for command in commands:
        assert main(shlex.split(command)) == 0
    assert "decision" in Path("decided.csv").read_text("utf8")
    assert len(Path("matched.csv").read_text("utf8").split("\n")) == 8
