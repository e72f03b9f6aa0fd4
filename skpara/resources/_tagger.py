"""Parts of speech of the tokens of sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._wordnet import ranges

# Characters at the end of a word that HanTa sees: its time grows with the square of the length,
# and the ending decides the part of speech.
_LONGEST_WORD = 40
_HANTA = "hanta"

_VERBS = {"B": "VBP", "D": "VBD", "G": "VBG", "I": "VB", "N": "VBN", "Z": "VBZ"}
# HanTa's tags (C5, of the British National Corpus) and the Penn Treebank's.
_PENN = {
    **{"AJ0": "JJ", "AJC": "JJR", "AJS": "JJS", "AT0": "DT", "AV0": "RB", "AVP": "RP"},
    **{"AVQ": "WRB", "CJC": "CC", "CJS": "IN", "CJT": "IN", "CRD": "CD", "DPS": "PRP$"},
    **{"DT0": "DT", "DTQ": "WDT", "EX0": "EX", "ITJ": "UH", "NN0": "NN", "NN1": "NN"},
    **{"NN2": "NNS", "NP0": "NNP", "ORD": "JJ", "PNI": "NN", "PNP": "PRP", "PNQ": "WP"},
    **{"PNX": "PRP", "POS": "POS", "PRF": "IN", "PRP": "IN", "TO0": "TO", "UNC": "FW"},
    **{"VM0": "MD", "XX0": "RB", "ZZ0": "SYM", "PUL": "-LRB-", "PUR": "-RRB-", "PUQ": "''"},
    **{"PUN": ".", "HYPHEN": ":", "NN": "NN", "IN": "IN"},
    **{verb + form: tag for verb in ("VB", "VD", "VH", "VV") for form, tag in _VERBS.items()},
}
_OTHER = "FW"  # any other tag


_MODEL = "morphmodel_en.pgz"
# Words whose tags are kept: as they are written, and those that the model does not list.
_CACHED_WORDS, _CACHED_ANALYSES = 50_000, 10_000
_EMPTY, _START, _END, _UNKNOWN = 0, 1, 2, 3  # HanTa's numbers
# HanTa drops paths that are far less probable than the best ones, so the same numbers are needed
# for the same tags: the sixth best path less 1, and tags within 5 of the best.
_TAG_BEAM, _MARGIN, _CUTOFF = 5, 1, 5
_QUOTE = re.compile(r"(`|``|´|´´|'|'')$")
_FEW = 40  # sentences that are tagged faster one by one
OwnTags = tuple[tuple[int, float], ...]


@set_module("skpara.resources", trusted=True)
class Tagger:
    """Part-of-speech tagger with the tags of the Penn Treebank.

    Use :meth:`load` to create one.

    Parameters
    ----------
    tag_sentence : "hanta" or callable
        A callable takes a list of tokens and returns a list with one tag for each.

    Examples
    --------
    >>> from skpara.resources import Tagger
    >>> Tagger.load().tag([["Two", "dogs", "ran", "quickly", "."]])
    [['CD', 'NNS', 'VBD', 'RB', '.']]
    """

    def __init__(self, tag_sentence: str | Callable[[list[str]], Sequence[str]]) -> None:
        self._tag_sentence = tag_sentence

    def __setstate__(self, state: dict[str, Any]) -> None:
        tag_sentence = state["_tag_sentence"]
        if tag_sentence != _HANTA and not callable(tag_sentence):
            raise ValueError(f"There is no tagger {tag_sentence!r:.40}.")
        self._tag_sentence = tag_sentence

    @classmethod
    def load(cls, source: str | Callable[[list[str]], Sequence[str]] | Tagger = "auto") -> Tagger:
        """Load a tagger by name, or wrap a function.

        Parameters
        ----------
        source : {"auto", "hanta"}, callable or Tagger, default="auto"
            "hanta" (and "auto"): the Hanover Tagger, a hidden Markov model over morphemes, which
            comes with its English model. A callable takes the tokens of a sentence and returns
            their Penn Treebank tags; only a function at the top of a module can be pickled.

        Returns
        -------
        Tagger
            The tagger; ``source`` itself if it is one.

        Raises
        ------
        ModuleNotFoundError
            If HanTa is not installed.
        ValueError
            If the name is unknown.

        References
        ----------
        C. Wartena (2019). A probabilistic morphology model for German lemmatization. KONVENS.
        """
        if isinstance(source, Tagger):
            return source
        if callable(source):
            return cls(source)
        if source in ("auto", _HANTA):
            _hanta()
            return cls(_HANTA)
        raise ValueError(f"tagger must be 'auto', 'hanta' or a callable, got {source!r}.")

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tag the tokens of sentences.

        Parameters
        ----------
        sentences : sequence of sequences of str
            Tokens as in the Penn Treebank ("did", "n't").

        Returns
        -------
        list of list of str
            The tags of each sentence.

        Raises
        ------
        ValueError
            If a function passed to :meth:`load` returns too few or too many tags.
        """
        if self._tag_sentence == _HANTA:
            model, names = _hanta()
            cut = [[token[-_LONGEST_WORD:] for token in sentence] for sentence in sentences]
            return [[names[tag] for tag in tags] for tags in model.tag(cut)]
        assert callable(self._tag_sentence)
        tagged = []
        for i, sentence in enumerate(sentences):
            tags = list(self._tag_sentence(list(sentence))) if sentence else []
            if len(tags) != len(sentence):
                raise ValueError(
                    f"The tagger returned {len(tags)} tags for the {len(sentence)} tokens of "
                    f"sentence {i}, {sentence!r:.80}; it must return one for each token."
                )
            tagged.append(tags)
        return tagged


