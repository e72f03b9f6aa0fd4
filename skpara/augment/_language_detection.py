"""Detection of the language of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from skpara._optional import import_optional

Detector = str | Callable[[list[str]], Sequence[str]]


def language_probabilities(
    sentences: list[str], detector: Detector, languages: Sequence[str] | None = None
) -> Iterator[dict[str, float]]:
    """Return the probability of each language, for each sentence.

    ``detector`` is "py3langid", restricted to ``languages``, or a function of a list of sentences,
    whose answers have the probability 1. Without sentences, only "py3langid" is loaded.
    """
    if not callable(detector):
        model = _load_py3langid(None if languages is None else tuple(dict.fromkeys(languages)))
        return (dict(model.rank(sentence)) for sentence in sentences)
    codes = list(detector(sentences.copy())) if sentences else []
    if len(codes) != len(sentences):
        raise ValueError(
            f"detector returned {len(codes)} languages for {len(sentences)} sentences; it must "
            "return one for each."
        )
    return ({code: 1.0} for code in codes)


# Loading takes a second. py3langid's own shared model is not used, since restricting its languages
# would restrict them for all code that uses it.
@lru_cache(maxsize=8)
def _load_py3langid(languages: tuple[str, ...] | None) -> Any:
    langid = import_optional("py3langid.langid", "detector='py3langid'")
    model = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    model.set_languages(languages)
    return model
