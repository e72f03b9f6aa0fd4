from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import ParagramEncoder, WordVectors, load_model, save_model
from skpara.text import normalize, tokenize


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("", []),
        (" \t\n", []),
        ("The DOG barks.", ["the", "dog", "barks", "."]),
        ("don't rock 'n' roll", ["don't", "rock", "'", "n", "'", "roll"]),
        ("It\u2019s", ["it's"]),
        ("1,650.5 or .5 or 3.", ["1,650.5", "or", ".", "5", "or", "3", "."]),
        ("a.b 7pm b2b", ["a", ".", "b", "7pm", "b2b"]),
        ("well-known snake_case", ["well", "-", "known", "snake", "_", "case"]),
        ("Ça coûte 5€ 你好 ☃", ["ça", "coûte", "5", "€", "你好", "☃"]),
        ("cafe\u0301", ["café"]),
        ("I do n't , it 's and the dogs 're", "i don't , it's and the dogs're".split()),
        ("don 't  it\t\u2019s he 'll", ["don't", "it's", "he'll"]),
        ("n't 'the' 'd' she 'does' . 's", "n't ' the ' ' d ' she ' does ' . ' s".split()),
        ("R&amp;B &lt; &#39;n&#x27; &eacute;t&eacute;", "r & b < ' n ' été".split()),
        ("AT&T &x; &;", ["at", "&", "t", "&", "x", ";", "&", ";"]),
        ("-LRB- a -rsb- b-", ["(", "a", "]", "b", "-"]),
        ("-lrb- -rrb- -lsb- -rsb- -lcb- -rcb-", [*"()[]{}"]),
        ("``a'' `b'", ['"', "a", '"', "`", "b", "'"]),
        ("half an emoji\ud83d\udc00", ["half", "an", "emoji", "\ufffd", "\ufffd"]),
    ],
)
def test_tokens(sentence, tokens):
    assert tokenize(sentence) == tokens


@given(st.text(st.characters() | st.characters(categories=["Cs"])))
def test_tokens_can_be_encoded_and_have_no_white_space(sentence):
    tokens = tokenize(sentence)
    assert all(tokens)
    assert not any(c.isspace() for c in "".join(tokens).encode().decode() if c.isascii())


@pytest.mark.parametrize("network", ["average", "charagram", "projection"])
def test_what_is_learned_from_lone_surrogates_can_be_saved(network, tmp_path):
    pairs = [("a half\ud83d emoji", "another \udc00half"), ("\udfff\ud800", "\ud800 x \ud800")] * 4
    vectors = WordVectors(["a", "half"], np.eye(2))
    encoder = ParagramEncoder(network, vectors=vectors, max_iter=1, device="cpu")
    encoder.fit(pairs, np.arange(8) * 0.6)
    save_model(encoder, tmp_path / "encoder.safetensors")
    encoder.vectors_.save(tmp_path / "vectors.npz")
    assert len(WordVectors.load(tmp_path / "vectors.npz")) == len(encoder.vectors_)
    loaded = load_model(tmp_path / "encoder.safetensors")
    np.testing.assert_allclose(loaded.transform(pairs), encoder.transform(pairs), atol=1e-3)


@given(st.text(alphabet=st.characters(max_codepoint=127, exclude_characters="&`'-")))
def test_ascii_text_loses_nothing_but_white_space(sentence):
    assert "".join(tokenize(sentence)) == "".join(sentence.lower().split())


@given(st.text("e\u0301\u0316\u0f73\u0344\u1100", min_size=1, max_size=9), st.integers(1, 400))
def test_long_runs_of_marks_are_separated(piece, n):
    # Sorting them takes the square of their number.
    text = piece * n
    normal = normalize(text)
    decomposed = [unicodedata.normalize("NFD", form) for form in (text, normal)]
    runs = [re.findall("[^e\u1100\u034f]+", form) for form in decomposed]
    if max(map(len, runs[0]), default=0) <= 256:
        assert normal == unicodedata.normalize("NFC", text)
    assert max(map(len, runs[1]), default=0) <= 2 * 256 + 1
    separated = decomposed[1].replace("\u034f", "")
    assert unicodedata.normalize("NFD", separated) == decomposed[0]


@given(st.lists(st.text(max_size=20), max_size=5))
def test_tokens_are_tokenized_as_themselves(parts):
    tokens = tokenize(" ".join(parts))
    assert tokenize(" ".join(tokens)) == tokens


@given(st.lists(st.sampled_from(["do", " ", "n't", "'s", "'", "n", "t", "_", "é", "\t", "''"])))
def test_clitics_are_joined_as_one_pattern_describes(pieces):
    sentence = "".join(pieces)
    separate = r"(?<=[^\W_])\s+(?=(?:n't|'(?:d|ll|m|re|s|t|ve))(?!['\w]))"
    assert normalize(sentence) == re.sub(separate, "", sentence).replace("''", '"')
