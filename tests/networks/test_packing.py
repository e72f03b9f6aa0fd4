"""The order in which a recurrent network reads."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.networks._packing import pack

ROWS = torch.arange(10, dtype=torch.float64).unsqueeze(1)  # a row is its own number


def packed(sentences, *, backwards=False):
    ids = torch.tensor([i for sentence in sentences for i in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    offsets = torch.cumsum(lengths, 0) - lengths
    return pack(ROWS, ids, offsets, lengths, backwards=backwards)


def test_all_first_words_then_all_second_words():
    found = packed([[1], [2, 3, 4], [5, 6]])
    assert found.words.flatten().tolist() == [2, 5, 1, 3, 6, 4]
    assert found.sizes == [3, 2, 1]
    assert found.sentences.tolist() == [0, 1, 2, 0, 1, 0]
    assert found.previous.tolist() == [0, 1, 3]
    assert found.last.tolist() == [2, 5, 4]
    assert found.ranks.tolist() == [2, 0, 1]


def test_backwards_the_last_words_come_first():
    found = packed([[1], [2, 3, 4], [5, 6]], backwards=True)
    assert found.words.flatten().tolist() == [4, 6, 1, 3, 5, 2]


SENTENCES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=8)


@settings(deadline=None)
@given(sentences=SENTENCES, backwards=st.booleans())
def test_every_sentence_is_read_in_its_order(sentences, backwards):
    found = packed(sentences, backwards=backwards)
    words, before = found.words.flatten().tolist(), found.previous.tolist()
    first = found.sizes[0]
    assert first == len(sentences)
    assert sum(found.sizes) == len(words) == sum(map(len, sentences))
    assert found.sizes == sorted(found.sizes, reverse=True)
    for k, sentence in enumerate(sentences):
        place, read = int(found.last[k]), []
        while True:
            assert found.sentences[place] == found.ranks[k]
            read.append(words[place])
            if place < first:
                break
            place = before[place - first]
        assert read == (sentence if backwards else sentence[::-1])


def test_sentences_of_one_length_stay_in_the_given_order():
    assert packed([[1, 2], [3, 4], [5, 6]]).ranks.tolist() == [0, 1, 2]


def test_a_row_that_several_words_use_gets_all_their_gradient():
    rows = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    ids, lengths = torch.tensor([0, 2, 0, 0]), torch.tensor([3, 1])
    pack(rows, ids, torch.tensor([0, 3]), lengths).words.sum().backward()
    np.testing.assert_array_equal(rows.grad[:, 0], [3, 0, 1])


@pytest.mark.parametrize("length", [1, 4])
def test_a_single_sentence(length):
    found = packed([list(range(length))])
    assert found.words.flatten().tolist() == list(range(length))
    assert found.sizes == [1] * length
    assert found.last.tolist() == [length - 1]
