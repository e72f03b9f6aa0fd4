"""On a cluster of two worker processes, one of which may be killed."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import skpara.dask
from skpara import LexicalFeatures, ParagramEncoder, WordVectors
from skpara.datasets import load_sts_sample

pytest.importorskip("distributed")
pytestmark = [
    # Dask's advice for a model above 10 MB; see "scatter" below for the cure.
    pytest.mark.filterwarnings("default:Sending large graph:UserWarning"),
    # Sockets of a worker that was killed are closed when Python gets to them.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=":0",
            local_directory=tmp_path_factory.mktemp("dask"),
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def sample():
    pairs, scores = load_sts_sample(return_X_y=True)
    return [tuple(pair) for pair in pairs], scores


@pytest.fixture(scope="module")
def fitted(sample, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    return encoder.fit(sample[0])


@pytest.fixture(scope="module")
def lexical(sample):
    groups = ["word_ngrams", "char_ngrams", "strings", "translation", "counts"]
    return LexicalFeatures(groups).fit(sample[0])


class KilledAtWork(threading.Thread):
    """Kills a worker as soon as it works on a task whose name holds ``doing``."""

    def __init__(self, client, doing):
        super().__init__(daemon=True)
        self.client, self.doing = client, doing
        self.pids = client.run(os.getpid)
        self.killed = None

    def run(self):
        deadline = time.monotonic() + 30
        while self.killed is None and time.monotonic() < deadline:
            for address, keys in self.client.processing().items():
                if any(self.doing in str(key) for key in keys) and address in self.pids:
                    time.sleep(0.05)  # the task is under way, not on its way
                    os.kill(self.pids[address], signal.SIGKILL)
                    self.killed = self.pids[address]
                    return

    def check(self):
        """The worker was killed, and another took its place."""
        self.join()
        assert self.killed is not None
        self.client.wait_for_workers(2, timeout=30)
        assert self.killed not in self.client.run(os.getpid).values()


def test_transforms_give_the_same_bits(client, sample, fitted, lexical, monkeypatch):
    from skpara.encoders import _base

    pairs = sample[0] * 7
    alone = lexical.transform(pairs), fitted.transform(pairs)
    monkeypatch.setattr(_base, "_PAIRS_OF_THE_AVERAGE", 2048)
    before = _n_steps(client)
    with parallel_config(backend="dask", scatter=[lexical, fitted]):
        spread = lexical.transform(pairs), fitted.transform(pairs)
    for one, other in zip(spread, alone, strict=True):
        np.testing.assert_array_equal(one, other)
    assert _n_steps(client) > before


def test_a_few_pairs_are_not_sent_away(client, sample, fitted):
    before = _n_steps(client)
    with parallel_config(backend="dask"):
        LexicalFeatures("counts").fit_transform(sample[0])
        fitted.transform(sample[0])
    assert _n_steps(client) == before


def test_a_worker_killed_in_a_transform(client, sample, lexical):
    pairs = sample[0] * 7
    alone = lexical.transform(pairs)
    killer = KilledAtWork(client, "_features")
    with parallel_config(backend="dask"):
        killer.start()
        spread = lexical.transform(pairs)
    killer.check()
    np.testing.assert_array_equal(spread, alone)


def test_cross_validation_gives_the_same_scores(client, sample, small_vectors):
    X, y = sample
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    model = make_pipeline(encoder, Ridge())
    alone = cross_val_score(model, X, y, cv=2)
    with parallel_config(backend="dask", scatter=[X, y]):
        spread = cross_val_score(model, X, y, cv=2)
    np.testing.assert_allclose(spread, alone, rtol=1e-4)  # torch may use other numbers of threads


def test_a_search_finds_the_same(client, sample):
    X, y = sample[0][:200], sample[1][:200]
    model = make_pipeline(LexicalFeatures("counts"), Ridge())
    search = GridSearchCV(model, {"ridge__alpha": [0.1, 10.0]}, cv=3)
    alone = search.fit(X, y).cv_results_["mean_test_score"].copy()
    with parallel_config(backend="dask", scatter=[X, y]):
        spread = search.fit(X, y).cv_results_["mean_test_score"]
    np.testing.assert_allclose(spread, alone, rtol=1e-9)


def test_encode_streams_to_parquet(client, tmp_path):
    """Eight times as many vectors, 164 MB of them, in a few MB more memory."""
    import dask.bag as bag
    import pyarrow.parquet as parquet

    words = [f"w{i}" for i in range(2000)]
    table = np.random.default_rng(0).standard_normal((2000, 512))
    encoder = ParagramEncoder(vectors=WordVectors(words, table), oov="zero")
    lines = [f"w{i % 1999} w{i % 1013} w{i % 11}" for i in range(80_000)]
    (tmp_path / "text.txt").write_text("\n".join(lines) + "\n")
    text = bag.read_text(str(tmp_path / "text.txt"), blocksize=32_000).map(str.rstrip, "\n")
    vectors = skpara.dask.encode(encoder, text)
    assert vectors.npartitions > 30
    plain = {"compression": None, "use_dictionary": False}
    plain["name_function"] = "{:06d}.parquet".format
    vectors.partitions[:4].to_parquet(tmp_path / "some", **plain)
    before = client.run(_peak_memory)
    vectors.to_parquet(tmp_path / "all", write_index=False, **plain)
    after = client.run(_peak_memory)
    assert max(after[worker] - before[worker] for worker in before) < 50
    table = parquet.read_table(tmp_path / "all")
    assert table.nbytes > 160e6
    found = table["vector"].combine_chunks().flatten().to_numpy().reshape(-1, 512)
    np.testing.assert_array_equal(found, encoder.encode(lines))


class CountsItsCopies:
    """Scores any pair 1; writes down each time a process unpickles it."""

    def __init__(self, path):
        self.path = path

    def __setstate__(self, state):
        self.__dict__.update(state)
        with open(self.path, "a") as file:
            file.write(f"{os.getpid()}\n")

    def predict(self, pairs):
        return np.ones(len(pairs))


def test_the_model_goes_to_each_worker_once(client, sample, tmp_path):
    import dask.bag as bag

    model = CountsItsCopies(str(tmp_path / "copies"))
    scores = skpara.dask.predict(model, bag.from_sequence(sample[0], npartitions=16))
    assert scores.npartitions == 16
    found = scores.compute()
    assert (found.name, found.dtype, len(found)) == ("score", np.float64, len(sample[0]))
    copies = (tmp_path / "copies").read_text().split()
    workers = [str(pid) for pid in client.run(os.getpid).values()]
    assert max(copies.count(pid) for pid in workers) <= 2  # as part of the graph, from a neighbour


@pytest.fixture
def _one_process():
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.usefixtures("_one_process")
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_encode_keeps_index_and_type(fitted, dtype):
    import dask.dataframe as dd
    import pandas as pd

    texts = pd.Series(["a dog", "", "the car", "no"], index=[7, 5, 6, 9], name="text")
    # The second partition is empty.
    parts = dd.concat([dd.from_pandas(part, sort=False) for part in (texts, texts[:0])])
    found = skpara.dask.encode(fitted, parts, dtype=dtype)
    assert str(found.dtypes["vector"]) == str(found.compute()["vector"].dtype)
    assert found.compute().index.tolist() == [7, 5, 6, 9]
    rows = np.stack(found.compute()["vector"].to_list()).astype(dtype)
    np.testing.assert_array_equal(rows, fitted.encode(texts).astype(dtype))


@pytest.mark.usefixtures("_one_process")
def test_predict_takes_frames_with_the_names_of_fit(sample, fitted):
    import dask.dataframe as dd
    import pandas as pd

    frame = pd.DataFrame(sample[0], columns=["first", "second"])
    encoder = clone(fitted)
    named = make_pipeline(encoder, Ridge()).fit(frame, sample[1])
    unnamed = make_pipeline(fitted, Ridge()).fit(*sample)
    pairs = dd.from_pandas(frame, npartitions=3)
    for model, X in ((named, frame), (unnamed, sample[0])):
        found = skpara.dask.predict(model, pairs).compute()
        np.testing.assert_allclose(found, model.predict(X), rtol=1e-12)


@pytest.mark.usefixtures("_one_process")
def test_what_is_no_text_is_named(fitted):
    import dask.bag as bag

    with pytest.raises(TypeError, match="dask Series or Bag, got list"):
        skpara.dask.encode(fitted, ["a dog"])
    with pytest.raises(TypeError, match="dask DataFrame or Bag, got list"):
        skpara.dask.predict(fitted, [("a dog", "a cat")])
    with pytest.raises(ValueError, match="dtype must be"):
        skpara.dask.encode(fitted, bag.from_sequence(["a"]), dtype="int8")
    with pytest.raises(ValueError, match="Row 1"):
        skpara.dask.encode(fitted, bag.from_sequence(["a", None], npartitions=1)).compute()


def test_the_example_goes_on_where_it_stopped(tmp_path, client, capsys):
    import importlib.util
    from pathlib import Path

    import pyarrow.parquet as parquet

    path = Path(__file__).parents[1] / "examples" / "encode_with_dask.py"
    spec = importlib.util.spec_from_file_location("encode_with_dask", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    lines = [f"sentence {i} of a dog" for i in range(300)]
    text, folder = tmp_path / "text.txt", tmp_path / "vectors"
    text.write_text("\n".join(lines) + "\n")
    options = [str(text), str(folder), "--block", "2000", "--blocks-per-shard", "2"]
    options += ["--dtype", "float32", "--scheduler", client.scheduler.address]
    example.main(options)
    shards = sorted(folder.iterdir())
    assert len(shards) > 1
    times = {shard: shard.stat().st_mtime_ns for shard in shards}
    shards[1].rename(folder / "unfinished-00001")  # as a kill leaves it
    capsys.readouterr()
    example.main(options)
    assert len(capsys.readouterr().out.splitlines()) == 1
    again = {shard: shard.stat().st_mtime_ns for shard in sorted(folder.iterdir())}
    assert again.keys() == times.keys()
    assert [shard for shard in shards if again[shard] != times[shard]] == [shards[1]]
    tables = [parquet.read_table(shard)["vector"] for shard in shards]
    rows = [row for table in tables for row in table.to_pylist()]
    np.testing.assert_array_equal(np.float32(rows), ParagramEncoder().encode(lines))


def _n_steps(client):
    """Steps of tasks that the scheduler has seen until now."""
    return client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)


def _peak_memory():
    """Of this process, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
