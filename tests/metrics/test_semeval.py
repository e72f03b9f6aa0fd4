"""The mean over sets by which the STS tasks rank systems."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from skpara.metrics import pearson_score, semeval_report, semeval_score


@pytest.fixture
def three_sets():
    rng = np.random.default_rng(1)
    groups = rng.permutation(
        np.repeat(["2014/images", "2014/headlines", "2014/OnWN"], [5, 20, 60])
    )
    y_true = rng.uniform(0, 5, 85)
    return y_true, y_true + rng.normal(0, 2, 85), groups


def by_set(y_true, y_pred, groups):
    names = np.unique(groups)
    r = [stats.pearsonr(y_true[groups == g], y_pred[groups == g]).statistic for g in names]
    return names, np.array(r), np.array([np.sum(groups == g) for g in names])


def test_mean_over_pairs_is_the_official_one(three_sets):
    _, r, n = by_set(*three_sets)
    assert semeval_score(*three_sets) == pytest.approx(np.sum(r * n) / 85)


def test_mean_over_sets_is_plain(three_sets):
    _, r, _ = by_set(*three_sets)
    assert semeval_score(*three_sets, average="sets") == pytest.approx(r.mean())


def test_by_hand():
    # set a: r = 0.5 over three pairs; set b: r = -1 over two
    y_true, y_pred, groups = [1, 2, 3, 1, 2], [1, 3, 2, 9, 8], list("aaabb")
    assert semeval_score(y_true, y_pred, groups) == pytest.approx((3 * 0.5 - 2) / 5)
    assert semeval_score(y_true, y_pred, groups, average="sets") == pytest.approx(-0.25)


def test_one_set_is_plain_pearson(three_sets):
    y_true, y_pred, _ = three_sets
    expected = pearson_score(y_true, y_pred)
    for average in ("pairs", "sets"):
        assert semeval_score(y_true, y_pred, ["x"] * 85, average=average) == pytest.approx(
            expected
        )


def test_each_set_may_have_its_own_scale(three_sets):
    y_true, y_pred, groups = three_sets
    scaled = np.where(groups == "2014/OnWN", y_pred / 5 - 9, y_pred)
    assert semeval_score(y_true, scaled, groups) == pytest.approx(
        semeval_score(y_true, y_pred, groups)
    )


def test_report_holds_what_the_score_is_made_of(three_sets):
    y_true, y_pred, groups = three_sets
    report = semeval_report(y_true, y_pred, groups)
    assert report.groups == tuple(dict.fromkeys(groups.tolist()))
    names, r, n = by_set(*three_sets)
    assert dict(zip(report.groups, report.n_pairs, strict=True)) == dict(
        zip(names, n, strict=True)
    )
    assert dict(zip(report.groups, report.pearson, strict=True)) == pytest.approx(
        dict(zip(names, r, strict=True))
    )
    rows = groups == report.groups[0]
    rho = stats.spearmanr(y_true[rows], y_pred[rows]).statistic
    assert report.spearman[0] == pytest.approx(rho)
    assert report.mean_over_pairs == semeval_score(*three_sets)
    assert report.mean_over_sets == semeval_score(*three_sets, average="sets")


def test_report_prints_as_a_table(three_sets):
    lines = str(semeval_report(*three_sets)).splitlines()
    assert lines[0].split() == ["set", "pairs", "Pearson", "Spearman"]
    assert len(lines) == 1 + 3 + 2
    assert len({len(line) for line in lines}) == 1
    name, n_pairs, r, _ = next(line for line in lines if "OnWN" in line).split()
    assert (name, n_pairs) == ("2014/OnWN", "60")
    assert -1 <= float(r) <= 1
    assert lines[-2].split()[3] == "85"


def test_a_constant_set_counts_as_zero_and_is_named():
    y_true, y_pred, groups = [1, 2, 3, 1, 2], [1, 2, 3, 7, 7], list("aaabb")
    with pytest.warns(UndefinedMetricWarning, match="set 'b'") as caught:
        assert semeval_score(y_true, y_pred, groups) == pytest.approx(0.6)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a", "a"], "each of the 3 pairs"),
        ("a", "each of the 3 pairs"),
        (["a", "a", "b"], "Set 'b' has 1 pair"),
    ],
)
def test_groups_that_cannot_be_scored(groups, message):
    with pytest.raises(ValueError, match=message):
        semeval_score([1, 2, 3], [1, 2, 3], groups)


def test_unknown_average():
    with pytest.raises(ValueError, match="average must be"):
        semeval_score([1, 2], [1, 2], ["a", "a"], average="macro")
