"""What people see of an explanation: all of its text, and all of its HTML."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from skpara.explanation import Explanation
from skpara.explanation._explanation import Match, Word

EXPLANATION = Explanation(
    pair=("The tiny dog barks.", "A small dog <sleeps>."),
    score=3.25,
    baseline=2.0,
    names=("union__align_f", "len_sum", "edit_words", "paragram_similarity", "other__x", "zero"),
    values=np.array([0.5, 9.0, 0.25, 0.75, 3.0, 1.0]),
    contributions=np.array([1.0, -0.5, 0.0, 0.65, 0.1, 0.0]),
    words=(
        (
            Word("The", 1.0, 0.5, False), Word("tiny", 8.0, 2.0, True),
            Word("dog", 6.0, 2.0, True), Word("barks", 9.0, 2.0, True), Word(".", 0, 1, False),
        ),
        (
            Word("A", 1.0, 0.5, False), Word("small", 7.0, 2.0, True),
            Word("dog", 6.0, 2.0, True), Word("<sleeps>", 9.0, 2.0, True), Word(".", 0, 1, False),
        ),
    ),
    matches=(Match(1, 1, 0.625, "synonym"), Match(2, 2, 1.0, "same")),
)  # fmt: skip
TEXT = """\
The tiny dog barks.
A small dog <sleeps>.

score 3.25 = baseline 2.00 +1.25

 +1.000  words in common           ++++++++++++++++++++  align_f 0.50
 +0.650  meaning of the sentences  +++++++++++++         paragram_similarity 0.75
 -0.500  length                    ----------            len_sum 9.00
 +0.100  other                     ++                    x 3.00

words that match
tiny ~ small  0.62 synonym
 dog ~ dog    1.00 same
only in the first: barks
only in the second: <sleeps>"""


def test_text():
    assert str(EXPLANATION) == TEXT


def test_notes_between_score_and_features():
    noted = replace(
        EXPLANATION, score=3.0, probability=0.953, interval=(2.5, 3.5), coverage=0.8, novelty=0.75
    )
    notes = [
        "score 3.00 = baseline 2.00 +1.25, clipped from 3.25",
        "probability 0.95 (the score is its log odds)",
        "80 % interval 2.50 to 3.50",
        "unlike the text that the model has learned from: 0.75",
        "",
    ]
    assert str(noted).splitlines()[3:8] == notes
    html = noted.to_html()
    assert re.findall("<div class='skpara-alarm'>(.*?)</div>", html) == notes[1:4]
    assert "<b>3.00</b><span class='skpara-note'>= baseline 2.00 +1.25, clipped from 3.25" in html


@pytest.mark.parametrize(
    ("score", "clipped"), [(3.25, False), (3.2535, True), (3.2531, False), (3.246, True)]
)
def test_a_score_is_clipped_if_it_differs_by_a_thousandth(score, clipped):
    assert replace(EXPLANATION, score=score).clipped is clipped


def test_small_scores_are_clipped_by_a_thousandth_of_one():
    small = replace(EXPLANATION, baseline=-1.25, score=0.0009)  # the parts add up to zero
    assert not small.clipped
    assert replace(small, score=0.0011).clipped


def test_nothing_to_show():
    nothing = replace(EXPLANATION, contributions=np.zeros(6), matches=(), words=((), ()))
    assert str(nothing).splitlines()[-2:] == ["", "no feature moved the score"]
    assert "<div class='skpara-note'>no feature moved the score</div>" in nothing.to_html()
    assert "<p>The tiny dog barks.</p><p>A small dog &lt;sleeps&gt;.</p>" in nothing.to_html()
    unmatched = replace(EXPLANATION, matches=())
    assert str(unmatched).splitlines()[-3:] == [
        "no words match",
        "only in the first: tiny, dog, barks",
        "only in the second: small, dog, <sleeps>",
    ]


def test_html_has_a_colour_for_each_match_and_a_bar_for_each_group():
    html = EXPLANATION.to_html()
    first, second = re.findall("<p>(.*?)</p>", html)
    dog = "<span style='background:hsla(150,65%,50%,.28)' title='same, 1.00'>dog</span>"
    tiny = "<span style='background:hsla(210,65%,50%,.28)' title='synonym, 0.62'>{}</span>"
    assert first == " ".join(
        ["<span class='minor'>The</span>", tiny.format("tiny"), dog,
         "<span class='only'>barks</span>", "<span class='minor'>.</span>"]
    )  # fmt: skip
    assert second == " ".join(
        ["<span class='minor'>A</span>", tiny.format("small"), dog,
         "<span class='only'>&lt;sleeps&gt;</span>", "<span class='minor'>.</span>"]
    )  # fmt: skip
    rows = re.findall(r"<tr title='(.*?)'><td>(.*?)</td><td>(.*?)</td>.*?width:(.*?)%", html)
    assert rows == [
        ("align_f 0.50", "words in common", "+1.00", "100.0"),
        ("paragram_similarity 0.75", "meaning of the sentences", "+0.65", "65.0"),
        ("len_sum 9.00", "length", "-0.50", "50.0"),
        ("x 3.00", "other", "+0.10", "10.0"),
    ]
    colours = re.findall(r"background:(rgba.*?)'", html)
    assert len(set(colours)) == 2
    assert colours[0] == colours[1] == colours[3] != colours[2]  # the third lowers the score


def test_matches_beyond_the_tenth_have_the_first_colours_again():
    words = tuple(Word(f"w{k}", 5.0, 1.0, True) for k in range(11))
    many = replace(
        EXPLANATION,
        words=(words, words),
        matches=tuple(Match(k, k, 1.0, "same") for k in range(11)),
    )
    hues = re.findall(r"hsla\((\d+)", many.to_html().partition("</p>")[0])
    assert len(set(hues[:10])) == 10
    assert hues[10] == hues[0]


def test_strongest_features_and_groups():
    assert EXPLANATION.top(2) == [
        ("union__align_f", 0.5, 1.0),
        ("paragram_similarity", 0.75, 0.65),
    ]
    assert [name for name, _, _ in EXPLANATION.top()] == [
        "union__align_f", "paragram_similarity", "len_sum", "other__x",
    ]  # fmt: skip
    many = replace(
        EXPLANATION,
        names=tuple(f"t{k}__x" for k in range(12)),
        values=np.arange(12.0),
        contributions=np.arange(12.0, 0, -1),
    )
    assert len(many.top()) == 8
    assert [group.title for group in many.groups(3)] == ["t0", "t1", "everything else"]
    assert many.groups(3)[2].contribution == sum(range(1, 11))
    assert len(many.groups(12)) == len(many.groups()) == 12
    assert len(many.groups(11)) == 11
    assert len(re.findall(r"^ ?\+.*\+", str(many), re.MULTILINE)) == 10  # groups of the text
