from __future__ import annotations

import time

import pytest

from skpara.augment import FunctionTranslator, TranslationError, Translator


class Service:
    """Fails as often as told, and writes down what it was asked."""

    def __init__(self, failures=0):
        self.failures = failures
        self.calls = []

    def __call__(self, texts):
        self.calls.append((time.monotonic(), texts))
        if self.failures:
            self.failures -= 1
            raise ConnectionError("busy")
        return [text[::-1] for text in texts]


def test_in_batches_and_empty_ones_not_at_all():
    service = Service()
    translator = FunctionTranslator(service, "backwards", batch_size=2)
    assert translator.translate(["ab", "", "cd", " ", "ef"]) == ["ba", "", "dc", "", "fe"]
    assert [texts for _, texts in service.calls] == [["ab", "cd"], ["ef"]]
    assert isinstance(translator, Translator)


def test_failed_calls_are_made_again_later_and_later():
    service = Service(failures=2)
    translator = FunctionTranslator(service, "backwards", retries=2, backoff=0.05)
    assert translator.translate(["ab"]) == ["ba"]
    first, second, third = (when for when, _ in service.calls)
    assert second - first >= 0.05
    assert third - second >= 0.1


def test_what_was_finished_is_kept():
    def fragile(texts):
        if "bomb" in texts:
            raise ValueError("no")
        return texts

    translator = FunctionTranslator(fragile, "fragile", batch_size=1, retries=1, backoff=0)
    with pytest.raises(
        TranslationError, match="fragile failed 2 times, last with ValueError"
    ) as e:
        translator.translate(["dog", "bomb", "cat"])
    assert e.value.finished == ["dog", None, None]
    assert isinstance(e.value.__cause__, ValueError)


def test_calls_keep_the_pace():
    service = Service()
    translator = FunctionTranslator(service, "slow", batch_size=1, calls_per_second=20)
    translator.translate(["a", "b", "c", "d"])
    assert service.calls[-1][0] - service.calls[0][0] >= 0.14


@pytest.mark.parametrize("answer", [["one"], ["one", 2], ["a", "b", "c"]])
def test_as_many_texts_as_sentences(answer):
    translator = FunctionTranslator(lambda texts: answer, "odd")
    with pytest.raises(TranslationError, match="one text for each"):
        translator.translate(["dog", "cat"])
