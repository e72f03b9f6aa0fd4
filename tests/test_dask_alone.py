"""Dask collections in one process, without a cluster."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, TableMatcher

dask = pytest.importorskip("dask")
dataframe = pytest.importorskip("dask.dataframe")

PAIRS = [("a dog runs", "a dog ran"), ("it rains", "a cat"), ("a man", "a man"), ("x", "y z")]
INDEX = [3, 1, 7, 5]


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def collections(rows, columns):
    """The rows as a frame of three partitions, one of them empty, and as a bag."""
    from dask import bag

    frame = pd.DataFrame(rows, columns=columns, index=INDEX)
    parts = [frame[:1], frame[1:1], frame[1:]]
    return frame, dataframe.from_map(lambda part: part, parts), bag.from_sequence(rows, 3)


def model_of(pairs):
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    return model.fit(pairs, range(4))


@pytest.mark.parametrize("with_names", [False, True])
def test_scores_are_those_of_the_model(with_names):
    import skpara.dask

    frame, parts, bag = collections(PAIRS, ["first", "second"])
    model = model_of(frame if with_names else PAIRS)
    scores = skpara.dask.predict(model, parts).compute()
    assert (scores.name, scores.dtype) == ("score", np.float64)
    assert scores.index.tolist() == INDEX
    np.testing.assert_array_equal(scores, model.predict(frame if with_names else PAIRS))
    if not with_names:
        np.testing.assert_array_equal(skpara.dask.predict(model, bag).compute(), scores)
    with pytest.raises(TypeError, match="pairs must be a dask DataFrame or Bag, got list"):
        skpara.dask.predict(model, PAIRS)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_vectors_are_those_of_the_encoder(dtype, small_vectors):
    import skpara.dask

    encoder = ParagramEncoder(vectors=small_vectors)
    sentences = ["a dog runs", "music", "", "a cat"]
    _, parts, bag = collections(sentences, ["sentence"])
    expected = encoder.encode(sentences).astype(dtype)
    found = skpara.dask.encode(encoder, parts["sentence"], dtype=dtype).compute()
    assert found.columns.tolist() == ["vector"]
    assert found.index.tolist() == INDEX
    np.testing.assert_array_equal(np.stack(found["vector"].to_list()), expected)
    kind = {"float32": "float", "float16": "halffloat"}[dtype]
    assert str(found["vector"].dtype) == f"fixed_size_list<item: {kind}>[20][pyarrow]"
    from_bag = skpara.dask.encode(encoder, bag, dtype=dtype).compute()
    np.testing.assert_array_equal(np.stack(from_bag["vector"].to_list()), expected)
    with pytest.raises(ValueError, match="dtype must be 'float32' or 'float16', got 'int8'"):
        skpara.dask.encode(encoder, bag, dtype="int8")
    with pytest.raises(TypeError, match="sentences must be a dask Series or Bag, got list"):
        skpara.dask.encode(encoder, sentences)


def test_matches_are_those_of_the_matcher():
    import skpara.dask

    names = ["Harlow Timbers", "Cafe Quade", "Nothing", "Harlow Timber"]
    matcher = TableMatcher().fit(["Harlow Timber Ltd", "Café Quade", "Nordic Sea Foods"])
    _, parts, bag = collections(names, ["name"])
    expected = matcher.match(names)
    for queries in (parts["name"], bag):
        found = skpara.dask.match(matcher, queries).compute()
        for column in ("query", "candidate", "probability"):
            np.testing.assert_allclose(found[column], expected[column])
    with pytest.raises(TypeError, match="queries must be a dask DataFrame, Series or Bag"):
        skpara.dask.match(matcher, names)
