"""Documents, and text in other languages than English."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

import numpy as np

from skpara._messages import warn
from skpara._typing import Bools, Floats
from skpara.resources._frequencies import WordFrequencies
from skpara.text import tokenize

# Characters of a document: an average of more than about a thousand words says little.
_DOCUMENT = 6000
# Sentences that are looked at for other languages, and characters of each.
_N_SENTENCES = 60
_N_CHARACTERS = 1000
# Mean information of words, as a share of the rarest word's, above which text is not English.
# English of 28 kinds has .37 to .53, German, French, Spanish and Czech .73 to .87, and other
# scripts .99.
_FOREIGN = 0.6
# Added to it for chance, over the square root of the number of words.
_CHANCE = 0.4
# Words of a sentence, on average. With fewer, nothing is said: names are as rare as words of
# another language.
_FEWEST_WORDS = 4
# The same for a single sentence. Of English sentences of ten kinds at most .02 are above, of
# headlines, and of German, French, Spanish and Czech ones at least .96.
_FOREIGN_SENTENCE = 0.55
_CHANCE_IN_SENTENCE = 0.2
_LAST_LATIN = "\u036f"
# Text in which at least one word in this many is one of _COMMON is English, and is not examined
# further.
_ONE_IN = 5
_COMMON = frozenset(
    "the of and to a in is it for on that was with as by at from are this be an or not have you "
    "what how do i he his they their has can who will my why which one there if".split()
)


def warn_of_text(sentences: list[str], known: Container[str] = ()) -> None:
    """Warn of documents, and of text unlike the English that the model was trained on.

    Parameters
    ----------
    sentences : list of str
        All sentences of a call. Sixty of them are looked at for other languages.
    known : container of str, default=()
        Words that the model was trained on.
    """
    if max(map(len, sentences), default=0) > _DOCUMENT:
        warn(
            f"Some text has more than {_DOCUMENT:,} characters. An average over that many words "
            "says little about any of them: split documents into sentences or paragraphs."
        )
    step = max(1, math.ceil(len(sentences) / _N_SENTENCES))
    sample = [sentence[:_N_CHARACTERS] for sentence in sentences[::step]]
    words = " ".join(sample).lower().split()
    n_least = _FEWEST_WORDS * len(sample)
    if sum(map(_COMMON.__contains__, words)) >= max(len(words), n_least) / _ONE_IN:
        return
    words = [word for sentence in sample for word in _words(sentence)]
    shares, weights = _shares(words)
    total = shares * [word not in known for word in words] @ weights
    n = max(weights.sum(), n_least)
    if total > _FOREIGN * n + _CHANCE * math.sqrt(n):
        warn(
            "Most words of this text are unlike the English that the model knows: is it another "
            "language? Its scores mean little. Translate it (skpara.augment.TranslateToEnglish), "
            "or pass vectors= of its language; skpara.novelty finds the pairs."
        )


def are_foreign(sentences: Sequence[str]) -> Bools:
    """Return which sentences seem to be in another language than English.

    Parameters
    ----------
    sentences : sequence of str
        Sentences. Of a few words, such as names, only those of other scripts are found.

    Returns
    -------
    ndarray of shape (n_sentences,), bool
        Whether most words are unknown in English, or rare.
    """
    words = [_words(sentence[:_N_CHARACTERS]) for sentence in sentences]
    shares, weights = _shares([word for of_sentence in words for word in of_sentence])
    ends = np.cumsum([0, *map(len, words)])
    sums = [np.append(0.0, np.cumsum(values)) for values in (shares * weights, weights)]
    total, n = (values[ends[1:]] - values[ends[:-1]] for values in sums)
    return total > _FOREIGN_SENTENCE * n + _CHANCE_IN_SENTENCE * np.sqrt(n)


def _words(sentence: str) -> list[str]:
    return [token for token in tokenize(sentence) if token.isalpha()]


def _shares(words: list[str]) -> tuple[Floats, Floats]:
    """Return each word's share of the rarest one's information, and its weight.

    A word of another script counts as a sentence, as some scripts have no spaces.
    """
    frequencies = WordFrequencies.load()
    most = frequencies.max_information
    weights = [float(_FEWEST_WORDS) if word[0] > _LAST_LATIN else 1.0 for word in words]
    return frequencies.information(words, unknown=most) / most, np.array(weights)
