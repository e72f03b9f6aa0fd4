"""Fixtures: the command in this process, and a folder with tables and lines."""

from __future__ import annotations

import pytest

from skpara import cli
from skpara.cli import main

ORDERS = 'id,title\n1,"bike, red"\n2,\n3,a chair\n'
SHOP = "name,price,id\ngarden chair,40,c\nred bicycle,250,b\n"
TEXT = "A dog runs.\nIt rains.\nA dog runs!\nA cat sleeps.\n"


@pytest.fixture(scope="session", autouse=True)
def _one_parser():
    """To make the parser of all commands takes longer than most of them."""
    make, modules = cli.make_parser, cli._MODULES
    parser = make(modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "make_parser", lambda x: parser if x is modules else make(x))
        yield


@pytest.fixture
def run(capsys):
    """Run a command that must end with ``code``; return standard output and standard error."""

    def run_command(*arguments, code=0):
        capsys.readouterr()
        assert main([str(argument) for argument in arguments]) == code
        return capsys.readouterr()

    return run_command


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with two tables and a text file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orders.csv").write_text(ORDERS)
    (tmp_path / "shop.csv").write_text(SHOP)
    (tmp_path / "lines.txt").write_text(TEXT)
    return tmp_path
