"""The explanation of the score of one pair, as data and as text."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np

from skpara._public import set_module
from skpara._typing import Floats
from skpara.explanation._words import Match, Word

_BAR_LENGTH = 20  # characters of the longest bar


@set_module("skpara.explanation")
@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a pair got its score; :func:`explain` returns it and ``print`` shows it.

    Parameters
    ----------
    pair : tuple of (str, str)
        The two sentences.
    score : float
        The model's prediction.
    baseline : float
        The prediction without any feature; see :func:`contributions`.
    names : tuple of str, length n_features
        Names of the features; for an encoder alone, pairs of words.
    values : ndarray of float64, shape (n_features,)
        Values of the features; for an encoder alone, cosines of the words.
    contributions : ndarray of float64, shape (n_features,)
        What each feature adds to the score. With ``baseline`` they sum to ``unclipped``.
    words : tuple of two tuples of Word
        The tokens of both sentences, with their weights.
    matches : tuple of Match
        The words that were aligned.
    """

    pair: tuple[str, str]
    score: float
    baseline: float
    names: tuple[str, ...]
    values: Floats
    contributions: Floats
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
        """Return the features with the largest contributions.

        Parameters
        ----------
        n : int, default=8
            Number of features; fewer if fewer contribute at all.

        Returns
        -------
        list of (str, float, float)
            Name, value and contribution of each, strongest first.
        """
        order = np.argsort(-np.abs(self.contributions), kind="stable")[:n]
        return [
            (self.names[i], float(self.values[i]), float(self.contributions[i]))
            for i in order.tolist()
            if self.contributions[i] != 0
        ]

    def others(self, n: int = 8) -> tuple[int, float]:
        """Sum up the features beside ``top(n)``.

        Parameters
        ----------
        n : int, default=8
            Number of features that are not included.

        Returns
        -------
        tuple of (int, float)
            Number of the other features that contribute, and the sum of their contributions.
        """
        top = self.top(n)
        number = int(np.count_nonzero(self.contributions)) - len(top)
        return number, float(self.contributions.sum()) - sum(added for _, _, added in top)

    def unmatched(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """Return the content words that match nothing.

        Returns
        -------
        first, second : tuple of Word
            Those of each sentence.
        """
        matched = [{match[side] for match in self.matches} for side in (0, 1)]
        first, second = (
            tuple(word for i, word in enumerate(words) if word.content and i not in indices)
            for words, indices in zip(self.words, matched, strict=True)
        )
        return first, second

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain Python, ready for JSON.

        Returns
        -------
        dict
            Its keys are "pair", "score", "baseline", "features" (each with "name", "value" and
            "contribution"), "words" (two lists) and "matches".
        """
        rows = zip(self.names, self.values.tolist(), self.contributions.tolist(), strict=True)
        keys = ("name", "value", "contribution")
        return {
            "pair": list(self.pair),
            "score": self.score,
            "baseline": self.baseline,
            "features": [dict(zip(keys, row, strict=True)) for row in rows],
            "words": [[word._asdict() for word in side] for side in self.words],
            "matches": [match._asdict() for match in self.matches],
        }

    def __repr__(self) -> str:
        return f"Explanation(pair={self.pair!r}, score={self.score:.3f})"

    def __str__(self) -> str:
        clipped = f", clipped from {self.unclipped:.2f}" if self.clipped else ""
        added = self.unclipped - self.baseline
        total = f"score {self.score:.2f}{clipped} = baseline {self.baseline:.2f} {added:+.2f}"
        return "\n".join([*self.pair, "", total, "", *self._features(), "", *self._words()])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _features(self) -> list[str]:
        rows = self.top()
        if not rows:
            return ["no feature moved the score"]
        width = max(len(name) for name, _, _ in rows)
        lines = []
        for name, value, added in rows:
            length = max(1, round(_BAR_LENGTH * abs(added / rows[0][2])))
            bar = ("+" if added > 0 else "-") * length
            lines.append(f"{added:+7.3f}  {name:<{width}}  {value:8.3f}  {bar}")
        number, added = self.others()
        if number:
            lines.append(f"{added:+7.3f}  {number} others")
        return lines

    def _words(self) -> list[str]:
        pairs = [(self.words[0][m.first].text, self.words[1][m.second].text) for m in self.matches]
        widths = [max((len(pair[side]) for pair in pairs), default=0) for side in (0, 1)]
        lines = ["words that match"] if pairs else ["no words match"]
        for (first, second), match in zip(pairs, self.matches, strict=True):
            words = f"{first:>{widths[0]}} ~ {second:<{widths[1]}}"
            lines.append(f"{words}  {match.similarity:.2f} {match.kind}")
        for name, side in zip(("first", "second"), self.unmatched(), strict=True):
            if side:
                lines.append(f"only in the {name}: {', '.join(word.text for word in side)}")
        return lines
