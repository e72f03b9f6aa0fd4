"""The protocol of translators, and what the package's own translators share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from typing import NamedTuple, Protocol, runtime_checkable

from skpara._pairs import as_sentences
from skpara._public import set_module


@set_module("skpara.augment")
class Hypothesis(NamedTuple):
    """One of several translations of a sentence.

    Parameters
    ----------
    text : str
        The translation.
    cost : float, default=nan
        Negative log-likelihood of all its tokens under the translator's model, in nats; NaN where
        the translator has no such model.
    n_tokens : int, default=0
        Number of its tokens, which need not be words; 0 where it is unknown.
    """

    text: str
    cost: float = nan
    n_tokens: int = 0

    @property
    def cost_per_token(self) -> float:
        """The cost by which translations of different lengths are compared."""
        return self.cost / max(1, self.n_tokens)


@set_module("skpara.augment")
@runtime_checkable
class Translator(Protocol):
    """Anything that translates sentences from one language into another.

    A translator that finds several translations of a sentence also has ``nbest(sentences, n)``,
    which returns for each sentence a list of at most ``n`` :class:`Hypothesis`, the best first.
    """

    @property
    def name(self) -> str:
        """The system and its languages, such as "apertium eng-spa".

        Translators of the same name must translate alike: they share cached translations.
        """
        ...

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence.

        Parameters
        ----------
        sentences : sequence of str
            An empty sentence is allowed.

        Returns
        -------
        list of str
            One translation for each sentence, in order; an empty one for an empty sentence.

        Raises
        ------
        TranslationError
            If one cannot be translated; ``error.finished`` holds what was translated before.
        """
        ...


@set_module("skpara.augment")
class TranslationError(RuntimeError):
    """A translator failed.

    Parameters
    ----------
    message : str
        What failed.
    finished : sequence of str or None, default=()
        The translation of each sentence that was translated before, None for the others.
    """

    def __init__(self, message: str, finished: Sequence[str | None] = ()) -> None:
        super().__init__(message)
        self.finished = list(finished)


class BaseTranslator:
    """Translates each distinct sentence once; a subclass writes ``_hypotheses``."""

    def translate(self, sentences: Sequence[str]) -> list[str]:
        return [best[0].text for best in self._nbest(sentences, 1)]

    translate.__doc__ = Translator.translate.__doc__

    def _nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        texts = [self._clean(text) for text in as_sentences(sentences)]
        finished = {text: [Hypothesis("", 0.0, 0)] for text in texts if not text.strip()}
        remaining = [text for text in dict.fromkeys(texts) if text not in finished]
        try:
            for text, hypotheses in self._hypotheses(remaining, n):
                finished[text] = hypotheses
        except TranslationError as error:
            best = [finished[text][0].text if text in finished else None for text in texts]
            raise TranslationError(str(error), best) from error.__cause__
        return [finished[text] for text in texts]

    def _clean(self, text: str) -> str:
        return text

    def _hypotheses(self, texts: Sequence[str], n: int) -> Iterator[tuple[str, list[Hypothesis]]]:
        """Yield each text with its translations as soon as they are finished, in any order."""
        raise NotImplementedError


def nbest_translations(
    translator: Translator, sentences: Sequence[str], n: int = 1
) -> list[list[Hypothesis]]:
    """Return the ``n`` best translations of each sentence, with costs if there are any."""
    nbest = getattr(translator, "nbest", None)
    if nbest is not None:
        hypotheses: list[list[Hypothesis]] = nbest(sentences, n)
        return hypotheses
    if n > 1:
        raise TypeError(
            f"{translator.name} gives one translation of a sentence, not {n}. Set n_best=1, or "
            "use a translator that has nbest, such as MarianTranslator."
        )
    return [[Hypothesis(text)] for text in translator.translate(sentences)]
