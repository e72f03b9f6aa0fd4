"""Text that looks the same is the same, for everything that compares text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import (
    Deduplicator,
    LexicalFeatures,
    ParagramEncoder,
    TableMatcher,
    check_pairs,
    load_pair_classifier,
)
from skpara.text import tokenize

SAME = [
    ("the d\u00ado\u200bg\ufeff", "the dog"),
    ("\uff34\uff48\uff45 \uff11\uff10\uff0e\uff15", "The 10.5"),
    ("o\ufb03ce \ufb01rst", "office first"),
    ("\U0001d413\U0001d421\U0001d41e", "The"),
    ("\u2764\ufe0f", "\u2764"),
    ("5 \u338f", "5 kg"),
    ("cafe\u0301", "caf\u00e9"),
    ("\u202eabc\u202c", "abc"),
]
# The last one has a joiner within a word of Persian.
OTHER = ["10\u00b2", "1\u00bd", "\u2460", "\u2122", "\u2026", "H\u2082O", "\U0001f44d\U0001f3fd"]
OTHER += ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"]

PLAIN = ["The first office is open.", "A dog runs home fast.", "Peter paid 12 dollars."]
ODD = ["The \ufb01rst of\u00adfice is open.", "A dog\u200b runs \uff48\uff4f\uff4d\uff45 fast."]
ODD += ["\ufeffPeter paid \uff11\uff12 dollars."]


@pytest.mark.parametrize(("text", "same"), SAME)
def test_what_looks_the_same_is_the_same_text(text, same):
    assert check_pairs([(text, same)]).tolist() == [[same, same]]
    assert tokenize(text) == tokenize(same)


@pytest.mark.parametrize("text", OTHER)
def test_what_means_something_stays(text):
    assert check_pairs([(text, "rain")]).tolist() == [[text, "rain"]]


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_the_normal_form_of_a_normal_form_is_itself(text):
    [[once, _]] = check_pairs([(text, "rain")])
    assert check_pairs([(once, "rain")])[0][0] == once


@pytest.mark.parametrize(
    "values",
    [
        lambda texts: ParagramEncoder().encode(texts),
        lambda texts: (
            LexicalFeatures()
            .fit(list(zip(PLAIN, PLAIN, strict=True)))
            .transform(list(zip(texts, PLAIN, strict=True)))
        ),
        lambda texts: load_pair_classifier().predict_proba(list(zip(texts, PLAIN, strict=True))),
        lambda texts: TableMatcher(threshold=0).fit(PLAIN).match(texts)["probability"],
        lambda texts: TableMatcher(kind="names").fit(PLAIN).match(texts)["probability"],
        lambda texts: TableMatcher().join(
            {"a": texts, "b": ["x", "y", "z"]}, {"a": PLAIN, "b": ["x", "y", "z"]}, on=["a", "b"]
        )["probability"],
    ],
    ids=["encoder", "features", "classifier", "sentences", "names", "records"],
)
def test_everything_reads_the_normal_form(values):
    np.testing.assert_array_equal(values(ODD), values(PLAIN))


@pytest.mark.parametrize("kind", ["sentences", "names"])
def test_duplicates_that_look_the_same_are_found(kind):
    labels = Deduplicator(kind=kind).fit([*PLAIN, *ODD]).labels_
    assert labels.tolist() == [0, 1, 2, 0, 1, 2]
