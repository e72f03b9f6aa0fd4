from __future__ import annotations

import math

import numpy as np

from skpara import LexicalFeatures
from skpara.resources import WordFrequencies


def compute(*pairs):
    frequencies = WordFrequencies({"the": 80, "dog": 15, "barks": 5})
    return LexicalFeatures("lengths", frequencies=frequencies).fit_transform(pairs)


def test_by_hand():
    # Content words: dog dog barks against dog; "the" is a stop word and has least information.
    excess = math.log(100 / 15) - math.log(100 / 80), math.log(100 / 5) - math.log(100 / 80)
    sums = 2 * excess[0] + excess[1], excess[0]
    expected = [2 / 3.00001, (sums[0] - sums[1]) / (sums[0] + 1e-5), math.log(1 + 4 + 2), 3 / 5]
    found = compute(("The dog, dog barks", "the dog"), ("the dog", "The dog, dog barks"))
    np.testing.assert_allclose(found, [expected] * 2, rtol=1e-12)


def test_empty_sides():
    assert compute(("", ""), ("", "xyzzy ?")).tolist() == [
        [0.0, 0.0, 0.0, 1.0],
        # "?" is a word, in TakeLab's sense; neither is in the table
        [2 / 2.00001, 0.0, math.log(3), 1 / 3],
    ]
