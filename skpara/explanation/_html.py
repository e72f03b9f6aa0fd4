"""An explanation as a piece of HTML, for notebooks and reports."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from skpara.explanation._groups import short_name

if TYPE_CHECKING:
    from skpara.explanation._explanation import Explanation, FeatureGroup, Word

# Half transparent colours and that of the surrounding text: readable on white and on black.
_STYLE = """<style>
.skpara{font:15px/1.5 system-ui,sans-serif;max-width:52em;text-align:left}
.skpara-score b{font-size:2.2em;margin-right:.35em}
.skpara-note{opacity:.75}
.skpara-alarm{display:inline-block;border-radius:4px;padding:0 .5em}
.skpara-alarm{background:rgba(224,123,57,.25)}
.skpara p{margin:.35em 0;font-size:1.1em;line-height:1.9}
.skpara p span{padding:.1em .25em;border-radius:4px}
.skpara .minor{opacity:.55;padding:0}
.skpara .only{border-bottom:2px dotted rgba(224,123,57,.9);border-radius:0}
.skpara table{border-collapse:collapse;width:100%;margin:.6em 0;background:none}
.skpara td{border:0;padding:.15em .5em;text-align:left;background:none;vertical-align:middle}
.skpara td.title{text-align:right;white-space:nowrap;width:1%}
.skpara td.bar div{height:1em;border-radius:2px;min-width:2px}
.skpara td.number{text-align:right;white-space:nowrap;width:1%;font-variant-numeric:tabular-nums}
@media(max-width:40em){.skpara td.features{display:none}.skpara td.title{white-space:normal}}
.skpara td.features{opacity:.6;font-size:.8em;white-space:nowrap;width:1%}
</style>"""
_UP, _DOWN = "rgba(42,110,187,.75)", "rgba(224,123,57,.8)"
# Hues of matched words, far enough from each other for ten of them side by side.
_HUES = (210, 150, 280, 45, 330, 180, 100, 250, 20, 0)
_MOST_GROUPS = 10


def explanation_html(explanation: Explanation) -> str:
    """Return HTML without any script or link."""
    score, *notes = explanation.summary()
    total = score.partition(" = ")[2]
    clipped = f", clipped from {explanation.unclipped:.2f}" if explanation.clipped else ""
    heading = f"<b>{explanation.score:.2f}</b><span class='skpara-note'>= {total}{clipped}</span>"
    alarm = "unlike the text"
    lines = [
        f"<div class='{'skpara-alarm' if note.startswith(alarm) else 'skpara-note'}'>"
        f"{escape(note)}</div>"
        for note in notes
    ]
    sentences = [_sentence(explanation, side) for side in (0, 1)]
    return "".join(
        [
            _STYLE,
            f"<div class='skpara'><div class='skpara-score'>{heading}</div>",
            *lines,
            *sentences,
            _bars(explanation.groups(_MOST_GROUPS)),
            "</div>",
        ]
    )


def _sentence(explanation: Explanation, side: int) -> str:
    """Words that match have the same colour in both sentences."""
    number = {match[side]: i for i, match in enumerate(explanation.matches)}
    words = []
    for position, word in enumerate(explanation.words[side]):
        text = escape(word.text)
        if position in number:
            match = explanation.matches[number[position]]
            colour = f"hsla({_HUES[number[position] % len(_HUES)]},65%,50%,.28)"
            tip = f"{match.kind}, {match.similarity:.2f}"
            text = f"<span style='background:{colour}' title='{tip}'>{text}</span>"
        else:
            text = f"<span class='{_kind(word)}'>{text}</span>"
        words.append(text)
    return f"<p>{' '.join(words)}</p>"


def _kind(word: Word) -> str:
    return "only" if word.content else "minor"


def _bars(groups: list[FeatureGroup]) -> str:
    if not groups:
        return "<div class='skpara-note'>no feature moved the score</div>"
    low = min(0.0, *(group.contribution for group in groups))
    high = max(0.0, *(group.contribution for group in groups))
    scale = 100 / ((high - low) or 1.0)
    rows = []
    for title, added, features in groups:
        start = (min(0.0, added) - low) * scale
        colour = _UP if added > 0 else _DOWN
        named = [f"{short_name(name)} {value:.2f}" for name, value, _ in features]
        bar = f"margin-left:{start:.1f}%;width:{abs(added) * scale:.1f}%;background:{colour}"
        rows.append(
            f"<tr title='{escape(', '.join(named))}'><td class='title'>{escape(title)}</td>"
            f"<td class='bar'><div style='{bar}'></div></td>"
            f"<td class='number'>{added:+.2f}</td>"
            f"<td class='features'>{escape(named[0])}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"
