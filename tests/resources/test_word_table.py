"""Look-ups of sorted, packed words."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.resources._word_table import WordTable

WORDS = st.lists(st.text(st.characters(min_codepoint=32), min_size=1, max_size=9), max_size=60)


def packed(words):
    """The words as the table describes them."""
    data, before = bytearray(), b""
    for number, word in enumerate(words):
        text = word.encode("utf8", "surrogatepass")
        shared = min(len(os.path.commonprefix([text, before])), 31) if number % 16 else 0  # noqa: RUF071
        data += bytes([shared]) + text[shared:]
        before = text
    return np.frombuffer(bytes(data), dtype=np.uint8)


@given(WORDS, WORDS)
def test_positions_are_those_of_a_sorted_list(words, others):
    ordered = sorted(set(words), key=lambda word: word.encode("utf8", "surrogatepass"))
    table = WordTable(packed(ordered))
    assert list(table) == ordered
    assert len(table) == len(ordered)
    assert table.find(ordered).tolist() == list(range(len(ordered)))
    near = [word[:-1] for word in ordered] + [word + "a" for word in ordered]
    absent = [*({*others, *near, ""} - set(ordered))]
    assert table.find(absent).tolist() == [-1] * len(absent)


def test_packed_words_that_are_cut_or_wrong_are_refused():
    table = WordTable(packed(["a", "ab", "b"]))
    table.arrays = table.arrays[0], np.array([0, 99]), table.arrays[2]
    with pytest.raises(ValueError, match="out of range"):
        table.find(["a"])
    table = WordTable(np.frombuffer(b"\x00a\x07b", dtype=np.uint8))
    with pytest.raises(ValueError, match="out of range"):
        table.find(["b"])
