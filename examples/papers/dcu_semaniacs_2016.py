"""Tables 1 to 6 of the DCU-SEManiacs paper with our results, and later extensions.

    python examples/papers/dcu_semaniacs_2016.py --data DATA --teacher models/all-MiniLM-L6-v2
    python examples/papers/dcu_semaniacs_2016.py --data DATA --tables 1        # development only
    python examples/papers/dcu_semaniacs_2016.py --data DATA --tables 2 --limit 10   # a quick try

Tables
1  trained on 2012-2014, scored on 2015, by system
2  trained on the years before 2016 (or --year), scored on 2016, by system
3  pairs with Spanish sentences, by system
4  the most important features of fusion
5  words of 2016 that the packaged vectors do not have
6  the features of the paper, each alone
a  kinds of adaptation to the sentences to be scored, alone and together, on 2015
b  STS Benchmark, trained on its train part

Systems of tables 1 and 2
raw cosine     cosine of the packaged vectors, without training
task-internal  cosine of vectors that learned the scores of the pairs of earlier years
synthetic      of vectors trained on the paraphrases among them (pairs with at least 3.8),
               and on a paraphrase of each sentence to be scored, translated into Spanish and back
fusion         both similarities and lexical features, combined by gradient boosting and a linear
               model; document frequencies include the sentences to be scored
taught cosine  the synthetic encoder alone, after training its vectors to match a teacher's cosines
               of all sentences; the teacher, a transformer, is not needed to predict
taught         fusion with such vectors
transformer    the same with the transformer's own similarity as another feature
tuned ...      with a teacher that was tuned first on the training pairs, for two epochs (with
               --tune FOLDER, where the tuned models are stored: 25 minutes more for each seed
               and each of the tables 1, 2 and b)
inductive      fusion and taught that did not see the sentences to be scored, as for a model that
               is trained once and then scores what comes
no vectors     inductive fusion of the lexical features that need no word vectors
teacher-free   the systems with the vectors of --teacher-free-vectors; the packaged vectors were
               distilled from a transformer
paper's        the configuration of the paper, with the packaged vectors: its margin objective,
               18 features, and scikit-learn's GradientBoostingRegressor with its defaults

The column "saw test" says whether a system saw the sentences to be scored, without their scores,
before it scored them. What is trained is trained by --seeds runs: tables show the mean, with the
smallest and largest value of ALL or r in brackets. Intervals are of a bootstrap over the pairs,
the mean of the runs' bounds. Of the p-values of Williams' test, one for each seed, the largest is
shown.

As in the task, no score of the year itself is used. Settings were chosen on 2012-2015: the
encoders' settings on 2013, 2014 and 2015, each after training on the years before; the
regressor's settings by leaving out kinds of text (14 sources, 5 folds).

The cross-lingual runs translate Spanish sentences into English and then treat all pairs as
English. They score the English-Spanish training pairs of 2017 (after training on 2012-2015) and
the test part of STS Benchmark in Spanish (after training on its English train part), with both
sentences in Spanish and with the second in English. Apertium translates; the paper used Google.

C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings
for semantic textual similarity. SemEval.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
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
    paper_settings,
)
from skpara.augment import PivotParaphraser, TranslateToEnglish
from skpara.datasets import fetch_sts, fetch_sts_benchmark
from skpara.encoders import CachedModel
from skpara.metrics import (
    pearson_score,
    pearson_scorer,
    semeval_intervals,
    semeval_score,
)

sys.path.insert(0, str(Path(__file__).parents[1]))
from cross_lingual import fetch_sts_cross_lingual, fetch_translated_benchmark
from result_tables import Cell, mean_and_range, number, print_table, progress, script_parser

Numbers = NDArray[np.float64]
SEED = 0
PAPER_2015_SYSTEMS = ("model of 2015", "cosine", "both")
PAPER_2015 = {
    "answers-forums": (0.673, 0.647, 0.672),
    "answers-students": (0.682, 0.773, 0.732),
    "belief": (0.708, 0.774, 0.762),
    "headlines": (0.810, 0.748, 0.816),
    "images": (0.840, 0.826, 0.850),
    "ALL": (0.743, 0.754, 0.766),
}
PAPER_2016_SYSTEMS = ("task-internal", "synthetic", "fusion", "median", "best system of 2016")
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


@dataclass
class Run:
    """The scores of a system for the pairs of a test set, by each seed."""

    name: str
    scores: list[Numbers]  # one array if nothing is drawn at random
    saw_test: bool
    # The system that it is tested against.
    against: str | None = None


class System:
    """The parts of the systems, and their features of the pairs, computed once.

    The regressor can combine any selection of the parts without computing them again. ``parts``
    maps a name to features of the training pairs (out of fold if the encoder learns from their
    scores) and of the pairs to score, for each seed.
    """

    def __init__(
        self,
        train: Bunch,
        test: Bunch,
        teacher: Any = None,
        tuned_models: Path | None = None,
        n_seeds: int = 1,
    ) -> None:
        self.train, self.test, self.teacher, self.tuned_models = train, test, teacher, tuned_models
        self.seeds = range(SEED, SEED + n_seeds)
        self.parts: dict[str, list[tuple[Numbers, Numbers]]] = {}
        self.names: dict[str, list[str]] = {}
        self.fitted: dict[tuple[str, ...], list[FusionRegressor]] = {}

    def add(self, name: str, *parts: Any, unlabeled: bool) -> list[Numbers]:
        """Fit a part, with or without the sentences to be scored; return features of these.

        A part that is trained is fitted once for each seed. Several parts are one for each seed.
        """
        start = time.perf_counter()
        seeded = [key for key in parts[0].get_params() if key.endswith("random_state")]
        more = {"unlabeled": self.test.data.ravel()} if unlabeled else {}
        # Without anything that is drawn at random, one run stands for all.
        n_runs = len(self.seeds) if seeded else len(parts)
        made = []
        for run in range(n_runs):
            part = clone(parts[run % len(parts)])
            part.set_params(**dict.fromkeys(seeded, self.seeds[run]))
            learned = part.fit_transform(self.train.data, self.train.target, **more)
            made.append((learned, part.transform(self.test.data)))
            self.names[name] = part.get_feature_names_out().tolist()
        self.parts[name] = [made[run % n_runs] for run in range(len(self.seeds))]
        progress(name, start)
        return [scored for _, scored in made]

    def add_cosine(self, name: str, *encoders: Any, unlabeled: bool) -> list[Numbers]:
        """Add a part with one feature, a cosine; return it for the pairs to score."""
        return [cosine.ravel() for cosine in self.add(name, *encoders, unlabeled=unlabeled)]

    def features(self, *names: str) -> list[tuple[Numbers, Numbers]]:
        """Return the features of several parts for each seed: of training pairs, of the others."""
        by_seed = zip(*(self.parts[name] for name in names), strict=True)
        return [
            (np.hstack([learned for learned, _ in parts]), np.hstack([s for _, s in parts]))
            for parts in by_seed
        ]

    def regressors(self, *names: str) -> list[FusionRegressor]:
        """Return the regressor of each seed, fitted once on a selection of the parts."""
        if names not in self.fitted:
            self.fitted[names] = [
                FusionRegressor(score_range=(0, 5), n_repeats=3, random_state=seed).fit(
                    learned, self.train.target, groups=self.train.groups
                )
                for seed, (learned, _) in zip(self.seeds, self.features(*names), strict=True)
            ]
        return self.fitted[names]

    def fuse(self, *names: str) -> list[Numbers]:
        """Return the scores of each seed by the regressor on a selection of the parts."""
        return [
            model.predict(scored)
            for model, (_, scored) in zip(
                self.regressors(*names), self.features(*names), strict=True
            )
        ]

    def ours(self) -> list[Run]:
        """Return our systems, adapted to the sentences to be scored."""
        own = own_parts()
        self.add("lexical", own["lexical"], unlabeled=True)
        internal = self.add_cosine("task-internal", own["encoder"], unlabeled=False)
        synthetic = self.add_cosine("synthetic", own["synthetic"], unlabeled=True)
        fusion = self.fuse("task-internal", "synthetic", "lexical")
        runs = [
            Run("raw cosine", [raw_cosines(self.test)], False),
            Run("task-internal", internal, False, "raw cosine"),
            Run("synthetic", synthetic, True, "task-internal"),
            Run("lexical features alone", self.fuse("lexical"), True),
            Run("fusion", fusion, True, "synthetic"),
        ]
        return runs + self.taught() + self.tuned()

    def taught(self) -> list[Run]:
        """Return the systems with a teacher."""
        if self.teacher is None:
            return []
        cosine = self.add_taught("taught", self.teacher)
        parts = ("task-internal", "synthetic, taught", "taught", "lexical")
        transformer = SentenceTransformerFeature(self.teacher)
        its_cosine = self.add_cosine("transformer", transformer, unlabeled=False)
        return [
            Run("taught cosine", cosine, True, "synthetic"),
            Run("taught", self.fuse(*parts), True, "fusion"),
            Run("transformer", self.fuse(*parts, "transformer"), True, "taught"),
            Run("(its cosine)", its_cosine, False, "taught"),
        ]

    def tuned(self) -> list[Run]:
        """Return the systems with a teacher that is tuned on the training pairs."""
        if self.tuned_models is None:
            return []
        models = [CachedModel(self.tuned_model(self.tuned_models, seed)) for seed in self.seeds]
        cosine = self.add_taught("tuned", *models)
        transformers = [SentenceTransformerFeature(model) for model in models]
        its_cosine = self.add_cosine("transformer, tuned", *transformers, unlabeled=False)
        parts = ("task-internal", "synthetic, tuned", "tuned", "lexical")
        everything = (*parts, "transformer", "transformer, tuned")
        return [
            Run("tuned taught cosine", cosine, True, "taught cosine"),
            Run("tuned taught", self.fuse(*parts), True, "taught"),
            Run("tuned transformer", self.fuse(*everything), True, "transformer"),
            Run("(tuned cosine)", its_cosine, False, "tuned taught"),
        ]

    def tuned_model(self, folder: Path, seed: int) -> Path:
        """Tune the teacher on the training pairs, unless that has been done; return its path."""
        path = folder / f"{len(self.train.target)}-pairs-seed-{seed}"
        if path.exists():
            return path
        from fine_tuning import fine_tune
        from sentence_transformers import SentenceTransformer

        start = time.perf_counter()
        model = SentenceTransformer(self.teacher.model)
        fine_tune(model, self.train.data, self.train.target, self.train.groups, 2, seed)
        unfinished = path.with_suffix(".part")
        model.save(str(unfinished))
        unfinished.replace(path)
        progress(path.name, start)
        return path

    def add_taught(self, by: str, *teachers: Any, unlabeled: bool = True) -> list[Numbers]:
        """Add the parts that learn from a teacher; return the cosines of the synthetic one."""
        parts = [own_parts(teacher=teacher) for teacher in teachers]
        synthetic, taught = ([made[name] for made in parts] for name in ("synthetic", "taught"))
        cosine = self.add_cosine(f"synthetic, {by}", *synthetic, unlabeled=unlabeled)
        self.add(by, *taught, unlabeled=unlabeled)
        return cosine

    def inductive(self) -> list[Run]:
        """Return our systems that do not see the sentences to be scored."""
        own = own_parts()
        self.add("lexical, inductive", own["lexical"], unlabeled=False)
        self.add("synthetic, inductive", own["synthetic"], unlabeled=False)
        self.add_columns("no vectors", "lexical, inductive", features_without_vectors())
        parts = ("task-internal", "synthetic, inductive", "lexical, inductive")
        runs = [
            Run("no vectors", self.fuse("no vectors"), False, "raw cosine"),
            Run("fusion, inductive", self.fuse(*parts), False, "fusion"),
        ]
        if self.teacher is not None:
            by = "taught, inductive"
            cosine = self.add_taught(by, self.teacher, unlabeled=False)
            parts = ("task-internal", f"synthetic, {by}", by, "lexical, inductive")
            taught = self.fuse(*parts)
            runs += [
                Run("taught cosine, inductive", cosine, False, "taught cosine"),
                Run("taught, inductive", taught, False, "fusion, inductive"),
            ]
        return runs

    def add_columns(self, name: str, part: str, columns: Sequence[str]) -> None:
        """Add some of the features of a part as a part."""
        chosen = [self.names[part].index(column) for column in columns]
        self.parts[name] = [
            (learned[:, chosen], scored[:, chosen]) for learned, scored in self.parts[part]
        ]
        self.names[name] = list(columns)

    def teacher_free(self, path: str) -> list[Run]:
        """Return our systems with vectors that no transformer has taught."""
        vectors = WordVectors.load(path)
        own = {n: part.set_params(vectors=vectors) for n, part in own_parts().items()}
        by = "teacher-free"
        internal = self.add_cosine(f"{by} task-internal", own["encoder"], unlabeled=False)
        synthetic = self.add_cosine(f"{by} synthetic", own["synthetic"], unlabeled=True)
        self.add(f"{by} lexical", own["lexical"], unlabeled=True)
        self.add(f"{by} synthetic, inductive", own["synthetic"], unlabeled=False)
        self.add(f"{by} lexical, inductive", own["lexical"], unlabeled=False)
        parts = [f"{by} {part}" for part in ("task-internal", "synthetic", "lexical")]
        inductive = [parts[0], *(f"{part}, inductive" for part in parts[1:])]
        raw = raw_cosines(self.test, vectors)
        return [
            Run(f"{by} raw cosine", [raw], False, "raw cosine"),
            Run(f"{by} task-internal", internal, False, f"{by} raw cosine"),
            Run(f"{by} synthetic", synthetic, True, f"{by} task-internal"),
            Run(f"{by} fusion", self.fuse(*parts), True, "no vectors"),
            Run(f"{by} fusion, inductive", self.fuse(*inductive), False),
        ]

    def papers(self) -> list[Run]:
        """Return the systems of the paper as they were configured, with the packaged vectors."""
        parts, regressor = paper_system()
        runs = []
        for name, unlabeled in (("task-internal", False), ("synthetic", True)):
            cosine = self.add_cosine(f"paper's {name}", parts[name], unlabeled=unlabeled)
            runs.append(Run(f"paper's {name}", cosine, unlabeled))
        self.add("paper's lexical", parts["lexical"], unlabeled=False)
        fusion = [
            clone(regressor)
            .set_params(random_state=seed)
            .fit(learned, self.train.target)
            .predict(scored)
            for seed, (learned, scored) in zip(
                self.seeds, self.features(*(f"paper's {name}" for name in parts)), strict=True
            )
        ]
        return [*runs, Run("paper's fusion", fusion, True, "fusion")]


def raw_cosines(test: Bunch, vectors: Any = "default") -> Numbers:
    """Return the cosines of averages of untrained vectors."""
    return ParagramEncoder(vectors=vectors).similarity(test.data[:, 0], test.data[:, 1])


def own_parts(**options: Any) -> dict[str, Any]:
    """Return the parts of the features of our pipeline, by name."""
    pivot = PivotParaphraser(["es"])
    return parts_of(make_sts_pipeline(paraphraser=pivot, random_state=SEED, **options))


def parts_of(pipeline: Any) -> dict[str, Any]:
    """Return the parts of the pipeline's features, by name."""
    return dict(pipeline["features"].transformer_list)


