"""WordNet agrees with nltk's reader of the same files."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara._core import Ragged, list_kernels, offsets_of

WORDS = """
dog cat run ran running runs geese goose blue better best well good goods men women boxes churches
wolf wolves entity thing be is was been quickly happily adj noun verb london paris einstein river
bank banks money water ocean ice_cream new_york saw seen see left leaves leaf axes axis data datum
kick kicked kicking study studies studied happier unhappiest fish fishes fishing physics politics
mother father child children red redder reddest zoom xyzzy qwerty 's u.s. n't 2 22 hood a i it he
""".split()


def by_nltk(reader, first, second):
    if first == second:
        return 1.0
    found = [
        a.path_similarity(b) or 0.0 for a in reader.synsets(first) for b in reader.synsets(second)
    ]
    return max(found, default=0.0)


@pytest.fixture(scope="module")
def lemmas(wordnet_reader):
    """All lemmas of WordNet, by part of speech."""
    return {pos: sorted(wordnet_reader.all_lemma_names(pos)) for pos in "nvar"}


@pytest.mark.slow
def test_similarities_are_those_of_nltk(wordnet, wordnet_reader):
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, len(WORDS), size=(2, 150))
    found = wordnet.similarities(WORDS, left, right)
    expected = [
        by_nltk(wordnet_reader, WORDS[i], WORDS[j]) for i, j in zip(left, right, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@given(st.data())
@settings(max_examples=10)
def test_similarities_of_any_words_are_those_of_nltk(wordnet, wordnet_reader, lemmas, data):
    verbs = data.draw(st.lists(st.sampled_from(lemmas["v"]), min_size=2, max_size=4))
    nouns = data.draw(st.lists(st.sampled_from(lemmas["n"][::7]), max_size=3))
    words = [*verbs, *nouns]
    left, right = np.triu_indices(len(words))
    found = wordnet.similarities(words, left, right)
    expected = [
        by_nltk(wordnet_reader, words[i], words[j]) for i, j in zip(left, right, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(wordnet.similarities(words, right, left), found)


def test_base_forms_are_those_of_nltk(wordnet, wordnet_reader):
    for word in WORDS:
        for pos in "nvar":
            assert wordnet.base_forms(word, pos) == wordnet_reader._morphy(word, pos)
            assert wordnet.lemma(word, pos) == (wordnet_reader.morphy(word, pos) or word)


def test_the_size_of_a_batch_does_not_matter(wordnet, lemmas):
    rng = np.random.default_rng(0)
    words = lemmas["n"][::90]
    left, right = rng.integers(0, len(words), size=(2, 3000))
    together = wordnet.similarities(words, left, right)
    for i in range(0, 3000, 500):
        alone = wordnet.similarities([words[left[i]], words[right[i]]], [0], [1])
        assert alone[0] == together[i]


@pytest.mark.parametrize("longest", [3, 80])
def test_means_are_those_of_the_most_similar_words(wordnet, lemmas, longest):
    rng = np.random.default_rng(longest)
    words = [*WORDS, *lemmas["n"][::400], *lemmas["v"][::300], *lemmas["a"][::300]]
    words = list(dict.fromkeys(words))
    lengths = rng.integers(0, longest, size=60)
    lists = Ragged(rng.integers(0, len(words), size=lengths.sum()), offsets_of(lengths))
    sides = np.arange(0, 40), np.arange(20, 60)
    means = wordnet.mean_similarities(words, lists, sides)
    for pair, first, second in lists.pairs(sides):
        left, right = np.repeat(first, len(second)), np.tile(second, len(first))
        grid = wordnet.similarities(words, left, right).reshape(len(first), len(second))
        for axis, side in enumerate((first, second)):
            largest = grid.max(axis=1 - axis, initial=0).tolist()
            assert means[axis, pair] == (sum(largest) / len(side) if side else 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: np.array([0, 2])}, "an id is outside the table"),
        ({4: np.array([0, 3])}, "an id is outside the table"),
        ({5: np.array([0, 1, 3])}, "offsets are outside the items"),
        ({6: np.array([3], dtype=np.int32)}, "an id is outside the table"),
        ({7: np.array([0, 2, 2, 2])}, "offsets are outside the items"),
        ({9: np.zeros(1)}, "an output is too small"),
    ],
)
def test_wrong_arrays_of_senses_are_refused(changes, message):
    # Sense 0 of the first word is below sense 1, the second word's.
    means = np.zeros((2, 1))
    arguments = [np.array([0, 1]), np.array([0, 1, 2]), np.array([0]), np.array([1])]
    arguments += [np.array([0, 1]), np.array([0, 1, 2])]
    arguments += [np.array([1], dtype=np.int32), np.array([0, 1, 1, 1]), 3, means]
    list_kernels.path_similarities(*arguments)
    assert means.tolist() == [[0.5], [0.5]]
    for position, value in changes.items():
        arguments[position] = value
    with pytest.raises(ValueError, match=message):
        list_kernels.path_similarities(*arguments)


def test_unknown_words_and_no_words(wordnet):
    assert wordnet.similarities(["xyzzy", "dog"], [0, 0, 1], [1, 0, 0]).tolist() == [0, 1, 0]
    assert wordnet.similarities([], [], []).shape == (0,)
    assert wordnet.similarities(["xyzzy", "yzzyx"], [0], [1]).tolist() == [0]
    assert wordnet.similarities(["xyzzy", "xyzzy"], [0], [1]).tolist() == [1]


def test_synonyms_share_senses(wordnet):
    assert wordnet.senses("cars") & wordnet.senses("automobile")
    assert wordnet.senses("car").isdisjoint(wordnet.senses("bicycle"))
    assert wordnet.senses("xyzzy") == frozenset()


def test_a_pickle_has_no_data(wordnet):
    packed = pickle.dumps(wordnet)
    assert len(packed) < 100
    assert pickle.loads(packed).similarities(["dog", "cat"], [0], [1])[0] == pytest.approx(0.2)


def test_every_word_of_wordnet_is_known(wordnet, lemmas):
    for pos, names in lemmas.items():
        words = [name.lower() for name in names[::5]]
        assert all(word in wordnet.base_forms(word, pos) for word in words)
        assert not wordnet.base_forms("xyzzyq", pos)


@pytest.mark.slow
def test_antonyms_are_those_of_nltk(wordnet, wordnet_reader, lemmas):
    expected = {}
    for pos, part in zip("nvar", ("noun", "verb", "adj", "adv"), strict=True):
        # Other lines have no pointer to an antonym; nltk takes long to read all of them.
        lines = [line for line in wordnet_reader.open(f"data.{part}") if " ! " in line]
        for line in lines:
            for lemma in wordnet_reader.synset_from_pos_and_offset(pos, int(line[:8])).lemmas():
                for antonym in lemma.antonyms():
                    expected.setdefault(lemma.name().lower(), set()).add(antonym.name().lower())
    assert len(expected) > 6000
    assert {word: wordnet.antonyms(word) for word in expected} == expected
    without = [word for pos in lemmas for word in lemmas[pos] if word not in expected]
    assert not any(map(wordnet.antonyms, without[::10]))
    assert wordnet.antonyms("xyzzy") == frozenset()


def test_some_antonyms(wordnet):
    assert wordnet.antonyms("hot") == {"cold"}
    assert wordnet.antonyms("increase") >= {"decrease"}
    assert wordnet.antonyms("guitar") == frozenset()


def test_a_word_is_below_what_is_above_it(wordnet):
    words = ["poodle", "dog", "animal", "entity", "red", "color", "sprint", "run", "move", "xyzzy"]
    above = {word: wordnet.ancestors(word) for word in words}
    for word in words:
        below = wordnet.descendants(word)
        assert wordnet.senses(word) <= below & above[word] if word != "xyzzy" else not below
        for other in words:
            is_below = not below.isdisjoint(wordnet.senses(other))
            assert is_below == (not wordnet.senses(word).isdisjoint(above[other])), (word, other)
    assert wordnet.senses("entity") <= above["poodle"]
    assert wordnet.senses("poodle") <= wordnet.descendants("entity")
    assert wordnet.senses("poodle").isdisjoint(above["color"])
