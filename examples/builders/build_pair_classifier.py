"""Learn the packaged numbers of skpara.load_pair_classifier.

    python examples/builders/build_pair_classifier.py --data DATA [--held-out]

It prints skpara/fusion/pair_classifier.json. With --held-out, it prints instead what a classifier
does on each source that it has not learned from, down to its calibration.

Sources, each with the same weight, but WikiSplit with two fifths of it, PAWS-Wiki with a tenth,
written pairs with half of it, made-up pairs with twice, sentences written otherwise with three
tenths, and pairs of unrelated sentences with a tenth:

* Quora's question pairs, the development part; MSRP, the training part; Twitter-URL, every fifth
  pair of the training part. Their labels are people's.
* SICK, the training part. Its entailment is one-way: the second sentence may say less. So its
  contradictions are different, and the others as their relatedness says; a sentence that another
  one entails has 4.6 on average, and a neutral one 3.4.
* STS Benchmark, the training part and the forum answers of its development part, without MSRpar
  and MSRvid, whose text is Microsoft's.
* WikiSplit, every third sentence and the two it was split into: all of them mean the same, though
  they say less. Without them, probabilities of news are too low when MSRP is left out.
* PAWS-Wiki, the development part: pairs of the same words in another order. With a larger weight,
  more of them are right, and fewer news: MSRP calls pairs the same that say a little more or less.
* Pairs in written_pairs.csv, each written by hand for this: sentences that look alike and mean
  something else, of 400 kinds, and repeats in other words. Each of seven parts is better told by
  what was learned from the others (AUC .81 -> .84 on average); a larger weight harms MSRP.
* Sentences of six of these sources written otherwise: contracted, in small letters, with an error
  or without an article. They mean the same; sentences of different pairs do not. Without them, a
  high overlap is a sign of opposites (PAWS-Wiki when it is left out: AUC .61 -> .68).
* Pairs made of the seeds in pair_seeds.txt by rules, for what none of these has enough of: equal
  words with other numbers, names, times, roles, and formats of one value.

Graded scores are means of what several people answer. Each pair counts as the same and as
different, by the share of people who would call it the same: half of them at a score of 3.6 (SICK)
or 3.2 (STS). With these the sources agree most, when each is predicted from the others.

The classifier is gradient boosting. A difference of the group "contrast" never raises the
probability, a higher cosine never lowers it. Probabilities are calibrated, and thresholds read, on
sources left out in turn.

Licences: no sentence is in the file, only coefficients and trees. Quora's terms of service; MSRP:
Microsoft Research Shared Source License, non-commercial; Twitter-URL and SICK: CC BY-NC-SA 3.0;
STS Benchmark's scores and WikiSplit: CC BY-SA 4.0; PAWS: free for any use, by Google LLC.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from tree_numbers import to_numbers

from skpara import LexicalFeatures, ParagramEncoder
from skpara.datasets import fetch_sick, fetch_sts_benchmark
from skpara.features._catalogue import GROUPS
from skpara.fusion._thresholds import threshold_curve
from skpara.saving import boosted_trees

EXAMPLES = Path(__file__).parents[1]
sys.path[:0] = [str(EXAMPLES / "papers"), str(EXAMPLES / "benchmarks")]
from deciding import calibration_error  # noqa: E402
from transfer import TASKS, lines  # noqa: E402

SEEDS = Path(__file__).with_name("pair_seeds.txt")
WRITTEN = Path(__file__).with_name("written_pairs.csv")
# Symmetric, quick, and independent of the sentences that features are fitted to. The lengths of
# sentences would tell the sources apart.
SIMILARITIES = (
    "align_f",
    "align_ic_f",
    "align_ic_worst",
    "weight_word_match_olc",
    "len_ratio",
    "token_set_ratio",
    "char_n_gram_match_3",
    "lcs_words",
    "quantity_f",
    "negation_mismatch",
    # The order of words.
    "n_gram_match_lc_2",
    "n_gram_match_lc_3",
    "edit_words",
)
UNMATCHED = [
    f"unmatched_{name}_{side}"
    for name in ("share", "ic_max", "names", "numbers", "function_words")
    for side in ("more", "less")
]
FEATURES = [*SIMILARITIES, *GROUPS["contrast"], *UNMATCHED]
RISING = {"words_kept", "roles_kept", "antonym_negated"}  # with the cosine
LEFT_OUT = ("MSRpar", "MSRvid")
MIDDLE = {"sick": 3.6, "sts": 3.2}
SPREAD = 0.5  # of the scores of several people, as the scale of a logistic distribution
WEIGHTS = {
    "wikisplit": 0.4,
    "paws": 0.1,
    "written": 0.5,
    "made": 2.0,
    "otherwise": 0.3,
    "far": 0.1,
}
MADE = (
    "wikisplit",
    "paws",
    "written",
    "made",
    "otherwise",
    "far",
)  # have no natural share of pairs that mean the same
N_EACH = 6  # pairs that mean the same, and others, of each seed
SLOT = re.compile(r"\{(\w+?)(2?)('?)\}")


CONTRACTIONS = {
    " do not ": " don't ",
    " does not ": " doesn't ",
    " did not ": " didn't ",
    " is not ": " isn't ",
    " are not ": " aren't ",
    " cannot ": " can't ",
    " it is ": " it's ",
    "hat is ": "hat's ",
}
REWRITTEN = ("quora", "msrp", "twitter", "sick", "sts", "paws")
UNRELATED = ("quora", "msrp", "sick", "sts", "written")
N_REWRITTEN = 250  # sentences of each source
N_UNRELATED = 150


class Source(NamedTuple):
    """Pairs, and the share of people who say that they mean the same."""

    pairs: Any
    same: Any


def read_seeds() -> Iterator[tuple[str, list[str], dict[str, list[list[str]]]]]:
    """Yield the mark, the sentences and the lists of each seed."""
    common: dict[str, list[list[str]]] = {}
    seeds = False
    for line in lines(SEEDS):
        if not line or line[0] in "#[":
            seeds |= line.startswith("[")
            continue
        mark, line = (line[0], line[2:]) if line[0] in ">~" else ("", line)
        head, *own = [line] if seeds else ["", line]
        head, *own = [*head.split(" ; "), *own]
        lists = {
            name.strip(): [group.strip().split(", ") for group in values.split(" / ")]
            for name, values in (text.split(" = ", 1) for text in own)
        }
        if seeds:
            yield mark, [text.strip() for text in head.split(" | ")], common | lists
        else:
            common |= lists


def vary(rng: random.Random, text: str) -> str:
    """Misspell a sentence now and then, or write it without capitals or its end."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if word.isalpha() and word.islower() and word[4:]]
    chance = rng.random()
    if chance < 0.12 and long:
        i = rng.choice(long)
        k = rng.randrange(1, len(words[i]) - 1)
        before, letter, after = words[i][:k], words[i][k], words[i][k + 1 :]
        words[i] = rng.choice([before + after[0] + letter + after[1:], before + after,
                               before + 2 * letter + after])  # fmt: skip
        return " ".join(words)
    if chance < 0.9:
        return text
    if chance < 0.95:
        return text.lower()
    return text.rstrip(".?") if chance < 0.98 else text.upper()