def paper_system() -> tuple[dict[str, Any], Any]:
    """Return the parts of the paper's fusion, and its regressor."""
    settings = paper_settings("dcu-2016-fusion", paraphraser=PivotParaphraser(["es"]))
    (_, internal), (_, synthetic) = settings["encoder"].transformer_list
    parts = {
        "task-internal": internal,
        "synthetic": synthetic,
        "lexical": settings["lexical"],
    }
    return parts, settings["regressor"]


def features_without_vectors() -> list[str]:
    """Return the names of the lexical features that need no word vectors."""
    pair = [("A dog runs.", "A cat runs.")]
    names = LexicalFeatures().fit(pair).get_feature_names_out()
    return [name for name in names if LexicalFeatures(name).fit(pair).vectors_ is None]


def limit(bunch: Bunch, n_rows: int | None) -> Bunch:
    """Keep the first rows of each set."""
    if n_rows is None:
        return bunch
    groups = bunch.get("groups", np.zeros(len(bunch.target)))
    rows = [np.flatnonzero(groups == group)[:n_rows] for group in np.unique(groups)]
    chosen = np.sort(np.concatenate(rows))
    names = ("data", "target", "groups", "genres")
    return Bunch(**{name: bunch[name][chosen] for name in names if name in bunch})


def short_range(low: float, high: float) -> str:
    """Format an interval as .768-.810."""
    return f"{number(low)}-{number(high)}"


