"""Sentences per second from text to vectors, and the time of one sentence, by public calls.

    python examples/benchmarks/encode.py --data DATA

Every encoder has the packaged word vectors (59,031 words, 256 dimensions) and gets the same
sentences, of each kind of texts.py. They take turns; times are CPU times, medians of ``--repeats``
rounds, after a first call that is not counted. *New words* are first calls in new processes, one
for each kind of text and round, in which no unknown word was met before.

Encoders
ParagramEncoder()         as in the README: unknown words get vectors from their spelling
WordVectors, dict, path   the same with ``vectors=`` such an object
model2vec                 ``StaticModel.encode``, which skips unknown words, like those below
CountVectorizer @ matrix  scikit-learn's counts times the matrix
embedding_bag             a regular expression, a dict, and torch

Without model2vec (``pip install model2vec``) there are no ratios.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from measure import Measurement, compare, parse, parser, run_child, show, take_turns, write
from texts import KINDS, describe, sentences_of

from skpara import ParagramEncoder, WordVectors
from skpara.text import tokenize

Encode = Callable[[Sequence[str]], np.ndarray]
PEER, DEFAULT = "model2vec", "ParagramEncoder()"
GIVEN = ("WordVectors", "dict", "path")
GOALS = {"captions": "10x", "mixed": "8x", "quotes": "6x", "500 words": "5x"}
FOREIGN = ("Spanish", "French", "German")
COLD = ("captions", "mixed", *FOREIGN)


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

    pattern = r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]"
    vectorizer = CountVectorizer(vocabulary=vectors.words, token_pattern=pattern)
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
        return bag(
            torch.tensor(ids, dtype=torch.int64), table, torch.tensor(offsets), mode="mean"
        ).numpy()

    return encode


def available(makers: dict[str, Callable[[WordVectors], Encode]]) -> dict[str, Encode]:
    """Return the encoders whose packages are installed."""
    encoders = {}
    for name, make in makers.items():
        try:
            encoders[name] = make(WordVectors.load())
        except ImportError as error:
            print(f"{name}: left out, {error}")
    return encoders


def new_words(data: str, n: int, kind: str) -> dict[str, float]:
    """Return seconds of the first call for a kind of text; run in a new process."""
    encoders = available({PEER: by_model2vec}) | {DEFAULT: ParagramEncoder().encode}
    for encode in encoders.values():  # loads the tables
        encode(["This is a short sentence .", "Loading qwzx takes a while ."])
    sentences = sentences_of(kind, Path(data), n)
    seconds = {}
    for name, encode in encoders.items():
        start = time.process_time()
        encode(sentences)
        seconds[name] = time.process_time() - start
    return seconds


def extra_memory(data: Path, n: int) -> Measurement:
    """Return what encoding needs at its peak besides the table and the output, in MB."""
    code = """
import sys
from pathlib import Path
from measure import start_memory
from texts import captions
from skpara import ParagramEncoder
encoder, sentences = ParagramEncoder(), captions(Path(sys.argv[1]))
sentences = (sentences * (int(sys.argv[2]) // len(sentences) + 1))[: int(sys.argv[2])]
before = start_memory()
result = {"needed": encoder.encode(sentences).nbytes / 1e6 + before}
"""
    child = run_child(code, data, n)
    layers = WordVectors.load().layers  # of 8 bits, as no float32 table is made of them
    table = sum(layer.nbytes for layer in layers if layer is not None) / 1e6
    extra = child["peak"] - child["needed"] - table
    return Measurement(f"memory besides table and output, {n:,} sentences", extra, "MB", goal="64")


def measure(
    kind: str, encoders: dict[str, Encode], sentences: list[str], goal: str, repeats: int
) -> list[Measurement]:
    """Print and return the speed of each encoder, in bulk and for one sentence at a time."""
    n_calls = {}
    for name, encode in encoders.items():  # builds indexes, and meets all words
        encode(sentences)
        start = time.process_time()
        encode(sentences[:1])
        # A conversion at each call takes half a second.
        n_calls[name] = 2 if time.process_time() - start > 0.02 else 300
    bulk = {name: lambda _, f=encode: f(sentences) for name, encode in encoders.items()}
    ours = [name for name in encoders if name in (DEFAULT, *GIVEN)]
    rows = compare(
        take_turns(bulk, repeats),
        "sentences/s",
        n=len(sentences),
        title=f"{kind}, ",
        peer=PEER,
        goals=dict.fromkeys(ours, goal),
    )
    single = {
        name: lambda _, f=encode, n=n_calls[name]: [f([text]) for text in sentences[:n]]
        for name, encode in encoders.items()
    }
    seconds = {
        name: times / min(n_calls[name], len(sentences))
        for name, times in take_turns(single, repeats).items()
    }
    goals = dict.fromkeys(ours, "20" if kind.startswith(("captions", "mixed")) else "")
    rows += compare(seconds, "µs", title=f"{kind}, one sentence, ", peer=PEER, goals=goals)
    show(f"{kind}: {describe(sentences)}", rows)
    return rows


def main() -> None:
    """Print one table for each kind of text, and one of first calls."""
    options = parser(__doc__)
    options.add_argument("--n-sentences", type=int, help="default 10,000; 4,000 if --quick")
    args = parse(options)
    n = args.n_sentences or (4_000 if args.quick else 10_000)
    peers = {
        PEER: by_model2vec,
        DEFAULT: lambda _: ParagramEncoder().encode,
        "CountVectorizer @ matrix": by_count_vectorizer,
        "embedding_bag": by_dict,
    }
    encoders = available(peers)
    rows: list[Measurement] = []
    for kind in (kind for kind in KINDS if args.only in kind):
        goal = "5x" if kind in FOREIGN else GOALS.get(kind, "")
        rows += measure(kind, encoders, sentences_of(kind, args.data, n), goal, args.repeats)
    if args.only in "vectors given":
        with tempfile.TemporaryDirectory() as folder:
            vectors = WordVectors.load()
            matrix, path = np.array(vectors.matrix), Path(folder) / "vectors.safetensors"
            vectors.save(path)
            mapping = dict(zip(vectors.words, matrix, strict=True))
            sources = zip(GIVEN, (WordVectors(vectors.words, matrix), mapping, path), strict=True)
            given = {name: ParagramEncoder(vectors=source).encode for name, source in sources}
            given |= {name: encoders[name] for name in (PEER,) if name in encoders}
            sentences = sentences_of("captions", args.data, n)
            rows += measure("captions, vectors given", given, sentences, "15x", args.repeats)
    first: list[Measurement] = []
    if args.only in "new words":
        code = "import sys, encode\nresult = {'seconds': encode.new_words(sys.argv[1], %d, %r)}"
        for kind in COLD:
            children = [run_child(code % (n, kind), args.data) for _ in range(args.repeats)]
            runs = [child["seconds"] for child in children]
            seconds = {name: [run[name] for run in runs] for name in runs[0]}
            n_read, title = len(sentences_of(kind, args.data, n)), f"{kind}, new words, "
            goals = {DEFAULT: "1x" if kind in FOREIGN else ""}
            first += compare(seconds, "sentences/s", n=n_read, title=title, peer=PEER, goals=goals)
    if args.only in "memory":
        first.append(extra_memory(args.data, 5 * n))
    if first:
        show("First calls, in new processes", first)
    write(args.json, "encode", rows + first)


if __name__ == "__main__":
    main()
