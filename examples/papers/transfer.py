"""Labelled pairs: paraphrase identification, duplicate questions, entailment.

    python examples/papers/transfer.py --data DATA [--tasks msrp sick ...] [--limit N] [--seeds 5]

One recipe for five tasks. Four classifiers are trained on the labels: boosting on lexical
features, alignment statistics and the kinds of unmatched tokens; a linear model and a small
network on these and on vectors of the sentences and of what they do not share; a linear model on
sparse terms. For SNLI an attention network that reads the words is the fifth. A logistic
regression combines the logarithms of their probabilities; it learns from predictions of held-out
training pairs (stacking, five folds). Where the order of two sentences does not matter, the dense
models also learn the pairs the other way round. No transformer takes part. The packaged vectors
were distilled from one, all-MiniLM, whose own training text includes Quora's questions and
Flickr30k, the captions of SNLI.

Everything is fitted on the training pairs only. But a pair of Twitter is compared with the other
pairs of its headline, so that its score depends on unlabeled test pairs; nothing of the kind is
done elsewhere. It would help on SNLI, whose writers were asked for one hypothesis of each class,
but for the wrong reason.

The settings were chosen by cross-validation of the training parts, which ``--development`` prints,
those for Twitter also on the last fifth of its training pairs, since the share of paraphrases
falls over time. SNLI is at hand as its development set only: it is scored by cross-validation in
five folds, and all hypotheses of a premise are in one fold. Folds of Twitter's pairs keep the
tweets of one headline together.

The table has, for each task and measure, the majority class, logistic regression on the cosine
of the packaged vectors, the classifiers alone, and their combination: mean, smallest and
largest value of the runs. A run's seed draws its folds, the columns that boosting tries, and the
first weights of the networks. The title says whether scores depend on unlabeled test pairs. "best
F1" takes the best threshold on the scored pairs, as published figures do; "F1" takes the more
probable class. The areas under the ROC curve of SNLI compare contradiction with all other pairs,
and with entailment.

Y. Ji, J. Eisenstein (2013). Discriminative improvements to distributional sentence similarity.
EMNLP.

W. Lan, S. Qiu, H. He, W. Xu (2017). A continuously growing dataset of sentential paraphrases.
EMNLP.

M. Marelli, L. Bentivogli, M. Baroni, R. Bernardi, S. Menini, R. Zamparelli (2014). SemEval-2014
Task 1: evaluation of compositional distributional semantic models on full sentences. SemEval.

S. Bowman, G. Angeli, C. Potts, C. Manning (2015). A large annotated corpus for learning natural
language inference. EMNLP.

A. Parikh, O. Täckström, D. Das, J. Uszkoreit (2016). A decomposable attention model for natural
language inference. EMNLP.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from alignment_features import AlignmentFeatures
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, precision_recall_curve, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import LexicalFeatures, ParagramEncoder, WordVectors
from skpara.features import TermInteractions
from skpara.resources import WordFrequencies
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import Cell, mean_and_range, print_table

Labels = NDArray[Any]
METHODS = ("majority", "cosine", "boosting", "vectors", "network", "terms", "attention", "recipe")
PUBLISHED = {
    "msrp": "TF-KLD .804 (Ji and Eisenstein 2013, test sentences seen)",
    "sick": "UIUC .846 (best of SemEval-2014, on the test part)",
}


class Fold(NamedTuple):
    """Pairs to learn from and pairs to score."""

    train: NDArray[np.object_]
    labels: Labels
    groups: NDArray[np.object_] | None
    test: NDArray[np.object_]
    gold: Labels


class Task(NamedTuple):
    """A data set."""

    read: Callable[[Path, str], tuple[NDArray[np.object_], Labels]]
    measures: tuple[str, ...] = ("accuracy",)
    has_test: bool = True
    grouped: bool = False  # by the first sentence
    ordered: bool = False  # the sentences differ in kind
    symmetric: bool = False  # their order does not matter
    ranked: bool = False  # compare the second sentences of one first sentence
    attention: bool = False  # train an attention network as well, which takes minutes


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    text = path.read_text(encoding="utf-8-sig").removesuffix("\n")
    return [line.removesuffix("\r") for line in text.split("\n")]


def table(path: Path, columns: Sequence[int], *, header: bool) -> tuple[Any, Labels]:
    """Read pairs and labels from the columns of a tab-separated file."""
    rows = [line.split("\t") for line in lines(path)[header:]]
    cells = np.array([[row[column] for column in columns] for row in rows], dtype=object)
    return cells[:, :2], cells[:, 2].astype(str)


def read_msrp(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Microsoft Research Paraphrase Corpus."""
    path = data / "paraphrase" / "msrp" / f"msr_paraphrase_{part}.txt"
    return table(path, (3, 4, 0), header=True)


