from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skpara import ParagramEncoder
from skpara.encoders._interop import make_tokenizer
from skpara.learning import mean_vectors
from skpara.networks import Average
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


@pytest.mark.parametrize("distinct", [False, True])
@given(TEXT)
@example("A\u03a3 A.'\u03a3 A\u03a3'b \u03a3 A\u03a3\u03a3")  # two small forms
@settings(max_examples=60)
def test_tokens_are_the_same(distinct, text):
    pytest.importorskip("tokenizers")
    tokens = tokenize(text)
    if any(not token.isascii() and token.lower() != token for token in tokens):
        return
    words = list(dict.fromkeys(tokens)) or ["a"]
    tokenizer = make_tokenizer(words, distinct=distinct)
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    other_tokens = [tokenizer.id_to_token(i) for i in ids]
    if distinct:  # the last of equal tokens stays, and the mean does not depend on the order
        assert sorted(other_tokens) == sorted(set(tokens))
    else:
        assert other_tokens == tokens


@pytest.mark.parametrize(
    "text",
    [
        "He said &quot;A &amp; B&quot; &lt;b&gt; isn&#39;t &amp;lt;",
        "It 's a dog , do n't -LRB- run -RRB- ``now'' -lsb- 3 -RCB-",
        "don 't, they 'll 've 'tis 's",
    ],
)
def test_marks_of_other_tools_are_read_alike(text):
    pytest.importorskip("tokenizers")
    tokens = tokenize(text)
    tokenizer = make_tokenizer(sorted(set(tokens)), distinct=False)
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    assert [tokenizer.id_to_token(i) for i in ids] == tokens


def test_gensim_has_the_same_vectors(encoder):
    keyed = encoder.to_keyed_vectors()
    assert keyed.index_to_key == encoder.vectors.words
    np.testing.assert_array_equal(keyed.vectors, encoder.vectors.matrix)
    [expected] = encoder.similarity(["man"], ["guitar"])
    assert keyed.similarity("man", "guitar") == pytest.approx(expected, abs=1e-6)


UNKNOWN = [
    "A man unheard-of paid 12,345.67 dollars, 99 cents and 14 cents; the 14 men didn't.",
    "Zyxqwvs played guitaaar in 2047, in 2047 and 2046.",
    "3.14159",
]


@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
@pytest.mark.parametrize("distinct_words", [True, False])
def test_words_of_a_vocabulary_have_the_same_vectors(encoder, tmp_path, oov, distinct_words):
    network = Average(distinct_words=distinct_words, redundancy=0.0)
    own = ParagramEncoder(network, vectors=encoder.vectors, oov=oov)
    known, unknown = own.encode(SENTENCES), own.encode(UNKNOWN)
    models = []
    if importlib.util.find_spec("sentence_transformers"):
        from sentence_transformers import SentenceTransformer

        models.append(own.to_sentence_transformer(UNKNOWN))
        models[0].save(str(tmp_path / "model"))
        models.append(SentenceTransformer(str(tmp_path / "model"), device="cpu"))
    for model in models:
        np.testing.assert_allclose(model.encode(SENTENCES), known, atol=1e-6)
        # With one row for all unknown words, this row, not each word, counts once.
        if oov == "subword" or not distinct_words:
            np.testing.assert_allclose(model.encode(UNKNOWN), unknown, atol=1e-6)
    keyed = pytest.importorskip("gensim") and own.to_keyed_vectors(UNKNOWN)
    expected = own._word_vectors.lookup(["2047", "zyxqwvs"], oov)
    np.testing.assert_array_equal(keyed[["2047", "zyxqwvs"]], expected)
    assert len(keyed) > len(own.to_keyed_vectors())


def test_other_unknown_words(encoder):
    pytest.importorskip("sentence_transformers")
    text = ["a man unheard", "a man", "", "unheard"]
    for oov in ("zero", "rare"):
        own = ParagramEncoder(Average(redundancy=0.0), vectors=encoder.vectors, oov=oov)
        vectors = own.to_sentence_transformer().encode(text)
        np.testing.assert_allclose(vectors, own.encode(text), atol=1e-6)


def test_a_vocabulary_is_a_list_of_texts(encoder):
    with pytest.raises(TypeError, match="got a single str"):
        encoder.to_keyed_vectors("a man unheard-of")
    words = ["man", "1,650.5", "guitar"]
    assert encoder.to_keyed_vectors(words).index_to_key == encoder.vectors.words