def yes_or_no(run: Run) -> str:
    """Return the cell of the column "saw test"."""
    return "yes" if run.saw_test else "no"


def show_runs(
    test: Bunch, runs: list[Run], names: Sequence[str], figures: dict[str, tuple[float, ...]]
) -> None:
    """Print the correlations by system and set, beside those of the paper, and tests."""
    sets = [str(group).split("/")[-1] for group in np.unique(test.groups)]
    rows: list[list[Cell]] = []
    for run in runs:
        reports = [
            semeval_intervals(test.target, scores, test.groups, random_state=SEED)
            for scores in run.scores
        ]
        overall = [report.pearson_over_pairs for report in reports]
        low, high = np.mean([interval[1:] for interval in overall], axis=0)
        of_sets = np.mean([[r.value for r in report.pearson] for report in reports], axis=0)
        rows.append(
            [
                run.name,
                yes_or_no(run),
                mean_and_range([interval.value for interval in overall]),
                short_range(low, high),
                float(np.mean([report.pearson_over_sets.value for report in reports])),
                *of_sets.tolist(),
            ]
        )
    print_table("", ["system", "saw test", "ALL", "95 % interval", "mean", *sets], rows)
    print_table(
        "figures of the paper",
        ["system", "ALL", *sets],
        [[name, *(figures[key][i] for key in ("ALL", *sets))] for i, name in enumerate(names)],
    )
    print()
    print("ALL: mean over the sets weighted by their pairs, the task's measure")
    print("saw test: whether the sentences to be scored were seen before, without their scores")
    print("\ndifferences in ALL, with Williams' test")
    for run in runs:
        if run.against is not None:
            difference, p = compare(test, runs, run.name, run.against)
            print(f"{run.name} against {run.against}: {difference:+.3f}, p = {p:.2g}")
    show_claims(test, runs)