def read_twitter(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Twitter News URL corpus."""
    folder = data / "paraphrase" / "twitter-url" / part
    pairs = np.array([lines(folder / "a.toks"), lines(folder / "b.toks")], dtype=object).T
    return pairs, np.array(lines(folder / "sim.txt"))


def read_quora(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the Quora question pairs; the pairs of the development part are learned from."""
    name = {"train": "dev.txt", "test": "test.txt"}[part]
    return table(data / "paraphrase" / "quora" / name, (0, 1, 2), header=False)


def read_sick(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the entailment labels of SICK; its trial part is the test part here."""
    name = {"train": "SICK_train.txt", "test": "SICK_trial.txt"}[part]
    pairs, labels = table(data / "SICK" / name, (1, 2, 4), header=True)
    return pairs, np.char.lower(np.char.strip(labels))


def read_snli(data: Path, part: str) -> tuple[Any, Labels]:
    """Read the development set of SNLI."""
    first, second, labels = (
        lines(data / "nli" / "snli" / f"{name}.dev") for name in ("s1", "s2", "labels")
    )
    return np.array([first, second], dtype=object).T, np.array(labels)


TASKS = {
    "msrp": Task(read_msrp, symmetric=True),
    "twitter": Task(read_twitter, ("best F1", "F1", "accuracy"), grouped=True, ranked=True),
    "quora": Task(read_quora, symmetric=True),
    "sick": Task(read_sick),
    "snli": Task(
        read_snli,
        ("AUC, all", "AUC, entailment", "accuracy"),
        has_test=False,
        grouped=True,
        ordered=True,
        attention=True,
    ),
}


def measure(name: str, gold: Labels, probabilities: Any, classes: Labels) -> float:
    """Return one measure of predicted probabilities."""
    if name.startswith("AUC"):
        contradiction, entailment = (
            list(classes).index(c) for c in ("contradiction", "entailment")
        )
        scores = probabilities[:, contradiction]
        if name == "AUC, entailment":
            rows = gold != "neutral"
            both = scores + probabilities[:, entailment]
            scores = (scores / np.maximum(both, 1e-30))[rows]  # both may be 0 with few pairs
            gold = gold[rows]
        return float(roc_auc_score(gold == "contradiction", scores))
    if name == "best F1":  # over all thresholds, chosen on the scored pairs as in Lan et al.
        precision, recall, _ = precision_recall_curve(gold == classes[1], probabilities[:, 1])
        return float((2 * precision * recall / np.maximum(precision + recall, 1e-9)).max())
    predicted = classes[probabilities.argmax(axis=1)]
    if name == "F1":  # of the more probable class
        return float(f1_score(gold, predicted, pos_label=classes[1]))
    return float(accuracy_score(gold, predicted))


def splits(
    labels: Labels, groups: NDArray[np.object_] | None, n_folds: int, seed: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return folds with equal shares of the classes; a group is in one fold."""
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    folds = kind(n_folds, shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(labels)), labels, groups))


