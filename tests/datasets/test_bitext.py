"""Bitext, and the English-Spanish pairs of STS."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from cross_lingual import fetch_sts_cross_lingual, fetch_translated_benchmark
from paraphrases import fetch_bitext, fetch_paraphrases


def tatoeba(home, lines):
    folder = home / "bitext" / "tatoeba"
    folder.mkdir(parents=True)
    with ZipFile(folder / "spa-eng.zip", "w") as archive:
        archive.writestr("spa-eng/_about.txt", "about")
        archive.writestr("spa-eng/spa.txt", "\n".join(lines))


def test_tatoeba(tmp_path):
    tatoeba(tmp_path, ["Go.\tVe.", "Move on.\tVe.", 'Say "hi".\tDi "hola".\tmore'])
    bitext = fetch_bitext("tatoeba-spa", data_home=tmp_path)
    assert bitext.data.tolist() == [
        ["Go.", "Ve."],
        ["Move on.", "Ve."],
        ['Say "hi".', 'Di "hola".'],
    ]
    assert "CC BY 2.0" in bitext.DESCR
    pairs = fetch_paraphrases("tatoeba-spa", data_home=tmp_path)
    assert pairs.data.tolist() == [["Go.", "Move on."]]


def test_a_line_without_a_tab_is_named(tmp_path):
    tatoeba(tmp_path, ["Go.\tVe.", "Stop."])
    message = r"spa-eng/spa\.txt of .*spa-eng\.zip, line 2, has no tab"
    with pytest.raises(ValueError, match=message):
        fetch_bitext("tatoeba-spa", data_home=tmp_path)


def test_files_side_by_side(tmp_path):
    folder = tmp_path / "bitext" / "multi30k"
    folder.mkdir(parents=True)
    for side, text in (("en", "A dog.\nA cat. \n"), ("de", "Ein Hund.\nEine Katze.\n")):
        (folder / f"train.{side}.gz").write_bytes(gzip.compress(text.encode()))
    bitext = fetch_bitext("multi30k-deu", data_home=tmp_path)
    assert bitext.data.tolist() == [["A dog.", "Ein Hund."], ["A cat.", "Eine Katze."]]
    (folder / "train.de.gz").write_bytes(gzip.compress(b"Ein Hund.\n"))
    with pytest.raises(ValueError, match=r"equally many lines, got train\.en\.gz 2"):
        fetch_bitext("multi30k-deu", data_home=tmp_path)


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="manythings"):
        fetch_bitext("tatoeba-spa", data_home=tmp_path)
    with pytest.raises(ValueError, match="name must be one of"):
        fetch_bitext("europarl", data_home=tmp_path)
    with pytest.raises(FileNotFoundError, match="track 4b"):
        fetch_sts_cross_lingual(data_home=tmp_path)


def test_cross_lingual_pairs(tmp_path):
    folder = tmp_path / "STS" / "STS-en-es-train"
    folder.mkdir(parents=True)
    text = "A dog.\tUn perro.\tx\ty\nA cat.\tUn gato.\n"
    (folder / "STS.input.en-es.train.txt").write_text(text)
    scores = folder / "STS.input.en-es.train_scores.txt"
    scores.write_text("5.2\n1\n")
    pairs = fetch_sts_cross_lingual(data_home=tmp_path)
    assert pairs.data.tolist() == [["A dog.", "Un perro."], ["A cat.", "Un gato."]]
    assert pairs.target.tolist() == [5.2, 1.0]
    scores.write_text("5.2\n")
    with pytest.raises(ValueError, match="2 lines"):
        fetch_sts_cross_lingual(data_home=tmp_path)


@pytest.mark.parametrize(
    "folder", ["STS/STS2016-cross-lingual-test", "STS2016-cross-lingual-test"]
)
def test_cross_lingual_pairs_of_2016(tmp_path, folder):
    message = r"missing STS\.input\.news\.txt(.|\n)*semeval2016(.|\n)*Unpack it into .*data_home="
    with pytest.raises(FileNotFoundError, match=message):
        fetch_sts_cross_lingual("2016", data_home=tmp_path)
    (tmp_path / folder).mkdir(parents=True)
    news = "La casa.\tThe house.\nA dog.\tUn gato.\n"
    for name, text, gold in (("news", news, "4.5\n\n"), ("multisource", "a\tb\n", "1\n")):
        (tmp_path / folder / f"STS.input.{name}.txt").write_text(text)
        (tmp_path / folder / f"STS.gs.{name}.txt").write_text(gold)
    sts = fetch_sts_cross_lingual("2016", data_home=tmp_path)
    assert sts.data.tolist() == [["La casa.", "The house."], ["a", "b"]]


def test_another_language(tmp_path):
    folder = tmp_path / "stsb-multi-mt"
    folder.mkdir()
    (folder / "stsb-es-test.csv").write_text("uno,dos\n")
    with pytest.raises(ValueError, match=r"test\.csv, line 1, has 2 column"):
        fetch_translated_benchmark("test", "es", data_home=tmp_path)
    (folder / "stsb-es-dev.csv").write_text('"Uno, dos.","Un ""uno"".",2.5\r\nTres.,Tres,5\r\n')
    dev = fetch_translated_benchmark("dev", "es", data_home=tmp_path)
    assert dev.data.tolist() == [["Uno, dos.", 'Un "uno".'], ["Tres.", "Tres"]]
    assert dev.target.tolist() == [2.5, 5.0]
    assert dev.groups.tolist() == ["stsb-es"] * 2
    with pytest.raises(FileNotFoundError, match="stsb_multi_mt"):
        fetch_translated_benchmark("dev", "xx", data_home=tmp_path)


def test_the_real_files(data_home):
    if not (data_home / "bitext").is_dir():
        pytest.skip("no bitext")
    assert fetch_bitext("tatoeba-spa", data_home=data_home).data.shape == (118964, 2)
    assert fetch_sts_cross_lingual(data_home=data_home).data.shape == (1024, 2)
