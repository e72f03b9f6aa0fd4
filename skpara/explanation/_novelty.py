"""Unlikeness of text to the text that a model has learned from."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from typing import Any

import numpy as np
from sklearn.pipeline import FeatureUnion, Pipeline

from skpara._pairs import as_pairs, takes_pairs
from skpara._typing import Floats, Pairs, PairsLike
from skpara.features import LexicalFeatures
from skpara.resources import WordFrequencies
from skpara.text import tokenize

# In nats: the ten thousand most common English words have less information. A model trained on few
# pairs has not seen them all, but they are not a sign of unfamiliar text.
_COMMON = 11.0
# Higher for 0 to 2 percent of the pairs of a kind of text left out of training (STS 2012-2015 and
# SICK), and for more than 95 percent of pairs in Spanish, French or German.
UNFAMILIAR = 0.4


@takes_pairs
def novelty(model: Any, pairs: PairsLike) -> Floats:
    """Compute how different pairs are from the text that a model was trained on.

    Do not trust scores of text unlike the training text: another language, random letters, a table
    read in the wrong encoding. A novelty above 0.4 is rare for English sentences of any kind, and
    common for anything else.

    Parameters
    ----------
    model : fitted estimator
        A pipeline with :class:`~skpara.LexicalFeatures`, which know the words of the training
        sentences and of ``unlabeled`` ones, or a search over one. For other models, only the
        frequencies of English words count.
    pairs : pairs of sentences, shape (n_pairs, 2)
        Pairs to check.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        The larger novelty of the two sentences: the mean over a sentence's words of 0 for common
        words and words of the training sentences, 1 for words without a known frequency, and
        otherwise the information content relative to the rarest word's. It is 1 for a sentence
        without words.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara import novelty
    >>> pairs = [("A man plays.", "Music."), ("Un hombre toca.", "Música."), ("Qwx.", "Xkvz.")]
    >>> novelty(ParagramEncoder(), pairs).round(1)
    array([0. , 0.9, 1. ])
    """
    check_model(model, pairs)
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
    # A sentence without words, such as "...", is unlike any text.
    values = [np.mean([of_word[word] for word in sentence] or [1.0]) for sentence in words]
    return np.array(values, dtype=np.float64).reshape(text.shape).max(axis=1, initial=0.0)


def _translated(model: Any, pairs: Pairs) -> Pairs:
    """Return the pairs as the model reads them, in English if it translates."""
    for part in parts_of(model):
        if getattr(part, "_gives_text", False):
            return as_pairs(part.transform(pairs))
    return pairs


def check_model(model: Any, pairs: Any) -> None:
    """Raise if the model is the name of its file, or was passed in the second place."""
    if isinstance(model, str | os.PathLike):
        raise TypeError(f"{str(model)!r} is a path. Load the model: load_model({str(model)!r}).")
    if hasattr(pairs, "fit"):
        raise TypeError("The model comes first, and then the pairs: (model, pairs).")


def lexical_part(model: Any) -> LexicalFeatures | None:
    """Return the lexical features of a model, if there are any."""
    return next((part for part in parts_of(model) if isinstance(part, LexicalFeatures)), None)


def parts_of(model: Any) -> Iterator[Any]:
    """Yield the transformers, also inside unions, and the regressor of a pipeline."""
    model = getattr(model, "best_estimator_", model)
    if isinstance(model, Pipeline | FeatureUnion):
        named = model.steps if isinstance(model, Pipeline) else model.transformer_list
        for _, part in named:
            yield from parts_of(part)
    else:
        yield model


def _words(sentence: str) -> list[str]:
    return [token for token in tokenize(sentence) if token[0].isalnum()]