def classifiers(seed: int) -> dict[str, Any]:
    """Return the classifiers that are combined.

    Strong regularization suits the many correlated columns of the vectors; a tree that may try
    few of its columns differs from the others.
    """
    return {
        "boosting": HistGradientBoostingClassifier(
            learning_rate=0.05,
            max_iter=200,
            max_leaf_nodes=15,
            max_features=0.3,
            early_stopping=False,
            random_state=seed,
        ),
        "vectors": make_pipeline(StandardScaler(), LogisticRegression(C=5e-4, max_iter=200)),
        # A dozen epochs on purpose: more fit the training pairs too closely.
        "network": make_pipeline(
            StandardScaler(), MLPClassifier(64, alpha=3, max_iter=12, random_state=seed)
        ),
        "terms": LogisticRegression(C=0.1, max_iter=200),
        "attention": AttentionNetwork(random_state=seed),
    }


def views(fold: Fold, task: Task, n_jobs: int) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return the columns of each classifier, of training pairs and of pairs to score.

    Each is a list: where the order of two sentences does not matter, there are columns of the
    pairs and of the same pairs the other way round.
    """
    sets = (fold.train, fold.test)
    lexical = LexicalFeatures(n_jobs=n_jobs).fit(fold.train)
    alignment = AlignmentFeatures()
    names = np.array(alignment.names(), dtype=object)
    n_scalars = len(lexical.features_) + sum(
        name.startswith(("first_", "second_")) for name in names
    )
    terms = TermInteractions(ordered=task.ordered).fit(fold.train)
    products = Products(names)
    unmatched = Unmatched(symmetric=task.symmetric)
    orders = (slice(None), slice(None, None, -1)) if task.symmetric else (slice(None),)
    columns: dict[str, tuple[list[Any], list[Any]]] = {
        name: ([], []) for name in ("cosine", *classifiers(0))
    }
    if not task.attention:
        del columns["attention"]
    encoder = ParagramEncoder()
    for part, pairs in enumerate(sets):
        for order in orders:
            turned = pairs[:, order]
            aligned = alignment.transform(turned).astype(np.float32)
            dense = np.hstack(
                [lexical.transform(turned), aligned], dtype=np.float32, casting="same_kind"
            )
            if part == 0 and order == orders[0]:
                products.fit(aligned)
            missing = unmatched.transform(turned)
            scalars = np.hstack([dense[:, :n_scalars], missing])
            dense = np.hstack([dense, missing])
            if task.ranked:
                ranks = among_candidates(scalars, pairs)
                scalars, dense = np.hstack([scalars, ranks]), np.hstack([dense, ranks])
            columns["boosting"][part].append(scalars)
            columns["vectors"][part].append(np.hstack([dense, products.transform(aligned)]))
            columns["network"][part].append(dense)
            if task.attention:
                columns["attention"][part].append(turned)
        columns["cosine"][part].append(encoder.similarity(pairs[:, 0], pairs[:, 1])[:, None])
        columns["terms"][part].append(terms.transform(pairs))
    return columns


def among_candidates(
    columns: NDArray[np.float32], pairs: NDArray[np.object_]
) -> NDArray[np.float32]:
    """Compare pairs with those that have the same first sentence.

    All tweets with one link are paired with its headline. What counts as similar differs from
    headline to headline, and a word that all its tweets have says little. The overlap of words is
    weighted accordingly; each column becomes a rank among the tweets, and a distance to the best.
    """
    overlaps = np.empty((len(pairs), 4), dtype=np.float32)
    _, numbers = np.unique(pairs[:, 0].astype(str), return_inverse=True)
    groups = [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
    for rows in groups:
        headline = set(tokenize(pairs[rows[0], 0]))
        tweets = [set(tokenize(tweet)) for tweet in pairs[rows, 1]]
        n_tweets = Counter(word for tweet in tweets for word in tweet)
        weights = {
            word: math.log((len(rows) + 1) / (n_tweets[word] + 0.5))
            for word in headline.union(*tweets)
        }
        first = sum(weights[word] for word in headline)
        for row, tweet in zip(rows, tweets, strict=True):
            second = sum(weights[word] for word in tweet)
            shared = sum(weights[word] for word in headline & tweet)
            totals = 1, first + 0.1, second + 0.1, (first + second) / 2 + 0.1
            overlaps[row] = [shared / total for total in totals]
    columns = np.hstack([columns, overlaps])
    ranks, distances = np.empty_like(columns), np.empty_like(columns)
    for rows in groups:
        ranks[rows] = rankdata(columns[rows], axis=0) / len(rows)
        distances[rows] = columns[rows].max(axis=0) - columns[rows]
    return np.hstack([overlaps, ranks, distances])


class Unmatched:
    """Numbers of the tokens that only one sentence has, by kind and by place.

    A name, a number or a clause at the end that only one sentence has counts for more than as many
    other words. Tokens are compared by their stems, at any place and in the longest common
    blocks. Unlike the tokens of the other features, they keep case and punctuation.
    """

    token = re.compile(r"\w+(?:[.,]\d+)*|[^\w\s]")
    n_columns = 66

    def __init__(self, *, symmetric: bool) -> None:
        self.symmetric = symmetric
        self.frequencies = WordFrequencies.load()

    def transform(self, pairs: NDArray[np.object_]) -> NDArray[np.float32]:
        """Return the columns; the larger and the smaller number where the order is free."""
        sentences = [[self.token.findall(sentence) for sentence in pair] for pair in pairs]
        words = sorted({token.lower() for pair in sentences for side in pair for token in side})
        rare = self.frequencies.max_information
        information = self.frequencies.information(words, unknown=rare)
        # A mark is no word that the table lacks, and matters little.
        information[[not word[0].isalnum() for word in words]] = 1
        self.information = dict(zip(words, information.tolist(), strict=True))
        self.stems = {word: re.sub(r"(?<=\w{4})(ing|ed|es|s|ly)$", "", word) for word in words}
        rows = [self.row(*pair) for pair in sentences]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.n_columns)

    def row(self, first: list[str], second: list[str]) -> list[float]:
        """Return the columns of one pair."""
        sides = first, second
        stems = [[self.stems[token.lower()] for token in side] for side in sides]
        matcher = SequenceMatcher(None, *stems, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        in_blocks = [np.zeros(len(side), dtype=bool) for side in sides]
        for block in blocks:
            for side, start in enumerate((block.a, block.b)):
                in_blocks[side][start : start + block.size] = True
        anywhere = [self.matched(stems[0], stems[1]), self.matched(stems[1], stems[0])]
        columns: list[float] = []
        for flags in (in_blocks, anywhere):
            left, right = (self.side(*part) for part in zip(sides, flags, strict=True))
            if self.symmetric:
                left, right = map(max, left, right), map(min, left, right)
            columns += [*left, *right]
        longest = max((block.size for block in blocks), default=0)
        shortest = max(min(map(len, sides)), 1)
        columns += [len(blocks), sum(block.size == 1 for block in blocks), longest]
        return [*columns, longest / shortest, matcher.ratio(), abs(len(first) - len(second))]

    @staticmethod
    def matched(stems: list[str], others: list[str]) -> NDArray[np.bool_]:
        """Return which tokens the other sentence has as often."""
        counts, flags = Counter(others), []
        for stem in stems:
            flags.append(counts[stem] > 0)
            counts[stem] -= 1
        return np.array(flags, dtype=bool)

    def side(self, tokens: list[str], matched: NDArray[np.bool_]) -> list[float]:
        """Return the numbers of one sentence."""
        information = [self.information[token.lower()] for token in tokens]
        groups = {kind: [0.0, 0.0] for kind in ("number", "mark", "name", "function", "content")}
        for i in np.flatnonzero(~matched):
            token = tokens[i]
            if any(map(str.isdigit, token)):
                kind = "number"
            elif not token[0].isalnum():
                kind = "mark"
            elif i and token[0].isupper():
                kind = "name"
            else:  # 8 nats: a word that is at least one of 3,000 in running text
                kind = "function" if information[i] < 8 else "content"
            groups[kind][0] += 1
            groups[kind][1] += information[i]
        unmatched = [info * (not flag) for info, flag in zip(information, matched, strict=True)]
        edges = np.flatnonzero(np.diff([True, *matched, True]))
        runs = edges.reshape(-1, 2)
        known = np.flatnonzero(matched)
        start, end = (known[0], len(tokens) - 1 - known[-1]) if len(known) else [len(tokens)] * 2
        return [
            (~matched).sum() / max(len(tokens), 1),
            sum(unmatched),
            max(unmatched, default=0),
            *(groups[kind][0] for kind in groups),
            *(groups[kind][1] for kind in ("name", "content")),
            len(runs),
            *((runs[:, 1] - runs[:, 0]).max(initial=0), start, end),
            max((sum(unmatched[a:b]) for a, b in runs), default=0),
        ]


class Products:
    """Products of what the second sentence adds with what the first one says, and adds.

    A linear model on them has a weight for each pair of topics, such as of "sleeping" against
    "running". Each vector has 32 principal components: 2 x 1,024 products, not 131,072.
    """

    def __init__(self, names: NDArray[np.object_]) -> None:
        self.columns = [
            np.flatnonzero(np.char.startswith(names.astype(str), part))
            for part in ("residue_second_", "residue_first_", "mean_first_")
        ]

    def fit(self, aligned: NDArray[np.float32]) -> None:
        """Learn the principal components."""
        size = min(32, len(aligned))  # fewer for a quick try
        self.components = [PCA(size, random_state=0).fit(aligned[:, c]) for c in self.columns]

    def transform(self, aligned: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products."""
        second, *others = (
            pca.transform(aligned[:, c])
            for pca, c in zip(self.components, self.columns, strict=True)
        )
        products = [first[:, :, None] * second[:, None, :] for first in others]
        return np.hstack([product.reshape(len(aligned), -1) for product in products])


