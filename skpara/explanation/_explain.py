"""Explanations of the scores of a fitted model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.pipeline import Pipeline
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from skpara._core import Ragged
from skpara._linalg import unit_rows
from skpara._pairs import as_pairs, takes_pairs
from skpara._typing import Floats, Oov, Pairs, PairsLike, Vectors
from skpara.encoders import ParagramEncoder
from skpara.explanation._contributions import UnexplainedError, contributions, maps_columns
from skpara.explanation._explanation import AlignedPair, Explanation, align
from skpara.explanation._novelty import check_model, lexical_part, novelty, parts_of
from skpara.features import MOST_WORDS, Knowledge
from skpara.learning import shares_of_means
from skpara.networks import Network
from skpara.resources import WordFrequencies, WordVectors
from skpara.text import tokenize

_FURTHER_WORDS = "(further words)"
_SPARSE_BATCH = 64  # pairs; with 100,000 words as features, an array of 50 MB


@takes_pairs
def explain(model: Any, pairs: PairsLike, *, coverage: float = 0.9) -> list[Explanation]:
    """Explain the scores of pairs by matching words, and by what each feature contributes.

    Parameters
    ----------
    model : fitted Pipeline, or ParagramEncoder
        A pipeline from pairs to named features to a regressor that
        :func:`~skpara.explanation.contributions` can split, such as
        :func:`~skpara.make_sts_pipeline`, or a search over one. For an encoder with the
        network "average", the cosine is explained: it is a sum over pairs of words, one of each
        sentence. For a pipeline to a classifier with two classes, such as
        :func:`~skpara.make_pair_classifier`, the log odds of the second class are explained.
        Other models raise ``TypeError``.
    pairs : pairs of sentences, shape (n_pairs, 2)
        Pairs to explain.
    coverage : float, default=0.9
        Probability that the interval around a score contains the true score, if the model was
        fitted with ``intervals=True``; see :meth:`~skpara.FusionRegressor.predict_interval`.

    Returns
    -------
    list of Explanation, length n_pairs
        Explanation of each pair.

    Notes
    -----
    Words match as in the feature "aligned_content": content words, one to one, that are the same
    word or lemma or have similar vectors, preferably between similar neighbours. Tokens, vectors,
    frequencies, tagger and WordNet are taken from :class:`~skpara.LexicalFeatures` in the model,
    else tokens and vectors from its encoder, else the packaged ones. A translated pair is
    explained in English. The first 512 words of longer sentences are matched.

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
    check_model(model, pairs)
    if isinstance(model, ParagramEncoder):
        return _explain_cosines(model, pairs)
    check_is_fitted(model)
    pipeline = getattr(model, "best_estimator_", model)
    if not isinstance(pipeline, Pipeline):
        raise UnexplainedError(_unsupported(f"got {type(pipeline).__name__}"))
    # Scalers and selectors belong to the regressor, so that features keep their original values.
    start = len(pipeline) - 1
    while start > 0 and maps_columns(pipeline[start - 1]):
        start -= 1
    if start == 0:
        raise UnexplainedError(_unsupported("no step turns pairs into features"))
    try:
        names = np.array(pipeline[:start].get_feature_names_out(), dtype=object)
    except AttributeError as error:
        raise UnexplainedError(_unsupported(str(error))) from error
    text, features = _transform(pipeline[:start], pairs)
    if not len(text):  # most regressors refuse this
        return []
    aligned, novelties = _align_by(pipeline, text), novelty(pipeline, pairs).tolist()
    sentences, explanations = as_pairs(pairs).tolist(), []
    for rows in gen_batches(len(text), _SPARSE_BATCH if sparse.issparse(features) else len(text)):
        columns = _explain_features(pipeline[start:], names, features[rows], coverage)
        for pair, words, novel, row in zip(
            *(sentences[rows], aligned[rows], novelties[rows], columns), strict=True
        ):
            explanations.append(Explanation(tuple(pair), **row, **words._asdict(), novelty=novel))
    return explanations


def _explain_features(
    last: Pipeline, names: NDArray[Any], features: Any, coverage: float
) -> Iterator[dict[str, Any]]:
    """Yield the numerical fields of an explanation for each row of features."""
    baseline, added = contributions(last, features)
    if sparse.issparse(features):
        used = np.flatnonzero((added != 0).any(axis=0) | (features != 0).toarray().any(axis=0))
        values, added, names = features[:, used].toarray(), added[:, used], names[used]
    else:
        values = np.asarray(features, dtype=np.float64)
    is_logit = hasattr(last, "decision_function")
    predict = last.decision_function if is_logit else last.predict
    intervals = None
    if getattr(last[-1], "intervals", False):
        scaled = last[:-1].transform(features) if len(last) > 1 else features
        intervals = last[-1].predict_interval(scaled, coverage).tolist()
    for i, score in enumerate(predict(features)):
        yield {
            "score": float(score),
            "probability": float(expit(score)) if is_logit else None,
            "baseline": baseline,
            "names": tuple(map(str, names)),
            "values": values[i],
            "contributions": added[i],
            "interval": None if intervals is None else tuple(intervals[i]),
            "coverage": None if intervals is None else coverage,
        }


