"""What all tests share: no network, a small table of vectors, where real data is."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

_connect = socket.socket.connect


def _local_only(self: socket.socket, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else "localhost"
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"The tests use no network; something wanted to reach {address}.")
    _connect(self, address)


@pytest.fixture(scope="session", autouse=True)
def _no_network():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _local_only)
        yield


@pytest.fixture(scope="session")
def data_home() -> Path:
    """The folder of real data; tests that ask for it skip where there is none."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SKPARA_DATA", beside))
    if not (folder / "STS").is_dir():
        pytest.skip(f"no real data at {folder}; set SKPARA_DATA")
    return folder


@pytest.fixture(scope="session")
def small_vectors():
    """Three hundred words of twenty dimensions."""
    from skpara import WordVectors

    words = [f"w{i}" for i in range(290)]
    words += ["a", "man", "dog", "cat", "plays", "guitar", "sleeps", "runs", "music", "."]
    matrix = np.random.default_rng(0).standard_normal((300, 20)).astype(np.float32)
    return WordVectors(words, matrix)


@pytest.fixture(scope="session")
def small_pairs():
    """Two hundred pairs over the small table: a sentence and the same with two words changed."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 290, size=(200, 8))
    second = first.copy()
    second[:, :2] = rng.integers(0, 290, size=(200, 2))
    text = [[" ".join(f"w{i}" for i in row) for row in side] for side in (first, second)]
    return list(zip(*text, strict=True))


@pytest.fixture(scope="session")
def wordnet():
    """The installed WordNet; tests that ask for it skip where there is none."""
    from skpara.resources import WordNet

    try:
        return WordNet.load()
    except FileNotFoundError:
        if os.environ.get("SKPARA_REQUIRE_SYSTEM"):
            raise
        pytest.skip("WordNet is not installed")


@pytest.fixture(scope="session")
def wordnet_reader(wordnet, tmp_path_factory):
    """nltk's reader; it wants a file that Debian leaves out, and asks for another corpus."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):
        def map_wn(self, *_):
            return None

        def get_version(self):
            return "3.0"

    folder = tmp_path_factory.mktemp("wordnet")
    for path in wordnet.folder.iterdir():
        if path.is_file():
            shutil.copy(path, folder)  # links that lead outside are refused
    if not (folder / "lexnames").exists():
        lines = "".join(f"{i:02d}\tname{i}\t1\n" for i in range(45))
        (folder / "lexnames").write_text(lines)
    old = list(nltk.data.path)
    nltk.data.path.append(str(folder.parent))
    with pytest.warns(UserWarning, match="multilingual"):
        made = Reader(nltk.data.FileSystemPathPointer(str(folder)), None)
    yield made
    nltk.data.path[:] = old


@pytest.fixture(scope="session")
def apertium():
    """English to Spanish; tests that ask for it skip where Apertium is not installed."""
    from skpara.augment import ApertiumTranslator

    try:
        return ApertiumTranslator("eng", "spa")
    except FileNotFoundError:
        if os.environ.get("SKPARA_REQUIRE_SYSTEM"):
            raise
        pytest.skip("Apertium is not installed")


@pytest.fixture(scope="session")
def make_transformer(tmp_path_factory):
    """A function that makes a sentence-transformers model and gives its folder.

    It is a BERT of two layers of 32 units that knows a few words; its weights are random,
    of standard deviation ``scale``.
    """
    package = pytest.importorskip("sentence_transformers")
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    try:  # since version 6
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    except ImportError:
        from sentence_transformers.models import Pooling, Transformer
    words = "a the and man dog cat plays guitar sleeps runs music".split()

    def make(seed: int, scale: float = 0.5) -> Path:
        folder = tmp_path_factory.mktemp("transformer")
        source = folder / "bert"
        source.mkdir()
        (source / "vocab.txt").write_text(
            "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *"bcdefg", "##s"])
        )
        tokenizer = BertTokenizerFast.from_pretrained(source)
        tokenizer.save_pretrained(source)
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
            initializer_range=scale,
        )
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            BertModel(config).save_pretrained(source)
        modules = [Transformer(str(source)), Pooling(32, "mean")]
        model = package.SentenceTransformer(modules=modules, device="cpu")
        model.max_seq_length = config.max_position_embeddings
        model.save(str(folder / "model"))
        shutil.rmtree(source)
        return folder / "model"

    return make


@pytest.fixture(scope="session")
def tiny_transformer(make_transformer):
    """The folder of such a model."""
    return make_transformer(seed=0)


# A model that is quick to make, and pairs in a file: for the command line and for model files.


@pytest.fixture(scope="session")
def sample():
    from skpara.datasets import load_sts_sample

    return load_sts_sample()


@pytest.fixture(scope="session")
def model(sample):
    """Counts of shared words into a score."""
    from skpara import FusionRegressor, LexicalFeatures

    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    return model.fit(sample.data, sample.target)


@pytest.fixture(scope="session")
def model_file(model, tmp_path_factory):
    """The model as joblib alone writes it."""
    path = tmp_path_factory.mktemp("model") / "model.joblib"
    joblib.dump(model, path)
    return path


@pytest.fixture(scope="session")
def rows(sample):
    """Forty scored pairs of two groups: sentence, sentence, score, group."""
    pairs, scores = sample.data[:40].tolist(), sample.target[:40].tolist()
    groups = ["odd", "even"] * 20
    return [(a, b, y, g) for (a, b), y, g in zip(pairs, scores, groups, strict=True)]
