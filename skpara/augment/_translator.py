"""What a translator is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Translator(Protocol):
    """What turns sentences of one language into sentences of another.

    Anything with these two will do.
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