def compare(test: Bunch, runs: list[Run], name: str, against: str) -> tuple[float, float]:
    """Return the mean difference in ALL of two systems, and the largest p of Williams' test.

    The systems are compared seed by seed. If the difference is not of the same sign for all
    seeds, p is 1.
    """
    scores = {run.name: run.scores for run in runs}
    gold = within_sets(test.target, test.groups)
    systems = scores[name], scores[against]
    n_seeds = max(map(len, systems))
    differences, p_values = [], []
    for seed in range(n_seeds):
        a, b = (within_sets(s[seed % len(s)], test.groups) for s in systems)
        differences.append(float(np.mean(gold * a) - np.mean(gold * b)))
        p_values.append(williams_test(gold, a, b)[1])
    one_sign = len(set(np.sign(differences))) == 1
    return float(np.mean(differences)), max(p_values) if one_sign else 1.0


def williams_test(y_true: Numbers, a: Numbers, b: Numbers) -> tuple[float, float]:
    """Test whether two systems correlate equally with the scores of the same pairs.

    Returns the statistic, positive if system a correlates better, and the two-sided p-value.
    Systems that are equal up to scale do not differ.

    J. H. Steiger (1980). Tests for comparing elements of a correlation matrix. Psychological
    Bulletin 87 (2), 245-251.
    """
    (_, r_a, r_b), (_, _, r_ab), _ = np.corrcoef([y_true, a, b])
    if np.isclose(r_ab, 1.0, rtol=0.0, atol=1e-12):
        return 0.0, 1.0
    n = len(y_true)
    determinant = max(0.0, 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab)
    scale = 2 * (n - 1) / (n - 3) * determinant + (r_a + r_b) ** 2 / 4 * (1 - r_ab) ** 3
    t = float((r_a - r_b) * np.sqrt((n - 1) * (1 + r_ab) / scale))
    return t, float(2 * stats.t.sf(abs(t), n - 3))