def made_up() -> Source:
    """Make pairs of all seeds: the same in other words, and with another value."""
    rng = random.Random(0)
    pairs, same = [], []
    for mark, templates, lists in read_seeds():
        slots = sorted({m.groups()[:2] for text in templates for m in SLOT.finditer(text)})
        slots = sorted({*slots, *((name, "") for name, other in slots if other)})
        doubled = [name for name, other in slots if other]
        sizes = {name + other: len(lists.get(name) or lists[f"{name}'"]) for name, other in slots}

        def fill(text: str, values: dict[str, int], lists: Any = lists) -> str:
            def value(match: re.Match[str]) -> str:
                name, other, tied = match.groups()
                return str(rng.choice(lists[name + tied][values[name + other]]))

            filled = SLOT.sub(value, text)
            return filled[0].upper() + filled[1:]

        def draw(values: dict[str, int], slot: str, sizes: Any = sizes) -> int:
            name = slot.rstrip("2")
            taken = {values.get(slot), values.get(name), values.get(f"{name}2")}
            return int(rng.choice([k for k in range(sizes[slot]) if k not in taken]))

        def add(first: str, second: str, is_same: bool) -> None:
            pairs.append((vary(rng, first), vary(rng, second)))
            same.append(is_same)

        for _ in range(N_EACH if slots else 2):
            values: dict[str, int] = {}
            for name, other in slots:
                values[name + other] = draw(values, name + other)
            exchanged = dict(values)
            for name in doubled[:1]:
                exchanged |= {name: values[f"{name}2"], f"{name}2": values[name]}
            first = second = fill(rng.choice(templates), values)
            for _ in range(5):
                second = fill(rng.choice(templates), values) if second == first else second
            add(first, second, True)
            text = rng.choice(templates)
            first, second = fill(text, values), fill(text, values)
            if first != second:  # another format, or word, for one value
                add(first, second, True)
            if mark == "~":
                add(first, fill(rng.choice(templates), exchanged), True)
            free = [slot for slot, size in sizes.items() if size > 1 + bool(doubled)]
            if not free:
                continue
            if mark != ">" or rng.random() < 1 / 3:
                slot = rng.choice(free)
                exchanged = values | {slot: draw(values, slot)}
            text = rng.choice(templates)
            other_text = text if rng.random() < 0.6 else rng.choice(templates)
            add(fill(text, values), fill(other_text, exchanged), False)
    return Source(np.array(pairs, dtype=object), np.array(same, dtype=float))


