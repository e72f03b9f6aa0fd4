"""The form of a text: a title, a statement or a question.

A further name makes another thing of a title, and another question of a question. To a statement
it often only adds who said it, or where.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from skpara.features.contrast._names import FEWEST_OF_HEADLINE

# Parts of speech of words that titles have few of: determiners, prepositions, words that begin
# clauses, forms of "be", auxiliaries and "and".
_FUNCTION_WORDS = "dpsbx&"
# A statement without a full stop has this many of them: "Red Shoes for Men" is a title.
_FEWEST_FUNCTION_WORDS = 2
# Tags of verbs that have a subject.
_FINITE = frozenset(["VBD", "VBP", "VBZ"])
# The tagger takes many of them for participles, or for infinitives.
_PERHAPS_FINITE = _FINITE | {"VBN", "VB"}
_SUBJECTS = frozenset(["i", "we", "they", "he", "she"])


class Form(Enum):
    """The form of a text."""

    TITLE = "title"
    STATEMENT = "statement"
    QUESTION = "question"


def find_form(
    tokens: Sequence[str], cased: Sequence[str], classes: str, tags: Sequence[str]
) -> Form:
    """Return the form of a text of some tokens."""
    if "?" in tokens:
        return Form.QUESTION
    if not has_predicate(tokens, classes, tags):
        return Form.TITLE
    has_stop = tokens[-1] in (".", "!", "''")
    if not has_stop and sum(map(classes.count, _FUNCTION_WORDS)) < _FEWEST_FUNCTION_WORDS:
        return Form.TITLE
    n_upper = sum(token[0].isupper() for token in cased)
    is_headline = n_upper >= FEWEST_OF_HEADLINE and 2 * n_upper > sum(map(str.isalpha, cased))
    return Form.TITLE if is_headline else Form.STATEMENT


def has_predicate(tokens: Sequence[str], classes: str, tags: Sequence[str]) -> bool:
    """Return whether a text has a verb with a subject; "'s" may as well be a possessive."""
    is_sentence = tokens[-1:] == ["."] or not _SUBJECTS.isdisjoint(tokens)
    finite = _PERHAPS_FINITE if is_sentence else _FINITE
    # "Guide to the museums" has no subject.
    return any(
        token != "'s" and (kind in "bx" or (kind == "v" and tag in finite))
        for token, kind, tag in zip(tokens[1:], classes[1:], tags[1:], strict=False)
    )


def form_of_both(first: Form, second: Form) -> Form:
    """Return the form of a pair: a title beside a statement is read as one."""
    for form in (Form.QUESTION, Form.STATEMENT):
        if form in (first, second):
            return form
    return Form.TITLE
