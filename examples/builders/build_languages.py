"""Build the words of other languages that ship with skpara.

    python examples/builders/build_languages.py --data DATA --out languages.safetensors

``vectors="multilingual"`` adds them to the packaged English vectors. ``align_vectors`` learns them
from openly licensed bitext:

* Tatoeba (Spanish and French), CC BY 2.0 FR, from manythings.org/anki and tatoeba.org;
* NTREX-128 (each language of the table), CC BY-SA 4.0.

German and Czech are missing: of these, NTREX-128 has only 1,997 sentences, and the other bitext in
the data folder has no stated license.

Rows are product codes: each is cut into parts of four numbers, and a part is one of 256 that are
learned from the parts of all rows in this place, weighted by the frequency of the words. A row
takes 66 bytes, 260 before. Left out are the sentences of evaluation sets in the data folder and
their translations. Scores are printed with both. The same input gives the same file.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from skpara import ParagramEncoder, WordVectors
from skpara._array_files import pack_words, write_arrays
from skpara._linalg import unit_rows
from skpara.encoders import align_vectors
from skpara.metrics import pearson_score
from skpara.resources import with_codes
from skpara.resources._packaged_vectors import read_product_codes
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
from cross_lingual import fetch_sts_cross_lingual, fetch_translated_benchmark
from evaluation_sentences import (
    evaluation_hashes,
    has_evaluation_sentence,
    read_lines,
    sentence_hash,
    sentence_hashes,
)
from paraphrases import fetch_bitext
from result_tables import Cell, print_table

TextPairs = list[tuple[str, str]]
PARTS = ("train", "dev", "test")
PART_SIZE = 4  # numbers; with 8, r on the dev parts is .01 lower
N_CENTROIDS = 256  # a byte tells them apart


class Language(NamedTuple):
    """A language, and what the data folder has of it."""

    name: str
    code: str  # three letters, in names of files
    has_tatoeba: bool = False
    has_benchmark: bool = True  # STS Benchmark in a translation


LANGUAGES = {
    "es": Language("Spanish", "spa", has_tatoeba=True),
    "fr": Language("French", "fra", has_tatoeba=True),
    "de": Language("German", "deu"),
    "cs": Language("Czech", "ces", has_benchmark=False),
}

# --- bitext -----------------------------------------------------------------------------------


class Bitext(NamedTuple):
    """The usable pairs of a source in one language."""

    language: str
    source: str
    pairs: TextPairs
    n_left_out: int


def open_sources(data: Path, language: str) -> Iterator[tuple[str, TextPairs]]:
    """Yield the names and pairs of a language's openly licensed sources in the data folder."""
    code = LANGUAGES[language].code
    if LANGUAGES[language].has_tatoeba:
        yield "Tatoeba", list(map(tuple, fetch_bitext(f"tatoeba-{code}", data_home=data).data))
    news = data / "bitext" / "ntrex-128"
    files = sorted(news.glob(f"newstest2019-ref*.{code}.txt"))  # Spanish has two translations
    source = lines(news / "newstest2019-src.eng.txt")
    yield "NTREX-128", [pair for file in files for pair in zip(source, lines(file), strict=True)]


def lines(path: Path) -> list[str]:
    """Read sentences, one a line, without the escapes of the Moses tokenizer."""
    if not path.exists():
        return []
    text = [html.unescape(html.unescape(line)).strip() for line in read_lines(path)]
    return [line.replace(" @-@ ", "-") for line in text]


def retrieval_pairs(data: Path, language: str) -> TextPairs:
    """Return the sentences of the LASER test set and their translations."""
    code, folder = LANGUAGES[language].code, data / "bitext" / "tatoeba-laser"
    first, second = (lines(folder / f"tatoeba.{code}-eng.{side}") for side in ("eng", code))
    return [pair for pair in zip(first, second, strict=True) if all(pair)]


def evaluated_translations(data: Path, language: str) -> set[int]:
    """Return the hashes of evaluated sentences that are not English."""
    sentences = [second for _, second in retrieval_pairs(data, language)]
    for part in PARTS if LANGUAGES[language].has_benchmark else ():
        bunch = fetch_translated_benchmark(part, language, data_home=data)
        sentences += bunch.data.ravel().tolist()
    if language == "es":
        sentences += fetch_sts_cross_lingual(data_home=data).data[:, 1].tolist()
    return sentence_hashes(sentences)


def usable(
    pairs: Iterable[tuple[str, str]], english: set[int], translations: set[int]
) -> tuple[TextPairs, int]:
    """Return distinct pairs without evaluated sentences, and how many were left out."""
    distinct = list(dict.fromkeys(pairs))
    kept = [
        (first, second)
        for first, second in distinct
        if first.strip()
        and second.strip()
        and not has_evaluation_sentence(first, english)
        and sentence_hash(second) not in translations
    ]
    return kept, len(distinct) - len(kept)


def collect(data: Path) -> list[Bitext]:
    """Return the usable bitext of the data folder, ordered by language."""
    # The news alone are too few sentences for a language.
    chosen = [code for code in LANGUAGES if LANGUAGES[code].has_tatoeba]
    english = evaluation_hashes(data)
    for language in chosen:
        english |= sentence_hashes(first for first, _ in retrieval_pairs(data, language))
    bitext = []
    for language in chosen:
        translations = evaluated_translations(data, language)
        for source, pairs in open_sources(data, language):
            kept, n_left_out = usable(pairs, english, translations)
            bitext.append(Bitext(language, source, kept, n_left_out))
    return bitext


