"""Plot of the explanation of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skpara._public import set_module
from skpara.explanation import Explanation, Word, explain
from skpara.plots import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE_HEIGHT = 0.21  # in inches: words of the default font size do not overlap
_FULL_INFORMATION = 9.0  # nats of a fully dark word: one in eight thousand words
_MIN_ROWS = 11  # room for the eight bars and the axis label
_POSITIVE, _NEGATIVE = _style.COLOURS[:2]


@set_module("skpara.plots")
class AlignmentDisplay:
    """Words of a pair, joined by their matches, beside bars of its groups of features.

    Each sentence is a column of words. The more similar two matched words are, the thicker the
    line between them; the higher a word's information content, the darker it is. Stop words and
    punctuation, which are not aligned, are grey. Bars to the right raise the score, bars to the
    left lower it.

    Parameters
    ----------
    explanation : Explanation
        Explanation of one pair, from :func:`skpara.explain`.

    Attributes
    ----------
    ax_, words_ax_, bars_ax_ : matplotlib Axes
        Empty axes and, inside them, the axes of the words and of the bars, after :meth:`plot`.
    figure_ : matplotlib Figure
        The figure of the axes.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.explanation import explain
    >>> from skpara.plots import AlignmentDisplay
    >>> pair = ("A man plays a guitar.", "Someone is playing music.")
    >>> [explanation] = explain(ParagramEncoder(), [pair])
    >>> display = AlignmentDisplay(explanation)
    >>> display.plot()  # doctest: +SKIP
    """

    def __init__(self, explanation: Explanation) -> None:
        self.explanation = explanation

    @classmethod
    def from_estimator(cls, estimator: Any, pair: Any, **kwargs: Any) -> AlignmentDisplay:
        """Explain a fitted model's score of one pair, and draw the explanation.

        Parameters
        ----------
        estimator : fitted Pipeline or ParagramEncoder
            Model that :func:`skpara.explain` can explain.
        pair : tuple of (str, str)
            Two sentences.
        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        AlignmentDisplay
            The display, drawn.
        """
        _style.import_pyplot()  # before the model computes anything
        return cls(explain(estimator, [pair])[0]).plot(**kwargs)

    def plot(self, ax: Axes | None = None, *, top: int = 8) -> AlignmentDisplay:
        """Draw words on the left, bars on the right.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw in; None draws in a new figure that fits the length of the sentences.
        top : int, default=8
            Number of groups of features to show; the last one then has all weaker ones.

        Returns
        -------
        AlignmentDisplay
            The display itself.
        """
        explanation = self.explanation
        longest = max(1, *map(len, explanation.words))
        ax = _style.make_axes(ax, figsize=(9.6, 0.9 + _LINE_HEIGHT * max(longest, _MIN_ROWS)))
        ax.set_axis_off()
        clipped = f", clipped from {explanation.unclipped:.2f}" if explanation.clipped else ""
        ax.set_title(f"Score {explanation.score:.2f}{clipped}", **_style.TITLE)
        self.words_ax_ = ax.inset_axes((0.0, 0.0, 0.42, 1.0))
        # Beside a long pair the bars would otherwise become very thick.
        height = 0.88 * min(1.0, 14 / longest)
        self.bars_ax_ = ax.inset_axes((0.7, 1 - height, 0.3, height))
        self._draw_words(self.words_ax_)
        self._draw_bars(self.bars_ax_, top)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_words(self, ax: Axes) -> None:
        sides = self.explanation.words
        longest = max(1, *map(len, sides))
        ax.set_axis_off()
        ax.set(xlim=(0, 1), ylim=(max(longest, _MIN_ROWS) - 0.5, -0.5))
        for words, x, align in zip(sides, (0.3, 0.7), ("right", "left"), strict=True):
            for row, word in enumerate(words):
                ax.text(x, row, word.text, ha=align, va="center", **_word_style(word))
        for match in self.explanation.matches:
            similarity, rows = match.similarity, (match.first, match.second)
            (line,) = ax.plot((0.32, 0.68), rows, color=_POSITIVE, solid_capstyle="round")
            line.set(linewidth=3 * similarity, alpha=0.25 + 0.65 * similarity)

    def _draw_bars(self, ax: Axes, top: int) -> None:
        explanation = self.explanation
        groups = explanation.groups(top)
        if not groups:
            ax.set_axis_off()
            return
        labels, added = zip(*((group.title, group.contribution) for group in groups), strict=True)
        colours = [_POSITIVE if value > 0 else _NEGATIVE for value in added]
        bars = ax.barh(range(len(groups)), added, color=colours, height=0.68)
        ax.bar_label(bars, fmt="{:+.2f}", padding=4, color=_style.TEXT, fontsize="small")
        ax.axvline(0, color=_style.GREY, linewidth=1)
        ax.set_yticks(range(len(groups)), labels)
        ax.invert_yaxis()
        ax.margins(x=0.25)
        ax.set_xlabel(f"Added to the baseline, {explanation.baseline:.2f}")
        _style.clean_frame(ax, bars=True)


def _word_style(word: Word) -> dict[str, Any]:
    if not word.content:
        return {"color": _style.GREY, "fontsize": "small"}
    darkness = min(1.0, word.information / _FULL_INFORMATION)
    return {"color": _style.TEXT, "alpha": 0.45 + 0.55 * darkness, "fontsize": "medium"}
