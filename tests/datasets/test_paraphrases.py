"""Paraphrase sets: where to get them, and the counts of the real ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from paraphrases import SETS, fetch_paraphrases


def test_a_missing_set_says_where_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing fra-eng\.zip(.|\n)*manythings"):
        fetch_paraphrases("tatoeba-fra", data_home=tmp_path)


def test_names_and_subsets_are_checked(tmp_path):
    assert all(f'"{name}"' in fetch_paraphrases.__doc__ for name in SETS["paraphrases"])
    with pytest.raises(ValueError, match="name must be one of"):
        fetch_paraphrases("mrpc", data_home=tmp_path)
    with pytest.raises(ValueError, match=r"subset of quora must be one of \['dev', 'test'\]"):
        fetch_paraphrases("quora", subset="train", data_home=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "subset", "n_pairs", "n_positive"),
    [
        ("msrp", "train", 4076, 2753),
        ("msrp", "test", 1725, 1147),
        ("multi30k", "train", 4 * 29_000, 4 * 29_000),
        ("flickr8k", None, 4 * 8_092, 4 * 8_092),
        ("twitter-url", "train", 42_200, 11_167),
        ("twitter-url", "test", 9_324, 1_820),
        ("quora", "dev", 10_000, 5_000),
        ("asset", "valid", 20_000, 20_000),
        ("wikisplit", None, 5_000, 5_000),
        ("simple-wikipedia", "wikilarge-valid", 992, 992),
        ("tatoeba-spa", None, 6_735, 6_735),
        ("tatoeba-fra", None, 8_075, 8_075),
        ("ppdb-lexical", None, 210_372, 210_372),
    ],
)
def test_the_real_sets_have_the_rows_their_papers_say(
    data_home, name, subset, n_pairs, n_positive
):
    pairs = fetch_paraphrases(name, subset=subset, data_home=data_home)
    assert pairs.data.shape == (n_pairs, 2)
    assert (pairs.target == 1).sum() == n_positive
