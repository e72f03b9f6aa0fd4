"""``skpara encode``: vectors of sentences."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder
from skpara.cli import main
from skpara.saving import save_model

SENTENCES = ["A man plays a guitar.", "It rains."]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    return path


def test_vectors_are_the_encoders(file, tmp_path, capsys):
    out = tmp_path / "new" / "vectors.npy"
    assert main(["encode", str(file), "-o", str(out)]) == 0
    np.testing.assert_array_equal(np.load(out), ParagramEncoder().encode(SENTENCES))
    assert capsys.readouterr().out == f"Sentences: 2, 256 numbers each\nVectors: {out}\n"


def test_json_is_about_the_file(file, tmp_path, capsys):
    out = tmp_path / "vectors.npy"
    assert main(["encode", str(file), "-o", str(out), "--json"]) == 0
    expected = {"sentences": 2, "dimensions": 256, "vectors": str(out)}
    assert json.loads(capsys.readouterr().out) == expected
    assert main(["encode", str(file), "--json"]) == 2
    assert "-o FILE" in capsys.readouterr().err


def test_numbers_go_to_standard_output(file, tmp_path, capsys):
    assert main(["encode", str(file)]) == 0
    lines = capsys.readouterr().out
    expected = ParagramEncoder().encode(SENTENCES)
    np.testing.assert_allclose(np.loadtxt(io.StringIO(lines)), expected, rtol=1e-5)
    out = tmp_path / "vectors.tsv"
    assert main(["encode", str(file), "-o", str(out)]) == 0
    assert out.read_text() == lines


def test_a_column_of_a_table(tmp_path, capsys):
    table = tmp_path / "shop.csv"
    table.write_text(f"id,title\n1,{SENTENCES[0]}\n2,{SENTENCES[1]}\n", "utf-8")
    assert main(["encode", str(table), "--on", "title"]) == 0
    shown = np.loadtxt(io.StringIO(capsys.readouterr().out))
    np.testing.assert_allclose(shown, ParagramEncoder().encode(SENTENCES), rtol=1e-5)


def test_the_encoder_of_a_model(file, tmp_path, capsys):
    encoder = ParagramEncoder(max_iter=1, random_state=0)
    model = make_pipeline(encoder, Ridge()).fit([SENTENCES, SENTENCES[::-1]] * 2, range(4))
    saved = save_model(model, tmp_path / "m.skpara")
    assert main(["encode", str(file), "--model", str(saved)]) == 0
    shown = np.loadtxt(io.StringIO(capsys.readouterr().out))
    np.testing.assert_allclose(shown, model[0].encode(SENTENCES), rtol=1e-5)


def test_a_model_without_an_encoder_is_refused(file, tmp_path, capsys):
    pairs = [SENTENCES, SENTENCES[::-1]]
    model = make_pipeline(LexicalFeatures("lengths"), Ridge()).fit(pairs, [0, 1])
    saved = save_model(model, tmp_path / "m.skpara")
    assert main(["encode", str(file), "--model", str(saved)]) == 1
    assert "has no encoder. Leave out --model" in capsys.readouterr().err


def test_vectors_and_a_model_are_refused_together(file, capsys):
    assert main(["encode", str(file), "--model", "m", "--vectors", "multilingual"]) == 2
    assert "--vectors is for encoding without --model" in capsys.readouterr().err
