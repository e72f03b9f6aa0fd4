"""The explanation of one pair: its words and which match, its features, and all as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats, Oov, Pairs, Vectors
from skpara.explanation._groups import short_name, title_of
from skpara.explanation._novelty import UNFAMILIAR
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

_BAR_LENGTH = 20  # characters of the longest bar
_MOST_GROUPS = 10  # more than the features of skpara have; an encoder's words may be many


@set_module("skpara.explanation")
class Word(NamedTuple):
    """A token of a sentence.

    Parameters
    ----------
    text : str
        The token as the sentence writes it.
    information : float
        Information content in nats: the rarer, the higher; 0 for punctuation. A word that is not
        in the frequency table counts as the rarest that is.
    norm : float
        Length of its vector, which is the word's weight in a mean of word vectors.
    content : bool
        Whether it may match: neither a stop word nor punctuation.
    """

    text: str
    information: float
    norm: float
    content: bool


@set_module("skpara.explanation")
class Match(NamedTuple):
    """Two words, one of each sentence, that were aligned.

    Parameters
    ----------
    first, second : int
        Positions of the words in their sentences, from 0.
    similarity : float
        In (0, 1], as in the feature "aligned_content": 1 for the same word or lemma, else 0.9
        times the cosine of the vectors.
    kind : str
        "same" word, same "lemma", "synonym" or "antonym" by WordNet, or "similar" vectors. The
        middle three only where the model has WordNet.
    """

    first: int
    second: int
    similarity: float
    kind: str


@set_module("skpara.explanation")
class FeatureGroup(NamedTuple):
    """Features that compare the same side of two sentences.

    Parameters
    ----------
    title : str
        What they compare, such as "words in common"; for an encoder alone, a word of the first
        sentence.
    contribution : float
        What they add to the score together.
    features : tuple of (str, float, float)
        Name, value and contribution of each one that contributes, strongest first.
    """

    title: str
    contribution: float
    features: tuple[tuple[str, float, float], ...]


@set_module("skpara.explanation")
@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a pair got its score; :func:`explain` returns it and ``print`` shows it.

    Parameters
    ----------
    pair : tuple of (str, str)
        The two sentences.
    score : float
        The model's prediction.
    baseline : float
        The prediction without any feature; see :func:`contributions`.
    names : tuple of str, length n_features
        Names of the features; for an encoder alone, pairs of words.
    values : ndarray of float64, shape (n_features,)
        Values of the features; for an encoder alone, cosines of the words.
    contributions : ndarray of float64, shape (n_features,)
        What each feature adds to the score. With ``baseline`` they sum to ``unclipped``.
    words : tuple of two tuples of Word
        The tokens of both sentences, with their weights.
    matches : tuple of Match
        The words that were aligned.
    interval : tuple of (float, float), default=None
        Interval around the score, where the model can predict one.
    coverage : float, default=None
        Probability that the interval contains the true score.
    novelty : float, default=None
        How unlike the sentences are to what the model has learned from, from 0 to 1; see
        :func:`novelty`.
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
            Number of features; fewer if fewer contribute at all.

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
        """Return the contributions of groups of features; see :class:`FeatureGroup`.

        Parameters
        ----------
        n : int, default=None
            Number of groups. The last one then has all features of weaker groups. None is all.

        Returns
        -------
        list of FeatureGroup
            The strongest first. Their contributions sum to what all features add to the score.
        """
        features: dict[str, list[tuple[str, float, float]]] = {}
        for feature in self.top(len(self.names)):
            features.setdefault(title_of(feature[0]), []).append(feature)
        groups = [
            FeatureGroup(title, sum(added for _, _, added in rows), tuple(rows))
            for title, rows in features.items()
        ]
        groups.sort(key=lambda group: -abs(group.contribution))
        if n is None or len(groups) <= n:
            return groups
        rest = sorted((f for group in groups[n - 1 :] for f in group.features), key=_strength)
        total = sum(added for _, _, added in rest)
        return [*groups[: n - 1], FeatureGroup("everything else", total, tuple(rest))]

    def unmatched(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """Return the content words that match nothing.

        Returns
        -------
        tuple of (tuple of Word, tuple of Word)
            Those of the first and of the second sentence.
        """
        matched = [{match[side] for match in self.matches} for side in (0, 1)]
        first, second = (
            tuple(word for i, word in enumerate(words) if word.content and i not in indices)
            for words, indices in zip(self.words, matched, strict=True)
        )
        return first, second

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain Python, ready for JSON.

        Returns
        -------
        dict
            Its keys are "pair", "score", "baseline", "interval" and "novelty" (or None),
            "groups" (each with "title" and "contribution"), "features" (each with "name",
            "value" and "contribution"), "words" (two lists) and "matches".
        """
        rows = zip(self.names, self.values.tolist(), self.contributions.tolist(), strict=True)
        keys = ("name", "value", "contribution")
        return {
            "pair": list(self.pair),
            "score": self.score,
            "baseline": self.baseline,
            "interval": None if self.interval is None else list(self.interval),
            "novelty": self.novelty,
            "groups": [
                {"title": title, "contribution": added} for title, added, _ in self.groups()
            ],
            "features": [dict(zip(keys, row, strict=True)) for row in rows],
            "words": [[word._asdict() for word in side] for side in self.words],
            "matches": [match._asdict() for match in self.matches],
        }

    def to_html(self) -> str:
        """Convert to HTML without scripts or links, which is what a notebook shows.

        Returns
        -------
        str
            A ``div`` element and its style.
        """
        from skpara.explanation._html import explanation_html  # which needs this class

        return explanation_html(self)

    _repr_html_ = to_html

    def __repr__(self) -> str:
        return f"Explanation(pair={self.pair!r}, score={self.score:.3f})"

    def __str__(self) -> str:
        return "\n".join(
            [*self.pair, "", *self.summary(), "", *self._groups(), "", *self._words()]
        )

    def summary(self) -> list[str]:
        """Return the score, its interval, and a warning about unfamiliar text, as lines of text.

        Returns
        -------
        list of str
            One to three lines.
        """
        clipped = f", clipped from {self.unclipped:.2f}" if self.clipped else ""
        added = self.unclipped - self.baseline
        lines = [f"score {self.score:.2f}{clipped} = baseline {self.baseline:.2f} {added:+.2f}"]
        if self.interval is not None and self.coverage is not None:
            low, high = self.interval
            lines.append(f"{100 * self.coverage:.0f} % interval {low:.2f} to {high:.2f}")
        if self.novelty is not None and self.novelty >= UNFAMILIAR:
            lines.append(f"unlike the text that the model has learned from: {self.novelty:.2f}")
        return lines

    def _groups(self) -> list[str]:
        groups = self.groups(_MOST_GROUPS)
        if not groups:
            return ["no feature moved the score"]
        width = max(len(group.title) for group in groups)
        longest = abs(groups[0].contribution) or 1.0
        lines = []
        for title, added, features in groups:
            bar = ("+" if added > 0 else "-") * max(1, round(_BAR_LENGTH * abs(added) / longest))
            strongest = f"{short_name(features[0][0])} {features[0][1]:.2f}"
            lines.append(f"{added:+7.3f}  {title:<{width}}  {bar:<{_BAR_LENGTH}}  {strongest}")
        return lines

    def _words(self) -> list[str]:
        pairs = [(self.words[0][m.first].text, self.words[1][m.second].text) for m in self.matches]
        widths = [max((len(pair[side]) for pair in pairs), default=0) for side in (0, 1)]
        lines = ["words that match"] if pairs else ["no words match"]
        for (first, second), match in zip(pairs, self.matches, strict=True):
            words = f"{first:>{widths[0]}} ~ {second:<{widths[1]}}"
            lines.append(f"{words}  {match.similarity:.2f} {match.kind}")
        for name, side in zip(("first", "second"), self.unmatched(), strict=True):
            if side:
                lines.append(f"only in the {name}: {', '.join(word.text for word in side)}")
        return lines


def _strength(feature: tuple[str, float, float]) -> float:
    return -abs(feature[2])


class AlignedPair(NamedTuple):
    """The words of both sentences and their matches."""

    words: tuple[tuple[Word, ...], tuple[Word, ...]]
    matches: tuple[Match, ...]


class _Sentence(NamedTuple):
    words: tuple[Word, ...]
    positions: NDArray[np.intp]  # of the content words, like the next two
    ids: NDArray[np.intp]
    lemmas: NDArray[np.object_]


def align(pairs: Pairs, knowledge: Knowledge, oov: Oov = "subword") -> list[AlignedPair]:
    """Align the content words of pairs (strings or tuples of tokens) one to one.

    This is what the feature "aligned_content" does; lemmas need WordNet and a tagger.
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
    """The lemma of each token; the lower-cased token without WordNet or a tagger."""
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
    """How two lemmas that are not the same are related."""
    if wordnet is not None:
        if wordnet.similarities([first, second], np.array([0]), np.array([1]))[0] == 1:
            return "synonym"
        if second in wordnet.antonyms(first) or first in wordnet.antonyms(second):
            return "antonym"
    return "similar"
