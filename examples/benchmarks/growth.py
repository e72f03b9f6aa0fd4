"""How time grows with the number of pairs and with the length of sentences, up to hostile ones.

    python examples/benchmarks/growth.py --data DATA [--plot FILE.svg]
    python examples/benchmarks/growth.py --table docs/results/speed-growth.txt --plot FILE.svg

An exponent is the slope of log time over log size: 1 is linear growth, 2 quadratic. By words it is
that between the last two sizes. By pairs it is that between the last size and a hundredth of it,
which halves the effect of other work on the machine. A size is left out if, after the growth so
far, it would take more than ``--budget`` seconds of CPU time.

pairs     drawn from STS 2012-2015 and pairs of captions; *memory alone* fills an array as large as
          the result of encode, whose pages the operating system clears first; *encode into an
          array* has one that was filled before
words     words of each sentence: 100 sentences for encoding, else 4 pairs of mixed STS text
families  each group of features on 4 pairs of each kind of hostile text: distinct words that have
          no vector, one word repeated, letters with ten combining marks, emoji of several
          characters, numbers
longest   one pair of 5,000 words each in a new process: time, and memory that is added
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from measure import Measurement, parse, parser, run_child, show, take_turns, write
from paraphrases import fetch_paraphrases
from result_tables import print_table
from texts import YEARS, mixed

from skpara import LexicalFeatures, ParagramEncoder, make_sts_pipeline
from skpara.datasets import fetch_sts, load_sts_sample

FAMILIES = (
    *("numbers", "case", "stocks", "word_ngrams", "char_ngrams", "weighted_match"),
    *("word_overlap", "lengths", "counts", "vectors", "alignment", "strings", "quantities"),
    *("function_words", "lemmas", "wordnet", "tagged_vectors", "word_alignment"),
)
HOSTILE: dict[str, Callable[[int], str]] = {
    "unknown": lambda i: f"w{'abcdefghij'[i % 10]}q{i}z".translate(
        str.maketrans("0123456789", "qxzvkjwyhf")
    ),
    "repeated": lambda i: "dog",
    "marks": lambda i: "aeiou"[i % 5] + "".join(map(chr, range(0x300 + i % 9, 0x30A + i % 9))),
    "emoji": lambda i: "👩🏽‍🚀" if i % 2 else "👨‍👩‍👧",
    "digits": lambda i: f"{i * 7919 % 99991:,}.{i % 100}",
}
LONGEST = """
import sys, time
from measure import start_memory
from growth import hostile
from skpara import LexicalFeatures
features = LexicalFeatures().fit([("A dog runs.", "Dogs run.")])
features.transform([("A dog runs.", "Dogs run.")])
pair, before, start = hostile(sys.argv[1], 5000, 1), start_memory(), time.process_time()
features.transform(pair)
result = {"seconds": time.process_time() - start, "before": before}
"""


def hostile(kind: str, n_words: int, n_pairs: int) -> np.ndarray:
    """Return pairs of sentences with so many words; the second is the first turned."""
    rows = []
    for k in range(n_pairs):
        words = [HOSTILE[kind](i + k) for i in range(n_words)]
        rows.append([" ".join(words), " ".join(words[n_words // 3 :] + words[: n_words // 3])])
    return np.array(rows, dtype=object)


class Growth:
    """Seconds of one piece of work by size."""

    def __init__(
        self,
        name: str,
        work: Callable[[Any], object],
        inputs: Callable[[int], Any],
        span: int = 10,
    ) -> None:
        self.name, self.work, self.inputs, self.span = name, work, inputs, span
        self.seconds: dict[int, float] = {}

    def measure(self, sizes: Sequence[int], budget: float) -> None:
        """Measure one size after the other, while the next one fits into the budget."""
        self.work(self.inputs(sizes[0]))
        for size in sizes:
            last = [(n, s) for n, s in self.seconds.items()][-2:]
            if last:
                slope = max(1.0, self.exponent if len(last) > 1 else 1.0)
                if last[-1][1] * (size / last[-1][0]) ** slope > budget:
                    break
            x = self.inputs(size)
            times = take_turns({"": lambda _, x=x: self.work(x)}, 5, budget=budget / 20)[""]
            self.seconds[size] = float(np.median(times))

    @property
    def exponent(self) -> float:
        """The slope between the last size and the next one that is ``span`` times smaller."""
        if len(self.seconds) < 2:
            return math.nan
        first, *_, last = self.seconds
        n = max([first, *(n for n in self.seconds if n * self.span <= last)])
        return math.log(self.seconds[last] / self.seconds[n]) / math.log(last / n)


def by_pairs(data: Path, largest: int) -> list[Growth]:
    """Return what grows with the number of pairs."""
    sts = fetch_sts(YEARS, split="all", data_home=data)
    both = [sts.data, fetch_paraphrases("multi30k", data_home=data).data]
    pool, rng = np.concatenate([part[:, :2] for part in both]), np.random.default_rng(0)
    rows = rng.integers(len(pool), size=largest)
    scored = rng.integers(len(sts.data), size=largest)
    sample = load_sts_sample()
    fusion = make_sts_pipeline(random_state=0).fit(sample.data, sample.target)
    encoder = ParagramEncoder()
    features = {name: LexicalFeatures(name).fit(sample.data) for name in ("all", "fast")}

    def pairs(n: int) -> np.ndarray:
        return pool[rows[:n]]

    def sentences(n: int) -> list[str]:
        return pool[rows[:n], 0].tolist()

    n_dims = encoder.encode(["a"]).shape[1]

    growth = functools.partial(Growth, span=100)
    return [
        growth("encode", encoder.encode, sentences),
        growth("memory alone", lambda n: np.full((n, n_dims), 1, dtype=np.float32), int),
        growth("similarity", lambda x: encoder.similarity(*x.T.tolist()), pairs),
        growth("features, fast", features["fast"].transform, pairs),
        growth("features, all", features["all"].transform, pairs),
        growth("predict", fusion.predict, pairs),
        growth(
            "fit",
            lambda n: make_sts_pipeline(random_state=0).fit(
                sts.data[scored[:n]], sts.target[scored[:n]]
            ),
            int,
        ),
    ]


def by_words(data: Path) -> list[Growth]:
    """Return what grows with the length of sentences of mixed text."""
    words = np.array(" ".join(mixed(data)).split(), dtype=object)
    encoder = ParagramEncoder()
    features = {
        name: LexicalFeatures(name).fit([("A dog runs.", "Dogs run.")]) for name in ("fast", "all")
    }

    def texts(n: int, n_texts: int = 100) -> list[str]:
        starts = [i * len(words) // n_texts for i in range(n_texts)]
        return [" ".join(np.take(words, range(i, i + n), mode="wrap")) for i in starts]

    def pairs(n: int) -> np.ndarray:
        return np.array(texts(n, 8), dtype=object).reshape(4, 2)

    return [
        Growth("encode", encoder.encode, texts),
        Growth("similarity", lambda x: encoder.similarity(x[::2], x[1::2]), texts),
        *(Growth(f"features, {name}", each.transform, pairs) for name, each in features.items()),
    ]


def by_family() -> list[Growth]:
    """Return the families of features on hostile text."""
    growths = []
    for kind in HOSTILE:
        for name in FAMILIES:
            family = LexicalFeatures(name).fit(hostile("repeated", 5, 1))
            inputs = functools.partial(hostile, kind, n_pairs=4)
            growths.append(Growth(f"{name}, {kind}", family.transform, inputs))
    return growths


def longest() -> list[Measurement]:
    """Measure pairs of sentences with 5,000 words."""
    rows = []
    for kind in HOSTILE:
        child, name = run_child(LONGEST, kind), f"two times 5,000 words, {kind}"
        rows.append(Measurement(f"{name}, time", child["seconds"], "s", goal="1"))
        memory = child["peak"] - child["before"]
        rows.append(Measurement(f"{name}, memory", memory, "MB", goal="200"))
    return rows


def exponents(title: str, growths: Sequence[Growth]) -> list[Measurement]:
    """Return the exponents that are known."""
    return [
        Measurement(f"{title}, {each.name}", each.exponent, "exponent", goal="1.05")
        for each in growths
        if len(each.seconds) > 1 and each.name != "memory alone"
    ]


def read_table(path: Path) -> dict[str, dict[str, dict[int, float]]]:
    """Return the seconds by size of each row of the tables by pairs and by words."""
    tables: dict[str, dict[str, dict[int, float]]] = {}
    for block in path.read_text("utf8").split("CPU seconds by ")[1:]:
        title, head, ruler, *lines = [line for line in block.split("\n") if line]
        borders = [(match.start(), match.end()) for match in re.finditer("-+", ruler)]
        sizes = [int(head[a:b].replace(",", "")) for a, b in borders[1:-1]]
        rows = tables.setdefault(title, {})
        for line in itertools.takewhile(lambda x: not x.startswith("Exponents"), lines):
            cells = [line[a:b].strip() for a, b in borders]
            seconds = zip(sizes, cells[1:-1], strict=True)  # .000 and empty cells are not drawn
            rows[cells[0]] = {n: float(cell) for n, cell in seconds if float(cell or 0)}
    return tables


def plot(tables: dict[str, dict[str, dict[int, float]]], path: Path) -> None:
    """Draw time over size, with a line of linear growth."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(tables), squeeze=False, figsize=(9, 5), layout="tight")
    for axis, (title, rows) in zip(axes[0], tables.items(), strict=True):
        for name, seconds in rows.items():
            style = "--" if name == "memory alone" else "o-"
            axis.loglog(seconds.keys(), seconds.values(), style, markersize=4, label=name)
        sizes = sorted({n for seconds in rows.values() for n in seconds})
        low = min(s / n for seconds in rows.values() for n, s in seconds.items())
        axis.loglog(sizes, [low * n / 2 for n in sizes], "k:", label="linear growth")
        axis.set(xlabel=title, ylabel="CPU seconds")
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--budget", type=float, help="seconds a size; default 300, 8 if --quick")
    options.add_argument("--plot", type=Path, help="file for a plot; the suffix is the format")
    options.add_argument("--table", type=Path, help="draw an earlier table, without measuring")
    if (early := options.parse_args()).table is not None:
        plot(read_table(early.table), early.plot)
        return
    args = parse(options)
    budget = args.budget or (8.0 if args.quick else 300.0)
    sizes = [100, 1000, 10_000, *([] if args.quick else [100_000, 1_000_000])]
    everything: list[Measurement] = []
    plotted = {}
    for title, make, grid in (
        ("pairs", lambda: by_pairs(args.data, sizes[-1]), sizes),
        ("words a sentence", lambda: by_words(args.data), [5, 20, 200, 2000]),
        ("families", by_family, [200, 2000]),
    ):
        if args.only not in title:
            continue
        growths = make()
        for each in growths:
            each.measure(grid, budget if title == "pairs" else budget / 10)
        if title == "families":
            cells = {each.name: each for each in growths}
            for what, get in (
                ("Exponents of families of features from 200 to 2,000 words", "exponent"),
                ("Milliseconds a pair at 2,000 words", "seconds"),
            ):
                table = []
                for family in FAMILIES:
                    row = [cells[f"{family}, {kind}"] for kind in HOSTILE]
                    values = [
                        each.exponent
                        if get == "exponent"
                        else 250 * each.seconds.get(2000, math.nan)
                        for each in row
                    ]
                    table.append([family, *values])
                print_table(what, ["", *HOSTILE], table, digits=2)
        else:
            plotted[title] = {each.name: each.seconds for each in growths}
            print_table(
                f"CPU seconds by {title}",
                ["", *(f"{n:,}" for n in grid), "exponent"],
                [
                    [g.name, *(g.seconds.get(n) for n in grid), f"{g.exponent:.2f}"]
                    for g in growths
                ],
            )
        everything += exponents(title, growths)
    if args.only in "longest":
        rows = longest()
        show("Longest pairs", rows)
        everything += rows
    if args.plot and plotted:
        plot(plotted, args.plot)
    write(args.json, "growth", everything)


if __name__ == "__main__":
    main()
