"""The plot of gold against predicted scores."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.stats import pearsonr

from skpara.plots import SimilarityDisplay


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    gold = np.round(rng.uniform(0, 5, 80) * 5) / 5
    return gold, np.clip(gold + rng.normal(0, 0.8, 80), 0, 5)


class CharacterCount:
    """A model whose score is the number of characters of the first sentence."""

    def predict(self, X):
        return np.array([float(len(pair[0])) for pair in X])


def test_pearson_of_the_scores_is_in_the_title(scores):
    display = SimilarityDisplay.from_predictions(*scores)
    expected = pearsonr(*scores).statistic
    assert display.pearson == pytest.approx(expected)
    assert f"{expected:.3f}" in display.ax_.get_title(loc="left")


def test_both_axes_have_one_range_around_every_point(scores):
    ax = SimilarityDisplay.from_predictions(*scores).ax_
    assert ax.get_xlim() == ax.get_ylim()
    assert list(ax.get_xticks()) == list(ax.get_yticks())
    points = ax.collections[0].get_offsets()
    assert points.min() >= ax.get_xlim()[0]
    assert points.max() <= ax.get_xlim()[1]
    np.testing.assert_array_equal(points[:, 1], scores[1])
    assert 0 < np.abs(points[:, 0] - scores[0]).max() < 0.1  # moved sideways


def test_each_group_has_its_pearson_in_the_legend(scores):
    gold, predicted = scores
    groups = np.array([*["news"] * 40, *["forum"] * 39, "one"])
    display = SimilarityDisplay.from_predictions(gold, predicted, groups=groups)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    some = groups == "forum", groups == "news"
    forum, news = (pearsonr(gold[rows], predicted[rows]).statistic for rows in some)
    assert texts == [f"forum  {forum:.2f}", f"news  {news:.2f}", "one  \u2013"]
    assert len(display.ax_.collections) == 3
    with pytest.raises(ValueError, match=r"groups\[0\] = None"):
        SimilarityDisplay(y_true=gold, y_pred=predicted, groups=np.ma.masked_equal(groups, "news"))


def test_from_estimator_draws_what_the_model_predicts():
    X = [("a", "b"), ("aa", "b"), ("aaaa", "b")]
    display = SimilarityDisplay.from_estimator(CharacterCount(), X, [0, 2, 5])
    np.testing.assert_array_equal(display.y_pred, [1, 2, 4])


def test_given_axes_are_used(scores):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    display = SimilarityDisplay.from_predictions(*scores, ax=ax, s=5)
    assert (display.ax_, display.figure_) == (ax, ax.figure)
    assert ax.collections[0].get_sizes() == [5]


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        SimilarityDisplay(y_true=[1, 2], y_pred=[1, 2, 3])


def test_without_matplotlib_the_error_says_what_to_install(scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'skpara\[plot\]'"):
        SimilarityDisplay.from_predictions(*scores)


def test_names_of_groups_are_no_formulas_and_hide_nothing(scores):
    groups = np.repeat(["$x_{", "a\x1b\u202e$"], 40)
    display = SimilarityDisplay.from_predictions(*scores, groups=groups)
    display.figure_.canvas.draw()  # matplotlib reads formulas here
    first, second = (text.get_text() for text in display.ax_.get_legend().get_texts())
    assert first.startswith("\\$x_{  ")
    assert second.startswith("a\\x1b\\u202e\\$  ")


def test_the_axes_say_what_they_show():
    y = np.linspace(0, 5, 12)
    groups = np.array(["a", "b"] * 6)
    display = SimilarityDisplay(y_true=y, y_pred=y**1.1, groups=groups).plot()
    ax = display.ax_
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Gold score", "Predicted score")
    r = np.corrcoef(y, y**1.1)[0, 1]
    assert ax.get_title(loc="left") == f"Pearson's r = {r:.3f}, 12 pairs"
    assert {name: spine.get_visible() for name, spine in ax.spines.items()} == {
        "left": True, "bottom": True, "top": False, "right": False,
    }  # fmt: skip
    legend = ax.get_legend()
    assert legend.get_title().get_text() == "Pearson's r by group"
    assert not legend.get_frame_on()
    assert len(legend.get_texts()) == 2
    assert display.figure_ is ax.figure
