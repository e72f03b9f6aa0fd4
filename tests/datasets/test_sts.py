"""The yearly STS tasks, from small files made here and, where present, from the real ones."""

from __future__ import annotations

import hashlib
from collections import ChainMap

import numpy as np
import pytest

from skpara.datasets import fetch_sts
from skpara.datasets._sources import known_hashes
from skpara.datasets._sts import sts_tasks

# Pairs with a score, and their mean score, as counted once by other means.
REAL = {
    "2012-train/MSRpar": (750, 3.322),
    "2012-train/MSRvid": (750, 2.135),
    "2012-train/SMTeuroparl": (734, 4.307),
    "2012/MSRpar": (750, 3.271),
    "2012/MSRvid": (750, 2.297),
    "2012/SMTeuroparl": (459, 4.550),
    "2012/surprise.OnWN": (750, 3.871),
    "2012/surprise.SMTnews": (399, 4.335),
    "2013/FNWN": (189, 1.468),
    "2013/OnWN": (561, 2.312),
    "2013/headlines": (750, 2.573),
    "2014/OnWN": (750, 2.639),
    "2014/deft-forum": (450, 2.749),
    "2014/deft-news": (300, 3.031),
    "2014/headlines": (750, 2.772),
    "2014/images": (750, 2.674),
    "2014/tweet-news": (750, 3.110),
    "2015/answers-forums": (375, 1.665),
    "2015/answers-students": (750, 2.918),
    "2015/belief": (375, 1.617),
    "2015/headlines": (750, 2.564),
    "2015/images": (750, 2.502),
    "2016/answer-answer": (254, 2.492),
    "2016/headlines": (249, 2.470),
    "2016/plagiarism": (230, 2.422),
    "2016/postediting": (244, 2.508),
    "2016/question-question": (209, 2.129),
}


def write_set(folder, name, rows, prefix="STS"):
    """rows: (sentence, sentence, score as text)."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = "".join(f"{a}\t{b}\n" for a, b, _ in rows)
    (folder / f"{prefix}.input.{name}.txt").write_text(pairs, "utf-8", newline="\n")
    gold = "".join(f"{score}\n" for *_, score in rows)
    (folder / f"{prefix}.gs.{name}.txt").write_text(gold, "utf-8", newline="\n")


@pytest.fixture
def home(tmp_path):
    """2013 complete, in the plain layout; of 2015 two sets, in the organisers' folder."""
    plain = tmp_path / "STS" / "STS13-en-test"
    write_set(plain, "FNWN", [("a", "b", "1.5"), ("c", "d", "2.5")])
    write_set(plain, "OnWN", [("e", "f", "5")])
    write_set(plain, "headlines", [('"g', 'h"', "0.2"), ("i", "j", "3")])
    official = tmp_path / "test_evaluation_task2a"
    write_set(official, "headlines", [("k", "l", ""), ("m", "n", "4"), ("o", "p", "")])
    write_set(official, "images", [("q", "r", "1")])
    return tmp_path


def test_data_target_and_groups_line_up(home):
    sts = fetch_sts(2013, data_home=home / "STS", download_if_missing=False)
    pairs = [["a", "b"], ["c", "d"], ["e", "f"], ['"g', 'h"'], ["i", "j"]]
    assert sts.data.tolist() == pairs
    assert sts.data.dtype == object
    assert sts.target.tolist() == [1.5, 2.5, 5.0, 0.2, 3.0]
    assert sts.groups.tolist() == ["2013/FNWN"] * 2 + ["2013/OnWN"] + ["2013/headlines"] * 2
    assert len(sts.filenames) == 6
    assert "2013/FNWN" not in sts.DESCR
    assert "FNWN: 2 pairs" in sts.DESCR


def test_a_set_may_be_named_with_its_year(home):
    both = fetch_sts([2013, 2015], subset="headlines", data_home=home, download_if_missing=False)
    assert list(dict.fromkeys(both.groups)) == ["2013/headlines", "2015/headlines"]
    one = fetch_sts([2013, 2015], subset=["2015/headlines", "OnWN"], data_home=home)
    assert list(dict.fromkeys(one.groups)) == ["2013/OnWN", "2015/headlines"]


def test_sets_that_are_not_selected_need_no_files(home):
    sts = fetch_sts(2015, subset=["headlines", "images"], data_home=home)
    assert sts.data.tolist() == [["m", "n"], ["q", "r"]]


def test_unscored_pairs_come_on_request_with_nan(home):
    sts = fetch_sts(2015, subset="headlines", include_unscored=True, data_home=home)
    assert sts.data.tolist() == [["k", "l"], ["m", "n"], ["o", "p"]]
    np.testing.assert_array_equal(sts.target, [np.nan, 4, np.nan])


def test_a_set_that_is_read_only_if_named(home):
    assert "2013/SMT" not in fetch_sts(2013, data_home=home).groups
    with pytest.raises(FileNotFoundError, match=r"STS\.input\.SMT\.txt"):
        fetch_sts(2013, subset="SMT", data_home=home)
    write_set(home / "STS" / "STS13-en-test", "SMT", [("s", "t", "2")])
    assert fetch_sts(2013, subset="SMT", data_home=home).target.tolist() == [2.0]
    assert "2013/SMT" not in fetch_sts(2013, data_home=home).groups