def write_otherwise(rng: random.Random, text: str) -> str:
    """Write a sentence a little otherwise: contracted, in small letters, with an error, ..."""
    for words, short in CONTRACTIONS.items():
        if words in text:
            return text.replace(words, short, 1)
    kind = rng.randrange(3)
    if kind == 0:
        return text.rstrip(".?! ").lower()
    long = [i for i, word in enumerate(text.split(" ")) if word.isalpha() and word[5:]]
    if kind == 1 and long:
        words = text.split(" ")
        i = rng.choice(long)
        k = rng.randrange(1, len(words[i]) - 2)
        words[i] = words[i][:k] + words[i][k + 1] + words[i][k] + words[i][k + 2 :]
        return " ".join(words)
    return re.sub(r"\b(the|a|an) ", "", text, count=1)


def rewrite(sources: dict[str, Source]) -> dict[str, Source]:
    """Return sentences beside themselves, written otherwise, and sentences of different pairs."""
    rng = random.Random(0)
    same = [
        (text, write_otherwise(rng, text))
        for name in REWRITTEN
        for text in rng.sample(sources[name].pairs[:, 0].tolist(), N_REWRITTEN)
    ]
    far = []
    for name in UNRELATED:
        first, second = sources[name].pairs.T.tolist()
        far += zip(rng.sample(first, N_UNRELATED), rng.sample(second, N_UNRELATED), strict=True)
    return {
        "otherwise": Source(np.array(same, dtype=object), np.ones(len(same))),
        "far": Source(np.array(far, dtype=object), np.zeros(len(far))),
    }


def read(data: Path) -> dict[str, Source]:
    """Return the sources by name."""
    sources = {}
    for name in ("quora", "msrp", "twitter"):
        pairs, labels = TASKS[name].read(data, "train")
        rows = slice(None, None, 5 if name == "twitter" else 1)
        sources[name] = Source(pairs[rows], (labels[rows] == "1").astype(float))
    sick = fetch_sick("train", data_home=data)
    same = expit((sick.target - MIDDLE["sick"]) / SPREAD)
    same[np.char.lower(sick.entailment.astype(str)) == "contradiction"] = 0
    sources["sick"] = Source(sick.data, same)
    parts = [fetch_sts_benchmark(split=part, data_home=data) for part in ("train", "dev")]
    pairs, scores, groups = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("data", "target", "groups")
    )
    kinds = np.array([str(group).split("/")[-1] for group in groups])
    in_train = np.arange(len(pairs)) < len(parts[0].data)
    rows = (in_train | (kinds == "answers-forums")) & ~np.isin(kinds, LEFT_OUT)
    sources["sts"] = Source(pairs[rows], expit((scores[rows] - MIDDLE["sts"]) / SPREAD))
    split = lines(data / "paraphrase" / "wikisplit" / "validation.tsv")[::3]
    pairs = np.array([row.replace(" <::::> ", " ").split("\t") for row in split], dtype=object)
    sources["wikisplit"] = Source(pairs, np.ones(len(pairs)))
    rows = [row.split("\t") for row in lines(data / "paraphrase" / "paws" / "dev.tsv")]
    rows = [row for row in rows if len(row) == 4 and row[3] in "01"]  # without the header
    pairs = np.array([row[1:3] for row in rows], dtype=object)
    sources["paws"] = Source(pairs, np.array([float(row[3]) for row in rows]))
    with WRITTEN.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    pairs = np.array([(row["text1"], row["text2"]) for row in written], dtype=object)
    sources["written"] = Source(pairs, np.array([float(row["label"]) for row in written]))
    return sources | {"made": made_up()} | rewrite(sources)


def columns(pairs: Any) -> Any:
    """Return the cosine and the lexical features, of single precision as trees read them."""
    parts = (ParagramEncoder(max_iter=0, output="similarity"), LexicalFeatures(FEATURES))
    fitted = [part.fit(np.array([["a", "b"]], dtype=object)) for part in parts]
    return np.hstack([part.transform(pairs) for part in fitted]).astype(np.float32)


