"""Explanation of a pair, and the alignment of its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats, Objects, Oov, Pairs, Vectors
from skpara.explanation._groups import title_of
from skpara.explanation._rendering import MOST_GROUPS, as_html, as_text
from skpara.features import (
    MOST_WORDS,
    WORDNET_POS,
    Knowledge,
    PairBatch,
    aligned_words,
    is_content,
    unit_rows_and_norms,
    word_similarities,
)
from skpara.resources import WordNet


@set_module("skpara.explanation")
class Word(NamedTuple):
    """A token of a sentence.

    Parameters
    ----------
    text : str
        The token as the sentence writes it.
    information : float
        Information content in nats: the rarer, the higher; 0 for punctuation. A word without a
        known frequency counts as the rarest word of the table.
    norm : float
        Length of its vector, its weight in a mean of word vectors.
    content : bool
        Whether it may match: neither a stop word nor punctuation.
    """

    text: str
    information: float
    norm: float
    content: bool


@set_module("skpara.explanation")
class Match(NamedTuple):
    """Two aligned words, one of each sentence.

    Parameters
    ----------
    first, second : int
        Positions of the words in their sentences, from 0.
    similarity : float
        In (0, 1], as in the feature "aligned_content": 1 for the same word or lemma, else 0.9
        times the cosine of the vectors.
    kind : str
        "same" word, same "lemma", "synonym" or "antonym" by WordNet, or "similar" vectors. The
        middle three need a model with WordNet.
    """

    first: int
    second: int
    similarity: float
    kind: str


@set_module("skpara.explanation")
class FeatureGroup(NamedTuple):
    """Features that compare sentences in the same respect.

    Parameters
    ----------
    title : str
        The respect, such as "words in common"; for an encoder alone, a word of the first
        sentence.
    contribution : float
        Sum of their contributions to the score.
    features : tuple of (str, float, float)
        Name, value and contribution of each contributing feature, strongest first.
    """

    title: str
    contribution: float
    features: tuple[tuple[str, float, float], ...]


@set_module("skpara.explanation")
@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Explanation of the score of a pair, from :func:`~skpara.explain`; ``print`` shows it.

    Parameters
    ----------
    pair : tuple of (str, str)
        The two sentences.
    score : float
        The model's prediction.
    baseline : float
        The prediction without any feature; see :func:`~skpara.explanation.contributions`.
    names : tuple of str, length n_features
        Names of the features; for an encoder alone, pairs of words.
    values : ndarray of float64, shape (n_features,)
        Values of the features; for an encoder alone, cosines of the words.
    contributions : ndarray of float64, shape (n_features,)
        Contribution of each feature to the score. With ``baseline`` they sum to ``unclipped``.
    words : tuple of two tuples
        The tokens of both sentences, each with ``text``, ``information`` (information content in
        nats), ``norm`` (length of the vector) and ``content`` (neither a stop word nor
        punctuation).
    matches : tuple
        Aligned words, each with ``first`` and ``second`` (positions in the sentences),
        ``similarity`` (in (0, 1]) and ``kind``: "same" word, same "lemma", "synonym", "antonym",
        or "similar" vectors. The middle three need a model with WordNet.
    interval : tuple of (float, float), default=None
        Interval around the score, if the model predicts intervals.
    coverage : float, default=None
        Probability that the interval contains the true score.
    novelty : float, default=None
        Unlikeness of the sentences to the training text, from 0 to 1; see :func:`~skpara.novelty`.
    probability : float, default=None
        Probability of the second class, or of a match; the score is its log odds.
    """

    pair: tuple[str, str]
    score: float
    baseline: float
    names: tuple[str, ...]
    values: Floats
    contributions: Floats
    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    matches: tuple[Match, ...]
    interval: tuple[float, float] | None = None
    coverage: float | None = None
    novelty: float | None = None
    probability: float | None = None

    @property
    def unclipped(self) -> float:
        """The score before it is clipped to its range: the baseline and all contributions."""
        return self.baseline + float(self.contributions.sum())

    @property
    def clipped(self) -> bool:
        """Whether the score was clipped to its range."""
        return abs(self.unclipped - self.score) > 1e-3 * max(1.0, abs(self.score))

    def top(self, n: int = 8) -> list[tuple[str, float, float]]:
        """Return the features with the largest contributions.

        Parameters
        ----------
        n : int, default=8
            Number of features; only contributing ones are returned.

        Returns
        -------
        list of (str, float, float)
            Name, value and contribution of each, strongest first.
        """
        order = np.argsort(-np.abs(self.contributions), kind="stable")[:n]
        return [
            (self.names[i], float(self.values[i]), float(self.contributions[i]))
            for i in order.tolist()
            if self.contributions[i] != 0
        ]

    def groups(self, n: int | None = None) -> list[FeatureGroup]:
        """Return the contributions of groups of related features.

        Parameters
        ----------
        n : int, default=None
            Number of groups; the last one then has all features of weaker groups. None returns
            all groups.

        Returns
        -------
        list of tuple
            The ``title``, ``contribution`` and ``features`` (name, value and contribution of
            each) of the groups, strongest first.
        """
        features: dict[str, list[tuple[str, float, float]]] = {}
        for feature in self.top(len(self.names)):
            features.setdefault(title_of(feature[0]), []).append(feature)
        groups = [_group(title, rows) for title, rows in features.items()]
        groups.sort(key=lambda group: -abs(group.contribution))
        if n is None or len(groups) <= n:
            return groups
        rest = [row for group in groups[n - 1 :] for row in group.features]
        rest.sort(key=lambda row: -abs(row[2]))
        return [*groups[: n - 1], _group("everything else", rest)]

    def unmatched(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """Return the content words without a match.

        Returns
        -------
        tuple of two tuples
            Words of the first and of the second sentence.
        """
        matched = [{match[side] for match in self.matches} for side in (0, 1)]
        first, second = (
            tuple(word for i, word in enumerate(words) if word.content and i not in indices)
            for words, indices in zip(self.words, matched, strict=True)
        )
        return first, second

    def to_dict(self, n_groups: int | None = None) -> dict[str, Any]:
        """Convert to plain Python, ready for JSON.

        Parameters
        ----------
        n_groups : int, default=None
            Number of groups, see :meth:`groups`.

        Returns
        -------
        dict
            Its keys are "pair", "score", "baseline", "unclipped", "clipped", "interval",
            "coverage", "novelty" and "probability" (or None), "groups" (each with "title",
            "contribution" and "features", which have "name", "value" and "contribution"),
            "words" and "unmatched" (two lists) and "matches".
        """
        keys = ("name", "value", "contribution")
        return {
            "pair": list(self.pair),
            "score": self.score,
            "baseline": self.baseline,
            "unclipped": self.unclipped,
            "clipped": self.clipped,
            "interval": None if self.interval is None else list(self.interval),
            "coverage": self.coverage,
            "novelty": self.novelty,
            "probability": self.probability,
            "groups": [
                group._asdict()
                | {"features": [dict(zip(keys, row, strict=True)) for row in group.features]}
                for group in self.groups(n_groups)
            ],
            "words": [[word._asdict() for word in side] for side in self.words],
            "matches": [match._asdict() for match in self.matches],
            "unmatched": [[word.text for word in side] for side in self.unmatched()],
        }

    def to_html(self) -> str:
        """Convert to HTML without scripts or links, as shown by a notebook.

        Returns
        -------
        str
            A ``div`` element and its style.
        """
        return as_html(self.to_dict(MOST_GROUPS))

    _repr_html_ = to_html

    def __repr__(self) -> str:
        return f"Explanation(pair={self.pair!r}, score={self.score:.3f})"

    def __str__(self) -> str:
        return as_text(self.to_dict(MOST_GROUPS))


def _group(title: str, rows: list[tuple[str, float, float]]) -> FeatureGroup:
    return FeatureGroup(title, sum(added for _, _, added in rows), tuple(rows))


class AlignedPair(NamedTuple):
    """The words of both sentences and their matches."""

    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    matches: tuple[Match, ...]


class _Sentence(NamedTuple):
    words: tuple[Word, ...]
    positions: NDArray[np.intp]  # of the content words, like the next two
    ids: NDArray[np.intp]
    lemmas: Objects


def align(pairs: Pairs, knowledge: Knowledge, oov: Oov = "subword") -> list[AlignedPair]:
    """Align the content words of pairs (strings or tuples of tokens) one to one.

    The alignment is the one of the feature "aligned_content"; lemmas need WordNet and a tagger.
    """
    assert knowledge.vectors is not None
    batch = PairBatch(pairs, knowledge)
    unit, norms = unit_rows_and_norms(knowledge.vectors.lookup(batch.takelab.distinct, oov))
    sentences = _sentences(batch, norms)
    return [
        AlignedPair(
            (sentences[a].words, sentences[b].words),
            tuple(_matches(sentences[a], sentences[b], unit, knowledge.wordnet)),
        )
        for a, b in batch.takelab.pairs
    ]


def _sentences(batch: PairBatch, norms: Floats) -> list[_Sentence]:
    distinct, frequencies = batch.takelab.distinct, batch.frequencies
    information = frequencies.information(distinct, unknown=frequencies.max_information)
    punctuation = np.array([not any(map(str.isalnum, word)) for word in distinct], dtype=bool)
    information[punctuation] = 0.0
    content = map(is_content, distinct)
    weights = list(zip(information.tolist(), norms.tolist(), content, strict=True))
    index = {word: i for i, word in enumerate(distinct)}
    sentences = []
    for tokens, lemmas in zip(batch.takelab.tokens, _lemmas(batch), strict=True):
        ids = np.array([index[token.lower()] for token in tokens], dtype=np.intp)
        words = tuple(Word(token, *weights[i]) for token, i in zip(tokens, ids, strict=True))
        positions = np.flatnonzero([word.content for word in words])[:MOST_WORDS]
        content_lemmas = np.array(lemmas, dtype=object)[positions]
        sentences.append(_Sentence(words, positions, ids[positions], content_lemmas))
    return sentences


def _lemmas(batch: PairBatch) -> list[list[str]]:
    """Return the lemma of each token; the lower-cased token without WordNet or a tagger."""
    takelab, wordnet = batch.takelab, batch.knowledge.wordnet
    lowered = [[token.lower() for token in side] for side in takelab.tokens]
    if wordnet is None or batch.knowledge.tagger is None:
        return lowered
    tags = [[WORDNET_POS.get(tag[:2]) for tag in side] for side in takelab.tags]
    return [
        [wordnet.lemma(word, pos) if pos else word for word, pos in zip(*side, strict=True)]
        for side in zip(lowered, tags, strict=True)
    ]


def _matches(
    first: _Sentence, second: _Sentence, unit: Vectors, wordnet: WordNet | None
) -> Iterator[Match]:
    if not (len(first.positions) and len(second.positions)):
        return
    same_word = first.ids[:, None] == second.ids
    same_lemma = first.lemmas[:, None] == second.lemmas
    similar = word_similarities(unit[first.ids] @ unit[second.ids].T, same_word | same_lemma)
    for i, j in np.argwhere(aligned_words(similar)).tolist():
        if same_word[i, j]:
            kind = "same"
        elif same_lemma[i, j]:
            kind = "lemma"
        else:
            kind = _relation(first.lemmas[i], second.lemmas[j], wordnet)
        positions = int(first.positions[i]), int(second.positions[j])
        yield Match(*positions, float(similar[i, j]), kind)


def _relation(first: str, second: str, wordnet: WordNet | None) -> str:
    """Return the relation of two different lemmas."""
    if wordnet is not None:
        if wordnet.similarities([first, second], np.array([0]), np.array([1]))[0] == 1:
            return "synonym"
        if second in wordnet.antonyms(first) or first in wordnet.antonyms(second):
            return "antonym"
    return "similar"
