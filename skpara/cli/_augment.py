"""``skpara augment``: sentences with their paraphrases, by way of other languages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._lines import Lines

__all__ = ["add_command"]

# Sentences between two looks at the progress.
_CHUNK = 1000


def add_command(commands: Any) -> None:
    """Add the subcommand."""
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
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from collections import Counter

    from tqdm import tqdm

    from skpara.augment import PivotParaphraser, TranslationError
    from skpara.augment.filters import LengthFilter, OverlapFilter

    lines = list(Lines(str(arguments.sentences)))
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
