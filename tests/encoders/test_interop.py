from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara import ParagramEncoder
from skpara.encoders import mean_vectors
from skpara.encoders._interop import _with_unknown
from skpara.resources import WordVectors
from skpara.text import tokenize

SENTENCES = [
    "A man, 1,650.5 miles away, didn\u2019t play the guitar!",
    "Caf\u00e9s \u2014 cafe\u0301s & \u00bd price (50%) _now_ at 3.5.",
    "\u65e5\u672c\u8a9e and \u0420\u0443\u0441\u0441\u043a\u0438\u0439, e-mail me@x 'quoted' 5'10",
]


@pytest.fixture(scope="module")
def encoder():
    words = list(dict.fromkeys(token for s in SENTENCES for token in tokenize(s)))
    matrix = np.random.default_rng(0).standard_normal((len(words), 12)).astype(np.float32)
    return ParagramEncoder(vectors=WordVectors(words, matrix), oov="zero")


TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("aB1 .,'\u2019_-!\u00e9\u0301\u0130")),
        # Newer characters are letters in one version of Unicode and unknown in another.
        st.characters(max_codepoint=0x2FFF, exclude_categories=("Cs", "Cc", "Cn", "Mn")),
    ),
    max_size=25,
)


@given(TEXT)
@settings(max_examples=200, deadline=None)
def test_tokens_are_the_same(text):
    pytest.importorskip("tokenizers")
    tokens = tokenize(text)
    if any(not token.isascii() and token.lower() != token for token in tokens):
        return
    words = list(dict.fromkeys(tokens)) or ["a"]
    _, tokenizer = _with_unknown(WordVectors(words, np.zeros((len(words), 1))))
    other_tokens = [
        tokenizer.id_to_token(i) for i in tokenizer.encode(text, add_special_tokens=False).ids
    ]
    assert other_tokens == tokens


def test_gensim_has_the_same_vectors(encoder):
    keyed = encoder.to_keyed_vectors()
    assert keyed.index_to_key == encoder.vectors.words
    np.testing.assert_array_equal(keyed.vectors, encoder.vectors.matrix)
    assert keyed.similarity("man", "guitar") == pytest.approx(
        encoder.similarity(["man"], ["guitar"])[0], abs=1e-6
    )


def test_sentence_transformers_gives_the_same_vectors(encoder, tmp_path):
    package = pytest.importorskip("sentence_transformers")
    model = encoder.to_sentence_transformer()
    text = [*SENTENCES, "a man unheard-of", ""]
    expected = encoder.encode(text)  # with oov="zero" unknown words count as zeros here too
    np.testing.assert_allclose(model.encode(text), expected, atol=1e-6)
    model.save(str(tmp_path / "model"))
    again = package.SentenceTransformer(str(tmp_path / "model"), device="cpu")
    np.testing.assert_allclose(again.encode(text), expected, atol=1e-6)


def test_model2vec_gives_the_same_vectors(encoder, tmp_path):
    package = pytest.importorskip("model2vec")
    model = encoder.to_static_model()
    expected = encoder.encode(SENTENCES)
    np.testing.assert_allclose(model.encode(SENTENCES), expected, atol=1e-6)
    model.save_pretrained(tmp_path / "model")
    again = package.StaticModel.from_pretrained(tmp_path / "model")
    np.testing.assert_allclose(again.encode(SENTENCES), expected, atol=1e-6)
    # Unknown words are left out there: the direction is the same.
    other, own = model.encode(["a man unheard"])[0], encoder.encode(["a man unheard"])[0]
    np.testing.assert_allclose(other / np.linalg.norm(other), own / np.linalg.norm(own), atol=1e-6)


def test_long_texts_are_not_cut_off(encoder):
    pytest.importorskip("model2vec")
    text = " ".join([SENTENCES[0]] * 400 + [SENTENCES[1]] * 400)
    vectors = encoder.to_static_model().encode([text])
    np.testing.assert_allclose(vectors, encoder.encode([text]), atol=1e-4)


def test_the_tuned_vectors_are_converted(small_vectors, small_pairs):
    tuned = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(small_pairs)
    np.testing.assert_array_equal(tuned.to_keyed_vectors()["w1"], tuned.vectors_["w1"])
    sentences = [sentence for pair in small_pairs[:20] for sentence in pair]
    expected = mean_vectors(tuned.vectors_, sentences)
    pytest.importorskip("sentence_transformers")
    vectors = tuned.to_sentence_transformer().encode(sentences)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_only_averages_are_converted(small_vectors, small_pairs):
    projection = ParagramEncoder("projection", vectors=small_vectors, max_iter=1)
    for encoder in (projection, projection.fit(small_pairs)):
        for export in (encoder.to_sentence_transformer, encoder.to_static_model):
            with pytest.raises(ValueError, match="Only the average"):
                export()
    assert projection.to_keyed_vectors().vector_size == 20


def test_a_missing_package_is_named(encoder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(ImportError, match="pip install 'model2vec'"):
        encoder.to_static_model()
