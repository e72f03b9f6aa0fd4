"""From a fitted model and pairs to explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import check_is_fitted

from skpara._linalg import unit_rows
from skpara._pairs import as_pairs
from skpara.encoders._base import SentenceEncoder
from skpara.explanation._contributions import contributions, keeps_columns
from skpara.explanation._explanation import Explanation
from skpara.explanation._words import AlignedPair, align
from skpara.features import LexicalFeatures
from skpara.features._batch import Knowledge
from skpara.resources import WordFrequencies, WordVectors
from skpara.text import tokenize


def explain(model: Any, pairs: Any) -> list[Explanation]:
    """Say why pairs get their scores.

    Parameters
    ----------
    model : fitted Pipeline, or ParagramEncoder
        A pipeline from pairs to named features to a regressor that :func:`contributions` knows,
        as :func:`~skpara.make_sts_pipeline` makes, or a search over such. Of an encoder whose
        network is the average, the cosine is explained: it is a sum over pairs of words, one of
        each sentence.
    pairs : pairs of sentences, shape (n_pairs, 2)

    Returns
    -------
    list of Explanation, length n_pairs

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If the model is not fitted.
    TypeError
        If it is no such model: its features have no names, or its regressor is unknown.

    Notes
    -----
    Words match as in the feature "aligned_content": content words, one to one, the same word or
    lemma or similar vectors, in like company. Where the model has
    :class:`~skpara.LexicalFeatures`, its tokens, vectors, frequencies, tagger and WordNet are
    used; else the encoder's tokens and vectors, or the packaged ones. A pair in another language
    is explained in the English that the model made of it.

    See Also
    --------
    skpara.plots.AlignmentDisplay : The same as a picture.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.explanation import explain
    >>> pair = ("A man plays a guitar.", "Someone is playing music.")
    >>> [explanation] = explain(ParagramEncoder(), [pair])
    >>> [(explanation.words[0][m.first].text, explanation.words[1][m.second].text)
    ...  for m in explanation.matches]
    [('plays', 'playing'), ('guitar', 'music')]
    """
    if isinstance(model, SentenceEncoder):
        return _explain_cosines(model, pairs)
    check_is_fitted(model)
    pipeline = getattr(model, "best_estimator_", model)
    if not isinstance(pipeline, Pipeline):
        raise TypeError(_refusal(f"got {type(pipeline).__name__}"))
    # What only scales or selects belongs to the regressor: features are shown as they were.
    start = len(pipeline) - 1
    while start > 0 and keeps_columns(pipeline[start - 1]):
        start -= 1
    if start == 0:
        raise TypeError(_refusal("no step turns pairs into features"))
    try:
        names = tuple(map(str, pipeline[:start].get_feature_names_out()))
    except AttributeError as error:
        raise TypeError(_refusal(str(error))) from error
    text, features = _through(pipeline[:start], pairs)
    baseline, moved = contributions(pipeline[start:], features)
    return [
        Explanation((first, second), float(score), baseline, names, row, added, *aligned)
        for (first, second), score, row, added, aligned in zip(
            as_pairs(pairs).tolist(),
            pipeline[start:].predict(features),
            np.asarray(features, dtype=np.float64),
            moved,
            _aligned_by(pipeline, text),
            strict=True,
        )
    ]


def _through(steps: Pipeline, pairs: Any) -> tuple[NDArray[np.object_], Any]:
    """The text that the features were made of, and the features."""
    text, X = as_pairs(pairs), pairs
    for _, step in steps.steps:
        if step not in (None, "passthrough"):
            X = step.transform(X)
        if getattr(X, "dtype", None) is np.dtype(object):  # still text, in English now
            text = as_pairs(X)
    return text, X


def _aligned_by(model: Pipeline, text: NDArray[np.object_]) -> list[AlignedPair]:
    """Align words by what the model knows of them."""
    parts = list(_parts(model))
    lexical = next((part for part in parts if isinstance(part, LexicalFeatures)), None)
    encoders = (part for part in parts if isinstance(part, SentenceEncoder) and part.averages)
    encoder = next(encoders, None)
    if lexical is None:
        return _aligned_tokens(text, encoder)
    vectors, frequencies = lexical.vectors_, lexical.frequencies_
    if vectors is None:
        vectors = WordVectors.load() if encoder is None else encoder.word_vectors
    if frequencies is None:
        frequencies = WordFrequencies.load()
    known = Knowledge(frequencies, vectors, lexical.wordnet_, lexical.tagger_)
    return align(text, known)


def _aligned_tokens(
    text: NDArray[np.object_], encoder: SentenceEncoder | None
) -> list[AlignedPair]:
    """Align the tokens of an encoder, by its vectors if it has those of words."""
    cells = np.empty(text.shape, dtype=object)
    for place, sentence in np.ndenumerate(text):
        cells[place] = tuple((token, "") for token in tokenize(sentence))
    vectors = WordVectors.load() if encoder is None else encoder.word_vectors
    oov = "subword" if encoder is None else encoder.oov
    return align(cells, Knowledge(WordFrequencies.load(), vectors), oov)


def _parts(model: Any) -> Iterator[Any]:
    """The transformers and the regressor of a pipeline, those in unions too."""
    if isinstance(model, Pipeline | FeatureUnion):
        named = model.steps if isinstance(model, Pipeline) else model.transformer_list
        for _, part in named:
            yield from _parts(part)
    else:
        yield model


def _explain_cosines(encoder: SentenceEncoder, pairs: Any) -> list[Explanation]:
    if not encoder.averages:
        raise TypeError(
            f"The cosine of a {encoder.network!r} network is no sum over words; only that of the "
            "average is. Put the encoder into a pipeline with a regressor instead."
        )
    text = as_pairs(pairs)
    scores = encoder.similarity(text[:, 0].tolist(), text[:, 1].tolist())
    return [
        Explanation((first, second), float(score), 0.0, *_word_pairs(aligned, encoder), *aligned)
        for (first, second), score, aligned in zip(
            text.tolist(), scores, _aligned_tokens(text, encoder), strict=True
        )
    ]


def _word_pairs(
    aligned: AlignedPair, encoder: SentenceEncoder
) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.float64]]:
    """Pairs of words, their cosines, and what each adds to the cosine of the sentences.

    A word that stands twice is one word with its vector twice.
    """
    counts = [Counter(word.text for word in side) for side in aligned.words]
    vectors = [
        encoder.word_vectors.lookup(list(side), encoder.oov).astype(float) for side in counts
    ]
    weights = [np.array(list(side.values()), dtype=np.float64) for side in counts]
    norms = [np.linalg.norm(w @ v) for w, v in zip(weights, vectors, strict=True)]
    dots = (weights[0][:, None] * vectors[0]) @ (weights[1][:, None] * vectors[1]).T
    shares = dots / (norms[0] * norms[1]) if norms[0] * norms[1] else np.zeros_like(dots)
    cosines = unit_rows(vectors[0]) @ unit_rows(vectors[1]).T
    names = tuple(f"{a} ~ {b}" for a, b in product(*counts))
    return names, cosines.ravel(), shares.ravel()


def _refusal(reason: str) -> str:
    return (
        "explain needs a fitted Pipeline from pairs to features with names to a regressor, such "
        f"as make_sts_pipeline() makes, or a ParagramEncoder: {reason}."
    )
