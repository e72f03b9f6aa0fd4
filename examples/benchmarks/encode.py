"""Sentences per second from text to vectors, compared with model2vec, on one core.

Every encoder gets the same sentences, the same 50,000 words and the same 300-dimensional vectors,
and they take turns, so that slow moments of the machine affect all of them::

    taskset -c 0 python examples/benchmarks/encode.py

Needs ``pip install model2vec``; without it, its row is left out. The sentences are English words
drawn by their frequency (``--text`` reads a file instead, with one sentence per line).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from skpara import WordVectors
from skpara.encoders import mean_vectors
from skpara.text import tokenize

Encode = Callable[[Sequence[str]], np.ndarray]


def random_sentences(n_sentences: int) -> list[str]:
    """Return sentences of words drawn by frequency, with capitals, commas and full stops."""
    from wordfreq import top_n_list, word_frequency

    words = top_n_list("en", 60_000)
    weights = np.array([word_frequency(word, "en") for word in words])
    rng = np.random.default_rng(0)
    lengths = rng.integers(4, 22, size=n_sentences)
    draws = iter(rng.choice(len(words), size=lengths.sum(), p=weights / weights.sum()).tolist())
    sentences = []
    for length in lengths:
        parts = [words[next(draws)] for _ in range(length)]
        if length > 10:
            parts[5] += ","
        sentences.append(" ".join(parts).capitalize() + ".")
    return sentences


def most_frequent_words(sentences: Sequence[str], n_words: int) -> list[str]:
    """Return the most frequent words, padded with words that never occur."""
    from collections import Counter

    counts = Counter(token for sentence in sentences for token in tokenize(sentence))
    words = [word for word, _ in counts.most_common(n_words)]
    return words + [f"filler{i}" for i in range(n_words - len(words))]


def by_model2vec(words: list[str], matrix: np.ndarray) -> Encode:
    """Return model2vec's encoder, which looks words up with a Rust tokenizer."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    index = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(index, unk_token=words[-1]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    model = StaticModel(matrix, tokenizer, normalize=False)
    return lambda sentences: model.encode(
        list(sentences), max_length=None, use_multiprocessing=False
    )


def by_count_vectorizer(words: list[str], matrix: np.ndarray) -> Encode:
    """Return an encoder that multiplies scikit-learn's counts with the matrix."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(vocabulary=words, token_pattern=r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]")

    def encode(sentences: Sequence[str]) -> np.ndarray:
        counts = vectorizer.transform(sentences).astype(np.float32)
        return counts @ matrix / np.maximum(counts.sum(axis=1), 1)

    return encode


def by_dict(words: list[str], matrix: np.ndarray) -> Encode:
    """Return an encoder with a regular expression, a dict and torch's ``embedding_bag``."""
    import torch

    torch.set_num_threads(1)
    index, table = {word: i for i, word in enumerate(words)}, torch.from_numpy(matrix)

    def encode(sentences: Sequence[str]) -> np.ndarray:
        ids: list[int] = []
        offsets = []
        for sentence in sentences:
            offsets.append(len(ids))
            ids += [index[token] for token in tokenize(sentence) if token in index]
        bag = torch.nn.functional.embedding_bag
        return bag(torch.tensor(ids), table, torch.tensor(offsets), mode="mean").numpy()

    return encode


def by_skpara(words: list[str], matrix: np.ndarray) -> Encode:
    """Return the encoder of skpara."""
    vectors = WordVectors(words, matrix)
    return lambda sentences: mean_vectors(vectors, sentences)


ENCODERS = {
    "model2vec StaticModel": by_model2vec,
    "CountVectorizer @ matrix": by_count_vectorizer,
    "re + dict + embedding_bag": by_dict,
    "skpara": by_skpara,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n-sentences", type=int, default=200_000)
    parser.add_argument("--text", type=Path, help="a file with one sentence per line")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    if args.text:
        sentences = args.text.read_text("utf8").split("\n")[: args.n_sentences]
    else:
        sentences = random_sentences(args.n_sentences)
    words = most_frequent_words(sentences, 50_000)
    matrix = np.random.default_rng(0).standard_normal((50_000, 300)).astype(np.float32)
    encoders = {}
    for name, make in ENCODERS.items():
        try:
            encoders[name] = make(words, matrix)
        except ImportError as error:
            print(f"{name}: left out, {error}")
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for encode in encoders.values():  # builds indexes and loads libraries
        encode(sentences[:2000])
    for _ in range(args.repeats):
        for name, encode in encoders.items():
            start = time.perf_counter()
            encode(sentences)
            seconds[name].append(time.perf_counter() - start)
    first = next(iter(seconds))
    print(f"{len(sentences):,} sentences, medians of {args.repeats} runs, ratios run by run")
    print(f"{'encoder':<28}{'sentences/s':>12}{'x ' + first:>26}")
    for name, times in seconds.items():
        ratio = np.median(np.array(seconds[first]) / np.array(times))
        print(f"{name:<28}{len(sentences) / np.median(times):>12,.0f}{ratio:>26.2f}")


if __name__ == "__main__":
    main()
