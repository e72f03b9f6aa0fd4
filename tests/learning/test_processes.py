"""Two processes with a batch each learn what one process learns with the double batch."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from skpara.learning._processes import is_main_process, n_processes, shard

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="torch without distributed"
)
SCRIPT = Path(__file__).with_name("distributed_training.py")
# With what torchrun sets, except for addresses.
ONE_OF_TWO = """
import os, runpy, sys
os.environ |= {{"WORLD_SIZE": "2", "RANK": "{rank}", "LOCAL_RANK": "{rank}"}}
sys.argv = [{script!r}, {folder!r}]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def load_script():
    spec = importlib.util.spec_from_file_location(SCRIPT.stem, SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def results(tmp_path_factory, start_process):
    """Results of a process alone, and of each of two."""
    folder = tmp_path_factory.mktemp("processes")
    names = {"script": str(SCRIPT), "folder": str(folder)}
    processes = [start_process(ONE_OF_TWO.format(rank=rank, **names)) for rank in range(2)]
    try:
        alone = load_script().train(0, 1)
        for process in processes:
            process.join(300)
            assert process.exitcode == 0
    finally:
        for process in processes:
            process.kill()
    return [alone, *(json.loads((folder / f"{rank}.json").read_text()) for rank in range(2))]


NAMES = "average hardest lstm gran dropout siamese classifier reference stream".split()


@pytest.mark.parametrize("name", NAMES)
def test_two_processes_learn_what_one_does_with_the_double_batch(results, name):
    alone, together, other = results
    assert together[name] == other[name]
    (losses, outputs), (expected_losses, expected) = together[name], alone[name]
    np.testing.assert_allclose(losses, expected_losses, atol=1e-5)
    np.testing.assert_allclose(outputs, expected, atol=1e-4 if name == "dropout" else 2e-5)
    assert len(losses) == 2
    assert losses[1] != losses[0]


@pytest.mark.parametrize("name", ["other pairs", "no random_state"])
def test_processes_with_different_data_are_refused(results, name):
    for result in results[1:]:
        assert "pass all pairs" in result[name]
        assert "integer random_state" in result[name]


def test_a_process_alone_has_all_rows():
    assert n_processes() == 1
    assert is_main_process()
    assert list(range(7))[shard(7)] == list(range(7))


def test_shards_are_even_and_cover_all_rows(monkeypatch):
    from torch import distributed

    monkeypatch.setattr(distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(distributed, "get_world_size", lambda: 3)
    for n_rows in (0, 1, 3, 10, 200):
        shards = []
        for rank in range(3):
            monkeypatch.setattr(distributed, "get_rank", lambda rank=rank: rank)
            shards.append(shard(n_rows))
        assert [s.start for s in shards] == [0, *(s.stop for s in shards[:-1])]
        assert shards[-1].stop == n_rows
        sizes = [s.stop - s.start for s in shards]
        assert max(sizes) - min(sizes) <= 1