def _transform(steps: Pipeline, pairs: PairsLike) -> tuple[Pairs, Any]:
    """Return the text, translated if a step translates, and its features."""
    text, X = as_pairs(pairs), pairs
    for _, step in steps.steps:
        if step not in (None, "passthrough"):
            X = step.transform(X)
        if getattr(X, "dtype", None) is np.dtype(object):  # the step translated the text
            text = as_pairs(X)
    return text, X


def _align_by(model: Pipeline, text: Pairs) -> list[AlignedPair]:
    """Align words by the vectors and other resources of the model."""
    lexical = lexical_part(model)
    parts = parts_of(model)
    encoders = (
        part
        for part in parts
        if isinstance(part, ParagramEncoder) and part._current_network.averages
    )
    encoder = next(encoders, None)
    if lexical is None:
        return _align_tokens(text, encoder)
    vectors = _vectors(encoder) if lexical.vectors_ is None else lexical.vectors_
    frequencies = lexical.frequencies_ or WordFrequencies.load()
    return align(text, Knowledge(frequencies, vectors, lexical.wordnet_, lexical.tagger_))


def _align_tokens(text: Pairs, encoder: ParagramEncoder | None) -> list[AlignedPair]:
    """Align an encoder's tokens by its vectors, or by the packaged ones."""
    cells = np.empty(text.shape, dtype=object)
    for index, sentence in np.ndenumerate(text):
        cells[index] = tuple(tokenize(sentence))
    oov: Oov = "subword" if encoder is None else encoder.oov
    return align(cells, Knowledge(WordFrequencies.load(), _vectors(encoder)), oov)


def _vectors(encoder: ParagramEncoder | None) -> WordVectors:
    return WordVectors.load() if encoder is None else encoder._word_vectors


def _explain_cosines(encoder: ParagramEncoder, pairs: PairsLike) -> list[Explanation]:
    if not encoder._current_network.averages:
        raise UnexplainedError(
            f"The cosine of a {encoder.network!r} network is not a sum over words, as the cosine "
            "of the average is. Put the encoder into a pipeline with a regressor instead."
        )
    text = as_pairs(pairs)
    scores = encoder.similarity(text[:, 0].tolist(), text[:, 1].tolist())
    vectors = encoder._word_vectors
    network = encoder._current_network
    aligned, novelties = _align_tokens(text, encoder), novelty(encoder, text).tolist()
    explanations = []
    for pair, score, words, novel in zip(
        *(text.tolist(), scores.tolist(), aligned, novelties), strict=True
    ):
        split = _split_cosine(words, vectors, encoder.oov, network)
        explanations.append(Explanation(tuple(pair), score, 0.0, *split, *words, novelty=novel))
    return explanations


def _split_cosine(
    aligned: AlignedPair, vectors: WordVectors, oov: Oov, network: Network
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return pairs of words, their cosines, and their parts of the sentences' cosine."""
    # A word that occurs twice is one row, with twice its vector if every occurrence counts.
    counts = [Counter(word.text for word in side) for side in aligned.words]
    rows = [vectors.lookup(list(side), oov) for side in counts]
    if network.distinct_words:
        counts = [_distinct(side, vectors, oov) for side in counts]
    first, second = (
        _shares(list(side.values()), vectors_of_side, network.redundancy) * vectors_of_side
        for side, vectors_of_side in zip(counts, rows, strict=True)
    )
    (first_names, first), (second_names, second) = map(_bounded, counts, (first, second))
    norm = np.linalg.norm(first.sum(axis=0)) * np.linalg.norm(second.sum(axis=0))
    dots = first @ second.T
    added = dots / norm if norm else np.zeros_like(dots)
    cosines = unit_rows(first) @ unit_rows(second).T
    names = tuple(f"{a} ~ {b}" for a, b in product(first_names, second_names))
    return names, cosines.ravel(), added.ravel()


def _shares(counts: list[int], rows: Vectors, redundancy: float) -> Floats:
    """Return the share of each word in the mean of a sentence, as a column."""
    ids = np.repeat(np.arange(len(counts)), counts)
    sentence = Ragged(ids, np.array([0, len(ids)]))
    return shares_of_means(rows, sentence, redundancy).toarray().T.astype(np.float64)


def _distinct(words: Iterable[str], vectors: WordVectors, oov: Oov) -> Counter[str]:
    """Count each word once, except unknown words with the same row as an earlier one."""
    words = list(words)
    unknown = [word for word in words if word not in vectors] if oov != "subword" else []
    return Counter({word: int(word not in unknown[1:]) for word in words})


def _bounded(words: Iterable[str], rows: Floats) -> tuple[list[str], Floats]:
    """Sum the rows of further words of a long text, since all pairs of words are compared."""
    names = list(words)
    if len(names) <= MOST_WORDS:
        return names, rows
    rest = rows[MOST_WORDS:].sum(axis=0)
    return [*names[:MOST_WORDS], _FURTHER_WORDS], np.vstack([rows[:MOST_WORDS], rest])


def _unsupported(reason: str) -> str:
    return (
        "explain needs a fitted Pipeline from pairs to features with names to a regressor, such "
        f"as make_sts_pipeline() returns, or a ParagramEncoder: {reason}."
    )
