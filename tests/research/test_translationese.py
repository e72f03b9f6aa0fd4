"""The statistics of tables 9 and 10, by hand."""

from __future__ import annotations

import math
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

from skpara.augment import Paraphrases

SCRIPT = run_path(str(Path(__file__).parents[2] / "examples" / "papers" / "translationese.py"))
FREQUENCIES = {"the": 6, "cat": 3, "sees": 1}


def test_entropy():
    # the 2/4, cat 1/4, dog 1/4: 1/2 + 1/4 * 2 + 1/4 * 2 bits; pairs: two of one kind.
    assert SCRIPT["ngram_entropy"](["the cat", "the dog"]) == 1.5
    assert SCRIPT["ngram_entropy"](["the cat", "the dog"], 2) == 1.0
    assert SCRIPT["ngram_entropy"](["the cat", "the cat"], 2) == 0.0
    assert SCRIPT["ngram_entropy"](["the cat"], 3) == 0.0


def test_repetition():
    sentences = ["the cat sees the cat", "a a a a", "", "the cat"]
    # Five words, three different; words of one letter do not count.
    np.testing.assert_allclose(SCRIPT["repetition_rates"](sentences), [2 / 5, 0, 0, 0])
    # the cat, cat sees, sees the, the cat; a a three times.
    np.testing.assert_allclose(SCRIPT["repetition_rates"](sentences, 2), [1 / 4, 2 / 3, 0, 0])


def test_rarity():
    rarest = math.log(10)  # "sees", one of ten
    information = SCRIPT["mean_idf"](
        ["The cat!", "the the", "the kvass", "", "?"], frequencies=FREQUENCIES
    )
    expected = [
        (math.log(10 / 6) + math.log(10 / 3)) / 2,
        math.log(10 / 6),
        (math.log(10 / 6) + rarest) / 2,  # what the table lacks is as rare as its rarest word
        0,
        0,
    ]
    np.testing.assert_allclose(information, expected)


def test_differences_and_correlations():
    references = ["the cat sees the cat", "the cat sees the cat", "sees sees", "the cat"]
    translations = ["the cat", "the cat sees", "cat cat cat", "the the cat cat"]
    pairs = np.array([references, translations], dtype=object).T
    no_costs = np.full(4, np.nan)
    paraphrases = Paraphrases(pairs, np.arange(4), no_costs, np.zeros(4, dtype=np.intp))
    found = SCRIPT["compare_translations"](
        paraphrases, [0.1, 0.2, 0.3, 0.4], frequencies=FREQUENCIES
    )
    assert found.length == pytest.approx((5 + 5 + 2 + 2) / 4 - (2 + 3 + 3 + 4) / 4)
    assert found.unigram_repetition == pytest.approx(
        (2 / 5 + 2 / 5 + 1 / 2 + 0) / 4 - (0 + 0 + 2 / 3 + 1 / 2) / 4
    )
    # Ranks of the lengths 2, 3, 3, 4 are 1, 2.5, 2.5, 4.
    assert found.correlations.length == pytest.approx(
        np.corrcoef([1, 2, 3, 4], [1, 2.5, 2.5, 4])[0, 1]
    )
    assert math.isnan(found.correlations.trigram_repetition)  # no trigram occurs twice
