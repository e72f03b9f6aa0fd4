"""Any bytes read as a file of pairs give pairs of text, or an error that names the file."""

from __future__ import annotations

import gzip
import io
import math
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.datasets import fetch_paraphrases, fetch_sts_benchmark, iter_pairs
from skpara.datasets._download import unpack
from skpara.datasets._sts import read_scored_pairs

pytestmark = pytest.mark.slow

FUZZ = settings.get_profile("fuzz")  # of conftest.py
OUTCOMES: Counter[str] = Counter()

CELL = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(["A man sings.", "4.5", "nan", "1e999", "", '"', "\ufeff", "\u2028", "\r"]),
)
ROWS = st.lists(st.lists(CELL, max_size=8).map("\t".join), max_size=6).map("\n".join)
BYTES = st.one_of(
    st.binary(max_size=80),
    ROWS.map(str.encode),
    st.builds(lambda text, more: text.encode() + more, ROWS, st.binary(max_size=4)),
)


def attempt(read, *names):
    """Return what was read, or None after an error that names one of the files."""
    result, problem = None, ""
    try:
        result = read()
    except ValueError as error:
        problem = str(error)
    OUTCOMES["refused" if problem else "read"] += 1
    assert not problem or any(name in problem for name in names), problem
    return result


def check(pairs, scores):
    assert pairs.shape == (len(scores), 2)
    assert all(type(cell) is str for cell in pairs.ravel())
    assert np.isfinite(np.asarray(scores, dtype=float)).all()


@FUZZ
@given(BYTES, BYTES)
def test_sts(sentences, gold):
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("STS.input.x.txt", "STS.gs.x.txt")]
        for path, content in zip(paths, (sentences, gold), strict=True):
            path.write_bytes(content)
        result = attempt(lambda: read_scored_pairs(*paths, "x"), str(paths[0]), str(paths[1]))
    if result is not None:
        assert not any(math.isinf(row.score) for row in result)  # NaN: nobody scored the pair


@FUZZ
@given(BYTES, st.booleans(), st.booleans(), st.integers(1, 3), st.integers(0, 40))
def test_streams(content, packed, scored, chunk_size, cut):
    content = gzip.compress(content)[: None if cut > 30 else cut] if packed else content
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("pairs.tsv.gz" if packed else "pairs.tsv")
        path.write_bytes(content)
        stream = iter_pairs(path, chunk_size=chunk_size, score_column=2 if scored else None)
        chunks = attempt(lambda: list(stream), str(path)) or []
    for chunk in chunks:
        pairs, scores = chunk if scored else (chunk, np.zeros(len(chunk)))
        check(pairs, scores)


SETS = {
    "msrp": ["paraphrase/msrp/msr_paraphrase_train.txt"],
    "quora": ["paraphrase/quora/dev.txt"],
    "flickr8k": ["paraphrase/flickr8k/Flickr8k.token.txt"],
    "wikisplit": ["paraphrase/wikisplit/validation.tsv"],
    "ppdb-xl": ["paraphrase/ppdb-xl-lexicon.txt"],
    "ppdb-lexical": ["paraphrase/ppdb-xxxl-lexical.txt"],
    "twitter-url": [f"paraphrase/twitter-url/train/{n}" for n in ("a.toks", "b.toks", "sim.txt")],
    "multi30k": [f"paraphrase/multi30k-captions/train.{n}.en.gz" for n in range(1, 6)],
    "tatoeba-spa": ["bitext/tatoeba/spa-eng.zip"],
    "stsb-es": ["stsb-multi-mt/stsb-es-train.csv"],
}


def zipped(content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("spa.txt", content)
    return buffer.getvalue()


@FUZZ
@given(st.sampled_from(list(SETS)), BYTES, st.booleans(), st.integers(0, 200))
def test_loaders(name, content, whole, cut):
    with tempfile.TemporaryDirectory() as home:
        for file in SETS[name]:
            path = Path(home) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            pack = {".gz": gzip.compress, ".zip": zipped}.get(path.suffix, bytes)
            path.write_bytes(pack(content)[: None if whole else cut])
        if name == "stsb-es":
            result = attempt(lambda: fetch_sts_benchmark(language="es", data_home=home), home)
        else:
            result = attempt(lambda: fetch_paraphrases(name, data_home=home), home)
    if result is not None:
        check(result.data, result.target)


NAMES = st.one_of(
    st.sampled_from(
        ["a.txt", "x/a.txt", "../a.txt", "/a.txt", "x/../../a.txt", "C:\\a.txt", "..\\a.txt", "x/"]
    ),
    st.text(st.sampled_from("a.txt/\\:\0é"), min_size=1, max_size=8),
)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)


@st.composite
def archives(draw):
    members = draw(st.lists(st.tuples(NAMES, st.binary(max_size=20), KINDS), max_size=4))
    buffer = io.BytesIO()
    if draw(st.booleans()):
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content, _ in dict((m[0], m) for m in members).values():
                archive.writestr(zipfile.ZipInfo(name.replace("\0", "_")), content)
    else:
        with tarfile.open(fileobj=buffer, mode=draw(st.sampled_from(["w", "w:gz"]))) as archive:
            for name, content, kind in members:
                info = tarfile.TarInfo(name)
                info.size, info.type, info.linkname = len(content), kind, "/etc/passwd"
                archive.addfile(info, io.BytesIO(content))
    content = bytearray(buffer.getvalue())
    for place, value in draw(
        st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=2)
    ):
        if place < len(content):
            content[place] = value
    return bytes(content[: draw(st.one_of(st.none(), st.integers(0, 600)))])


@FUZZ
@given(st.one_of(archives(), st.binary(max_size=600)))
def test_archives_stay_in_their_folder(content):
    with tempfile.TemporaryDirectory() as outside:
        archive, folder = Path(outside) / "archive", Path(outside) / "in" / "in"
        archive.write_bytes(content)
        folder.mkdir(parents=True)
        try:
            unpack(archive, {"a.txt"}, folder)
            OUTCOMES["read"] += 1
        except ValueError:
            OUTCOMES["refused"] += 1
        written = {path.relative_to(outside) for path in Path(outside).rglob("*")}
        allowed = {"archive", "in", "in/in", "in/in/a.txt"}
        assert {str(path) for path in written} <= allowed
        assert not (folder / "a.txt").is_symlink()
