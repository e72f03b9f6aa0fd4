"""Tokens, words and stop words as the TakeLab features define them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged, list_kernels
from skpara._typing import Floats
from skpara.features._kernels import Sides
from skpara.resources import Tagger, WordNet, has_digit

_ANGLES = re.compile(r"<[^ ]*")
_DOLLAR = re.compile(r"\$US(\d)")
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 ]*")
_TYPOGRAPHIC = str.maketrans({"’": "'", "´": "'", "—": "--", "–": "--"})
_EXPANSIONS = {"n't": "not", "'m": "am"}
# WordNet's part of speech by the first two letters of a Penn Treebank tag.
WORDNET_POS = {"NN": "n", "JJ": "a", "VB": "v", "RB": "r"}
_NOT_IN_WORDS = re.compile(r"[0-9,.()=\[\]/_`]")
STOP_WORDS = frozenset(
    "i a about an are as at be by for from how in is it of on or that the this to was what when "
    "where who will with 's did have has had were 'll".split()
)

# The substitutions of the Penn Treebank's tokenizer, as nltk's TreebankWordTokenizer has them
# (Copyright (C) 2001-2026 NLTK Project, Apache License 2.0; see the file NOTICE). Importing nltk
# for them would take a third of the time of loading a model. With each come pieces of text: every
# match has one of them.
_Step = tuple[str, str, tuple[str, ...]]
_BEFORE: list[_Step] = [
    (r"^\"", "``", ('"',)),
    (r"(``)", r" \1 ", ("``",)),
    (r"([ \(\[{<])(\"|\'{2})", r"\1 `` ", ('"', "''")),
    (r"([:,])([^\d])", r" \1 \2", (",", ":")),
    (r"([:,])$", r" \1 ", (",", ":")),
    (r"\.\.\.", " ... ", ("...",)),
    (r"[;@#$%&]", r" \g<0> ", tuple(";@#$%&")),
    (r'([^\.])(\.)([\]\)}>"\']*)\s*$', r"\1 \2\3 ", (".",)),
    (r"[?!]", r" \g<0> ", ("?", "!")),
    (r"([^'])' ", r"\1 ' ", ("' ",)),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> ", tuple("][(){}<>")),
    (r"--", " -- ", ("--",)),
]
# These follow when there is a space at both ends.
_AFTER: list[_Step] = [
    (r"''", " '' ", ("''",)),
    (r'"', " '' ", ('"',)),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 ", ("'",)),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 ", ("'",)),
]
# Contractions are split into their two groups. They ignore case.
_CONTRACTIONS = [
    r"\b(can)(not)\b",
    r"\b(d)('ye)\b",
    r"\b(gim)(me)\b",
    r"\b(gon)(na)\b",
    r"\b(got)(ta)\b",
    r"\b(lem)(me)\b",
    r"\b(more)('n)\b",
    r"\b(wan)(na)(?=\s)",
    r" ('t)(is)\b",
    r" ('t)(was)\b",
]
_CONTRACTED = [
    "cannot",
    "d'ye",
    "gimme",
    "gonna",
    "gotta",
    "lemme",
    "more'n",
    "wanna",
    "'tis",
    "'twas",
]


def takelab_tokens(sentence: str) -> list[str]:
    """Split a sentence into tokens, before compounds are joined.

    Typographic quotes and dashes are replaced by plain ones, hyphens and slashes by spaces. The
    rest is split as by nltk's ``TreebankWordTokenizer``, and "n't" and "'m" are expanded. Case is
    kept.
    """
    tokens = list_kernels.tokens(sentence)
    return takelab_tokens_by_rules(sentence) if tokens is None else tokens


def takelab_tokens_by_rules(sentence: str) -> list[str]:
    """Split a sentence that the compiled rules leave: beyond ASCII, or with a contraction."""
    return [_EXPANSIONS.get(token, token) for token in treebank_tokens(_plain(sentence))]


def treebank_tokens(text: str) -> list[str]:
    """Split as nltk's ``TreebankWordTokenizer().tokenize(text)`` does, several times faster.

    The tokenizer is a sequence of substitutions, and few of them change a sentence. Each can only
    match where a certain piece of text occurs, and the search for the piece is fast.
    """
    # In text of letters, digits and spaces there is nothing to match but contractions.
    if not _PLAIN_TEXT.fullmatch(text):
        text = _apply(_BEFORE, text)
        text = _apply(_AFTER, f" {text} ")
    # Beyond ASCII other letters match them, too, when case is ignored ("ſ" as "s"): apply all.
    lowered = text.lower()
    if not text.isascii() or any(piece in lowered for piece in _CONTRACTED):
        text = f" {text} "
        for pattern in _CONTRACTIONS:
            text = re.sub(pattern, r" \1 \2 ", text, flags=re.IGNORECASE)
    return text.split()


def _apply(steps: Sequence[_Step], text: str) -> str:
    for pattern, replacement, pieces in steps:
        if any(piece in text for piece in pieces):
            text = re.sub(pattern, replacement, text)
    return text


def _plain(sentence: str) -> str:
    text = sentence.strip()
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC)
    text = text.replace("``", '"').replace("''", '"').replace("-", " ").replace("/", " ")
    if "<" in text and ">" in text:
        text = _ANGLES.sub(_without_angles, text)
    if "$US" in text:
        text = _DOLLAR.sub(r"$\1", text)
    return text


def _without_angles(match: re.Match[str]) -> str:
    """Remove the first "<" and the last ">" unless nothing is between them."""
    # One regular expression with both would take quadratic time where no ">" follows.
    text = match[0]
    end = text.rfind(">")
    return text[1:end] + text[end + 1 :] if end > 1 else text


def is_word(token: str) -> bool:
    """Return whether a token has no digit, comma, full stop, bracket and the like."""
    return token.isalpha() or not _NOT_IN_WORDS.search(token)


def is_content(word: str) -> bool:
    """Return whether a lower-cased token is a word or a number, not a stop word or a mark."""
    return word not in STOP_WORDS and (word.isalpha() or any(map(str.isalnum, word)))


def join_compounds(tokens: Sequence[str], other_tokens: Sequence[str]) -> list[str]:
    """Join two neighboring tokens wherever the other sentence writes them as one word.

    Case is ignored; tokens are joined from left to right, each at most once.
    """
    whole = {token.lower() for token in other_tokens}
    joined: list[str] = []
    is_free = False  # whether the last token may be joined with this one
    for token in tokens:
        is_free = is_free and (joined[-1] + token).lower() in whole
        if is_free:
            joined[-1] += token
        else:
            joined.append(token)
        is_free = not is_free
    return joined


class TakelabSides:
    """Token lists, and the positions of the two lists of each pair.

    Joining compounds makes the tokens of a sentence depend on the other sentence. That is rare,
    so equal sentences share one list, and a side with a compound gets a list of its own.

    Parameters
    ----------
    sentences : list of str or tuple of str
        Distinct sentences. Those that are tuples of tokens are not changed.
    sides : tuple of two ndarrays of int, shape (n_pairs,)
        Positions of the two sentences of each pair.
    tagger : Tagger or None
        Needed for ``tags`` only.
    """

    def __init__(self, sentences: Sequence[str], sides: Sides, tagger: Tagger | None) -> None:
        self._tagger = tagger
        self.tokens = [takelab_tokens(s) if isinstance(s, str) else [*s] for s in sentences]
        self.texts = list(sentences)
        self._numbers = dict[str, int]()
        self.cased_ids = Ragged.of([])[1]
        self._number(self.tokens)
        self.sides = left, right = sides[0].copy(), sides[1].copy()
        has_compound = self._may_join()
        for p in (has_compound[left] | has_compound[right]).nonzero()[0].tolist():
            i = sides[0][p]
            j = sides[1][p]
            left[p], right[p] = self._joined(i, j), self._joined(j, i)
        self.pairs = list(zip(left.tolist(), right.tolist(), strict=True))
        if len(self.tokens) > len(sentences):
            self._number(self.tokens[len(sentences) :])

    def _number(self, tokens: list[list[str]]) -> None:
        """Number more tokens as written (``cased``) and in lower case (``distinct``)."""
        self.cased, ids = Ragged.of(tokens, self._numbers)
        self.cased_ids = self.cased_ids.append(ids)
        self.distinct, lowered = Ragged.of([[*map(str.lower, self.cased)]])
        self.ids = self.cased_ids.with_ids(lowered.ids[self.cased_ids.ids])

    def _may_join(self) -> NDArray[np.bool_]:
        """Return which lists have two neighbors that any list writes as one token."""
        # Lower case depends on the neighbors for one letter, a sigma at the end of a word.
        tokens = [token.replace("ς", "σ") for token in self.distinct]
        known = set(tokens)
        owners = self.ids.owners
        neighbors = pairwise([tokens[i] for i in self.ids.ids.tolist()])
        places = [k for k, (a, b) in enumerate(neighbors) if a + b in known]
        lists = owners[places][owners[places] == owners[np.array(places, dtype=int) + 1]]
        return np.bincount(lists, minlength=len(self.tokens)) > 0

    def _joined(self, i: int, j: int) -> int:
        """Return the list of tokens i with the compounds of list j, which is new if it differs."""
        joined = join_compounds(self.tokens[i], self.tokens[j])
        if len(joined) == len(self.tokens[i]) or not isinstance(self.texts[i], str):
            return i
        self.tokens.append(joined)
        self.texts.append(self.texts[i])
        return len(self.tokens) - 1

    @cached_property
    def numbered_tags(self) -> tuple[list[str], Ragged]:
        """Tags of the Penn Treebank, and the numbers of those of the tokens."""
        assert self._tagger is not None
        return self._tagger.tag_numbered(self.cased, self.cased_ids)

    @cached_property
    def tags(self) -> list[list[str]]:
        """The tags of each token list."""
        names, numbers = self.numbered_tags
        tags = [names[number] for number in numbers.ids.tolist()]
        return [tags[start:end] for start, end in pairwise(numbers.offsets.tolist())]

    @cached_property
    def word_ids(self) -> Ragged:
        """Like ``ids``, of words only."""
        return self.ids.only(np.array([is_word(token) for token in self.distinct], dtype=bool))

    @cached_property
    def content_word_ids(self) -> Ragged:
        """Like ``ids``, of words that are not stop words."""
        content = np.array([token not in STOP_WORDS for token in self.distinct], dtype=bool)
        return self.word_ids.only(content)

    def score(
        self, function: Callable[[Any, Any], Sequence[float]], values: Sequence[Any], nothing: Any
    ) -> Floats:
        """Apply a function to the values that belong to the two token lists of each pair.

        Most values are ``nothing``, so the score of two of them is computed once.
        """
        usual = function(nothing, nothing)
        pairs = ((values[a], values[b]) for a, b in self.pairs)
        scores = [usual if a is nothing is b else function(a, b) for a, b in pairs]
        return np.array(scores, dtype=np.float64)

    def containing(self, marks: Iterable[object]) -> list[bool]:
        """Return for each token list whether it has a token of ``distinct`` that is marked."""
        return (self.ids.sums([bool(mark) for mark in marks]) > 0).tolist()

    @cached_property
    def have_digits(self) -> list[bool]:
        """Whether each token list has a digit."""
        # A test for letters alone is much faster than a search.
        return self.containing(map(has_digit, self.distinct))


class TaggedTokens:
    """The distinct tokens with their tags, and their positions for each token list.

    Tokens are lower-cased and tags cut to two letters; a token with several kinds of tags occurs
    once for each.
    """

    def __init__(self, sides: TakelabSides, wordnet: WordNet | None) -> None:
        names, tags = sides.numbered_tags
        kinds, kind_of = Ragged.of([[tag[:2] for tag in names]])
        # Which tokens of each list are proper nouns.
        is_proper = np.array([tag.startswith("NNP") for tag in names], dtype=np.int64)
        self.proper = tags.with_ids(is_proper[tags.ids])
        tags = tags.with_ids(kind_of.ids[tags.ids])
        keys, numbers = np.unique(sides.ids.ids * len(kinds) + tags.ids, return_inverse=True)
        self.word_numbers, kind_numbers = np.divmod(keys, max(1, len(kinds)))
        self.words = [sides.distinct[word] for word in self.word_numbers.tolist()]
        self.tags = [kinds[kind] for kind in kind_numbers.tolist()]
        self.ids = sides.ids.with_ids(numbers)
        self._wordnet = wordnet

    def are(self, tag: str) -> NDArray[np.bool_]:
        """Return which words have a tag."""
        return np.array([own == tag for own in self.tags], dtype=bool)

    @cached_property
    def content(self) -> NDArray[np.bool_]:
        """Whether each word is a word or a number, but neither a stop word nor a mark."""
        return np.array([is_content(word) for word in self.words], dtype=bool)

    @cached_property
    def lemmas(self) -> list[str]:
        """WordNet's base form of each word for its part of speech, else the word."""
        assert self._wordnet is not None
        return [
            self._wordnet.lemma(word, WORDNET_POS[tag]) if tag in WORDNET_POS else word
            for word, tag in zip(self.words, self.tags, strict=True)
        ]
