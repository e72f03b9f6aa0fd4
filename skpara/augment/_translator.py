"""What a translator is."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple, Protocol, runtime_checkable

from skpara._public import set_module


@set_module("skpara.augment")
class Hypothesis(NamedTuple):
    """One of several translations of a sentence.

    Attributes
    ----------
    text : str
    cost : float
        Negative log-likelihood under the translator's model (nats), of all tokens; NaN where the
        translator has no such model.
    n_tokens : int
        Tokens of the translator, which need not be words; 0 where it does not say.
    """

    text: str
    cost: float = nan
    n_tokens: int = 0

    @property
    def cost_per_token(self) -> float:
        """What translations of different lengths are compared by."""
        return self.cost / max(1, self.n_tokens)


@set_module("skpara.augment")
@runtime_checkable
class Translator(Protocol):
    """What turns sentences of one language into sentences of another.

    Anything with these two will do. One that knows several translations of a sentence also has
    ``nbest(sentences, n)``, which gives for each sentence a list of at most ``n``
    :class:`Hypothesis`, the best first.
    """

    @property
    def name(self) -> str:
        """The system and its languages, such as "apertium eng-spa".

        Equal names translate equally, so what one has translated another need not.
        """
        ...

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        list of str
            One translation for each sentence, in order; an empty one for an empty sentence.

        Raises
        ------
        TranslationError
            If the system fails; what it has finished is in ``error.finished``.
        """
        ...


@set_module("skpara.augment")
class TranslationError(RuntimeError):
    """A translator failed.

    Parameters
    ----------
    message : str
    finished : sequence of str or None
        What was translated before, one entry a sentence; None where nothing was.
    """

    def __init__(self, message: str, finished: Sequence[str | None] = ()) -> None:
        super().__init__(message)
        self.finished = list(finished)


def hypotheses(
    translator: Translator, sentences: Sequence[str], n: int = 1
) -> list[list[Hypothesis]]:
    """The ``n`` best translations of each sentence, with costs where the translator has them.

    Raises
    ------
    TypeError
        If ``n`` is more than one, and the translator gives but one.
    """
    nbest = getattr(translator, "nbest", None)
    if nbest is not None:
        found: list[list[Hypothesis]] = nbest(sentences, n)
        return found
    if n > 1:
        raise TypeError(
            f"{translator.name} gives one translation of a sentence, not {n}; set n_best=1, or "
            "take a translator that has nbest, such as MarianTranslator."
        )
    return [[Hypothesis(text)] for text in translator.translate(sentences)]


def check_sentences(sentences: Sequence[str]) -> list[str]:
    """A list of the sentences; an error that names the place where one is no text."""
    if isinstance(sentences, str):
        raise TypeError("sentences is one string; pass a list of strings.")
    listed = list(sentences)
    for i, sentence in enumerate(listed):
        if not isinstance(sentence, str):
            raise TypeError(
                f"sentences[{i}] is {sentence!r:.60} ({type(sentence).__name__}); pass text, and "
                "an empty string where there is none."
            )
    return listed
