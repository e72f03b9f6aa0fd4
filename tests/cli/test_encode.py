"""``skpara encode``: vectors of sentences."""

from __future__ import annotations

import io

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


def shown_vectors(capsys):
    return np.loadtxt(io.StringIO(capsys.readouterr().out))


def test_array_of_a_file(file, tmp_path, capsys):
    out = tmp_path / "new" / "vectors.npy"
    assert main(["encode", str(file), "-o", str(out)]) == 0
    np.testing.assert_array_equal(np.load(out), ParagramEncoder().encode(SENTENCES))
    assert capsys.readouterr().out == f"Sentences: 2, 256 numbers each\nVectors: {out}\n"


def test_lines_of_numbers(file, tmp_path, capsys):
    assert main(["encode", str(file)]) == 0
    lines = capsys.readouterr().out
    expected = ParagramEncoder().encode(SENTENCES)
    np.testing.assert_allclose(np.loadtxt(io.StringIO(lines)), expected, rtol=1e-5)
    out = tmp_path / "vectors.tsv"
    assert main(["encode", str(file), "-o", str(out)]) == 0
    assert out.read_text() == lines


def test_column_of_a_table(tmp_path, capsys):
    table = tmp_path / "shop.csv"
    table.write_text(f"id,title\n1,{SENTENCES[0]}\n2,{SENTENCES[1]}\n", "utf-8")
    assert main(["encode", str(table), "--on", "title"]) == 0
    expected = ParagramEncoder().encode(SENTENCES)
    np.testing.assert_allclose(shown_vectors(capsys), expected, rtol=1e-5)


def test_encoder_of_a_model(file, tmp_path, capsys):
    encoder = ParagramEncoder(max_iter=1, random_state=0)
    model = make_pipeline(encoder, Ridge()).fit([SENTENCES, SENTENCES[::-1]] * 2, range(4))
    saved = save_model(model, tmp_path / "m.skpara")
    assert main(["encode", str(file), "--model", str(saved)]) == 0
    np.testing.assert_allclose(shown_vectors(capsys), model[0].encode(SENTENCES), rtol=1e-5)
    assert main(["encode", str(file), "--model", str(saved), "--vectors", "x"]) == 2
    assert "--vectors is for encoding without --model" in capsys.readouterr().err


def test_model_without_an_encoder_is_refused(file, tmp_path, capsys):
    pairs = [SENTENCES, SENTENCES[::-1]]
    model = make_pipeline(LexicalFeatures("lengths"), Ridge()).fit(pairs, [0, 1])
    saved = save_model(model, tmp_path / "m.skpara")
    assert main(["encode", str(file), "--model", str(saved)]) == 1
    assert "has no encoder. Leave out --model" in capsys.readouterr().err
