"""Two processes with a batch each learn what one process does with the double batch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import skpara
from skpara.learning._processes import n_processes, share

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="torch without distributed"
)
SCRIPT = str(Path(__file__).with_name("together.py"))
ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(Path(skpara.__file__).parents[1]),
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Of one process alone, and of each of two."""
    folder = tmp_path_factory.mktemp("together")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    commands = [sys.executable, SCRIPT], [*torchrun, "--nproc-per-node", "2", SCRIPT]
    started = [
        subprocess.Popen(
            [*command, str(folder)],
            env=ENVIRONMENT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for command in commands
    ]
    for process in started:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output[-4000:]
    return [json.loads((folder / f"{name}.json").read_text()) for name in ("0of1", "0of2", "1of2")]


NAMES = ["average", "hardest", "lstm", "gran", "dropout", "siamese", "reference", "stream"]


@pytest.mark.parametrize("name", NAMES)
def test_two_processes_learn_what_one_does_with_the_double_batch(results, name):
    alone, together, _ = results
    (losses, found), (expected_losses, expected) = together[name], alone[name]
    np.testing.assert_allclose(losses, expected_losses, atol=1e-5)
    np.testing.assert_allclose(found, expected, atol=1e-4 if name == "dropout" else 2e-5)
    assert len(losses) >= 2
    assert losses[1] != losses[0]


@pytest.mark.parametrize("name", NAMES)
def test_both_end_with_one_model(results, name):
    assert results[1][name] == results[2][name]


@pytest.mark.parametrize("name", ["other pairs", "no random_state"])
def test_processes_given_different_things_are_refused(results, name):
    assert name not in results[0]
    for one in results[1:]:
        assert "all the pairs" in one[name]
        assert "integer as random_state" in one[name]


def test_alone_all_rows_are_ones_own():
    assert n_processes() == 1
    assert share(7) == slice(0, 7)


def test_shares_are_even_and_leave_nothing_out(monkeypatch):
    from torch import distributed

    monkeypatch.setattr(distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(distributed, "get_world_size", lambda: 3)
    for n_rows in (0, 1, 3, 10, 200):
        shares = []
        for rank in range(3):
            monkeypatch.setattr(distributed, "get_rank", lambda rank=rank: rank)
            shares.append(share(n_rows))
        assert [s.start for s in shares] == [0, *(s.stop for s in shares[:-1])]
        assert shares[-1].stop == n_rows
        assert max(s.stop - s.start for s in shares) - min(s.stop - s.start for s in shares) <= 1
