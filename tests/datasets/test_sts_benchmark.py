"""STS Benchmark."""

from __future__ import annotations

import pytest

from skpara.datasets import fetch_sts, fetch_sts_benchmark

ROWS = [
    'main-captions\tMSRvid\t2012test\t0001\t5.000\tA "plane".\tAn air plane.',
    "main-news\tMSRpar\t2012train\t0002\t3.5\tOne.\tTwo.\tsource\tsource",
    "main-news\theadlines\t2013\t0003\t0\tOne.\tThree.",
]


@pytest.fixture(params=["STS/STSBenchmark", "stsbenchmark"])
def home(request, tmp_path):
    folder = tmp_path / request.param
    folder.mkdir(parents=True)
    (folder / "sts-train.csv").write_text("\n".join(ROWS) + "\n", "utf-8", newline="\n")
    return tmp_path


def test_columns(home):
    train = fetch_sts_benchmark("train", data_home=home, download_if_missing=False)
    assert train.data.tolist() == [
        ['A "plane".', "An air plane."],
        ["One.", "Two."],
        ["One.", "Three."],
    ]
    assert train.target.tolist() == [5.0, 3.5, 0.0]
    assert train.groups.tolist() == ["2012/MSRvid", "2012-train/MSRpar", "2013/headlines"]
    assert train.genres.tolist() == ["main-captions", "main-news", "main-news"]


def test_errors(home):
    with pytest.raises(ValueError, match="split must be one of"):
        fetch_sts_benchmark("validation", data_home=home)
    with pytest.raises(FileNotFoundError, match=r"missing sts-dev\.csv(.|\n)*Stsbenchmark"):
        fetch_sts_benchmark("dev", data_home=home, download_if_missing=False)


def test_a_short_row_is_named(home):
    path = next(home.rglob("sts-train.csv"))
    path.write_text(ROWS[0] + "\nmain-news\tMSRpar\t2012train\t0002\t3.5\tOne.\n")
    with pytest.raises(
        ValueError, match=r"sts-train\.csv, line 2, has 6 column\(s\), but column 7"
    ):
        fetch_sts_benchmark(data_home=home)


def test_real_pairs_are_pairs_of_the_yearly_sets(data_home):
    yearly = fetch_sts(range(2012, 2017), split="all", data_home=data_home)
    known = set(zip(yearly.groups, *yearly.data.T, strict=True))
    for split, least in (("train", 5749), ("dev", 1375), ("test", 1254)):
        part = fetch_sts_benchmark(split, data_home=data_home, download_if_missing=False)
        assert len(part.data) >= least
        rows = [
            row
            for row in zip(part.groups, *part.data.T, strict=True)
            if not row[0].startswith("2017")
        ]
        assert len(rows) == least
        assert set(part.groups[part.groups < "2017"]) <= set(yearly.groups)
        # a few rows of the benchmark were edited by its authors
        assert sum(row in known for row in rows) > 0.95 * len(rows)
