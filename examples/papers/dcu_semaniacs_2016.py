"""Tables 1 to 6 of the DCU-SEManiacs paper with our results, and later extensions.

    python examples/papers/dcu_semaniacs_2016.py --data DATA --teacher models/all-MiniLM-L6-v2
    python examples/papers/dcu_semaniacs_2016.py --data DATA --tables 1        # development only

Tables
1  trained on 2012-2014, scored on 2015: lexical features, the cosine, both
2  trained on 2012-2015, scored on 2016, by run
3  pairs with Spanish sentences, by run
4  the most important features of fusion
5  words of 2016 that the packaged vectors do not have
6  the features of the paper, each alone
a  kinds of adaptation to the sentences to be scored, alone and together, on 2015
b  STS Benchmark, trained on its train part

Runs
raw            cosine of the packaged vectors, without training
task-internal  vectors trained on the pairs of earlier years with a score of at least 3.8
synthetic      also trained on a paraphrase of each sentence to be scored, translated into Spanish
               and back
fusion         both similarities and lexical features, combined by gradient boosting and a linear
               model; document frequencies include the sentences to be scored, and training pairs
               that are similar to the pairs to be scored have higher weights
taught cosine  the synthetic encoder alone, after training its vectors to match a teacher's cosines
               of all sentences; the teacher, a transformer, is not needed to predict
taught         fusion with such vectors
transformer    the same with the transformer's own similarity as another feature
t. taught      taught, with a teacher that was tuned first on the training pairs, for two epochs
               (with --tune: 25 minutes more for each of the tables 1, 2 and b)
t. transf.     the same with the transformer's own similarities, before and after tuning, as
               features

As in the task, no score of the year itself is used. Settings were chosen on 2012-2015: those of
the encoders on 2013, 2014 and 2015, each after training on the years before; those of the
regressor by leaving out kinds of text (14 sources, 5 folds). docs/results.rst lists what else was
tried.

The cross-lingual runs translate Spanish sentences into English and then treat all pairs as
English. They score the English-Spanish training pairs of 2017 (after training on 2012-2015) and
the test part of STS Benchmark in Spanish (after training on its English train part), with both
sentences in Spanish and with the second in English. Apertium translates; the paper used Google.

C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings
for semantic textual similarity. SemEval.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.utils import Bunch

from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SentenceTransformerFeature,
    WordVectors,
    make_sts_pipeline,
)
from skpara.augment import PivotParaphraser, TranslateToEnglish
from skpara.datasets import fetch_sts, fetch_sts_benchmark, fetch_sts_cross_lingual
from skpara.encoders import CachedModel
from skpara.metrics import (
    pearson_score,
    pearson_scorer,
    semeval_intervals,
    semeval_score,
    williams_test,
)

Numbers = NDArray[np.float64]
SEED = 0
# Table 1: the authors' model of 2015, their cosine, both.
PAPER_2015 = {
    "answers-forums": (0.673, 0.647, 0.672),
    "answers-students": (0.682, 0.773, 0.732),
    "belief": (0.708, 0.774, 0.762),
    "headlines": (0.810, 0.748, 0.816),
    "images": (0.840, 0.826, 0.850),
    "ALL": (0.743, 0.754, 0.766),
}
# Table 2: task-internal, synthetic, fusion, median and best system.
PAPER_2016 = {
    "answer-answer": (0.627, 0.688, 0.583, 0.480, 0.692),
    "headlines": (0.719, 0.687, 0.764, 0.764, 0.827),
    "plagiarism": (0.808, 0.819, 0.814, 0.789, 0.841),
    "postediting": (0.809, 0.809, 0.847, 0.812, 0.867),
    "question-question": (0.516, 0.506, 0.566, 0.571, 0.747),
    "ALL": (0.699, 0.713, 0.717, 0.689, 0.778),
}
PAPER_UNKNOWN = {
    "answer-answer": 0.81,
    "headlines": 4.86,
    "plagiarism": 4.9,
    "postediting": 4.2,
    "question-question": 3.2,
}
PAPER_GINI = (
    *(("task-internal similarity", 0.337), ("synthetic similarity", 0.073)),
    *(("cosine_icf", 0.054), ("weight_word_match_olc", 0.049), ("wn_sim_lem", 0.042)),
    *(("rel_len_diff_lc", 0.038), ("product_w2v", 0.036), ("number_f", 0.033), ("nn_w2v", 0.028)),
)


class System:
    """The parts of ``make_sts_pipeline`` and their features of the pairs, computed once.

    The regressor can combine any selection of the parts without computing them again. ``parts``
    maps a name to features of the training pairs (out of fold if the encoder learns from their
    scores) and of the pairs to score.
    """

    def __init__(
        self, train: Bunch, test: Bunch, teacher: Any = None, tune: str | None = None
    ) -> None:
        self.train, self.test, self.teacher, self.tune = train, test, teacher, tune
        self.parts: dict[str, tuple[Numbers, Numbers]] = {}
        self.names: dict[str, list[str]] = {}

    def add(self, name: str, part: Any, *, unlabeled: bool) -> None:
        """Fit a part, with or without the sentences to be scored."""
        start = time.perf_counter()
        part = clone(part)
        more = {"unlabeled": self.test.data.ravel()} if unlabeled else {}
        learned = part.fit_transform(self.train.data, self.train.target, **more)
        self.parts[name] = learned, part.transform(self.test.data)
        self.names[name] = part.get_feature_names_out().tolist()
        print(f"  {name}: {time.perf_counter() - start:.0f} s", flush=True)

    def add_all(self) -> None:
        """Add all parts of the system, adapted to the sentences to be scored."""
        own = parts_of(make_sts_pipeline(paraphraser=PivotParaphraser(["es"]), random_state=SEED))
        self.add("lexical", own["lexical"], unlabeled=True)
        self.add("task-internal", own["encoder"], unlabeled=False)
        self.add("synthetic", own["synthetic"], unlabeled=True)
        if self.teacher is None:
            return
        self.add_taught("taught", self.teacher)
        self.add("transformer", SentenceTransformerFeature(self.teacher), unlabeled=False)
        if self.tune is None:
            return
        start = time.perf_counter()
        tuned = SentenceTransformerFeature(self.tune, max_iter=2, random_state=SEED)
        tuned.fit(self.train.data, self.train.target, groups=self.train.groups)
        print(f"  tuning: {time.perf_counter() - start:.0f} s", flush=True)
        model = CachedModel(tuned)
        self.add_taught("tuned", model)
        self.add("transformer, tuned", SentenceTransformerFeature(model), unlabeled=False)

    def add_taught(self, by: str, teacher: Any) -> None:
        """Add the parts that learn from a teacher."""
        parts = parts_of(
            make_sts_pipeline(
                paraphraser=PivotParaphraser(["es"]), teacher=teacher, random_state=SEED
            )
        )
        self.add(f"synthetic, {by}", parts["synthetic"], unlabeled=True)
        self.add(by, parts["taught"], unlabeled=True)

    def fuse(self, *names: str, domain: bool = True) -> tuple[Numbers, FusionRegressor]:
        """Return scores by the regressor on a selection of the parts, and the regressor."""
        learned, scored = (np.hstack([self.parts[n][side] for n in names]) for side in (0, 1))
        model = FusionRegressor(n_repeats=3, random_state=SEED)
        more = {"domain": scored} if domain else {}
        model.fit(learned, self.train.target, groups=self.train.groups, **more)
        return model.predict(scored), model

    def runs(self) -> dict[str, Numbers]:
        """Return the scores of the pairs by run."""
        data = self.test.data
        runs = {
            "raw": ParagramEncoder().similarity(data[:, 0], data[:, 1]),
            "task-internal": self.parts["task-internal"][1].ravel(),
            "synthetic": self.parts["synthetic"][1].ravel(),
        }
        if self.teacher is not None:
            runs["taught cosine"] = self.parts["synthetic, taught"][1].ravel()
        runs["fusion"] = self.fuse("task-internal", "synthetic", "lexical")[0]
        if self.teacher is not None:
            parts = ("task-internal", "synthetic, taught", "taught", "lexical")
            runs["taught"] = self.fuse(*parts)[0]
            runs["transformer"] = self.fuse(*parts, "transformer")[0]
            runs["(its cosine)"] = self.parts["transformer"][1].ravel()
        if self.tune is not None:
            parts = ("task-internal", "synthetic, tuned", "tuned", "lexical")
            runs["t. cosine"] = self.parts["synthetic, tuned"][1].ravel()
            runs["t. taught"] = self.fuse(*parts)[0]
            runs["t. transf."] = self.fuse(*parts, "transformer", "transformer, tuned")[0]
            runs["(tuned cosine)"] = self.parts["transformer, tuned"][1].ravel()
        return runs


def parts_of(pipeline: Any) -> dict[str, Any]:
    """Return the parts of the pipeline's features, by name."""
    return dict(pipeline["features"].transformer_list)


