"""The ``skpara`` command.

A subcommand is a function that adds its own parser and names the function that runs it; to add
one, write the pair and list the first in ``_COMMANDS``. Results go to standard output, progress
and problems to standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._version import __version__

if TYPE_CHECKING:
    from skpara._demo import DemoSplit

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; those of the process when None.

    Returns
    -------
    int
        0 when all went well, 1 when something was wrong with data or files. Wrong arguments end
        the process with 2, as argparse does.
    """
    parser = argparse.ArgumentParser(
        prog="skpara", description="Score how alike two sentences are, inside scikit-learn."
    )
    parser.add_argument("--version", action="version", version=f"skpara {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add_command in _COMMANDS:
        add_command(commands)
    arguments = parser.parse_args(argv)
    if hasattr(sys.stdout, "reconfigure"):  # a sentence may hold signs the terminal cannot show
        sys.stdout.reconfigure(errors="replace")
    try:
        return int(arguments.run(arguments))
    except (OSError, ValueError) as error:
        print(f"skpara: {error}", file=sys.stderr)
        return 1


def _add_demo(commands: Any) -> None:
    parser = commands.add_parser(
        "demo",
        help="train a model on sample pairs, score held-out ones, save it",
        description="Train the whole scoring system on sample pairs, score pairs that it has not "
        "seen, and save the model and a plot. Takes less than a minute and needs no network.",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="a data folder that holds the SemEval STS years; default: $SKPARA_DATA where it "
        "holds them, else the sample that ships with the package",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        default=Path("skpara-demo"),
        help="where the model and the plot go (default: ./skpara-demo)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="seed of everything random (default: 0)"
    )
    parser.set_defaults(run=_run_demo)


def _add_augment(commands: Any) -> None:
    parser = commands.add_parser(
        "augment",
        help="paraphrase sentences by translating them there and back",
        description="Translate sentences into other languages and back with Apertium, and write "
        "each with its paraphrases to a file of two columns. Stopped, it goes on where it was "
        "when it is run again.",
    )
    parser.add_argument(
        "sentences",
        type=Path,
        metavar="FILE",
        help="one sentence a line, UTF-8; - is standard input",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", required=True, help="the pairs, tab between them"
    )
    parser.add_argument(
        "--pivot",
        action="append",
        metavar="LANGUAGE",
        help="a language to go through, such as es; may be given again (default: es)",
    )
    parser.add_argument(
        "--language", metavar="LANGUAGE", default="en", help="of the sentences (default: en)"
    )
    parser.add_argument(
        "--most-different",
        action="store_true",
        help="keep of each sentence the paraphrase that shares fewest words with it",
    )
    parser.add_argument(
        "--length",
        nargs=2,
        type=int,
        metavar=("LEAST", "MOST"),
        help="keep paraphrases of so many words and marks",
    )
    parser.add_argument(
        "--overlap",
        nargs=2,
        type=float,
        metavar=("LEAST", "MOST"),
        help="keep pairs of which so large a part of the words is in both, 0 to 1",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FILE",
        help="where translations are kept (default: beside the pairs, and deleted at the end)",
    )
    parser.set_defaults(run=_run_augment)


_COMMANDS: tuple[Callable[[Any], None], ...] = (_add_demo, _add_augment)
# Sentences between two looks at the progress.
_CHUNK = 1000


def _run_augment(arguments: argparse.Namespace) -> int:
    from collections import Counter

    from tqdm import tqdm

    from skpara._demo import replace_file
    from skpara.augment import PivotParaphraser, TranslationError
    from skpara.augment.filters import LengthFilter, OverlapFilter

    lines = _read_lines(arguments.sentences)
    sentences = list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))
    beside = arguments.out.with_name(arguments.out.name + ".translations")
    filters: list[Any] = []
    if arguments.length:
        filters.append(LengthFilter(*arguments.length))
    if arguments.overlap:
        least, most = arguments.overlap
        filters.append(OverlapFilter(lower=least, upper=most))
    paraphraser = PivotParaphraser(
        arguments.pivot or ["es"],
        language=arguments.language,
        filters=filters,
        keep="most_different" if arguments.most_different else "all",
        cache=arguments.cache or beside,
    )
    paraphraser.translators()  # what is missing is said before the work begins
    pairs: list[tuple[str, str]] = []
    dropped: Counter[str] = Counter()
    try:
        with tqdm(total=len(sentences), unit=" sentences", desc="Translating") as progress:
            for start in range(0, len(sentences), _CHUNK):
                chunk = sentences[start : start + _CHUNK]
                found = paraphraser.paraphrase(chunk)
                pairs += map(tuple, found.pairs.tolist())
                dropped.update(found.dropped)
                progress.update(len(chunk))
    except (TranslationError, KeyboardInterrupt) as problem:
        what = str(problem) or "interrupted"
        print(
            f"skpara: {what}. What is translated is kept: run it again to go on.", file=sys.stderr
        )
        return 1
    text = "".join(f"{sentence}\t{other}\n" for sentence, other in pairs)
    replace_file(arguments.out, lambda path: path.write_text(text, "utf-8"))
    if arguments.cache is None:
        for ending in ("", "-wal", "-shm"):
            beside.with_name(beside.name + ending).unlink(missing_ok=True)
    print(f"{len(lines)} lines, {len(sentences)} distinct sentences, {len(pairs)} pairs")
    reasons = {
        "empty": "translated to nothing",
        "copy": "came back as they were",
        "again": "came back as by another language",
        "less different": "less different than another",
        "LengthFilter": "too short or too long",
        "OverlapFilter": "with too few words of the sentence, or too many",
    }
    for reason, number in dropped.items():
        if number:
            print(f"  {number} dropped: {reasons.get(reason, reason)}")
    print(f"Pairs: {arguments.out}")
    return 0


