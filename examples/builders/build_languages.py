"""Build skpara-languages, a package with word vectors of other languages.

    python examples/builders/build_languages.py --data DATA --out FOLDER
    pip install FOLDER/skpara_languages-*.whl

The package has no code, only the table that ``vectors="multilingual"`` then reads: the packaged
English vectors, and words that ``align_vectors`` has learned from openly licensed bitext:

* Tatoeba (Spanish and French), CC BY 2.0 FR, from manythings.org/anki and tatoeba.org;
* NTREX-128 (each language of the table), CC BY-SA 4.0.

``--bitext NAME.LANG.tsv`` adds a file with an English sentence, a tab and its translation in each
line; LANG is es, fr, de or cs. ``NAME.txt`` beside it says where the text comes from and what its
license is, and becomes part of the package, which is licensed under CC BY-SA 4.0.

Left out are the sentences of evaluation sets in the data folder and their translations. The scores
of these sets are printed, and are in the package with the numbers of pairs. Needs
``setuptools>=77`` and pip, and no network. The same input gives the same file.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np

from skpara import ParagramEncoder, WordVectors, __version__
from skpara._linalg import unit_rows
from skpara.datasets import read_pairs
from skpara.encoders import align_vectors
from skpara.metrics import pearson_score
from skpara.resources._packaged_vectors import english_hash

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

ROOT = Path(__file__).parents[2]
TextPairs = list[tuple[str, str]]
PARTS = ("train", "dev", "test")
PACKAGE = "skpara_languages"
# Of the files in the wheel: 1 January 1980, the earliest that a zip file can express.
DATE = "315532800"


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
# What the package says about its sources. Those of --bitext follow.
ABOUT = {
    "Tatoeba": """\
   Tatoeba, https://tatoeba.org, by way of https://www.manythings.org/anki
   CC BY 2.0 FR, https://creativecommons.org/licenses/by/2.0/fr/
   Attribution: www.manythings.org/anki and tatoeba.org
""",
    "NTREX-128": """\
   NTREX-128 (Federmann and others 2022), https://github.com/MicrosoftTranslator/NTREX
   CC BY-SA 4.0, see LICENSES/CC-BY-SA-4.0.txt
""",
}
NOTICE = """\
skpara-languages
Copyright (c) skpara developers

The word vectors in this package, skpara_languages/multilingual.safetensors, are licensed under
CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/, see LICENSES/CC-BY-SA-4.0.txt.
Whoever passes them on, changed or not, names the sources below and uses this license. The license
is not that of scores or of sentence vectors that are computed with them.

1. Words of {languages}

   They were learned from sentences and their translations. Changed: no text is in the table; it
   has {n_dims} numbers for each word. The sources:

{sources}
2. English words

   The vectors are those that ship with skpara, but for words that other languages have too. What
   follows is from the file NOTICE of skpara.

{english}"""
README = """\
# skpara-languages

