from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.nist_score import sentence_nist
from sacrebleu.metrics import BLEU, CHRF, TER

from skpara.features._batch import Knowledge, PairBatch
from skpara.features.families._translation import FAMILY

PAIRS = [
    ("The cat sat on the mat.", "On the mat sat the cat, a cat."),
    ("A man is playing a guitar", "A man is playing a guitar"),
    ("Shares fell 5% in New York", "Prices in Paris rose"),
    ("Hello", "Goodbye then"),
    ("the the the the", "the cat"),
    ("Ünïcödé wörds 你好", "你好 wörds"),
]
words = st.lists(st.sampled_from(["cat", "dog", "sat", "on", "the", "mat", "."]), max_size=9)


def compute(pairs):
    return FAMILY.compute(PairBatch(np.array(pairs, dtype=object), Knowledge()))


def both_ways(measure, first, second):
    return (measure(first, second) + measure(second, first)) / 2


def nist(hypothesis, reference):
    # nltk divides by zero where the sentence is shorter than n.
    n = min(5, len(hypothesis))
    return sentence_nist([reference], hypothesis, n) if n and reference else 0.0


def reference(batch, i):
    tokens = [[t.lower() for t in batch.takelab.tokens[k]] for k in batch.takelab.pairs[i]]
    texts = [" ".join(side) for side in tokens]
    raw = [batch.sentences[k[i]] for k in (batch.left, batch.right)]
    bleu, ter = BLEU(effective_order=True, tokenize="none"), TER(case_sensitive=True)
    chrf = CHRF(lowercase=True)
    return [
        both_ways(lambda a, b: bleu.sentence_score(a, [b]).score / 100, *texts),
        both_ways(lambda a, b: chrf.sentence_score(a, [b]).score / 100, *raw),
        both_ways(nist, *tokens),
        both_ways(lambda a, b: ter.sentence_score(a, [b]).score / 100, *texts),
    ]


def check(pairs):
    batch = PairBatch(np.array(pairs, dtype=object), Knowledge())
    expected = [reference(batch, i) for i in range(len(pairs))]
    np.testing.assert_allclose(FAMILY.compute(batch), expected, atol=1e-9)


def test_values_are_those_of_sacrebleu_and_nltk():
    check(PAIRS)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_values_of_any_pairs(pairs):
    check([(" ".join(a), " ".join(b)) for a, b in pairs])


def test_empty_sides():
    found = compute([("", ""), ("", "a cat"), ("a cat", "")])
    assert found[:, :3].tolist() == [[0.0] * 3] * 3
    assert found[:, 3].tolist() == [0.0, 1.0, 1.0]


def test_symmetric():
    swapped = [(b, a) for a, b in PAIRS]
    np.testing.assert_allclose(compute(PAIRS), compute(swapped), atol=1e-12)
    assert compute(PAIRS)[1] == pytest.approx([1, 1, np.log2(6) - 1 / 3 + 2 / 5, 0])
