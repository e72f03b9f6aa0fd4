"""The command that makes docs/results, with small scripts of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import result_tables  # noqa: E402
import results  # noqa: E402
import table_age  # noqa: E402


@pytest.fixture
def make(tmp_path, monkeypatch):
    """A function that runs ``make results`` for two scripts; one fails at first."""
    scripts = tmp_path / "examples"
    scripts.mkdir()
    (scripts / "good.py").write_text("import sys; print('\\n', *sys.argv[1:], '.768  ')")
    (scripts / "bad.py").write_text("raise SystemExit(3)")
    entries = [
        results.Result("bad", "bad.py"),
        results.Result("good", "good.py", "--data DATA/sub", "--teacher TEACHER", seeds="0 to 4"),
    ]
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(results, "RESULTS", entries)
    out = tmp_path / "out"
    places = ["--data", str(tmp_path / "data"), "--out", str(out), "--cache", str(tmp_path / "c")]

    def make(*arguments: str) -> tuple[int, dict[str, str]]:
        status = results.main([*places, *arguments])
        return status, {path.name: path.read_text() for path in sorted(out.iterdir())}

    return make


def test_a_failing_command_keeps_none_from_running(make, tmp_path, capfd):
    status, tables = make()
    assert status == 1
    assert list(tables) == ["good.txt"]
    head, _, table = tables["good.txt"].partition("\n\n")
    assert f"--data {tmp_path}/data/sub .768\n" in table
    assert "command   python examples/good.py --data DATA/sub\n" in head
    assert "seed      0 to 4\n" in head
    for name in ("date", "commit", "machine", "versions", "time"):
        assert f"\n{name:10}" in head
    printed = capfd.readouterr().out
    assert "bad: failed with exit status 3" in printed
    assert "failed: bad" in printed


def test_tables_that_exist_are_made_again_on_request_only(make, tmp_path):
    make()
    (tmp_path / "out" / "good.txt").write_text("old")
    (tmp_path / "examples" / "bad.py").write_text("print('mended')")
    status, tables = make()
    assert (status, tables["good.txt"]) == (0, "old")
    assert tables["bad.txt"].endswith("\nmended\n")
    assert make("--only", "good")[1]["good.txt"] != "old"
    (tmp_path / "out" / "good.txt").write_text("old")
    assert make("--force")[1]["good.txt"] != "old"


def test_a_teacher_adds_arguments_and_is_named(make, tmp_path):
    table = make("--teacher", str(tmp_path / "MiniLM"), "--only", "good")[1]["good.txt"]
    assert "good.py --data DATA/sub --teacher TEACHER\n" in table
    assert "teacher   MiniLM\n" in table
    assert str(tmp_path / "MiniLM") in table.partition("\n\n")[2]


def test_pages_name_tables_that_a_command_makes():
    docs = EXAMPLES.parent / "docs"
    pages = "\n".join(path.read_text("utf8") for path in docs.rglob("*.rst"))
    shown = set(re.findall(r"(?:result:: |literalinclude:: .*results/)([\w-]+)", pages))
    made = {result.name for result in results.RESULTS}
    assert shown <= made
    assert {path.stem for path in (docs / "results").glob("*.txt")} <= made


def test_numbers_have_one_form():
    values = [0.7684, -0.132, 1.5, -0.0001, 1305, None, "any"]
    shown = [".768", "-.132", "1.500", ".000", "1,305", "", "any"]
    assert [result_tables.number(value) for value in values] == shown
    assert result_tables.mean_and_range([0.7, 0.71, 0.72]) == ".710 (.700-.720)"
    assert result_tables.mean_and_range([0.7]) == ".700"


@pytest.fixture
def history():
    """The commit of the clone; a release has none."""
    try:
        table_age.git("rev-parse", "HEAD~1")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a clone with its history")
    return table_age.git("rev-parse", "HEAD")


def test_the_age_of_a_table_is_counted_from_its_commit(history, tmp_path):
    table = tmp_path / "table.txt"
    assert table_age.age_of("default_fit.py", table) is None
    table.write_text(f"command   python\ncommit    {history}\n")
    age = table_age.age_of("default_fit.py", table)
    assert (age.newer, age.is_stale) == (0, False)
    assert age.lines > 1000
    table.write_text("command   python\ncommit    0000000, with changes\n")
    assert table_age.age_of("default_fit.py", table) is None


def test_a_table_shows_what_its_script_uses():
    shown = {path.name for path in table_age.code_of("papers/wieting_2016.py")}
    assert {"wieting_2016.py", "_data.py", "paraphrases.py", "encoders", "text"} <= shown
    assert not {"matching", "cli", "transfer.py"} & shown


# Tables of code of which much has changed since. Make one again and take its name out: the list
# only gets shorter.
STALE = {
    "static-vectors",
    "matching",
    "speed-pipeline",  # to be made on a machine that is idle
    *(f"transfer-{name}" for name in ("msrp", "twitter", "others", "development")),
}


def test_tables_are_of_the_code_as_it_is(history):
    folder = EXAMPLES.parent / "docs" / "results"
    ages = {
        result.name: table_age.age_of(result.script, folder / f"{result.name}.txt")
        for result in results.RESULTS
    }
    stale = {name for name, age in ages.items() if age and age.is_stale}
    assert stale - STALE == set(), "make these again: make results ONLY=..."
    assert STALE - stale == set(), "these are no longer stale: take them out of the list"
