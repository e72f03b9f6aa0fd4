"""A fixture that runs the command in this process."""

from __future__ import annotations

import pytest

from skpara.cli import main


@pytest.fixture
def run(capsys):
    """Run a command that must end with ``code``; return standard output and standard error."""

    def run_command(*arguments, code=0):
        capsys.readouterr()
        assert main([str(argument) for argument in arguments]) == code
        return capsys.readouterr()

    return run_command
