"""Parts of speech of the words of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from skpara._public import set_module

# Longer words cost HanTa the square of their length; their ending tells their part of speech.
_LONGEST_WORD = 40
_REMEMBERED = 100_000  # words

# Penn Treebank's tags for those of the British National Corpus (C5), which HanTa gives.
_PENN = {
    **{"AJ0": "JJ", "AJC": "JJR", "AJS": "JJS", "AT0": "DT", "AV0": "RB", "AVP": "RP"},
    **{"AVQ": "WRB", "CJC": "CC", "CJS": "IN", "CJT": "IN", "CRD": "CD", "DPS": "PRP$"},
    **{"DT0": "DT", "DTQ": "WDT", "EX0": "EX", "ITJ": "UH", "NN0": "NN", "NN1": "NN"},
    **{"NN2": "NNS", "NP0": "NNP", "ORD": "JJ", "PNI": "NN", "PNP": "PRP", "PNQ": "WP"},
    **{"PNX": "PRP", "POS": "POS", "PRF": "IN", "PRP": "IN", "TO0": "TO", "UNC": "FW"},
    **{"VM0": "MD", "XX0": "RB", "ZZ0": "SYM", "PUL": "-LRB-", "PUR": "-RRB-", "PUQ": "''"},
    **{"PUN": ".", "HYPHEN": ":", "NN": "NN", "IN": "IN"},
    **{
        verb + form: tag
        for verb in ("VB", "VD", "VH", "VV")
        for form, tag in {
            **{"B": "VBP", "D": "VBD", "G": "VBG", "I": "VB", "N": "VBN", "Z": "VBZ"}
        }.items()
    },
}
_OTHER = "FW"  # what is none of these


@set_module("skpara.resources", trusted=True)
class Tagger:
    """Penn Treebank tags of tokens.

    Make one with :meth:`load`.

    Parameters
    ----------
    tag_sentence : {"hanta", "nltk"} or callable
        A callable takes a list of tokens and returns a list of as many tags.

    Examples
    --------
    >>> from skpara.resources import Tagger
    >>> Tagger.load().tag([["Two", "dogs", "ran", "quickly", "."]])
    [['CD', 'NNS', 'VBD', 'RB', '.']]
    """

    def __init__(self, tag_sentence: str | Callable[[list[str]], Sequence[str]]) -> None:
        self._tag_sentence = tag_sentence

    @classmethod
    def load(cls, source: str | Callable[[list[str]], Sequence[str]] | Tagger = "auto") -> Tagger:
        """A tagger by name, or around a function.

        Parameters
        ----------
        source : {"auto", "hanta", "nltk"}, callable or Tagger, default="auto"
            "hanta" (and "auto"): the Hanover Tagger, a hidden Markov model over morphemes, which
            brings its own English model. "nltk": nltk's averaged perceptron, where its data is
            installed. A callable takes the tokens of a sentence and gives their Penn Treebank
            tags; to be saved by ``joblib`` it must be a function of a module.

        Raises
        ------
        ModuleNotFoundError
            If HanTa is not installed.
        LookupError
            If nltk's data is not installed.
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
        if source in ("auto", "hanta"):
            _hanta()
            return cls("hanta")
        if source == "nltk":
            _perceptron()
            return cls("nltk")
        raise ValueError(f"tagger must be 'auto', 'hanta', 'nltk' or a callable, got {source!r}.")

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tags of the tokens of each sentence.

        Parameters
        ----------
        sentences : sequence of sequences of str
            Tokens, cut as in the Penn Treebank ("did", "n't").

        Returns
        -------
        list of list of str

        Raises
        ------
        ValueError
            If a function given to :meth:`load` gives too few or too many tags.
        """
        # A name, not a function, is what a saved tagger holds: a function could be any other.
        tag_sentence = _NAMED.get(self._tag_sentence, self._tag_sentence)
        found = []
        for i, sentence in enumerate(sentences):
            tags = list(tag_sentence(list(sentence))) if sentence else []
            if len(tags) != len(sentence):
                raise ValueError(
                    f"The tagger gave {len(tags)} tags for the {len(sentence)} tokens of "
                    f"sentence {i}: {sentence!r:.80}; it must give one for each."
                )
            found.append(tags)
        return found


def _tag_by_hanta(tokens: list[str]) -> list[str]:
    tags = _hanta().tag_sent([token[-_LONGEST_WORD:] for token in tokens], taglevel=0)
    return [_PENN.get(tag, _OTHER) for tag in tags]


def _tag_by_perceptron(tokens: list[str]) -> list[str]:
    return [tag for _, tag in _perceptron().tag(tokens)]


_NAMED: dict[Any, Any] = {"hanta": _tag_by_hanta, "nltk": _tag_by_perceptron}


@lru_cache(maxsize=1)
def _perceptron() -> Any:
    from nltk.tag.perceptron import PerceptronTagger

    return PerceptronTagger()


@lru_cache(maxsize=1)
def _hanta() -> Any:
    """HanTa's tagger for English, which remembers the words that it has analysed."""
    from HanTa.HanoverTagger import HanoverTagger

    class Remembering(HanoverTagger):
        # There is only one of this class, for good, so nothing leaks.
        @lru_cache(maxsize=_REMEMBERED)  # noqa: B019
        def analyze_forward(self, word: str) -> Any:
            return super().analyze_forward(word)

    return Remembering("morphmodel_en.pgz")
