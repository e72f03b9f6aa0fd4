"""Tags of words that HanTa's model does not list, from the morphemes that they may consist of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from skpara._core import offsets_of, text_kernels, word_index
from skpara._typing import Floats

# Tags, HanTa's numbers, and the logarithms of their probabilities.
TagValues = Sequence[tuple[int, float]]
# HanTa's number of the state before the first morpheme of a word, after no other one.
_EMPTY = 0
_START = 1
# Lengths of unknown morphemes that the model distinguishes; a longer one counts as the last.
_N_LENGTHS = 25
# Bytes behind a word that compiled functions may read.
_SPARE = bytes(8)


class Morphology:
    """The model of words as sequences of morphemes, several times as fast as HanTa itself.

    The values equal those of HanTa's ``analyze_forward``, to the last bit. HanTa tries all tags
    for each part of each word; here only tags that a part can have are tried.

    Parameters
    ----------
    model : HanTa.HanoverTagger.HanoverTagger
        The tagger with its model of one language.

    References
    ----------
    C. Wartena (2019). A probabilistic morphology model for German lemmatization. KONVENS.
    """

    def __init__(self, model: Any) -> None:
        steps = {state: tags for state, tags in model.LP_trans_nonfinal.items() if tags}
        ends: Mapping[tuple[int, int], TagValues] = model.LP_trans_final
        # Of the tags that unknown morphemes can have: parts of the logarithm of p(morpheme | tag).
        guessed = [tag for tag in model.LP_hapax_t if tag in model.LP_s_t]
        endings = model.LP_s_t[guessed[0]]  # all tags have the same
        listed: dict[str, list[tuple[int, float]]] = {}
        for tag, values in model.LP_m_t.items():
            for morpheme, value in values.items():
                listed.setdefault(morpheme, []).append((tag, value))
        states = [*steps, *ends]
        own = [*listed.values(), *steps.values(), *ends.values()]
        tags = {tag for state in states for tag in state}
        tags |= {tag for values in own for tag, _ in values}
        self._tags = sorted(tags | set(guessed) | {_EMPTY, _START})
        self._places = {tag: place for place, tag in enumerate(self._tags)}
        guesses = [
            [
                self._places[tag],
                model.Int_t + model.LP_hapax_t[tag],
                *model.LP_len_t[tag][:_N_LENGTHS],
            ]
            for tag in guessed
        ]
        self._model = text_kernels.morphology(
            *word_index(listed),
            *self._items(listed.values()),
            *self._items(self._by_state(steps)),
            *self._items(self._by_state(ends)),
            *word_index(endings),
            np.array([[model.LP_s_t[tag][ending] for tag in guessed] for ending in endings]),
            np.array(guesses, dtype=np.float64),
            len(self._tags),
            self._places[_EMPTY],
            self._places[_START],
        )

    def word_tags(self, word: str) -> list[tuple[int, float]]:
        """Return the tags that a word can have, and the logarithms of p(word | tag).

        Parameters
        ----------
        word : str
            A word in lower case, of up to 128 characters.

        Returns
        -------
        list of (int, float)
            HanTa's numbers of tags, and values.
        """
        text = word.encode("utf-8", "surrogatepass") + _SPARE
        found = text_kernels.word_tags(self._model, text)
        return [(-self._tags[place], value) for place, value in found]  # that it ends in

    def _by_state(self, values: Mapping[tuple[int, int], TagValues]) -> Iterable[TagValues]:
        """Return the values of all states, in the order of both tags."""
        return [values.get((last, tag), ()) for last in self._tags for tag in self._tags]

    def _items(self, lists: Iterable[TagValues]) -> tuple[Any, Floats]:
        """Return the offsets of lists, and the places of their tags with values."""
        lists = list(lists)
        items = [(self._places[tag], value) for values in lists for tag, value in values]
        flat = np.array(items, dtype=np.float64).reshape(-1, 2)
        return offsets_of([len(values) for values in lists]), flat
