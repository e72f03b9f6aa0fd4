"""Explanations as text and as HTML, from ``Explanation.to_dict``."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from skpara._messages import printable
from skpara.explanation._groups import short_name
from skpara.explanation._novelty import UNFAMILIAR

MOST_GROUPS = 10  # more than the features of skpara have; an encoder's words may be many
_BAR_LENGTH = 20  # characters of the longest bar
_CSS = Path(__file__).with_name("explanation.css")
_UP, _DOWN = "rgba(42,110,187,.75)", "rgba(224,123,57,.8)"
# Hues of matched words, far enough from each other for ten of them side by side.
_HUES = (210, 150, 280, 45, 330, 180, 100, 250, 20, 0)


def as_text(explanation: dict[str, Any]) -> str:
    """Return an explanation as lines of text."""
    score = f"score {explanation['score']:.2f} {_sum(explanation)}"
    head = [*explanation["pair"], "", score, *_notes(explanation), ""]
    lines = [*head, *_bars(explanation["groups"]), "", *_matches(explanation)]
    return "\n".join(map(printable, lines))


def as_html(explanation: dict[str, Any]) -> str:
    """Return an explanation as HTML without scripts or links."""
    return "".join(
        [
            f"<style>{_CSS.read_text('utf-8')}</style>",
            f"<div class='skpara'><div class='skpara-score'><b>{explanation['score']:.2f}</b>",
            f"<span class='skpara-note'>{_sum(explanation)}</span></div>",
            *(f"<div class='skpara-alarm'>{note}</div>" for note in _notes(explanation)),
            *(_html_sentence(explanation, side) for side in ("first", "second")),
            _html_bars(explanation["groups"]),
            "</div>",
        ]
    )


def _sum(explanation: dict[str, Any]) -> str:
    unclipped, baseline = explanation["unclipped"], explanation["baseline"]
    clipped = f", clipped from {unclipped:.2f}" if explanation["clipped"] else ""
    return f"= baseline {baseline:.2f} {unclipped - baseline:+.2f}{clipped}"


def _notes(explanation: dict[str, Any]) -> list[str]:
    """Return the probability, the interval, and a warning about unfamiliar text."""
    notes = []
    if (probability := explanation["probability"]) is not None:
        notes.append(f"probability {probability:.2f} (the score is its log odds)")
    if explanation["interval"] is not None:
        low, high = explanation["interval"]
        notes.append(f"{100 * explanation['coverage']:.0f} % interval {low:.2f} to {high:.2f}")
    if (novelty := explanation["novelty"]) is not None and novelty >= UNFAMILIAR:
        notes.append(f"unlike the text that the model has learned from: {novelty:.2f}")
    return notes


def _features(group: dict[str, Any]) -> list[str]:
    return [f"{short_name(row['name'])} {row['value']:.2f}" for row in group["features"]]


def _bars(groups: list[dict[str, Any]]) -> list[str]:
    if not groups:
        return ["no feature moved the score"]
    width = max(len(group["title"]) for group in groups)
    longest = abs(groups[0]["contribution"]) or 1.0
    lines = []
    for group in groups:
        added = group["contribution"]
        bar = ("+" if added > 0 else "-") * max(1, round(_BAR_LENGTH * abs(added) / longest))
        title = f"{added:+7.3f}  {group['title']:<{width}}  {bar:<{_BAR_LENGTH}}"
        lines.append(f"{title}  {_features(group)[0]}")
    return lines


def _matches(explanation: dict[str, Any]) -> list[str]:
    sides, matches = explanation["words"], explanation["matches"]
    if not any(sides):  # of records
        return []
    pairs = [(sides[0][m["first"]]["text"], sides[1][m["second"]]["text"]) for m in matches]
    width, other = (max((len(pair[side]) for pair in pairs), default=0) for side in (0, 1))
    lines = ["words that match"] if pairs else ["no words match"]
    for (first, second), match in zip(pairs, matches, strict=True):
        words = f"{first:>{width}} ~ {second:<{other}}"
        lines.append(f"{words}  {match['similarity']:.2f} {match['kind']}")
    for side, words in zip(("first", "second"), explanation["unmatched"], strict=True):
        if words:
            lines.append(f"only in the {side}: {', '.join(words)}")
    return lines


def _html_sentence(explanation: dict[str, Any], side: str) -> str:
    """Return a sentence; words that match have the same colour in both sentences."""
    matches = explanation["matches"]
    number = {match[side]: i for i, match in enumerate(matches)}
    spans = []
    for position, word in enumerate(explanation["words"][side == "second"]):
        look = f"class='{'only' if word['content'] else 'minor'}'"
        if position in number:
            i = number[position]
            colour = f"hsla({_HUES[i % len(_HUES)]},65%,50%,.28)"
            tip = f"{matches[i]['kind']}, {matches[i]['similarity']:.2f}"
            look = f"style='background:{colour}' title='{tip}'"
        spans.append(f"<span {look}>{escape(word['text'])}</span>")
    return f"<p>{' '.join(spans) or escape(explanation['pair'][side == 'second'])}</p>"


def _html_bars(groups: list[dict[str, Any]]) -> str:
    if not groups:
        return "<div class='skpara-note'>no feature moved the score</div>"
    longest = max(abs(group["contribution"]) for group in groups) or 1.0
    rows = []
    for group in groups:
        added, named = group["contribution"], _features(group)
        colour = _UP if added > 0 else _DOWN
        bar = f"width:{100 * abs(added) / longest:.1f}%;background:{colour}"
        rows.append(
            f"<tr title='{escape(', '.join(named))}'><td>{escape(group['title'])}</td>"
            f"<td>{added:+.2f}</td><td class='bar'><div style='{bar}'></div></td>"
            f"<td>{escape(named[0])}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"
