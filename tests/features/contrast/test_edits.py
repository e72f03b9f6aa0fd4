from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skpara.features.contrast._comparison import Edits

WORDS = st.lists(st.sampled_from("abcde"), max_size=8)
PHRASES = st.integers(1, 4)


@given(WORDS, WORDS)
def test_words_are_replaced_in_the_same_places_in_either_order(first, second):
    found = Edits(first, second).replaced()
    assert sorted(found) == sorted((i, j) for j, i in Edits(second, first).replaced())
    assert all(first[i] != second[j] for i, j in found)
    for places in zip(*found, strict=True):
        assert len(set(places)) == len(places)


@given(PHRASES, st.integers(0, 5), PHRASES, st.integers(0, 3), st.integers(0, 3))
def test_exchanged_phrases_of_distinct_words_are_found(n_before, n_between, n_after, start, end):
    words = list(range(start + n_before + n_between + n_after + end))
    a, b = start + n_before, start + n_before + n_between
    c = b + n_after
    phrases = words[start:a], words[a:b], words[b:c]
    second = [*words[:start], *phrases[2], *phrases[1], *phrases[0], *words[c:]]
    exchange = Edits(words, second).exchange()
    assert (exchange.before, exchange.between, exchange.after) == phrases
    assert [second[k] for k in exchange.exchanged] == [*phrases[2], *phrases[0]]


@given(WORDS)
def test_equal_lists_have_no_edits(words):
    assert Edits(words, words).replaced() == []
    assert Edits(words, words).exchange() is None


@given(WORDS, WORDS)
def test_what_is_exchanged_has_the_same_words(first, second):
    exchange = Edits(first, second).exchange()
    assert (exchange is None) or sorted(first) == sorted(second)
    if exchange is not None:
        moved = [*first]
        for place, k in zip(exchange.exchanged, exchange.after + exchange.before, strict=True):
            moved[place] = first[k]
        n = len(exchange.after)
        for place, k in enumerate(exchange.between, exchange.before[0] + n):
            moved[place] = first[k]
        assert moved == second
