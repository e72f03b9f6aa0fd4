"""Matplotlib on demand, colours, and a plain frame for all plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skpara._optional import import_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Distinguishable with any colour vision; markers differ as well.
COLOURS = ("#2a5c9a", "#e07b39", "#2f9e77", "#b0447c", "#8c6d1f", "#5b4fa8", "#1fa2b8", "#6b7280")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
TEXT, GREY = "#2b2f36", "#9aa1ab"
TITLE: dict[str, Any] = {"loc": "left", "fontsize": "medium", "color": TEXT}


def import_pyplot() -> Any:
    """Import ``matplotlib.pyplot``, or raise an error with the command to install it."""
    return import_optional("matplotlib.pyplot", "Drawing a plot", install="skpara[plot]")


def make_axes(ax: Axes | None, figsize: tuple[float, float]) -> Axes:
    """Return the given axes, or the axes of a new figure."""
    if ax is not None:
        return ax
    axes: Axes = import_pyplot().subplots(figsize=figsize, layout="constrained")[1]
    return axes


def clean_frame(ax: Axes, *, bars: bool = False) -> None:
    """Keep only the sides of the frame with a scale, in grey."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(colors=TEXT, labelsize="small")
    if bars:  # their names need no line and no ticks
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