def _read_lines(path: Path) -> list[str]:
    if str(path) == "-":
        return sys.stdin.read().splitlines()
    try:
        return path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{path}, line {line}, is not UTF-8; convert the file, for example with iconv."
        ) from None


def _run_demo(arguments: argparse.Namespace) -> int:
    import joblib

    from skpara import make_sts_pipeline
    from skpara._demo import example_rows, replace_file
    from skpara.metrics import pearson_score, semeval_report
    from skpara.plots import feature_importances

    with _step("Reading pairs"):
        split = _read_pairs(arguments.data, arguments.seed)
    print(f"Data: {split.title}")
    print(f"  {len(split.train)} pairs to learn from, {len(split.test)} held out")

    model = make_sts_pipeline(random_state=arguments.seed)
    with _step(f"Training on {len(split.train)} pairs"):
        model.fit(split.train, split.train_scores)
    with _step(f"Scoring {len(split.test)} held-out pairs"):
        predicted = model.predict(split.test)

    report = semeval_report(split.test_scores, predicted, split.test_groups)
    width = max(map(len, report.groups))
    print(f"\nHeld-out Pearson's r: {pearson_score(split.test_scores, predicted):.3f}")
    for group, score, size in zip(report.groups, report.pearson, report.n_pairs, strict=True):
        print(f"  {group:<{width}}  {score:.3f}  ({size} pairs)")
    print(f"  mean of these, weighted by size as at SemEval: {report.mean_over_pairs:.3f}")

    print("\nThe ten strongest features")
    names, importances = feature_importances(model)
    order = (-importances).argsort(kind="stable")[:10]
    for line in _bars([str(name) for name in names[order]], importances[order].tolist()):
        print(f"  {line}")

    print("\nThree held-out pairs")
    for row in example_rows(split.test_scores):
        left, right = split.test[row]
        print(f"  gold {split.test_scores[row]:.1f}, predicted {predicted[row]:.1f}")
        print(f"    {left}\n    {right}")

    with _step("Saving"):
        saved = replace_file(arguments.out / "sts.joblib", lambda path: joblib.dump(model, path))
        plot = _save_plot(arguments.out / "gold-against-predicted.png", split, predicted)
    print(f"\nModel: {saved}")
    print(f"Plot: {plot or 'not drawn, as matplotlib is missing: pip install skpara[plot]'}")
    print("\nUse it:")
    print("  import joblib")
    print(f"  model = joblib.load({str(saved)!r})")
    print('  model.predict([("A man plays a guitar.", "Someone is playing music.")])')
    return 0


def _read_pairs(data: Path | None, seed: int) -> DemoSplit:
    """The STS years where they are, else the sample."""
    from skpara._demo import split_sample, split_sts

    if data is not None:  # asked for by name: a missing file is the user's to hear about
        return split_sts(data)
    if os.environ.get("SKPARA_DATA"):
        try:
            return split_sts(None)
        except FileNotFoundError:
            print("$SKPARA_DATA does not hold STS 2012 to 2016: the sample it is", file=sys.stderr)
    return split_sample(seed)


def _save_plot(path: Path, split: DemoSplit, predicted: Any) -> Path | None:
    """Draw gold against predicted; None where matplotlib is missing."""
    from skpara._demo import replace_file
    from skpara.plots import SimilarityDisplay

    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    # a Figure of its own draws to a file on any machine; pyplot would look for a screen
    figure = Figure(figsize=(7.6, 5.2), layout="constrained")
    SimilarityDisplay.from_predictions(
        split.test_scores, predicted, groups=split.test_groups, ax=figure.subplots()
    )
    return replace_file(path, lambda unfinished: figure.savefig(unfinished, dpi=150))


def _bars(names: Sequence[str], values: Sequence[float], length: int = 30) -> Iterator[str]:
    """One line of text a value: name, bar, number."""
    if not names:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    block = "█" if encoding.lower().replace("-", "") == "utf8" else "#"
    width = max(map(len, names))
    longest = max(max(values), 1e-12)
    for name, value in zip(names, values, strict=True):
        bar = block * max(1, round(length * value / longest))
        yield f"{name:<{width}}  {bar:<{length}}  {value:.3f}"


@contextmanager
def _step(what: str) -> Iterator[None]:
    """Say on standard error what is being done, and how long it took."""
    print(f"{what} ...", end=" ", file=sys.stderr, flush=True)
    started = time.perf_counter()
    try:
        yield
    except BaseException:
        print("failed", file=sys.stderr, flush=True)
        raise
    print(f"{time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
