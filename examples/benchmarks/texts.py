"""Sentences of several kinds, for the benchmarks of this folder."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from skpara import WordVectors
from skpara.datasets import fetch_sts
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
from cross_lingual import fetch_translated_benchmark
from paraphrases import fetch_paraphrases

YEARS = (2012, 2013, 2014, 2015)


def made_up_sentences(n: int) -> list[str]:
    """Return sentences of words drawn by frequency, with capitals, commas and full stops."""
    from wordfreq import top_n_list, word_frequency

    words = top_n_list("en", 60_000)
    weights = np.array([word_frequency(word, "en") for word in words])
    rng = np.random.default_rng(0)
    lengths = rng.integers(4, 22, size=n)
    draws = iter(rng.choice(len(words), size=lengths.sum(), p=weights / weights.sum()).tolist())
    sentences = []
    for length in lengths:
        parts = [words[next(draws)] for _ in range(length)]
        if length > 10:
            parts[5] += ","
        sentences.append(" ".join(parts).capitalize() + ".")
    return sentences


def random_vectors(sentences: list[str], n_words: int, n_dims: int) -> WordVectors:
    """Return random vectors of the most frequent words, and of words that never occur."""
    counts = Counter(token for sentence in sentences for token in tokenize(sentence))
    words = [word for word, _ in counts.most_common(n_words)]
    words += [f"filler{i}" for i in range(n_words - len(words))]
    rng = np.random.default_rng(0)
    return WordVectors(words, 0.1 * rng.standard_normal((n_words, n_dims), dtype=np.float32))


def shuffled(sentences: list[str]) -> list[str]:
    """Return distinct sentences in random order; files are in order of their source."""
    distinct = list(dict.fromkeys(sentences))
    np.random.default_rng(0).shuffle(distinct)
    return distinct


@cache
def captions(data: Path) -> list[str]:
    """Return captions of images (Multi30k): short sentences of frequent words."""
    return shuffled(fetch_paraphrases("multi30k", data_home=data).data.ravel().tolist())


@cache
def mixed(data: Path) -> list[str]:
    """Return all sentences of STS 2012-2015: news, forums, captions, definitions, questions."""
    bunch = fetch_sts(YEARS, split="all", include_unscored=True, data_home=data)
    return shuffled(bunch.data.ravel().tolist())


def typographic(data: Path) -> list[str]:
    """Return mixed sentences, 30 % with curly quotes, or with an accent."""
    rng = np.random.default_rng(0)
    sentences = []
    for sentence in mixed(data):
        kind = rng.random()
        if kind < 0.2:
            first, space, rest = sentence.replace("'", "’").partition(" ")
            sentence = f"“{first}”{space}{rest}"
        elif kind < 0.3:
            sentence = sentence.replace("e", "é", 1)
        sentences.append(sentence)
    return sentences


def translated(language: str) -> Callable[[Path], list[str]]:
    """Return a function that reads STS Benchmark in a language."""

    def read(data: Path) -> list[str]:
        bunch = fetch_translated_benchmark("train", language, data_home=data)
        return shuffled(bunch.data.ravel().tolist())

    return read


def half_unknown(data: Path) -> list[str]:
    """Return mixed sentences in which every second word has no vector."""
    words = WordVectors.load()
    sentences = []
    for sentence in mixed(data):
        tokens = sentence.split()
        tokens[::2] = [
            word if word.lower() not in words else f"{word[::-1]}{word[:2]}q"
            for word in tokens[::2]
        ]
        sentences.append(" ".join(tokens))
    return sentences


def long_texts(data: Path) -> list[str]:
    """Return texts of 500 words."""
    words = " ".join(mixed(data)).split()
    return [" ".join(words[i : i + 500]) for i in range(0, len(words), 500)]


KINDS: dict[str, Callable[[Path], list[str]]] = {
    "captions": captions,
    "mixed": mixed,
    "quotes": typographic,
    "Spanish": translated("es"),
    "French": translated("fr"),
    "German": translated("de"),
    "half unknown": half_unknown,
    "500 words": long_texts,
}


def sentences_of(kind: str, data: Path, n: int) -> list[str]:
    """Return ``n`` sentences of a kind, or all if there are fewer; of long texts a twentieth."""
    return KINDS[kind](data)[: n // 20 if kind == "500 words" else n]


def describe(sentences: list[str]) -> str:
    """Return the number of sentences, their length, and the share of unknown words."""
    vectors = WordVectors.load()
    words = [token for sentence in sentences for token in tokenize(sentence)]
    unknown = np.mean([word not in vectors for word in words])
    length = len(words) / len(sentences)
    return f"{len(sentences):,} sentences, {length:.1f} tokens each, {unknown:.1%} unknown"