def show_claims(test: Bunch, runs: list[Run]) -> None:
    """Print which claims of the paper hold, for its configuration and for our systems."""
    for title, prefix in (("the paper's configuration", "paper's "), ("our settings", "")):
        print(f"\nclaims of the paper, with {title}")
        internal, synthetic, fusion = (
            f"{prefix}{name}" for name in ("task-internal", "synthetic", "fusion")
        )
        claims = {
            "tuning on scored pairs beats the untuned vectors": (internal, ["raw cosine"]),
            "synthetic paraphrases beat task-internal pairs": (synthetic, [internal]),
            "fusion is the best system": (fusion, ["raw cosine", internal, synthetic]),
        }
        for claim, (better, worse) in claims.items():
            results = {name: compare(test, runs, better, name) for name in worse}
            if all(difference > 0 and p < 0.05 for difference, p in results.values()):
                verdict = "holds"
            elif any(difference < 0 and p < 0.05 for difference, p in results.values()):
                verdict = "does not hold, it is significantly worse"
            else:
                verdict = "cannot be confirmed, not all differences are significant"
            print(f"  {claim}: {verdict}")
            for name, (difference, p) in results.items():
                print(f"    {better} against {name}: {difference:+.3f}, p = {p:.2g}")


def within_sets(scores: Numbers, groups: NDArray[Any]) -> Numbers:
    """Standardize scores within each set; their correlation over all pairs is "ALL"."""
    standardized = np.asarray(scores, dtype=np.float64).copy()
    for group in np.unique(groups):
        rows = groups == group
        standardized[rows] -= standardized[rows].mean()
        standardized[rows] /= standardized[rows].std()
    return standardized


