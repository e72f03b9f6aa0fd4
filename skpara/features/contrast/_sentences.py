"""Sentences of a batch as arrays, and the readings of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from skpara._core import Ragged
from skpara.features._batch import PairBatch
from skpara.features._kernels import MOST_WORDS
from skpara.features.contrast._clauses import Negations, Role, find_negations, find_roles
from skpara.features.contrast._lexicon import Mark, TokenLexicon, is_number_or_time
from skpara.features.contrast._mentions import (
    FEWEST_OF_HEADLINE,
    Mention,
    Signed,
    find_names,
    find_quantifiers,
    find_quantities,
    find_signs,
    find_starts,
    may_have_sign,
)
from skpara.quantities import agree

# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
_NOUN_PHRASE = re.compile("[jv]*n+")
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


class Sentences:
    """The first tokens of the sentences of a batch, one sentence after another.

    Attributes
    ----------
    lexicon : TokenLexicon
        The distinct tokens.
    lists : Ragged
        The tokens of each sentence, as positions in the lexicon.
    owners, positions : ndarrays of int64, shape (n_tokens,)
        The sentence of each token, and its position there.
    marks, kinds : ndarrays of int, shape (n_tokens,)
        The marks of each token, and its part of speech.
    new_names : tuple of two dicts of int to list of int
        By pair, the positions of the names on each side that the other side lacks.
    """

    def __init__(self, batch: PairBatch) -> None:
        self.lexicon = lexicon = TokenLexicon(batch)
        self.lists = batch.tagged.ids.head(MOST_WORDS)
        self.owners = self.lists.owners
        self.positions = np.arange(len(self.owners)) - self.lists.offsets[self.owners]
        self.marks = lexicon.marks[self.lists.ids]
        self.kinds = lexicon.kinds[self.lists.ids]
        positions = Ragged(self.positions, self.lists.offsets)
        names = find_names(batch, positions, self.kinds)
        self.new_names = names.new
        # Plain lists and strings, from which sentences are cut.
        self.texts = batch.takelab.texts
        self.cased = batch.takelab.tokens
        self.ends = self.lists.offsets.tolist()
        self.ids = self.lists.ids.tolist()
        self.classes = self.kinds.tobytes().decode("ascii")
        self.tokens = [lexicon.words[i] for i in self.ids]
        self.bases = [lexicon.bases[i] for i in self.ids]
        mentioned = positions.where(self.marks & Mark.MENTIONED > 0)
        self.mentioned = mentioned.ids.tolist()
        self.mention_ends = mentioned.offsets.tolist()
        self.names = names.of_sentences.ids.tolist()
        self.name_ends = names.of_sentences.offsets.tolist()
        self.tag_names, tags = batch.takelab.numbered_tags
        self.tags = tags.ids.tolist()
        self.tag_ends = tags.offsets.tolist()
        self._read: dict[int, Sentence] = {}

    def __getitem__(self, k: int) -> Sentence:
        if k not in self._read:
            self._read[k] = Sentence(self, k)
        return self._read[k]


class Sentence:
    """The first 512 tokens of a sentence, with negation, roles and mentions.

    Attributes
    ----------
    text : str
        The beginning of the sentence.
    tokens, cased, bases : list of str
        The tokens in lower case, as they are written, and their base forms.
    classes : str
        The part of speech of each token, one character each: see :func:`part_of_speech`.
    ids : list of int
        The positions of the tokens in the lexicon of the batch.
    names : list of int
        The positions of the names.
    """

    def __init__(self, sentences: Sentences, k: int) -> None:
        start = sentences.ends[k]
        end = sentences.ends[k + 1]
        self.text = sentences.texts[k][:_MOST_CHARACTERS]
        self.ids = sentences.ids[start:end]
        self.tokens = sentences.tokens[start:end]
        self.cased = sentences.cased[k][:MOST_WORDS]
        self.bases = sentences.bases[start:end]
        self.classes = sentences.classes[start:end]
        self.names = sentences.names[sentences.name_ends[k] : sentences.name_ends[k + 1]]
        self._mentioned = sentences.mentioned[
            sentences.mention_ends[k] : sentences.mention_ends[k + 1]
        ]
        self._sentences = sentences
        self._place = slice(sentences.tag_ends[k], sentences.tag_ends[k + 1])
        self._has_order = sentences.lexicon.has_order
        self._is_word = sentences.lexicon.is_word
        # What each list of terms finds here.
        self.terms: dict[Any, Any] = {}

    @cached_property
    def _tags(self) -> list[str]:
        sentences = self._sentences
        return [sentences.tag_names[tag] for tag in sentences.tags[self._place]]

    @cached_property
    def form(self) -> Form:
        """Whether it is a title, a statement or a question."""
        return find_form(self.tokens, self.cased, self.classes, self._tags)

    @cached_property
    def _negations(self) -> Negations:
        return find_negations(self.tokens, self.classes)

    @property
    def negated(self) -> list[bool]:
        """Whether each token is negated."""
        return self._negations.negated

    @property
    def n_negations(self) -> int:
        """The number of negations."""
        return self._negations.n_negations

    @cached_property
    def roles(self) -> dict[int, list[Role]]:
        """The roles of each noun that has some, by its position."""
        return find_roles(self.tokens, self.classes)

    @cached_property
    def quantities(self) -> list[Mention]:
        """The numbers and times."""
        if not any(is_number_or_time(self.tokens[k]) for k in self._mentioned):
            return []
        return find_quantities(self.text, self.cased)

    @cached_property
    def measured(self) -> set[int]:
        """The positions of the words that belong to a number or time."""
        return {k for mention in self.quantities for k in range(mention.start, mention.end)}

    @cached_property
    def mentions(self) -> list[Mention]:
        """The numbers, times and quantifiers."""
        if not self._mentioned:
            return []
        places = [k for k in self._mentioned if k not in self.measured]  # "half past six"
        return [*find_quantifiers(self.tokens, places), *self.quantities]

    @cached_property
    def ordered_places(self) -> list[int]:
        """The positions of the words whose order matters."""
        return [k for k, i in enumerate(self.ids) if self._has_order[i]]

    @cached_property
    def ordered_bases(self) -> list[str]:
        """The base forms of the words whose order matters."""
        return [self.bases[k] for k in self.ordered_places]

    @cached_property
    def signs(self) -> dict[str, list[Signed]]:
        """The signs of each number and word, and of nothing, which are symbols."""
        return find_signs(self.text, self.cased, self.classes)

    def classes_of(self, places: Iterable[int]) -> str:
        """Return the parts of speech of the tokens at some positions."""
        return "".join(self.classes[k] for k in places)

    def mentions_missing_from(self, other: Sentence) -> list[Mention]:
        """Return the mentions that another sentence lacks."""
        if not (self.mentions and other.mentions):
            return self.mentions
        says, written = (
            frozenset[Any]().union(*(getattr(mention, name) for mention in other.mentions))
            for name in ("says", "written")
        )
        everything = Mention("", None, -1, says=says, written=written)
        return [mention for mention in self.mentions if not agree(mention, everything)]

    def is_proper_noun(self, place: int) -> bool:
        """Return whether the token at a position is tagged as a name."""
        return self._tags[place].startswith("NNP")

    def surface_forms(self, places: Iterable[int]) -> list[str]:
        """Return the words at some positions as they are written."""
        written = {mention.place: mention.text for mention in self.quantities}  # "5 kg"
        ends = {mention.place: mention.end for mention in self.quantities}
        signed = chain.from_iterable(self.signs.values()) if may_have_sign(self.text) else ()
        for sign, place, own in signed:
            if sign == "-" and place in written:  # "-5 kg"
                written[place] = sign + written[place]
            elif sign:
                written[place] = own
        found = []
        end = 0
        for k in sorted({k for k in places if k >= 0}):
            if k >= end:
                found.append(written[k] if k in written else self.cased[k])
                end = ends.get(k, end)
        return found

    def text_between(self, place: int, other: int) -> str:
        """Return the characters between the tokens at two positions, also those of no token."""
        starts = find_starts(self.text, self.cased)
        return self.text[starts[place] + len(self.cased[place]) : starts[other]]

    def noun_after(self, place: int) -> int:
        """Return the position of the noun behind a number or an article; -1 for none."""
        match = _NOUN_PHRASE.match(self.classes, place + 1)
        return match.end() - 1 if match else -1

    def next_word(self, place: int) -> int:
        """Return the first position, from ``place`` on, of a content word but no adverb, or -1."""
        places = range(place, len(self.tokens))
        return next((k for k in places if self.is_word(k) and self.classes[k] != "r"), -1)

    def is_word(self, place: int) -> bool:
        """Return whether a content word is at a position."""
        return self._is_word[self.ids[place]]

    def is_identifier(self, places: Iterable[int]) -> bool:
        """Return whether a number at some positions names a thing, as in "iPhone 13"."""
        codes = {
            mention.place
            for mention in self.mentions
            if mention.kind == "number" and isinstance(mention.value, str)
        }
        codes.update(place + 1 for place in self.names)
        return any(k in codes or self.tokens[k - 1 : k] == ["#"] for k in places)
