from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures


def compute(*pairs):
    return LexicalFeatures("quantities").fit_transform(pairs).tolist()


def test_the_same_amounts_in_other_words_agree():
    assert compute(
        ("Two dogs.", "2 dogs."),
        ("It rose 5%, to $3 million", "Up five percent to three million dollars"),
        ("On May 31, 2012", "on 2012-05-31"),
        ("No number", "none here either"),
        ("Two dogs", "dogs"),
        ("1 or 2", "2 or 3 or 4"),
    ) == [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 1, 1, 1],
        [pytest.approx(0.4), 1, 1, 1],
    ]


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4))
def test_any_text(pairs):
    found = np.array(compute(*pairs))
    assert ((found >= 0) & (found <= 1)).all()
    assert found.tolist() == compute(*[pair[::-1] for pair in pairs])
