"""Whatever the command is given, it ends with a code and at most one line, never a traceback."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures
from skpara.cli import main
from skpara.datasets import PairFile
from skpara.saving import load_model, save_model

pytestmark = pytest.mark.slow

FUZZ = settings.get_profile("fuzz")  # of conftest.py
OUTCOMES: Counter[str] = Counter()


@cache
def model_file():
    """A small model, in a file that lasts as long as the process."""
    folder = tempfile.TemporaryDirectory()
    pairs = [("a dog", "a dog"), ("a dog", "cats sleep"), ("one", "two"), ("he sings", "he sang")]
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    model.fit(pairs, [5, 0, 1, 4])
    save_model(model, Path(folder.name) / "model", data="four pairs", n_pairs=4)
    return folder, Path(folder.name) / "model"


def run(*arguments, stdin=b""):
    """The exit code, standard output and standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(arguments)
            except SystemExit as end:  # argparse
                code = end.code
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    OUTCOMES["read" if code == 0 else "refused"] += 1
    return code, *texts


CELL = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(
        ["A man sings.", "sentence1", "sentence2", "score", "4.5", "nan", "1e999", "", '"', '""']
    ),
)
JSON = st.one_of(
    CELL, st.none(), st.booleans(), st.integers(), st.floats(), st.just(10**400), st.just("\ud800")
)
CONTENT = st.one_of(
    st.binary(max_size=60),
    *(
        st.lists(st.lists(CELL, max_size=4).map(comma.join), max_size=5)
        .map("\n".join)
        .map(str.encode)
        for comma in ("\t", ",")
    ),
    st.lists(
        st.dictionaries(st.sampled_from(["sentence1", "sentence2", "score", "x"]), JSON).map(
            json.dumps
        ),
        max_size=5,
    )
    .map("\n".join)
    .map(str.encode),
    st.just(b'{"sentence1": "a", "sentence2": "b", "score": ' + b"9" * 5000 + b"}"),
    st.just(b"[" * 100_000),
)
FORMATS = st.sampled_from(["tsv", "csv", "jsonl"])
COLUMNS = st.sampled_from(
    [(None, "auto"), ((0, 1), 2), (("sentence1", "x"), "score"), ((8, 0), 1), ((0, 1), None)]
)


@FUZZ
@given(CONTENT, FORMATS, COLUMNS, st.booleans())
def test_files_of_pairs(content, format, selected, packed):
    columns, score_column = selected
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (f"pairs.{format}" + ".gz" * packed)
        path.write_bytes(gzip.compress(content) if packed else content)
        try:
            rows = list(PairFile(path, columns=columns, score_column=score_column))
        except ValueError as error:
            rows, problem = [], str(error)
        else:
            problem = ""
    OUTCOMES["refused" if problem else "read"] += 1
    assert not problem or str(path) in problem
    assert all(isinstance(cell, str) for row in rows for cell in row.pair)
    assert score_column is None or np.isfinite([row.score for row in rows]).all()


@FUZZ
@given(CONTENT, FORMATS, st.sampled_from(["predict", "evaluate", "with-pairs"]), st.booleans())
def test_scoring(content, format, command, to_a_file):
    _, model = model_file()
    arguments = [command.replace("with-pairs", "predict"), str(model), "-", "--format", format]
    with tempfile.TemporaryDirectory() as folder:
        scores = Path(folder) / "scores"
        if command == "evaluate":
            arguments += ["--resamples", "2"]
        else:
            arguments += ["--with-pairs"] * (command == "with-pairs")
            arguments += ["-o", str(scores)] * to_a_file
        code, out, err = run(*arguments, stdin=content)
        assert scores.exists() == (command != "evaluate" and to_a_file and code == 0)
    assert code in (0, 1)
    said = [line for line in err.split("\n") if line and "warning" not in line]
    assert not [line for line in said if "pairs/s" not in line and code == 0]
    assert code == 0 or said[-1].startswith("skpara: ")
    assert "Traceback" not in err
    if command == "predict" and not to_a_file:
        assert np.isfinite([float(line) for line in out.splitlines()]).all()


WORD = st.one_of(
    st.sampled_from(
        "demo train predict evaluate augment - -- -o --out --format tsv --columns 1,2 0,1 a,a "
        "--seed -1 1e9 --group --resamples --json --length --overlap --pivot --cache --teacher "
        "--unlabeled /nowhere/file.tsv . --version".split()
    ),
    st.text(max_size=6),
)
HEAVY = {"demo", "train", "augment"}  # what they do with good arguments is tested elsewhere


@FUZZ
@given(st.lists(WORD, max_size=7))
def test_arguments(arguments):
    if HEAVY & set(arguments):
        arguments = [*arguments, "--no-such-option"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        code, _, err = run(*arguments, stdin=b"a dog\ta cat\t3\n")
    assert code in (0, 1, 2)
    assert "Traceback" not in err
    assert code != 1 or err.startswith("skpara: ")
    assert code != 2 or err.startswith("usage: skpara")


@FUZZ
@given(st.data())
def test_model_files(data):
    """Cut files, foreign ones, and ones whose description was changed."""
    _, good = model_file()
    whole = good.read_bytes()
    place = st.integers(0, len(whole) - 1)
    changed = bytearray(whole)
    kind = data.draw(st.sampled_from(["cut", "foreign", "changed"]))
    if kind == "cut":
        changed = changed[: data.draw(st.integers(0, len(whole) - 1))]
    elif kind == "foreign":
        changed = data.draw(st.binary(max_size=100))
    else:
        changed[data.draw(place)] ^= data.draw(st.integers(1, 255))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(changed)
        with pytest.raises(ValueError, match=re.escape(str(path))):
            load_model(path)
    OUTCOMES["refused"] += 1
