"""Documents, and text in other languages: what is warned of, and what is not."""

from __future__ import annotations

import warnings

import pytest

from skpara.resources import are_foreign, warn_of_text

GERMAN = "Der Zug nach Bonn verkehrt leider nur in Richtung Norden."
ENGLISH = "The train to Bonn runs only in the direction of the north."


def kinds_of_warnings(sentences, known=()):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_text(sentences, known)
    messages = [str(warning.message) for warning in caught]
    kinds = {"Some text has more than 6,000": "document", "Most words of this": "language"}
    return {kind for start, kind in kinds.items() for text in messages if text.startswith(start)}


def words(n, n_unknown):
    """One sentence of ``n`` words, of which English lacks some."""
    return " ".join(["river"] * (n - n_unknown) + ["Xqzrat"] * n_unknown)


def test_a_document_is_longer_than_6000_characters():
    assert kinds_of_warnings(["the " * 1500]) == set()
    assert kinds_of_warnings(["It rains.", "the " * 1500 + "s"]) == {"document"}
    assert kinds_of_warnings([]) == set()


# Words of a sentence, and how many of them must be unknown for it to be in another language. One
# sentence of a few words may well be two names, so a warning needs more.
@pytest.mark.parametrize(
    ("n", "least", "least_of_warning"), [(4, 2, 3), (6, 2, 4), (8, 2, 4), (10, 3, 5), (24, 5, 9)]
)
def test_text_is_foreign_from_a_share_of_unknown_words_on(n, least, least_of_warning):
    found = are_foreign([words(n, n_unknown) for n_unknown in range(n + 1)])
    assert found.tolist() == [n_unknown >= least for n_unknown in range(n + 1)]
    for n_unknown in range(n + 1):
        warned = kinds_of_warnings([words(n, n_unknown)])
        assert warned == ({"language"} if n_unknown >= least_of_warning else set())


def test_each_sentence_is_judged_by_its_own_words():
    assert are_foreign([ENGLISH, GERMAN, "", "12 %", ENGLISH]).tolist() == [0, 1, 0, 0, 0]
    assert are_foreign([]).tolist() == []
    # A thousand characters are read.
    assert not are_foreign(["river " * 167 + GERMAN * 20]).any()


def test_a_word_of_another_script_counts_as_a_sentence():
    assert kinds_of_warnings(["мост"]) == {"language"}
    assert kinds_of_warnings(["most"]) == kinds_of_warnings(["Xqzrat"]) == set()


def test_words_that_a_model_was_trained_on_are_no_warning():
    known = {word.lower() for word in GERMAN.rstrip(".").split()}
    assert kinds_of_warnings([GERMAN] * 3) == {"language"}
    assert kinds_of_warnings([GERMAN] * 3, known) == set()


def test_sixty_sentences_at_most_are_looked_at_from_all_parts():
    for n, step in ((60, 1), (61, 2), (120, 2), (121, 3)):
        sentences = [ENGLISH] * n
        sentences[::step] = [GERMAN] * len(sentences[::step])
        assert kinds_of_warnings(sentences) == {"language"}
        if step > 1:
            assert kinds_of_warnings([*sentences[1:], ENGLISH]) == set()


@pytest.mark.parametrize(("n_common", "warned"), [(1, True), (2, False)])
def test_a_fifth_of_function_words_is_english_whatever_the_others_are(n_common, warned):
    sentence = " ".join(["the"] * n_common + ["Xqzrat"] * (10 - n_common))
    assert kinds_of_warnings([sentence]) == ({"language"} if warned else set())
