"""Parts of speech of the tokens of sentences."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from skpara._core import offsets_of, text_kernels
from skpara._public import set_module
from skpara._typing import Floats

# Characters at the end of a word that HanTa sees: its time grows with the square of the length,
# and the ending decides the part of speech.
_LONGEST_WORD = 40
_HANTA = "hanta"

# HanTa's tags (C5, of the British National Corpus) and the Penn Treebank's.
_PENN = json.loads((Path(__file__).parent / "data/tags.json").read_text("utf-8"))
_OTHER = "FW"  # any other tag


_MODEL = "morphmodel_en.pgz"
# Words, as they are written, whose tags are kept.
_CACHED_WORDS = 50_000
# Words that the model does not list, whose tags are kept.
_CACHED_ANALYSES = 10_000
# HanTa's numbers of what is no tag.
_EMPTY = 0
_START = 1
_END = 2
_UNKNOWN = 3
# HanTa drops paths that are far less probable than the best ones, so the same numbers are needed
# for the same tags. A path of morphemes is kept if it is better than the one behind the best
# three, less a margin, and a tag if it is within the cutoff of the best one.
_MORPHEME_BEAM = 3
_MARGIN = 1
_CUTOFF = 5
_LEAST = -1e6  # paths of lower values are impossible
# Endings and lengths of unknown morphemes that its probabilities tell apart.
_LONGEST_ENDING = 4
_LONGEST_LENGTH = 24
_NO_LENGTH = 1_000  # of a word whose other letters do not matter
_WHOLE_WORD = 4.6  # how much less probable a word is that would be one unknown morpheme
_QUOTE = re.compile(r"(`|``|´|´´|'|'')$")
State = tuple[int, int]  # the tags of the latest two morphemes
Paths = tuple[tuple[State, float], ...]
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
            return [[names[tag] for tag in tags] for tags in model.tag(sentences)]
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
        self._transitions = _transitions(model, self._place)
        model.LP_trans_word.clear()  # what follows takes its memory
        # Tuples of numbers take no time of the garbage collector, unlike lists.
        self._known = model.cache
        for word, values in self._known.items():
            self._known[word] = tuple(values)
        self._own_tags = lru_cache(_CACHED_WORDS)(self._find_own_tags)
        # Of the tags that unknown morphemes can have: parts of the logarithm of p(morpheme | tag).
        self._guessed = {
            tag: (model.Int_t + value, model.LP_len_t[tag], model.LP_s_t[tag])
            for tag, value in model.LP_hapax_t.items()
            if tag in model.LP_s_t
        }
        self._suffixes = model.LP_s_t[min(self._guessed)]  # all tags have the same
        self._morphemes, self._ends = model.LP_m_t, model.LP_trans_final
        self._steps = {state: tags for state, tags in model.LP_trans_nonfinal.items() if tags}
        # The steps to tags of unknown morphemes again.
        self._open = {
            state: steps
            for state, tags in self._steps.items()
            if (steps := [step for step in tags if step[0] in self._guessed])
        }
        self._guess = lru_cache(_CACHED_ANALYSES)(self._find_guess)
        self._paths = lru_cache(_CACHED_ANALYSES)(self._find_paths)
        self._analyzed = lru_cache(_CACHED_ANALYSES)(self._analyze)

    @cached_property
    def _listed(self) -> dict[str, OwnTags]:
        """The tags of the morphemes that the model lists, which few texts need."""
        listed: dict[str, OwnTags] = {}
        for tag, values in self._morphemes.items():
            for morpheme, value in values.items():
                listed[morpheme] = *listed.get(morpheme, ()), (tag, value)
        return listed

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return the most probable tags of sentences, as positions in ``tags``."""
        # Each distinct word is looked up once. The first of a sentence can have other tags.
        number, ids = count().__next__, list[int]()
        first_words = defaultdict[str, int](number)
        other_words = defaultdict[str, int](number)
        for words in sentences:
            ids += map(first_words.__getitem__, words[:1])
            ids += map(other_words.__getitem__, words[1:])
        own: list[Any] = [None] * (len(first_words) + len(other_words))
        for numbers, is_first in ((first_words, True), (other_words, False)):
            for word, n in numbers.items():
                own[n] = self._own_tags(word[-_LONGEST_WORD:], is_first)
        ends = offsets_of([len(words) for words in sentences])
        found = np.empty(len(ids), dtype=np.int64)
        text_kernels.best_tags(
            self._transitions,
            len(self.tags),
            self._end,
            np.array(ids, dtype=np.int64),
            ends,
            offsets_of([len(tags) for tags in own]),
            b"".join(own),
            found,
        )
        tags = found.tolist()
        return [tags[start:end] for start, end in pairwise(ends.tolist())]

    def _analyze(self, word: str) -> list[tuple[int, float]]:
        """Return the tags of a word that the model does not list, from its morphemes.

        The values equal HanTa's ``analyze_forward``, to the last bit. It tries all tags for
        each part of each word; here only tags that a part can have are tried, and words that begin
        with the same letters share the work on them.
        """
        ends: dict[tuple[int, int], float] = {}
        for state, value in self._row(word, len(word)).items():
            for tag, step in self._ends.get(state, ()):
                end = state[1], tag
                ends[end] = max(ends.get(end, -math.inf), value + step)
        values: dict[int, float] = {}
        for (_, tag), value in ends.items():
            values[-tag] = np.logaddexp(values[-tag], value) if -tag in values else value
        return list(values.items()) or [(_UNKNOWN, 0.0)]

    def _row(self, part: str, length: int) -> dict[State, float]:
        """Return the states in which the first part of a word can end, and their values."""
        row: dict[State, float] = {}
        for i in range(len(part)):
            paths, guessing = self._paths(part[:i], length < 4)
            if not paths:
                continue
            morpheme, size = part[i:], len(part) - i
            listed, steps = self._listed.get(morpheme), self._steps
            if not listed:
                paths, steps = guessing, self._open
            own: dict[int, float] = {}
            if guessing and (size > 2 or length < 4):  # other unknown morphemes are longer
                ending = morpheme[max(1, size - _LONGEST_ENDING) :]
                while ending not in self._suffixes:
                    ending = ending[1:]
                own, first = self._guess(ending, min(size, _LONGEST_LENGTH), size == length)
                if not (i or listed):
                    row = first.copy()
                    continue
            own = own | dict(listed) if listed else own
            for state, value in paths if own else ():
                last = state[1]
                for tag, step in steps[state]:
                    if tag in own:
                        total = value + step + own[tag]
                        if total > row.get((last, tag), _LEAST):
                            row[last, tag] = total
        return row

    def _find_paths(self, part: str, is_short: bool) -> tuple[Paths, Paths]:
        """Return the best states that a part of a word leads to; those before a guess again."""
        row = {(_EMPTY, _START): 0.0}
        if part:
            row = self._row(part, 0 if is_short else _NO_LENGTH)
        beam = sorted(row.values())[-_MORPHEME_BEAM - 1 :]
        bound = beam[0] - _MARGIN if len(beam) > _MORPHEME_BEAM else -math.inf
        paths = tuple(item for item in row.items() if item[1] >= bound and item[0] in self._steps)
        return paths, tuple(path for path in paths if path[0] in self._open)

    def _find_guess(
        self, ending: str, size: int, is_whole: bool
    ) -> tuple[dict[int, float], dict[State, float]]:
        """Return log p(morpheme | tag) of an unknown morpheme, and the row if it is the first."""
        less = _WHOLE_WORD if is_whole else 0.0
        own = {
            tag: value + sizes[size] + endings[ending] - less
            for tag, (value, sizes, endings) in self._guessed.items()
        }
        steps = ((tag, step + own[tag]) for tag, step in self._open[_EMPTY, _START])
        return own, {(_START, tag): value for tag, value in steps if value > _LEAST}

    def _find_own_tags(self, word: str, first: bool) -> Any:
        """Return an array of the tags that a word can have and the logarithms of p(word | tag)."""
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
            return np.array([(k, 0.0) for k in range(len(self.tags)) if k != self._end])
        if known is None:
            least = max(value for _, value in own) - _CUTOFF
            own = [(tag, value) for tag, value in own if value >= least]
        # In the order of the model's tables, in which HanTa visits them.
        return np.array(sorted((self._place[tag], value) for tag, value in own))


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
