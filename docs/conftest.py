"""What pytest runs in this folder: the examples of all pages, each in a folder of its own."""

import pytest

# tests/examples/test_tutorial.py runs it, with the commands of its shell.
collect_ignore = ["tutorial.rst"]


def pytest_collection_modifyitems(items):
    """Mark the pages that take more than five seconds."""
    for item in items:
        if item.path.name == "tuning.rst":  # a search over pipelines
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
