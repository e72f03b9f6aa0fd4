"""The parameter ``device``: names, missing devices, bfloat16."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from skpara import ParagramEncoder, SiameseRegressor
from skpara.augment.filters import ReferenceFilter
from skpara.learning import Device, resolve_device

AVAILABLE = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
MISSING = next(name for name, available in AVAILABLE.items() if not available)  # none has both
NETWORKS = ["projection", "dan", "rnn", "irnn", "lstm", "lstm_no_output_gate", "gran", "charagram"]


def test_auto_is_the_fastest_device_available():
    expected = "cuda" if AVAILABLE["cuda"] else "cpu"  # MPS is not tested
    assert resolve_device("auto") == resolve_device(Device()) == expected
    assert resolve_device("cpu") == resolve_device(Device("cpu")) == "cpu"


def test_a_gpu_has_a_number(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert resolve_device("cuda:1") == resolve_device(Device("cuda:1")) == "cuda:1"
    with pytest.raises(ValueError, match=r"device='cuda:2' is not .* has 2 CUDA device\(s\)"):
        resolve_device("cuda:2")
    with pytest.warns(UserWarning, match="device='cuda:2' is not available"):
        assert resolve_device("cuda:2", fall_back=True) == "cpu"


@pytest.mark.parametrize("name", ["cuda:", "cuda:one", "gpu", "cpu:0", ""])
def test_other_names_of_devices_are_refused(name, small_pairs):
    with pytest.raises(ValueError, match="'name' parameter of Device"):
        resolve_device(name)
    with pytest.raises(ValueError, match=r"'device' parameter of ParagramEncoder .*cuda:<"):
        ParagramEncoder(device=name).fit(small_pairs)


@pytest.mark.parametrize("device", [MISSING, Device(MISSING)], ids=["name", "object"])
@pytest.mark.parametrize("make", [ParagramEncoder, SiameseRegressor, ReferenceFilter])
def test_a_missing_device_is_an_error_at_fit_only(make, device, small_vectors, small_pairs):
    estimator = make("lstm", vectors=small_vectors, max_iter=1, device=device)
    y = {"y": np.full(len(small_pairs), 4.0)} if make is SiameseRegressor else {}
    with pytest.raises(ValueError, match=f"device='{MISSING}' is not available to torch"):
        estimator.fit(small_pairs, **y)
    estimator.set_params(device="cpu", random_state=0).fit(small_pairs, **y)
    method = {SiameseRegressor: "predict", ReferenceFilter: "score_pairs"}.get(make, "transform")
    expected = getattr(estimator, method)(small_pairs)
    moved = pickle.loads(pickle.dumps(estimator.set_params(device=device)))
    with pytest.warns(UserWarning, match="the CPU is used") as warned:
        np.testing.assert_array_equal(getattr(moved, method)(small_pairs), expected)
    assert len(warned) == 1
    # There is one warning only.
    np.testing.assert_array_equal(getattr(moved, method)(small_pairs), expected)


@pytest.mark.slow
def test_everything_is_computed_on_the_device(start_process):
    """On an emulated device, which refuses tensors of the CPU; results are those of the CPU."""
    script = Path(__file__).with_name("second_device.py")
    process = start_process(script.read_text("utf8"))
    process.join(300)
    assert process.exitcode == 0


@pytest.mark.parametrize("network", NETWORKS)
def test_bfloat16_learns_nearly_the_same(network, small_vectors, small_pairs):
    pairs = small_pairs[:80]

    def fit(precision):
        device = Device("cpu", precision)
        encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=2, random_state=0)
        return encoder.set_params(device=device, optimizer="adadelta").fit(pairs)

    exact, mixed = fit("float32"), fit("bfloat16")
    np.testing.assert_allclose(mixed.loss_curve_, exact.loss_curve_, rtol=0.01)
    sentences = [pair[0] for pair in pairs]
    vectors, expected = mixed.encode(sentences), exact.encode(sentences)
    assert type(vectors) is np.ndarray
    assert vectors.dtype == np.float32
    assert all(weight.dtype == np.float32 for weight in mixed.weights_.values())
    cosines = (vectors * expected).sum(1) / np.sqrt((vectors**2).sum(1) * (expected**2).sum(1))
    assert cosines.min() > 0.99
    if network != "charagram":  # which has no matrix product to round
        assert not np.array_equal(vectors, expected)
