"""Accuracy and speed of scoring pairs, beside other packages: the table and picture of the README.

    python examples/benchmarks/accuracy_speed.py --data DATA [--model all-MiniLM-L6-v2]
    python examples/benchmarks/accuracy_speed.py --draw TABLE PICTURE

Accuracy is as the task defines it: Pearson's r in each set of STS 2016, the mean weighted by
pairs, with a bootstrap interval. Pipelines learn from the scored pairs of 2012-2015. Nothing sees
the pairs of 2016 before it scores them.

Speed is pairs a second in bulk, the median of ``--repeats`` rounds in turn, of CPU time of one
thread. Every round has pairs that were not scored before. They are drawn from 2012-2015.

Peers are a measure of rapidfuzz, the cosine of scikit-learn's TF-IDF of character n-grams, and
with ``--model`` the cosines of that model of sentence-transformers, the same by onnxruntime with
weights in eight bits (``pip install onnx onnxruntime``), and of the table that model2vec distills
from it (``pip install model2vec skeletoken``; 256 dimensions, its defaults).

The second table is of new processes, which import, load their models and score a thousand pairs:
CPU time and peak memory, and the disk space of the package with what it requires and its model.

``--draw`` makes the picture from a table that was printed before.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from measure import parser, run_child, significant, take_turns
from packaging.requirements import Requirement
from sklearn.feature_extraction.text import TfidfVectorizer

import skpara
from skpara import LexicalFeatures, ParagramEncoder, make_sts_pipeline
from skpara.datasets import fetch_sts
from skpara.metrics import semeval_intervals
from skpara.saving import save_model

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import number, print_table

YEARS = range(2012, 2016)
SKPARA = Path(skpara.__file__).parent
FUSION = "make_sts_pipeline()"
FAST = "make_sts_pipeline(), fast features"
COSINE = "ParagramEncoder().similarity"
TFIDF, RAPIDFUZZ = "TF-IDF cosine", "rapidfuzz token_set_ratio"
# A transformer scores a tenth of the pairs of a round, since it takes 50 times as long as others.
SLOW_SHARE = 10
# Of each way its package, and what a new process does with pairs, an array of shape (1000, 2).
FIRST = {
    RAPIDFUZZ: (
        "rapidfuzz",
        "from rapidfuzz.fuzz import token_set_ratio\n"
        "[token_set_ratio(first, second) for first, second in pairs.tolist()]",
    ),
    TFIDF: (
        "scikit-learn",
        "from sklearn.feature_extraction.text import TfidfVectorizer\n"
        "tfidf = TfidfVectorizer(analyzer='char_wb', ngram_range=(3, 5)).fit(pairs.ravel())\n"
        "first, second = (tfidf.transform(side) for side in pairs.T)\n"
        "first.multiply(second).sum(axis=1)",
    ),
    COSINE: (
        "skpara",
        "from skpara import ParagramEncoder\nParagramEncoder().similarity(*pairs.T.tolist())",
    ),
    FAST: ("skpara", "from skpara import load_model\nload_model(model).predict(pairs)"),
    FUSION: ("skpara", "from skpara import load_model\nload_model(model).predict(pairs)"),
    "model2vec": (
        "model2vec",
        "from model2vec import StaticModel\nmodel = StaticModel.from_pretrained(model)\n"
        "[model.encode(side.tolist(), use_multiprocessing=False) for side in pairs.T]",
    ),
    "all-MiniLM-L6-v2": (
        "sentence-transformers",
        "from sentence_transformers import SentenceTransformer\n"
        "model = SentenceTransformer(model, device='cpu')\n"
        "[model.encode(side.tolist(), show_progress_bar=False) for side in pairs.T]",
    ),
}


class Scorer(NamedTuple):
    """A way to score pairs."""

    score: Callable[[np.ndarray], Any]
    learned: str  # what it learned from the pairs of 2012-2015
    slow: bool = False
    save: Callable[[Path], Any] | None = None  # writes the model to a file or folder


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosines of rows."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.einsum("ij,ij->i", first, second) / np.maximum(lengths, 1e-12)


def of_skpara(pairs: np.ndarray, scores: np.ndarray) -> dict[str, Scorer]:
    """Return what skpara offers, fitted where it learns."""
    encoder = ParagramEncoder()
    fast = make_sts_pipeline(lexical=LexicalFeatures("fast"), random_state=0).fit(pairs, scores)
    whole = make_sts_pipeline(random_state=0).fit(pairs, scores)
    return {
        COSINE: Scorer(lambda rows: encoder.similarity(*rows.T.tolist()), "no"),
        FAST: Scorer(fast.predict, "scores", save=lambda path: save_model(fast, path)),
        FUSION: Scorer(whole.predict, "scores", save=lambda path: save_model(whole, path)),
    }


def of_others(pairs: np.ndarray, model: str | None) -> dict[str, Scorer]:
    """Return the peers that are installed."""
    tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)).fit(pairs.ravel())

    def by_tfidf(rows: np.ndarray) -> Any:
        first, second = (tfidf.transform(side) for side in rows.T)
        return first.multiply(second).sum(axis=1)

    scorers = {TFIDF: Scorer(by_tfidf, "sentences")}
    try:
        from rapidfuzz.fuzz import token_set_ratio
    except ImportError as error:
        print(f"rapidfuzz: left out, {error}", file=sys.stderr)
    else:
        scorers[RAPIDFUZZ] = Scorer(
            lambda rows: [token_set_ratio(first, second) for first, second in rows.tolist()],
            "no",
        )
    if not model:
        return scorers
    from sentence_transformers import SentenceTransformer

    transformer = SentenceTransformer(model, device="cpu")
    name = Path(model).name
    scorers[name] = Scorer(
        lambda rows: cosines(
            *(transformer.encode(side.tolist(), show_progress_bar=False) for side in rows.T)
        ),
        "no",
        slow=True,
        save=transformer.save,
    )
    try:
        encode = eight_bit_encoder(transformer)
    except ImportError as error:
        print(f"onnxruntime: left out, {error}", file=sys.stderr)
    else:
        scorers[f"{name}, ONNX, 8 bits"] = Scorer(
            lambda rows: cosines(*map(encode, rows.T.tolist())), "no", slow=True
        )
    try:
        from model2vec.distill import distill
    except ImportError as error:
        print(f"model2vec: left out, {error}", file=sys.stderr)
        return scorers
    static = distill(model, device="cpu")
    # Processes of its own would do work that the clock of this one does not count.
    scorers[f"model2vec, from {name}"] = Scorer(
        lambda rows: cosines(
            *(static.encode(side.tolist(), use_multiprocessing=False) for side in rows.T)
        ),
        "no",
        save=static.save_pretrained,
    )
    return scorers


def eight_bit_encoder(transformer: Any) -> Callable[[list[str]], np.ndarray]:
    """Return the ``encode`` of a transformer by onnxruntime, with weights in eight bits."""
    import onnxruntime
    import torch
    from onnxruntime.quantization import quantize_dynamic

    network, tokenizer = transformer[0].auto_model, transformer.tokenizer
    names = ["input_ids", "attention_mask", "token_type_ids"]

    class States(torch.nn.Module):
        """The network with plain arguments and one output, which can be exported."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *tokens: Any) -> Any:
            return self.network(**dict(zip(names, tokens, strict=True))).last_hidden_state

    with tempfile.TemporaryDirectory() as folder:
        whole, small = (Path(folder) / name for name in ("whole.onnx", "small.onnx"))
        tokens = tokenizer(["a sentence", "another one"], padding=True, return_tensors="pt")
        torch.onnx.export(
            States().eval(),
            tuple(tokens[name] for name in names),
            str(whole),
            input_names=names,
            output_names=["states"],
            dynamic_axes={name: {0: "rows", 1: "tokens"} for name in [*names, "states"]},
            dynamo=False,
        )
        quantize_dynamic(whole, small)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(small), options)

    def encode(sentences: list[str]) -> np.ndarray:
        rows = np.empty((len(sentences), network.config.hidden_size), dtype=np.float32)
        # Sentences of similar length need little padding.
        order = np.argsort([-len(sentence) for sentence in sentences], kind="stable")
        for start in range(0, len(order), 32):
            part = order[start : start + 32]
            batch = tokenizer(
                [sentences[i] for i in part],
                **{"padding": True, "truncation": True, "max_length": transformer.max_seq_length},
                return_tensors="np",
            )
            [states] = session.run(["states"], {name: batch[name] for name in names})
            mask = batch["attention_mask"][:, :, None]
            rows[part] = (states * mask).sum(axis=1) / mask.sum(axis=1)
        return rows

    return encode


