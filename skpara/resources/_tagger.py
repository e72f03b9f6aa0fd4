"""Parts of speech of the tokens of sentences."""

from __future__ import annotations

import json
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from skpara._compatibility import no_collection
from skpara._core import offsets_of, text_kernels
from skpara._public import set_module
from skpara._typing import Floats
from skpara.resources._morphology import Morphology

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
# HanTa's numbers of what is not a tag.
_EMPTY = 0
_START = 1
_END = 2
_UNKNOWN = 3
# HanTa drops tags that are this much less probable than the best one, in the logarithm.
_CUTOFF = 5
_QUOTE = re.compile(r"(`|``|´|´´|'|'')$")


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
        if tag_sentence == _HANTA:
            # What reading the model needs for a moment, what is read after it takes: of a process
            # that loads a pipeline and scores, the peak of memory is 15 MB lower.
            _hanta()
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
    with no_collection():
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
        places = {number: i for i, number in enumerate(numbers)}
        self._end = places[_END]
        # By case, None where it does not matter: the place of each tag, and the logarithms of
        # p(case | tag) and p(tag).
        self._places = {
            upper: {
                tag: (
                    place,
                    0.0 if upper is None else float(model.LP_case_t[tag][upper]),
                    float(model.LP_wtag[tag]),
                )
                for tag, place in places.items()
                if tag != _END
            }
            for upper in (None, False, True)
        }
        self._transitions = _transitions(model, places)
        model.LP_trans_word.clear()  # what follows takes its memory
        # Arrays in place of a hundred thousand tuples.
        self._known = {word: i for i, word in enumerate(model.cache)}
        self._starts = offsets_of([len(values) for values in model.cache.values()])
        flat = chain.from_iterable(chain.from_iterable(model.cache.values()))
        self._values = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
        model.cache.clear()
        self._own_tags = lru_cache(_CACHED_WORDS)(self._find_own_tags)
        self._hanta = model

    @cached_property
    def _morphology(self) -> Morphology:
        """The model of words that are not listed, which takes a tenth of a second."""
        return Morphology(self._hanta)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return the most probable tags of sentences, as positions in ``tags``."""
        # Each distinct word is looked up once. The first of a sentence can have other tags.
        number = count().__next__
        ids = list[int]()
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
            offsets_of([len(tags) // 2 for tags in own]),
            b"".join(own),
            found,
        )
        tags = found.tolist()
        return [tags[start:end] for start, end in pairwise(ends.tolist())]

    def _find_own_tags(self, word: str, first: bool) -> Any:
        """Return an array of the tags that a word can have and the logarithms of p(word | tag)."""
        upper = word[:1].isupper()
        word = '"' if len(word) <= 2 and _QUOTE.match(word) else word.lower()
        known = self._known.get(word)
        if known is None:
            values = self._morphology.word_tags(word)
        else:
            start, end = self._starts[known : known + 2]
            values = self._values[start:end].tolist()
        # Case says nothing about the first word of a sentence.
        places = self._places[None if first else upper]
        own = [
            (place, value + of_case - prior)
            for tag, value in values
            if tag != _UNKNOWN
            for place, of_case, prior in (places[tag],)
        ]
        if not own:  # an unknown word can be anything
            own = [(k, 0.0) for k in range(len(self.tags)) if k != self._end]
        elif known is None:
            least = max(value for _, value in own) - _CUTOFF
            own = [(place, value) for place, value in own if value >= least]
        # In the order of the model's tables, in which HanTa visits them.
        return array("d", chain.from_iterable(sorted(own)))


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
