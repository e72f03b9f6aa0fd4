"""Names that one side adds: reasons in titles and questions, hints in statements."""

from __future__ import annotations

import pytest

from skpara import Deduplicator, LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._forms import Form, find_form, form_of_both

ADDED = {
    "reason": [
        ("Hotel with a pool", "Hotel with a pool in Peru"),
        ("Guide to the museums", "Guide to the museums of Oslo"),
        ("Is rain rare?", "Is rain rare in Peru?"),
        ("Should I buy a Fiat?", "Should I buy an Opel or a Fiat?"),
        ("Anna was at the party.", "Anna and Peter were at the party."),
        ("Minister: taxes will rise", "Oslo minister: taxes will rise"),
    ],
    "hint": [
        ("The bridge was closed on Monday.", "The bridge was closed on Monday, Otto said."),
        ("The bridge was closed on Monday.", "The bridge was closed on Monday in Oslo."),
        ("The bridge was closed.", "According to Otto, the bridge was closed."),
        ("He will have to pay the fine.", "Otto will have to pay the fine."),
        ("Fire breaks out near a school", "Police: Fire breaks out near a school"),
        ("Nile floods fields", "Nile floods fields: Reuters"),
        ("What is the best way to sleep?", "What is the Best way to sleep?"),
    ],
}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Case for a Galaxy S22", "Case for a Galaxy S22 Ultra"),
        ("case for a galaxy s22", "case for a galaxy s22 ultra"),
        ("iPhone 13 case", "iPhone 13 Pro case"),
        ("New MacBook for sale", "New MacBook Pro for sale"),
        ("The iPhone 13 has a good camera.", "The iPhone 13 Pro has a good camera."),
        ("Boeing 737", "Boeing 737 Max"),
    ],
)
def test_ends_of_models_tell_titles_apart_as_numbers_do(first, second):
    found = find_contrasts([(first, second), (second, first)])
    assert all({"number", "identifier"} & {contrast.kind for contrast in row} for row in found)
    assert Deduplicator(guard="identifiers", threshold=0.5).fit([first, second]).labels_[1] == 1


@pytest.mark.parametrize(
    ("strength", "first", "second"),
    [(strength, *pair) for strength, pairs in ADDED.items() for pair in pairs],
)
def test_added_names(strength, first, second):
    found = find_contrasts([(first, second), (second, first)])
    kinds = [{contrast.kind for contrast in row} for row in found]
    assert kinds == [{"name"} if strength == "reason" else set()] * 2


@pytest.mark.parametrize(
    ("first", "second", "flip"),
    [
        ("Toyota recalls cars.", "Honda recalls cars.", 1),
        ("The cars were recalled by Toyota.", "The cars were recalled by Honda.", 1),
        ("In Oslo the shop is shut.", "The shop is shut in Rome.", 1),
        ("Toyota recalls cars.", "Cars are recalled by Honda.", 1),
        ("The shop in Oslo is shut.", "The shop is shut, Otto said.", 0.5),
        ("Shop in Oslo", "Shop, by Otto", 1),
    ],
)
def test_names_of_statements_are_compared_in_one_place(first, second, flip):
    lexical = LexicalFeatures(["name_flip"]).fit([(first, second)])
    assert lexical.transform([(first, second), (second, first)]).tolist() == [[flip], [flip]]


@pytest.mark.parametrize(
    ("first", "second", "are_other"),
    [
        ("Head of the school", "Deputy head of the school", True),
        ("Professor of law", "Assistant professor of law", True),
        ("President of sales", "Vice president of sales", True),
        (
            "The head of the school will speak on Monday",
            "The deputy head of the school will speak on Monday",
            True,
        ),
        ("The deputy head spoke", "The school's deputy head spoke", False),
        ("The head said it rains.", "The deputy head himself said it rains.", False),
        ("Report by Otto Weber", "Report by Deputy Otto Weber", False),
    ],
)
def test_lesser_offices(first, second, are_other):
    found = find_contrasts([(first, second), (second, first)])
    assert [{contrast.kind for contrast in row} for row in found] == (
        [{"attribute"} if are_other else set()] * 2
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Two men were killed in Spain.", "Two men were killed in a Spanish town."),
        ("He asked -LRB- in vain -RRB- .", "He asked in vain ."),
        ("troops in Afghanistan", "Afghan troops"),
    ],
)
def test_no_other_names(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("is/b it/n true/j ?/.", Form.QUESTION),
        ("case/n for/p a/d phone/n", Form.TITLE),
        ("dogs/n in/p the/d park/n ran/v", Form.STATEMENT),
        ("dogs/n ran/v", Form.TITLE),
        ("dogs/n ran/v ./.", Form.STATEMENT),
        ("Storm/n Hits/v Coast/n Of/p The/d North/n", Form.TITLE),
        ("men/n 's/b shoes/n for/p the/d summer/n", Form.TITLE),
    ],
)
def test_forms(text, form):
    cased, classes = zip(*(token.rsplit("/", 1) for token in text.split()), strict=True)
    tags = ["VBD" if kind == "v" else "NN" for kind in classes]
    assert find_form([token.lower() for token in cased], cased, "".join(classes), tags) is form


def test_the_form_of_two_texts():
    title, statement, question = Form
    assert form_of_both(title, statement) is form_of_both(statement, title) is statement
    assert form_of_both(title, question) is form_of_both(question, statement) is question
    assert form_of_both(title, title) is title
