"""Distillation of a sentence model into word vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skpara._linalg import unit_rows
from skpara._pairs import as_sentences
from skpara._typing import Floats, SentencesLike, Vectors
from skpara._validation import check_count
from skpara.encoders._external_models import as_model, encode_by
from skpara.learning import Adam, mean_vectors
from skpara.networks import Average
from skpara.resources import WordFrequencies, WordVectors, eight_bit_codes
from skpara.text import tokenize

# a in the smooth inverse frequency a / (a + p) of Arora and others (2017)
_SMOOTHING = 1e-3
# Before training, rows are lengthened by this power of 1 / p: names occur in few texts, so
# training hardly changes them. r on MSRpar (STS 2012) is .653 without, .665 with it.
_RARITY = 0.05
# Keeps the rows about as long as unit vectors, for which the learning rate was chosen.
_START_LENGTH = 0.6
# After training, rows are divided by this power of their lengths: training overstates the words
# typical of a topic. r on the headlines of 2013-2015 is .802 without, .805 with it.
# More helps headlines and harms captions.
_EVENNESS = 0.15
# After training, rows of rarer words become longer again, by this power of 1 / p; as for evenness,
# more helps headlines and harms captions.
_RARITY_AFTER = 0.03
_SMALLEST_PROBABILITY = 1e-8  # about the rarest words of wordfreq
_MIN_COUNT = 2  # occurrences in the texts: one sentence says too little about a word


def distill(
    teacher: Any,
    texts: SentencesLike,
    *,
    words: Sequence[str] | None = None,
    frequencies: WordFrequencies | None = None,
    n_dims: int = 256,
    max_iter: int = 6,
    redundancies: Sequence[float] = (0.0, 1.0),
    device: Any = "auto",
    random_state: Any = None,
    verbose: int = 0,
) -> WordVectors:
    """Make word vectors whose means over sentences agree with a teacher's vectors.

    The vectors start as the teacher's vectors of the single words, reduced to ``n_dims`` by
    principal components and multiplied by the smooth inverse frequency. They are trained so that
    the mean of a text's vectors, each word counted once, points in the direction of the teacher's
    vector of the text. The packaged vectors were made by this function.

    Words with a digit get no row: :meth:`skpara.WordVectors.lookup` gives each its own vector,
    which distinguishes numbers better than a teacher does.

    Parameters
    ----------
    teacher : path, str, or object with ``encode``
        For example a model of sentence-transformers: its folder, or the object.
    texts : sequence of str, shape (n_texts,)
        Sentences and phrases to learn from, of the kinds that will be compared; hundreds of
        thousands for a whole language.
    words : sequence of str, default=None
        Lower-case words and punctuation marks to make vectors of. None takes all that occur at
        least twice in ``texts``, the most frequent first.
    frequencies : WordFrequencies, default=None
        How frequent words are; None counts them in ``texts``.
    n_dims : int, default=256
        Length of a vector, at most the teacher's. Dimensions are sorted by importance, so that the
        first of them make a smaller table.
    max_iter : int, default=6
        Epochs over the texts.
    redundancies : sequence of float, default=(0.0, 1.0)
        A table is trained for each of these poolings, see :class:`skpara.networks.Average`, and
        the result is their mean: it is better for a pooling in between than a table that was
        trained for that. ``(0.0,)`` is for libraries that compute the plain mean.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        Device of a teacher given by path.
    random_state : int, RandomState or None, default=None
        Shuffles the texts.
    verbose : int, default=0
        Larger than 0 shows progress.

    Returns
    -------
    WordVectors
        Table of 8-bit codes. The mean length of the texts' vectors is 1, without weights.

    Raises
    ------
    ValueError
        If there are no texts, words or redundancies, or the teacher has fewer dimensions than
        ``n_dims``.

    References
    ----------
    S. Arora, Y. Liang, T. Ma (2017). A simple but tough-to-beat baseline for sentence embeddings.
    ICLR.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.encoders import distill
    >>> texts = ["A dog runs.", "The dog sleeps.", "A cat sleeps.", "The cat runs away."]
    >>> vectors = distill(ParagramEncoder(), texts, n_dims=4, random_state=0)
    >>> vectors
    WordVectors(7 words, 4 dimensions)
    >>> sorted(vectors.words)
    ['.', 'a', 'cat', 'dog', 'runs', 'sleeps', 'the']
    """
    from skpara.learning import DirectionObjective, Session, TrainingSettings

    check_count("n_dims", n_dims)
    check_count("max_iter", max_iter, 0)
    if len(redundancies) == 0:
        raise ValueError("redundancies is empty; pass at least one, such as (0.0,).")
    sentences = as_sentences(texts)
    tokens = [tokenize(sentence) for sentence in sentences]
    vocabulary = _vocabulary(tokens, words)
    if frequencies is None:
        frequencies = WordFrequencies(Counter(token for text in tokens for token in text))
    del tokens
    model = as_model(teacher, device=device)
    of_words = unit_rows(encode_by(model, vocabulary, verbose=verbose))
    of_texts = unit_rows(encode_by(model, sentences, verbose=verbose))
    if of_texts.shape[1] < n_dims:
        raise ValueError(
            f"The teacher's vectors have {of_texts.shape[1]} dimensions; n_dims is {n_dims}. Pass "
            "at most that many."
        )
    axes = _principal_axes(of_words, of_texts, n_dims)
    start = (of_words - of_words.mean(axis=0)) @ axes
    # A word without a frequency is a punctuation mark, so it is among the most frequent.
    probabilities = np.exp(-frequencies.information(vocabulary))[:, None]
    start *= _SMOOTHING / (_SMOOTHING + probabilities)
    start *= _START_LENGTH * _rarity(probabilities) ** _RARITY
    targets = unit_rows(of_texts @ axes).astype(np.float32)
    rng = check_random_state(random_state)
    rows = np.zeros(start.shape)
    for redundancy in redundancies:
        session = Session(
            Average(redundancy=redundancy),
            sentences,
            vectors=WordVectors(vocabulary, start.astype(np.float32)),
            settings=TrainingSettings(
                Adam(DirectionObjective.learning_rate), oov="zero", device="cpu"
            ),
            random_state=rng,
        )
        session.fit(DirectionObjective(targets, max_iter), max_iter, verbose=verbose)
        session.raise_interrupt()
        rows += _of_mean_length_1(session.state().vectors.matrix)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths = np.maximum(lengths / max(float(lengths.mean()), 1e-12), 1e-6)
    rows *= _rarity(probabilities) ** _RARITY_AFTER / lengths**_EVENNESS
    means = mean_vectors(WordVectors(vocabulary, rows), sentences, "zero")
    rows /= max(float(np.linalg.norm(means, axis=1).mean()), 1e-12)
    return WordVectors(vocabulary, *eight_bit_codes(rows))


def _vocabulary(tokens: Iterable[Sequence[str]], words: Sequence[str] | None) -> list[str]:
    """Return the words to make vectors of: the given ones, or the frequent ones of the texts."""
    if words is None:
        counts = Counter(token for text in tokens for token in text)
        words = [word for word, count in counts.most_common() if count >= _MIN_COUNT]
    kept = [word for word in words if not any(character.isdigit() for character in word)]
    if not kept:
        raise ValueError(
            f"There is no word to make a vector of: none occurs {_MIN_COUNT} times in texts, or "
            "all have digits. Pass more texts, or words."
        )
    return kept


def _of_mean_length_1(rows: Vectors) -> Vectors:
    return rows / max(float(np.linalg.norm(rows, axis=1).mean()), 1e-12)


def _rarity(probabilities: Floats) -> Floats:
    return 1 / np.maximum(probabilities, _SMALLEST_PROBABILITY)


def _principal_axes(of_words: Floats, of_texts: Floats, n_dims: int) -> Floats:
    """Return the axes along which the vectors are longest, shape (n_dims_teacher, n_dims)."""
    _, axes = np.linalg.eigh(sum(rows.T @ rows for rows in (of_words, of_texts)))
    return axes[:, ::-1][:, :n_dims]
