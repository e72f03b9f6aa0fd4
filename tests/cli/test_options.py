"""The arguments that each command takes, their defaults and their values."""

from __future__ import annotations

from pathlib import Path

import pytest

from skpara import cli
from skpara.cli import main
from skpara.cli._options import UsageError
from skpara.cli._parser import make_parser
from skpara.cli._tables import output_format

# The usage of each command, as its help prints it. "TABLE" stands for how to read a table.
TABLE = "[--format {tsv,csv,jsonl,parquet,xlsx}] [--delimiter C] [--encoding NAME] [--no-header]"
USAGE = {
    "demo": "[--out FOLDER] [-q]",
    "predict": (
        "[--columns NAME,NAME] TABLE [--model MODEL] [--vectors FILE] "
        "[--threshold P | --precision P] [--unsure] [--interval C] [--novelty] "
        "[-o FILE] [--with-pairs] [-q] [PAIRS ...]"
    ),
    "explain": "[--columns NAME,NAME] TABLE [--model MODEL] [--json] [-o FILE] [-q] [PAIRS ...]",
    "encode": "[--on NAME] [-o FILE] [--model MODEL] [--vectors FILE] TABLE [-q] [FILE]",
    "train": (
        "[--columns NAME,NAME,NAME] TABLE -o MODEL [--unlabeled FILE] [--score-range LOW HIGH] "
        "[--intervals] [--labels] [--group COLUMN] [-q] PAIRS"
    ),
    "evaluate": "[--columns NAME,NAME,NAME] TABLE [--model MODEL] [--group COLUMN] [-q] PAIRS",
    "report": (
        "[--columns NAME,NAME,NAME] TABLE [--model MODEL] [--group COLUMN] -o FILE [--errors N] "
        "[-q] PAIRS"
    ),
    "match": (
        "[--on NAME[,NAME]] [--left-on NAME[,NAME]] [--right-on NAME[,NAME]] [--top-k N] "
        "[--threshold X] [--precision X] [--one-to-one] [--guard {on,off,identifiers}] "
        "[--how {left,inner,right,outer,anti}] [--explain] [--model MODEL] [--review N] "
        "[--certify] [--answers FILE] [-o FILE] [--folder DIR] [--memory GB] TABLE [-q] "
        "FILE CANDIDATES"
    ),
    "dedupe": (
        "[--on NAME[,NAME]] [--threshold X] [--linkage {average,complete,single}] "
        "[--guard {on,off,identifiers}] [--keep {first,last,longest}] "
        "[--write {kept,clusters,pairs}] [--model MODEL] [--review N] [--certify] "
        "[--answers FILE] [-o FILE] [--folder DIR] [--memory GB] TABLE [-q] [FILE]"
    ),
}
# The fewest arguments of each command, and what it gets besides: the rest is None or False.
DEFAULTS = {
    "demo": {"out": Path("skpara-demo")},
    "predict": {"pairs": []},
    "explain": {"pairs": []},
    "encode": {"table": "-"},
    "train -o m pairs.tsv": {"pairs": "pairs.tsv", "out": Path("m")},
    "evaluate pairs.tsv": {"pairs": "pairs.tsv"},
    "report -o a.html pairs.tsv": {"pairs": "pairs.tsv", "out": Path("a.html"), "errors": 10},
    "match a.csv b.csv": {
        "left": "a.csv", "right": "b.csv", "top_k": 1, "guard": "on", "how": "left",
    },
    "dedupe": {"table": "-", "guard": "on", "write": "kept"},
}  # fmt: skip
# Options as they are written, and what they mean.
TABLE_VALUES = "--format csv --delimiter ; --encoding cp1252 --no-header"
READ_TABLE = {"format": "csv", "delimiter": ";", "encoding": "cp1252", "no_header": True}
WORK = "--model m -o out.csv --folder d --memory 1.5 --review 5 --certify --answers b.csv"
READ_WORK = {
    "model": Path("m"), "out": Path("out.csv"), "folder": Path("d"), "memory": 1.5, "review": 5,
    "certify": True, "answers": Path("b.csv"),
}  # fmt: skip
GIVEN = {
    "demo --out d --quiet": {"out": Path("d")},
    "predict a b --columns x,3 --model m --vectors v --threshold .5 --unsure --interval .9 "
    f"--novelty --out o.csv --with-pairs -q {TABLE_VALUES}": {
        "pairs": ["a", "b"], "columns": ["x", "3"], "model": Path("m"), "vectors": "v",
        "threshold": 0.5, "unsure": True, "interval": 0.9, "novelty": True, "out": Path("o.csv"),
        "with_pairs": True, **READ_TABLE,
    },
    "predict --precision .95 -q": {"precision": 0.95},
    f"explain a --columns x,y --model m --json --out o.txt -q {TABLE_VALUES}": {
        "pairs": ["a"], "columns": ["x", "y"], "model": Path("m"), "json": True,
        "out": Path("o.txt"), **READ_TABLE,
    },
    f"encode a --on x --out o.npy --model m --vectors v -q {TABLE_VALUES}": {
        "table": "a", "on": "x", "out": Path("o.npy"), "model": Path("m"), "vectors": "v",
        **READ_TABLE,
    },
    "train a --columns x,y,z --out m --unlabeled u --score-range 0 5 --intervals --labels "
    f"--group 4 -q {TABLE_VALUES}": {
        "columns": ["x", "y", "z"], "out": Path("m"), "unlabeled": "u", "score_range": [0.0, 5.0],
        "intervals": True, "labels": True, "group": "4", **READ_TABLE,
    },
    f"evaluate - --columns 1,2,3 --model m --group g -q {TABLE_VALUES}": {
        "pairs": "-", "columns": ["1", "2", "3"], "model": Path("m"), "group": "g", **READ_TABLE,
    },
    f"report a --columns x,y,z --model m --group g --out o --errors 1 -q {TABLE_VALUES}": {
        "columns": ["x", "y", "z"], "model": Path("m"), "group": "g", "out": Path("o"),
        "errors": 1, **READ_TABLE,
    },
    f"match a b --on x,y --left-on l --right-on r --top-k 3 --threshold .4 --precision .9 "
    f"--one-to-one --guard off --how inner --explain -q {WORK} {TABLE_VALUES}": {
        "on": "x,y", "left_on": "l", "right_on": "r", "top_k": 3, "threshold": 0.4,
        "precision": 0.9, "one_to_one": True, "guard": "off", "how": "inner", "explain": True,
        **READ_WORK, **READ_TABLE,
    },
    "match a b --top-k all -q": {"top_k": None},
    f"dedupe a --on x --threshold .4 --linkage single --guard identifiers --keep last "
    f"--write pairs -q {WORK} {TABLE_VALUES}": {
        "on": "x", "threshold": 0.4, "linkage": "single", "guard": "identifiers", "keep": "last",
        "write": "pairs", **READ_WORK, **READ_TABLE,
    },
    "dedupe -o - -q": {"out": None},  # standard output
}  # fmt: skip


