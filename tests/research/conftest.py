"""A folder in the layout of the data folder, with made-up sentences."""

from __future__ import annotations

import gzip
import importlib
import sys
import zipfile
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

from skpara import WordVectors
from skpara.datasets._sts import sts_tasks

EXAMPLES = Path(__file__).parents[2] / "examples"
BUILDERS = EXAMPLES / "builders"

ADJECTIVES = "big small old young red green happy tired quiet loud warm cold".split()
NOUNS = "dog cat man woman child bird car house tree river book guitar city team horse".split()
VERBS = "sees likes follows finds passes hears paints draws leaves meets".split()
FILLERS = "near behind above under beside before after without".split()
WORDS = [*ADJECTIVES, *NOUNS, *VERBS]
SPANISH = [
    "El perro corre en la calle.",
    "La mujer toca la guitarra.",
    "El gato duerme en la casa.",
    "Un hombre lee un libro.",
    "Los niños juegan en el parque.",
]
# Rows by which the first line of the table is short. That of the real file is one short.
MISSING_ROWS = 1
PER_SET = 12  # pairs of each STS set
BENCHMARK = {"train": 60, "dev": 24, "test": 24}
GENRES = ("main-captions", "main-news", "main-forums")


class Writer:
    """Make sentences up, and write files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rng = np.random.default_rng(0)

    def sentence(self, n_words: int | None = None) -> str:
        n = int(self.rng.integers(3, 28)) if n_words is None else n_words
        pools = (["the"], ADJECTIVES, NOUNS, VERBS, ["a"], NOUNS, FILLERS)
        return " ".join(self.rng.choice(pools[i % len(pools)]) for i in range(n)) + " ."

    def changed(self, sentence: str, share: float) -> str:
        """Replace a share of the words."""
        return " ".join(
            self.rng.choice(WORDS) if self.rng.random() < share and word != "." else word
            for word in sentence.split()
        )

    def pairs(self, n: int) -> list[tuple[str, str, float]]:
        """Return pairs with scores; the more words are shared, the higher."""
        rows = []
        for i in range(n):
            first, distance = self.sentence(), (i % 6) / 5
            rows.append((first, self.changed(first, distance), round(5 * (1 - distance), 1)))
        return rows

    def paraphrases(self, n: int) -> list[tuple[str, str]]:
        return [(s, self.changed(s, 0.3)) for s in (self.sentence() for _ in range(n))]

    def lines(self, name: str, lines: list[str]) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = ("\n".join(lines) + "\n").encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

    def rows(self, name: str, rows: list[tuple]) -> None:
        self.lines(name, ["\t".join(map(str, row)) for row in rows])


def write_sts(out: Writer) -> None:
    written = []
    for task in sts_tasks():
        for name in task.sets if task.year < 2017 else ():
            rows = out.pairs(PER_SET)
            written += [(task, name, row) for row in rows]
            out.rows(f"{task.source.folder}/STS.input.{name}.txt", [row[:2] for row in rows])
            # The last pair of a set was not scored.
            scores = [str(row[2]) for row in rows[:-1]] + [""]
            out.lines(f"{task.source.folder}/STS.gs.{name}.txt", scores)
    order = out.rng.permutation(len(written))
    for part, n in BENCHMARK.items():
        chosen, order = order[:n], order[n:]
        rows = []
        for i, k in enumerate(chosen):
            task, name, (first, second, score) = written[k]
            year = f"{task.year}{task.split if task.year == 2012 else ''}"
            rows.append((GENRES[i % 3], name, year, f"{i:04d}", score, first, second))
        out.rows(f"STS/STSBenchmark/sts-{part}.csv", rows)
        spanish = [f"{SPANISH[i % 5]},{SPANISH[i % 4]},{row[4]}" for i, row in enumerate(rows)]
        for language in ("es", "fr", "de"):  # the benchmarks of speed read all three
            out.lines(f"stsb-multi-mt/stsb-{language}-{part}.csv", spanish)
    for language in ("spa", "deu", "fra"):
        laser = f"bitext/tatoeba-laser/tatoeba.{language}-eng"
        out.lines(f"{laser}.{language}", SPANISH)
        out.lines(f"{laser}.eng", [out.sentence() for _ in SPANISH])
    english = out.pairs(PER_SET)
    rows = [(row[0], SPANISH[i % 5], "note", "note") for i, row in enumerate(english)]
    out.rows("STS/STS-en-es-train/STS.input.en-es.train.txt", rows)
    scores = [str(row[2]) for row in english]
    out.lines("STS/STS-en-es-train/STS.input.en-es.train_scores.txt", scores)


def write_judged_pairs(out: Writer) -> None:
    labels = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
    header = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment")
    for part in ("train", "trial"):
        rows = [
            (i, a, b, round(1 + 0.8 * score, 1), labels[i % 3])
            for i, (a, b, score) in enumerate(out.pairs(30))
        ]
        out.rows(f"SICK/SICK_{part}.txt", [header, *rows])
    for part in ("train", "test"):
        rows = [(int(s > 2), i, i, a, b) for i, (a, b, s) in enumerate(out.pairs(30))]
        header = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
        out.rows(f"paraphrase/msrp/msr_paraphrase_{part}.txt", [header, *rows])
        first, second, scores = zip(*out.pairs(60), strict=True)
        folder = f"paraphrase/twitter-url/{part}"
        out.lines(f"{folder}/a.toks", list(first))
        out.lines(f"{folder}/b.toks", list(second))
        out.lines(f"{folder}/sim.txt", [str(int(score > 2)) for score in scores])
    for part in ("dev", "test"):
        rows = [(a, b, int(score > 2)) for a, b, score in out.pairs(200)]
        out.rows(f"paraphrase/quora/{part}.txt", rows)
    first, second, _ = zip(*out.pairs(30), strict=True)
    out.lines("nli/snli/s1.dev", list(first))
    out.lines("nli/snli/s2.dev", list(second))
    kinds = ("entailment", "neutral", "contradiction")
    out.lines("nli/snli/labels.dev", [kinds[i % 3] for i in range(30)])


def write_paraphrases(out: Writer) -> None:
    images = [[out.sentence() for _ in range(5)] for _ in range(360)]
    for part in ("train", "val"):
        for k in range(5):
            name = f"paraphrase/multi30k-captions/{part}.{k + 1}.en.gz"
            out.lines(name, [captions[k] for captions in images])
    rows = [(f"{i}.jpg#{k}", out.sentence()) for i in range(130) for k in range(5)]
    out.rows("paraphrase/flickr8k/Flickr8k.token.txt", rows)
    for part in ("valid", "test"):
        originals = [out.sentence() for _ in range(60)]
        out.lines(f"paraphrase/asset/asset.{part}.orig", originals)
        for k in range(10):
            simple = [out.changed(sentence, 0.2) for sentence in originals]
            out.lines(f"paraphrase/asset/asset.{part}.simp.{k}", simple)
    pairs = out.paraphrases(60)
    rows = [(a, f"{b} <::::> {a}") for a, b in pairs]
    out.rows("paraphrase/wikisplit/validation.tsv", rows)
    for stem in ("wiki.full.aner.ori.valid", "PWKP_108016.tag.80.aner.ori.valid"):
        first, second = zip(*out.paraphrases(40), strict=True)
        out.lines(f"paraphrase/simple-wikipedia/{stem}.src", list(first))
        out.lines(f"paraphrase/simple-wikipedia/{stem}.dst", list(second))
    words = [(a, b) for a in WORDS for b in WORDS if a < b]
    out.rows("paraphrase/ppdb-xxxl-lexical.txt", words)
    out.lines("paraphrase/ppdb-xl-lexicon.txt", [" ".join(pair) for pair in words])
    out.lines("paraphrase/ppdb-antonyms.txt", [" ".join(pair) for pair in words[:9]])


def write_bitext(out: Writer) -> None:
    folder = out.folder / "bitext" / "tatoeba"
    folder.mkdir(parents=True)
    for archive, member in (("fra-eng.zip", "fra.txt"), ("spa-eng.zip", "spa-eng/spa.txt")):
        # Two English sentences for each translation.
        rows = [f"{out.sentence()}\t{SPANISH[i // 2 % 5]} {i // 2}" for i in range(480)]
        with zipfile.ZipFile(folder / archive, "w") as zipped:
            zipped.writestr(member, "\n".join(rows) + "\n")
    out.lines("bitext/ntrex-128/newstest2019-src.eng.txt", [out.sentence() for _ in range(20)])
    for language in ("en", "de", "fr", "cs"):
        out.lines(f"bitext/multi30k/train.{language}.gz", [out.sentence() for _ in range(20)])


def write_words(out: Writer) -> None:
    for name in run_path(str(EXAMPLES / "papers" / "_data.py"))["WORD_SIMILARITY"]:
        rows = [(*out.rng.choice(WORDS, 2, replace=False), i / 2) for i in range(10)]
        out.rows(f"word-sim/EN-{name}.txt", rows)
    synsets = [  # each is a kind of the one before
        f"{i:08d} 03 n 02 {word} 0 {WORDS[-i]} 0 001 @ {max(i - 1, 0):08d} n 0000 | a {word} of it"
        for i, word in enumerate(WORDS)
    ]
    for part in ("noun", "verb", "adj", "adv"):
        out.lines(f"wordnet/data.{part}", synsets if part == "noun" else [])
    counts = [f"{word} {1000 - i}" for i, word in enumerate(["the", "a", *FILLERS, *WORDS])]
    out.lines("frequencies/enwiki_vocab_min200.txt", counts)
    words = ["the", "a", ".", *FILLERS, *WORDS]
    matrix = out.rng.standard_normal((len(words), 50))
    rows = [
        " ".join([word, *map("{:.3f}".format, row)])
        for word, row in zip(words, matrix, strict=True)
    ]
    out.lines("vectors/glove50_4k.txt", [f"{len(words) - MISSING_ROWS} 50", *rows])


def write_tables(out: Writer) -> None:
    def csv(name: str, rows: list[str]) -> None:
        out.lines(name, [rows[0], *(f"{i},{row}" for i, row in enumerate(rows[1:]))])

    for task in "ABCDEF":
        names = [out.sentence(3).title() for _ in range(20)]
        csv(f"fuzzy-join/{task}/left.csv", ["id,title", *names])
        csv(f"fuzzy-join/{task}/right.csv", ["id,title", *(x.replace("The ", "") for x in names)])
        out.lines(f"fuzzy-join/{task}/gt.csv", ["id_l,id_r", *(f"{i},{i}" for i in range(20))])
    persons = [f"{out.sentence(2)[4:-2]},{i * 7919} {out.sentence(2)}" for i in range(40)]
    for guide in ("zagats", "fodors"):
        csv(f"records/restaurants/{guide}.csv", ["id,name,phone", *persons])
    numbers = ["id,id", *(f"{i},{i}" for i in range(40))]
    out.lines("records/restaurants/matches_fodors_zagats.csv", numbers)
    for i in (1, 2, 3):
        both = [f"rec-{j}-{kind}, {x}" for kind in ("org", "dup-0") for j, x in enumerate(persons)]
        out.lines(f"records/febrl/dataset{i}.csv", ["rec_id, name, address", *both])


@pytest.fixture(scope="session")
def tiny_data(tmp_path_factory) -> Path:
    """A data folder that is complete, and small enough to train on in a second."""
    folder = tmp_path_factory.mktemp("tiny data")
    out = Writer(folder)
    for write in (
        write_sts,
        write_judged_pairs,
        write_paraphrases,
        write_bitext,
        write_words,
        write_tables,
    ):
        write(out)
    with pytest.warns(UserWarning, match="announces"):
        assert len(WordVectors.load(folder / "vectors" / "glove50_4k.txt")) > len(WORDS)
    return folder


@pytest.fixture
def load(monkeypatch):
    """A function that imports a script of examples/builders, until the test ends."""
    monkeypatch.syspath_prepend(str(BUILDERS))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if (BUILDERS / f"{name}.py").exists():
            del sys.modules[name]
