"""The order in which a recurrent network reads words."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.networks.modules._packing import pack

ROWS = torch.arange(10, dtype=torch.float64).unsqueeze(1)  # a row is its own number


def packed(sentences, *, backwards=False):
    ids = torch.tensor([i for sentence in sentences for i in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    offsets = torch.cumsum(lengths, 0) - lengths
    return pack(ROWS, ids, offsets, lengths, backwards=backwards)


def test_first_words_come_before_second_words():
    batch = packed([[1], [2, 3, 4], [5, 6]])
    assert batch.words.flatten().tolist() == [2, 5, 1, 3, 6, 4]
    assert batch.sizes == [3, 2, 1]
    assert batch.sentences.tolist() == [0, 1, 2, 0, 1, 0]
    assert batch.previous.tolist() == [0, 1, 3]
    assert batch.last.tolist() == [2, 5, 4]
    assert batch.ranks.tolist() == [2, 0, 1]


def test_last_words_come_first_backwards():
    batch = packed([[1], [2, 3, 4], [5, 6]], backwards=True)
    assert batch.words.flatten().tolist() == [4, 6, 1, 3, 5, 2]


SENTENCES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=8)


@settings(deadline=None)
@given(sentences=SENTENCES, backwards=st.booleans())
def test_previous_words_lead_through_every_sentence(sentences, backwards):
    batch = packed(sentences, backwards=backwards)
    words, previous = batch.words.flatten().tolist(), batch.previous.tolist()
    n_sentences = batch.sizes[0]
    assert n_sentences == len(sentences)
    assert sum(batch.sizes) == len(words) == sum(map(len, sentences))
    assert batch.sizes == sorted(batch.sizes, reverse=True)
    for k, sentence in enumerate(sentences):
        index, read = int(batch.last[k]), []
        while True:
            assert batch.sentences[index] == batch.ranks[k]
            read.append(words[index])
            if index < n_sentences:
                break
            index = previous[index - n_sentences]
        assert read == (sentence if backwards else sentence[::-1])


def test_sentences_of_one_length_keep_their_order():
    assert packed([[1, 2], [3, 4], [5, 6]]).ranks.tolist() == [0, 1, 2]


def test_gradients_of_repeated_words_add_up():
    rows = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    ids, lengths = torch.tensor([0, 2, 0, 0]), torch.tensor([3, 1])
    pack(rows, ids, torch.tensor([0, 3]), lengths).words.sum().backward()
    np.testing.assert_array_equal(rows.grad[:, 0], [3, 0, 1])
