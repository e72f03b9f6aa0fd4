"""Sentences per second from text to vectors, and the time of one sentence, by public calls.

    taskset -c 0 python examples/benchmarks/encode.py               # made-up text, needs no files
    taskset -c 0 python examples/benchmarks/encode.py --data DATA   # also real text

Every encoder has the packaged word vectors (59,031 words, 256 dimensions) and gets the same
sentences. They take turns, so that slow moments of the machine affect all of them. Times are CPU
times of the process, so that other processes hardly matter; medians of ``--repeats`` runs.

Texts
captions  image captions (Multi30k): short sentences of frequent words
STS       all sentences of STS 2012-2016: news, forums, captions, definitions, questions
made-up   English words drawn by their frequency, with capitals, commas and full stops

Encoders
ParagramEncoder().encode            as in the README: checks its input, and unknown words get the
                                    vectors of words that are spelled alike
ParagramEncoder(oov="zero").encode  the same, but unknown words are ignored, as by all below
model2vec StaticModel.encode        words are looked up by a Rust tokenizer
CountVectorizer @ matrix            scikit-learn's counts times the matrix
re + dict + embedding_bag           a regular expression, a dict, and torch

Needs ``pip install model2vec``; without it, its row is left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import fetch_paraphrases, fetch_sts
from skpara.text import tokenize

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import Cell, print_table

# One core: without this, model2vec's tokenizer starts a thread for each core. It is read when
# the tokenizer is first used.
os.environ["TOKENIZERS_PARALLELISM"] = "false"

Encode = Callable[[Sequence[str]], np.ndarray]


def made_up_sentences(n_sentences: int) -> list[str]:
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


def texts(data: Path | None, n_sentences: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the sentences of each text."""
    if data is not None:
        captions = fetch_paraphrases("multi30k", data_home=data).data.ravel().tolist()
        years = (2012, 2013, 2014, 2015, 2016)
        sts = fetch_sts(years, split="all", include_unscored=True, data_home=data)
        for name, sentences in (("captions", captions), ("STS", sts.data.ravel().tolist())):
            distinct = list(dict.fromkeys(sentences))
            # Files are in order of their source; a sample should not be.
            np.random.default_rng(0).shuffle(distinct)
            yield name, distinct[:n_sentences]
    yield "made-up", made_up_sentences(n_sentences)


def by_skpara(vectors: WordVectors) -> Encode:
    """Return the call of the README."""
    return ParagramEncoder(vectors=vectors).encode


def by_skpara_known_words(vectors: WordVectors) -> Encode:
    """Return the same call with unknown words ignored."""
    return ParagramEncoder(vectors=vectors, oov="zero").encode


def by_model2vec(vectors: WordVectors) -> Encode:
    """Return model2vec's encoder with the same words and vectors."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    # Unknown words get a row of zeros at the end.
    index = {word: i for i, word in enumerate([*vectors.words, "[UNK]"])}
    matrix = np.append(vectors.matrix, np.zeros((1, vectors.n_dims), dtype=np.float32), axis=0)
    tokenizer = Tokenizer(models.WordLevel(index, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    model = StaticModel(matrix, tokenizer, normalize=False)
    return lambda sentences: model.encode(
        list(sentences), max_length=None, use_multiprocessing=False
    )


def by_count_vectorizer(vectors: WordVectors) -> Encode:
    """Return an encoder that multiplies scikit-learn's counts with the matrix."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(
        vocabulary=vectors.words, token_pattern=r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]"
    )
    matrix = vectors.matrix

    def encode(sentences: Sequence[str]) -> np.ndarray:
        counts = vectorizer.transform(sentences).astype(np.float32)
        return counts @ matrix / np.maximum(counts.sum(axis=1), 1)

    return encode


def by_dict(vectors: WordVectors) -> Encode:
    """Return an encoder with a regular expression, a dict and torch's ``embedding_bag``."""
    import torch

    torch.set_num_threads(1)
    index, table = vectors.vocabulary.index, torch.from_numpy(np.array(vectors.matrix))

    def encode(sentences: Sequence[str]) -> np.ndarray:
        ids: list[int] = []
        offsets = []
        for sentence in sentences:
            offsets.append(len(ids))
            ids += [index[token] for token in tokenize(sentence) if token in index]
        bag = torch.nn.functional.embedding_bag
        return bag(torch.tensor(ids), table, torch.tensor(offsets), mode="mean").numpy()

    return encode


ENCODERS: dict[str, Callable[[WordVectors], Encode]] = {
    "model2vec StaticModel.encode": by_model2vec,
    "ParagramEncoder().encode": by_skpara,
    'ParagramEncoder(oov="zero").encode': by_skpara_known_words,
    "CountVectorizer @ matrix": by_count_vectorizer,
    "re + dict + embedding_bag": by_dict,
}


def cpu_seconds(encode: Encode, batches: Sequence[Sequence[str]]) -> float:
    """Return the CPU time of encoding the batches one after the other."""
    start = time.process_time()
    for batch in batches:
        encode(batch)
    return time.process_time() - start


def main() -> None:
    """Print one table for each text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, help="data folder, for captions and STS")
    parser.add_argument("--n-sentences", type=int, default=40_000)
    parser.add_argument("--n-single", type=int, default=500, help="sentences encoded one by one")
    parser.add_argument("--repeats", type=int, default=7)
    args = parser.parse_args()
    vectors = WordVectors.load()
    encoders: dict[str, Encode] = {}
    for name, make in ENCODERS.items():
        try:
            encoders[name] = make(vectors)
        except ImportError as error:
            print(f"{name}: left out, {error}")
    first = next(iter(encoders))
    for title, sentences in texts(args.data, args.n_sentences):
        single = [[sentence] for sentence in sentences[: args.n_single]]
        for encode in encoders.values():  # builds indexes and loads libraries
            encode(sentences[:2000])
        many: dict[str, list[float]] = {name: [] for name in encoders}
        one: dict[str, list[float]] = {name: [] for name in encoders}
        for _ in range(args.repeats):
            for name, encode in encoders.items():
                many[name].append(cpu_seconds(encode, [sentences]))
                one[name].append(cpu_seconds(encode, single) / len(single))
        words = [token for sentence in sentences for token in tokenize(sentence)]
        unknown = np.mean([word not in vectors for word in words])
        rows: list[list[Cell]] = []
        for name, times in many.items():
            ratio = np.median(np.array(many[first]) / np.array(times))
            rate, latency = len(sentences) / np.median(times), 1e6 * np.median(one[name])
            rows.append([name, round(rate), f"{ratio:.2f}", round(latency)])
        print_table(
            f"{title}: {len(sentences):,} sentences, {len(words) / len(sentences):.1f} tokens "
            f"each, {unknown:.1%} unknown. CPU time, medians of {args.repeats} runs",
            ["encoder", "sentences/s", f"x {first.split()[0]}", "one sentence, µs"],
            rows,
        )


if __name__ == "__main__":
    main()
