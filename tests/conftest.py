"""Fixtures that the tests share, and the ban on the network."""

from __future__ import annotations

import gc
import os
import shutil
import socket
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("contract")

# Modules and collected tests stay until the end. To look through their millions of objects for
# garbage again and again takes a sixth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Prepare a process that runs tests; the one that hands them out imports none of these."""
    from joblib.externals.loky.backend import context as loky
    from sklearn.base import BaseEstimator

    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
    # It reads the signature of a class each time, which takes a tenth of the time of the contract.
    BaseEstimator._get_param_names = classmethod(cache(BaseEstimator._get_param_names.__func__))
    # New processes, joblib's too, have imported what most code needs, which takes seconds, and run
    # nothing yet: one process imports, and each is a copy of that one.
    if os.name == "posix":
        get_context("forkserver").set_forkserver_preload(
            ["torch", "skpara.augment.filters", "skpara.scale"]
        )
        loky.set_start_method("forkserver", force=True)


# Machines that are busy with other work would fail tests that merely had to wait.
settings.register_profile("default", deadline=None, max_examples=20)
settings.load_profile("default")

_connect = socket.socket.connect


def _connect_locally(self: socket.socket, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else "localhost"
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"The tests use no network, but something tried to reach {address}.")
    _connect(self, address)


@pytest.fixture(scope="session", autouse=True)
def _no_network():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _connect_locally)
        yield


@pytest.fixture(scope="session")
def start_process():
    """A function that starts a process which runs some code, and returns the process."""

    def start(code):
        # Random numbers of its own.
        whole = f"import numpy\nnumpy.random.seed()\nexec({code!r}, {{'__name__': '__main__'}})"
        process = get_context("forkserver").Process(target=exec, args=(whole, {}))
        process.start()
        return process

    return start


@pytest.fixture(scope="session")
def data_home() -> Path:
    """The folder of real data; tests that use it are skipped without it."""
    default = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SKPARA_DATA", default))
    if not (folder / "STS").is_dir():
        pytest.skip(f"no real data at {folder}; set SKPARA_DATA")
    return folder


@pytest.fixture(scope="session")
def small_vectors():
    """Vectors of 300 words in 20 dimensions."""
    import numpy as np

    from skpara import WordVectors

    words = [f"w{i}" for i in range(290)]
    words += ["a", "man", "dog", "cat", "plays", "guitar", "sleeps", "runs", "music", "."]
    matrix = np.random.default_rng(0).standard_normal((300, 20)).astype(np.float32)
    return WordVectors(words, matrix)


@pytest.fixture(scope="session")
def small_pairs():
    """120 pairs of words of ``small_vectors``: a sentence, and it with two words changed."""
    import numpy as np

    rng = np.random.default_rng(1)
    first = rng.integers(0, 290, size=(120, 8))
    second = first.copy()
    second[:, :2] = rng.integers(0, 290, size=(120, 2))
    text = [[" ".join(f"w{i}" for i in row) for row in side] for side in (first, second)]
    return list(zip(*text, strict=True))


@pytest.fixture(scope="session")
def wordnet():
    from skpara.resources import WordNet

    return WordNet.load()


@pytest.fixture(scope="session")
def wordnet_reader(tmp_path_factory):
    """nltk's reader of Debian's files, with the one that it needs and that the package lacks."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):
        def map_wn(self, *_):
            return None

        def get_version(self):
            return "3.0"

    if not Path("/usr/share/wordnet/data.noun").exists():
        pytest.skip("the files of WordNet are not installed (Debian: apt install wordnet-base)")
    folder = tmp_path_factory.mktemp("wordnet")
    for path in filter(Path.is_file, Path("/usr/share/wordnet").iterdir()):
        shutil.copy(path, folder)  # nltk rejects links that lead out of the folder
    lines = "".join(f"{i:02d}\tname{i}\t1\n" for i in range(45))
    (folder / "lexnames").write_text(lines)
    old = list(nltk.data.path)
    nltk.data.path.append(str(folder.parent))
    with pytest.warns(UserWarning, match="multilingual"):
        reader = Reader(nltk.data.FileSystemPathPointer(str(folder)), None)
    yield reader
    nltk.data.path[:] = old


@pytest.fixture(scope="session")
def apertium():
    """A translator from English to Spanish; tests that use it are skipped without Apertium."""
    from skpara.augment import ApertiumTranslator

    try:
        return ApertiumTranslator("eng", "spa")
    except FileNotFoundError:
        if os.environ.get("SKPARA_REQUIRE_SYSTEM"):
            raise
        pytest.skip("Apertium is not installed")


@pytest.fixture(scope="session")
def make_transformer(tmp_path_factory):
    """A function that saves a sentence-transformers model and returns its folder.

    The model is a BERT of two layers of 32 units with a vocabulary of a few words. Its weights are
    random with standard deviation ``scale``.
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
        layers = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
        sizes = {"vocab_size": len(tokenizer), "hidden_size": 32, "max_position_embeddings": 64}
        config = BertConfig(**sizes, **layers, initializer_range=scale)
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
    """The folder of a model of ``make_transformer``."""
    return make_transformer(seed=0)


@pytest.fixture(scope="session")
def sample():
    from skpara.datasets import load_sts_sample

    return load_sts_sample()


@pytest.fixture(scope="session")
def scored_sample():
    from skpara.datasets import load_sts_sample

    return load_sts_sample(return_X_y=True)


@pytest.fixture(scope="session")
def model(sample):
    """A model that is quick to fit."""
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline

    from skpara import FusionRegressor, LexicalFeatures

    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    return model.fit(sample.data, sample.target)


@pytest.fixture(scope="session")
def model_file(model, tmp_path_factory):
    """The model in a file, which says nothing of its training data."""
    from skpara import save_model

    return save_model(model, tmp_path_factory.mktemp("model") / "model.skpara")


@pytest.fixture(scope="session")
def rows(sample):
    """Forty rows of two sentences, their score and one of two groups."""
    pairs, scores = sample.data[:40].tolist(), sample.target[:40].tolist()
    groups = ["odd", "even"] * 20
    return [(a, b, y, g) for (a, b), y, g in zip(pairs, scores, groups, strict=True)]
