"""The picture of an explanation."""

from __future__ import annotations

from itertools import pairwise

import pytest

from skpara import ParagramEncoder
from skpara.explanation import explain
from skpara.plots import AlignmentDisplay

PAIR = ("A man plays a guitar.", "Someone is playing music.")


def words(ax):
    return {text.get_text(): text for text in ax.texts}


def test_words_are_in_two_columns_and_matches_are_joined():
    display = AlignmentDisplay.from_estimator(ParagramEncoder(), PAIR)
    texts = words(display.words_ax_)
    assert texts["guitar"].get_position()[1] == 4
    assert texts["music"].get_position()[0] > texts["guitar"].get_position()[0]
    ends = [tuple(line.get_ydata()) for line in display.words_ax_.lines]
    assert ends == [(2, 2), (4, 3)]  # plays and playing, guitar and music


def test_similarity_sets_the_width_and_information_the_shade():
    display = AlignmentDisplay.from_estimator(ParagramEncoder(), PAIR)
    plays, guitar = display.words_ax_.lines
    assert plays.get_linewidth() > guitar.get_linewidth()
    texts = words(display.words_ax_)
    assert texts["guitar"].get_alpha() > texts["man"].get_alpha()
    assert texts["is"].get_color() != texts["man"].get_color()  # a stop word


def test_bars_are_the_groups():
    [explanation] = explain(ParagramEncoder(), [PAIR])
    display = AlignmentDisplay(explanation).plot(top=3)
    widths = [bar.get_width() for bar in display.bars_ax_.patches]
    assert widths == pytest.approx([group.contribution for group in explanation.groups(3)])
    assert explanation.baseline + sum(widths) == pytest.approx(explanation.score, abs=1e-6)
    labels = [label.get_text() for label in display.bars_ax_.get_yticklabels()]
    assert labels == ["guitar", "plays", "everything else"]
    assert display.ax_.get_title(loc="left") == f"Score {explanation.score:.2f}"


@pytest.mark.parametrize("pair", [("", ""), ("a cat", "prices rose")])
def test_any_pair_is_drawn(pair):
    display = AlignmentDisplay.from_estimator(ParagramEncoder(), pair)
    display.figure_.canvas.draw()
    n_words = sum(len(text.split()) for text in pair)
    assert len(display.words_ax_.texts) == n_words


def test_words_of_long_sentences_do_not_overlap():
    display = AlignmentDisplay.from_estimator(ParagramEncoder(), ("dog " * 60, "cat"))
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.words_ax_.texts[:60]]
    assert all(below.y1 <= above.y0 for above, below in pairwise(boxes))
