"""How unlike the text of pairs is to what a model has learned from."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from typing import Any

import numpy as np
from sklearn.pipeline import FeatureUnion, Pipeline

from skpara._pairs import as_pairs
from skpara._typing import Floats, Pairs, PairsLike
from skpara.features import LexicalFeatures
from skpara.resources import WordFrequencies
from skpara.text import tokenize

# Words of less information, in nats, are about the ten thousand commonest of English. A model that
# was trained on few pairs has not seen them all, and they tell nothing about the kind of text.
_COMMON = 11.0
# Of the pairs of a kind of text that was left out of training (STS 2012-2015 and SICK), 0 to 2
# percent have a higher novelty, and of pairs in Spanish, French or German more than 95 percent.
UNFAMILIAR = 0.4


def novelty(model: Any, pairs: PairsLike) -> Floats:
    """Compute how unlike the text of pairs is to what a model has learned from.

    A score for such text may be far from right: another language, random letters, a table that was
    read in the wrong encoding. A novelty of more than 0.4 is rare for English sentences, of
    whatever kind, and usual for anything else.

    Parameters
    ----------
    model : fitted estimator
        A pipeline with :class:`~skpara.LexicalFeatures`, which know the words of the training
        sentences and of ``unlabeled`` ones, or a search over one. For other models only the
        frequencies of English words count.
    pairs : pairs of sentences, shape (n_pairs, 2)
        Pairs to look at.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        From 0, where all words are common or occurred in training, to 1, for a sentence without
        any known word. It is the larger one of the novelties of the two sentences, and that of a
        sentence is the mean over its words: 0 for a common word or one of the training sentences,
        1 for one without a known frequency, and in between the information content of the word
        relative to the rarest word's.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.explanation import novelty
    >>> pairs = [("A man plays.", "Music."), ("Un hombre toca.", "Música."), ("Qwx.", "Xkvz.")]
    >>> novelty(ParagramEncoder(), pairs).round(1)
    array([0. , 0.9, 1. ])
    """
    lexical = lexical_part(model)
    frequencies = getattr(lexical, "frequencies_", None) or WordFrequencies.load()
    counts: Container[str] = getattr(lexical, "document_frequencies_", {}).get("word", ())
    text = _translated(model, as_pairs(pairs))
    words = [_words(sentence) for sentence in text.ravel().tolist()]
    distinct = list({word for sentence in words for word in sentence})
    information = frequencies.information(distinct, unknown=frequencies.max_information)
    of_word = {
        word: 0.0 if value < _COMMON or word in counts else value / frequencies.max_information
        for word, value in zip(distinct, information.tolist(), strict=True)
    }
    # A sentence without words, such as "...", gives nothing to judge by.
    values = [np.mean([of_word[word] for word in sentence] or [1.0]) for sentence in words]
    return np.array(values, dtype=np.float64).reshape(text.shape).max(axis=1, initial=0.0)


def _translated(model: Any, pairs: Pairs) -> Pairs:
    """Return what the model reads, which is English where it translates."""
    augment = sys.modules.get("skpara.augment")
    if augment is None:  # then the model has no part of it
        return pairs
    for part in parts_of(model):
        if isinstance(part, augment.TranslateToEnglish):
            return as_pairs(part.transform(pairs))
    return pairs


def lexical_part(model: Any) -> LexicalFeatures | None:
    """Return the lexical features of a model, if it has any."""
    return next((part for part in parts_of(model) if isinstance(part, LexicalFeatures)), None)


def parts_of(model: Any) -> Iterator[Any]:
    """Yield the transformers and the regressor of a pipeline, also those inside unions."""
    model = getattr(model, "best_estimator_", model)
    if isinstance(model, Pipeline | FeatureUnion):
        named = model.steps if isinstance(model, Pipeline) else model.transformer_list
        for _, part in named:
            yield from parts_of(part)
    else:
        yield model


def _words(sentence: str) -> list[str]:
    return [token for token in tokenize(sentence) if token[0].isalnum()]
