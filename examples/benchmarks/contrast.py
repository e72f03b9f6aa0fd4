"""Meaning flips: whether a paraphrase scores higher than a sentence with another meaning.

A triple is a sentence, one that means the same (a paraphrase, a misspelling, both, or a synonym),
and one that differs from it by a negation, an opposite, exchanged roles, a number, a time, a name
or a quantifier. The triples are made by rules from the seeds in ``contrast_seeds.txt``, which were
written for this purpose. Features and settings were chosen on one half of the seeds; the table is
about the other half.

No model learns from the seeds. "fusion" is ``FusionRegressor`` on the cosine of the packaged
vectors and on ``LexicalFeatures()``, "+ contrast" on ``LexicalFeatures(["all", "contrast"])``.
They learn from STS 2012-2015 and the train part of SICK, where a contradiction counts as the
lowest score, since scores of similarity are high for contradictions, too. "trees alone" is "+
contrast" with ``linear_weight=0``.

Entailment: gradient boosting on the same features learns the three labels. AUC is for
contradiction against entailment, on the trial part of SICK after its train part, and on the
development part of SNLI in five folds that keep the hypotheses of a premise together.

Left-out kinds: the correlation of fusion with the scores of one kind of text of STS 2012-2015,
learned from the other kinds, as a mean over data sets that is weighted by pairs.

What is trained is trained with several seeds; where these differ, the range is in brackets.

    python examples/benchmarks/contrast.py --data DATA [--minilm FOLDER] [--only suite]
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure import parse, parser
from numpy.typing import NDArray
from result_tables import over_seeds, print_table
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.datasets import fetch_sick, fetch_sts
from skpara.metrics import pearson_score

SEEDS = Path(__file__).with_name("contrast_seeds.txt")
AUXILIARIES = ("is", "are", "can", "may")
SHORTEST_MISSPELLED = 5
# Whether the columns of the group "contrast" are used, and the weight of the linear model.
SYSTEMS = {"fusion": (0, "auto"), "+ contrast": (1, "auto"), "trees alone": (1, 0.0)}
PARTS = ("speed", "entailment", "suite", "left-out")
N_TIMED = 3000  # the last pairs of STS 2015
KINDS = {
    "definitions": "OnWN|FNWN",
    "headlines": "headlines",
    "captions": "images|MSRvid",
    "news": "MSRpar|deft-news|SMT|tweet",
    "forums": "forum|belief",
    "students": "students",
}


class Triple(NamedTuple):
    """A sentence, one that means the same, and one that does not."""

    kind: str
    half: str
    rule: str
    sentence: str
    same: str
    flip: str


def read_seeds() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the kind, the half and the fields of each seed."""
    kind = half = ""
    for line in SEEDS.read_text("utf8").split("\n"):
        if line.startswith("["):
            kind, half = line.strip("[]").split()
        elif line and not line.startswith("#"):
            yield kind, half, [field.strip() for field in line.split("|")]


def negated(value: str, base: str, never: bool) -> str:
    """Negate a verb."""
    first, _, rest = value.partition(" ")
    if first in AUXILIARIES:
        return f"{first} not {rest}".strip()
    if never:
        return f"never {value}"
    if value == base:
        return f"do not {base}"
    return f"does not {base}" if value == f"{base}s" else f"did not {base}"


def misspelled(sentence: str, value: str, number: int) -> str:
    """Exchange, leave out or double a letter of a word that is not part of a value."""
    words = sentence.split(" ")
    used = set(value.lower().split())
    free = [i for i, word in enumerate(words) if word.isalpha() and word.lower() not in used]
    places = [i for i in free if len(words[i]) >= SHORTEST_MISSPELLED]
    i = places[number % len(places)] if places else max(free, key=lambda i: len(words[i]))
    word = words[i]
    k = 1 + number % max(1, len(word) - 3)
    before, letter, following, after = word[:k], word[k], word[k + 1 : k + 2], word[k + 2 :]
    if number % 3 == 0 and letter != following:
        words[i] = before + following + letter + after
    elif number % 3 == 1:
        words[i] = before + following + after
    else:
        words[i] = before + 2 * letter + following + after
    return " ".join(words)