class AttentionNetwork(ClassifierMixin, BaseEstimator):
    """A small decomposable-attention network on fixed word vectors (Parikh and others, 2016).

    Each word is compared with the mean of the other sentence's words, weighted by attention. Sums
    and maxima of these comparisons go through a dense layer to the classes. Unlike the other
    classifiers it learns which difference of two aligned words matters.
    """

    def __init__(self, max_iter: int = 8, batch_size: int = 64, random_state: int = 0) -> None:
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.random_state = random_state

    def fit(self, X: Any, y: Labels) -> AttentionNetwork:
        """Train the network on pairs of sentences."""
        torch.manual_seed(self.random_state)
        random = np.random.default_rng(self.random_state)
        self.classes_, labels = np.unique(y, return_inverse=True)
        words, table = _word_table(X)
        self.network_ = _Attention(table, len(self.classes_))
        optimizer = torch.optim.AdamW(self.network_.parameters(), weight_decay=0.01)
        n_batches = math.ceil(len(X) / self.batch_size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, 1e-3, total_steps=self.max_iter * n_batches + 1, pct_start=0.1
        )
        lengths = np.array([max(map(len, pair)) for pair in words])
        for _ in range(self.max_iter):
            # Pairs of about the same length are a batch, which spares padding.
            order = np.argsort(lengths + random.uniform(0, 4, len(X)))
            batches = np.array_split(order, n_batches)
            for k in random.permutation(n_batches):
                rows = batches[k]
                logits = self.network_(*_padded(words, rows), table)
                loss = torch.nn.functional.cross_entropy(logits, torch.as_tensor(labels[rows]))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float32]:
        """Return the probabilities of the classes."""
        words, table = _word_table(X)
        order = np.argsort([max(map(len, pair)) for pair in words])
        result = np.empty((len(X), len(self.classes_)), dtype=np.float32)
        self.network_.eval()
        with torch.no_grad():
            for rows in np.array_split(order, math.ceil(len(X) / 256)):
                logits = self.network_(*_padded(words, rows), table)
                result[rows] = logits.softmax(dim=1).numpy()
        return result


