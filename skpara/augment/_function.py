"""Any function, or a web service behind one, as a translator."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from skpara._public import set_module
from skpara.augment._translator import TranslationError, check_sentences


@set_module("skpara.augment")
class FunctionTranslator:
    """Translate with a function, carefully: in batches, not too often, and again where it fails.

    Parameters
    ----------
    function : callable
        Takes a list of sentences, gives a list of as many translations.
    name : str
        The system and its languages, such as "my service en-fr".
    batch_size : int, default=64
        Sentences in one call.
    retries : int, default=3
        How often a call that raises an exception is made again.
    backoff : float, default=1.0
        Seconds before the first time it is made again; each time after that twice as long.
    calls_per_second : float, default=None
        At most so many calls are made; None is as many as can be.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator
    >>> shout = FunctionTranslator(lambda texts: [t.upper() for t in texts], "shout en-EN")
    >>> shout.translate(["a dog", ""])
    ['A DOG', '']
    """

    def __init__(
        self,
        function: Callable[[list[str]], Sequence[str]],
        name: str,
        *,
        batch_size: int = 64,
        retries: int = 3,
        backoff: float = 1.0,
        calls_per_second: float | None = None,
    ) -> None:
        self.function = function
        self.name = name
        self.batch_size = batch_size
        self.retries = retries
        self.backoff = backoff
        self.calls_per_second = calls_per_second
        self._next_call = 0.0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence; empty ones are not sent.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        list of str

        Raises
        ------
        TranslationError
            If the function fails as often as it may, or gives something else than as many texts.
            ``error.finished`` holds what was translated before.
        """
        listed = check_sentences(sentences)
        finished: list[str | None] = ["" if not text.strip() else None for text in listed]
        sent = [i for i, text in enumerate(finished) if text is None]
        for start in range(0, len(sent), self.batch_size):
            batch = sent[start : start + self.batch_size]
            try:
                found = self._call([listed[i] for i in batch])
            except TranslationError as error:
                raise TranslationError(str(error), finished) from error.__cause__
            for i, text in zip(batch, found, strict=True):
                finished[i] = text
        return [text or "" for text in finished]

    def _call(self, texts: list[str]) -> list[str]:
        wait = self.backoff
        for attempt in range(1 + self.retries):
            self._keep_the_pace()
            try:
                found = list(self.function(list(texts)))
            except Exception as error:
                if attempt == self.retries:
                    raise TranslationError(
                        f"{self.name} failed {attempt + 1} times, last with {error!r:.200}"
                    ) from error
                time.sleep(wait)
                wait *= 2
            else:
                break
        if len(found) != len(texts) or not all(isinstance(text, str) for text in found):
            raise TranslationError(
                f"{self.name} gave {len(found)} translations for {len(texts)} sentences, or "
                "something else than text; it must give one text for each."
            )
        return found

    def _keep_the_pace(self) -> None:
        if self.calls_per_second is None:
            return
        now = time.monotonic()
        time.sleep(max(0.0, self._next_call - now))
        self._next_call = max(now, self._next_call) + 1 / self.calls_per_second
