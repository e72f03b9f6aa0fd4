from __future__ import annotations

import os
import pickle
import struct

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from sklearn.base import clone

from skpara import ParagramEncoder, WordVectors, save_model
from skpara._core import Ragged
from skpara.resources import WordFrequencies, eight_bit_codes, row_means

WORDS = ["the", "dog", "café", "bark"]
MATRIX = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)


def text_rows():
    rows = zip(WORDS, MATRIX.tolist(), strict=True)
    return "".join(" ".join([word, *map(repr, row)]) + "\n" for word, row in rows)


def written(tmp_path, kind):
    path = tmp_path / kind
    if kind.endswith(("npz", "safetensors")):
        WordVectors(WORDS, MATRIX).save(path)
    else:
        path.write_text(text_rows(), "utf8")
    return path


@pytest.mark.parametrize("kind", ["glove.txt", "v.npz", "v.safetensors"])
def test_every_file_format_reads_back(tmp_path, kind):
    vectors = WordVectors.load(written(tmp_path, kind))
    assert vectors.words == WORDS
    assert vectors.n_dims == 3
    np.testing.assert_allclose(vectors.matrix, MATRIX, rtol=1e-6)
    assert vectors.matrix.dtype == np.float32


def test_gensim_and_mapping():
    keyed = KeyedVectors(3)
    keyed.add_vectors(WORDS, MATRIX)
    for source in (keyed, dict(zip(WORDS, MATRIX, strict=True))):
        vectors = WordVectors.load(source)
        assert vectors.words == WORDS
        np.testing.assert_array_equal(vectors.matrix, MATRIX)


@pytest.mark.parametrize("model", [Word2Vec, FastText])
def test_models_of_gensim_are_read_as_their_vectors(model):
    options = {"bucket": 50} if model is FastText else {}
    trained = model([["dog", "bark"]] * 3, vector_size=4, min_count=1, epochs=1, **options)
    vectors = WordVectors.load(trained)
    assert vectors.words == trained.wv.index_to_key
    np.testing.assert_array_equal(vectors["dog"], trained.wv["dog"])


def test_rows_beyond_the_announced_number_are_read_with_one_warning(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text(f"3 3\n{text_rows()}", "utf8")
    with pytest.warns(UserWarning, match="announces 3 words .* but has 4; all") as caught:
        vectors = WordVectors.load(path)
    assert len(caught) == 1
    assert vectors.words == WORDS
    np.testing.assert_allclose(vectors.matrix, MATRIX, rtol=1e-6)
    # As gensim does, since rows may be lost: the file may have been cut at the end of a row.
    path.write_text(f"5 3\n{text_rows()}", "utf8")
    with pytest.raises(EOFError):
        KeyedVectors.load_word2vec_format(str(path))
    with pytest.raises(ValueError, match=r"announces 5 words .* but has 4"):
        WordVectors.load(path)


def test_words_are_normalized_and_lower_case_has_precedence():
    vectors = WordVectors.load({"US": [1.0], "us": [2.0], "Dog": [3.0], "DOG": [4.0]})
    assert vectors.words == ["us", "dog"]
    assert vectors.matrix.ravel().tolist() == [2.0, 3.0]


def test_a_file_may_be_cut_later_and_the_packaged_table_is_mapped(tmp_path):
    path = written(tmp_path, "v.safetensors")
    vectors = WordVectors.load(path)
    os.truncate(path, 8)  # reading a map of it would end the process
    np.testing.assert_array_equal(vectors.matrix, MATRIX)
    base = WordVectors.load().layers.table
    while not isinstance(base, np.memmap):
        base = base.base
    assert base.mode == "r"


def test_eight_bit_rows(tmp_path):
    codes = np.array([[127, -127], [10, 0]], dtype=np.int8)
    small = WordVectors(["a", "b"], codes, scales=[0.5, 2.0])
    np.testing.assert_array_equal(small.matrix, [[63.5, -63.5], [20, 0]])
    small.save(tmp_path / "small.safetensors")
    again = WordVectors.load(tmp_path / "small.safetensors")
    np.testing.assert_array_equal(again.matrix, small.matrix)
    assert (tmp_path / "small.safetensors").stat().st_size < 500
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again)).matrix, small.matrix)


