"""Hashes of the sentences of evaluation sets, so that training text can leave them out.

    python examples/builders/evaluation_sentences.py --data DATA --out HASHES

writes a file with one hash for each distinct sentence of the evaluation sets in the data folder.
It contains no text, so it can be passed on where the sets themselves cannot. The scripts that
build word vectors read it and leave these sentences out of what they learn from.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from skpara.datasets import fetch_sick, fetch_sts, fetch_sts_benchmark
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
from paraphrases import fetch_paraphrases

YEARS = (2012, 2013, 2014, 2015, 2016)
# Sets of paraphrases whose test part is left out; their other parts are for training.
TEST_PARTS = ("msrp", "quora", "twitter-url", "asset")
# A gloss of WordNet often joins several definitions, and an evaluated sentence can be one of them.
_CLAUSE = re.compile(r"[;()]")


def sentence_hash(sentence: str) -> int:
    """Return a hash of the words of a sentence, whatever their case and punctuation."""
    words = " ".join(token for token in tokenize(sentence) if token[0].isalnum())
    # With 8 bytes, two of a million different sentences share a hash once in 37 million times.
    return int.from_bytes(blake2b(words.encode("utf8"), digest_size=8).digest(), "big")


def sentence_hashes(sentences: Iterable[str]) -> set[int]:
    """Return the hashes of sentences; those without words have none."""
    return {sentence_hash(sentence) for sentence in sentences} - {sentence_hash("")}


def evaluation_hashes(data: Path) -> set[int]:
    """Return the hashes of all sentences of the evaluation sets in the data folder.

    These are STS 2012-2016 with their unscored pairs, STS Benchmark, SICK, SNLI's dev part, the
    English sentences of the cross-lingual pairs, and the test parts of the paraphrase sets.
    """
    bunches = [
        fetch_sts(YEARS, split="all", include_unscored=True, data_home=data),
        *(fetch_sts_benchmark(part, data_home=data) for part in ("train", "dev", "test")),
        *(fetch_sick(part, data_home=data) for part in ("train", "trial")),
        *(fetch_paraphrases(name, subset="test", data_home=data) for name in TEST_PARTS),
    ]
    sentences = [sentence for bunch in bunches for sentence in bunch.data.ravel()]
    cross_lingual = data / "STS" / "STS-en-es-train" / "STS.input.en-es.train.txt"
    sentences += [line.split("\t")[0] for line in read_lines(cross_lingual)]
    for side in ("s1", "s2"):
        sentences += read_lines(data / "nli" / "snli" / f"{side}.dev")
    return sentence_hashes(sentences)


def read_hashes(path: Path) -> set[int]:
    """Read a file of hashes, one in each line, in hexadecimal digits."""
    return {int(line, 16) for line in path.read_text("ascii").split()}


def has_evaluation_sentence(piece: str, hashes: set[int]) -> bool:
    """Return whether a piece of text, or a clause of it, is an evaluated sentence."""
    clauses = _CLAUSE.split(piece)
    if len(clauses) > 1:
        clauses.append(piece)
    return any(sentence_hash(clause) in hashes for clause in clauses)


def without_evaluation_sentences(pieces: Iterable[str], hashes: set[int]) -> list[str]:
    """Return the pieces that are no evaluated sentence and have none as a clause."""
    return [piece for piece in pieces if not has_evaluation_sentence(piece, hashes)]


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text, split at line feeds only."""
    return path.read_text("utf8").split("\n")


def main() -> None:
    """Write the hashes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--out", type=Path, required=True, help="file of hashes to write")
    args = parser.parse_args()
    hashes = sorted(evaluation_hashes(args.data))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text("".join(f"{value:016x}\n" for value in hashes), "ascii")
    print(f"{args.out.name}: {len(hashes):,} hashes")


if __name__ == "__main__":
    main()
