from __future__ import annotations

import numpy as np
import pytest

from skpara.augment import ApertiumTranslator, BackTranslator, FunctionTranslator, Hypothesis
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
    """Returns each sentence, and variants with more and more words."""

    name = "several"

    def translate(self, sentences):
        return [best[0].text for best in self.nbest(sentences, 1)]

    def nbest(self, sentences, n):
        return [
            [Hypothesis(f"{text}{' so' * i}", 2.0 + i, 2) for i in range(n)] for text in sentences
        ]


def test_pairs_by_hand():
    paraphrases = BackTranslator(SPANISH).paraphrase(BITEXT)
    expected = [["a large cat", "a cat big"], ["the dog runs", "the hound runs"]]
    assert paraphrases.pairs.tolist() == expected
    assert paraphrases.rows.tolist() == [0, 3]
    assert paraphrases.ranks.tolist() == [0, 0]
    assert np.isnan(paraphrases.costs).all()
    assert paraphrases.dropped == {"empty": 1, "copy": 1, "again": 0}


def test_several_translations_with_costs_and_ranks():
    paraphrases = BackTranslator(Several(), n_best=3).paraphrase([("x", "y"), ("z so", "z")])
    assert paraphrases.pairs.tolist() == [
        ["x", "y"],
        ["x", "y so"],
        ["x", "y so so"],
        ["z so", "z"],
        ["z so", "z so so"],
    ]
    assert paraphrases.costs.tolist() == [1.0, 1.5, 2.0, 1.0, 2.0]
    assert paraphrases.ranks.tolist() == [0, 1, 2, 0, 2]
    assert paraphrases.rows.tolist() == [0, 0, 0, 1, 1]


def test_several_translations_need_a_translator_with_nbest():
    with pytest.raises(TypeError, match="words es-en gives one translation of a sentence, not 2"):
        BackTranslator(SPANISH, n_best=2).pairs(BITEXT)
    with pytest.raises(TypeError, match="A translator has a name and translate, got 'es'"):
        BackTranslator("es").pairs(BITEXT)


def test_filters_are_applied_and_counted():
    filters = [LengthFilter(lower=3), OverlapFilter(upper=0.5)]
    rows = [*BITEXT, ("a dog", "un gato"), ("one runs far", "el perro corre")]
    paraphrases = BackTranslator(SPANISH, filters=filters).paraphrase(rows)
    assert paraphrases.pairs.tolist() == [["one runs far", "the hound runs"]]
    assert paraphrases.dropped["LengthFilter"] == 1
    assert paraphrases.dropped["OverlapFilter"] == 2


def test_errors_name_the_row_of_bad_bitext():
    with pytest.raises(ValueError, match="Row 1, column 1"):
        BackTranslator(SPANISH).pairs([("a", "un"), ("a", None)])


def test_empty_bitext_gives_no_pairs():
    paraphrases = BackTranslator(SPANISH).paraphrase(np.empty((0, 2), dtype=object))
    assert paraphrases.pairs.shape == (0, 2)
    assert len(paraphrases) == 0


def test_apertium_translates_spanish_back(apertium):
    translator = BackTranslator(ApertiumTranslator("es", "en"))
    pairs = translator.pairs([("The home is large.", "La casa es grande.")])
    assert pairs.tolist() == [["The home is large.", "The house is big."]]
