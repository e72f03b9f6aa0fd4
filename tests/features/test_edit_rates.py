from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from skpara.features._edit_rates import translation_edit_rates

# Few words, so that they come again and much can be shifted.
sentences = st.lists(st.integers(0, 7), max_size=12)


def sacrebleu_rate(hypothesis, reference):
    edits, length = translation_edit_rate(list(map(str, hypothesis)), list(map(str, reference)))
    return edits / length if length else float(edits > 0)


def rates(pairs):
    return translation_edit_rates(
        *(["".join(map(chr, side)) for side in x] for x in zip(*pairs, strict=True))
    )


@settings(max_examples=300)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8))
def test_rates_are_those_of_sacrebleu(pairs):
    assert rates(pairs).tolist() == [sacrebleu_rate(*pair) for pair in pairs]


def test_longer_sentences():
    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(60):
        words = rng.integers(0, 15, rng.integers(10, 25))
        cuts = np.sort(rng.integers(0, len(words), 3))
        parts = np.split(words, cuts)
        other = np.concatenate([parts[k] for k in rng.permutation(4)])
        pairs.append((words.tolist(), other[rng.random(len(other)) > 0.1].tolist()))
    assert rates(pairs).tolist() == [sacrebleu_rate(*pair) for pair in pairs]


def test_a_shift_is_one_edit():
    assert rates([([3, 4, 5, 1, 2], [1, 2, 3, 4, 5])]) == [0.2]
    assert rates([([1, 2], []), ([], [1, 2]), ([], [])]).tolist() == [1.0, 1.0, 0.0]


def test_very_long_sentences_are_edited_without_shifts():
    words = np.arange(3000)
    assert rates([(np.roll(words, 1), words)]) == pytest.approx([2 / 3000])
