"""Any function, or a web service behind one, as a translator."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field

from skpara._public import set_module
from skpara.augment._translator import BaseTranslator, Hypothesis, TranslationError


@set_module("skpara.augment")
@dataclass(eq=False)
class FunctionTranslator(BaseTranslator):
    """Translate with a function: in batches, at a limited rate, and with retries.

    Parameters
    ----------
    function : callable
        Takes a list of sentences, returns a list of as many translations.
    name : str
        The system and its languages, such as "my service en-fr".
    batch_size : int, default=64
        Sentences in one call; each distinct sentence is sent once, and empty ones never.
    retries : int, default=3
        How often a call that raises an exception is repeated.
    backoff : float, default=1.0
        Seconds before the first retry; the wait doubles before each further one.
    calls_per_second : float, default=None
        Maximal rate of calls; None is no limit.

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
    calls_per_second: float | None = None
    _next_call: float = field(default=0.0, init=False)

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
            self._limit_rate()
            try:
                translations = list(self.function(texts.copy()))
            # Services raise errors of many types, and which of them are temporary is unknown.
            except Exception as error:
                if attempt == self.retries:
                    raise TranslationError(
                        f"{self.name} failed {attempt + 1} times, last with {error!r:.200}."
                    ) from error
                time.sleep(wait)
                wait *= 2
            else:
                break
        if len(translations) != len(texts) or not all(isinstance(t, str) for t in translations):
            raise TranslationError(
                f"{self.name} returned {len(translations)} translations for {len(texts)} "
                "sentences, or something other than text; it must return one text for each."
            )
        return translations

    def _limit_rate(self) -> None:
        if self.calls_per_second is None:
            return
        now = time.monotonic()
        time.sleep(max(0.0, self._next_call - now))
        self._next_call = max(now, self._next_call) + 1 / self.calls_per_second