def test_read_only_and_shared_by_clones(small_vectors):
    assert clone(small_vectors) is small_vectors
    with pytest.raises(ValueError, match="read-only"):
        small_vectors.matrix[0, 0] = 1


def test_lookup_by_rule(small_vectors):
    words = ["dog", "zzzz", "dog"]
    zero = small_vectors.lookup(words, "zero")
    np.testing.assert_array_equal(zero[0], small_vectors["dog"])
    assert not zero[1].any()
    rare = small_vectors.lookup(words, "rare")
    rarest = small_vectors.words[small_vectors.rarest_row]
    np.testing.assert_array_equal(rare[1], small_vectors[rarest])
    for find in (small_vectors.lookup, small_vectors.unknown_vectors):
        with pytest.raises(ValueError, match="oov must be one of"):
            find(words, "skip")


def test_the_rarest_word_is_the_last_one_of_letters_and_digits():
    vectors = WordVectors(["the", "dog", "new-york", "`"], np.eye(4))
    assert vectors.rarest_row == 1
    np.testing.assert_array_equal(vectors.lookup(["qzxv"], "rare"), [[0, 1, 0, 0]])
    assert WordVectors([".", "`"], np.eye(2)).rarest_row == 1  # a table without words


def test_a_rare_word_of_the_packaged_table_stands_for_unknown_words():
    vectors = WordVectors.load("default")
    assert not vectors.words[-1].isalnum()  # otherwise this test would show nothing
    rarest = vectors.words[vectors.rarest_row]
    np.testing.assert_array_equal(vectors.lookup(["qzxv"], "rare")[0], vectors[rarest])
    words = [word for word in vectors.words if word.isalpha()]
    information = WordFrequencies.load().information([rarest, *words], unknown=20)
    assert information[0] >= np.quantile(information[1:], 0.95)
    # Like every rare word, it weighs more than the average one.
    assert np.linalg.norm(vectors[rarest]) > np.median(np.linalg.norm(vectors.matrix, axis=1))


def test_unknown_words_resemble_words_with_similar_spelling():
    words = ["vehicle", "vehicles", "banana", "guitar", "guitars", "hospital"]
    subword = WordVectors(words, np.eye(6)).lookup(["vehicals", "guitarrr", "qqqq"])
    assert set(subword[0].nonzero()[0]) <= {0, 1}
    assert subword[0].sum() == pytest.approx(1)
    assert set(subword[1].argsort()[-2:]) == {3, 4}
    assert not subword[2].any()
    common = [f"{a}{b}ing" for a in "bcdfhklmnprst" for b in "aeiou"]  # "ing" says little
    [guiting] = WordVectors(["guitar", *common], np.eye(66)).lookup(["guiting"])
    assert guiting[0] > 0.9


def test_numbers_are_not_neighbors_of_unknown_words():
    vectors = WordVectors(["12345", "covid"], np.eye(2, 256, dtype=np.float32))
    number, word = vectors.lookup(["12344", "covid19"])
    # What a number has of its own is 1.25 times as long as the rows, with numbers of one size.
    np.testing.assert_allclose(np.abs(number), 1.25 / 16, rtol=1e-6)
    np.testing.assert_allclose(np.abs(np.delete(word, 1)), 1.25 / 16, rtol=1e-6)
    assert abs(word[1] - 1) == pytest.approx(1.25 / 16)


def test_each_unknown_number_has_a_direction_of_its_own(small_vectors):
    numbers = [str(number) for number in range(100, 150)]
    assert abs(np.corrcoef(WordVectors.load().lookup(numbers)) - np.eye(50)).max() < 0.35
    for oov in ("rare", "zero"):
        assert len(np.unique(small_vectors.lookup(numbers, oov), axis=0)) == 1


def test_a_subword_vector_is_the_weighted_mean_of_neighbors():
    [vector] = WordVectors(["abcd", "abce", "wxyz"], np.eye(3)).lookup(["abc"])
    assert vector[0] == pytest.approx(vector[1])
    assert vector[2] == 0