def triples() -> list[Triple]:
    """Make the triples of all seeds."""
    result = []
    for number, (kind, half, fields) in enumerate(read_seeds()):
        if kind == "quantifier":  # some begin a sentence
            fields[2:] = [field.lower() for field in fields[2:]]
        template, paraphrase, value = fields[:3]
        equal, opposite = [*fields[3:], "", ""][:2]
        values: tuple[str, ...] = (value,)
        equals: tuple[str, ...] = (equal,)
        opposites: tuple[str, ...] = (opposite,)
        if kind == "negation":
            opposites = (negated(value, opposite, bool(number % 2)),)
        elif kind == "roles":
            values = tuple(part.strip() for part in value.split("/"))
            opposites, equals = values[::-1], ("",)

        def fill(template: str, values: tuple[str, ...]) -> str:
            text = template.format(*values)
            return text[0].upper() + text[1:]

        sentence, other = fill(template, values), fill(paraphrase, values)
        flip, other_flip = fill(template, opposites), fill(paraphrase, opposites)
        used = " ".join([*values, *opposites])
        made = [
            ("paraphrase", sentence, other, flip),
            ("paraphrase", other, sentence, other_flip),
            ("typo", sentence, misspelled(sentence, used, number), flip),
            ("both", sentence, misspelled(other, used, number + 1), flip),
        ]
        if equals != ("",):
            made.append(("synonym", sentence, fill(template, equals), flip))
        result += [Triple(kind, half, *rest) for rest in made]
    return result


class Features:
    """The columns of pairs: the cosine, all lexical features, and contrast."""

    def __init__(self, pairs: NDArray[np.object_]) -> None:
        self.encoder = ParagramEncoder()
        self.lexical = LexicalFeatures(["all", "contrast"]).fit(pairs)
        self.n_default = 1 + len(LexicalFeatures().fit(pairs[:1]).features_)

    def __call__(self, pairs: NDArray[np.object_]) -> tuple[Any, Any]:
        """Return the columns without and with the columns of contrast."""
        cosine = self.encoder.similarity(pairs[:, 0], pairs[:, 1])
        columns = np.column_stack([cosine, self.lexical.transform(pairs)])
        return columns[:, : self.n_default], columns


def cosines(encode: Any, made: list[Triple]) -> list[Any]:
    """Return the cosines of the sentences with those that mean the same, and with the others."""
    sentences, *others = (
        encode([getattr(triple, name) for triple in made]) for name in ("sentence", "same", "flip")
    )
    norms = [np.linalg.norm(side, axis=1) for side in (sentences, *others)]
    return [
        (sentences * other).sum(axis=1) / (norms[0] * norm)
        for other, norm in zip(others, norms[1:], strict=True)
    ]


def score_suite(
    features: Features, train: tuple[Any, Any], scores: Any, minilm: str | None, n_seeds: int
) -> None:
    """Print how many triples are in the right order."""
    made = triples()
    pairs = [
        np.array([(triple.sentence, getattr(triple, name)) for triple in made], dtype=object)
        for name in ("same", "flip")
    ]
    systems = {"cosine": cosines(features.encoder.encode, made)}
    if minilm:
        from sentence_transformers import SentenceTransformer

        systems["MiniLM"] = cosines(SentenceTransformer(minilm, device="cpu").encode, made)
    columns = [features(side) for side in pairs]
    kinds, rules, halves = (
        np.array([getattr(triple, name) for triple in made]) for name in ("kind", "rule", "half")
    )
    report = halves == "report"
    masks = [("all", report), ("seeds of development", ~report)]
    for names in (kinds, rules):
        masks += [(name, report & (names == name)) for name in dict.fromkeys(names.tolist())]
    tables = []
    for seed in range(n_seeds):
        for name, (k, weight) in SYSTEMS.items():
            model = FusionRegressor(linear_weight=weight, random_state=seed)
            model.fit(train[k], scores)
            systems[name] = [model.predict(side[k]) for side in columns]
        right = np.array([same > flip for same, flip in systems.values()]).T
        tables.append(
            [[name, int(mask.sum()), *right[mask].mean(axis=0).tolist()] for name, mask in masks]
        )
    titles = ["triples", "number", *systems]
    print_table("Triples in the right order", titles, over_seeds(tables))


def boosting(seed: int) -> HistGradientBoostingClassifier:
    """Return the classifier of examples/papers/transfer.py."""
    return HistGradientBoostingClassifier(
        learning_rate=0.05, max_iter=200, max_leaf_nodes=15, max_features=0.3, random_state=seed
    )


def auc(probabilities: Any, classes: Any, labels: Any) -> float:
    """Return the area under the ROC curve of contradiction against entailment."""
    contradiction, entailment = (
        probabilities[:, list(classes).index(name)] for name in ("contradiction", "entailment")
    )
    rows = labels != "neutral"
    scores = contradiction / np.maximum(contradiction + entailment, 1e-30)
    return float(roc_auc_score(labels[rows] == "contradiction", scores[rows]))