def by_system(args: argparse.Namespace, year: int) -> System:
    """Print the results on a year, by system."""
    test = limit(fetch_sts(year, data_home=args.data), args.limit)
    before = fetch_sts(range(2012, year), split="all", data_home=args.data)
    system = System(limit(before, args.limit), test, args.model, args.tune, args.seeds)
    runs = system.ours() + system.inductive()
    if args.teacher_free_vectors:
        runs += system.teacher_free(args.teacher_free_vectors)
    runs += system.papers()
    if year == 2016:
        show_runs(test, runs, PAPER_2016_SYSTEMS, PAPER_2016)
    else:
        show_runs(test, runs, PAPER_2015_SYSTEMS, PAPER_2015)
    return system


def tables_2_and_4(args: argparse.Namespace) -> None:
    """Print Tables 2 and 4: the systems, and the important features."""
    system = by_system(args, args.year)
    test = system.test
    print("\nTable 4: importance in fusion, and the paper's")
    parts = ("task-internal", "synthetic", "lexical")
    names = ["task-internal similarity", "synthetic similarity", *system.names["lexical"]]
    models = system.regressors(*parts)
    shuffled = np.mean(
        [
            permutation_importance(
                model, scored, test.target, scoring=pearson_scorer, n_repeats=5, random_state=SEED
            ).importances_mean
            for model, (_, scored) in zip(models, system.features(*parts), strict=True)
        ],
        axis=0,
    )
    gini = np.mean([model.feature_importances_ for model in models], axis=0)
    for title, order in (
        ("largest by Gini", np.argsort(-gini)),
        (f"largest loss of r when shuffled, on {args.year}", np.argsort(-shuffled)),
    ):
        print_table(
            title,
            ["feature", "Gini", "permuted"],
            [[names[i], float(gini[i]), number(float(shuffled[i]), 4)] for i in order[:10]],
        )
    print()
    print("the paper's, by Gini: " + ", ".join(f"{n} {value:.3f}" for n, value in PAPER_GINI))


def table_3(args: argparse.Namespace) -> None:
    """Print Table 3: pairs with Spanish sentences."""
    english = fetch_sts_benchmark("test", data_home=args.data)
    spanish = fetch_translated_benchmark("test", "es", data_home=args.data)
    spanish.groups = english.groups  # the same pairs in the same order
    past, benchmark, english, spanish, of_2017 = (
        limit(bunch, args.limit)
        for bunch in (
            fetch_sts(range(2012, 2016), split="all", data_home=args.data),
            fetch_sts_benchmark("train", data_home=args.data),
            english,
            spanish,
            fetch_sts_cross_lingual(data_home=args.data),
        )
    )
    mixed = np.column_stack([spanish.data[:, 0], english.data[:, 1]])
    captions, news = (english.genres == f"main-{genre}" for genre in ("captions", "news"))
    parts = {"all": np.full(len(captions), True), "captions": captions, "news": news}
    parts["forums"] = ~captions & ~news
    sets = {
        "2017 training, English-Spanish": (past, of_2017.data, of_2017.target, None),
        "STS Benchmark, Spanish-Spanish": (benchmark, spanish.data, spanish.target, parts),
        "STS Benchmark, Spanish-English": (benchmark, mixed, spanish.target, parts),
    }
    for name, (train, pairs, target, chosen) in sets.items():
        translated = TranslateToEnglish(["en", "es"]).fit_transform(pairs)
        test = Bunch(data=translated, target=target, groups=None)
        system = System(train, test, n_seeds=args.seeds)
        slices = {
            part: rows
            for part, rows in (chosen or {"all": np.full(len(target), True)}).items()
            if rows.sum() > 1
        }
        print_table(
            name,
            ["system", "saw test", *(f"{part} ({rows.sum()})" for part, rows in slices.items())],
            [
                [run.name, yes_or_no(run)]
                + [
                    mean_and_range([pearson_score(target[rows], s[rows]) for s in run.scores])
                    for rows in slices.values()
                ]
                for run in system.ours()
            ],
        )


