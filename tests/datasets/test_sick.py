"""SICK."""

from __future__ import annotations

import numpy as np
import pytest

from skpara.datasets import fetch_sick

HEADER = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"


@pytest.fixture
def home(tmp_path):
    (tmp_path / "SICK").mkdir()
    rows = [HEADER, "1\tA dog runs\tA dog sits\t3.3\tNEUTRAL", "2\tA\tB\t4.7\tENTAILMENT"]
    content = "\r\n".join(rows) + "\r\n"
    (tmp_path / "SICK" / "SICK_test_annotated.txt").write_bytes(content.encode())
    return tmp_path


def test_columns(home):
    test = fetch_sick("test", data_home=home, download_if_missing=False)
    assert test.data.tolist() == [["A dog runs", "A dog sits"], ["A", "B"]]
    assert test.target.tolist() == [3.3, 4.7]
    assert test.entailment.tolist() == ["NEUTRAL", "ENTAILMENT"]
    assert test.pair_ids.tolist() == ["1", "2"]
    assert set(test.groups) == {"SICK/test"}


def test_a_bad_score_is_named_by_its_line_in_the_file(home):
    path = home / "SICK" / "SICK_test_annotated.txt"
    path.write_text(f"{HEADER}\n1\tA\tB\tNEUTRAL\t3.0\n")
    with pytest.raises(ValueError, match="line 2, column relatedness_score: the score 'NEUTRAL'"):
        fetch_sick("test", data_home=home)


@pytest.mark.parametrize(
    ("split", "n_pairs", "mean"), [("train", 4500, 3.521), ("trial", 500, 3.594)]
)
def test_real_files(data_home, split, n_pairs, mean):
    sick = fetch_sick(split, data_home=data_home, download_if_missing=False)
    assert sick.data.shape == (n_pairs, 2)
    assert sick.target.mean() == pytest.approx(mean, abs=5.1e-4)
    assert np.all((sick.target >= 1) & (sick.target <= 5))
    assert set(sick.entailment) == {"NEUTRAL", "ENTAILMENT", "CONTRADICTION"}