def show_runs(
    test: Bunch, runs: dict[str, Numbers], theirs: dict[str, tuple[float, ...]], heads: list[str]
) -> None:
    """Print correlations of each set by run, the task's mean with intervals, and tests."""
    reports = {
        name: semeval_intervals(test.target, scores, test.groups, random_state=SEED)
        for name, scores in runs.items()
    }
    first = next(iter(reports.values()))
    print(f"\n{'':<18}" + "".join(f"{head:>15}" for head in [*runs, *heads]))
    for i, group in enumerate(first.groups):
        row = [report.pearson[i].value for report in reports.values()]
        show_row(group.split("/")[-1], row, theirs)
    show_row("mean of sets", [r.pearson_over_sets.value for r in reports.values()], {})
    show_row("ALL", [r.pearson_over_pairs.value for r in reports.values()], theirs)
    for end in ("low", "high"):
        ends = [getattr(r.pearson_over_pairs, end) for r in reports.values()]
        show_row(f"  95 %, {end} end", ends, {})
    print("ALL: mean over the sets weighted by their pairs, the task's measure")
    gold = within_sets(test.target, test.groups)
    for before, after in zip(runs, list(runs)[1:], strict=False):
        a, b = (within_sets(runs[name], test.groups) for name in (after, before))
        result = williams_test(gold, a, b)
        print(f"Williams' test, {after} against {before}: p = {result.pvalue:.2g}")


