"""Dask collections, in this process."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

import skpara.dask
from skpara import ParagramEncoder, TableMatcher

pytest.importorskip("dask.dataframe")
pytestmark = [
    pytest.mark.slow,
    # Dask advises to scatter objects above 10 MB; skpara.dask explains why it does not.
    pytest.mark.filterwarnings("default:Sending large graph:UserWarning"),
]


@pytest.fixture(scope="module")
def sample(scored_sample):
    return [tuple(pair) for pair in scored_sample[0]], scored_sample[1]


@pytest.fixture(scope="module")
def fitted(sample, small_vectors):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0)
    return encoder.fit(sample[0])


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
    vectors = skpara.dask.encode(fitted, parts, dtype=dtype)
    assert str(vectors.dtypes["vector"]) == str(vectors.compute()["vector"].dtype)
    assert vectors.compute().index.tolist() == [7, 5, 6, 9]
    rows = np.stack(vectors.compute()["vector"].to_list()).astype(dtype)
    np.testing.assert_array_equal(rows, fitted.encode(texts).astype(dtype))


@pytest.mark.usefixtures("_one_process")
def test_predict_takes_frames_with_the_names_of_fit(sample, fitted):
    import dask.dataframe as dd
    import pandas as pd

    frame = pd.DataFrame(sample[0], columns=["first", "second"])
    named = make_pipeline(clone(fitted), Ridge()).fit(frame, sample[1])
    unnamed = make_pipeline(fitted, Ridge()).fit(*sample)
    pairs = dd.from_pandas(frame, npartitions=3)
    for model, X in ((named, frame), (unnamed, sample[0])):
        scores = skpara.dask.predict(model, pairs).compute()
        np.testing.assert_allclose(scores, model.predict(X), rtol=1e-12)


@pytest.mark.usefixtures("_one_process")
@pytest.mark.parametrize("on", ["a", ["a", "b"], ["row", "a"]])
def test_matches_are_those_of_one_machine(sample, on):
    import dask.dataframe as dd
    import pandas as pd

    rows = pd.DataFrame(sample[0][:90], columns=["a", "b"]).assign(row=np.arange(90))
    matcher = TableMatcher(precision=0.8).fit(rows, on=on)
    queries = rows[::3].assign(a=rows["a"].str[:-4], row=np.arange(30))[on]
    found = skpara.dask.match(matcher, dd.from_pandas(queries, npartitions=3)).compute()
    expected = matcher.match(queries).to_frame()
    assert len(found) == len(expected) > 20
    np.testing.assert_allclose(found["probability"], expected["probability"], rtol=1e-6)
    assert rows["a"][found["candidate"]].tolist() == expected["a_match"].tolist()


@pytest.mark.usefixtures("_one_process")
def test_invalid_input_raises_an_error(fitted):
    import dask.bag as bag

    with pytest.raises(TypeError, match="dask Series or Bag, got list"):
        skpara.dask.encode(fitted, ["a dog"])
    with pytest.raises(TypeError, match="dask DataFrame or Bag, got list"):
        skpara.dask.predict(fitted, [("a dog", "a cat")])
    with pytest.raises(ValueError, match="dtype must be"):
        skpara.dask.encode(fitted, bag.from_sequence(["a"]), dtype="int8")
    with pytest.raises(ValueError, match="Row 1"):
        skpara.dask.encode(fitted, bag.from_sequence(["a", None], npartitions=1)).compute()