def score_entailment(
    features: Features, train: Any, labels: Any, data: Path, n_seeds: int
) -> None:
    """Print the areas under the ROC curve."""
    trial = fetch_sick("trial", data_home=data, download_if_missing=False)
    of_trial, gold_of_trial = features(trial.data), np.char.lower(trial.entailment.astype(str))
    first, second, gold = (
        np.array((data / f"nli/snli/{name}.dev").read_text("utf8").removesuffix("\n").split("\n"))
        for name in ("s1", "s2", "labels")
    )
    of_snli = features(np.array([first, second], dtype=object).T)
    tables = []
    for seed in range(n_seeds):
        rows: list[list[Any]] = [["SICK, trial", len(gold_of_trial)]]
        for learned, new in zip(train, of_trial, strict=True):
            model = boosting(seed).fit(learned, labels)
            rows[0].append(auc(model.predict_proba(new), model.classes_, gold_of_trial))
        rows.append(["SNLI, five folds", len(gold)])
        splitter = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
        folds = list(splitter.split(of_snli[0], gold, first))
        for columns in of_snli:
            probabilities = np.empty((len(gold), 3))
            for learned, held_out in folds:
                model = boosting(seed).fit(columns[learned], gold[learned])
                probabilities[held_out] = model.predict_proba(columns[held_out])
            rows[1].append(auc(probabilities, model.classes_, gold))
        tables.append(rows)
    titles = ["pairs", "number", "boosting", "+ contrast"]
    print_table("Contradiction against entailment, AUC", titles, over_seeds(tables, 4), digits=4)


def score_left_out(columns: tuple[Any, Any], sts: Any, n_seeds: int) -> None:
    """Print correlations on kinds of text that were left out of training."""
    tables = []
    for seed in range(n_seeds):
        rows: list[list[Any]] = []
        for kind, pattern in KINDS.items():
            test = np.array([bool(re.search(pattern, name)) for name in sts.groups])
            row: list[Any] = [kind, int(test.sum())]
            for k, weight in SYSTEMS.values():
                model = FusionRegressor(linear_weight=weight, random_state=seed)
                model.fit(columns[k][~test], sts.target[~test])
                predicted = model.predict(columns[k][test])
                names, counts = np.unique(sts.groups[test], return_counts=True)
                values = [
                    pearson_score(sts.target[test][own], predicted[own])
                    for own in (sts.groups[test] == name for name in names)
                ]
                row.append(float(np.average(values, weights=counts)))
            rows.append(row)
        means = np.mean([row[2:] for row in rows], axis=0).tolist()
        rows.append(["mean", sum(row[1] for row in rows), *means])
        tables.append(rows)
    titles = ["kind", "pairs", *SYSTEMS]
    print_table("Left-out kinds, r", titles, over_seeds(tables, 4), digits=4)


def measure_speed(pairs: NDArray[np.object_], repeats: int) -> None:
    """Print how many pairs a second of processor time takes."""
    rows: list[list[Any]] = []
    for name, groups in (("all", "all"), ("contrast", "contrast"), ("both", ["all", "contrast"])):
        lexical = LexicalFeatures(groups).fit(pairs[:1])
        lexical.transform(pairs)
        seconds = []
        for _ in range(repeats):
            start = time.process_time()
            lexical.transform(pairs)
            seconds.append(time.process_time() - start)
        rows.append([name, len(lexical.features_), round(len(pairs) / float(np.median(seconds)))])
    print_table("Speed on one core", ["group", "features", "pairs/s"], rows)


def main() -> None:
    """Print the tables."""
    options = parser(__doc__)
    options.add_argument("--minilm", metavar="FOLDER", help="all-MiniLM-L6-v2")
    options.add_argument("--seeds", type=int, default=3, help="runs of what is trained")
    args = parse(options)
    parts = [part for part in PARTS if args.only in part]
    years = (2012, 2013, 2014, 2015)
    sts = fetch_sts(years, split="all", data_home=args.data, download_if_missing=False)
    sick = fetch_sick("train", data_home=args.data, download_if_missing=False)
    labels = np.char.lower(sick.entailment.astype(str))
    features = Features(np.vstack([sts.data, sick.data]))
    if "speed" in parts:
        measure_speed(sts.data[-N_TIMED:], args.repeats)
    if parts == ["speed"]:
        return
    of_sick = features(sick.data)
    if "entailment" in parts:
        score_entailment(features, of_sick, labels, args.data, args.seeds)
    if "suite" in parts or "left-out" in parts:
        of_sts = features(sts.data)
    if "suite" in parts:
        train = tuple(np.vstack(both) for both in zip(of_sts, of_sick, strict=True))
        # STS has scores from 0 to 5, SICK from 1 to 5.
        relatedness = np.where(labels == "contradiction", 0, 1.25 * (sick.target - 1))
        scores = np.concatenate([sts.target, relatedness])
        score_suite(features, train, scores, args.minilm, args.seeds)
    if "left-out" in parts:
        score_left_out(of_sts, sts, args.seeds)


if __name__ == "__main__":
    main()
