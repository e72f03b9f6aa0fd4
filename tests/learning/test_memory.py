"""Encoding and predicting in smaller batches where a GPU runs out of memory."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara import ParagramEncoder, SiameseRegressor
from skpara.learning._memory import BatchSize

NETWORKS = ["projection", "dan", "rnn", "irnn", "lstm", "lstm_no_output_gate", "gran", "charagram"]


@pytest.mark.parametrize("network", NETWORKS)
def test_encoding_halves_a_batch_that_does_not_fit(
    network, small_vectors, small_pairs, limit_memory
):
    encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=1, device="cpu")
    encoder.fit(small_pairs)
    sentences = [sentence for pair in small_pairs for sentence in pair]
    expected = encoder.encode(sentences)
    sizes = limit_memory(encoder.state_.module("cpu")._module, 150)
    with pytest.warns(UserWarning, match="512 sentences at a time; continued with 100") as warned:
        vectors = encoder.encode(sentences)
    assert len(warned) == 1
    assert sizes == [400, 200, 100, 100, 100, 100]
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    encoder.encode(sentences)  # the batch size stays, without a second warning
    assert max(sizes[6:]) == 100


def test_predicting_halves_a_batch_that_does_not_fit(small_vectors, small_pairs, limit_memory):
    model = SiameseRegressor(vectors=small_vectors, max_iter=1, device="cpu", random_state=0)
    expected = model.fit(small_pairs, np.full(len(small_pairs), 3.0)).predict(small_pairs)
    limit_memory(model.state_.module("cpu")._module.sentence_module, 64)
    with pytest.warns(UserWarning, match="continued with 50"):
        np.testing.assert_allclose(model.predict(small_pairs), expected, atol=1e-6)


def test_scoring_during_training_halves_a_batch_that_does_not_fit(make_session, limit_memory):
    session = make_session("projection")
    sentences = [f"w{i}" for i in range(20)]
    expected = session.encode(sentences)
    sizes = limit_memory(session.trainer.module, 8)
    with pytest.warns(UserWarning, match="continued with 5"):
        np.testing.assert_allclose(session.encode(sentences), expected, atol=1e-6)
    assert sizes == [20, 10, 5, 5, 5, 5]


def test_batches_are_halved_down_to_one_row_and_no_further():
    starts = []

    def compute_single_rows(rows):
        if rows.stop - rows.start > 1:
            raise torch.OutOfMemoryError
        starts.append(rows.start)

    with pytest.warns(UserWarning, match="100 rows at a time; continued with 1"):
        BatchSize(100, "rows").run(13, compute_single_rows)
    assert starts == list(range(13))

    def fail(rows):
        raise torch.OutOfMemoryError

    with pytest.raises(torch.OutOfMemoryError) as error:
        BatchSize(100, "rows").run(13, fail)
    assert "batch_size" in error.value.__notes__[0]


def test_out_of_memory_on_mps_is_a_runtime_error():
    sizes = []

    def compute(rows):
        sizes.append(rows.stop - rows.start)
        if sizes[-1] > 2:
            raise RuntimeError("MPS backend out of memory (MPS allocated: 8.00 GB).")

    with pytest.warns(UserWarning, match="8 rows at a time; continued with 2"):
        BatchSize(8, "rows").run(8, compute)
    assert sizes == [8, 4, 2, 2, 2, 2]


def test_other_errors_are_not_taken_for_a_lack_of_memory():
    def fail(rows):
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="shapes") as error:
        BatchSize(8, "rows").run(8, fail)
    assert not hasattr(error.value, "__notes__")
