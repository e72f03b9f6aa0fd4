from __future__ import annotations

import numpy as np
import pytest

from skpara.augment import (
    ApertiumTranslator,
    BackTranslator,
    FunctionTranslator,
    Hypothesis,
    TranslationError,
)
from skpara.augment.filters import LengthFilter, OverlapFilter

BITEXT = [
    ("a large cat", "un gato grande"),
    ("a cat", "un gato"),
    ("nothing", ""),
    ("the dog runs", "el perro corre"),
]
WORDS = {"un": "a", "gato": "cat", "grande": "big", "el": "the", "perro": "hound", "corre": "runs"}


def word_by_word(texts):
    return [" ".join(WORDS[word] for word in text.split()) for text in texts]


SPANISH = FunctionTranslator(word_by_word, "words es-en")


class Several:
    """Each sentence, and then with one more word each time."""

    name = "several"

    def translate(self, sentences):
        return [best[0].text for best in self.nbest(sentences, 1)]

    def nbest(self, sentences, n):
        return [
            [Hypothesis(f"{text}{' so' * i}", 2.0 + i, 2) for i in range(n)] for text in sentences
        ]


def test_pairs_by_hand():
    found = BackTranslator(SPANISH).paraphrase(BITEXT)
    assert found.pairs.tolist() == [
        ["a large cat", "a cat big"],
        ["the dog runs", "the hound runs"],
    ]
    assert found.rows.tolist() == [0, 3]
    assert found.ranks.tolist() == [0, 0]
    assert np.isnan(found.costs).all()
    assert found.dropped == {"empty": 1, "copy": 1, "again": 0}


def test_streaming_gives_the_same_and_needs_no_list():
    back = BackTranslator(SPANISH, chunk_size=3)
    whole = back.paraphrase(BITEXT)
    parts = list(back.stream(row for row in BITEXT))
    assert [len(part) for part in parts] == [1, 1]
    assert [row for part in parts for row in part.rows] == whole.rows.tolist() == [0, 3]
    assert back.pairs(BITEXT).tolist() == [pair.tolist() for part in parts for pair in part]


def test_streaming_takes_what_it_needs_only():
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield ("a large cat", "un gato grande")

    stream = BackTranslator(SPANISH, chunk_size=5).stream(endless())
    next(stream), next(stream)
    assert len(taken) == 10


def test_several_translations_with_costs_and_ranks():
    found = BackTranslator(Several(), n_best=3).paraphrase([("x", "y"), ("z so", "z")])
    assert found.pairs.tolist() == [
        ["x", "y"],
        ["x", "y so"],
        ["x", "y so so"],
        ["z so", "z"],
        ["z so", "z so so"],
    ]
    assert found.costs.tolist() == [1.0, 1.5, 2.0, 1.0, 2.0]
    assert found.ranks.tolist() == [0, 1, 2, 0, 2]
    assert found.rows.tolist() == [0, 0, 0, 1, 1]


def test_one_translation_is_all_that_some_have():
    with pytest.raises(TypeError, match="words es-en gives one translation of a sentence, not 2"):
        BackTranslator(SPANISH, n_best=2).pairs(BITEXT)


def test_filters_choose_one_after_the_other():
    filters = [LengthFilter(lower=3), OverlapFilter(upper=0.5)]
    rows = [*BITEXT, ("a dog", "un gato"), ("one runs far", "el perro corre")]
    found = BackTranslator(SPANISH, filters=filters).paraphrase(rows)
    assert found.pairs.tolist() == [["one runs far", "the hound runs"]]
    assert found.dropped["LengthFilter"] == 1
    assert found.dropped["OverlapFilter"] == 2


def test_bad_bitext_is_named():
    with pytest.raises(ValueError, match="Row 1, column 1"):
        BackTranslator(SPANISH).pairs([("a", "un"), ("a", None)])
    rows = [*BITEXT, ("a", "un", "x")]
    with pytest.raises(ValueError, match=r"rows from 3 on, counted from there: Row 1 has 3"):
        list(BackTranslator(SPANISH, chunk_size=3).stream(rows))


def test_a_failing_translator_says_so():
    def broken(texts):
        raise OSError("no service")

    translator = FunctionTranslator(broken, "broken", retries=0, backoff=0)
    with pytest.raises(TranslationError, match="broken failed 1 times"):
        BackTranslator(translator).pairs(BITEXT)


def test_no_bitext():
    found = BackTranslator(SPANISH).paraphrase(np.empty((0, 2), dtype=object))
    assert found.pairs.shape == (0, 2)
    assert len(found) == 0


def test_progress(capsys):
    BackTranslator(SPANISH, verbose=1).pairs(BITEXT)
    assert "4/4" in capsys.readouterr().err


def test_apertium_translates_spanish_back(apertium):
    translator = ApertiumTranslator("es", "en")
    found = BackTranslator(translator).pairs([("The home is large.", "La casa es grande.")])
    assert found.tolist() == [["The home is large.", "The house is big."]]