@pytest.mark.parametrize(
    ("words", "matrix", "message"),
    [
        (["a", "a"], np.ones((2, 2)), "occurs twice"),
        (["a"], np.ones((2, 2)), "one row for each word"),
        (["a", "b"], np.ones(2), "one row for each word"),
        (["a", "b"], [[1, 2], [np.nan, 3]], r"'b' \(row 1\) is not finite"),
        ([], np.ones((0, 2)), "no words"),
    ],
)
def test_a_bad_table_is_refused(words, matrix, message):
    with pytest.raises(ValueError, match=message):
        WordVectors(words, matrix)


def test_bad_files_are_named(tmp_path):
    def refused(name, content, message, error=ValueError):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(error, match=message) as raised:
            WordVectors.load(path)
        assert name in str(raised.value)

    refused("absent.txt", None, "There are no word vectors at", FileNotFoundError)
    refused("v.pkl", b"x", "pickle")
    refused("prose.txt", b"hello\n", "line 1")
    data = written(tmp_path, "w.safetensors").read_bytes()
    refused("cut.safetensors", data[:-20], "cut short")
    refused("later.safetensors", data.replace(b'version":"1', b'version":"2'), "format 2, newer")
    refused("other.safetensors", struct.pack("<Q", 2) + b"{}", "no word vectors of skpara")


def test_saving_is_atomic_and_refuses_other_endings(tmp_path, small_vectors):
    with pytest.raises(ValueError, match=r"safetensors or \.npz"):
        small_vectors.save(tmp_path / "vectors.txt")
    assert list(tmp_path.iterdir()) == []


def test_bad_sources():
    with pytest.raises(TypeError, match="vectors must be 'default'"):
        WordVectors.load(3)
    with pytest.raises(TypeError, match=r"keys must be words .*got 1"):
        WordVectors.load({1: [1.0], 2: [1.0]})
    with pytest.raises(ValueError, match="one length"):
        WordVectors.load({"a": [1.0], "b": [1.0, 2.0]})


def test_the_default_is_english():
    vectors = WordVectors.load()
    assert WordVectors.load("default") is vectors
    assert len(vectors) >= 50_000

    def cosine(a, b):
        u, v = vectors.lookup([a, b]).astype(float)
        return u @ v / np.sqrt((u @ u) * (v @ v))

    assert cosine("guitar", "violin") > cosine("guitar", "economy") + 0.2
    assert cosine("vehicals", "vehicles") > 0.5  # not in the table
    norms = np.linalg.norm(vectors.lookup(["the", "of", "astronaut", "guitar"]), axis=1)
    assert norms[:2].max() < norms[2:].min()  # frequent words weigh less


def test_a_tuned_table_shares_what_did_not_change(small_vectors):
    ids = np.array([5, 2, 300, 301])
    rows = np.random.default_rng(0).standard_normal((4, small_vectors.n_dims), dtype=np.float32)
    tuned = small_vectors.with_rows(ids, rows, ["zz", "zzz"])
    expected = np.vstack([small_vectors.matrix, rows[2:]])
    expected[[5, 2]] = rows[:2]
    np.testing.assert_array_equal(tuned.take(np.arange(302)), expected)
    np.testing.assert_array_equal(tuned.matrix, expected)
    assert tuned.words == [*small_vectors.words, "zz", "zzz"]
    assert len(tuned.layers.moved) == 4
    assert tuned.layers.table is small_vectors.layers.table
    again = tuned.with_rows(np.array([2, 7, 302]), rows[:3], ["new"])
    expected[[2, 7]] = rows[:2]
    np.testing.assert_array_equal(again.matrix, np.vstack([expected, rows[2]]))
    assert len(again.layers.moved) == 6  # one of the three had moved before
    restored, base = pickle.loads(pickle.dumps((again, small_vectors)))
    np.testing.assert_array_equal(restored.matrix, again.matrix)
    assert restored.words == again.words
    assert restored.layers.table is base.layers.table
    # Nothing differs: no table.
    assert tuned.with_rows(ids, rows) is tuned