def table_5(args: argparse.Namespace) -> None:
    """Print Table 5: words without a vector."""
    vectors = WordVectors.load("default")
    test = fetch_sts(2016, data_home=args.data)
    print(f"{'':20}{'% unknown':>12}{'paper':>8}")
    for group in np.unique(test.groups):
        sentences = test.data[test.groups == group].ravel().tolist()
        tokens, _ = vectors.vocabulary.token_ids(sentences)
        unknown = 100 * np.mean(tokens.ids >= len(vectors))
        name = str(group).split("/")[1]
        print(f"{name:20}{unknown:>12.2f}{PAPER_UNKNOWN[name]:>8.2f}")
    print(f"{len(vectors)} words; the paper's vectors had 42,091. Here unknown words get vectors")
    print("from their character n-grams; in the paper they got the vector of a rare word.")


def table_6(args: argparse.Namespace) -> None:
    """Print Table 6: the paper's features, each alone on 2015 and 2016, without training."""
    tests = [fetch_sts(year, data_home=args.data) for year in (2015, 2016)]
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


def adaptation(args: argparse.Namespace) -> None:
    """Print the kinds of adaptation alone and together, on 2015."""
    teacher = args.model
    test = limit(fetch_sts(2015, data_home=args.data), args.limit)
    before = fetch_sts(range(2012, 2015), split="all", data_home=args.data)
    system = System(limit(before, args.limit), test, teacher, n_seeds=args.seeds)
    own = own_parts()
    system.add("ti", own["encoder"], unlabeled=False)
    system.add("lex", own["lexical"], unlabeled=False)
    system.add("lex, counted", own["lexical"], unlabeled=True)
    system.add("syn", own["synthetic"], unlabeled=False)
    system.add("syn, pivot", own["synthetic"], unlabeled=True)
    copies = parts_of(make_sts_pipeline(paraphraser="copy", random_state=SEED))["synthetic"]
    system.add("syn, copies", copies, unlabeled=True)
    naive = clone(own["encoder"]).set_params(cross_fit=None)
    system.add("ti, naive", naive, unlabeled=False)
    sets = {
        "none": ("ti", "syn", "lex"),
        "document frequencies": ("ti", "syn", "lex, counted"),
        "pivot paraphrases": ("ti", "syn, pivot", "lex"),
        "frequencies and paraphrases": ("ti", "syn, pivot", "lex, counted"),
        "frequencies and copies": ("ti", "syn, copies", "lex, counted"),
        "none, one encoder": ("ti", "lex"),
        "none, one encoder, no cross_fit": ("ti, naive", "lex"),
    }
    if teacher is not None:
        with_teacher = own_parts(teacher=teacher)
        for name, unlabeled in (("of train", False), ("of all", True)):
            for part in ("synthetic", "taught"):
                system.add(f"{part} {name}", with_teacher[part], unlabeled=unlabeled)
        taught = ("synthetic of all", "taught of all")
        alone = clone(with_teacher["synthetic"]).set_params(paraphraser=None)
        system.add("syn, teacher alone", alone, unlabeled=True)
        sets |= {
            "teacher": ("ti", "syn, teacher alone", "taught of all", "lex"),
            "teacher, frequencies, paraphrases": ("ti", *taught, "lex, counted"),
            "teacher, of train only": ("ti", "synthetic of train", "taught of train", "lex"),
        }
    rows: list[list[Cell]] = []
    for name, parts in sets.items():
        intervals = [
            semeval_intervals(
                test.target, scores, test.groups, random_state=SEED
            ).pearson_over_pairs
            for scores in system.fuse(*parts)
        ]
        low, high = np.mean([interval[1:] for interval in intervals], axis=0)
        overall = mean_and_range([interval.value for interval in intervals])
        rows.append([name, overall, short_range(low, high)])
    print_table("", ["adaptation", "ALL", "95 % interval"], rows)
    if teacher is not None:
        shown_and_not(test, teacher, args.seeds)


