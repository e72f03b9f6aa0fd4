"""Warnings are rare, say what to do, and point at the line of the user's code."""

from __future__ import annotations

import re
import warnings

import pytest

from skpara._messages import warn
from skpara.augment import TranslateToEnglish
from skpara.metrics import pearson_score


def constant():
    pearson_score([1, 2, 3], [1, 1, 1])


def no_translator():
    sentences = ["The dog is in the garden of the house.", "Der Hund ist im Garten des Hauses."]
    TranslateToEnglish(translators={}, languages=["en", "de"]).transform(sentences)


def direct():
    warn("a test")


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        (constant, "constant, so the correlation is undefined; 0.0 is returned"),
        (no_translator, "pass a translator for each of these languages"),
        (direct, "a test"),
    ],
)
def test_a_warning_points_here_and_says_what_to_do(cause, message):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cause()
    [warning] = caught
    assert re.search(message, str(warning.message))
    assert warning.filename == __file__
