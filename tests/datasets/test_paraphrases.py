"""Paraphrase sets: the form of each on files made here, and the counts of the real ones."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from paraphrases import SETS, fetch_paraphrases

FILES = {
    "paraphrase/msrp/msr_paraphrase_train.txt": (
        "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
        '1\t7\t8\tHe said "no".\tHe refused.\r\n0\t9\t10\tOne.\tTwo.\r\n'
    ),
    "paraphrase/flickr8k/Flickr8k.token.txt": "x.jpg#0\tA\nx.jpg#1\tB\ny.jpg#0\tC\ny.jpg#1\tD\n",
    "paraphrase/twitter-url/train/a.toks": "one\ntwo\n",
    "paraphrase/twitter-url/train/b.toks": "eins\nzwei\n",
    "paraphrase/twitter-url/train/sim.txt": "1\n0\n",
    "paraphrase/quora/dev.txt": "Why ?\tHow come ?\t1\nWho ?\tWhen ?\t0\n",
    "paraphrase/wikisplit/validation.tsv": "A and B .\tA . <::::> B .\n",
    "paraphrase/simple-wikipedia/wiki.full.aner.ori.valid.src": "A difficult text\n",
    "paraphrase/simple-wikipedia/wiki.full.aner.ori.valid.dst": "A hard text\n",
    "paraphrase/ppdb-xxxl-lexical.txt": "big\tlarge\nbig\thuge\n",
    "paraphrase/ppdb-xl-lexicon.txt": "fawn crawl grovel\n",
    **{f"paraphrase/asset/asset.valid.simp.{n}": f"simple {n}\n" for n in range(10)},
    "paraphrase/asset/asset.valid.orig": "original\n",
}
EXPECTED = {
    "msrp": ([['He said "no".', "He refused."], ["One.", "Two."]], [1, 0]),
    "flickr8k": ([["A", "B"], ["C", "D"]], [1, 1]),
    "multi30k": ([["1a", "2a"], ["2a", "3a"], ["3a", "4a"], ["4a", "5a"]], [1] * 4),
    "twitter-url": ([["one", "eins"], ["two", "zwei"]], [1, 0]),
    "quora": ([["Why ?", "How come ?"], ["Who ?", "When ?"]], [1, 0]),
    "asset": ([["original", f"simple {n}"] for n in range(10)], [1] * 10),
    "wikisplit": ([["A and B .", "A . B ."]], [1]),
    "simple-wikipedia": ([["A difficult text", "A hard text"]], [1]),
    "tatoeba-spa": ([["Go.", "Leave."], ["Go.", "Get out."], ["Leave.", "Get out."]], [1] * 3),
    "ppdb-lexical": ([["big", "large"], ["big", "huge"]], [1, 1]),
    "ppdb-xl": ([["fawn", "crawl"], ["fawn", "grovel"]], [1, 1]),
}


@pytest.fixture
def home(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    captions = tmp_path / "paraphrase" / "multi30k-captions"
    captions.mkdir()
    for n in range(1, 6):
        (captions / f"train.{n}.en.gz").write_bytes(gzip.compress(f"{n}a\n".encode()))
    (tmp_path / "bitext" / "tatoeba").mkdir(parents=True)
    with ZipFile(tmp_path / "bitext" / "tatoeba" / "spa-eng.zip", "w") as archive:
        archive.writestr("spa-eng/_about.txt", "about")
        text = "Go.\tVete.\nLeave.\tVete.\nSit.\tSientate.\nGet out.\tVete.\nGo.\tVete.\n"
        archive.writestr("spa-eng/spa.txt", text)
    return tmp_path


@pytest.mark.parametrize("name", EXPECTED)
def test_pairs_and_labels(home, name):
    pairs = fetch_paraphrases(name, data_home=home)
    assert pairs.data.tolist() == EXPECTED[name][0]
    assert pairs.target.tolist() == EXPECTED[name][1]
    assert name in pairs.DESCR
    X, y = fetch_paraphrases(name, data_home=home, return_X_y=True)
    np.testing.assert_array_equal(X, pairs.data)
    np.testing.assert_array_equal(y, pairs.target)


def test_groups_hold_what_belongs_together(home):
    assert fetch_paraphrases("flickr8k", data_home=home).groups.tolist() == ["x.jpg", "y.jpg"]
    assert set(fetch_paraphrases("tatoeba-spa", data_home=home).groups) == {"Vete."}
    assert len(set(fetch_paraphrases("asset", data_home=home).groups)) == 1
    frame = fetch_paraphrases("quora", data_home=home, as_frame=True).frame
    assert frame.columns.tolist() == ["sentence1", "sentence2", "score", "group"]


def test_a_missing_set_says_where_to_get_it(home):
    with pytest.raises(FileNotFoundError, match=r"missing fra-eng\.zip(.|\n)*manythings"):
        fetch_paraphrases("tatoeba-fra", data_home=home)


def test_names_and_subsets_are_checked(home):
    assert all(f'"{name}"' in fetch_paraphrases.__doc__ for name in SETS["paraphrases"])
    with pytest.raises(ValueError, match="name must be one of"):
        fetch_paraphrases("mrpc", data_home=home)
    with pytest.raises(ValueError, match=r"subset of quora must be one of \['dev', 'test'\]"):
        fetch_paraphrases("quora", subset="train", data_home=home)


def test_files_that_do_not_fit_together_are_refused(home):
    (home / "paraphrase/twitter-url/train/b.toks").write_text("eins\n")
    with pytest.raises(ValueError, match=r"a\.toks 2, b\.toks 1"):
        fetch_paraphrases("twitter-url", data_home=home)
    (home / "paraphrase/quora/dev.txt").write_text("Why ?\tHow come ?\tyes\n")
    with pytest.raises(ValueError, match=r"dev\.txt, line 1, column 3: the score 'yes'"):
        fetch_paraphrases("quora", data_home=home)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "subset", "n_pairs", "n_positive"),
    [
        ("msrp", "train", 4076, 2753), ("msrp", "test", 1725, 1147),
        ("multi30k", "train", 4 * 29_000, 4 * 29_000), ("flickr8k", None, 4 * 8_092, 4 * 8_092),
        ("twitter-url", "train", 42_200, 11_167), ("twitter-url", "test", 9_324, 1_820),
        ("quora", "dev", 10_000, 5_000), ("asset", "valid", 20_000, 20_000),
        ("wikisplit", None, 5_000, 5_000), ("simple-wikipedia", "wikilarge-valid", 992, 992),
        ("tatoeba-spa", None, 6_735, 6_735), ("tatoeba-fra", None, 8_075, 8_075),
        ("ppdb-lexical", None, 210_372, 210_372),
    ],
)
def test_the_real_sets_have_the_rows_their_papers_say(
    data_home, name, subset, n_pairs, n_positive
):
    pairs = fetch_paraphrases(name, subset=subset, data_home=data_home)
    assert pairs.data.shape == (n_pairs, 2)
    assert (pairs.target == 1).sum() == n_positive
