"""``skpara report``: one page about a model on scored pairs."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from skpara.cli._evaluate import Scored, score_gold_pairs
from skpara.cli._explain import page
from skpara.cli._options import add_gold_pairs, check_suffix, positive_int, step
from skpara.cli._tables import write_text

HELP = "write an HTML report that compares a model's scores with gold scores"
DESCRIPTION = (
    "Score pairs with known gold scores, and write one HTML page: correlations, the pairs that "
    "the model scores well and badly, and the reasons for its largest errors. The page needs no "
    "other file and no network."
)
EXAMPLES = """\
  skpara report test.csv --model sts.skpara -o report.html
  skpara report test.csv --model sts.skpara -o report.html --group genre --errors 20
"""
_CSS = Path(__file__).with_name("report.css")
# Correlations of fewer pairs are too uncertain to show.
_MIN_PAIRS = 10


def add_options(parser: argparse.ArgumentParser) -> None:
    add_gold_pairs(parser)
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


def run(arguments: argparse.Namespace) -> None:
    check_suffix(arguments.out, (".html", ".htm"))
    scored = score_gold_pairs(arguments, details=True)
    with step("Explaining"):
        body = "".join(_body(scored, arguments.errors))
    title = f"{Path(scored.model_name).name} on {Path(scored.file_name).name}"
    style = _CSS.read_text("utf-8")
    write_text(arguments.out, page(title, f"<h1>{escape(title)}</h1>{body}", style))
    print(f"Pairs: {len(scored.pairs)}\nReport: {arguments.out}")


def _body(scored: Scored, n_errors: int) -> Iterator[str]:
    yield f"<p class='quiet'>{len(scored.pairs):,} pairs{escape(scored.trained_on)}</p>"
    yield _table(_figures(scored))
    yield _plot(scored)
    head = ["", "pairs", "Pearson's r", "mean absolute error", "bias"]
    yield f"<h2>Slices</h2>{_table([head, *_slices(scored)])}"
    yield f"<h2>The largest errors</h2>{'<hr>'.join(_errors(scored, n_errors))}"


def _table(lines: list[list[str]]) -> str:
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in lines)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in cells) + "</table>"


def _figures(scored: Scored) -> list[list[str]]:
    import numpy as np

    from skpara.metrics import semeval_intervals

    gold, predicted = scored.gold, scored.values[:, 0]
    result = semeval_intervals(gold, predicted, np.zeros(len(gold)), random_state=0)
    rows = [
        [name, f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}"]
        for name, [estimate] in (("Pearson's r", result.pearson), ("Spearman", result.spearman))
    ]
    error = predicted - gold
    rows.append(
        ["mean absolute error", f"{np.abs(error).mean():.2f}", f"{error.mean():+.2f} bias"]
    )
    if scored.values.shape[1] == 4:
        low, high = scored.values[:, 1:3].T
        inside = float(((gold >= low) & (gold <= high)).mean())
        width = float((high - low).mean())
        rows.append(["inside the 90 % interval", f"{inside:.1%}", f"mean width {width:.2f}"])
    return rows


def plot_scores(gold: Any, predicted: Any, groups: Any) -> Any:
    """Plot predicted against gold scores; return None if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    from skpara.plots import SimilarityDisplay

    # pyplot would look for a display, which servers do not have.
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    SimilarityDisplay.from_predictions(gold, predicted, groups=groups, ax=figure.subplots())
    return figure


def _plot(scored: Scored) -> str:
    groups = scored.groups if len(set(scored.groups.tolist())) > 1 else None
    figure = plot_scores(scored.gold, scored.values[:, 0], groups)
    if figure is None:
        return ""
    picture = io.StringIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    svg = picture.getvalue()
    return f"<div class='plot'>{svg[svg.index('<svg') :]}</div>"


def _slices(scored: Scored) -> list[list[str]]:
    """Return rows of a table of errors in parts of the pairs."""
    import numpy as np

    words = np.array([max(map(len, map(str.split, pair))) for pair in scored.pairs.tolist()])
    novelty = scored.values[:, -1]
    slices = [("all", np.ones(len(words), dtype=bool))]
    names = list(dict.fromkeys(scored.groups.tolist()))
    if len(names) > 1:
        slices += [(name, scored.groups == name) for name in names]
    bands = [
        ("gold score", scored.gold, np.quantile(scored.gold, [1 / 3, 2 / 3])),
        ("words of the longer sentence", words, np.quantile(words, [1 / 3, 2 / 3])),
        ("novelty of the text", novelty, (0.2, 0.4)),
    ]
    for title, values, (low, high) in bands:
        slices += [
            (f"{title} up to {low:g}", values <= low),
            (f"{title} {low:g} to {high:g}", (values > low) & (values <= high)),
            (f"{title} above {high:g}", values > high),
        ]
    return [_slice(name, scored, mask) for name, mask in slices if mask.any()]


def _slice(name: str, scored: Scored, mask: Any) -> list[str]:
    import numpy as np

    from skpara.metrics import pearson_score

    gold, predicted = scored.gold[mask], scored.values[mask, 0]
    varies = len(gold) >= _MIN_PAIRS and np.ptp(gold) > 0 and np.ptp(predicted) > 0
    r = f"{pearson_score(gold, predicted):.3f}" if varies else ""
    error = predicted - gold
    return [name, f"{len(gold):,}", r, f"{np.abs(error).mean():.2f}", f"{error.mean():+.2f}"]


def _errors(scored: Scored, n_errors: int) -> Iterator[str]:
    """Yield the explanations of the largest errors, if the model has explanations."""
    import numpy as np

    from skpara.explanation import explain

    predicted = scored.values[:, 0]
    worst = np.argsort(-np.abs(predicted - scored.gold), kind="stable")[:n_errors]
    try:
        explanations = explain(scored.model, scored.pairs[worst])
    except TypeError:
        yield "This kind of model has no explanations."
        return
    for row, explanation in zip(worst.tolist(), explanations, strict=True):
        scores = f"gold {scored.gold[row]:.2f}, predicted {predicted[row]:.2f}"
        yield f"<p class='quiet'>{scores}</p>{explanation.to_html()}"