def test_a_tuned_table_is_one_to_unknown_words_too(small_vectors):
    tuned = small_vectors.with_rows(np.arange(300), 2 * small_vectors.matrix)
    words = ["guitars", "w1", "nothing"]
    expected = 2 * small_vectors.lookup(words)
    np.testing.assert_allclose(tuned.lookup(words), expected, rtol=1e-6, atol=1e-7)


def test_rows_that_are_not_finite_are_refused(small_vectors):
    rows = np.full((1, small_vectors.n_dims), np.nan, dtype=np.float32)
    with pytest.raises(ValueError, match=r"'w3' \(row 3\) is not finite"):
        small_vectors.with_rows(np.array([3]), rows)


def test_the_root_mean_square_is_that_of_all_rows():
    for vectors in (WordVectors.load("default"), WordVectors(WORDS, MATRIX)):
        assert vectors.rms == pytest.approx(np.sqrt(np.square(vectors.matrix).mean()), rel=1e-4)


def test_halves_of_characters_stay_what_they_are_in_pickles_and_are_refused_in_files(tmp_path):
    words = ["a", "\ud83d\ude00", "\U0001f600", "\ude00\ud83d", "\ud83d"]
    vectors = WordVectors(words, np.eye(5, dtype=np.float32))
    assert pickle.loads(pickle.dumps(vectors)).words == words
    more = vectors.with_rows(np.array([5]), np.ones((1, 5), np.float32), ["b\ud83d\ude00"])
    assert pickle.loads(pickle.dumps(more)).words == more.words
    with pytest.raises(ValueError, match="half a character"):
        vectors.save(tmp_path / "a.safetensors")
    encoder = ParagramEncoder(vectors=vectors, max_iter=0).fit([("a", "a")] * 2)
    with pytest.raises(ValueError, match="half a character"):
        save_model(encoder, tmp_path / "model.skpara")


def test_rounded_rows_have_small_pickles_and_stay_the_same():
    packaged, rng = WordVectors.load(), np.random.default_rng(0)
    ids = np.append(np.arange(0, 3000, 3), len(packaged))
    rows = packaged.lookup(packaged.words[:1001])
    rows = rows + 0.01 * rng.standard_normal(rows.shape)
    exact = packaged.with_rows(ids, rows.astype(np.float32), ["zzz"])
    rounded = exact.rounded()
    # Half of a step, which is at most a 64th of the largest difference.
    words = [*packaged.words[:4000], "zzz"]
    exact_rows, rounded_rows = exact.lookup(words), rounded.lookup(words)
    base = np.vstack([packaged.lookup(words[:-1]), 0 * rows[-1:]])
    steps = np.abs(exact_rows - base)
    limit = steps.max(axis=1, keepdims=True) / 127 + 1e-7
    assert (np.abs(rounded_rows - exact_rows) <= limit).all()
    np.testing.assert_array_equal(rounded.rounded().lookup(words), rounded_rows)
    again = pickle.loads(pickle.dumps(rounded))
    np.testing.assert_array_equal(again.lookup(words), rounded_rows)
    assert again.words == rounded.words
    sizes = [len(pickle.dumps(table)) - len(pickle.dumps(packaged)) for table in (rounded, exact)]
    assert sizes[0] < 0.3 * sizes[1]
    assert packaged.rounded() is packaged


