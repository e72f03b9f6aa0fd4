"""Encoding by a fitted state."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from skpara import ParagramEncoder
from skpara.learning import Device
from skpara.networks import Siamese


@pytest.mark.parametrize("network", ["average", "lstm", "charagram"])
def test_a_fitted_network_encodes_like_its_session(make_session, network):
    session = make_session(network, ["w1 w2 new", "w3"])
    state = session.state(network)
    sentences = ["w1 new", "", "w3 w4 w4", "never seen"]
    np.testing.assert_allclose(state.encode(sentences), session.encode(sentences), atol=1e-6)
    assert state.encode([]).shape == (0, session.encode(["w1"]).shape[1])


def test_a_fitted_siamese_network_compares_pairs(make_session):
    network = Siamese("average", n_outputs=4)
    state = make_session(network).state(model=network, parameters={"max_length": 2})
    pairs = np.array([["w1 w2", "w3"], ["w4", "w5"], ["w1 w2 w6", "w3"]], dtype=object)
    outputs = state.outputs(pairs, "cpu").numpy()
    assert outputs.shape == (3, 4)
    np.testing.assert_allclose(outputs[2], outputs[0], atol=1e-6)  # cut off after two words
    np.testing.assert_allclose(state.outputs(pairs[:, ::-1], "cpu").numpy(), outputs, atol=1e-6)
    assert state.outputs(pairs[:0], "cpu").shape == (0, 4)


def test_the_module_is_built_once_and_is_no_part_of_the_encoder(small_vectors, small_pairs):
    encoder = ParagramEncoder("projection", vectors=small_vectors, max_iter=1, device="cpu")
    encoder.fit(small_pairs[:20])
    size, attributes = len(pickle.dumps(encoder)), set(vars(encoder))
    expected = encoder.encode(["w1 w2"])
    assert encoder.state_.module("cpu") is encoder.state_.module("cpu")
    assert len(pickle.dumps(encoder)) == size
    assert set(vars(encoder)) == attributes
    # Another precision needs another module.
    encoder.set_params(device=Device("cpu", "bfloat16"))
    assert not np.array_equal(encoder.encode(["w1 w2"]), expected)
    encoder.set_params(device__precision="float32")
    np.testing.assert_array_equal(encoder.encode(["w1 w2"]), expected)


def test_a_state_of_a_device_that_is_missing_computes_on_the_cpu(make_session):
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has the device")
    state = make_session("lstm", ["w1 w2"]).state("lstm")
    expected = state.encode(["w1", "w2 w1"], device="cpu")
    with pytest.warns(UserWarning, match="the CPU is used instead"):
        found = state.encode(["w1", "w2 w1"], device="cuda")
    np.testing.assert_array_equal(found, expected)


FORKED = """
import os, signal, torch, warnings
warnings.simplefilter("ignore")
from skpara import ParagramEncoder, SiameseClassifier, SiameseRegressor, WordVectors
torch.set_num_threads(2)
vectors = WordVectors([*"abcdefgh"], [[i / 100 + j for i in range(300)] for j in range(8)])
encoder = ParagramEncoder("gran", vectors=vectors, max_iter=1, device="cpu", random_state=0)
expected = encoder.fit([("a b", "c")] * 40).encode(["a b c d e f g h"] * 99)
siamese = [
    make("average", vectors=vectors, max_iter=1).fit([("a b", "c")] * 4, [0, 1] * 2)
    for make in (SiameseRegressor, SiameseClassifier)
]
pairs = [("a b", "c")] * 2000
scores = siamese[0].predict(pairs), siamese[1].predict_proba(pairs)
if os.fork() == 0:
    signal.alarm(60)
    assert abs(siamese[0].predict(pairs) - scores[0]).max() < 1e-4
    assert abs(siamese[1].predict_proba(pairs) - scores[1]).max() < 1e-4
    assert abs(encoder.encode(["a b c d e f g h"] * 99) - expected).max() < 1e-4
    try:
        encoder.fit([("a b", "c")] * 40)
    except RuntimeError as error:
        assert "forked" in str(error)
        os._exit(0)
assert os.wait()[1] == 0
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_process_encodes_and_predicts_and_does_not_train(start_process):
    # torch's threads do not survive a fork, and waiting for them would never end.
    process = start_process(FORKED)
    process.join(300)
    assert process.exitcode == 0


def test_threads_share_an_encoder(small_vectors, small_pairs):
    encoder = ParagramEncoder("gran", vectors=small_vectors, max_iter=1, device="cpu")
    encoder.fit(small_pairs)
    sentences = [pair[0] for pair in small_pairs]
    expected = pickle.loads(pickle.dumps(encoder)).encode(sentences)
    with ThreadPoolExecutor(4) as threads:
        for vectors in threads.map(lambda _: encoder.encode(sentences), range(8)):
            np.testing.assert_array_equal(vectors, expected)
