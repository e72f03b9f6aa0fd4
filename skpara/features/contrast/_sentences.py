"""Sentences of a batch as arrays, and the readings of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged
from skpara._typing import Bools
from skpara.features._batch import PairBatch
from skpara.features._kernels import MOST_WORDS
from skpara.features.contrast._exclusive_terms import find_terms
from skpara.features.contrast._forms import Form, find_form, has_predicate
from skpara.features.contrast._frequencies import Frequency, find_frequencies
from skpara.features.contrast._lexicon import AMOUNT_ENDS, OppositePhrase, Term
from skpara.features.contrast._mentions import (
    Meaning,
    Meanings,
    Mention,
    find_meanings,
    is_number_or_time,
)
from skpara.features.contrast._names import find_names
from skpara.features.contrast._negation import Negations, find_negations
from skpara.features.contrast._numbers import find_numbers
from skpara.features.contrast._opposite_phrases import find_opposite_phrases
from skpara.features.contrast._quantifiers import find_quantifiers
from skpara.features.contrast._roles import Role, find_roles
from skpara.features.contrast._scope import Scope, find_scopes
from skpara.features.contrast._signs import Signed, find_signed, places_by_sign
from skpara.features.contrast._times import find_dates, find_joined, find_times, half_of_day
from skpara.features.contrast._tokens import Mark, TokenLexicon

# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
_NOUN_PHRASE = re.compile("[jv]*n+")


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
        self.tags = batch.takelab.tags
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
        self._read: dict[int, Sentence] = {}

    def __getitem__(self, k: int) -> Sentence:
        if k not in self._read:
            self._read[k] = Sentence(self, k)
        return self._read[k]

    def having(self, tokens: NDArray[Any], at_least: int = 1) -> Bools:
        """Return which sentences have one, or more, of the tokens that are marked."""
        return np.bincount(self.owners[tokens > 0], minlength=len(self.texts)) >= at_least


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
        self._tags = sentences.tags[k]
        self._has_order = sentences.lexicon.has_order

    @cached_property
    def form(self) -> Form:
        """Whether it is a title, a statement or a question."""
        return find_form(self.tokens, self.cased, self.classes, self._tags)

    @cached_property
    def has_predicate(self) -> bool:
        """Whether it has a verb with a subject."""
        return has_predicate(self.tokens, self.classes, self._tags)

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
    def scopes(self) -> list[Scope]:
        """The words and phrases that change whether a clause is true."""
        return list(find_scopes(self.tokens, self.bases, self.classes))

    @cached_property
    def terms(self) -> dict[Term, tuple[int, ...]]:
        """The words and phrases of which a thing has only one, and their positions."""
        return find_terms(self.tokens, self.bases)

    @cached_property
    def frequencies(self) -> list[Frequency]:
        """The frequencies of what happens."""
        return find_frequencies(self.tokens)

    @cached_property
    def opposite_phrases(self) -> dict[OppositePhrase, tuple[int, ...]]:
        """The verbs with particles that have opposites, and their positions."""
        return find_opposite_phrases(self.bases, self.classes)

    @cached_property
    def roles(self) -> dict[int, list[Role]]:
        """The roles of each noun that has some, by its position."""
        return find_roles(self.tokens, self.classes)

    @cached_property
    def mentions(self) -> list[Mention]:
        """The numbers, times and quantifiers."""
        if not self._mentioned:
            return []
        return find_mentions(self.text, self.tokens, self._tags, self._mentioned)

    @cached_property
    def meanings(self) -> list[Meanings]:
        """The meanings of each mention."""
        return [find_meanings(mention, self.tokens) for mention in self.mentions]

    @cached_property
    def ordered_places(self) -> list[int]:
        """The positions of the words whose order matters."""
        return [k for k, i in enumerate(self.ids) if self._has_order[i]]

    @cached_property
    def ordered_bases(self) -> list[str]:
        """The base forms of the words whose order matters."""
        return [self.bases[k] for k in self.ordered_places]

    @cached_property
    def signed(self) -> list[Signed]:
        """The letters and numbers with signs."""
        return find_signed(self.text, self.tokens, self.cased, self.classes)

    def places_by_sign(self, core: str) -> dict[str, int]:
        """Return the signs that a letter or number has, "" for none, with their positions."""
        return places_by_sign(self.signed, self.tokens, self.classes, core)

    def classes_of(self, places: Iterable[int]) -> str:
        """Return the parts of speech of the tokens at some positions."""
        return "".join(self.classes[k] for k in places)

    def mentions_missing_from(self, other: Sentence) -> list[Mention]:
        """Return the mentions that another sentence lacks."""
        if not (self.mentions and other.mentions):
            return self.mentions
        said = set[Meaning]().union(*(meanings.says for meanings in other.meanings))
        numbers = set[Meaning]().union(*(meanings.numbers for meanings in other.meanings))
        all_meanings = Meanings(said, numbers)
        return [
            mention
            for mention, meanings in zip(self.mentions, self.meanings, strict=True)
            if not meanings.agree_with(all_meanings)
        ]

    def is_proper_noun(self, place: int) -> bool:
        """Return whether the token at a position is tagged as a name."""
        return self._tags[place].startswith("NNP")

    def surface_forms(self, places: Iterable[int]) -> list[str]:
        """Return the words at some positions as they are written."""
        written = {signed.place: signed.written for signed in self.signed}  # "-5"
        written |= find_joined(self.text, self.tokens)
        found = []
        for k in sorted({k for k in places if k >= 0}):
            word = written.get(k, self.cased[k])
            has_end = k not in written and self._has_amount_end(k)  # "8 pm"
            found.append(f"{word} {self.cased[k + 1]}" if has_end else word)
        return found

    def _has_amount_end(self, k: int) -> bool:
        """Return whether a number is followed by a unit or another word that belongs to it."""
        is_amount = self.tokens[k][-1].isdigit() and k + 1 < len(self.tokens)
        return is_amount and self.tokens[k + 1] in AMOUNT_ENDS

    def noun_after(self, place: int) -> int:
        """Return the position of the noun behind a number or an article; -1 for none."""
        match = _NOUN_PHRASE.match(self.classes, place + 1)
        return match.end() - 1 if match else -1

    def is_identifier(self, places: Iterable[int]) -> bool:
        """Return whether a number at some positions names a thing, as in "iPhone 13"."""
        codes = {
            mention.place
            for mention in self.mentions
            if mention.kind == "number" and isinstance(mention.value, str)
        }
        codes.update(place + 1 for place in self.names)
        return any(k in codes or (k > 0 and self.tokens[k - 1] == "#") for k in places)


def find_mentions(
    text: str, words: Sequence[str], tags: Sequence[str], places: Sequence[int]
) -> list[Mention]:
    """Find the numbers, times and quantifiers of a text.

    ``words`` are its tokens in lower case, and ``places`` the positions of those that may be
    mentioned (:func:`may_be_mentioned`).
    """
    mentions = list(find_quantifiers(words, tags, places))
    places = [i for i in places if is_number_or_time(words[i])]
    if not places:
        return mentions
    # The full stop of an earlier sentence is part of its last token: "built in 1931. It ...".
    words = [word[:-1] if word[-1:] == "." and word[-2:-1].isdigit() else word for word in words]
    joined = find_joined(text, words)
    dates = list(find_dates(text, words, places, joined))
    known = {date.value for date in dates if date.kind in ("day", "year")}
    # "1970's" is no number, either.
    known.update(int(words[date.place]) for date in dates if date.kind == "decade")
    half = half_of_day(words, places)
    mentions += dates
    mentions += find_numbers(words, places, half, known, joined)
    mentions += find_times(words, places, half, known)
    return mentions
