"""show_versions prints what a bug report needs."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
import torch

import skpara
from skpara import _show_versions, show_versions


@pytest.fixture
def printed(capsys):
    show_versions()
    return capsys.readouterr().out


def entry(printed, name):
    """The value that is printed after a name."""
    return re.search(rf"^ *{re.escape(name)}: (.*)$", printed, re.MULTILINE)[1]


def test_versions_of_installed_packages(printed):
    assert entry(printed, "skpara") == skpara.__version__
    for name in ("numpy", "scikit-learn", "torch", "pandas"):
        assert entry(printed, name) == version(name)
    assert entry(printed, "python").startswith(sys.version.split()[0])


def test_every_compiled_module_is_listed(printed):
    package = Path(skpara.__file__).parent
    for path in package.rglob("*.c"):
        name = ".".join(path.relative_to(package).with_suffix("").parts)
        assert entry(printed, name) in ("in use", "switched off", "not built: NumPy instead")


def test_dependencies_are_those_of_the_installed_package(monkeypatch, capsys):
    requirements = [
        "numpy>=2.0",
        'matplotlib>=3.9; extra == "plot"',
        'dask[dataframe,distributed]>=2024.8; extra == "dask"',
        'numpy>=2.0; extra == "dask"',
        'ruff>=0.9; extra == "dev"',
    ]
    monkeypatch.setattr(_show_versions, "requires", lambda _: requirements)
    show_versions()
    printed = capsys.readouterr().out
    start, middle, end = map(printed.index, ("Python dep", "Optional dep", "Devices"))
    assert re.findall(r"([\w-]+): ", printed[start:middle]) == ["skpara", "numpy"]
    assert re.findall(r"([\w-]+): ", printed[middle:end]) == ["matplotlib", "dask"]


def test_missing_packages_programs_and_folders(monkeypatch, capsys):
    monkeypatch.setattr(_show_versions, "requires", lambda _: ["no-such-package>=1"])
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("SKPARA_DATA", "/nowhere/at/all")
    show_versions()
    printed = capsys.readouterr().out
    assert entry(printed, "no-such-package") == "not installed"
    assert entry(printed, "Apertium") == "not installed"
    assert entry(printed, "data folder") == "/nowhere/at/all (does not exist yet)"


def test_a_source_tree_that_is_not_installed(monkeypatch, capsys):
    def requires(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(_show_versions, "requires", requires)
    show_versions()
    assert entry(capsys.readouterr().out, "skpara") == skpara.__version__


def test_locations_of_programs_and_folders(monkeypatch, capsys, tmp_path, wordnet):
    program = tmp_path / "apertium"
    program.write_text("#!/bin/sh\necho eng-spa\necho spa-eng\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SKPARA_DATA", str(tmp_path))
    show_versions()
    printed = capsys.readouterr().out
    assert entry(printed, "Apertium") == f"{program}, with eng-spa, spa-eng"
    assert entry(printed, "data folder") == str(tmp_path)
    assert entry(printed, "WordNet") == str(wordnet.folder)


def test_threads_and_devices(printed):
    threads = printed[printed.index("Threads:") :]
    assert entry(threads, "torch") == str(torch.get_num_threads())
    devices = printed[printed.index("Devices:") :]
    assert ("cuda:0:" in devices) == torch.cuda.is_available()