class _Attention(torch.nn.Module):
    def __init__(self, table: torch.Tensor, n_classes: int, size: int = 64) -> None:
        super().__init__()
        self.mean_length = float(table[1:].norm(dim=1).mean())
        self.project = torch.nn.Linear(table.shape[1], size)
        self.attend = torch.nn.Linear(size, size, bias=False)
        # Attention begins with the cosines of the word vectors, which align words well.
        self.cosine_weight = torch.nn.Parameter(torch.tensor(5.0))
        self.compare = torch.nn.Linear(4 * size + 3, size)
        self.classify = torch.nn.Sequential(
            torch.nn.Dropout(0.3),
            torch.nn.Linear(4 * size, 100),
            torch.nn.ReLU(),
            torch.nn.Dropout(0.3),
            torch.nn.Linear(100, n_classes),
        )

    def forward(self, first: Any, second: Any, table: torch.Tensor) -> torch.Tensor:
        if self.training:  # leave out words: dropout on wide arrays would take longer
            first, second = (ids * (torch.rand(ids.shape) >= 0.05) for ids in (first, second))
        masks = first > 0, second > 0
        vectors = [table[ids] for ids in (first, second)]
        lengths = [side.norm(dim=2, keepdim=True) / self.mean_length for side in vectors]
        unit = [torch.nn.functional.normalize(side, dim=2) for side in vectors]
        words = [
            torch.tanh(self.project(side)) * length
            for side, length in zip(unit, lengths, strict=True)
        ]
        cosines = unit[0] @ unit[1].transpose(1, 2)
        attention = self.attend(words[0]) @ words[1].transpose(1, 2) / words[0].shape[2] ** 0.5
        attention = attention + self.cosine_weight * cosines
        attention = attention.masked_fill(~(masks[0][:, :, None] & masks[1][:, None]), -1e4)
        equal = (first[:, :, None] == second[:, None]).float()
        parts = []
        for side in (0, 1):
            if side == 1:
                attention, cosines, equal = (
                    matrix.transpose(1, 2) for matrix in (attention, cosines, equal)
                )
            word, mask = words[side], masks[side][:, :, None]
            other = attention.softmax(dim=2) @ words[1 - side]
            best, shared = cosines.amax(dim=2, keepdim=True), equal.amax(dim=2, keepdim=True)
            compared = [word, other, word - other, word * other, best, shared, lengths[side]]
            values = torch.relu(self.compare(torch.cat(compared, dim=2))) * mask
            n_words = mask.sum(dim=1).clamp(min=1)
            parts += [values.sum(dim=1) / n_words**0.5, values.amax(dim=1)]
        return self.classify(torch.cat(parts, dim=1))