Word vectors of {languages}, for [skpara](https://github.com/skpara/skpara).
`vectors="multilingual"` finds them when this package is installed:

```python
from skpara import ParagramEncoder

encoder = ParagramEncoder(vectors="multilingual")
encoder.similarity(["A man plays the guitar."], ["Un homme joue de la guitare."])
```

Pearson's r x 100 of the cosine on STS Benchmark (test part, translated by machine), both sentences
in one language or one of them in English:

| | one language | with English |
|---|---|---|
{scores}

The table extends the English vectors of skpara {version}. It is licensed under CC BY-SA 4.0;
NOTICE names the sources.
"""
PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "skpara-languages"
version = "{version}"
description = "Word vectors of {languages}, for skpara"
readme = "README.md"
requires-python = ">=3.11"
license = "CC-BY-SA-4.0"
license-files = ["NOTICE", "LICENSES/*.txt"]

[tool.setuptools]
packages = ["skpara_languages"]

[tool.setuptools.package-data]
skpara_languages = ["*.json", "*.safetensors"]
"""

# --- bitext -----------------------------------------------------------------------------------


class Bitext(NamedTuple):
    """The usable pairs of a source in one language."""

    language: str
    source: str
    about: str  # authors and license
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


def collect(data: Path, files: Iterable[Path]) -> list[Bitext]:
    """Return the usable bitext of the data folder and of further files, ordered by language."""
    more: dict[str, list[tuple[str, TextPairs]]] = {code: [] for code in LANGUAGES}
    about = dict(ABOUT)
    for path in files:
        name, language, about[name] = described(path)
        more[language].append((name, list(map(tuple, read_pairs(path, header=False).data))))
    # The news alone are too few sentences for a language.
    chosen = [code for code in LANGUAGES if more[code] or LANGUAGES[code].has_tatoeba]
    english = evaluation_hashes(data)
    for language in chosen:
        english |= sentence_hashes(first for first, _ in retrieval_pairs(data, language))
    bitext = []
    for language in chosen:
        translations = evaluated_translations(data, language)
        for source, pairs in [*open_sources(data, language), *more[language]]:
            if pairs:
                kept, n_left_out = usable(pairs, english, translations)
                bitext.append(Bitext(language, source, about[source], kept, n_left_out))
    return bitext


def described(path: Path) -> tuple[str, str, str]:
    """Return the name and the language of a file of bitext, and the text beside it."""
    name, _, language = path.name.removesuffix(".tsv").rpartition(".")
    if path.suffix != ".tsv" or language not in LANGUAGES or not name:
        codes = ", ".join(LANGUAGES)
        raise ValueError(f"{path}: name it NAME.LANG.tsv, where LANG is one of {codes}.")
    about = path.with_name(f"{name}.txt")
    if not about.is_file():
        raise FileNotFoundError(
            f"There is no {about}. Write there where {path.name} comes from, who wrote it, and "
            "what its license is: the package has to say it."
        )
    return name, language, indent(about.read_text("utf8").strip() + "\n", " " * 3)


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


def describe(data: Path, bitext: list[Bitext], table: WordVectors) -> dict[str, Any]:
    """Return what the package says about its languages: sources, numbers of pairs, scores."""
    encoder = ParagramEncoder(vectors=table)
    languages: dict[str, dict[str, Any]] = {
        "en": {
            "name": "English",
            "scores": scores_of(encoder, data, "en"),
            "scores_of_packaged_vectors": scores_of(ParagramEncoder(), data, "en"),
        }
    }
    for code in dict.fromkeys(text.language for text in bitext):
        languages[code] = {
            "name": LANGUAGES[code].name,
            "pairs": {text.source: len(text.pairs) for text in bitext if text.language == code},
            "scores": scores_of(encoder, data, code),
        }
    return {"english_sha256": english_hash(), "skpara": __version__, "languages": languages}


def print_scores(record: dict[str, Any]) -> None:
    """Print the scores of all languages."""
    names = ["dev", "test", "test_with_english", "translations_found"]
    languages = record["languages"]
    alone = languages["en"]["scores_of_packaged_vectors"]
    rows: list[list[Cell]] = [["English, packaged vectors", *map(alone.get, names)]]
    rows += [[lang["name"], *map(lang["scores"].get, names)] for lang in languages.values()]
    print_table(
        "Pearson's r x 100 of the cosine on STS Benchmark, translated by machine, and how many\n"
        "per cent of 1,000 sentences have their translation as the nearest one (LASER's test set)",
        ["language", "dev", "test", "test, with English", "translations found"],
        rows,
        digits=2,
    )


# --- package ----------------------------------------------------------------------------------


def write_package(
    folder: Path, table: WordVectors, record: dict[str, Any], notices: dict[str, str]
) -> None:
    """Write the source tree of the package.

    ``record`` is the result of :func:`describe`, ``notices`` has a text for each source of bitext.
    """
    package, licenses = folder / PACKAGE, folder / "LICENSES"
    for made in (package, licenses):
        made.mkdir(parents=True)
    table.save(package / "multilingual.safetensors")
    (package / "__init__.py").write_text('"""Word vectors for skpara; see NOTICE."""\n', "utf8")
    (package / "languages.json").write_text(json.dumps(record, indent=1) + "\n", "utf8")
    for name in ("CC-BY-SA-4.0.txt", "WordNet-3.0.txt"):
        shutil.copyfile(ROOT / "LICENSES" / name, licenses / name)
    english_name, *others = (lang["name"] for lang in record["languages"].values())
    names = enumeration([english_name, *others])
    # The part about the packaged vectors, up to that about WordNet.
    english = (ROOT / "NOTICE").read_text("utf8").partition("\n1. ")[2].partition("\n2. ")[0]
    scores = [
        f"| {lang['name']} | {cell(lang, 'test')} | {cell(lang, 'test_with_english')} |"
        for lang in record["languages"].values()
    ]
    files = {
        "pyproject.toml": PYPROJECT.format(version=__version__, languages=names),
        "README.md": README.format(version=__version__, languages=names, scores="\n".join(scores)),
        "NOTICE": NOTICE.format(
            languages=enumeration(others),
            n_dims=table.n_dims,
            sources="\n".join(notices.values()),
            english=english.partition("\n\n")[2] + "\n",
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf8")


def enumeration(names: list[str]) -> str:
    """Return names as they stand in a sentence."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def cell(language: dict[str, Any], name: str) -> str:
    """Return a score as text, empty if there is none."""
    score = language["scores"].get(name)
    return "" if score is None else f"{score:.1f}"


def build_wheel(folder: Path, out: Path) -> Path:
    """Build the wheel of a source tree, and return its path."""
    out.mkdir(parents=True, exist_ok=True)
    options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    options += ["--no-build-isolation", "--wheel-dir", str(out)]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(folder)],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": DATE},
    )
    return out / f"{PACKAGE}-{__version__}-py3-none-any.whl"


def main() -> None:
    """Build the package, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--out", type=Path, required=True, help="folder of the wheel")
    parser.add_argument(
        "--bitext", type=Path, nargs="+", default=[], metavar="NAME.LANG.tsv", help="further text"
    )
    args = parser.parse_args()
    bitext = collect(args.data, args.bitext)
    rows: list[list[Cell]] = [
        [LANGUAGES[text.language].name, text.source, len(text.pairs), text.n_left_out]
        for text in bitext
    ]
    print_table("Pairs", ["language", "source", "used", "left out"], rows)
    pairs = [pair for text in bitext for pair in text.pairs]
    table = align_vectors(np.array(pairs, dtype=object))
    record = describe(args.data, bitext, table)
    print_scores(record)
    notices = {text.source: text.about for text in bitext}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "skpara-languages")
        write_package(folder, table, record, notices)
        wheel = build_wheel(folder, args.out)
    print(f"\n{table}; {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