Rows = dict[str, tuple[Any, Any]]
Models = Callable[..., HistGradientBoostingClassifier]


def both_ways(rows: Rows, names: list[str]) -> tuple[Any, Any, Any]:
    """Return each row as the same and as different, with weights."""
    X = np.vstack([rows[name][0] for name in names])
    same = np.concatenate([rows[name][1] for name in names])
    sizes = [len(rows[name][1]) for name in names]
    each = [WEIGHTS.get(name, 1.0) / size for name, size in zip(names, sizes, strict=True)]
    weights = np.repeat(each, sizes)
    weights = np.concatenate([weights * same, weights * (1 - same)])
    keep = weights > 0
    labels = np.arange(2 * len(same)) < len(same)
    return np.vstack([X, X])[keep], labels[keep], weights[keep] / weights[keep].mean()


def boosting(rows: Rows, names: list[str]) -> HistGradientBoostingClassifier:
    """Learn from some sources."""
    X, labels, weights = both_ways(rows, names)
    # A difference may only lower the probability, and a similarity only raise it.
    rises = [1] + [
        1 if name in RISING else -name.endswith(("flip", "flips", "swapped", "mismatch"))
        for name in FEATURES
    ]
    model = HistGradientBoostingClassifier(
        max_iter=120, max_leaf_nodes=6, max_features=0.4, min_samples_leaf=40,
        l2_regularization=5, early_stopping=False, monotonic_cst=rises, random_state=0,
    )  # fmt: skip
    return model.fit(X, labels, sample_weight=weights)


def calibrate(rows: Rows, models: Models, *out: str) -> tuple[float, float]:
    """Return the slope and the intercept that fit sources which are left out in turn."""
    names = [name for name in rows if name not in MADE and name not in out]
    logits = {}
    for name in names:
        X, same = rows[name]
        logits[name] = models(name, *out).decision_function(X)[:, None], same
    X, labels, weights = both_ways(logits, names)
    linear = LogisticRegression(C=1e3).fit(X, labels, sample_weight=weights)
    return linear.coef_.item(), linear.intercept_.item()


def print_held_out(rows: Rows, models: Models) -> None:
    """Print the quality on each source of a classifier that has not learned from it."""
    print("source   AUC   calibration error  mean probability  share of the same")
    for name in rows:
        if name not in MADE:
            slope, intercept = calibrate(rows, models, name)
            X, same = rows[name]
            probabilities = expit(slope * models(name).decision_function(X) + intercept)
            print(
                f"{name:8} {roc_auc_score(same > 0.5, probabilities):.3f} "
                f"{calibration_error(same, probabilities):.3f} "
                f"{probabilities.mean():.2f} {same.mean():.2f}"
            )


def numbers(rows: Rows, models: Models) -> dict[str, Any]:
    """Return what the package needs of the classifier that learns from all sources."""
    slope, intercept = calibrate(rows, models)
    (trees,) = boosted_trees(models())
    probabilities, same = [], []
    for name in rows:
        if name not in MADE:
            X, shares = rows[name]
            places = np.linspace(0, len(X) - 1, 3000).astype(int)  # as many of each source
            logits = models(name).decision_function(X[places])
            probabilities.append(expit(slope * logits + intercept))
            same.append(shares[places])
    curve = threshold_curve(np.concatenate(probabilities), np.concatenate(same), None)
    curve = curve[np.linspace(0, len(curve) - 1, 65).round().astype(int)[1:]]

    return {
        "features": FEATURES,
        "weight": float(f"{slope:.4g}"),
        "intercept": float(f"{intercept:.4g}"),
        **to_numbers(trees),
        "curve": [[float(f"{value:.6g}") for value in row] for row in curve],
    }


def main() -> None:
    """Print the file, or the quality on sources that were held out."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    data = os.environ.get("SKPARA_DATA")
    parser.add_argument("--data", default=data, type=Path, help="folder of the sets")
    parser.add_argument("--held-out", action="store_true", help="measure each source")
    args = parser.parse_args()
    sources = read(args.data)
    rows = {name: (columns(source.pairs), source.same) for name, source in sources.items()}
    fitted: dict[frozenset[str], HistGradientBoostingClassifier] = {}

    def models(*out: str) -> HistGradientBoostingClassifier:
        """Return the model without some sources."""
        key = frozenset(out)
        if key not in fitted:
            fitted[key] = boosting(rows, [name for name in rows if name not in key])
        return fitted[key]

    if args.held_out:
        print_held_out(rows, models)
        return
    print(json.dumps(numbers(rows, models)).replace('], "', '],\n"').replace("], [", "],\n["))


if __name__ == "__main__":
    main()
