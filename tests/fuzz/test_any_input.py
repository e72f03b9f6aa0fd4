"""Any text gives finite numbers; any bytes give data, or an error that names the file.

Twenty inputs are tried for each test, always the same. ``SKPARA_FUZZ=5000 python -m pytest
tests/fuzz`` tries more, and others each time.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline, make_union

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, WordVectors, explain
from skpara.cli import main
from skpara.datasets import iter_pairs
from skpara.saving import save_model
from skpara.text import tokenize

N_INPUTS = int(os.environ.get("SKPARA_FUZZ", "0"))
FUZZ = settings(
    max_examples=N_INPUTS or 20,
    derandomize=not N_INPUTS,
    deadline=30_000,  # milliseconds: more is a hang
    database=None,
    suppress_health_check=list(HealthCheck),
)
# Text that tokenizers, number features and taggers have rules for, mixed with any characters.
PIECES = st.sampled_from(
    "a the dog cat's DON'T 3 1,650.5 1/2 $5 5% 1e400 -7 ten million U.S. 9999999999999999999999 "
    "Paris paris <e> {} ' '' \" . ... ,.,. - _ £ € ½ ² ٣ 一二 İ ß ﬁ café cafe\u0301 \u0345 "
    "\U0001f600 \u200b \ufeff \u2028 \ud800 \x00 \x1c \x85 \t \n NN/dog a/b/c dog#n.01".split(" ")
)
TEXT = st.one_of(
    st.text(st.characters(), max_size=40),  # also lone surrogates, as json may give
    st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=12).map(" ".join),
    st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=12).map("".join),
    st.builds(lambda piece, n: piece * n, PIECES, st.integers(0, 400)),
)
WORDS = ["a", "the", "dog", "cat's", "don't", "3", "1,650.5", "café", ".", "\ud800", "ß", "\x00"]
MATRIX = np.random.default_rng(0).standard_normal((len(WORDS), 8)).astype(np.float32)
VECTORS = WordVectors(WORDS, MATRIX)
KEPT = [word for word in WORDS if word.isprintable()]  # what files of text can hold


@FUZZ
@given(TEXT)
def test_tokens_lose_nothing_but_white_space(text):
    tokens = tokenize(text)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    assert "".join(tokens) == "".join("".join(tokenize(part)) for part in text.split())


@cache
def pipeline():
    parts = make_union(ParagramEncoder(vectors=VECTORS), LexicalFeatures())
    model = make_pipeline(parts, FusionRegressor(GradientBoostingRegressor(n_estimators=3)))
    pairs = [(f"a dog barks {i}", f"the cat's asleep {i % 3}") for i in range(20)]
    return model.fit(pairs, np.linspace(0, 5, 20))


@FUZZ
@given(TEXT, TEXT, st.sampled_from(["subword", "rare", "zero"]))
def test_vectors_scores_and_explanations_are_finite(first, second, oov):
    encoder = ParagramEncoder(vectors=VECTORS, oov=oov)
    assert np.isfinite(encoder.encode([first, second])).all()
    assert abs(encoder.similarity([first], [second])[0]) <= 1 + 1e-6
    pair = [(first, second)]
    features = pipeline()[0].transform(pair)
    assert np.isfinite(features).all()
    [score], [explanation] = pipeline().predict(pair), explain(pipeline(), pair)
    assert 0 <= score <= 5
    assert explanation.score == score
    assert np.isfinite(explanation.contributions).all()


def read_or_refused(read, path):
    """Return what was read, or None after an error that names the file."""
    try:
        return read()
    except ValueError as error:
        if str(path) not in str(error):
            raise
        return None


@st.composite
def damaged(draw, files):
    """A valid file with a few bytes changed, inserted, removed or repeated, or cut short."""
    content = bytearray(draw(st.sampled_from(files)))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.integers(0, 8))
        parts = [b" ", b"\n", b"nan", b"inf", b"1e39", b"-1", b"9" * 20, bytes(content[start:end])]
        content[start:end] = draw(st.one_of(st.binary(max_size=8), st.sampled_from(parts)))
    return bytes(content[: draw(st.one_of(st.none(), st.integers(0, len(content))))])


def vector_files(ending):
    """Valid files of word vectors, as bytes."""
    if ending in (".npz", ".safetensors"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"vectors{ending}"
            WordVectors(KEPT, MATRIX[: len(KEPT)]).save(path)
            plain = path.read_bytes()
            codes = np.ones((len(KEPT), 8), np.int8)
            WordVectors(KEPT, codes, np.ones(len(KEPT))).save(path)
            return [plain, path.read_bytes()]
    known = list(zip(KEPT, MATRIX[: len(KEPT)], strict=True))
    text = "\n".join(" ".join([word, *map(str, row)]) for word, row in known).encode()
    files = [text, *(b"%d 8\n" % n + text for n in (len(known), 0, 2**63))]
    return list(map(gzip.compress, files)) if ending == ".txt.gz" else files


@pytest.mark.filterwarnings("ignore:.* announces .* words in its first line")
@pytest.mark.parametrize("ending", [".txt", ".txt.gz", ".npz", ".safetensors"])
def test_files_of_vectors(ending, tmp_path):
    path = tmp_path / f"vectors{ending}"

    @FUZZ
    @given(st.one_of(damaged(vector_files(ending)), st.binary(max_size=200)))
    def test(content):
        path.write_bytes(content)
        vectors = read_or_refused(lambda: WordVectors.load(path), path)
        if vectors is not None:
            assert np.isfinite(vectors.matrix).all()
            assert np.isfinite(vectors.lookup(["dog", "cat"])).all()

    test()


CELL = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(
        ["A man sings.", "sentence1", "sentence2", "score", "4.5", "nan", "1e999", "", '"', "\r"]
    ),
)
JSON = st.one_of(CELL, st.none(), st.floats(), st.just(10**400), st.just("\ud800"))
LINE = st.one_of(
    *(st.lists(CELL, max_size=4).map(comma.join) for comma in ("\t", ",")),
    st.dictionaries(st.sampled_from(["sentence1", "sentence2", "score"]), JSON).map(json.dumps),
)
CONTENT = st.one_of(
    st.binary(max_size=80),
    st.builds(lambda a, b: "\n".join(a).encode() + b, st.lists(LINE, max_size=6), st.binary()),
    st.just(b'{"sentence1": "a", "sentence2": "b", "score": ' + b"9" * 5000 + b"}"),
    st.just(b"[" * 100_000),
)


@FUZZ
@given(
    CONTENT,
    st.sampled_from(["pairs.tsv", "pairs.csv", "pairs.jsonl", "pairs.tsv.gz"]),
    st.sampled_from([{}, {"columns": (0, 1), "score_column": 2}, {"score_column": "score"}]),
)
def test_files_of_pairs(content, name, options):
    assume(name != "pairs.jsonl" or "columns" not in options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        chunks = read_or_refused(lambda: list(iter_pairs(path, chunk_size=2, **options)), path)
    for chunk in chunks or []:
        pairs, scores = chunk if options else (chunk, [])
        assert all(type(cell) is str for cell in pairs.ravel())
        assert np.isfinite(scores).all()


@cache
def model_file():
    """A small model, in a folder that lasts as long as the process."""
    folder = tempfile.TemporaryDirectory()
    pairs = [("a dog", "a dog"), ("a dog", "cats sleep"), ("one", "two"), ("he sings", "he sang")]
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    return folder, save_model(model.fit(pairs, [5, 0, 1, 4]), Path(folder.name) / "model")


def run(arguments, stdin):
    """Return the exit code of the command, its output and what it says about errors."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(arguments)
            except SystemExit as end:  # argparse
                code = end.code
    for stream in (out, err):
        stream.flush()
    return code, *(s.buffer.getvalue().decode("utf-8", "replace") for s in (out, err))


@FUZZ
@given(CONTENT, st.sampled_from(["tsv", "csv", "jsonl"]))
def test_scoring_by_the_command(content, format):
    code, out, err = run(["predict", "--model", str(model_file()[1]), "--format", format], content)
    assert np.isfinite([float(line) for line in out.splitlines()]).all()
    assert "Traceback" not in err
    assert code == 0 or (code == 1 and err.strip().split("\n")[-1].startswith("skpara: "))


@FUZZ
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                "predict evaluate explain - -- -o --out --format tsv --columns 1,2 0,1 a,a "
                "--model -1 1e9 --group --threshold --json /nowhere/file.tsv . --version".split()
            ),
            st.text(max_size=6),
        ),
        max_size=7,
    )
)
def test_arguments_of_the_command(arguments):
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        code, _, err = run(arguments, b"a dog\ta cat\t3\n")
    assert code in (0, 1, 2)
    assert "Traceback" not in err
    assert code == 0 or err.startswith("skpara")
