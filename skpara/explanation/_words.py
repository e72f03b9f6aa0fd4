"""The words of two sentences: what each tells, and which match."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Oov
from skpara.features._batch import _WORDNET_POS, Knowledge, PairBatch
from skpara.features.families._alignment import unit_rows
from skpara.features.families._word_alignment import aligned_words, is_content, similarities
from skpara.resources import WordNet


@set_module("skpara.explanation")
class Word(NamedTuple):
    """A token of a sentence.

    Attributes
    ----------
    text : str
        As the sentence writes it.
    information : float
        Information content in nats: the rarer, the higher; 0 for punctuation. A word that the
        frequency table does not hold counts as the rarest that it holds.
    norm : float
        Length of its vector, the word's weight in a mean of word vectors.
    content : bool
        Whether it may match: no stop word and no punctuation.
    """

    text: str
    information: float
    norm: float
    content: bool


@set_module("skpara.explanation")
class Match(NamedTuple):
    """Two words, one of each sentence, that were aligned.

    Attributes
    ----------
    first, second : int
        Places of the words in their sentences, from 0.
    similarity : float
        In (0, 1], as the feature "aligned_content" counts it: 1 for the same word or lemma, else
        0.9 times the cosine of the vectors.
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
    lemmas: list[str]
    places: NDArray[np.intp]  # of the content words, whose numbers are the next two
    ids: NDArray[np.intp]
    lemma_ids: NDArray[np.intp]


def align(
    pairs: NDArray[np.object_], knowledge: Knowledge, oov: Oov = "subword"
) -> list[AlignedPair]:
    """Align the content words of pairs one to one, as the feature "aligned_content" does.

    Parameters
    ----------
    pairs : ndarray of str, or of tuples of (token, tag), shape (n_pairs, 2)
    knowledge : Knowledge
        With vectors and frequencies; lemmas are used if it has WordNet and a tagger.
    oov : {"subword", "rare", "zero"}, default="subword"
        What words without a vector get.
    """
    assert knowledge.vectors is not None
    batch = PairBatch(pairs, knowledge)
    unit, norms = unit_rows(knowledge.vectors.lookup(batch.takelab.distinct, oov))
    sentences = _sentences(batch, norms)
    return [
        AlignedPair(
            (sentences[a].words, sentences[b].words),
            tuple(_matches(sentences[a], sentences[b], unit, knowledge.wordnet)),
        )
        for a, b in batch.takelab.pairs
    ]


def _sentences(batch: PairBatch, norms: NDArray[np.float64]) -> list[_Sentence]:
    """What there is to know of each list of tokens."""
    distinct, frequencies = batch.takelab.distinct, batch.frequencies
    says = [any(map(str.isalnum, word)) for word in distinct]
    content = map(is_content, distinct)
    information = frequencies.information(distinct, unknown=frequencies.max_information)
    information = np.where(says, information, 0.0)
    facts = list(zip(information.tolist(), norms.tolist(), content, strict=True))
    index = {word: i for i, word in enumerate(distinct)}
    lemmas = _lemmas(batch)
    lemma_index = {lemma: i for i, lemma in enumerate(dict.fromkeys(chain(*lemmas)))}
    sentences = []
    for tokens, forms in zip(batch.takelab.tokens, lemmas, strict=True):
        ids = np.array([index[token.lower()] for token in tokens], dtype=np.intp)
        lemma_ids = np.array([lemma_index[form] for form in forms], dtype=np.intp)
        words = tuple(Word(token, *facts[i]) for token, i in zip(tokens, ids, strict=True))
        places = np.flatnonzero([word.content for word in words])
        sentences.append(_Sentence(words, forms, places, ids[places], lemma_ids[places]))
    return sentences


def _lemmas(batch: PairBatch) -> list[list[str]]:
    """The lemma of each token; the lower-cased token where there is no WordNet or no tagger."""
    takelab, wordnet = batch.takelab, batch.knowledge.wordnet
    lowered = [[token.lower() for token in side] for side in takelab.tokens]
    if wordnet is None or batch.knowledge.tagger is None:
        return lowered
    tags = [[_WORDNET_POS.get(tag[:2]) for tag in side] for side in takelab.tags]
    return [
        [wordnet.lemma(word, pos) if pos else word for word, pos in zip(*side, strict=True)]
        for side in zip(lowered, tags, strict=True)
    ]


def _matches(
    first: _Sentence, second: _Sentence, unit: NDArray[np.float32], wordnet: WordNet | None
) -> Iterator[Match]:
    if not (len(first.places) and len(second.places)):
        return
    same_word = first.ids[:, None] == second.ids
    same_lemma = first.lemma_ids[:, None] == second.lemma_ids
    similar = similarities(unit[first.ids] @ unit[second.ids].T, same_word | same_lemma)
    for i, j in np.argwhere(aligned_words(similar[None])[0]).tolist():
        here, there = int(first.places[i]), int(second.places[j])
        if same_word[i, j]:
            kind = "same"
        elif same_lemma[i, j]:
            kind = "lemma"
        else:
            kind = _relation(first.lemmas[here], second.lemmas[there], wordnet)
        yield Match(here, there, float(similar[i, j]), kind)


def _relation(first: str, second: str, wordnet: WordNet | None) -> str:
    """How two lemmas that are not the same are related."""
    if wordnet is not None:
        if wordnet.similarities([first, second], np.array([0]), np.array([1]))[0] == 1:
            return "synonym"
        if second in wordnet.antonyms(first) or first in wordnet.antonyms(second):
            return "antonym"
    return "similar"
