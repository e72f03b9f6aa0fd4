"""What explains the score of one pair, as data and as text."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.explanation._words import Match, Word

_BAR = 20  # characters of the longest bar


@set_module("skpara.explanation")
@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a pair got its score; :func:`explain` makes it and ``print`` shows it.

    Parameters
    ----------
    pair : tuple of (str, str)
    score : float
        What the model predicts.
    baseline : float
        What it predicts before it knows anything of the pair; see :func:`contributions`.
    names : tuple of str, length n_features
        The features; for an encoder alone, pairs of words.
    values : ndarray of float64, shape (n_features,)
        Their values; the cosines of these words.
    contributions : ndarray of float64, shape (n_features,)
        What each adds to the score. With ``baseline`` they sum to ``unclipped``.
    words : tuple of two tuples of Word
        The tokens of both sentences, with their weights.
    matches : tuple of Match
        Which of them were aligned.
    """

    pair: tuple[str, str]
    score: float
    baseline: float
    names: tuple[str, ...]
    values: NDArray[np.float64]
    contributions: NDArray[np.float64]
    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    matches: tuple[Match, ...]

    @property
    def unclipped(self) -> float:
        """The score before it is clipped to its range: the baseline and all contributions."""
        return self.baseline + float(self.contributions.sum())

    @property
    def clipped(self) -> bool:
        """Whether the score was clipped to its range."""
        return abs(self.unclipped - self.score) > 1e-3 * max(1.0, abs(self.score))

    def top(self, n: int = 8) -> list[tuple[str, float, float]]:
        """The features that moved the score most, strongest first.

        Parameters
        ----------
        n : int, default=8
            How many; fewer where fewer moved it at all.

        Returns
        -------
        list of (name, value, contribution)
        """
        order = np.argsort(-np.abs(self.contributions), kind="stable")[:n]
        return [
            (self.names[i], float(self.values[i]), float(self.contributions[i]))
            for i in order.tolist()
            if self.contributions[i] != 0
        ]

    def others(self, n: int = 8) -> tuple[int, float]:
        """How many features moved the score beside the ``top(n)``, and by how much together.

        Parameters
        ----------
        n : int, default=8

        Returns
        -------
        number : int
        contribution : float
        """
        shown = self.top(n)
        count = int(np.count_nonzero(self.contributions)) - len(shown)
        return count, float(self.contributions.sum()) - sum(moved for _, _, moved in shown)

    def unmatched(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """The content words of both sentences that match nothing."""
        matched = [{match[side] for match in self.matches} for side in (0, 1)]
        first, second = (
            tuple(word for i, word in enumerate(words) if word.content and i not in taken)
            for words, taken in zip(self.words, matched, strict=True)
        )
        return first, second

    def to_dict(self) -> dict[str, Any]:
        """The same as plain Python, ready for JSON.

        Returns
        -------
        dict
            With the keys "pair", "score", "baseline", "features" (each with "name", "value" and
            "contribution"), "words" (two lists) and "matches".
        """
        rows = zip(self.names, self.values.tolist(), self.contributions.tolist(), strict=True)
        return {
            "pair": list(self.pair),
            "score": self.score,
            "baseline": self.baseline,
            "features": [
                {"name": name, "value": value, "contribution": moved}
                for name, value, moved in rows
            ],
            "words": [[word._asdict() for word in side] for side in self.words],
            "matches": [match._asdict() for match in self.matches],
        }

    def __repr__(self) -> str:
        return f"Explanation(pair={self.pair!r}, score={self.score:.3f})"

    def __str__(self) -> str:
        return "\n".join([*self.pair, "", self._sum(), "", *self._features(), "", *self._words()])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _sum(self) -> str:
        clipped = f", clipped from {self.unclipped:.2f}" if self.clipped else ""
        moved = self.unclipped - self.baseline
        return f"score {self.score:.2f}{clipped} = baseline {self.baseline:.2f} {moved:+.2f}"

    def _features(self) -> list[str]:
        rows = self.top()
        if not rows:
            return ["no feature moved the score"]
        width = max(len(name) for name, _, _ in rows)
        largest = abs(rows[0][2])
        lines = []
        for name, value, moved in rows:
            bar = ("+" if moved > 0 else "-") * max(1, round(_BAR * abs(moved) / largest))
            lines.append(f"{moved:+7.3f}  {name:<{width}}  {value:8.3f}  {bar}")
        count, rest = self.others()
        if count:
            lines.append(f"{rest:+7.3f}  {count} others")
        return lines

    def _words(self) -> list[str]:
        pairs = [
            (self.words[0][m.first].text, self.words[1][m.second].text, m) for m in self.matches
        ]
        widths = [max((len(pair[side]) for pair in pairs), default=0) for side in (0, 1)]
        lines = [
            f"{first:>{widths[0]}} ~ {second:<{widths[1]}}  {m.similarity:.2f} {m.kind}"
            for first, second, m in pairs
        ]
        lines = ["words that match", *lines] if lines else ["no words match"]
        for name, side in zip(("first", "second"), self.unmatched(), strict=True):
            if side:
                texts = ", ".join(word.text for word in side)
                lines.append(f"only in the {name}: {texts}")
        return lines
