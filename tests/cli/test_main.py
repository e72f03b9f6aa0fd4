"""Arguments, warnings and exit codes of all commands."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest

from skpara import __version__, cli
from skpara.cli import main


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option, capsys):
    with pytest.raises(SystemExit) as end:
        main([option])
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
def test_wrong_arguments_end_with_2_and_help(command, capsys):
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 2
    assert "For help: skpara" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        ("mach a.csv b.csv", "Did you mean match?"),
        ("match a.csv b.csv --treshold 0.5", "--treshold 0.5. Did you mean --threshold?"),
        ("match --min-score=0.5", "--min-score is unknown. Did you mean --threshold?"),
        ("train a.csv --target y", "--target is unknown. Did you mean --columns?"),
        ("train a.csv --target y -o a.skpara", "--target y. Did you mean --columns?"),
        ("match a.csv b.csv --target-precision=0.9", "Did you mean --precision?"),
        ("match a.csv b.csv --columns name", "Did you mean --on?"),
        ("dedupe a.csv --sep ;", "Did you mean --delimiter?"),
        ("dedupe a.csv --linkage singel", "Did you mean single?"),
        ("predict a.csv --linkage single", "--linkage is an option of skpara dedupe"),
        ("join a.csv b.csv", "Did you mean match?"),
        ("predict a.csv --columns question1 question2", "separated by commas without spaces"),
        ("similarity a b", "Did you mean predict?"),
        ("--model m.skpara explain a.csv", "skpara explain --model m.skpara a.csv"),
        ("dedupe a.csv b.csv", "skpara dedupe takes FILE. Columns are separated by commas"),
        ("match a.csv b.csv --left-on a b --right-on c d", "separated by commas (name,city)"),
        ("match a.csv", "are required: CANDIDATES. For example: skpara match orders.csv"),
        ("match a.csv b.csv -k 3", "Did you mean --top-k?"),
        ("predict --text1 a --text2 b", 'For example: skpara predict "A man plays'),
        ("dedupe a.csv --guard none", "Did you mean off?"),
        ("dedupe a.csv --threshold 90%", "Did you mean 0.9?"),
        ("dedupe a.csv --threshold 0,9", "Did you mean 0.9?"),
        ("dedupe a.csv --threshold high", "Pass a number, such as 0.9"),
    ],
)
def test_an_error_names_what_is_meant(command, remedy, capsys):
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 2
    assert remedy in capsys.readouterr().err


def test_quiet_prints_results_only(tmp_path, capsys):
    names = tmp_path / "names.csv"
    names.write_text("name\nHarlow Timber Ltd\nCafe Adriatic\nHarlow Timber Limited\n")
    for command in ("dedupe", f"match {names}"):
        assert main([*command.split(), str(names), "--on", "name"]) == 0
        loud = capsys.readouterr()
        assert main([*command.split(), str(names), "--on", "name", "--quiet"]) == 0
        quiet = capsys.readouterr()
        assert loud.out == quiet.out
        assert loud.err
        assert not quiet.err
    assert main(["dedupe", str(tmp_path / "other.csv"), "-q"]) == 1
    assert "other.csv" in capsys.readouterr().err


def test_help_of_a_command(capsys):
    for arguments in (["help", "match"], ["match", "--help"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
    first, second = capsys.readouterr().out.split("usage: ")[1:]
    assert first == second


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


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_is_one_line_and_leaves_no_half_file(run, folder, monkeypatch):
    """The system refuses each file after five bytes, as a full disk does."""
    import resource

    monkeypatch.setattr("sys.stdin", None)
    for name in ("out.csv", "out.txt"):
        (folder / name).write_text("old")
    commands = {
        ("dedupe", "lines.txt", "-o", "out.csv"): "out.csv",
        ("dedupe", "lines.txt", "--review", "2"): "lines.txt.answers.csv",
        ("match", "orders.csv", "shop.csv", "-o", "out.csv"): "out.csv",
        ("match", "orders.csv", "shop.csv", "--review", "2", "--answers", "a.csv"): "a.csv",
        ("encode", "lines.txt", "-o", "vectors.npy"): "vectors.npy",
        ("explain", "a dog", "a cat", "-o", "out.txt"): "out.txt",
    }
    before = {path: path.read_bytes() for path in folder.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for command, name in commands.items():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, limits[1]))
        try:
            shown = run(*command, code=1).err
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert f"skpara: {name}: File too large. Pass another name" in shown
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_demo_may_be_written_to_a_folder(capsys):
    with pytest.raises(SystemExit):
        main(["demo", "--help"])
    assert "--out FOLDER" in capsys.readouterr().out


PRINTING = """
import sys
import skpara.cli

class new:
    HELP = DESCRIPTION = EXAMPLES = ""
    add_options = id
    run = print

skpara.cli._MODULES = [new]
sys.argv = ["skpara", "new"]
sys.exit(skpara.cli.main())
"""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_device_is_one_line(run, folder):
    full = run("dedupe", "lines.txt", "-o", "/dev/full", code=1)
    assert full.out == ""
    assert full.err.startswith("skpara: /dev/full: No space left on device. Pass another name")
    with open("/dev/full", "w") as file:
        command = [sys.executable, "-c", PRINTING]
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "skpara: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("out", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_the_output_may_be_standard_output(run, folder, out):
    assert run("dedupe", "lines.txt", "-o", out).out == run("dedupe", "lines.txt").out


TWICE = """
import signal, sys
import skpara.cli

class Twice(KeyboardInterrupt):
    def __str__(self):  # Ctrl-C again, while the end is being said
        signal.raise_signal(signal.SIGINT)
        return " after 3 pairs"

class new:
    HELP = DESCRIPTION = EXAMPLES = ""
    add_options = id

    def run(_):
        raise Twice

skpara.cli._MODULES = [new]
sys.argv = ["skpara", "new"]
sys.exit(skpara.cli.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_second_interrupt_changes_nothing():
    done = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "\nskpara: interrupted after 3 pairs\n")