def _word_table(pairs: Any) -> tuple[list[list[list[int]]], torch.Tensor]:
    """Return the pairs as numbers of words, and the vectors of the words; 0 stands for padding."""
    tokens = [[tokenize(sentence)[:40] for sentence in pair] for pair in pairs]
    vocabulary = sorted({word for pair in tokens for side in pair for word in side})
    vectors = WordVectors.load("default").lookup(vocabulary, oov="subword")
    number = {word: k for k, word in enumerate(vocabulary, start=1)}
    words = [[[number[word] for word in side] for side in pair] for pair in tokens]
    return words, torch.as_tensor(np.vstack([np.zeros_like(vectors[:1]), vectors]))


def _padded(words: list[list[list[int]]], rows: Any) -> list[torch.Tensor]:
    """Return the two sides of some pairs as arrays."""
    return [
        torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(words[row][side] or [0]) for row in rows], batch_first=True
        )
        for side in (0, 1)
    ]


def fit(model: Any, columns: list[Any], labels: Labels) -> Any:
    """Fit a model to the pairs, and to the same pairs the other way round."""
    rows = columns[0] if len(columns) == 1 else np.vstack(columns)
    return model.fit(rows, np.tile(labels, len(columns)))


def score(model: Any, columns: list[Any]) -> Any:
    """Return the mean probabilities of the pairs and of the pairs the other way round."""
    return np.mean([model.predict_proba(rows) for rows in columns], axis=0)


