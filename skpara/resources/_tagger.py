"""Parts of speech of the tokens of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from skpara._optional import import_optional
from skpara._public import set_module
from skpara.resources._hanta import HantaModel

# Characters at the end of a word that HanTa sees: its time grows with the square of the length,
# and the ending decides the part of speech.
_LONGEST_WORD = 40

_VERBS = {"B": "VBP", "D": "VBD", "G": "VBG", "I": "VB", "N": "VBN", "Z": "VBZ"}
# HanTa's tags, those of the British National Corpus (C5), and Penn Treebank's.
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


@set_module("skpara.resources", trusted=True)
class Tagger:
    """Part-of-speech tagger with the tags of the Penn Treebank.

    Use :meth:`load` to create one.

    Parameters
    ----------
    tag_sentence : {"hanta", "nltk"} or callable
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
        if tag_sentence not in _NAMED and not callable(tag_sentence):
            raise ValueError(f"There is no tagger {tag_sentence!r:.40}.")
        self._tag_sentence = tag_sentence

    @classmethod
    def load(cls, source: str | Callable[[list[str]], Sequence[str]] | Tagger = "auto") -> Tagger:
        """Load a tagger by name, or wrap a function.

        Parameters
        ----------
        source : {"auto", "hanta", "nltk"}, callable or Tagger, default="auto"
            "hanta" (and "auto"): the Hanover Tagger, a hidden Markov model over morphemes, which
            comes with its English model. "nltk": nltk's averaged perceptron, whose data must be
            installed. A callable takes the tokens of a sentence and returns their Penn Treebank
            tags; only a function at the top of a module can be pickled.

        Returns
        -------
        Tagger
            The tagger; ``source`` itself if it is one.

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
        # A saved tagger has a name, not a function: loading it must not run arbitrary code.
        tag_sentence = _NAMED.get(self._tag_sentence, self._tag_sentence)
        tagged = []
        for i, sentence in enumerate(sentences):
            tags = list(tag_sentence(list(sentence))) if sentence else []
            if len(tags) != len(sentence):
                raise ValueError(
                    f"The tagger returned {len(tags)} tags for the {len(sentence)} tokens of "
                    f"sentence {i}, {sentence!r:.80}; it must return one for each token."
                )
            tagged.append(tags)
        return tagged


def _tag_by_hanta(tokens: list[str]) -> list[str]:
    model, names = _hanta()
    return [names[tag] for tag in model.tag([token[-_LONGEST_WORD:] for token in tokens])]


def _tag_by_perceptron(tokens: list[str]) -> list[str]:
    return [tag for _, tag in _perceptron().tag(tokens)]


_NAMED: dict[Any, Any] = {"hanta": _tag_by_hanta, "nltk": _tag_by_perceptron}


@lru_cache(maxsize=1)
def _perceptron() -> Any:
    perceptron = import_optional("nltk.tag.perceptron", "Tagger('nltk')")
    return perceptron.PerceptronTagger()


@lru_cache(maxsize=1)
def _hanta() -> tuple[HantaModel, list[str]]:
    """Return HanTa's model for English and the Penn Treebank's tags for its tags."""
    model = HantaModel()
    return model, [_PENN.get(tag, _OTHER) for tag in model.tags]
