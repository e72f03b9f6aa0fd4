"""A cluster of two worker processes, which `make test-works-with` starts."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config
from repeated_rows import rows_of

import skpara.dask
from skpara import Deduplicator, LexicalFeatures, ParagramEncoder, WordVectors

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    # Dask advises to scatter objects above 10 MB; skpara.dask explains why it does not.
    pytest.mark.filterwarnings("default:Sending large graph:UserWarning"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    import dask
    from dask.distributed import Client, LocalCluster

    # The tests count tasks in the log of the scheduler, which else forgets the first ones.
    dask.config.set({"distributed.admin.low-level-log-length": 100_000})
    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1"}
    options |= {"dashboard_address": ":0", "local_directory": tmp_path_factory.mktemp("dask")}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def sample(scored_sample):
    return [tuple(pair) for pair in scored_sample[0]], scored_sample[1]


@pytest.fixture(scope="module")
def fitted(sample, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    return encoder.fit(sample[0])


def test_transforms_of_many_pairs_are_spread(client, sample, fitted, monkeypatch):
    from skpara.encoders import _paragram  # no public setting: users have more pairs than a test

    lexical = LexicalFeatures(["word_ngrams", "char_ngrams", "strings", "counts"]).fit(sample[0])
    pairs, before = sample[0] * 7, _n_tasks(client)
    alone = lexical.transform(pairs), fitted.transform(pairs)
    with parallel_config(backend="dask", scatter=[lexical, fitted]):
        fitted.transform(sample[0])
        assert _n_tasks(client) == before
        monkeypatch.setattr(_paragram, "_MIN_PAIRS_PER_THREAD", 2048)
        spread = lexical.transform(pairs), fitted.transform(pairs)
    for actual, expected in zip(spread, alone, strict=True):
        np.testing.assert_array_equal(actual, expected)
    assert _n_tasks(client) > before


def test_encode_streams_to_parquet(client, tmp_path):
    """164 MB of vectors, 8 times what was written before, take a few MB more memory."""
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
    before = _peak_memory(client)
    vectors.to_parquet(tmp_path / "all", write_index=False, **plain)
    after = _peak_memory(client)
    assert max(after[worker] - before[worker] for worker in before) < 50
    table = parquet.read_table(tmp_path / "all")
    assert table.nbytes > 160e6
    rows = table["vector"].combine_chunks().flatten().to_numpy().reshape(-1, 512)
    np.testing.assert_array_equal(rows, encoder.encode(lines))


def test_the_example_writes_what_is_missing(tmp_path, client, capsys):
    import pyarrow.parquet as parquet

    path = Path(__file__).parents[1] / "examples" / "encode_with_dask.py"
    main = runpy.run_path(str(path))["main"]
    lines = [f"sentence {i} of a dog" for i in range(300)]
    text, folder = tmp_path / "text.txt", tmp_path / "vectors"
    text.write_text("\n".join(lines) + "\n")
    options = [str(text), str(folder), "--block", "2000", "--blocks-per-shard", "2"]
    options += ["--dtype", "float32", "--scheduler", client.scheduler.address]
    main(options)
    times = {shard: shard.stat().st_mtime_ns for shard in sorted(folder.iterdir())}
    _, second, *_ = times
    second.rename(folder / "unfinished-00001")  # the name that a killed run leaves
    capsys.readouterr()
    main(options)
    assert len(capsys.readouterr().out.splitlines()) == 1
    again = {shard: shard.stat().st_mtime_ns for shard in sorted(folder.iterdir())}
    assert again.keys() == times.keys()
    assert [shard for shard in times if again[shard] != times[shard]] == [second]
    rows = [row for shard in times for row in parquet.read_table(shard)["vector"].to_pylist()]
    np.testing.assert_array_equal(np.float32(rows), ParagramEncoder().encode(lines))


def _n_tasks(client):
    """The number of tasks that the scheduler has given to workers."""
    # Other transitions, such as forgetting a task, may follow after its result is known.
    return client.run_on_scheduler(
        lambda dask_scheduler: sum(
            finish == "processing" for _, _, finish, *_ in dask_scheduler.transition_log
        )
    )


def _peak_memory(client):
    """The peak memory of each worker, in MiB."""
    import resource

    # Workers cannot import this module, so no function of it is named here.
    return client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def test_deduplication_on_disk_is_that_of_one_machine(client, tmp_path, monkeypatch):
    """joblib gives the tasks of skpara.scale to the workers."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("duckdb")
    from skpara.matching import _search
    from skpara.scale import _duckdb, deduplicate

    monkeypatch.setattr(_search, "_MAX_EXACT", 100)  # so that there are several tasks
    monkeypatch.setattr(_duckdb, "_LEAST_TEXTS", 200)
    monkeypatch.setattr(_duckdb, "_BYTES_PER_TEXT", 1e12)
    rows, before = rows_of(4, 400), _n_tasks(client)
    parquet.write_table(pa.table({"text": rows}), tmp_path / "rows.parquet")
    with parallel_config(backend="dask"):
        found = deduplicate(tmp_path / "rows.parquet", tmp_path / "out")
    assert _n_tasks(client) > before + 3
    expected = Deduplicator().fit(rows)
    labels = parquet.read_table(found.labels)
    np.testing.assert_array_equal(labels["cluster"].to_numpy(), expected.labels_)
    assert found.n_clusters < len(rows) - 120
