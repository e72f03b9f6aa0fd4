from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance
from rapidfuzz import fuzz

from skpara import LexicalFeatures

WORDS = st.lists(st.sampled_from(["cat", "dog", "sat", "on", "the"]), max_size=8)


def compute(*pairs):
    return LexicalFeatures("strings").fit_transform(pairs)


def slow_lcs(first, second):
    table = np.zeros((len(first) + 1, len(second) + 1), dtype=int)
    for i, a in enumerate(first, 1):
        for j, b in enumerate(second, 1):
            same = table[i - 1, j - 1] + 1
            table[i, j] = same if a == b else max(table[i - 1, j], table[i, j - 1])
    return table[-1, -1]


def slow_run(first, second):
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.find_longest_match(0, len(first), 0, len(second)).size


def reference(first, second):
    if not first or not second:
        return [0.0] * 7
    words = first.split(), second.split()
    longer = max(map(len, words))
    return [
        1 - edit_distance(*words) / longer,
        1 - edit_distance(first, second) / max(len(first), len(second)),
        slow_lcs(*words) / longer,
        slow_lcs(first, second) / max(len(first), len(second)),
        slow_run(*words) / longer,
        fuzz.token_sort_ratio(first, second) / 100,
        fuzz.token_set_ratio(first, second) / 100,
    ]


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_values_are_those_of_nltk_and_rapidfuzz(pairs):
    texts = [(" ".join(a), " ".join(b)) for a, b in pairs]
    expected = [reference(*pair) for pair in texts]
    np.testing.assert_allclose(compute(*texts), expected, atol=1e-6)
    np.testing.assert_allclose(compute(*[t[::-1] for t in texts]), expected, atol=1e-6)


def test_case_and_white_space_do_not_matter():
    assert compute(("A  cat\tsat", "a cat SAT"))[0].tolist() == pytest.approx([1] * 7)