LISTS = [[0, 2, 2, 1], [], [3], [1, 1, 1, 0], [4, 0, 5, 4]]  # 4 and 5 are rows of words beside


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("redundancy", [0.0, 0.6])
@pytest.mark.parametrize("eight_bits", [False, True])
def test_means_are_those_of_the_formula(distinct, redundancy, eight_bits):
    """``w_t = 1 / (1 + redundancy max(0, s_t))``, with ``s_t`` the sum of the cosines."""
    table = (eight_bit_codes(MATRIX)[0], eight_bit_codes(MATRIX)[1]) if eight_bits else (MATRIX,)
    vectors = WordVectors(WORDS, *table)
    extra = np.float32([[1, 2, 3], [-3, 0, 1]])
    rows = np.vstack([vectors.matrix, extra]).astype(np.float64)
    lists = Ragged(np.concatenate(LISTS).astype(np.int32), np.cumsum([0, *map(len, LISTS)]))
    means = np.full((len(LISTS), 3), np.nan, dtype=np.float32)
    row_means(vectors, lists, means, extra=extra, distinct=distinct, redundancy=redundancy)
    for ids, mean in zip(LISTS, means, strict=True):
        words = rows[list(dict.fromkeys(ids)) if distinct else ids].reshape(-1, 3)
        if not ids:
            assert not mean.any()
            continue
        units = words / np.linalg.norm(words, axis=1)[:, None]
        cosines = units @ units.T - np.eye(len(units))
        weights = 1 / (1 + redundancy * np.maximum(cosines.sum(axis=1), 0))
        np.testing.assert_allclose(mean, weights @ words / weights.sum(), rtol=1e-4, atol=1e-5)


def test_eight_bit_codes_are_within_half_a_step():
    rows = np.vstack([MATRIX, np.zeros((1, 3))]).astype(np.float32)
    codes, scales = eight_bit_codes(rows)
    assert codes.dtype == np.int8
    assert np.abs(codes).max(axis=1).tolist() == [127] * 4 + [0]
    assert (np.abs(codes * scales[:, None] - rows) <= scales[:, None] / 2 + 1e-9).all()


def test_membership_is_of_normalized_words():
    vectors = WordVectors(WORDS, MATRIX)
    assert "dog" in vectors
    assert "cat" not in vectors
    assert len(vectors) == 4


def static_model(kind, **weights):
    """A model of model2vec whose tokens mark the starts, or the insides, of words by ``kind``."""
    tokenizers = pytest.importorskip("tokenizers")
    model2vec = pytest.importorskip("model2vec")
    if kind == "##":
        tokens = ["[UNK]", "dog", "##s", "Bark"]
        model = tokenizers.models.WordPiece(
            {token: i for i, token in enumerate(tokens)}, unk_token="[UNK]"
        )
    else:
        tokens = ["<unk>", f"{kind}dog", "s", kind, f"{kind}Bark"]
        model = tokenizers.models.WordLevel(
            {token: i for i, token in enumerate(tokens)}, unk_token="<unk>"
        )
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.add_special_tokens(["[PAD]"])
    rows = np.arange(1.0, 1 + 2 * (len(tokens) + 1), dtype=np.float32).reshape(-1, 2)
    return model2vec.StaticModel(rows, tokenizer, **weights), rows


@pytest.mark.parametrize("kind", ["##", "\u2581", "\u0120"])
def test_of_a_static_model_whole_words_are_taken(kind):
    model, rows = static_model(kind)
    bark = 3 if kind == "##" else 4
    vectors = WordVectors.load(model)
    assert vectors.words == ["dog", "bark"]
    np.testing.assert_array_equal(vectors.matrix, rows[[1, bark]])
    weights = np.linspace(0.1, 0.6, len(rows))
    weighted = WordVectors.load(static_model(kind, weights=weights)[0])
    expected = rows[[1, bark]] * weights[[1, bark], None]
    np.testing.assert_allclose(weighted.matrix, expected, rtol=1e-6)
    mapping = np.arange(len(rows))[::-1]
    mapped = WordVectors.load(static_model(kind, token_mapping=mapping)[0])
    np.testing.assert_array_equal(mapped.matrix, rows[mapping[[1, bark]]])


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_tuned_rows_and_added_words_are_saved(suffix, tmp_path):
    rows = np.full((2, 3), 7, dtype=np.float32)
    tuned = WordVectors(WORDS, MATRIX).with_rows(np.array([1, 4]), rows, ["cat"])
    tuned.save(tmp_path / f"table.{suffix}")
    loaded = WordVectors.load(tmp_path / f"table.{suffix}")
    assert list(loaded.words) == [*WORDS, "cat"]
    expected = np.concatenate([MATRIX, rows[1:]])
    expected[1] = 7
    np.testing.assert_array_equal(loaded.lookup([*WORDS, "cat"]), expected)
