from __future__ import annotations

import pickle
import sys

import pytest
from HanTa.HanoverTagger import HanoverTagger
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara._core import Ragged
from skpara.resources import Tagger, _tagger

SENTENCE = "The quick foxes did n't jump over 3 lazy dogs in New York on Monday .".split()


def upper(tokens):
    return ["NN" if token.isupper() else "VB" for token in tokens]


def one_short(tokens):
    return ["NN"] * (len(tokens) - 1)


def test_tags_by_hand():
    tags = Tagger.load().tag([SENTENCE, []])
    assert tags == ["DT JJ NNS VBD RB VB IN CD JJ NNS IN NNP NNP IN NNP .".split(), []]


@pytest.fixture(scope="module")
def hanta():
    return HanoverTagger("morphmodel_en.pgz")


@pytest.fixture(scope="module")
def model():
    return _tagger._hanta()[0]


def names(model, tokens):
    [alone, together] = (
        model.tag(*Ragged.of(sentences)).ids[-len(tokens) :].tolist()
        for sentences in ([tokens], [["a"], *[tokens] * 40])
    )
    assert alone == together
    return [model.tags[tag] for tag in alone]


def by_hanta(hanta, tokens):
    return [_tagger._PENN.get(tag, "FW") for tag in hanta.tag_sent(tokens, taglevel=0)]


def test_every_tag_of_the_model_is_translated(hanta):
    final = {tag for pair in hanta.LP_trans_word.values() for tag in pair}
    names = {hanta.int2tag[tag] for tag in final} - {"END", "START"}
    assert names - set(_tagger._PENN) <= {"!!!", "UNKNOWN"}


def test_tags_are_those_of_hanta(hanta, sample):
    # "euros" ends in a listed morpheme that may also be an unknown one.
    texts = [*sample.data[:150].ravel(), "the euros of abs"]
    sentences = [sentence.split() for sentence in texts]
    expected = [by_hanta(hanta, tokens) for tokens in sentences]
    # Words are new at first, then their tags are cached.
    assert [Tagger.load().tag(sentences) for _ in range(2)] == [expected] * 2


@given(
    st.lists(
        st.from_regex(r"[A-Za-z]{1,6}(ness|ing|ed|ly|s|'s|ise)?", fullmatch=True)
        | st.text(min_size=1, max_size=9)
        | st.sampled_from(["`", "''", '"', "3,000", "U.S.", "the", "The", "to", "run", "-"]),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=40)
def test_tags_of_any_words_are_those_of_hanta(model, hanta, tokens):
    assert names(model, tokens) == hanta.tag_sent(tokens, taglevel=0)


@given(st.lists(st.text(min_size=1, max_size=60).filter(lambda t: t.strip() == t), max_size=8))
@settings(max_examples=50)
def test_any_tokens_have_tags(tokens):
    (tags,) = Tagger.load().tag([tokens])
    assert len(tags) == len(tokens)
    assert all(isinstance(tag, str) and tag for tag in tags)


def test_a_word_of_any_length():
    assert Tagger.load().tag([["a" * 100_000 + "ness"]]) == [["NN"]]


def test_a_function_is_a_tagger():
    assert Tagger.load(upper).tag([["A", "b"]]) == [["NN", "VB"]]
    with pytest.raises(ValueError, match=r"returned 1 tags for the 2 tokens of sentence 1, \['A'"):
        Tagger.load(one_short).tag([[], ["A", "b"]])


def test_pickled_by_name():
    tagger = pickle.loads(pickle.dumps(Tagger.load()))
    assert len(pickle.dumps(tagger)) < 200
    assert tagger.tag([["dogs"]]) == [["NNS"]]
    assert Tagger.load(tagger) is tagger


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="'auto', 'hanta' or a callable, got 'spacy'"):
        Tagger.load("spacy")


def test_the_packaged_tagger_needs_hanta(monkeypatch):
    _tagger._hanta.cache_clear()
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    for source in ("auto", "hanta"):
        with pytest.raises(ImportError):
            Tagger.load(source)
    assert Tagger.load(upper).tag([["A"]]) == [["NN"]]
