"""Parts of speech of the tokens of sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from skpara._compatibility import no_collection
from skpara._core import Ragged, offsets_of, text_kernels
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
# Words that the model does not list whose tags are kept.
_CACHED_WORDS = 50_000
# HanTa's numbers of what is not a tag.
_EMPTY = 0
_START = 1
_END = 2
_UNKNOWN = 3
# HanTa drops tags that are this much less probable than the best one, in the logarithm.
_CUTOFF = 5
# The case of a word: small, capital, or of no matter.
_NO_CASE = 2
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
        names, tags = self.tag_numbered(*Ragged.of([[*words] for words in sentences]))
        found = [names[tag] for tag in tags.ids.tolist()]
        return [found[start:end] for start, end in pairwise(tags.offsets.tolist())]

    def tag_numbered(self, words: Sequence[str], sentences: Ragged) -> tuple[list[str], Ragged]:
        """Return names of tags, and the number of that of each word of sentences of numbers."""
        if self._tag_sentence == _HANTA:
            model, names = _hanta()
            return names, model.tag(words, sentences)
        assert callable(self._tag_sentence)
        tokens = [words[i] for i in sentences.ids.tolist()]
        tagged = []
        for i, (start, end) in enumerate(pairwise(sentences.offsets.tolist())):
            sentence = tokens[start:end]
            tags = list(self._tag_sentence(sentence)) if sentence else []
            if len(tags) != end - start:
                raise ValueError(
                    f"The tagger returned {len(tags)} tags for the {end - start} tokens of "
                    f"sentence {i}, {sentence!r:.80}; it must return one for each token."
                )
            tagged.append(tags)
        return Ragged.of(tagged)


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
        self._places = {tag: place for tag, place in places.items() if tag != _END}
        # Logarithms of p(case | tag), 0 where case does not matter, and of p(tag).
        self._of_case = np.zeros((3, len(numbers)))
        self._priors = np.zeros(len(numbers))
        for tag, place in self._places.items():
            self._of_case[:2, place] = model.LP_case_t[tag][False], model.LP_case_t[tag][True]
            self._priors[place] = model.LP_wtag[tag]
        self._transitions = _transitions(model, places)
        model.LP_trans_word.clear()  # what follows takes its memory
        # Arrays in place of a hundred thousand tuples.
        self._known = {word: i for i, word in enumerate(model.cache)}
        flat = chain.from_iterable(chain.from_iterable(model.cache.values()))
        own = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
        lists = Ragged(own, offsets_of([len(values) for values in model.cache.values()]))
        place_of = np.full(1 + max(numbers), -1)
        place_of[[*self._places]] = [*self._places.values()]
        own[:, 0] = place_of[own[:, 0].astype(np.int64)]
        # In the order of the model's tables, in which HanTa visits them.
        own = own[np.lexsort((own[:, 0], lists.owners))]
        self._own = lists.with_ids(own).where(own[:, 0] >= 0)
        model.cache.clear()
        self._guess = lru_cache(_CACHED_WORDS)(self._guess_tags)
        self._hanta = model

    @cached_property
    def _morphology(self) -> Morphology:
        """The model of words that are not listed, which takes a tenth of a second."""
        return Morphology(self._hanta)

    def tag(self, words: Sequence[str], sentences: Ragged) -> Ragged:
        """Return the most probable tags of sentences of words, as positions in ``tags``."""
        n = len(words)
        ends = [word[-_LONGEST_WORD:] for word in words]
        plain = ['"' if len(w) <= 2 and _QUOTE.match(w) else w.lower() for w in ends]
        rows = np.array([self._known.get(word, -1) for word in plain] * 2, dtype=np.int64)
        case = np.array([word[:1].isupper() for word in ends] + [_NO_CASE] * n, dtype=np.int64)
        # Words as the first of a sentence, where case says nothing, are behind all others.
        keys = sentences.ids.copy()
        keys[sentences.offsets[:-1][sentences.lengths > 0]] += n
        is_used = np.zeros(2 * n, dtype=bool)
        is_used[keys] = True
        listed = (rows >= 0).nonzero()[0]
        others = (is_used & (rows < 0)).nonzero()[0]
        order = np.append(listed, others)
        numbers = np.empty(2 * n, dtype=np.int64)
        numbers[order] = np.arange(len(order))
        own = self._own.take(rows[listed])
        guessed = [self._guess(plain[k % n]) for k in others.tolist()]
        tags = np.empty(len(keys), dtype=np.int64)
        text_kernels.best_tags(
            self._transitions,
            len(self.tags),
            self._end,
            numbers[keys],
            sentences.offsets,
            offsets_of([*own.lengths.tolist(), *map(len, guessed)]),
            np.concatenate([own.ids, *guessed]),
            case[order],
            len(listed),
            self._of_case,
            self._priors,
            _CUTOFF,
            tags,
        )
        return sentences.with_ids(tags)

    def _guess_tags(self, word: str) -> Floats:
        """Return the tags of a word that the model does not list; NaN if it can be anything."""
        values = self._morphology.word_tags(word)
        own = sorted((self._places[tag], value) for tag, value in values if tag != _UNKNOWN)
        return np.array(own or [(k, np.nan) for k in range(len(self.tags)) if k != self._end])


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
