from __future__ import annotations

import gzip

import numpy as np
import pytest

from skpara.datasets import iter_pairs


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b'1\ta "dog"\ta puppy\r\n2.5\tun caf\xc3\xa9\t\n0\tx\ty\n')
    return path


def test_chunks_hold_all_pairs_each_time(path):
    chunks = iter_pairs(path, chunk_size=2, columns=(1, 2))
    for _ in range(2):
        found = list(chunks)
        assert [chunk.shape for chunk in found] == [(2, 2), (1, 2)]
        assert np.vstack(found).tolist() == [['a "dog"', "a puppy"], ["un café", ""], ["x", "y"]]


def test_scores_come_along(path):
    (chunk,) = iter_pairs(path, columns=(1, 2), score_column=0)
    assert chunk[0].shape == (3, 2)
    assert chunk[1].tolist() == [1.0, 2.5, 0.0]


def test_compressed_files(path, tmp_path):
    packed = tmp_path / "pairs.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    (one,), (two,) = iter_pairs(path, columns=(1, 2)), iter_pairs(packed, columns=(1, 2))
    np.testing.assert_array_equal(one, two)


def test_only_a_chunk_is_read_at_a_time(tmp_path):
    path = tmp_path / "many.tsv"
    path.write_text("a\tb\n" * 50_000 + "alone\n")
    chunks = iter(iter_pairs(path, chunk_size=100))
    assert next(chunks).shape == (100, 2)  # the bad line is far away still
    with pytest.raises(ValueError, match=r"line 50001: 2 tab-separated columns"):
        list(chunks)


def test_what_cannot_be_read_is_refused(path):
    with pytest.raises(FileNotFoundError, match="no file"):
        iter_pairs(path.with_name("other.tsv"))
    with pytest.raises(ValueError, match="chunk_size"):
        iter_pairs(path, chunk_size=0)
    with pytest.raises(ValueError, match=r"line 1: the score 'a \"dog\"'"):
        list(iter_pairs(path, score_column=1))
