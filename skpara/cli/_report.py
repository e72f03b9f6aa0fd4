"""``skpara report``: one page about a model on scored pairs."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._explain import page
from skpara.cli._options import new_command, positive_int, step
from skpara.cli._scored import Scored, add_gold_arguments, score_gold_pairs
from skpara.cli._summary import add_json_option, print_summary

_EXAMPLES = """\
  skpara report sts.skpara test.csv -o report.html
  skpara report sts.skpara test.csv -o report.html --group genre --errors 20
"""
_STYLE = """
h1{font-size:1.6em;margin-bottom:.1em}h2{font-size:1.2em;margin-top:2em}
.figures{display:flex;flex-wrap:wrap;gap:1em;margin:1.2em 0}
.figures div{border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.5em 1em}
.figures b{display:block;font-size:1.5em}.quiet{opacity:.7}
table.slices{border-collapse:collapse;width:100%}
table.slices{font-variant-numeric:tabular-nums}
table.slices td,table.slices th{padding:.25em .6em;text-align:right}
table.slices tr>:first-child{text-align:left}
table.slices tr.head th{border-bottom:1px solid rgba(128,128,128,.6)}
table.slices tr.part th{padding-top:1em}
.plot{background:#fff;border-radius:6px;padding:.5em;max-width:40em}
.plot svg{width:100%;height:auto}
"""
# A correlation of fewer pairs says nothing.
_FEWEST = 10
# Pairs whose contributions are averaged: more change the second digit, and take seconds.
_MOST_EXPLAINED = 300


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "report",
        help="write a page about a model's scores of scored pairs",
        description="Score pairs whose gold scores are known, and write one page for a browser: "
        "correlations, the pairs that the model scores well and badly, and why its worst errors "
        "happened. The page needs no other file and no network.",
        examples=_EXAMPLES,
    )
    add_gold_arguments(parser)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", required=True, help="output file, such as a.html"
    )
    parser.add_argument(
        "--errors",
        type=positive_int,
        default=10,
        metavar="N",
        help="number of the largest errors to explain (default: 10)",
    )
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    scored = score_gold_pairs(arguments, details=True)
    with step("Explaining"):
        body = "".join(_body(scored, arguments))
    title = f"{arguments.model.name} on {Path(scored.file_name).name}"
    n_pairs = len(scored.pairs)
    head = (
        f"<h1>{escape(title)}</h1>"
        f"<div class='quiet'>{n_pairs:,} pairs{escape(scored.trained_on)}</div>"
    )
    text = page(title, head + body, _STYLE)
    replace_file(arguments.out, lambda path: path.write_bytes(text.encode()))
    facts = {"pairs": n_pairs, "report": arguments.out}
    print_summary(arguments, facts, [f"Pairs: {n_pairs}", f"Report: {arguments.out}"])
    return 0


def _body(scored: Scored, arguments: argparse.Namespace) -> Iterator[str]:
    yield _figures(scored, arguments.seed)
    yield _plot(scored)
    yield f"<h2>Slices</h2>{_slices(scored)}"
    explained = _explanations(scored, arguments.errors)
    if explained is None:
        yield "<p>What moves the scores of this kind of model is not known.</p>"
        return
    strengths, worst = explained
    yield f"<h2>What moves the scores</h2>{strengths}"
    yield f"<h2>The {len(worst)} largest errors</h2>{'<hr>'.join(worst)}"


def _figures(scored: Scored, seed: int) -> str:
    import numpy as np

    from skpara.metrics import semeval_intervals

    gold, predicted = scored.gold, scored.predicted
    result = semeval_intervals(gold, predicted, np.zeros(len(gold)), random_state=seed)
    figures = [
        (name, f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}")
        for name, [estimate] in (("Pearson's r", result.pearson), ("Spearman", result.spearman))
    ]
    error = predicted - gold
    figures.append(
        ("mean absolute error", f"{np.abs(error).mean():.2f}", f"{error.mean():+.2f} bias")
    )
    if scored.intervals is not None:
        low, high = scored.intervals.T
        inside = float(((gold >= low) & (gold <= high)).mean())
        width = float((high - low).mean())
        figures.append(("inside the 90 % interval", f"{inside:.1%}", f"mean width {width:.2f}"))
    cells = (
        f"<div>{name}<b>{value}</b><span class='quiet'>{note}</span></div>"
        for name, value, note in figures
    )
    return f"<div class='figures'>{''.join(cells)}</div>"


def _plot(scored: Scored) -> str:
    """Return the scores as a picture; nothing if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    from skpara.plots import SimilarityDisplay

    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    several = len(set(scored.groups.tolist())) > 1
    SimilarityDisplay.from_predictions(
        scored.gold,
        scored.predicted,
        groups=scored.groups if several else None,
        ax=figure.subplots(),
    )
    picture = io.StringIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    svg = picture.getvalue()
    return f"<div class='plot'>{svg[svg.index('<svg') :]}</div>"


def _slices(scored: Scored) -> str:
    """Return a table of errors in parts of the pairs."""
    import numpy as np

    assert scored.novelty is not None
    words = np.array([max(map(len, map(str.split, pair))) for pair in scored.pairs.tolist()])
    bands = {
        "gold score": _thirds(scored.gold),
        "words of the longer sentence": _thirds(words),
        "novelty of the text": [
            ("up to 0.2", scored.novelty <= 0.2),
            ("0.2 to 0.4", (scored.novelty > 0.2) & (scored.novelty <= 0.4)),
            ("above 0.4", scored.novelty > 0.4),
        ],
    }
    names = list(dict.fromkeys(scored.groups.tolist()))
    if len(names) > 1:
        bands = {"data set": [(name, scored.groups == name) for name in names]} | bands
    rows = [
        "<tr class='head'><th></th><th>pairs</th><th>Pearson's r</th>"
        "<th>mean absolute error</th><th>bias</th></tr>",
        _row("all", scored, np.ones(len(scored.gold), dtype=bool)),
    ]
    for title, parts in bands.items():
        rows.append(f"<tr class='part'><th colspan='5'>{title}</th></tr>")
        rows += [_row(name, scored, mask) for name, mask in parts if mask.any()]
    return f"<table class='slices'>{''.join(rows)}</table>"


def _thirds(values: Any) -> list[tuple[str, Any]]:
    """Return the names and masks of the low, middle and high values."""
    import numpy as np

    low, high = np.quantile(values, [1 / 3, 2 / 3])
    return [
        (f"up to {low:g}", values <= low),
        (f"{low:g} to {high:g}", (values > low) & (values <= high)),
        (f"above {high:g}", values > high),
    ]


def _row(name: str, scored: Scored, mask: Any) -> str:
    import numpy as np

    from skpara.metrics import pearson_score

    gold, predicted = scored.gold[mask], scored.predicted[mask]
    varies = len(gold) >= _FEWEST and np.ptp(gold) > 0 and np.ptp(predicted) > 0
    r = f"{pearson_score(gold, predicted):.3f}" if varies else ""
    error = predicted - gold
    return (
        f"<tr><td>{escape(str(name))}</td><td>{len(gold):,}</td><td>{r}</td>"
        f"<td>{np.abs(error).mean():.2f}</td><td>{error.mean():+.2f}</td></tr>"
    )


def _explanations(scored: Scored, n_errors: int) -> tuple[str, Sequence[str]] | None:
    """Return what moves the scores, and the worst errors; None if that is not known."""
    import numpy as np

    from skpara.explanation import explain

    worst = np.argsort(-np.abs(scored.predicted - scored.gold), kind="stable")[:n_errors]
    every = np.unique(np.linspace(0, len(scored.gold) - 1, _MOST_EXPLAINED).astype(int))
    try:
        explanations = explain(scored.model, scored.pairs[worst])
        sample = explain(scored.model, scored.pairs[every])
    except TypeError:
        return None
    moves: dict[str, float] = {}
    for explanation in sample:
        for title, added, _ in explanation.groups():
            moves[title] = moves.get(title, 0.0) + abs(added) / len(sample)
    rows = "".join(
        f"<tr><td>{escape(title)}</td><td>{move:.2f}</td></tr>"
        for title, move in sorted(moves.items(), key=lambda item: -item[1])
    )
    head = "<tr class='head'><th></th><th>mean absolute contribution</th></tr>"
    errors = [
        f"<div class='quiet'>gold {scored.gold[row]:.2f}, predicted {scored.predicted[row]:.2f}"
        f"</div>{explanation.to_html()}"
        for row, explanation in zip(worst.tolist(), explanations, strict=True)
    ]
    return f"<table class='slices'>{head}{rows}</table>", errors