def shown_and_not(test: Bunch, teacher: Any, n_seeds: int) -> None:
    """Print the effect of a teacher of half of the pairs on the cosines of the other half."""
    shown = np.zeros(len(test.target), dtype=bool)
    rng = np.random.default_rng(SEED)
    for group in np.unique(test.groups):
        of_group = rng.permutation(np.flatnonzero(test.groups == group))
        shown[of_group[: len(of_group) // 2]] = True
    raw = ParagramEncoder()
    taught = [
        clone(raw).set_params(teacher=teacher, max_iter=0, random_state=seed).fit(test.data[shown])
        for seed in range(SEED, SEED + n_seeds)
    ]
    rows: list[list[Cell]] = []
    for name, chosen in (("that half", shown), ("the other", ~shown)):
        a, b = test.data[chosen].T
        row: list[Cell] = [name]
        for encoders in ([raw], taught):
            scores = [
                semeval_score(test.target[chosen], encoder.similarity(a, b), test.groups[chosen])
                for encoder in encoders
            ]
            row.append(mean_and_range(scores))
        rows.append(row)
    print_table(
        "cosines on 2015, with the sentences of half of the pairs passed to the teacher",
        ["pairs", "raw", "taught"],
        rows,
    )


def benchmark(args: argparse.Namespace) -> None:
    """Print results on STS Benchmark, trained on its train part."""
    train, dev, test = (
        limit(fetch_sts_benchmark(part, data_home=args.data), args.limit)
        for part in ("train", "dev", "test")
    )
    for name, part in (("dev", dev), ("test", test)):
        system = System(train, part, args.model, args.tune, args.seeds)
        runs = system.ours() + system.inductive()
        print_table(
            f"{name} ({len(part.target)} pairs)",
            ["system", "saw test", "r"],
            [
                [
                    run.name,
                    yes_or_no(run),
                    mean_and_range([pearson_score(part.target, s) for s in run.scores]),
                ]
                for run in runs
            ],
        )


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = script_parser(__doc__, seeds=3)
    parser.add_argument("--tables", nargs="+", default=list("123456ab"), choices=list("123456ab"))
    parser.add_argument(
        "--year", type=int, default=2016, choices=(2015, 2016), help="year of tables 2 and 4"
    )
    parser.add_argument("--teacher", metavar="PATH", help="a sentence-transformers model")
    parser.add_argument(
        "--tune",
        type=Path,
        metavar="FOLDER",
        help="add runs with tuned teachers, which are stored in a folder",
    )
    parser.add_argument(
        "--teacher-free-vectors", metavar="FILE", help="word vectors without a transformer in them"
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="use the first N pairs of each set, for a quick try"
    )
    args = parser.parse_args(argv)
    if args.tune and not args.teacher:
        parser.error("--tune needs a --teacher")
    args.model = CachedModel(args.teacher) if args.teacher else None
    tables = {
        "1": ("Development on 2015, by system", partial(by_system, args, 2015)),
        "2": (f"{args.year} by system", partial(tables_2_and_4, args)),
        "3": ("Cross-lingual", partial(table_3, args)),
        "4": ("Importance: printed with table 2", None),
        "5": ("Unknown words", partial(table_5, args)),
        "6": ("Features, each alone", partial(table_6, args)),
        "a": ("Adaptation, on 2015", partial(adaptation, args)),
        "b": ("STS Benchmark", partial(benchmark, args)),
    }
    for key in args.tables:
        title, show = tables[key]
        print(f"\nTable {key}: {title}", flush=True)
        if show is not None:
            show()


if __name__ == "__main__":
    main()