def show_row(name: str, values: list[float], theirs: dict[str, tuple[float, ...]]) -> None:
    """Print a line of the table: our figures, then the paper's."""
    print(f"{name:<18}" + "".join(f"{value:>15.3f}" for value in (*values, *theirs.get(name, ()))))


def within_sets(scores: Numbers, groups: NDArray[Any]) -> Numbers:
    """Standardize scores within each set; their correlation over all pairs is "ALL"."""
    standardized = np.asarray(scores, dtype=np.float64).copy()
    for group in np.unique(groups):
        rows = groups == group
        standardized[rows] -= standardized[rows].mean()
        standardized[rows] /= standardized[rows].std()
    return standardized


def table_1(data: str | None, teacher: Any, tune: str | None) -> None:
    """Print Table 1: development on 2015."""
    test = fetch_sts(2015, data_home=data)
    train = fetch_sts(range(2012, 2015), split="all", data_home=data)
    system = System(train, test, teacher, tune)
    system.add_all()
    runs = {"lexical": system.fuse("lexical")[0], **system.runs()}
    show_runs(test, runs, PAPER_2015, ["paper lexical", "paper raw", "paper both"])


def tables_2_and_4(data: str | None, teacher: Any, tune: str | None) -> None:
    """Print Tables 2 and 4: 2016, and the important features."""
    test = fetch_sts(2016, data_home=data)
    train = fetch_sts(range(2012, 2016), split="all", data_home=data)
    system = System(train, test, teacher, tune)
    system.add_all()
    heads = ["paper t.-i.", "paper synth.", "paper fusion", "median", "best 2016"]
    show_runs(test, system.runs(), PAPER_2016, heads)

    print("\nTable 4: importance in fusion, and the paper's")
    parts = ("task-internal", "synthetic", "lexical")
    model = system.fuse(*parts)[1]
    names = ["task-internal similarity", "synthetic similarity", *system.names["lexical"]]
    scored = np.hstack([system.parts[part][1] for part in parts])
    shuffled = permutation_importance(
        model, scored, test.target, scoring=pearson_scorer, n_repeats=5, random_state=SEED
    ).importances_mean
    gini = model.feature_importances_
    print(f"{'':30}{'Gini':>8}{'permuted':>10}")
    for i in np.argsort(-gini)[:10]:
        print(f"{names[i]:30}{gini[i]:>8.3f}{shuffled[i]:>10.4f}")
    print("largest loss of r when shuffled, on 2016:")
    for i in np.argsort(-shuffled)[:10]:
        print(f"{names[i]:30}{gini[i]:>8.3f}{shuffled[i]:>10.4f}")
    print("the paper's, by Gini: " + ", ".join(f"{n} {value:.3f}" for n, value in PAPER_GINI))