def test_the_tuned_vectors_are_converted(small_vectors, small_pairs):
    tuned = ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(small_pairs)
    np.testing.assert_array_equal(tuned.to_keyed_vectors()["w1"], tuned.vectors_["w1"])
    sentences = [sentence for pair in small_pairs[:20] for sentence in pair]
    expected = mean_vectors(tuned.vectors_, sentences)
    pytest.importorskip("sentence_transformers")
    with pytest.warns(UserWarning, match="plain mean"):
        vectors = tuned.to_sentence_transformer(sentences).encode(sentences)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_only_averages_are_converted(small_vectors, small_pairs):
    projection = ParagramEncoder("projection", vectors=small_vectors, max_iter=1)
    for encoder in (projection, projection.fit(small_pairs)):
        for convert in (encoder.to_sentence_transformer, encoder.to_model2vec):
            with pytest.raises(ValueError, match="Only the average"):
                convert()
    assert projection.to_keyed_vectors().vector_size == 20


def test_a_missing_package_is_named(encoder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match="pip install 'sentence-transformers'"):
        encoder.to_sentence_transformer()


def test_model2vec_reads_the_same_vectors_from_its_files(encoder, tmp_path):
    model2vec = pytest.importorskip("model2vec")
    own = ParagramEncoder(Average(redundancy=0.0), vectors=encoder.vectors)
    texts = [*SENTENCES, *UNKNOWN, "", " ".join(SENTENCES * 300)]
    own.to_model2vec(UNKNOWN).save_pretrained(tmp_path)
    model = model2vec.StaticModel.from_pretrained(tmp_path)
    np.testing.assert_allclose(model.encode(texts), own.encode(texts), atol=1e-6)


def test_model2vec_leaves_other_unknown_words_out(encoder):
    pytest.importorskip("model2vec")
    own = ParagramEncoder(Average(redundancy=0.0), vectors=encoder.vectors)
    vectors = own.to_model2vec().encode(["a man unheard", "a man"])
    np.testing.assert_allclose(vectors, own.encode(["a man", "a man"]), atol=1e-6)


def test_model2vec_cannot_weigh_words(encoder):
    pytest.importorskip("model2vec")
    with pytest.warns(UserWarning, match="model2vec computes the plain mean"):
        encoder.to_model2vec()


@pytest.mark.parametrize("redundancy", [0.0, 0.6, 3.0])
@pytest.mark.parametrize("distinct_words", [True, False])
def test_onnx_computes_the_same_vectors(encoder, tmp_path, redundancy, distinct_words):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from tokenizers import Tokenizer

    network = Average(redundancy=redundancy, distinct_words=distinct_words)
    own = ParagramEncoder(network, vectors=encoder.vectors)
    texts = [*SENTENCES, *UNKNOWN, "", "A man and a man"]
    path = own.save_onnx(tmp_path / "new", vocabulary=UNKNOWN)
    tokenizer = Tokenizer.from_file(str(path.with_name("tokenizer.json")))
    encoded = tokenizer.encode_batch(texts, add_special_tokens=False)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = {
        "input_ids": np.array([x.ids for x in encoded]),
        "attention_mask": np.array([x.attention_mask for x in encoded]),
    }
    [vectors] = session.run(["sentence_embedding"], inputs)
    np.testing.assert_allclose(vectors, own.encode(texts), atol=2e-6)


def test_models_of_model2vec_are_vectors():
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import Tokenizer, models, pre_tokenizers

    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    tokens = ["[UNK]", "Dog", "##s", "cat", "dog", "[PAD]"]
    pieces = models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]")
    tokenizer = Tokenizer(pieces)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(["[PAD]"])
    vectors = WordVectors.load(model2vec.StaticModel(rows, tokenizer))
    assert vectors.words == ["cat", "dog"]
    np.testing.assert_array_equal(vectors.matrix, rows[[3, 4]])

    # Fewer rows than tokens, with a weight for each token.
    mapping, weights = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 1, 1, 2, 3, 1.0])
    smaller = model2vec.StaticModel(rows[:3], tokenizer, weights=weights, token_mapping=mapping)
    encoder = ParagramEncoder(Average(redundancy=0.0), vectors=smaller)
    np.testing.assert_array_equal(encoder.encode(["Cat"]), 2 * rows[[1]])
    np.testing.assert_array_equal(encoder.encode(["cat dog"])[0], smaller.encode("cat dog"))


def test_words_of_sentencepiece_begin_with_a_space():
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import Tokenizer, models

    tokens = ["<unk>", "\u2581dog", "s", "\u2581", "\u2581cat"]
    unigram = models.Unigram([(token, -1.0) for token in tokens], 0)
    model = model2vec.StaticModel(np.eye(5, dtype=np.float32), Tokenizer(unigram))
    assert WordVectors.load(model).words == ["dog", "cat"]


def test_a_converted_encoder_comes_back(encoder):
    pytest.importorskip("model2vec")
    own = ParagramEncoder(Average(redundancy=0.0), vectors=encoder.vectors)
    again = WordVectors.load(own.to_model2vec())
    assert again.words == encoder.vectors.words
    np.testing.assert_array_equal(again.matrix, encoder.vectors.matrix)
