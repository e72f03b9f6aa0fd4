"""Differences that turn the meaning of a sentence around though most of its words stay."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from skpara._typing import Bools, Floats
from skpara.features._batch import PairBatch, family
from skpara.features._families import readings
from skpara.features._families.alignment import align
from skpara.features._families.edits import Edits
from skpara.features._families.quantities import VOCABULARY, kinds_of, words_of
from skpara.features._families.readings import AGENT, PATIENT, Mention
from skpara.features._kernels import MOST_WORDS, Ids, Lists, cells, shared_ngrams
from skpara.features._takelab import WORDNET_POS, is_content
from skpara.resources import WordFrequencies, WordNet

NAMES = (
    "negation_flip antonym_flip antonym_negated roles_swapped roles_kept modifiers_swapped "
    "number_flip number_added time_flip time_added name_flip name_added quantifier_flip "
    "quantifier_added attribute_flip flips words_kept nouns_changed verbs_changed "
    "descriptions_changed words_added words_misspelled"
).split()
FLIPS = [name for name in NAMES if name.endswith(("_flip", "_swapped"))]
# Kinds of mentions that have columns of their own; the others are times.
_COLUMNS = frozenset(["number", "name", "quantifier"])
# Columns that count; the others are the largest weight of a difference.
_COUNTED = frozenset(["antonym_flip", "antonym_negated", "roles_kept", "words_misspelled"])
# A difference of this weight is a reason to keep two sentences apart; others are hints.
REASON, _HINT = 1.0, 0.5
# Words that differ between two sentences if a changed number or name is all that matters, and if
# one word and those that depend on it have changed.
_MOST_CHANGED, _FEW = 6, 3
_ARTICLES = frozenset("a an the".split())
# Cosine of two nouns below which one does not stand for the other, and of two kinds of one thing,
# which WordNet's path similarity tells.
_UNLIKE, _UNLIKE_VERBS, _SIMILAR_KINDS, _ONE_KIND = 0.2, 0.1, 0.5, 0.3
_TINY = 1e-300  # a word without a vector is unlike no other
_AMOUNT_ENDS = readings.TIME_WORDS | readings.UNITS | {"%", "percent", "million", "billion"}
_PLAIN = words_of("no other person") | readings.NO_NAMES  # "Mr Smith" is "John Smith"
_PRONOUNS = ({"he", "she"}, {"him", "her"}, {"his", "her"}, {"himself", "herself"})
_GENDERED_WORDS = frozenset[str]().union(*_PRONOUNS)
_NOMINATIVE = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "i"}
# Characters in which dates are searched: more than the tokens that are read usually have.
_MOST_CHARACTERS = 16 * MOST_WORDS
# Words or mentions of each side without a counterpart that are compared with each other.
_MOST_COMPARED = 8
# Letters of a word that may have a wrong one, and two. Longer words are not compared. In running
# text, a misspelling is this many times as rare.
_ONE_WRONG, _TWO_WRONG, _LONGEST, _MOST_WRONG, _MUCH_RARER = 4, 8, 30, 2, 3
_GROUPS = {"n": 0, "t": 0, "v": 1, "j": 2, "r": 2}  # nouns, verbs, descriptions
_GROUP_OF_KIND = np.zeros(128, dtype=np.int64)
_GROUP_OF_KIND[[ord(kind) for kind in _GROUPS]] = [*_GROUPS.values()]
# Parts of speech that bear or have roles, and parts of speech that no name has.
_NOUNS, _VERBS, _AUXILIARIES, _NAMELESS = (
    np.frombuffer(kinds, dtype=np.uint8) for kinds in (b"n", b"vj", b"bx", b"!bx&sdp")
)
# Marks of tokens, and of pairs by the differences that they may have.
_WORD, _ORDERED, _MODAL, _MENTIONED, _GENDERED, _COLORED, _KNOWN = (1 << k for k in range(7))
_MODALITY, _OPPOSITES, _REPLACED, _REORDERED, _ROLES, _MENTIONS, _NAMES = (
    1 << k for k in range(7)
)
# "Anna sold it to Peter" is "Peter bought it from Anna": both verb and roles are exchanged.
_CONVERSE = frozenset(frozenset(pair.split("/")) for pair in words_of("converse"))
# Verbs that mean the same with subject and object exchanged.
_MUTUAL = words_of("mutual")
# Letters that name things, also sizes of batteries and of clothes, and Roman numerals.
_LETTERS = re.compile("[B-HJ-Z] [B-HJ-Z]|A+ A+|X*[SML] X*[SML]|[IVX]+ [IVX]+")
_BESIDE = frozenset(["near", "next", "beside", "alongside", "with"])
_BEARERS = re.compile("[njcdp]")  # parts of speech that have roles
_PHRASE, _AMOUNT = re.compile("[jv]*n+"), ("number", float)  # codes are strings
_EXCHANGED = {"j": "modifiers_swapped", "c": "number_flip", "d": "quantifier_flip"}
_CAUSES = frozenset("because if so unless".split())
_JOINING = frozenset("be as while than versus vs".split())
# Opposites that WordNet does not have: prepositions, and words like those that it has.
_OPPOSITES_OF: defaultdict[str, set[str]] = defaultdict(set)
for _groups in words_of("opposites"):
    for _group, _others in permutations(_groups.split("/")):
        for _word in _group.split(","):
            _OPPOSITES_OF[_word].update(_others.split(","))
# Beginnings and endings of words, with those of their opposites: "southbound", "employee".
_BEGINNINGS, _ENDINGS = VOCABULARY["opposite beginnings"], VOCABULARY["opposite endings"]
# Opposites only where nothing else differs: "must not" is "may not".
_ALONE = [{*pair.split("/")} for pair in words_of("opposites alone")]
# Kinds of these exclude each other however similar they are.
_EXCLUSIVE = words_of("exclusive kinds")
_RANKED, _NO_OPPOSITES = readings.QUANTIFIERS.keys() | readings.RANKS.keys(), {"here", "there"}
# Endings that tell the people of a place from the place.
_DEMONYM = re.compile(r"(?<=\w{3})(ian|ean|ia|an|ese|ish|is|i|n|s|a|e|y)s?$")
_ONE_NAME = kinds_of("one name")
# Prefixes of adjectives and verbs. A short remainder is often no word of its own.
_PREFIXES = {"JJ": ("un", "non", "dis", "in", "im", "ir", "il"), "VB": ("un", "dis", "mis", "de")}
_SHORTEST_REST = 4
# Texts have the same words again and again: 15 MB.
_CACHED_FACTS = 20_000


class Difference(NamedTuple):
    """A difference between two sentences: its column, and the positions of its tokens."""

    column: str
    first: Sequence[int]
    second: Sequence[int]
    weight: float = 1.0


class Sentence:
    """The first tokens of a sentence, with negation, roles and mentions."""

    def __init__(self, batch: Sentences, k: int) -> None:
        start, end = batch.ends[k], batch.ends[k + 1]
        self.ids, self.tokens = batch.ids[start:end], batch.tokens[start:end]
        self.classes, self.bases = batch.classes[start:end], batch.bases[start:end]
        self.cased, self.text = batch.cased[k][:MOST_WORDS], batch.texts[k][:_MOST_CHARACTERS]
        self.names = batch.names[batch.name_ends[k] : batch.name_ends[k + 1]]
        self._mentioned = batch.mentioned[batch.mention_ends[k] : batch.mention_ends[k + 1]]
        self._tags, self._has_order = batch.tags[k], batch.types.has_order

    @cached_property
    def negated(self) -> list[bool]:
        return readings.find_negated(self.tokens, self.classes)

    @cached_property
    def roles(self) -> dict[int, list[readings.Role]]:
        return readings.Roles(self.tokens, self.classes).of_nouns

    @cached_property
    def mentions(self) -> list[Mention]:
        """The numbers, times and quantifiers."""
        found = self._mentioned
        return readings.find_mentions(self.text, self.tokens, self._tags, found) if found else []

    @cached_property
    def meanings(self) -> list[tuple[set[readings.Meaning], set[readings.Meaning]]]:
        return [readings.meanings(mention, self.tokens) for mention in self.mentions]

    @cached_property
    def places(self) -> list[int]:
        """The positions of the words whose order matters."""
        return [k for k, i in enumerate(self.ids) if self._has_order[i]]

    @cached_property
    def order(self) -> list[str]:
        return [self.bases[k] for k in self.places]

    def lacking_in(self, other: Sentence) -> list[Mention]:
        """Return the mentions that another sentence lacks."""
        if not (self.mentions and other.mentions):
            return self.mentions
        said = set[readings.Meaning]().union(*(says for says, _ in other.meanings))
        written = said.union(*(numbers for _, numbers in other.meanings))
        return [
            mention
            for mention, (says, numbers) in zip(self.mentions, self.meanings, strict=True)
            if says.isdisjoint(written) and numbers.isdisjoint(said)
        ]

    def written(self, places: Iterable[int]) -> list[str]:
        """Return the words at some positions as they are written."""
        found, joined = [], readings.find_joined(self.text, self.tokens)
        for k in sorted({k for k in places if k >= 0}):
            is_amount = self.tokens[k][-1].isdigit() and self.tokens[k + 1 : k + 2]
            end = k + 1 + (bool(is_amount) and self.tokens[k + 1] in _AMOUNT_ENDS)  # "8 pm"
            found.append(joined.get(k) or " ".join(self.cased[k:end]))
        return found

    def counted(self, places: Iterable[int], is_plural: bool) -> dict[int, int]:
        """Return the nouns behind numbers or articles at some positions, and these."""
        found = ((_PHRASE.match(self.classes, k + 1), k) for k in places)
        nouns = ((match.end() - 1, k) for match, k in found if match)
        return {n: k for n, k in nouns if (self.tokens[n] != self.bases[n]) == is_plural}

    def identify(self, places: Iterable[int]) -> bool:
        """Return whether a number at some positions names a thing, as in "iPhone 13"."""
        codes = {m.place for m in self.mentions if m.kind == "number" and isinstance(m.value, str)}
        codes.update(place + 1 for place in self.names)
        return any(k in codes or (k > 0 and self.tokens[k - 1] == "#") for k in places)


class Facts(NamedTuple):
    """Properties of a token with its tag in any sentence."""

    kind: str
    base: str
    marks: int
    senses: int  # of 64 bits, synonyms have one in common
    forms: tuple[str, ...]
    opposites: frozenset[str]


_find_colors = lru_cache(1)(lambda wordnet: wordnet.descendants("color"))


@lru_cache(_CACHED_FACTS)
def _find_facts(wordnet: WordNet, word: str, tag: str) -> Facts:
    kind, pos = readings.word_class(word, tag), WORDNET_POS.get(tag)
    base = _NOMINATIVE.get(word) or (wordnet.lemma(word, pos) if pos else word)
    is_aligned = kind in "nvjt" or (kind == "r" and tag == "RB")
    is_word = is_aligned and is_content(word) and not word[0].isdigit()
    is_word = is_word and word not in readings.QUANTIFIERS and word not in readings.TIME_WORDS
    # "fell" is a verb of its own, and a form of "fall".
    # "Later" is also one of "late", as an adjective is.
    forms = {base, word if pos in ("v", "a") else base}.union(
        *(wordnet.base_forms(word, p) for p in ("ra" if pos == "r" else pos or ""))
    )
    rests = {word.removeprefix(prefix) for prefix in _PREFIXES.get(tag, ())} - {word}
    others = {rest for rest in rests if len(rest) >= _SHORTEST_REST}
    others.update(*map(wordnet.antonyms, forms), *(_OPPOSITES_OF.get(form, ()) for form in forms))
    for k in range(2, min(6, len(word) - 2)):
        if word[:k] in _BEGINNINGS:
            others.add(_BEGINNINGS[word[:k]] + word[k:])
        if base[-k:] in _ENDINGS:
            others.update(base[:-k] + ending for ending in _ENDINGS[base[-k:]])
    # WordNet has "all" and "some", which are compared as mentions.
    others -= _RANKED if word in _RANKED else _NO_OPPOSITES
    senses = wordnet.senses(base)
    marks = {
        _WORD: is_word,
        _ORDERED: kind not in ".," and word not in _ARTICLES,
        _MODAL: kind == "!" or word in readings.FAILURES | readings.FUTURE,
        _MENTIONED: readings.may_be_mentioned(word),
        _GENDERED: readings.plain_name(word) in _GENDERED_WORDS,
        _COLORED: not senses.isdisjoint(_find_colors(wordnet)),
        _KNOWN: senses,
    }
    found = sum(mark for mark, holds in marks.items() if holds)
    bits = sum({1 << sense % 64 for sense in senses})
    return Facts(kind, base, found, bits, tuple(forms), frozenset(others))


def _find_opposites(facts: Sequence[Facts]) -> dict[int, set[int]]:
    """Return the positions of the opposites of each word that has some."""
    opposable = [(i, fact.opposites) for i, fact in enumerate(facts) if fact.opposites]
    wanted = frozenset[str]().union(*(others for _, others in opposable))
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for i, fact in enumerate(facts):
        if not wanted.isdisjoint(fact.forms):
            for form in fact.forms:
                numbers[form].append(i)
    result: defaultdict[int, set[int]] = defaultdict(set)
    for i, others in opposable:
        for other in others:
            for j in numbers.get(other, ()):
                result[i].add(j)
                result[j].add(i)
    return dict(result)


class Types:
    """The distinct tokens of a batch, and which words are opposites, synonyms or misspellings."""

    def __init__(self, batch: PairBatch) -> None:
        tagged = batch.tagged
        self.words, self._wordnet = tagged.words, batch.wordnet
        keys = zip(self.words, tagged.tags, strict=True)
        facts = [_find_facts(batch.wordnet, word, tag) for word, tag in keys]
        self.classes, self.bases = [fact.kind for fact in facts], [fact.base for fact in facts]
        self.marks = np.array([fact.marks for fact in facts], dtype=np.int64)
        self.kinds = np.frombuffer("".join(self.classes).encode("ascii"), dtype=np.uint8)
        self._senses = np.array([fact.senses for fact in facts], dtype=np.uint64)
        self.lengths = np.array([*map(len, self.bases)], dtype=np.int64)
        self.base_numbers = Lists.of([self.bases])[1].ids
        self.is_word = (self.marks & _WORD > 0).tolist()
        self.has_order = (self.marks & _ORDERED > 0).tolist()
        self.opposites = _find_opposites(facts)
        self._kinds = frozenset[int]().union(*map(batch.wordnet.senses, _EXCLUSIVE))
        self._vectors = batch.tagged_vectors

    def may_share(self, first: Ids, second: Ids) -> Bools:
        """Return where words may have a sense in common."""
        return self._senses[first] & self._senses[second] > 0

    def misspell(self, first: Ids, second: Ids) -> Bools:
        """Return where one word is a misspelling of the other, as :meth:`misspells` does."""
        found: Bools = self.marks[first] & self.marks[second] & _KNOWN == 0
        found &= abs(self.lengths[first] - self.lengths[second]) <= _MOST_WRONG
        for k in np.flatnonzero(found).tolist():
            found[k] = self.misspells(self.bases[first[k]], self.bases[second[k]])
        return found

    def are_synonyms(self, first: str, second: str) -> bool:
        """Return whether two base forms are equal or have a sense in common."""
        senses = self._wordnet.senses
        return first == second or not senses(first).isdisjoint(senses(second))

    def exclude(self, i: int, j: int, alone: bool, named: bool) -> bool:
        """Return whether a word hardly describes what another one does.

        That is so for colours; and where nothing else differs, for nouns with unlike vectors and
        for two kinds of one thing, but not for a thing and a kind of it, nor for persons: a man
        may be a hiker. A name and another word are no kinds of persons either.
        """
        wordnet, bases = self._wordnet, (self.bases[i], self.bases[j])
        if self.marks[i] & self.marks[j] & _COLORED:
            return not self.are_synonyms(*bases)
        senses = [wordnet.senses(base) for base in bases]
        known, are_nouns = all(senses), {self.classes[i], self.classes[j]} <= {"n", "t"}
        is_comparable = named or known == any(senses)
        are_verbs = known and self.classes[i] == self.classes[j] == "v"
        if not (alone and is_comparable and (are_nouns or are_verbs or not known)):
            return False
        a, b = self._vectors[[i, j]].astype(float)
        cosine = a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), _TINY)
        if are_verbs and cosine >= _UNLIKE_VERBS:
            return False
        above = [wordnet.ancestors(base) for base in bases]
        common = above[0] & above[1] if known else above[0] | above[1]
        are_kinds = known and not common.isdisjoint(self._kinds)
        is_name = not known and self._resemble(*bases)
        # Most animals are persons in a figurative sense, too.
        persons = frozenset() if are_kinds else wordnet.senses("person")
        is_other = cosine < _SIMILAR_KINDS or are_kinds or is_name
        if not is_other or common & (senses[0] & above[1] | senses[1] & above[0] | persons):
            return False
        is_far = cosine < _UNLIKE or are_kinds or not known
        return bool(is_far or wordnet.similarities(bases, *np.array([[0], [1]]))[0] >= _ONE_KIND)

    def are_one_name(self, first: str, second: str) -> bool:
        """Return whether two names stand for the same: "India", "Indian" or "Burma", "Myanmar"."""
        first, second = _ONE_NAME.get(first, first), _ONE_NAME.get(second, second)
        stems = ({name, _DEMONYM.sub("", name)} for name in (first, second))
        return bool(
            # Stems have three letters or more.
            (first[:3] == second[:3] and set.intersection(*stems))
            or self.are_synonyms(first, second)
            or self.misspells(first, second)
            or self._abbreviates(first, second)
        )

    def _abbreviates(self, first: str, second: str) -> bool:
        """Return whether one word shortens the other, as "St" does "Street"."""
        short, long = sorted((first, second), key=len)
        letters = iter(long)
        return (
            short[0] == long[0]
            and (short[-1] == long[-1] or (len(short) > 2 and long.startswith(short)))
            and (len(short) == 2 or not self._wordnet.senses(short))
            and all(letter in letters for letter in short)
        )

    def misspells(self, first: str, second: str) -> bool:
        """Return whether one word is a misspelling of the other: WordNet lacks one of them."""
        return self._resemble(first, second) and not _are_two_words(first, second)

    def _resemble(self, first: str, second: str) -> bool:
        """Return whether few letters differ between two words, one of which WordNet lacks."""
        length = max(len(first), len(second))
        most = (length >= _ONE_WRONG) + (length >= _TWO_WRONG)
        return (
            abs(len(first) - len(second)) <= most
            and length <= _LONGEST
            and OSA.distance(first, second, score_cutoff=most) <= most
            and (first + second).isalpha()
            and not (self._wordnet.senses(first) and self._wordnet.senses(second))
        )


def _are_two_words(first: str, second: str) -> bool:
    """Return whether neither of two words is so much rarer that it may misspell the other."""
    rare, frequent = sorted(map(WordFrequencies.load().probability, (first, second)))
    is_form = first.startswith(second) or second.startswith(first)
    return rare > frequent / _MUCH_RARER and (first + second).isascii() and not is_form


class Sentences:
    """The sentences of a batch as arrays, and one at a time where it is read."""

    def __init__(self, batch: PairBatch) -> None:
        self.types, takelab = Types(batch), batch.takelab
        self.texts, self.cased, self.tags = takelab.texts, takelab.tokens, takelab.tags
        self.lists = batch.tagged.ids.head(MOST_WORDS)
        self.owners, self.positions = self.lists.owners, _positions(self.lists)
        self.marks = self.types.marks[self.lists.ids]
        self.kinds = self.types.kinds[self.lists.ids]
        self.classes = self.kinds.tobytes().decode("ascii")
        self.ids, self.ends = self.lists.ids.tolist(), self.lists.offsets.tolist()
        self.tokens = [self.types.words[i] for i in self.ids]
        self.bases = [self.types.bases[i] for i in self.ids]
        mentioned = Lists(self.positions, self.lists.offsets).where(self.marks & _MENTIONED > 0)
        self.mentioned, self.mention_ends = mentioned.ids.tolist(), mentioned.offsets.tolist()
        # Positions of the names of each side that the other side lacks, by pair.
        self.new_names = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        self._find_names(batch)
        self._read: dict[int, Sentence] = {}

    def __getitem__(self, k: int) -> Sentence:
        if k not in self._read:
            self._read[k] = Sentence(self, k)
        return self._read[k]

    def having(self, tokens: NDArray[Any]) -> Bools:
        """Return which sentences have one of the tokens that are marked."""
        return np.bincount(self.owners[tokens > 0], minlength=len(self.texts)) > 0

    def _find_names(self, batch: PairBatch) -> None:
        """Find the names, and those that the other side of a pair lacks."""
        takelab, n = batch.takelab, len(self.texts)
        cased, lowered = (x.head(MOST_WORDS).ids for x in (takelab.cased_ids, takelab.ids))
        numbers = {token: i for i, token in enumerate(takelab.distinct)}
        for token in [token for token in numbers if "." in token]:
            numbers[token] = numbers.setdefault(readings.plain_name(token), len(numbers))
        plain = np.array([numbers[token] for token in takelab.distinct], dtype=np.int64)[lowered]
        tests = (lambda t: t[0].isupper(), str.isalpha, readings.may_be_name)
        upper, letters, may_be = (
            np.array([*map(test, takelab.cased)], dtype=bool)[cased] for test in tests
        )
        # In headlines every word may be capitalized.
        n_upper, n_letters = (np.bincount(self.owners[x], minlength=n) for x in (upper, letters))
        is_headline = (n_upper > 3) & (2 * n_upper > n_letters)
        inside = (self.positions > 0) & ~is_headline[self.owners]
        is_name = may_be & (inside | batch.tagged.proper.head(MOST_WORDS).ids > 0)
        is_name &= ~np.isin(self.kinds, _NAMELESS)
        is_last = self.positions[1:] == 0
        is_name[:-1] &= is_last | (lowered[1:] != numbers.get("$", -1))  # "US$5"
        names = Lists(self.positions, self.lists.offsets).where(is_name)
        self.names, self.name_ends = names.ids.tolist(), names.offsets.tolist()
        # A name may be written in small letters on the other side.
        known, values = np.sort(self.owners * len(numbers) + plain), plain[is_name]
        for new, own, other in zip(
            self.new_names, takelab.sides, takelab.sides[::-1], strict=True
        ):
            pair, places = np.arange(len(own)).repeat(names.lengths[own]), names.places(own)
            keys = other[pair] * len(numbers) + values[places]
            is_new = known.searchsorted(keys, "right") == known.searchsorted(keys)
            found = pair[is_new].tolist(), names.ids[places[is_new]].tolist()
            for p, place in zip(*found, strict=True):
                new[p].append(place)


def _positions(lists: Lists) -> Ids:
    """Return the position of each item in its list."""
    return np.arange(len(lists.ids)) - lists.offsets[:-1].repeat(lists.lengths)


class Side:
    """The words of one side of each pair, one after another."""

    def __init__(self, types: Types, words: Lists, places: Ids, rows: Ids) -> None:
        items, lengths = words.places(rows), words.lengths[rows]
        self.types, self.places = words.ids[items], places[items]
        self.groups = _GROUP_OF_KIND[types.kinds[self.types]]
        self.owners = np.arange(len(rows)).repeat(lengths)
        self.starts = np.append(0, lengths.cumsum())
        self.is_free = np.ones(len(items), dtype=bool)  # has no partner

    def take(self, pair: int, place: int) -> None:
        """Note that the word at a position, if it is one, has a partner."""
        own = slice(*self.starts[pair : pair + 2])
        self.is_free[own] &= self.places[own] != place

    def rest(self) -> Lists:
        """Return the first words of each pair that have no partner."""
        items = np.flatnonzero(self.is_free)
        n_each = np.bincount(self.owners[items], minlength=len(self.starts) - 1)
        return Lists(items, np.append(0, n_each.cumsum())).head(_MOST_COMPARED)

    def count(self) -> Ids:
        """Count the words without a partner by pair and group, shape (n_pairs, 3)."""
        keys = (3 * self.owners + self.groups)[self.is_free]
        return np.bincount(keys, minlength=3 * len(self.starts) - 3).reshape(-1, 3)


class Comparisons:
    """The words of all pairs of a batch, aligned and counted.

    Arrays show which differences a pair may have. Only these are searched, one pair at a time.
    """

    def __init__(self, batch: PairBatch) -> None:
        self.sentences = sentences = Sentences(batch)
        self.types, self.sides, self.n_pairs = sentences.types, batch.takelab.sides, len(batch)
        is_word = sentences.marks & _WORD > 0
        words, places = sentences.lists.where(is_word), sentences.positions[is_word]
        self._words = [Side(self.types, words, places, side) for side in self.sides]
        # Partners that are not aligned, opposites and misspelled words, by pair.
        self.others: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self.opposed: dict[int, set[tuple[int, int]]] = {}
        self.misspelled: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        self._align(batch, words)
        self._pair_opposites()
        self._pair_rest()

    def _align(self, batch: PairBatch, words: Lists) -> None:
        bases = self.types.base_numbers
        empty = [np.empty(0, dtype=np.int64)] * 3 + [np.empty(0)]
        found = align(batch, words, lambda a, b: bases[a] == bases[b])
        pair, *items, similar = map(np.concatenate, zip(empty, *found, strict=True))
        for k, (side, rows) in enumerate(zip(self._words, self.sides, strict=True)):
            items[k] += side.starts[pair] - words.offsets[rows[pair]]
            side.is_free[items[k]] = False
        self._pair, self._items, self._similar = pair, items, similar
        types = [side.types[own] for side, own in zip(self._words, items, strict=True)]
        places = (s.places[own].tolist() for s, own in zip(self._words, items, strict=True))
        self.aligned = list(zip(*places, strict=True))
        self.ends = pair.searchsorted(np.arange(self.n_pairs + 1)).tolist()
        for k in np.flatnonzero((similar < 1) & self.types.may_share(*types)).tolist():
            if self.types.are_synonyms(*(self.types.bases[own[k]] for own in types)):
                similar[k] = 1.0
        self._is_explained = (similar < 1) & self.types.misspell(*types)
        for k in np.flatnonzero(self._is_explained).tolist():
            self.misspelled[int(pair[k])].add(self.aligned[k])
        is_same = (similar == 1) | self._is_explained
        self._n_same = np.bincount(pair[is_same], minlength=self.n_pairs)

    def _pair_opposites(self) -> None:
        """Make opposites partners unless one of them has a partner."""
        opposites = self.types.opposites
        has_some = np.zeros(len(self.types.words), dtype=bool)
        has_some[[*opposites]] = True
        for p, first, second in self.sentences.lists.only(has_some).pairs(self.sides):
            if all(opposites[i].isdisjoint(second) for i in first):
                continue
            if opposed := self._find_opposed(*(self.sentences[side[p]] for side in self.sides)):
                self.opposed[p] = opposed
                start, end = self.ends[p : p + 2]
                partners = self.aligned[start:end]
                for k, places in enumerate(partners, start):
                    self._is_explained[k] |= places in opposed
                # The order is the same if the sides are exchanged.
                for i, j in sorted(opposed, key=lambda cell: (sum(cell), abs(cell[0] - cell[1]))):
                    if all(i != a and j != b for a, b in partners):
                        partners.append((i, j))
                        self._pair_up(p, i, j)

    def _find_opposed(self, first: Sentence, second: Sentence) -> set[tuple[int, int]]:
        """Find the positions of words and their opposites that one side has each."""
        opposites = self.types.opposites
        places, others = (
            {i: k for k, i in enumerate(side.ids) if i in opposites} for side in (first, second)
        )
        return {
            (k, others[j])
            for i, k in places.items()
            for j in others.keys() & opposites[i]
            if first.bases[k] not in second.bases and second.bases[others[j]] not in first.bases
        }

    def _pair_up(self, pair: int, i: int, j: int) -> None:
        self.others[pair].append((i, j))
        for side, place in zip(self._words, (i, j), strict=True):
            side.take(pair, place)

    def _pair_rest(self) -> None:
        """Make other synonyms, and misspelled words, partners."""
        types, rest = self.types, [side.rest() for side in self._words]
        pairs = np.arange(self.n_pairs)
        pair, first, second = cells(rest[0].append(rest[1]), (pairs, pairs + self.n_pairs))
        items = [rest[0].ids[first], rest[1].ids[second - len(rest[0].ids)]]
        own, other = (s.types[k] for s, k in zip(self._words, items, strict=True))
        may_be = (types.kinds[own] == types.kinds[other]) & types.may_share(own, other)
        is_misspelled = types.misspell(own, other)
        kept = np.flatnonzero(may_be | is_misspelled)
        i, j = (s.places[k[kept]] for s, k in zip(self._words, items, strict=True))
        # The order is the same if the sides are exchanged.
        order = np.lexsort((i, abs(i - j), i + j, pair[kept]))
        columns = pair[kept], i, j, *(x[kept] for x in (own, other, may_be, is_misspelled))
        taken = set[tuple[int, int]]()
        for p, a, b, x, y, *may in zip(*(x[order].tolist() for x in columns), strict=True):
            if not taken.isdisjoint([(p, a), (~p, b)]):
                continue
            if not (may[0] and types.are_synonyms(types.bases[x], types.bases[y])):
                if not may[1]:
                    continue
                self.misspelled[p].add((a, b))
            self._n_same[p] += 1
            taken |= {(p, a), (~p, b)}
            self._pair_up(p, a, b)

    def columns(self) -> Floats:
        """Return the features in the order of ``NAMES``, shape (n_pairs, n_features)."""
        values = dict(zip(NAMES, np.zeros((len(NAMES), self.n_pairs)), strict=True))
        for p, comparison in self:
            for column, *_, weight in comparison.differences():
                old = values[column][p]
                values[column][p] = old + weight if column in _COUNTED else max(old, weight)
        values["flips"] += sum(np.minimum(1.0, values[flip]) for flip in FLIPS)
        for p, places in self.misspelled.items():
            values["words_misspelled"][p] = len(places)
        n_words = sum(np.diff(side.starts) for side in self._words)
        np.divide(2 * self._n_same, n_words, out=values["words_kept"], where=n_words > 0)
        values["words_kept"][n_words == 0] = 1.0
        first, second = (side.count() for side in self._words)
        changed = np.minimum(first, second) + self._losses()
        names = "nouns_changed", "verbs_changed", "descriptions_changed"
        values |= dict(zip(names, changed.T, strict=True))
        values["words_added"] += abs(first - second).sum(axis=1)
        return np.array([*values.values()]).T

    def _losses(self) -> Floats:
        """Sum one minus the similarity of aligned words, by group, shape (n_pairs, 3)."""
        lost = (self._similar < 1) & ~self._is_explained
        groups = [s.groups[k[lost]] for s, k in zip(self._words, self._items, strict=True)]
        keys = np.concatenate([3 * self._pair[lost] + group for group in groups])
        halves = np.tile((1 - self._similar[lost]) / 2, 2)
        # The sum of more than two numbers depends on their order, and that on the sides' order.
        order = halves.argsort()
        sums = np.bincount(keys[order], halves[order], 3 * self.n_pairs)
        return sums.astype(np.float64).reshape(-1, 3)

    def __iter__(self) -> Iterator[tuple[int, Comparison]]:
        """Yield the numbers of the pairs that may have a difference, and what tells it."""
        may_differ = self._may_differ()
        for p in np.flatnonzero(may_differ).tolist():
            yield p, Comparison(self, p, int(may_differ[p]))

    def _may_differ(self) -> Ids:
        """Return which differences each pair may have, as a sum of marks."""
        sentences, types, sides = self.sentences, self.types, self.sides

        def having(tokens: NDArray[Any]) -> list[Bools]:
            return [sentences.having(tokens)[side] for side in sides]

        ordered = sentences.marks & _ORDERED > 0
        order = sentences.lists.where(ordered, types.base_numbers)
        shared = shared_ngrams(order, sides, 1)[0]
        only = [order.lengths[side] - shared for side in sides]
        self.n_changed = only[0] + only[1]
        is_replaced = (only[0] > 0) & (only[1] > 0) & (self.n_changed <= _MOST_CHANGED)
        is_special = self.n_changed == 2
        for mark in (_COLORED, _GENDERED):
            is_special |= np.logical_and(*having(sentences.marks & mark))
        kinds = [types.kinds[s.types[k]] for s, k in zip(self._words, self._items, strict=True)]
        equal = [(kinds[0] == kinds[1]) & np.isin(kinds[0], some) for some in (_NOUNS, _VERBS)]
        numbers = np.arange(self.n_pairs)
        are_nouns, are_verbs = (np.isin(numbers, self._pair[mask]) for mask in equal)
        are_verbs |= np.logical_and(*having(np.isin(sentences.kinds, _AUXILIARIES)))
        may = {
            _MODALITY: np.logical_or(*having(sentences.marks & _MODAL)),
            _OPPOSITES: np.isin(numbers, [*self.opposed]),
            _REPLACED: is_replaced & is_special,
            _REORDERED: self.n_changed == 0,
            _ROLES: (are_nouns & are_verbs) | np.isin(numbers, [*self.others]),
            _MENTIONS: np.logical_or(*having(sentences.marks & _MENTIONED)),
            _NAMES: np.isin(numbers, [*sentences.new_names[0], *sentences.new_names[1]]),
        }
        marks: Ids = sum(mark * holds for mark, holds in may.items())
        return marks


class Comparison:
    """Two sentences and how their words correspond."""

    def __init__(self, pairs: Comparisons, number: int, may: int) -> None:
        self.first, self.second = (pairs.sentences[side[number]] for side in pairs.sides)
        self._types, self._may, self._n_changed = pairs.types, may, int(pairs.n_changed[number])
        self._aligned = pairs.aligned[pairs.ends[number] : pairs.ends[number + 1]]
        # The word of the second sentence that belongs to a word of the first one.
        self.partner = dict(self._aligned)
        if number in pairs.others:
            self.partner.update(pairs.others[number])
        self.opposed = pairs.opposed.get(number, set())
        self.misspelled = pairs.misspelled.get(number, set())
        self._new_names = [new.get(number, ()) for new in pairs.sentences.new_names]

    def _bases(self, i: int, j: int) -> tuple[str, str]:
        return self.first.bases[i], self.second.bases[j]

    def differences(self) -> Iterator[Difference]:
        """Find all differences, and the tokens that are responsible for them."""
        if self._may & _MODALITY:
            yield from self._polarity()
            yield from self._tenses()
        if self._may & _OPPOSITES:
            yield from self._opposites()
        if self._may & _REPLACED:
            yield from self._replaced()
        exchanged = list(self._exchanged()) if self._may & _REORDERED else ()
        yield from exchanged
        if self._may & _ROLES:
            for role in self._roles():
                if not exchanged or role.column == "roles_kept":
                    yield role
        if self._may & (_MENTIONS | _NAMES):
            yield from self._mentions()

    def _polarity(self) -> Iterator[Difference]:
        """Find words that one side negates."""
        negated = self.first.negated, self.second.negated
        if not any(map(any, negated)):
            return
        classes = self.first.classes, self.second.classes
        predicates: list[list[tuple[int, int]]] = [[], []]  # of equal and of different polarity
        nouns = []
        for i, j in self._aligned:
            differs = negated[0][i] != negated[1][j]
            if (i, j) in self.opposed:
                continue
            if not {classes[0][i], classes[1][j]}.isdisjoint("vjr"):
                predicates[differs].append((i, j))
            elif differs:
                nouns.append((i, j))
        # Which nouns are behind a negated verb depends on the order of words.
        of_nouns = not predicates[0] or self._n_changed == 1
        of_nouns |= any("!" in (classes[0][i], classes[1][j]) for i, j in self.opposed)
        found = predicates[1] or (nouns if of_nouns else [])
        # "not possible to win" is "impossible to win".
        opposed = [(i, j) for i, j in self.opposed if classes[0][i] in _GROUPS]
        if found and not any(negated[0][i] != negated[1][j] for i, j in opposed):
            one_sided = any(negated[0]) != any(negated[1])
            is_other = one_sided or classes[0].count("!") != classes[1].count("!")
            weight = REASON if is_other else _HINT
            places, others = zip(*found, strict=True)
            yield Difference("negation_flip", places, others, weight)

    def _tenses(self) -> Iterator[Difference]:
        """Find verbs that are past in one sentence and to come in the other one."""
        first, second = self.first, self.second
        is_first = readings.FUTURE.isdisjoint(first.tokens)  # whether it may be past
        if self._n_changed > _FEW or is_first == readings.FUTURE.isdisjoint(second.tokens):
            return
        past, future = (first, second) if is_first else (second, first)
        has_past = not readings.PAST.isdisjoint({*past.tokens} - {*future.tokens})
        for places in self._aligned:
            i, j = places if is_first else places[::-1]
            is_form = past.tokens[i] != past.bases[i] == future.tokens[j]
            is_past = has_past or (is_form and not past.tokens[i].endswith(("s", "ing")))
            if past.classes[i] == "v" and is_past:
                yield Difference("time_flip", places[:1], places[1:])

    def _opposites(self) -> Iterator[Difference]:
        exchanged = any(kind == "converse" for kind, *_ in self._role_changes())
        for i, j in self.opposed:
            kinds = {self.first.classes[i], self.second.classes[j]}
            is_all = "!" not in kinds and self._is_only_change(i, j)
            if not (is_all or self._may_oppose(kinds, *self._bases(i, j))):
                continue
            if any(m.place == i and m.kind == "quantifier bound" for m in self.first.mentions):
                continue
            if self.first.negated[i] != self.second.negated[j]:
                yield Difference("antonym_negated", (i,), (j,))
            elif not exchanged:
                yield Difference("antonym_flip", (i,), (j,))

    def _is_only_change(self, i: int, j: int) -> bool:
        """Whether nothing but a word and its opposite differs, or "in" and "out of"."""
        replaced = self._replacements if self._n_changed <= _FEW else []
        return len(replaced) == 1 and replaced[0][0] - i in (0, 1) and replaced[0][1] - j in (0, 1)

    def _may_oppose(self, kinds: set[str], first: str, second: str) -> bool:
        """Whether opposites are so where other words differ: not "turned out" and "in the end"."""
        if kinds == {"p"}:  # "A before B" is "B after A"
            pairs = (product(*self._roles_of(noun)) for noun in self.first.roles)
            return any((a, b) == (first, second) for roles in pairs for (a, _), (b, _) in roles)
        return kinds <= _GROUPS.keys()

    def _roles_of(self, noun: int) -> tuple[Sequence[tuple[str, int]], Sequence[tuple[str, int]]]:
        """Return the roles of a noun of the first sentence and of its partner."""
        partner = self.partner.get(noun, -1)
        return self.first.roles.get(noun, ()), self.second.roles.get(partner, ())

    def _roles(self) -> Iterator[Difference]:
        changes = defaultdict(list)
        for kind, noun, role, other in self._role_changes():
            if kind == "kept":
                yield Difference("roles_kept", (noun,), (self.partner[noun],))
            elif kind == "changed":
                changes[role, other].append(noun)
        swapped = [
            noun for (a, b), nouns in changes.items() if (b, a) in changes for noun in nouns
        ]
        is_swap = len({self.first.bases[noun] for noun in swapped}) > 1
        weight = REASON if is_swap and self._n_changed <= _MOST_CHANGED else _HINT
        found = swapped or [*changes[AGENT, PATIENT], *changes[PATIENT, AGENT]]
        if found:
            partners = [self.partner[noun] for noun in found]
            yield Difference("roles_swapped", found, partners, weight)

    def _role_changes(self) -> Iterator[tuple[str, int, str, str]]:
        """Yield whether a role is kept, changed or converse; the noun; and the roles."""
        for noun in self.first.roles:
            roles, others = self._roles_of(noun)
            for (role, verb), (other, other_verb) in product(roles, others):
                if not self._is_same_verb(verb, other_verb):
                    continue
                if role == other:
                    yield "kept", noun, role, other
                elif (other, verb) in roles or (role, other_verb) in others:
                    continue  # a noun may have both roles
                elif verb >= 0 and self._explains(verb, other_verb, role, other):
                    yield "converse", noun, role, other
                else:
                    yield "changed", noun, role, other

    def _is_same_verb(self, verb: int, other: int) -> bool:
        if verb < 0:
            return other < 0
        # "is open" is no passive, as "is closed" may be.
        same_class = self.first.classes[verb] == self.second.classes[other]
        return same_class and self.partner.get(verb) == other

    def _explains(self, verb: int, other_verb: int, role: str, other: str) -> bool:
        """Whether exchanged roles mean the same: "marry", "buy" and "sell", "taller" ..."""
        first, second = self._bases(verb, other_verb)
        if first == second:
            return first in _MUTUAL or first == "say"  # "said Anna" is "Anna said"
        return frozenset((first, second)) in _CONVERSE or (
            "than" in (role, other) and (verb, other_verb) in self.opposed
        )

    @cached_property
    def _replacements(self) -> list[tuple[int, int]]:
        """The positions of words of the first sentence, and of those in their place."""
        pairs = Edits(self.first.order, self.second.order).replaced()
        return [(self.first.places[a], self.second.places[b]) for a, b in pairs]

    def _replaced(self) -> Iterator[Difference]:
        """Find words in the place of words that they exclude."""
        first, second = self.first, self.second
        for i, j in self._replacements:
            if first.bases[i] in second.bases or second.bases[j] in first.bases:
                continue
            words = readings.plain_name(first.tokens[i]), readings.plain_name(second.tokens[j])
            n_names = (i in first.names) + (j in second.names)
            if self._n_changed == 2 and {*words} in _ALONE and "not" not in first.tokens:
                yield Difference("antonym_flip", (i,), (j,))
            if n_names == 2 or (i, j) in self.opposed | self.misspelled or _PLAIN & {*words}:
                continue
            types, ids = self._types, (first.ids[i], second.ids[j])
            alone = self._n_changed == 2 and types.is_word[ids[0]] and types.is_word[ids[1]]
            # Only one of the first words of two sentences may be known as a name.
            are_names = n_names and alone and f"{first.cased[i]} {second.cased[j]}".istitle()
            if are_names and not types.are_one_name(*words):
                yield Difference("name_flip", (i,), (j,))
            elif {*words} in _PRONOUNS or types.exclude(*ids, alone, n_names == 1):
                yield Difference("attribute_flip", (i,), (j,))

    def _exchanged(self) -> Iterator[Difference]:
        """Find two phrases that changed places, as in "from Oslo to Rome"."""
        first, second = self.first, self.second
        for before, between, after, exchanged in Edits(first.order, second.order).exchanged():
            parts = [[first.places[k] for k in part] for part in (before, between, after)]
            kinds = ["".join(first.classes[k] for k in part) for part in parts]
            bases = [first.bases[k] for k in parts[1]]
            relations = {b: k for k, b in zip(kinds[1], bases, strict=True) if k in "vp"}
            verbs = [base for base, kind in relations.items() if kind == "v"]
            kind = kinds[0] if kinds[0] == kinds[2] else ""
            # "white shirt and black pants"
            are_adjectives = kind == "j" and "n" in kinds[1]
            # Nouns behind prepositions, whatever their tags are.
            are_governed = kinds[1][-1:] == first.classes[: parts[0][0]][-1:] == "p"
            have_roles = are_governed or all(map(_BEARERS.search, kinds[::2]))
            is_relation = are_adjectives or not _JOINING.issuperset(relations)
            # "won 3-1" and "won 1-3"
            is_other = kind == "c" or not _CAUSES.isdisjoint(bases)
            if (
                (is_other or (is_relation and have_roles))
                and not ("say" in verbs and re.search("[vb]", kinds[0] + kinds[2]))
                and _BESIDE.isdisjoint(bases)
                and (kind in _EXCHANGED or _MUTUAL.isdisjoint(verbs or first.bases))
            ):
                column = _EXCHANGED.get(kind, "roles_swapped")
                places = [second.places[k] for k in exchanged]
                yield Difference(column, parts[0] + parts[2], places)

    def _mentions(self) -> Iterator[Difference]:
        """Find mentions that one side lacks."""
        sides = self.first, self.second
        only = [*self._names] if self._may & _NAMES else [[], []]
        if self._may & _MENTIONS:
            for k in range(2):
                only[k] = only[k] + sides[k].lacking_in(sides[1 - k])
        only = [readings.as_one_kind(*only), readings.as_one_kind(*only[::-1])]
        for kind in sorted({mention.kind for mention in only[0] + only[1]}):
            places, others = ([m.place for m in side if m.kind == kind] for side in only)
            column = kind.split()[0] if kind.split()[0] in _COLUMNS else "time"
            added = {m.value for side in only for m in side if m.kind == kind}
            is_flip = (places and others) or (added == {"only"} and self._n_changed == 1)
            suffix = "flip" if is_flip else "added"
            is_hint = is_flip and self._n_changed > _MOST_CHANGED
            weight = _HINT if is_hint else REASON
            yield Difference(f"{column}_{suffix}", places, others, weight)

    @cached_property
    def _backwards(self) -> dict[int, int]:
        """The word of the first sentence that belongs to a word of the second one."""
        return {j: i for i, j in self.partner.items()}

    def unlisted(self) -> Iterator[Difference]:
        """Find differences that no column has: of counts, letters and added names."""
        for find in (self._counts, self._added_names, self._letters):
            yield from find()

    def _letters(self) -> Iterator[Difference]:
        """Find "vitamin C" in the place of "vitamin D", and "AA" in the place of "AAA"."""
        for i, j in self._replacements if 0 < self._n_changed <= _MOST_CHANGED else ():
            if _LETTERS.fullmatch(f"{self.first.cased[i]} {self.second.cased[j]}"):
                yield Difference("number_flip", (i,), (j,))

    def _added_names(self) -> Iterator[Difference]:
        """Find a name that one side adds, as in "in Oslo", but no fuller form of a name."""
        only = self._names if self._may & _NAMES else [[], []]
        if all(only) or not 0 < self._n_changed <= _MOST_CHANGED:
            return
        found: list[list[int]] = [[], []]
        sides = (self.first, self.partner), (self.second, self._backwards)
        for k, (side, partner) in enumerate(sides):
            places = {mention.place for mention in only[k]}
            others = {*side.names} - places
            # Numbers and the names behind them, as in "iPhone 13 Pro Max".
            models = {m.place for m in side.mentions if m.kind == "number"}
            models.update(i for i in side.names if i - 1 in models)  # in order, one by one
            found[k] = [
                i for i in sorted(places - partner.keys())
                if (others.isdisjoint((i - 1, i + 1)) or i in models)
                and side.tokens[i] not in _AMOUNT_ENDS  # "16 GB"
            ]  # fmt: skip
        if any(found):
            yield Difference("name_flip", found[0], found[1])

    def _counts(self) -> Iterator[Difference]:
        """Find "a dog" in the place of "two dogs"."""
        if not self._may & _MENTIONS or self._n_changed > _MOST_CHANGED:
            return
        first, second, backwards = self.first, self.second, self._backwards
        for side, other, partner in (first, second, self.partner), (second, first, backwards):
            articles = [k for k, word in enumerate(other.tokens) if word in ("a", "an")]
            numbers = [m.place for m in side.mentions if (m.kind, type(m.value)) == _AMOUNT]
            single = other.counted(articles, is_plural=False)
            for noun, place in side.counted(numbers, is_plural=True).items():
                one = partner.get(noun, -1)
                if one in single and other.bases.count(other.bases[one]) == 1:
                    a, b = (place, noun), (single[one], one)
                    yield Difference("number_flip", *((a, b) if side is first else (b, a)))

    @cached_property
    def _names(self) -> list[list[Mention]]:
        """Return the names of each side that do not stand for a name of the other one."""
        found, sides = [], (self.first, self.second)
        known = readings.find_acronyms(*(side.cased for side in sides))
        values = [[readings.plain_name(side.cased[i]) for i in side.names] for side in sides]
        are_one = self._types.are_one_name
        for side, new, others in zip(sides, self._new_names, values[::-1], strict=True):
            names = [Mention("name", readings.plain_name(side.cased[i]), i) for i in new]
            names = [name for name in names if name.value not in known][:_MOST_COMPARED]
            others = others[:_MOST_COMPARED]
            found.append([m for m in names if not any(are_one(m.value, o) for o in others)])
        return found


def compute(batch: PairBatch) -> Floats:
    """Find differences that turn the meaning around. All features are symmetric.

    Words are nouns, verbs, adjectives and adverbs, but not quantifiers and times. They are aligned
    one to one as in "aligned_content", with base forms and synonyms; then misspelled words.

    negation_flip
        1 if a word is negated on one side only ("not", "no", "never", "without", "failed to"); 0.5
        if both sides have as many negations.
    antonym_flip, antonym_negated
        Numbers of opposites, in WordNet or of another list, that are negated on neither or both
        sides; that are negated on one, and so mean the same.
    roles_swapped
        1 if two words have exchanged the roles that they have for the same verb: agent, patient or
        a preposition, or cause and effect are exchanged; 0.5 if an agent has become a patient or
        many other words differ. Passives are taken into account.
    roles_kept
        Number of the roles that are equal; not 0 for equal sentences.
    modifiers_swapped
        1 if two adjectives have exchanged their places, and nothing else differs.
    number_flip, time_flip, name_flip, quantifier_flip
        1 if each side has one that the other lacks, if two numbers have exchanged their places, or
        if nothing but "only" is added; 0.5 if many other words differ. Codes are numbers, and
        "2 kg" is another one than "2 lb"; times are clock times, days, dates, seasons, "last
        year", "monthly", and, if hardly anything else differs, past and future.
    attribute_flip
        1 if a word is replaced by one that excludes it: another colour; if nothing else differs, a
        noun or verb of another meaning, another kind of animal, drink or drug, or a name that
        looks alike.
    number_added, time_added, name_added, quantifier_added
        1 if only one side has one that the other lacks.
    flips
        Sum of the nine kinds above, each from 0 to 1.
    words_kept
        Share of the words that have an equal word, a synonym or a misspelling on the other side;
        1 if there is no word.
    nouns_changed, verbs_changed, descriptions_changed
        Number of words that have a different word instead; an aligned one counts as one minus the
        similarity.
    words_added
        Number of the other words.
    words_misspelled
        Number of the words that one side misspells.
    """
    return Comparisons(batch).columns()


FAMILY = family("contrast", " ".join(NAMES), compute, "vectors wordnet tagger")