def predict(fold: Fold, columns: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the probabilities of the classes by each method.

    The five models that predict held-out training pairs also score: their mean varies less than
    one model trained on all pairs, and the combination has learned how sure such models are.
    """
    probabilities = {}
    train, test = columns["cosine"]
    for name, model in (("majority", DummyClassifier()), ("cosine", LogisticRegression())):
        probabilities[name] = score(fit(model, train, fold.labels), test)
    folds = splits(fold.labels, fold.groups, 5, seed)
    held_out = []
    models = {name: model for name, model in classifiers(seed).items() if name in columns}
    for name, model in models.items():
        train, test = columns[name]
        predicted = np.zeros((len(fold.labels), len(np.unique(fold.labels))))
        scored = []
        for rows, others in folds:
            fit(model, [part[rows] for part in train], fold.labels[rows])
            predicted[others] = score(model, [part[others] for part in train])
            scored.append(score(model, test))
        held_out.append(predicted)
        probabilities[name] = np.mean(scored, axis=0)
    combination = LogisticRegression(C=0.1).fit(_logarithms(held_out), fold.labels)
    scored = [probabilities[name] for name in models]
    probabilities["recipe"] = combination.predict_proba(_logarithms(scored))
    return probabilities


def _logarithms(probabilities: Sequence[Any]) -> NDArray[np.float64]:
    # The bound keeps one overconfident classifier from deciding alone.
    return np.log(np.hstack(probabilities).clip(1e-4, 1))


def evaluation_folds(
    task: Task, data: Path, limit: int | None, development: bool
) -> Iterator[Fold]:
    """Yield what to learn from and what to score: the test part, or folds of the training part."""

    def read(part: str) -> tuple[Any, Labels]:
        pairs, labels = task.read(data, part)
        rows = np.arange(len(pairs))
        if limit is not None and limit < len(pairs):
            rows = np.linspace(0, len(pairs) - 1, limit).astype(int)
        return pairs[rows], labels[rows]

    pairs, labels = read("train")
    groups = pairs[:, 0] if task.grouped else None
    if task.has_test and not development:
        yield Fold(pairs, labels, groups, *read("test"))
        return
    for train, test in splits(labels, groups, 5, seed=0):
        yield Fold(
            pairs[train],
            labels[train],
            None if groups is None else groups[train],
            pairs[test],
            labels[test],
        )


def run(name: str, args: argparse.Namespace) -> None:
    """Print the rows of one task."""
    task = TASKS[name]
    gold: list[Labels] = []
    predicted: list[list[dict[str, Any]]] = [[] for _ in range(args.seeds)]
    for fold in evaluation_folds(task, Path(args.data), args.limit, args.development):
        columns = views(fold, task, args.n_jobs)
        gold.append(fold.gold)
        for seed, folds in enumerate(predicted):
            folds.append(predict(fold, columns, seed))
    labels = np.concatenate(gold)
    classes = np.unique(labels)
    methods = [method for method in METHODS if method in predicted[0][0]]
    rows: list[list[Cell]] = []
    for measured in task.measures:
        by_method = {
            method: [
                measure(measured, labels, np.vstack([fold[method] for fold in folds]), classes)
                for folds in predicted
            ]
            for method in methods
        }
        rows.append([measured, *(float(np.mean(by_method[method])) for method in methods[:-1])])
        rows[-1].append(mean_and_range(by_method["recipe"]))
    saw = "; the scores depend on unlabeled pairs to be scored" if task.ranked else ""
    print_table(f"{name}, {len(labels):,} pairs{saw}", ["measure", *methods], rows)
    if name in PUBLISHED:
        print(f"published: {PUBLISHED[name]}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SKPARA_DATA"), help="folder of the sets")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--limit", type=int, help="number of pairs of each part, for a quick try")
    parser.add_argument("--seeds", type=int, default=5, help="number of runs")
    parser.add_argument(
        "--development", action="store_true", help="cross-validate the training parts instead"
    )
    parser.add_argument("--n-jobs", type=int, default=1)
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # the network stops early on purpose
    if args.data is None:
        parser.error("pass --data, or set SKPARA_DATA")
    part = "five folds of the training parts" if args.development else "test parts"
    print(f"Scored: {part}; SNLI: five folds of its development set. Runs: {args.seeds}.")
    for name in args.tasks:
        run(name, args)


if __name__ == "__main__":
    main()
