"""Arguments, warnings and exit codes of all commands."""

from __future__ import annotations

import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest

from skpara import __version__, cli
from skpara.cli import main


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"skpara {__version__}\n"


@pytest.mark.parametrize(
    "command",
    [
        *("", "paint", "train pairs.tsv", "report pairs.tsv"),
        *(f"predict --columns {columns}" for columns in ("a", "a,a", "0,1", "a,b,c,d")),
        *("evaluate pairs.tsv --columns a,b", "evaluate pairs.tsv --group 0"),
        *("report pairs.tsv -o a.html --errors 0", "predict --interval 1"),
        *("predict --threshold many", "predict --threshold 0.5 --precision 0.9"),
    ],
)
def test_wrong_arguments_end_with_2_and_usage(command, capsys):
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 2
    assert "usage: skpara" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    ["demo", "predict", "explain", *("encode", "train", "evaluate", "report", "match", "dedupe")],
)
def test_every_command_has_help_with_examples(command, capsys):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert f"usage: skpara {command}" in shown
    assert "examples:\n  " in shown
    assert f"skpara {command} " in shown.partition("examples:")[2]


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom skpara.cli import main\n"
        "try:\n    main(['dedupe', '--help'])\nexcept SystemExit:\n    pass\n"
        "assert not {'numpy', 'sklearn'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "examples:" in done.stdout


def add_command(monkeypatch, run):
    texts = dict.fromkeys(("HELP", "DESCRIPTION", "EXAMPLES"), "")
    module = SimpleNamespace(__name__="new", add_options=id, run=run, **texts)
    monkeypatch.setattr(cli, "_MODULES", (module,))


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (ValueError("a bad row"), 1, "skpara: a bad row\n"),
        (FileNotFoundError("no file"), 1, "skpara: no file\n"),
        (ImportError("pip install x"), 1, "skpara: pip install x\n"),
        (MemoryError(), 1, "skpara: memory is short; pass a smaller file or model.\n"),
        (
            *(TypeError("a\nb"), 70),
            "skpara: this is a bug, please report it: TypeError: a b (test_main.py, line",
        ),
        (KeyboardInterrupt(" after 3 pairs"), 130, "skpara: interrupted after 3 pairs\n"),
    ],
)
def test_problems_are_printed_without_a_traceback(problem, code, said, capsys, monkeypatch):
    def fail(_):
        raise problem

    add_command(monkeypatch, fail)
    assert main(["new"]) == code
    shown = capsys.readouterr().err.lstrip("\n")
    assert shown.startswith(said)
    assert shown.count("\n") == 1


def test_warnings_are_printed_without_code(capsys, monkeypatch):
    def warn(_):
        warnings.simplefilter("always")
        warnings.warn("the oven is on", stacklevel=1)

    add_command(monkeypatch, warn)
    shown = warnings.showwarning
    assert main(["new"]) == 0
    assert capsys.readouterr().err == "skpara: warning: the oven is on\n"
    assert warnings.showwarning is shown


INTERRUPTED = """
import os, signal, sys, time
import skpara.cli

class Interrupting:
    def __del__(self):  # Python ignores its errors
        signal.raise_signal(signal.SIGINT)

class new:
    HELP = DESCRIPTION = EXAMPLES = ""
    add_options = id

    def run(_):
        if {while_it_runs}:
            Interrupting()
            time.sleep(60)

skpara.cli._MODULES = [new]
sys.argv = ["skpara", "new"]
code = skpara.cli.main()
os.kill(os.getpid(), signal.SIGINT)  # Ctrl-C while the process ends
sys.exit(code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("while_it_runs", "code", "said"), [(True, 130, "\nskpara: interrupted\n"), (False, 0, "")]
)
def test_an_interrupt_always_ends_the_command_once(while_it_runs, code, said):
    script = INTERRUPTED.format(while_it_runs=while_it_runs)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, said)