@lru_cache(maxsize=1)
def _hanta() -> tuple[_Hanta, list[str]]:
    """Return HanTa's model for English and the Penn Treebank's tags for its tags."""
    model = _Hanta()
    return model, [_PENN.get(tag, _OTHER) for tag in model.tags]


class _Hanta:
    """HanTa's model for English, several times as fast as HanTa itself.

    HanTa analyzes words. The hidden Markov model of the tags of a sentence is searched here, with
    the same numbers in the same order, so the tags are the same.
    """

    def __init__(self) -> None:
        from HanTa.HanoverTagger import HanoverTagger

        model = HanoverTagger(_MODEL)
        numbers = list(next(iter(model.LP_trans_word.values())))
        self.tags = [model.int2tag[number] for number in numbers]
        self._place = {number: i for i, number in enumerate(numbers)}
        self._end = self._place[_END]
        self._prior, self._case = model.LP_wtag, model.LP_case_t
        # Tuples of numbers take no time of the garbage collector, unlike lists.
        self._known = {word: tuple(values) for word, values in model.cache.items()}
        model.cache = {}
        self._transitions = _transitions(model, self._place)
        self._own_tags = lru_cache(_CACHED_WORDS)(self._find_own_tags)
        self._model, self._followers = model, model.LP_trans_nonfinal
        self._tags_of: defaultdict[str, list[int]] = defaultdict(list)  # of closed classes
        for tag in dict(self._followers[_EMPTY, _START]).keys() - model.LP_hapax_t.keys():
            for morpheme in model.LP_m_t[tag]:
                self._tags_of[morpheme].append(tag)
        self._analyzed = lru_cache(_CACHED_ANALYSES)(self._analyze)

    def tag(self, sentences: Sequence[list[str]]) -> list[list[int]]:
        """Return the most probable tags of sentences, as positions in ``tags``."""
        if len(sentences) < _FEW:
            return [self._tag_one(words) for words in sentences]
        # Position by position, so that the longer sentences come first.
        order = np.argsort([-len(words) for words in sentences], kind="stable").tolist()
        found = dict(zip(order, self._tag([sentences[i] for i in order]), strict=True))
        return [found[i] for i in range(len(sentences))]

    def _tag_one(self, words: list[str]) -> list[int]:
        """Tag a sentence; as ``_tag``, but without the overhead of arrays."""
        flat: Any = self._transitions.reshape(-1)
        transitions, n_tags = memoryview(flat), len(self.tags)
        base = n_tags + 1
        # A state (previous, last) is previous * base + last.
        row = {base * base - 1: 0.0}
        links: list[dict[int, int]] = []
        for i, word in enumerate(words):
            if len(row) > _TAG_BEAM:
                bound = sorted(row.values())[-_TAG_BEAM - 1] - _MARGIN
                row = {state: value for state, value in row.items() if value >= bound}
            own = self._own_tags(word, i == 0)
            new: dict[int, float] = {}
            link: dict[int, int] = {}
            for state, value in row.items():
                start, target = state * n_tags, state % base * base
                for tag, word_value in own:
                    total = value + transitions[start + tag] + word_value
                    key = target + tag
                    if key not in new or total > new[key]:
                        new[key] = total
                        link[key] = state
            links.append(link)
            row = new
        state = max(row, key=lambda key: row[key] + transitions[key * n_tags + self._end])
        tags = []
        for link in reversed(links):
            tags.append(state % base)
            state = link[state]
        return tags[::-1]

    def _tag(self, sentences: list[list[str]]) -> list[list[int]]:
        """Tag sentences in the order of falling length."""
        # Each distinct word is looked up once. The first of a sentence can have other tags.
        numbers: defaultdict[tuple[str, bool], int] = defaultdict(count().__next__)
        ids = [numbers[word, i == 0] for words in sentences for i, word in enumerate(words)]
        own = [self._own_tags(*key) for key in numbers]
        n_own = np.array([len(tags) for tags in own], dtype=np.int64)
        starts, most = np.cumsum(n_own) - n_own, n_own.max(initial=0)
        tag_of = np.array([tag for tags in own for tag, _ in tags], dtype=np.int64)
        value_of = np.array([value for tags in own for _, value in tags], dtype=np.float64)
        lengths = np.array([len(words) for words in sentences], dtype=np.int64)
        begins, word_of = np.cumsum(lengths) - lengths, np.array(ids, dtype=np.int64)
        n_tags, transitions = len(self.tags), self._transitions.ravel()
        # A state is a pair of tags, (previous, last); n_tags is the start. Those of a sentence
        # are in the order in which HanTa inserts them: of equal paths the first wins.
        sentence = np.arange(np.count_nonzero(lengths))
        last, place = np.full(len(sentence), n_tags), 0 * sentence
        values: Floats = np.zeros(len(sentence))
        table_row = (last * (n_tags + 1) + last) * n_tags
        steps: list[tuple[Any, ...]] = []
        ends = np.zeros(len(sentences), dtype=np.int64)
        for i in range(lengths.max(initial=0)):
            kept = np.flatnonzero(~_improbable(sentence, values))
            word = word_of[begins[sentence[kept]] + i]
            # Groups of states with the same last tag, which lead to the same new states.
            key, number = sentence[kept] * most + place[kept], np.arange(len(kept))
            first = np.empty(len(sentences) * most, dtype=np.int64)
            first[key[::-1]] = number[::-1]  # of equal ones, the first is written last
            leads = first[key] == number
            leaders, sizes, repeats = kept[leads], n_own[word[leads]], n_own[word]
            group = (np.cumsum(leads) - 1)[first[key]]
            # Each state that was kept, with each tag of the next word.
            origin = np.repeat(kept, repeats)
            entry = ranges(starts[word], repeats)
            target = ranges((np.cumsum(sizes) - sizes)[group], repeats)
            tag = tag_of[entry]
            totals = values[origin] + transitions[table_row[origin] + tag]
            totals += value_of[entry]
            values, link = _best(totals, target, int(sizes.sum()))
            states = np.repeat(leaders, sizes)
            place, sentence = ranges(0 * sizes, sizes), sentence[states]
            table_row = (last[states] * (n_tags + 1) + tag[link]) * n_tags
            last = tag[link]
            steps.append((origin[link], last))
            n_active = int(np.searchsorted(-lengths, -i - 1))
            done = int(np.searchsorted(sentence, n_active))
            if done < len(sentence):
                totals = values[done:] + transitions[table_row[done:] + self._end]
                _, link = _best(totals, sentence[done:] - n_active, sentence[-1] + 1 - n_active)
                ends[n_active : sentence[-1] + 1] = done + link
                sentence, values = sentence[:done], values[:done]
        found = np.zeros((len(sentences), len(steps)), dtype=np.int64)
        for i in reversed(range(len(steps))):
            n_active = int(np.searchsorted(-lengths, -i))
            origin, last = steps[i]
            found[:n_active, i] = last[ends[:n_active]]
            ends[:n_active] = origin[ends[:n_active]]
        return [row[:n] for row, n in zip(found.tolist(), lengths.tolist(), strict=True)]

    def _analyze(self, word: str) -> list[tuple[int, float]]:
        """Return the tags of a word that the model does not list, from its morphemes."""
        # HanTa tries all tags for the first morpheme, though few have one that the word begins
        # with: show it these only. A copy takes little time.
        texts = (word[: end + 1] for end in range(len(word)))
        possible = set(self._model.LP_hapax_t).union(*(self._tags_of.get(t, ()) for t in texts))
        model, start = copy(self._model), (_EMPTY, _START)
        first = [item for item in self._followers[start] if item[0] in possible]
        model.LP_trans_nonfinal = self._followers | {start: first}
        found: list[tuple[int, float]] = model.analyze_forward(word)
        return found

    def _find_own_tags(self, word: str, first: bool) -> OwnTags:
        """Return the tags that a word can have, and the logarithms of p(word | tag)."""
        upper = word[:1].isupper()  # uninformative for the first word of a sentence
        word = '"' if len(word) <= 2 and _QUOTE.match(word) else word.lower()
        known = self._known.get(word)
        values = self._analyzed(word) if known is None else known
        own = [
            (tag, (value if first else value + self._case[tag][upper]) - self._prior[tag])
            for tag, value in ((tag, float(value)) for tag, value in values)
            if tag != _UNKNOWN
        ]
        if not own:  # an unknown word can be anything
            return tuple((k, 0) for k in range(len(self.tags)) if k != self._end)
        if known is None:
            least = max(value for _, value in own) - _CUTOFF
            own = [(tag, value) for tag, value in own if value >= least]
        # In the order of the model's tables, in which HanTa visits them.
        return tuple(sorted((self._place[tag], value) for tag, value in own))


