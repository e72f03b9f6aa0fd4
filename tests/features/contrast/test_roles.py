from __future__ import annotations

import pytest

from skpara.features.contrast._clauses import find_negations, find_roles
from skpara.features.contrast._sentences import has_predicate


def read(text):
    """Tokens and parts of speech of a text such as "dogs/n bark/v"."""
    tokens, classes = zip(*(word.split("/") for word in text.split()), strict=True)
    return tokens, "".join(classes)


def roles(text):
    """The roles of nouns, by word."""
    tokens, classes = read(text)
    verbs = {-1: "be", **dict(enumerate(tokens))}
    return {
        tokens[noun]: [(role.name, verbs[role.verb]) for role in found]
        for noun, found in find_roles(tokens, classes).items()
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dogs/n bite/v men/n", {"dogs": [("agent", "bite")], "men": [("patient", "bite")]}),
        (
            "men/n are/b bitten/v by/p dogs/n",
            {"men": [("patient", "bitten")], "dogs": [("agent", "bitten")]},
        ),
        (
            "anna/n gave/v peter/n a/d book/n",
            {
                "anna": [("agent", "gave")],
                "peter": [("to", "gave")],
                "book": [("patient", "gave")],
            },
        ),
        (
            "anna/n is/b taller/j than/p peter/n",
            {"anna": [("agent", "taller")], "peter": [("than", "taller")]},
        ),
        (
            "dogs/n and/& cats/n sleep/v in/p boxes/n",
            {
                "dogs": [("agent", "sleep")],
                "cats": [("agent", "sleep")],
                "boxes": [("in", "sleep")],
            },
        ),
        (
            "anna/n called/v peter/n and/& mary/n called/v paul/n",
            {
                "anna": [("agent", "called")],
                "peter": [("patient", "called")],
                "mary": [("agent", "called")],
                "paul": [("patient", "called")],
            },
        ),
        ("dogs/n are/b animals/n", {"dogs": [("agent", "be")], "animals": [("patient", "be")]}),
        ("a/d dog/n", {}),
    ],
)
def test_roles(text, expected):
    assert roles(text) == expected


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("he/n did/x not/! sing/v", {"sing"}),
        ("not/! only/r he/n sings/v", set()),
        ("he/n failed/v to/p win/v it/n", {"to", "win", "it"}),
        ("he/n did/x not/! sing/v but/s danced/v", {"sing"}),
        ("he/n ate/v no/! cake/n", {"ate", "cake"}),
        ("he/n did/x not/! sing/v or/& dance/v", {"sing"}),
        ("free/j of/p dyes/n", {"of", "dyes"}),
        ("free/j dyes/n", set()),
    ],
)
def test_negated_words(text, negated):
    tokens, classes = read(text)
    found, _ = find_negations(tokens, classes)
    assert {token for token, is_so in zip(tokens, found, strict=True) if is_so} == negated


@pytest.mark.parametrize("subject", ["i", "we", "they", "he", "she"])
def test_a_participle_behind_a_subject_is_a_verb(subject):
    assert has_predicate([subject, "left"], "nv", ["PRP", "VBN"])
    assert not has_predicate(["guests", "left"], "nv", ["NNS", "VBN"])