def table_3(data: str | None) -> None:
    """Print Table 3: pairs with Spanish sentences."""
    past = fetch_sts(range(2012, 2016), split="all", data_home=data)
    benchmark = fetch_sts_benchmark("train", data_home=data)
    english = fetch_sts_benchmark("test", data_home=data)
    spanish = fetch_sts_benchmark("test", language="es", data_home=data)
    mixed = np.column_stack([spanish.data[:, 0], english.data[:, 1]])
    captions, news = (english.genres == f"main-{genre}" for genre in ("captions", "news"))
    parts = {"all": np.full(len(captions), True), "captions": captions, "news": news}
    parts["forums"] = ~captions & ~news
    of_2017 = fetch_sts_cross_lingual(data_home=data)
    sets = {
        "2017 training, English-Spanish": (past, of_2017.data, of_2017.target, None),
        "STS Benchmark, Spanish-Spanish": (benchmark, spanish.data, spanish.target, parts),
        "STS Benchmark, Spanish-English": (benchmark, mixed, spanish.target, parts),
    }
    own = parts_of(make_sts_pipeline(paraphraser=PivotParaphraser(["es"]), random_state=SEED))
    for name, (train, pairs, target, chosen) in sets.items():
        translated = TranslateToEnglish(["en", "es"]).fit_transform(pairs)
        system = System(train, Bunch(data=translated, target=target, groups=None))
        print(name)
        system.add("task-internal", own["encoder"], unlabeled=False)
        system.add("synthetic", own["synthetic"], unlabeled=True)
        system.add("lexical", own["lexical"], unlabeled=True)
        runs = system.runs()
        print(f"{'':42}" + "".join(f"{run:>15}" for run in runs))
        for part, rows in (chosen or {"all": np.full(len(target), True)}).items():
            scores = [pearson_score(target[rows], scored[rows]) for scored in runs.values()]
            show = "".join(f"{score:>15.3f}" for score in scores)
            print(f"{part:12}{rows.sum():>6}{'':24}{show}", flush=True)


def table_5(data: str | None) -> None:
    """Print Table 5: words without a vector."""
    vectors = WordVectors.load("default")
    test = fetch_sts(2016, data_home=data)
    print(f"{'':20}{'% unknown':>12}{'paper':>8}")
    for group in np.unique(test.groups):
        tokens = vectors.vocabulary.token_ids(test.data[test.groups == group].ravel().tolist())
        unknown = 100 * np.mean(tokens.ids >= len(vectors))
        name = str(group).split("/")[1]
        print(f"{name:20}{unknown:>12.2f}{PAPER_UNKNOWN[name]:>8.2f}")
    print(f"{len(vectors)} words; the paper's vectors had 42,091. Here unknown words get vectors")
    print("from their character n-grams; in the paper they got the vector of a rare word.")


def table_6(data: str | None) -> None:
    """Print Table 6: the paper's features, each alone on 2015 and 2016, without training."""
    tests = [fetch_sts(year, data_home=data) for year in (2015, 2016)]
    lexical = LexicalFeatures("dcu").fit(np.concatenate([test.data for test in tests]))
    names = lexical.get_feature_names_out()
    scores = []
    for test in tests:
        features = within_sets_columns(lexical.transform(test.data), test.groups)
        gold = within_sets(test.target, test.groups)
        scores.append([float(np.mean(gold * column)) for column in features.T])
    print(f"{'':30}{'2015':>8}{'2016':>8}")
    for name, *row in zip(names, *scores, strict=True):
        print(f"{name:30}" + "".join(f"{score:>8.3f}" for score in row))


def within_sets_columns(features: Numbers, groups: NDArray[Any]) -> Numbers:
    """Standardize each column within each set; constant columns become zeros."""
    with np.errstate(invalid="ignore"):
        columns = [np.nan_to_num(within_sets(column, groups)) for column in features.T]
    return np.column_stack(columns)


