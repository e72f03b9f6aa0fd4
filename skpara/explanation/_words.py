"""The words of two sentences: their weights, and which match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats, Oov, Pairs, Vectors
from skpara.features import (
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
    """Align the content words of pairs (strings or tuples of (token, tag)) one to one.

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
        positions = np.flatnonzero([word.content for word in words])
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
    for i, j in np.argwhere(aligned_words(similar[None])[0]).tolist():
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