@pytest.fixture
def parsers(monkeypatch):
    """The parser of each command by its name."""
    monkeypatch.setenv("COLUMNS", "1000")  # no options are broken across lines
    return make_parser(cli._MODULES).siblings


def parse(parsers, line):
    command, *arguments = line.split()
    return vars(parsers[command].parse_args(arguments))


@pytest.mark.parametrize(("command", "usage"), USAGE.items())
def test_usage(parsers, command, usage):
    expected = f"usage: skpara {command} [-h] {usage.replace('TABLE', TABLE)}"
    assert parsers[command].format_usage().strip() == expected


@pytest.mark.parametrize(("line", "values"), DEFAULTS.items())
def test_defaults(parsers, line, values):
    got = parse(parsers, line)
    command = line.split()[0]
    assert got.pop("command") == command
    assert got.pop("run") is getattr(cli, f"_{command}").run
    assert {name: value for name, value in got.items() if value not in (None, False)} == values


@pytest.mark.parametrize(("line", "values"), GIVEN.items())
def test_values(parsers, line, values):
    got = parse(parsers, line)
    assert {name: got[name] for name in values} == values
    assert got["quiet"] is True


def test_options_of_tables_and_answers_are_groups_of_their_own(parsers):
    for command, parser in parsers.items():
        titles = [x[:-1] for x in parser.format_help().splitlines() if x and x[-1] == ":"]
        expected = ["options of answers"] if command in ("match", "dedupe") else []
        expected += ["options of tables"] if command != "demo" else []
        assert [title for title in titles if title.startswith("options of")] == expected, command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("train pairs.tsv", "the following arguments are required: -o/--out"),
        ("report pairs.tsv", "the following arguments are required: -o/--out"),
        ("report a -o b --errors 0", "expected a whole number of at least 1, got '0'"),
        ("report a -o b --errors 1.5", "expected a whole number of at least 1, got '1.5'"),
        ("match a b --top-k -1", "expected a whole number of at least 1, got '-1'"),
        ("match a b --precision 0", "expected a number between 0 and 1, got '0'\n"),
        ("match a b --precision 1", "expected a number between 0 and 1, got '1'\n"),
        ("match a b --precision 1.9", "expected a number between 0 and 1, got '1.9'\n"),
        ("match a b --precision 2", "got '2'; did you mean 0.02?"),
        ("match a b --precision 99", "got '99'; did you mean 0.99?"),
        ("match a b --precision 100", "got '100'\n"),
        ("match a b --precision -1", "expected a number between 0 and 1, got '-1'\n"),
        ("match a b --precision most", "expected a number between 0 and 1, got 'most'\n"),
        ("predict --columns ,a", "the name of a column is empty"),
        ("predict --columns 0,a", "columns are counted from 1"),
        ("predict --columns 00,a", "columns are counted from 1"),
        ("predict --columns a", "expected 2 columns, separated by commas without spaces"),
        ("predict --columns a,b,c,d", "expected 2 columns, separated by commas"),
        ("evaluate x --columns a,b", "expected 3 columns, separated by commas"),
        ("predict --columns a,a", "'a,a' has the same column twice"),
        ("dedupe a --on name --on city", "--on is passed 2 times. Pass it once"),
        ("dedupe a -o b.csv --out=c.csv", "-o is passed 2 times. Pass it once"),
    ],
)
def test_a_value_that_is_refused(line, message, capsys):
    with pytest.raises(SystemExit) as end:
        main(line.split())
    assert end.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "otherwise", "expected"),
    [
        (None, "tsv", "tsv"), (None, "jsonl", "jsonl"), (None, "parquet", "csv"),
        (None, "xlsx", "csv"), ("scores", "tsv", "tsv"), ("scores", "parquet", "csv"),
        ("a.csv", "parquet", "csv"), ("a.TSV", "csv", "tsv"), ("a.txt", "csv", "tsv"),
        ("a.jsonl.gz", "csv", "jsonl"), ("a.parquet", "csv", "parquet"), ("a.xlsx", "csv", "xlsx"),
        ("a.doc", "csv", None), ("a.gz", "csv", None), ("a.parquet.gz", "csv", None),
    ],
)  # fmt: skip
def test_the_format_of_an_output_is_its_suffix_or_that_of_the_input(out, otherwise, expected):
    path = out and Path(out)
    if expected is None:
        with pytest.raises(UsageError, match="has none of the suffixes"):
            output_format(path, otherwise)
    else:
        assert output_format(path, otherwise) == expected
