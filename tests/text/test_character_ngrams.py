from __future__ import annotations

import pickle
from collections import Counter
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.text import CharacterNgrams, normalize

TEXT = st.text(alphabet="ab c\n\N{LATIN SMALL LETTER E WITH ACUTE}e\u0301\U0001f600D", max_size=12)


def by_hand(sentence, shortest, longest):
    words = normalize(sentence).split()
    if not words:
        return []
    text, lengths = f" {' '.join(words)} ", range(shortest, longest + 1)
    return [text[i : i + n] for i in range(len(text)) for n in lengths if i + n <= len(text)]


TEXTS = st.lists(TEXT, max_size=5)


@given(TEXTS, TEXTS, st.integers(1, 3), st.integers(0, 5))
def test_ids_are_those_of_plain_python(learned, sentences, shortest, more):
    span = (shortest, shortest + more)
    index = CharacterNgrams.learn(learned, span)
    counts = Counter(g for sentence in learned for g in by_hand(sentence, *span))
    assert index.words == sorted(counts, key=lambda g: (-counts[g], g))
    found = index.token_ids(sentences)
    assert len(found) == len(sentences)
    for sentence, ids in zip(sentences, np.split(found.ids, found.offsets[1:]), strict=False):
        expected = [g for g in by_hand(sentence, *span) if g in counts]
        assert [index.words[i] for i in ids] == expected


def test_every_ngram_is_found_whatever_the_others_are():
    pairs = [a + b for a in ascii_lowercase for b in ascii_lowercase]
    for seed in range(300):  # in some tables, several want the place of the first one
        ngrams = np.random.default_rng(seed).choice(pairs, size=60, replace=False).tolist()
        found = CharacterNgrams(ngrams, (2, 2)).token_ids(ngrams)
        of_each = np.split(found.ids, found.offsets[1:-1])
        assert all(number in ids for number, ids in enumerate(of_each))


def test_many_sentences_at_once():
    rng = np.random.default_rng(0)
    sentences = ["".join(rng.choice(list("abcd  "), size=20)) for _ in range(5000)]
    index = CharacterNgrams.learn(sentences[:300], (2, 4))
    found = index.token_ids(sentences)
    assert len(found) == 5000
    alone = [index.token_ids([sentence]).ids for sentence in sentences[-50:]]
    np.testing.assert_array_equal(np.concatenate(alone), found.ids[found.offsets[-51] :])


def test_rare_ngrams_are_left_out():
    index = CharacterNgrams.learn(["ab", "ab", "cd"], (2, 2), min_count=2)
    assert index.words == [" a", "ab", "b "]
    assert "ab" in index
    assert "cd" not in index
    assert len(index) == 3


def test_case_apostrophes_and_white_space_do_not_matter():
    index = CharacterNgrams.learn(["don't  go"])
    first, second = (index.token_ids([s]).ids.tolist() for s in ("don't go", " DON\u2019T\ngo "))
    assert first == second
    assert len(first) > 10


def test_ngrams_with_the_rarest_characters_are_left_out():
    characters = [chr(0x4E00 + i) for i in range(300)]
    index = CharacterNgrams.learn(["".join(characters[:200])] * 2 + ["".join(characters)], (8, 8))
    assert all(set(ngram) <= {*characters[:255], " "} for ngram in index.words)
    assert "".join(characters[10:18]) in index


@pytest.mark.parametrize(("length", "capacity"), [(5, 4095), (6, 1023), (7, 511), (8, 255)])
def test_as_many_characters_as_fit_into_64_bits(length, capacity):
    text = "".join(chr(0x4E00 + i) for i in range(capacity))
    ngrams = [text[i : i + length] for i in range(capacity - length + 1)]
    # The first characters have the smallest digits, the last ones the largest.
    ids = CharacterNgrams(ngrams, (length, length)).token_ids([text[:20], text[-20:]]).ids
    n = 20 - length + 1
    assert ids.tolist() == [*range(n), *range(len(ngrams) - n, len(ngrams))]
    with pytest.raises(ValueError, match=f"{capacity} different"):
        CharacterNgrams([*ngrams, "\u3400" * length], (length, length))


def test_a_pickle_has_the_same_ids():
    index = CharacterNgrams.learn(["a dog", "the dog"])
    again = pickle.loads(pickle.dumps(index))
    assert again.words == index.words
    assert again.token_ids(["dog"]).ids.tolist() == index.token_ids(["dog"]).ids.tolist()


@pytest.mark.parametrize("span", [(0, 2), (3, 2), (2, 9)])
def test_an_invalid_range_is_refused(span):
    with pytest.raises(ValueError, match="ngram_range"):
        CharacterNgrams.learn(["a"], span)


def test_ngrams_must_be_distinct_and_in_range():
    with pytest.raises(ValueError, match="twice"):
        CharacterNgrams(["ab", "ab"])
    with pytest.raises(ValueError, match="2 to 4"):
        CharacterNgrams(["abcde"])
