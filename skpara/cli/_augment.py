"""``skpara augment``: paraphrases of sentences, translated to other languages and back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skpara._files import replace_file
from skpara.cli._options import new_command
from skpara.cli._summary import add_json_option, print_summary

_CHUNK = 1000  # sentences between two updates of the progress bar

_CONTINUE = "The translations so far are saved: run the command again to continue."


_EXAMPLES = """\
  skpara augment sentences.txt -o paraphrases.tsv
  skpara augment sentences.txt -o paraphrases.tsv --pivot es --pivot fr --most-different
"""


def add_command(commands: Any) -> None:
    parser = new_command(
        commands,
        "augment",
        help="paraphrase sentences by translating them to another language and back",
        description="Translate sentences to other languages and back with Apertium, and write "
        "each sentence with its paraphrases to a TSV file of two columns. Run the same command "
        "again to continue after an interruption.",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "sentences",
        type=Path,
        metavar="FILE",
        help="file with one sentence per line, UTF-8; - is standard input",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", required=True, help="output file, TSV"
    )
    parser.add_argument(
        "--pivot",
        action="append",
        metavar="LANGUAGE",
        help="language to translate to, such as es; may be repeated (default: es)",
    )
    parser.add_argument(
        "--language", metavar="LANGUAGE", default="en", help="of the sentences (default: en)"
    )
    parser.add_argument(
        "--most-different",
        action="store_true",
        help="keep only the paraphrase that shares the fewest words with its sentence",
    )
    parser.add_argument(
        "--length",
        nargs=2,
        type=int,
        metavar=("MIN", "MAX"),
        help="keep only paraphrases with this number of words and punctuation marks",
    )
    parser.add_argument(
        "--overlap",
        nargs=2,
        type=float,
        metavar=("MIN", "MAX"),
        help="keep only pairs that share this fraction of their words, 0 to 1",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FILE",
        help="file for the translations (default: beside the output, and deleted at the end)",
    )
    add_json_option(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from collections import Counter

    from tqdm import tqdm

    from skpara.augment import PivotParaphraser, TranslationError
    from skpara.augment.filters import LengthFilter, OverlapFilter
    from skpara.datasets import read_sentences

    lines = read_sentences(arguments.sentences)
    sentences = list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))
    beside = arguments.out.with_name(arguments.out.name + ".translations")
    bounds = [(LengthFilter, arguments.length), (OverlapFilter, arguments.overlap)]
    filters = [cls(lower=limits[0], upper=limits[1]) for cls, limits in bounds if limits]
    paraphraser = PivotParaphraser(
        arguments.pivot or ["es"],
        language=arguments.language,
        filters=filters,
        keep="most_different" if arguments.most_different else "all",
        cache=arguments.cache or beside,
    )
    paraphraser.translators()  # a missing language is an error before the work begins
    pairs: list[tuple[str, str]] = []
    dropped: Counter[str] = Counter()
    try:
        with tqdm(total=len(sentences), unit=" sentences", desc="Translating") as progress:
            for start in range(0, len(sentences), _CHUNK):
                chunk = sentences[start : start + _CHUNK]
                paraphrases = paraphraser.paraphrase(chunk)
                pairs += map(tuple, paraphrases.pairs.tolist())
                dropped.update(paraphrases.dropped)
                progress.update(len(chunk))
    except TranslationError as error:
        raise TranslationError(f"{str(error).rstrip('.')}. {_CONTINUE}") from error
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f". {_CONTINUE}") from None
    text = "".join(f"{sentence}\t{paraphrase}\n" for sentence, paraphrase in pairs)
    replace_file(arguments.out, lambda path: path.write_text(text, "utf-8"))
    if arguments.cache is None:
        for ending in ("", "-wal", "-shm"):  # the files of an SQLite database
            beside.with_name(beside.name + ending).unlink(missing_ok=True)
    report = [f"{len(lines)} lines, {len(sentences)} distinct sentences, {len(pairs)} pairs"]
    reasons = {
        "empty": "with an empty translation",
        "copy": "the same as the sentence",
        "again": "the same as by another language",
        "less different": "less different than another one",
        "LengthFilter": "too short or too long",
        "OverlapFilter": "sharing too few or too many words with the sentence",
    }
    for reason, number in dropped.items():
        if number:
            report.append(f"  {number} dropped: {reasons.get(reason, reason)}")
    report.append(f"Pairs: {arguments.out}")
    facts: dict[str, Any] = {"lines": len(lines), "sentences": len(sentences)}
    facts |= {"pairs": len(pairs), "dropped": {reason: n for reason, n in dropped.items() if n}}
    print_summary(arguments, facts | {"out": arguments.out}, report)
    return 0