def adaptation(data: str | None, teacher: Any) -> None:
    """Print the kinds of adaptation alone and together, on 2015."""
    test = fetch_sts(2015, data_home=data)
    system = System(fetch_sts(range(2012, 2015), split="all", data_home=data), test, teacher)
    pivot = PivotParaphraser(["es"])
    own = parts_of(make_sts_pipeline(paraphraser=pivot, random_state=SEED))
    system.add("ti", own["encoder"], unlabeled=False)
    system.add("lex", own["lexical"], unlabeled=False)
    system.add("lex, counted", own["lexical"], unlabeled=True)
    system.add("syn", own["synthetic"], unlabeled=False)
    system.add("syn, pivot", own["synthetic"], unlabeled=True)
    copies = parts_of(make_sts_pipeline(random_state=SEED))["synthetic"]
    system.add("syn, copies", copies, unlabeled=True)
    naive = clone(own["encoder"]).set_params(cross_fit=None)
    system.add("ti, naive", naive, unlabeled=False)
    # The combined parts, and whether training pairs similar to those to be scored weigh more.
    sets = {
        "none": (("ti", "syn", "lex"), False),
        "document frequencies": (("ti", "syn", "lex, counted"), False),
        "pivot paraphrases": (("ti", "syn, pivot", "lex"), False),
        "domain weights": (("ti", "syn", "lex"), True),
        "these three": (("ti", "syn, pivot", "lex, counted"), True),
        "with copies for paraphrases": (("ti", "syn, copies", "lex, counted"), True),
        "none, one encoder": (("ti", "lex"), False),
        "none, one encoder, no cross_fit": (("ti, naive", "lex"), False),
    }
    if teacher is not None:
        with_teacher = make_sts_pipeline(paraphraser=pivot, teacher=teacher, random_state=SEED)
        for name, unlabeled in (("of train", False), ("of all", True)):
            for part in ("synthetic", "taught"):
                system.add(f"{part} {name}", parts_of(with_teacher)[part], unlabeled=unlabeled)
        taught = ("synthetic of all", "taught of all")
        alone = clone(parts_of(with_teacher)["synthetic"]).set_params(paraphraser=None)
        system.add("syn, teacher alone", alone, unlabeled=True)
        sets |= {
            "teacher": (("ti", "syn, teacher alone", "taught of all", "lex"), False),
            "all four": (("ti", *taught, "lex, counted"), True),
            "teacher, of train only": (
                ("ti", "synthetic of train", "taught of train", "lex"),
                False,
            ),
        }
    for name, (parts, domain) in sets.items():
        scores = system.fuse(*parts, domain=domain)[0]
        report = semeval_intervals(test.target, scores, test.groups, random_state=SEED)
        value, low, high = report.pearson_over_pairs
        print(f"{name:36}{value:>8.3f}   {low:.3f} to {high:.3f}", flush=True)
    if teacher is not None:
        shown_and_not(test, teacher)


def shown_and_not(test: Bunch, teacher: Any) -> None:
    """Print the effect of a teacher of half of the pairs on the cosines of the other half."""
    shown = np.zeros(len(test.target), dtype=bool)
    rng = np.random.default_rng(SEED)
    for group in np.unique(test.groups):
        rows = rng.permutation(np.flatnonzero(test.groups == group))
        shown[rows[: len(rows) // 2]] = True
    raw = ParagramEncoder()
    taught = clone(raw).set_params(teacher=teacher, max_iter=0, random_state=SEED)
    taught.fit(test.data[shown])
    print("\ncosines on 2015, with the sentences of half of the pairs passed to the teacher")
    print(f"{'':12}{'raw':>8}{'taught':>8}")
    for name, rows in (("that half", shown), ("the other", ~shown)):
        a, b = test.data[rows].T
        scores = [
            semeval_score(test.target[rows], encoder.similarity(a, b), test.groups[rows])
            for encoder in (raw, taught)
        ]
        print(f"{name:12}" + "".join(f"{score:>8.3f}" for score in scores))


def benchmark(data: str | None, teacher: Any, tune: str | None) -> None:
    """Print results on STS Benchmark, trained on its train part."""
    train, dev, test = (fetch_sts_benchmark(p, data_home=data) for p in ("train", "dev", "test"))
    for name, part in (("dev", dev), ("test", test)):
        system = System(train, part, teacher, tune)
        system.add_all()
        print(f"{name} ({len(part.target)} pairs)")
        for run, scores in system.runs().items():
            print(f"  {run:20}{pearson_score(part.target, scores):.3f}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", help="folder of the STS files; default $SKPARA_DATA or cache")
    parser.add_argument("--tables", nargs="+", default=list("123456ab"), choices=list("123456ab"))
    parser.add_argument("--teacher", metavar="PATH", help="a sentence-transformers model")
    parser.add_argument("--tune", action="store_true", help="add runs with a tuned teacher")
    args = parser.parse_args()
    if args.tune and not args.teacher:
        parser.error("--tune needs a --teacher")
    teacher = CachedModel(args.teacher) if args.teacher else None
    tune = args.teacher if args.tune else None
    tables = {
        "1": ("Development on 2015", partial(table_1, args.data, teacher, tune)),
        "2": ("2016 by run", partial(tables_2_and_4, args.data, teacher, tune)),
        "3": ("Cross-lingual", partial(table_3, args.data)),
        "4": ("Importance: printed with table 2", None),
        "5": ("Unknown words", partial(table_5, args.data)),
        "6": ("Features, each alone", partial(table_6, args.data)),
        "a": ("Adaptation, on 2015", partial(adaptation, args.data, teacher)),
        "b": ("STS Benchmark", partial(benchmark, args.data, teacher, tune)),
    }
    for key in args.tables:
        title, show = tables[key]
        print(f"\nTable {key}: {title}", flush=True)
        if show is not None:
            show()


if __name__ == "__main__":
    main()
