"""Texts with typing errors, read as they may be meant."""

from __future__ import annotations

import pytest

from skpara.matching import readings


def read(*texts):
    return [(x.row, x.text, set(x.words)) for x in readings(range(len(texts)), texts)]


def test_a_typing_error_is_read_as_each_word_that_it_may_stand_for():
    found = read("The book is in the library.", "The book is adress'd to him!")
    assert found == [
        (1, "The book is address'd to him!", {"address"}),
        (1, "The book is dress'd to him!", {"dress"}),
    ]


def test_two_typing_errors_are_read_alone_and_together_and_three_are_not():
    assert {text for _, text, _ in read("She borowed a book from the libary.")} == {
        "She borrowed a book from the libary.",
        "She borowed a book from the library.",
        "She borrowed a book from the library.",
    }
    assert read("She borowed a book from the libary becuase it rained.") == []


@pytest.mark.parametrize(
    "text",
    [
        "It wasn't a good day for us.",
        "They couldn’t find the way home.",
        "The dogs' owners aren't at home.",
        "I met Smyth in the old town.",  # a capital letter: a name
        "wasn couldn",  # too few other words
    ],
)
def test_right_words_names_and_short_texts_have_no_other_reading(text):
    assert read(text) == []


def test_each_text_is_read_as_if_it_were_alone():
    texts = ["Dogs ran home yesterdy.", "Cats ran home yesterdy.", "Cats ran home yesterday."]
    assert [x[1:] for x in read(*texts)] == [x[1:] for text in texts for x in read(text)]
    assert len(read(*texts)) == 2
