"""``skpara encode``: vectors of sentences."""

from __future__ import annotations

import io

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder
from skpara.saving import save_model

SENTENCES = ["A man plays a guitar.", "It rains."]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    return path


def vectors_of(text):
    return np.loadtxt(io.StringIO(text))


def test_array_of_a_file(run, file, tmp_path):
    out = tmp_path / "new" / "vectors.npy"
    shown = run("encode", file, "-o", out)
    np.testing.assert_array_equal(np.load(out), ParagramEncoder().encode(SENTENCES))
    assert shown.out == f"Sentences: 2, 256 numbers each\nVectors: {out}\n"


def test_lines_of_numbers(run, file, tmp_path):
    lines = run("encode", file).out
    expected = ParagramEncoder().encode(SENTENCES)
    np.testing.assert_allclose(vectors_of(lines), expected, rtol=1e-5)
    out = tmp_path / "vectors.tsv"
    run("encode", file, "-o", out)
    assert out.read_text() == lines


def test_column_of_a_table(run, tmp_path):
    table = tmp_path / "shop.csv"
    table.write_text(f"id,title\n1,{SENTENCES[0]}\n2,{SENTENCES[1]}\n", "utf-8")
    shown = run("encode", table, "--on", "title").out
    np.testing.assert_allclose(vectors_of(shown), ParagramEncoder().encode(SENTENCES), rtol=1e-5)


def test_encoder_of_a_model(run, file, tmp_path):
    encoder = ParagramEncoder(max_iter=1, random_state=0)
    model = make_pipeline(encoder, Ridge()).fit([SENTENCES, SENTENCES[::-1]] * 2, range(4))
    saved = save_model(model, tmp_path / "m.skpara")
    shown = run("encode", file, "--model", saved).out
    np.testing.assert_allclose(vectors_of(shown), model[0].encode(SENTENCES), rtol=1e-5)
    error = run("encode", file, "--model", saved, "--vectors", "x", code=2).err
    assert "--vectors is for encoding without --model" in error


def test_model_without_an_encoder_is_refused(run, file, tmp_path):
    pairs = [SENTENCES, SENTENCES[::-1]]
    model = make_pipeline(LexicalFeatures("lengths"), Ridge()).fit(pairs, [0, 1])
    saved = save_model(model, tmp_path / "m.skpara")
    assert "has no encoder. Leave out --model" in run("encode", file, "--model", saved, code=1).err
