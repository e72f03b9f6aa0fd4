"""Translators: the protocol, and any function as a translator."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
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
        Negative log-likelihood of all its tokens under the translator's model, in nats; NaN if
        the translator has no such model.
    n_tokens : int, default=0
        Number of its tokens, which need not be words; 0 if unknown.
    """

    text: str
    cost: float = nan
    n_tokens: int = 0

    @property
    def cost_per_token(self) -> float:
        """Cost for comparing translations of different lengths."""
        return self.cost / max(1, self.n_tokens)


@set_module("skpara.augment")
@runtime_checkable
class Translator(Protocol):
    """Protocol of objects that translate sentences from one language into another.

    A translator that finds several translations of a sentence also has ``nbest(sentences, n)``,
    which returns a list of at most ``n`` :class:`Hypothesis` for each sentence, the best first.
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
            If a sentence cannot be translated; ``error.finished`` has the finished translations.
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
        Translations of the sentences in order, None for the unfinished ones.
    """

    def __init__(self, message: str, finished: Sequence[str | None] = ()) -> None:
        super().__init__(message)
        self.finished = list(finished)


class BaseTranslator:
    """Base of translators; a subclass writes ``_hypotheses`` for distinct sentences."""

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


@set_module("skpara.augment")
@dataclass(eq=False)
class FunctionTranslator(BaseTranslator):
    """Translate with a function, such as a call of a web service, in batches and with retries.

    Parameters
    ----------
    function : callable
        Takes a list of sentences and returns a list of their translations.
    name : str
        The system and its languages, such as "my service en-fr".
    batch_size : int, default=64
        Sentences in one call; each distinct sentence is sent once, and empty ones never.
    retries : int, default=3
        Number of repetitions of a call that raises an exception.
    backoff : float, default=1.0
        Seconds before the first retry; the wait doubles before each further one.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator
    >>> shout = FunctionTranslator(lambda texts: [t.upper() for t in texts], "shout en-EN")
    >>> shout.translate(["a dog", ""])
    ['A DOG', '']
    """

    function: Callable[[list[str]], Sequence[str]]
    name: str
    _: KW_ONLY
    batch_size: int = 64
    retries: int = 3
    backoff: float = 1.0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _hypotheses(self, texts: Sequence[str], n: int) -> Iterator[tuple[str, list[Hypothesis]]]:
        for start in range(0, len(texts), self.batch_size):
            batch = list(texts[start : start + self.batch_size])
            translations = self._call(batch)
            yield from ((a, [Hypothesis(b)]) for a, b in zip(batch, translations, strict=True))

    def _call(self, texts: list[str]) -> list[str]:
        wait = self.backoff
        for attempt in range(1 + self.retries):
            try:
                returned = self.function(texts.copy())
                # The letters of one text are not translations.
                translations = [] if isinstance(returned, str) else list(returned)
            # Services raise errors of many types, and any may be temporary.
            except Exception as error:
                if attempt == self.retries:
                    raise TranslationError(
                        f"{self.name} failed {attempt + 1} times, last with {error!r:.200}."
                    ) from error
                time.sleep(wait)
                wait *= 2
            else:
                break
        return check_translations(translations, texts, self.name)


def check_translations(translations: Sequence[str], texts: Sequence[str], name: str) -> list[str]:
    """Return the translations, or raise an error unless they are one text for each text."""
    if len(translations) != len(texts) or not all(isinstance(t, str) for t in translations):
        raise TranslationError(
            f"{name} returned {len(translations)} translations for {len(texts)} sentences, or "
            "something other than text; it must return one text for each."
        )
    return list(translations)


def nbest_translations(
    translator: Translator, sentences: Sequence[str], n: int = 1
) -> list[list[Hypothesis]]:
    """Return the ``n`` best translations of each sentence, with costs if there are any."""
    if isinstance(translator, type) or not isinstance(translator, Translator):
        raise TypeError(f"A translator has a name and translate, got {translator!r:.60}.")
    nbest = getattr(translator, "nbest", None)
    if nbest is not None:
        return nbest(sentences, n)
    if n > 1:
        raise TypeError(
            f"{translator.name} gives one translation of a sentence, not {n}. Set n_best=1, or "
            "use a translator that has nbest, such as MarianTranslator."
        )
    translations = translator.translate(sentences)
    return [[Hypothesis(t)] for t in check_translations(translations, sentences, translator.name)]
