from __future__ import annotations

import time

import pytest

from skpara.augment import FunctionTranslator, TranslationError, Translator


class Service:
    """Reverses texts after a number of failures, and records its calls."""

    def __init__(self, failures=0):
        self.failures = failures
        self.calls = []

    def __call__(self, texts):
        self.calls.append((time.monotonic(), texts))
        if self.failures:
            self.failures -= 1
            raise ConnectionError("busy")
        return [text[::-1] for text in texts]


def test_distinct_sentences_are_sent_in_batches():
    service = Service()
    translator = FunctionTranslator(service, "backwards", batch_size=2)
    sentences = ["ab", "", "cd", " ", "ef", "ab"]
    assert translator.translate(sentences) == ["ba", "", "dc", "", "fe", "ba"]
    assert [texts for _, texts in service.calls] == [["ab", "cd"], ["ef"]]
    assert isinstance(translator, Translator)


def test_failed_calls_are_repeated_after_growing_waits():
    service = Service(failures=2)
    translator = FunctionTranslator(service, "backwards", retries=2, backoff=0.05)
    assert translator.translate(["ab"]) == ["ba"]
    first, second, third = (moment for moment, _ in service.calls)
    assert second - first >= 0.05
    assert third - second >= 0.1


def test_an_error_holds_what_was_finished():
    def fragile(texts):
        if "bomb" in texts:
            raise ValueError("no")
        return texts

    translator = FunctionTranslator(fragile, "fragile", batch_size=1, retries=1, backoff=0)
    message = "fragile failed 2 times, last with ValueError"
    with pytest.raises(TranslationError, match=message) as caught:
        translator.translate(["dog", "bomb", "cat"])
    assert caught.value.finished == ["dog", None, None]
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("answer", [["one"], ["one", 2], ["a", "b", "c"], "ab"])
def test_one_text_per_sentence_is_required(answer):
    translator = FunctionTranslator(lambda texts: answer, "odd")
    with pytest.raises(TranslationError, match="one text for each"):
        translator.translate(["dog", "cat"])


def test_only_lists_of_text_are_translated():
    translator = FunctionTranslator(Service(), "backwards")
    with pytest.raises(TypeError, match="single str"):
        translator.translate("a dog")
    with pytest.raises(ValueError, match="Row 1 holds None"):
        translator.translate(["a dog", None])
