"""The words of all pairs of a batch, aligned one to one, and what remains of each side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from skpara._core import Ragged
from skpara._typing import Bools, Floats
from skpara.features._batch import PairBatch
from skpara.features._families.alignment import align
from skpara.features._kernels import Ids, shared_ngrams
from skpara.features.contrast._comparison import Comparison
from skpara.features.contrast._lexicon import Mark, TokenLexicon, are_synonyms
from skpara.features.contrast._mentions import may_have_sign
from skpara.features.contrast._sentences import Sentence, Sentences

Cell = tuple[int, int]  # the positions of a word of each side
# Most comparisons share it: new sets would take a third of the time to make one.
_NO_CELLS: frozenset[Cell] = frozenset()

# Groups of words that are counted apart.
NOUNS = 0
VERBS = 1
DESCRIPTIONS = 2
N_GROUPS = 3
GROUPS = {"n": NOUNS, "t": NOUNS, "v": VERBS, "j": DESCRIPTIONS, "r": DESCRIPTIONS}
_GROUP_OF_KIND = np.zeros(128, dtype=np.int64)
for _kind, _group in GROUPS.items():
    _GROUP_OF_KIND[ord(_kind)] = _group


class SideWords:
    """The words of one side of each pair, one pair after another.

    Attributes
    ----------
    ids, places : ndarrays of int64, shape (n_words,)
        The position of each word in the lexicon, and in its sentence.
    groups, owners : ndarrays of int64, shape (n_words,)
        The group of each word, and its pair.
    starts : ndarray of int64, shape (n_pairs + 1,)
        Where the words of each pair start.
    is_free : ndarray of bool, shape (n_words,)
        Whether each word has no partner.
    """

    def __init__(self, lexicon: TokenLexicon, words: Ragged, places: Ids, rows: Ids) -> None:
        own = words.take(rows)
        self.ids = own.ids
        self.places = places[words.places(rows)]
        self.groups = _GROUP_OF_KIND[lexicon.kinds[self.ids]]
        self.owners = own.owners
        self.starts = own.offsets
        self.is_free = np.ones(len(own.ids), dtype=bool)

    def take(self, pair: int, place: int) -> None:
        """Note that the word at a position, if it is one, has a partner."""
        own = slice(self.starts[pair], self.starts[pair + 1])
        self.is_free[own] &= self.places[own] != place

    def count_free(self) -> Ids:
        """Count the words without a partner by pair and group, shape (n_pairs, n_groups)."""
        n_pairs = len(self.starts) - 1
        keys = (N_GROUPS * self.owners + self.groups)[self.is_free]
        return np.bincount(keys, minlength=N_GROUPS * n_pairs).reshape(n_pairs, N_GROUPS)


class AlignedPairs:
    """The pairs of a batch: their sentences, and which words correspond.

    Words are nouns, verbs, adjectives and adverbs. They are aligned by their vectors and
    neighbors, then opposites that have no partner.

    Attributes
    ----------
    sentences : Sentences
        The distinct sentences.
    sides : tuple of two ndarrays of int64, shape (n_pairs,)
        The sentences on the left and on the right of each pair.
    n_changed : ndarray of int64, shape (n_pairs,)
        How many words whose order matters only one side has.
    only : tuple of two ndarrays of int64, shape (n_pairs,)
        How many of them each side has.
    others : dict of int to list of tuples
        By pair, the words that are partners without having been aligned.
    opposed, misspelled : dicts of int to set of tuples
        By pair, the opposites, and the words that one side misspells.
    """

    def __init__(self, batch: PairBatch) -> None:
        self.sentences = Sentences(batch)
        self.lexicon = self.sentences.lexicon
        self.sides = batch.takelab.sides
        self._sentence_numbers = batch.takelab.pairs
        self.others: defaultdict[int, list[Cell]] = defaultdict(list)
        self.opposed: dict[int, set[Cell]] = {}
        self.misspelled: defaultdict[int, set[Cell]] = defaultdict(set)
        is_word = self.sentences.marks & Mark.WORD > 0
        words = self.sentences.lists.where(is_word)
        places = self.sentences.positions[is_word]
        left, right = self.sides
        self._left = SideWords(self.lexicon, words, places, left)
        self._right = SideWords(self.lexicon, words, places, right)
        self._align(batch, words)
        self._explain()
        self._pair_opposites()
        self._count_changes()
        self._compared: dict[int, Comparison] = {}

    def __len__(self) -> int:
        return len(self.sides[0])

    def __getitem__(self, number: int) -> Comparison:
        if number not in self._compared:
            left, right = self._sentence_numbers[number]
            left_names, right_names = self.sentences.new_names
            self._compared[number] = Comparison(
                number,
                self.sentences[left],
                self.sentences[right],
                self.lexicon,
                n_changed=int(self.n_changed[number]),
                aligned=self.aligned[self.ends[number] : self.ends[number + 1]],
                others=self.others.get(number, ()),
                opposed=self.opposed.get(number, _NO_CELLS),
                misspelled=self.misspelled.get(number, _NO_CELLS),
                new_names=(left_names.get(number, ()), right_names.get(number, ())),
            )
        return self._compared[number]

    def _align(self, batch: PairBatch, words: Ragged) -> None:
        """Make words partners by their vectors."""
        none = np.empty(0, dtype=np.int64)
        found = [(none, none, none, np.empty(0))]
        found += align(batch, words, self.lexicon.base_numbers)
        pair, first, second, similar = map(np.concatenate, zip(*found, strict=True))
        left, right = self.sides
        first += self._left.starts[pair] - words.offsets[left[pair]]
        second += self._right.starts[pair] - words.offsets[right[pair]]
        self._left.is_free[first] = False
        self._right.is_free[second] = False
        places = self._left.places[first].tolist(), self._right.places[second].tolist()
        self.aligned: list[Cell] = list(zip(*places, strict=True))
        self.ends = pair.searchsorted(np.arange(len(self) + 1)).tolist()
        self._pair = pair
        self._first = first
        self._second = second
        self._similar = similar

    def _explain(self) -> None:
        """Note which aligned words are synonyms, and which differ by a misspelling."""
        lexicon = self.lexicon
        similar = self._similar
        ids = self._left.ids[self._first]
        other_ids = self._right.ids[self._second]
        may_be_synonyms = (similar < 1) & lexicon.may_share_sense(ids, other_ids)
        for k in may_be_synonyms.nonzero()[0].tolist():
            if are_synonyms(lexicon.wordnet, lexicon.bases[ids[k]], lexicon.bases[other_ids[k]]):
                similar[k] = 1.0
        # Words whose difference is told by another column.
        self._is_explained = (similar < 1) & lexicon.mark_misspellings(ids, other_ids)
        for k in self._is_explained.nonzero()[0].tolist():
            self.misspelled[int(self._pair[k])].add(self.aligned[k])
        is_same = (similar == 1) | self._is_explained
        self._n_same = np.bincount(self._pair[is_same], minlength=len(self))

    def _pair_opposites(self) -> None:
        """Make opposites partners unless one of them has a partner."""
        opposites = self.lexicon.opposites
        has_some = np.zeros(len(self.lexicon.words), dtype=bool)
        has_some[[*opposites]] = True
        for number, first, second in self.sentences.lists.only(has_some).pairs(self.sides):
            if all(opposites[i].isdisjoint(second) for i in first):
                continue
            left, right = self._sentence_numbers[number]
            opposed = _find_opposed(self.sentences[left], self.sentences[right], opposites)
            if not opposed:
                continue
            self.opposed[number] = opposed
            start = self.ends[number]
            partners = self.aligned[start : self.ends[number + 1]]
            for k, cell in enumerate(partners, start):
                if cell in opposed:
                    self._is_explained[k] = True
            # The order is the same if the sides are exchanged; cells of one word have other sums.
            for i, j in sorted(opposed, key=sum):
                if all(i != a and j != b for a, b in partners):
                    partners.append((i, j))
                    self.others[number].append((i, j))
                    self._left.take(number, i)
                    self._right.take(number, j)

    def _count_changes(self) -> None:
        sentences = self.sentences
        is_ordered = sentences.marks & Mark.ORDERED > 0
        ordered = sentences.lists.where(is_ordered, self.lexicon.base_numbers)
        shared = shared_ngrams(ordered, self.sides, 1)[0][0].astype(np.int64)
        left, right = self.sides
        self.only = ordered.lengths[left] - shared, ordered.lengths[right] - shared
        self.n_changed = self.only[0] + self.only[1]

    def have_words(self, words: frozenset[str]) -> tuple[Bools, Bools]:
        """Return which pairs have one of some words, or a form of it, on the left and right."""
        return self._have(self.lexicon.are_among(words))

    def _have(self, is_marked: Bools) -> tuple[Bools, Bools]:
        """Return which pairs have a marked word of the lexicon on the left and right."""
        having = np.zeros(len(self.sentences.texts), dtype=bool)
        having[self.sentences.owners[is_marked[self.sentences.lists.ids]]] = True
        left, right = self.sides
        return having[left], having[right]

    def either_has(self, mark: int) -> Bools:
        """Return the pairs with a token with a mark in at least one sentence."""
        left, right = self._have(self.lexicon.marks & mark > 0)
        return left | right

    def both_have(self, mark: int) -> Bools:
        """Return the pairs with a token with a mark in both sentences."""
        left, right = self._have(self.lexicon.marks & mark > 0)
        return left & right

    def differ_little(self, most: int) -> Bools:
        """Return the pairs whose words or their order differ, in ``most`` places at most."""
        return (self.n_changed > 0) & (self.n_changed <= most)

    def count_noun_partners(self) -> Ids:
        """Return how many nouns of each pair may have a noun as a partner, or a few more."""
        first = self.lexicon.kinds[self._left.ids[self._first]]
        second = self.lexicon.kinds[self._right.ids[self._second]]
        are_nouns = (first == ord("n")) & (second == ord("n"))
        counts = np.bincount(self._pair[are_nouns], minlength=len(self))
        for number, partners in self.others.items():
            counts[number] += len(partners)
        return counts

    def either_has_sign(self) -> Bools:
        """Return the pairs with a sentence that may have a number or letter with a sign."""
        having = np.array([may_have_sign(text) for text in self.sentences.texts], dtype=bool)
        left, right = self.sides
        return having[left] | having[right]

    def have_new_names(self) -> Bools:
        """Return the pairs in which one sentence has a name that the other lacks."""
        left, right = self.sentences.new_names
        return self.are([*left, *right])

    def are(self, numbers: Iterable[int]) -> Bools:
        """Return a mask of the pairs with some numbers."""
        mask = np.zeros(len(self), dtype=bool)
        mask[[*numbers]] = True
        return mask

    def share_kept(self) -> Floats:
        """Return the share of the words that have the same word as a partner; 1 if none is."""
        n_words = np.diff(self._left.starts) + np.diff(self._right.starts)
        share = np.ones(len(self))
        np.divide(2 * self._n_same, n_words, out=share, where=n_words > 0)
        return share

    def count_free(self) -> tuple[Ids, Ids]:
        """Count the words of each side without a partner, shape (n_pairs, n_groups) each."""
        return self._left.count_free(), self._right.count_free()

    def sum_losses(self) -> Floats:
        """Sum one minus the similarity of aligned words, by group, shape (n_pairs, n_groups)."""
        is_lost = (self._similar < 1) & ~self._is_explained
        pair = self._pair[is_lost]
        groups = self._left.groups[self._first[is_lost]]
        other_groups = self._right.groups[self._second[is_lost]]
        keys = np.concatenate([N_GROUPS * pair + groups, N_GROUPS * pair + other_groups])
        halves = np.tile((1 - self._similar[is_lost]) / 2, 2)
        # The sum of more than two numbers depends on their order, and that on the sides' order.
        order = halves.argsort()
        sums = np.bincount(keys[order], halves[order], N_GROUPS * len(self))
        return sums.astype(np.float64).reshape(-1, N_GROUPS)


def _find_opposed(first: Sentence, second: Sentence, opposites: dict[int, set[int]]) -> set[Cell]:
    """Find the positions of words and their opposites that one side has each."""
    places = {i: k for k, i in enumerate(first.ids) if i in opposites}
    other_places = {j: k for k, j in enumerate(second.ids) if j in opposites}
    return {
        (place, other_places[j])
        for i, place in places.items()
        for j in other_places.keys() & opposites[i]
        if first.bases[place] not in second.bases
        and second.bases[other_places[j]] not in first.bases
    }
