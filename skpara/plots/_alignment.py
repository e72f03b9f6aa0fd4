"""Which words of a pair match, and which features moved its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skpara._public import set_module
from skpara.explanation import Explanation, Word, explain
from skpara.plots._style import COLOURS, FAINT, INK, TITLE, make_axes, need_matplotlib, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 0.21  # inches from word to word
_FULL = 9.0  # nats of a word in full ink: one in eight thousand words
_MORE, _LESS = COLOURS[0], COLOURS[1]


@set_module("skpara.plots")
class AlignmentDisplay:
    """The words of a pair, joined where they match, beside the features that moved its score.

    Each sentence is a column of words. The thicker the line between two words, the more alike
    they are; the darker a word, the more it tells (its information content). Stop words and
    punctuation, which are not aligned, are grey. Bars to the right raise the score, bars to the
    left lower it.

    Parameters
    ----------
    explanation : Explanation
        Of one pair, from :func:`skpara.explanation.explain`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        What was drawn on, after :meth:`plot`: an empty frame around the next two.
    words_ax_ : matplotlib Axes
        The words.
    bars_ax_ : matplotlib Axes
        The bars.
    figure_ : matplotlib Figure
        The figure of ``ax_``.

    See Also
    --------
    FeatureImportanceDisplay : Which features a fitted model leans on, over all pairs.

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
    def from_estimator(
        cls, estimator: Any, pair: Any, *, top: int = 8, ax: Axes | None = None
    ) -> AlignmentDisplay:
        """Explain the score that a fitted model gives to one pair, and draw it.

        Parameters
        ----------
        estimator : fitted Pipeline or ParagramEncoder
            See :func:`skpara.explanation.explain`.
        pair : tuple of (str, str)
        top : int, default=8
            How many features to show.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure, as large as the pair asks for, when None.

        Returns
        -------
        AlignmentDisplay
        """
        need_matplotlib(f"{cls.__name__}.from_estimator")
        return cls(explain(estimator, [pair])[0]).plot(ax, top=top)

    def plot(self, ax: Axes | None = None, *, top: int = 8) -> AlignmentDisplay:
        """Draw words on the left, bars on the right.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure, as large as the pair asks for, when None.
        top : int, default=8
            How many features to show.

        Returns
        -------
        AlignmentDisplay
            Itself.
        """
        need_matplotlib(f"{type(self).__name__}.plot")
        explanation = self.explanation
        longest = max(1, *map(len, explanation.words))
        ax = make_axes(ax, figsize=(9.6, 0.9 + _LINE * max(longest, 11)))
        ax.set_axis_off()
        clipped = f", clipped from {explanation.unclipped:.2f}" if explanation.clipped else ""
        ax.set_title(f"Score {explanation.score:.2f}{clipped}", **TITLE)
        self.words_ax_ = ax.inset_axes((0.0, 0.0, 0.42, 1.0))
        # A long pair leaves the bars no taller than they need to be.
        height = 0.88 * min(1.0, 14 / longest)
        self.bars_ax_ = ax.inset_axes((0.7, 1 - height, 0.3, height))
        self._draw_words(self.words_ax_)
        self._draw_bars(self.bars_ax_, top)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _draw_words(self, ax: Axes) -> None:
        sides = self.explanation.words
        longest = max(1, *map(len, sides))
        ax.set_axis_off()
        ax.set(xlim=(0, 1), ylim=(max(longest, 11) - 0.5, -0.5))
        for words, x, align in zip(sides, (0.3, 0.7), ("right", "left"), strict=True):
            for row, word in enumerate(words):
                ax.text(x, row, word.text, ha=align, va="center", **_ink(word))
        for match in self.explanation.matches:
            ax.plot(
                (0.32, 0.68),
                (match.first, match.second),
                color=_MORE,
                linewidth=3 * match.similarity,
                alpha=0.25 + 0.65 * match.similarity,
                solid_capstyle="round",
            )

    def _draw_bars(self, ax: Axes, top: int) -> None:
        explanation = self.explanation
        rows = [(f"{name} = {value:.2f}", moved) for name, value, moved in explanation.top(top)]
        count, rest = explanation.others(top)
        if count:
            rows.append((f"{count} others", rest))
        if not rows:
            ax.set_axis_off()
            return
        moves = [moved for _, moved in rows]
        bars = ax.barh(
            range(len(rows)),
            moves,
            color=[_MORE if moved > 0 else _LESS for moved in moves],
            height=0.68,
        )
        if count:
            bars[-1].set_alpha(0.4)  # many small ones, not one large one
        ax.bar_label(bars, fmt="{:+.2f}", padding=4, color=INK, fontsize="small")
        ax.axvline(0, color=FAINT, linewidth=1)
        ax.set_yticks(range(len(rows)), [name for name, _ in rows])
        ax.invert_yaxis()
        ax.margins(x=0.25)
        ax.set_xlabel(f"Added to the baseline, {explanation.baseline:.2f}")
        tidy(ax)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)


def _ink(word: Word) -> dict[str, Any]:
    """How a word is written: the more it tells, the darker."""
    if not word.content:
        return {"color": FAINT, "fontsize": "small"}
    told = min(1.0, word.information / _FULL)
    return {"color": INK, "alpha": 0.45 + 0.55 * told, "fontsize": "medium"}
