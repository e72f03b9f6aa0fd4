from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file, save_file
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from skpara import ParagramEncoder
from skpara.networks import LSTM, Charagram


@pytest.fixture
def path(tmp_path):
    return tmp_path / "encoder.safetensors"


@pytest.mark.parametrize(
    "network", ["average", "projection", LSTM(hidden_size=7), Charagram(n_dims=9)], ids=repr
)
def test_a_loaded_encoder_is_the_saved_one(small_vectors, small_pairs, path, network):
    encoder = ParagramEncoder(
        network, vectors=small_vectors, output="both", margin=0.3, max_iter=2, random_state=3
    ).fit(pd.DataFrame(small_pairs, columns=["left", "right"]))
    encoder.save(path)
    again = ParagramEncoder.load(path)
    sentences = ["w1 w2 unseen", "", "w3"]
    np.testing.assert_array_equal(again.encode(sentences), encoder.encode(sentences))
    assert again.history_ == encoder.history_
    assert again.n_iter_ == 2
    assert again.feature_names_in_.tolist() == ["left", "right"]
    kept, given = again.get_params(), encoder.get_params()
    for name in given.keys() - {"vectors", "network"}:
        assert kept[name] == given[name]
    assert repr(again.network) == repr(encoder.network)
    assert again.vectors is again.vectors_
    clone(again).fit(small_pairs)
    again.partial_fit(pd.DataFrame(small_pairs, columns=["left", "right"]))


def test_the_table_is_mapped_and_the_default_vectors_are_a_name(path, small_pairs):
    ParagramEncoder(max_iter=1).fit(small_pairs).save(path)
    again = ParagramEncoder.load(path)
    assert again.vectors == "default"
    assert isinstance(again.vectors_.matrix.base, np.memmap)


def test_settings_that_files_cannot_hold_are_left_out(small_vectors, small_pairs, path):
    first = ParagramEncoder(vectors=small_vectors, max_iter=1).fit(small_pairs)
    encoder = ParagramEncoder(
        init=first, decay_towards=first, max_iter=1, random_state=np.random.RandomState(0)
    )
    encoder.fit(small_pairs).save(path)
    again = ParagramEncoder.load(path)
    assert again.init is None
    assert again.decay_towards is None
    assert again.random_state is None


def test_what_is_no_encoder_is_refused(small_vectors, small_pairs, path, tmp_path):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1)
    with pytest.raises(NotFittedError):
        encoder.save(path)
    encoder.fit(small_pairs)
    with pytest.raises(ValueError, match=r"written as \.safetensors"):
        encoder.save(tmp_path / "encoder.joblib")
    with pytest.raises(FileNotFoundError, match="no file"):
        ParagramEncoder.load(path)
    small_vectors.save(path)
    with pytest.raises(ValueError, match="holds no ParagramEncoder"):
        ParagramEncoder.load(path)
    encoder.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    with pytest.raises(ValueError, match="cut short"):
        ParagramEncoder.load(path)
    path.write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(ValueError, match="not a safetensors file"):
        ParagramEncoder.load(path)


def test_files_of_the_future_and_unknown_networks_are_refused(small_vectors, small_pairs, path):
    encoder = ParagramEncoder(LSTM(), vectors=small_vectors, max_iter=1).fit(small_pairs)

    def rewritten(**changes):
        encoder.save(path)
        raw = path.read_bytes()
        length = int.from_bytes(raw[:8], "little")
        metadata = json.loads(raw[8 : 8 + length])["__metadata__"]
        save_file(load_file(path), path, metadata | changes)
        return metadata

    metadata = rewritten(version="2")
    with pytest.raises(ValueError, match="upgrade skpara"):
        ParagramEncoder.load(path)
    parameters = json.loads(metadata["parameters"])
    parameters["network"]["class"] = "os"
    rewritten(parameters=json.dumps(parameters))
    with pytest.raises(ValueError, match="'os', which skpara lacks"):
        ParagramEncoder.load(path)


def test_a_failed_write_leaves_the_old_file(small_vectors, small_pairs, path):
    resource = pytest.importorskip("resource")
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1).fit(small_pairs)
    encoder.save(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
    try:
        with pytest.raises(OSError, match=r"requested and \d+ written|File too large"):
            encoder.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
