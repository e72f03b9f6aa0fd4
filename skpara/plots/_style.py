"""What all plots share: matplotlib on demand, colours, a quiet frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Told apart by people with any colour vision; markers say the same once more.
COLOURS = ("#2a5c9a", "#e07b39", "#2f9e77", "#b0447c", "#8c6d1f", "#5b4fa8", "#1fa2b8", "#6b7280")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK, FAINT = "#2b2f36", "#9aa1ab"
TITLE: dict[str, Any] = {"loc": "left", "fontsize": "medium", "color": INK}


def need_matplotlib(caller: str) -> None:
    """Refuse with the remedy when matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(f"{caller} needs matplotlib: pip install skpara[plot]") from error


def make_axes(ax: Axes | None, figsize: tuple[float, float]) -> Axes:
    """The given axes, or those of a new figure."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=figsize, layout="constrained")[1]


def tidy(ax: Axes) -> None:
    """Quiet frame, so that the data is what the eye meets first."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(FAINT)
    ax.tick_params(colors=INK, labelsize="small")