def disk_space(name: str) -> float:
    """Return the size in MB of an installed package and of all that it requires."""
    files, names, found = set[Path](), [name], set[str]()
    while names:
        name = names.pop().lower().replace("_", "-")
        try:
            package = distribution(name)
        except PackageNotFoundError:  # required on other systems
            continue
        if name in found:
            continue
        found.add(name)
        for required in map(Requirement, package.requires or ()):
            if required.marker is None or required.marker.evaluate({"extra": ""}):
                names.append(required.name)
        paths = package.files or ()
        if name == "skpara":  # it may be installed from its source
            paths = [path for path in SKPARA.rglob("*") if "__pycache__" not in path.parts]
        files |= {Path(package.locate_file(path)) for path in paths}
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


def first_calls(scorers: dict[str, Scorer], pairs: np.ndarray, n_runs: int) -> None:
    """Print what new processes need for their first pairs."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        joblib.dump(pairs, Path(folder) / "pairs")
        start = "import sys, joblib\npairs, model = joblib.load(sys.argv[1]), sys.argv[2]\n"
        for name, (package, code) in FIRST.items():
            scorer = scorers.get(name) or scorers.get(f"{name}, from all-MiniLM-L6-v2")
            if scorer is None:
                continue
            model = Path(folder) / f"{package}{len(rows)}.skpara"
            if scorer.save is not None:
                scorer.save(model)
            whole = f"{start}{code}\nresult = {{}}"
            runs = [run_child(whole, Path(folder) / "pairs", model) for _ in range(n_runs)]
            cpu, peak = (float(np.median([run[key] for run in runs])) for key in ("cpu", "peak"))
            own = [path.stat().st_size for path in [model, *model.rglob("*")] if path.is_file()]
            space = disk_space(package) + sum(own) / 1e6
            rows.append([name, significant(cpu), f"{peak:,.0f}", f"{space:,.0f}"])
    title = f"A new process that scores {len(pairs):,} pairs"
    print_table(title, ["", "CPU s", "memory, MB", "disk, MB"], rows)


def measure(args: argparse.Namespace) -> None:
    """Print the tables."""
    train = fetch_sts(YEARS, split="all", data_home=args.data)
    test = fetch_sts(2016, data_home=args.data)
    learned = slice(None, args.limit)
    scorers = of_others(train.data, args.model) | of_skpara(
        train.data[learned], train.target[learned]
    )
    every = fetch_sts(YEARS, split="all", include_unscored=True, data_home=args.data)
    order = np.random.default_rng(0).permutation(len(every.data))
    n = min(args.pairs, len(order) // (args.repeats + 1))
    # The last part is for warming up.
    blocks = np.split(every.data[order[: n * (args.repeats + 1)]], args.repeats + 1)
    slow_size = max(1, n // SLOW_SHARE)
    sizes = {name: slow_size if scorer.slow else n for name, scorer in scorers.items()}
    for name, scorer in scorers.items():
        scorer.score(blocks[-1][: sizes[name]])
    works = {
        name: lambda turn, name=name, scorer=scorer: scorer.score(blocks[turn][: sizes[name]])
        for name, scorer in scorers.items()
    }
    seconds = take_turns(works, args.repeats)
    rows = []
    for name, scorer in scorers.items():
        speed = float(np.median(sizes[name] / seconds[name]))
        predicted = np.asarray(scorer.score(test.data), dtype=float).ravel()
        result = semeval_intervals(test.target, predicted, test.groups, random_state=0)
        mean = result.pearson_over_pairs
        interval = f"{number(mean.low)}-{number(mean.high)}"
        rows.append([name, scorer.learned, mean.value, interval, significant(speed)])
    rows.sort(key=lambda row: row[2])
    title = f"{len(test.target):,} pairs of STS 2016, Pearson's r; speed on one core"
    print_table(title, ["", "learned from STS", "r", "95 % interval", "pairs/s"], rows)
    first_calls(scorers, blocks[-1][:1000], min(args.repeats, 3))


class Row(NamedTuple):
    """A row of a printed table."""

    name: str
    r: float
    low: float
    high: float
    speed: float


def read_rows(path: Path) -> list[Row]:
    """Read the table that ``measure`` printed."""
    pattern = r"(\S.*?)  +\S+ +(-?\.\d+) +(-?\.\d+)-(-?\.\d+) +([\d,.]+)"
    rows = []
    for line in path.read_text("utf8").split("\n"):
        if match := re.fullmatch(pattern, line):
            name, *values = match.groups()
            rows.append(Row(name, *(float(value.replace(",", "")) for value in values)))
    if not rows:
        raise SystemExit(f"{path} has no row that this script printed.")
    return rows


# What the picture calls them, and where the label is: its horizontal alignment and the offset in
# points. Labels are placed by hand, since no rule keeps them off the curves of their neighbors.
LABELS = {
    FUSION: ("make_sts_pipeline", "center", (0, -32)),
    FAST: ("fast features", "left", (9, 2)),
    COSINE: ("ParagramEncoder,\nno training", "right", (-9, -8)),
    TFIDF: ("TF-IDF cosine\nscikit-learn", "right", (-9, -4)),
    RAPIDFUZZ: ("token_set_ratio\nrapidfuzz", "right", (-9, -4)),
    "all-MiniLM-L6-v2": ("all-MiniLM-L6-v2", "left", (-9, -29)),
}
SKPARA_COLOR, PEER_COLOR, INK = "#0b6e99", "#8a8f98", "#1d2733"


def draw(table: Path, picture: Path) -> None:
    """Draw accuracy against speed."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    # The same table gives the same file: no date, and ids that are not random.
    settings = {
        "svg.hashsalt": "skpara",
        "svg.fonttype": "none",  # text, not its outlines: a fifth of the size
        "font.family": ["DejaVu Sans"],
        "font.size": 10,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
    with plt.rc_context(settings):
        figure, ax = plt.subplots(figsize=(6.2, 4.2), layout="constrained")
        for row in read_rows(table):
            ours = row.name in (FUSION, FAST, COSINE)
            color = SKPARA_COLOR if ours else PEER_COLOR
            ax.errorbar(
                row.speed, row.r, [[row.r - row.low], [row.high - row.r]], color=color,
                marker="o" if ours else "s", markersize=9, elinewidth=1, alpha=0.95,
            )  # fmt: skip
            label, align, offset = LABELS.get(
                row.name,
                (row.name.replace(", ", ",\n", 1), "left", (9, -9 if "," in row.name else 8)),
            )
            ax.annotate(
                label, (row.speed, row.r), offset, textcoords="offset points", ha=align,
                va="center", color=color if ours else INK, fontweight="bold" if ours else None,
            )  # fmt: skip
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_xlabel("pairs scored per second on one core (log scale)")
        ax.set_ylabel("Pearson's r on STS 2016")
        ax.set_title(
            "Accuracy and speed of scoring pairs of sentences", loc="left", fontweight="bold"
        )
        ax.grid(color="#d9dde2", linewidth=0.7)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        figure.savefig(picture, metadata={"Date": None})
    if picture.suffix == ".svg":
        text = picture.read_text("utf8")
        # Browsers without the font take one of the same width.
        text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
        lines = [line.rstrip() for line in text.split("\n")]  # matplotlib leaves blanks there
        picture.write_text("\n".join(lines), "utf8")


def main() -> None:
    """Measure, or draw."""
    options = parser(__doc__)
    options.add_argument("--model", help="folder of a sentence-transformers model")
    options.add_argument("--pairs", type=int, default=2000, help="pairs of a round")
    options.add_argument("--limit", type=int, help="learn from so many pairs only")
    options.add_argument(
        "--draw", type=Path, nargs=2, metavar=("TABLE", "PICTURE"), help="draw a printed table"
    )
    args = options.parse_args()
    if args.draw:
        draw(*args.draw)
    elif args.data is None:
        options.error("--data or the environment variable SKPARA_DATA must name the data folder")
    else:
        measure(args)


if __name__ == "__main__":
    main()
