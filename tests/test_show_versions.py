"""What show_versions prints holds what a report of a fault needs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import skpara
from skpara import _show_versions
from skpara._show_versions import show_versions

SETUP = Path(__file__).parents[1] / "setup.py"


@pytest.fixture
def printed(capsys):
    show_versions()
    return capsys.readouterr().out


def entry(printed, name):
    """What stands behind a name."""
    return re.search(rf"^ *{re.escape(name)}: (.*)$", printed, re.MULTILINE)[1]


def test_versions_of_what_is_installed(printed):
    assert entry(printed, "skpara") == skpara.__version__
    for name in ("numpy", "scikit-learn", "torch", "pandas"):
        assert entry(printed, name) == version(name)
    assert entry(printed, "python").startswith(sys.version.split()[0])


def test_every_dependency_of_setup_is_listed(printed):
    tree = ast.parse(SETUP.read_text("utf8"))
    lists = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id in ("INSTALL", "EXTRAS")
    ]
    needed, extras = map(ast.literal_eval, lists)
    tools = {*extras["test"], *extras["docs"], *extras["dev"]}
    wanted = {*needed, *(one for group in extras.values() for one in group)} - tools
    names = {re.match(r"[\w-]+", one)[0].replace("_", "-") for one in wanted}
    listed = {line.split(":")[0].strip() for line in printed.splitlines()}
    assert names <= listed
    assert {re.match(r"[\w-]+", one)[0] for one in needed} == set(_show_versions._NEEDED)


def test_what_is_missing_is_said_to_be(printed, monkeypatch, capsys):
    monkeypatch.setattr(_show_versions, "_OPTIONAL", ("no-such-package",))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("SKPARA_DATA", "/nowhere/at/all")
    show_versions()
    found = capsys.readouterr().out
    assert entry(found, "no-such-package") == "not installed"
    assert entry(found, "Apertium") == "not installed"
    assert entry(found, "data folder") == "/nowhere/at/all (not there yet)"


def test_where_things_are(monkeypatch, capsys, tmp_path, wordnet):
    program = tmp_path / "apertium"
    program.write_text("#!/bin/sh\necho eng-spa\necho spa-eng\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SKPARA_DATA", str(tmp_path))
    show_versions()
    found = capsys.readouterr().out
    assert entry(found, "Apertium") == f"{program}, with eng-spa, spa-eng"
    assert entry(found, "data folder") == str(tmp_path)
    assert entry(found, "WordNet") == str(wordnet.folder)


def test_threads_and_devices(printed):
    import torch

    assert entry(
        printed,
        "torch",
    ) == version("torch")
    threads = printed[printed.index("Threads:") :]
    assert entry(threads, "torch") == str(torch.get_num_threads())
    devices = printed[printed.index("Devices:") :]
    assert ("cuda:0:" in devices) == torch.cuda.is_available()


def test_importing_skpara_does_not_load_it():
    code = "import skpara, sys; print('skpara._show_versions' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
