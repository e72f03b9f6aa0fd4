"""What pytest runs in this folder: the examples of all pages, each in a folder of its own."""

import pytest

# tests/examples/test_tutorial.py runs it, with the commands of its shell.
collect_ignore = ["tutorial.rst"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