def test_2017_is_read_from_its_two_official_folders(tmp_path):
    write_set(tmp_path / "both", "track5.en-en", [("a", "b", "3.4")])
    for kind, folder in (("input", "STS2017.eval.v1.1"), ("gs", "STS2017.gs")):
        (tmp_path / folder).mkdir()
        name = f"STS.{kind}.track5.en-en.txt"
        (tmp_path / "both" / name).rename(tmp_path / folder / name)
    sts = fetch_sts(2017, data_home=tmp_path, download_if_missing=False)
    assert sts.groups.tolist() == ["2017/track5.en-en"]


def test_the_first_half_of_track_6_is_scored(tmp_path):
    rows = [(f"a{i}", f"b{i}", str(i % 6)) for i in range(500)]
    folder = tmp_path / "STS" / "STS17-en-test"
    write_set(folder, "track6.tr-en", rows)
    gold = folder / "STS.gs.track6.tr-en.txt"
    lines = gold.read_text().split("\n")
    gold.write_text("\n".join(lines[:250]) + "\n")
    sts = fetch_sts(2017, subset="track6.tr-en", data_home=tmp_path)
    assert sts.data.tolist() == [list(row[:2]) for row in rows[:250]]
    assert sts.target.tolist() == [i % 6 for i in range(250)]
    every = fetch_sts(2017, subset="track6.tr-en", data_home=tmp_path, include_unscored=True)
    assert len(every.data) == 500
    assert np.isnan(every.target[250:]).all()
    gold.write_text("\n".join(lines[:249]) + "\n")  # one is lost
    with pytest.raises(ValueError, match=r"has 500 lines, but .* has 249"):
        fetch_sts(2017, subset="track6.tr-en", data_home=tmp_path)


def test_2016_under_its_official_names_with_source_notes(tmp_path):
    folder = tmp_path / "sts2016-english-with-gs-v1.0"
    rows = [("a", "b\tsource of a\tsource of b", "3"), ("c", "d\tx\ty", "")]
    write_set(folder, "plagiarism", rows, prefix="STS2016")
    sts = fetch_sts(2016, subset="plagiarism", data_home=tmp_path)
    assert sts.data.tolist() == [["a", "b"]]


def test_an_unknown_set_lists_those_that_exist(home):
    with pytest.raises(ValueError, match=r"Unknown subset: \['tweets'\](.|\n)*tweet-news"):
        fetch_sts([2013, 2014], subset=["headlines", "tweets"], data_home=home)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"year": 2011}, "no STS task of 2011. The years are 2012 to 2017"),
        ({"year": []}, "empty"),
        ({"year": 2014, "split": "dev"}, "split must be"),
        ({"year": 2014, "split": "train"}, r"fetch_sts\(range\(2012, 2014\), split='all'\)"),
        ({"year": 2014, "subset": []}, "Unknown subset"),
    ],
)
def test_wrong_arguments(arguments, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        fetch_sts(**arguments, data_home=tmp_path)


def test_missing_files_are_named_with_the_remedy(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"STS 2014 test: missing (.|\n)*and 8 more") as e:
        fetch_sts(2014, data_home=tmp_path, download_if_missing=False)
    assert "STS2014-en-test.zip" in str(e.value)
    assert str(tmp_path / "STS" / "sts-en-test-gs-2014") in str(e.value)


def test_a_malformed_file_is_named_with_its_line(home):
    gold = home / "STS" / "STS13-en-test" / "STS.gs.FNWN.txt"
    gold.write_text("1.5\nhigh\n")
    with pytest.raises(ValueError, match=r"STS\.gs\.FNWN\.txt, line 2: the score 'high'"):
        fetch_sts(2013, data_home=home)


def test_real_sets_have_the_known_sizes_and_means(data_home):
    sts = fetch_sts(range(2012, 2017), split="all", data_home=data_home, download_if_missing=False)
    assert set(sts.groups) == set(REAL)
    for group, (n_pairs, mean) in REAL.items():
        scores = sts.target[sts.groups == group]
        assert len(scores) == n_pairs
        assert scores.mean() == pytest.approx(mean, abs=5.1e-4)
    assert 0 <= sts.target.min() <= sts.target.max() <= 5
    assert all(isinstance(cell, str) for cell in sts.data.ravel())


def test_real_sets_have_the_lines_that_downloads_are_checked_for(data_home):
    years = range(2012, 2017)
    sts = fetch_sts(years, split="all", include_unscored=True, data_home=data_home)
    for task in sts_tasks():
        n_lines = ChainMap(*(archive.files for archive in task.source.archives))
        for name in task.sets if task.year < 2017 else ():
            expected = n_lines[f"STS.input.{name}.txt"]
            assert np.count_nonzero(sts.groups == f"{task.label}/{name}") == expected


def test_real_files_have_the_hashes_on_record(data_home):
    for path, digest in known_hashes().items():
        assert hashlib.sha256((data_home / path).read_bytes()).hexdigest() == digest