# --- scores -----------------------------------------------------------------------------------


def benchmark_score(
    encoder: ParagramEncoder, data: Path, part: str, first: str, second: str
) -> float:
    """Return Pearson's r x 100 of the cosine; if languages differ, the mean of both orders."""
    target = fetch_translated_benchmark(part, "en", data_home=data).target
    scores = []
    for a, b in {(first, second), (second, first)}:  # once if they are the same
        left = fetch_translated_benchmark(part, a, data_home=data).data[:, 0]
        right = fetch_translated_benchmark(part, b, data_home=data).data[:, 1]
        cosines = encoder.similarity(left.tolist(), right.tolist())
        scores.append(100 * pearson_score(target, cosines))
    return float(np.mean(scores))


def retrieval_shares(encoder: ParagramEncoder, pairs: TextPairs) -> list[float]:
    """Return how often the nearest sentence is the translation, from English and to English."""
    first, second = (unit_rows(encoder.encode(list(side))) for side in zip(*pairs, strict=True))
    cosines = first @ second.T
    right = np.arange(len(pairs))
    return [float(np.mean(m.argmax(axis=1) == right)) for m in (cosines, cosines.T)]


def scores_of(encoder: ParagramEncoder, data: Path, language: str) -> dict[str, float]:
    """Return the scores of a language, or of "en"."""
    scores = {}
    if language == "en" or LANGUAGES[language].has_benchmark:
        for part in PARTS[1:]:
            scores[part] = benchmark_score(encoder, data, part, language, language)
    if language != "en" and LANGUAGES[language].has_benchmark:
        scores["test_with_english"] = benchmark_score(encoder, data, "test", "en", language)
    if language != "en" and (pairs := retrieval_pairs(data, language)):
        scores["translations_found"] = 100 * float(np.mean(retrieval_shares(encoder, pairs)))
    return {name: round(score, 2) for name, score in scores.items()}


def print_scores(data: Path, tables: dict[str, WordVectors], languages: list[str]) -> None:
    """Print the scores of English by the packaged vectors, and of all languages by each table."""
    names = ["dev", "test", "test_with_english", "translations_found"]
    alone = scores_of(ParagramEncoder(), data, "en")
    rows: list[list[Cell]] = [["English", "packaged", *map(alone.get, names)]]
    for kind, table in tables.items():
        encoder = ParagramEncoder(vectors=table)
        for code in ("en", *languages):
            scores = scores_of(encoder, data, code)
            language = "English" if code == "en" else LANGUAGES[code].name
            rows.append([language, kind, *map(scores.get, names)])
    print_table(
        "Pearson's r x 100 of the cosine on STS Benchmark, translated by machine, and how many\n"
        "per cent of 1,000 sentences have their translation as the nearest one (LASER's test set)",
        ["language", "table", "dev", "test", "test, with English", "translations found"],
        rows,
        digits=2,
    )


# --- file -------------------------------------------------------------------------------------


def differences(table: WordVectors, english: WordVectors) -> NDArray[np.intp]:
    """Return the rows that the English table lacks, or has otherwise."""
    n_english = len(english)
    moved = (table.layers.table[:n_english] != english.layers.table).any(axis=1)
    return np.append(np.flatnonzero(moved), np.arange(n_english, len(table)))


def write_product_codes(
    path: Path, words: list[str], rows: NDArray[np.float32], weights: NDArray[np.float64]
) -> None:
    """Write words and their rows, of which those with a larger weight become more exact."""
    units = unit_rows(rows).astype(np.float32)
    n_centroids = min(N_CENTROIDS, len(words))
    codes, centroids = [], []
    for start in range(0, units.shape[1], PART_SIZE):
        part = np.ascontiguousarray(units[:, start : start + PART_SIZE])
        means = MiniBatchKMeans(n_centroids, batch_size=4096, n_init=1, random_state=0)
        codes.append(means.fit_predict(part, sample_weight=weights).astype(np.uint8))
        centroids.append(means.cluster_centers_.astype(np.float16))
    found = np.stack(codes, axis=1)
    near = np.stack(centroids).astype(np.float32)[np.arange(len(codes)), found]
    lengths = np.linalg.norm(rows, axis=1) / np.linalg.norm(near.reshape(rows.shape), axis=1)
    arrays = {
        "words": pack_words(words),
        "codes": found,
        "centroids": np.stack(centroids),
        "lengths": lengths.astype(np.float16),
    }
    write_arrays(path, arrays, {"format": "skpara.ProductCodes", "version": "1"})


def main() -> None:
    """Write the file, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    args = parser.parse_args()
    bitext = collect(args.data)
    sources: list[list[Cell]] = [
        [LANGUAGES[text.language].name, text.source, len(text.pairs), text.n_left_out]
        for text in bitext
    ]
    print_table("Pairs", ["language", "source", "used", "left out"], sources)
    pairs = [pair for text in bitext for pair in text.pairs]
    english = WordVectors.load()
    table = align_vectors(np.array(pairs, dtype=object), english)
    ids = differences(table, english)
    words = [table.words[i] for i in ids.tolist()]
    counts = Counter(word for _, text in pairs for word in set(tokenize(text)))
    weights = np.sqrt([counts[word] + 1.0 for word in words])
    write_product_codes(args.out, words, table.take(ids), weights)
    packed = with_codes(english, *read_product_codes(args.out))
    print_scores(
        args.data,
        {"8 bits a number": table, "product codes": packed},
        list(dict.fromkeys(text.language for text in bitext)),
    )
    print(f"\n{len(words):,} words, {args.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