def _improbable(sentence: NDArray[np.int64], values: Floats) -> NDArray[np.bool_]:
    """Return which states of sentences are too far below the sixth best one."""
    sizes = np.bincount(sentence)
    column = np.arange(len(values)) - (np.cumsum(sizes) - sizes)[sentence]
    table = np.full((len(sizes), max(sizes.max(initial=0), _TAG_BEAM + 1)), np.inf)
    table[sentence, column] = -values
    bounds = -np.partition(table, _TAG_BEAM)[:, _TAG_BEAM] - _MARGIN
    improbable: NDArray[np.bool_] = values < bounds[sentence]
    return improbable


def _best(
    totals: Floats, target: NDArray[np.int64], n_targets: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the largest total of each target, and where it is first."""
    largest = np.full(n_targets, -np.inf)
    np.maximum.at(largest, target, totals)
    winners = np.flatnonzero(totals == largest[target])[::-1]
    place = np.empty(n_targets, dtype=np.int64)
    place[target[winners]] = winners  # of equal ones, the first is written last
    return largest, place


def _transitions(model: Any, place: dict[int, int]) -> Floats:
    """Return the logarithms of p(tag | previous tag, last tag)."""
    place = place | {_START: len(place)}
    base = len(place)
    transitions = np.full((base, base, base - 1), np.nan)
    for (previous, last), values in model.LP_trans_word.items():
        if previous == _EMPTY and last != _START:
            continue  # never reached: only the start of the sentence follows nothing
        row = base - 1 if previous == _EMPTY else place[previous]
        transitions[row, place[last]] = [values[number] for number in list(place)[:-1]]
    return transitions
