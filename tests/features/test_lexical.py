from __future__ import annotations

import gc
import math
import re
import warnings
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk import ngrams
from nltk.tokenize.treebank import TreebankWordTokenizer
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, WordVectors
from skpara._normal_form import compose
from skpara.features import _batch
from skpara.features._catalogue import FAMILY_OF, GROUPS, NAMES

COUNTS = {"the": 500, "a": 400, "of": 90, "dog": 20, "baseball": 8, "won": 30, "game": 25}
COUNTS["'s"] = 60
PAIRS = [
    ("The base-ball game was won 3-2 by Bonn's team.", "Bonn won the baseball game, 3.0 to 2"),
    (
        "Shares <GM.N> fell $US5 to .DJI levels",
        "GM.N shares fell 5% in New York; the .DJI did n't",
    ),
    ("I'm sure the dog didn’t bite", "A dog, the dog of the dog."),
    ('He said: "1,000.55 of 1,000.5"', "He said: ``1000.6''"),
    ("Don't", "do not"),
    ("", ""),
    ("", "one side only"),
    ("?!", "?!"),
    ("你好 мир 5", "мир 5 你好"),
]
DIRECTIONAL = ["number_f", "number_subset"]
WORST = ["align_ic_worst", "align_icf_worst"]
# Not 1 for equal sentences: they only count something, or grow with the difference.
NOT_SIMILARITIES = {"number_len", "case_match_len", "stocks_match_len", "len_sum"}
NOT_SIMILARITIES |= {"det_1", "roles_kept"}
DIFFERENCES = {"rel_len_diff_lc", "rel_ic_diff_olc", *WORST, "det_2"}
DIFFERENCES |= {"negation_mismatch", "antonym_mismatch"}
DIFFERENCES |= {*GROUPS["contrast"]} - {"words_kept", "roles_kept"}
DIFFERENCES |= {*GROUPS["unmatched"]}
EVERYTHING = ["all", "contrast", "unmatched"]


@pytest.fixture(scope="module")
def vectors():
    words = ["dog", "game", "team", "won", "baseball", "shares", "the", "a", "3"]
    return WordVectors(words, np.random.default_rng(0).normal(size=(len(words), 6)))


@pytest.fixture(scope="module")
def lexical(vectors):
    return LexicalFeatures(EVERYTHING, frequencies=COUNTS, vectors=vectors).fit(PAIRS)


# --- TakeLab's features from their definitions, without NumPy -----------------------------------

STOP_WORDS = """i a about an are as at be by for from how in is it of on or that the this to was
what when where who will with 's did have has had were 'll""".split()


def slow_tokens(sentence):
    for old, new in [
        *(("’", "'"), ("´", "'"), ("``", '"'), ("''", '"')),
        *(("—", "--"), ("–", "--"), ("-", " "), ("/", " ")),
    ]:
        sentence = sentence.replace(old, new)
    sentence = re.sub(r"<([^ ]+)>", r"\1", sentence)
    sentence = re.sub(r"\$US(?=\d)", "$", sentence)
    tokens = TreebankWordTokenizer().tokenize(sentence)
    return [{"n't": "not", "'m": "am"}.get(token, token) for token in tokens]


def slow_join(tokens, others):
    lowered = [other.lower() for other in others]
    joined, rest = [], list(tokens)
    while rest:
        if len(rest) > 1 and (rest[0] + rest[1]).lower() in lowered:
            joined.append(rest.pop(0) + rest.pop(0))
        else:
            joined.append(rest.pop(0))
    return joined


def slow_f(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


def slow_multiset_f(first, second, weight, empty):
    shared = sum(weight(x) * n for x, n in (Counter(first) & Counter(second)).items())
    sizes = [sum(map(weight, side)) for side in (first, second)]
    if empty is not None and not all(sizes):
        return empty
    return slow_f(*(shared / size for size in sizes)) if shared else 0.0


def slow_same(x, y):
    if x == y:
        return True
    x, y = x.replace(",", ""), y.replace(",", "")
    try:
        a, b = Decimal(float(x)), Decimal(float(y))
    except ValueError:
        return False
    if (int(a) == 0) != (int(b) == 0) or abs(a - b) > 1:
        return False
    digits = [len(t.split(".")[1]) if "." in t else 0 for t in (x, y)]
    if min(digits) > 0 and int(a) != int(b):
        return False
    if min(digits) == 0 and int(a) == int(b):
        return True
    unit = Decimal(1).scaleb(-min(digits))
    return a.quantize(unit, ROUND_HALF_UP) == b.quantize(unit, ROUND_HALF_UP)


def slow_takelab(first, second):
    tokens = [slow_tokens(first), slow_tokens(second)]
    tokens = [slow_join(tokens[0], tokens[1]), slow_join(tokens[1], tokens[0])]
    words = [
        [t.lower() for t in side if not set(t) & set("0123456789,.()=[]/_`")] for side in tokens
    ]
    content = [[w for w in side if w not in STOP_WORDS] for side in words]
    found = {}

    a, b = ({t for t in side if re.fullmatch(r"[\d,./-]*\d[\d,./-]*", t, re.A)} for side in tokens)
    matched = sum(any(slow_same(x, y) for y in b) for x in a)
    found["number_len"] = math.log(1 + len(a) + len(b))
    found["number_f"] = slow_f(matched / len(a), matched / len(b)) if a and b else float(a == b)
    found["number_subset"] = float(bool(a or b) and matched in (len(a), len(b)))

    capitals = [{t for t in side[1:] if t[0].isupper() and not t.endswith(".")} for side in tokens]
    stocks = [{t for t in side if t.startswith(".") and t[1:].isupper()} for side in tokens]
    for name, (a, b) in {"case": capitals, "stocks": stocks}.items():
        found[f"{name}_match_len"] = math.log(1 + len(a) + len(b))
        found[f"{name}_match_f"] = slow_multiset_f(a, b, lambda _: 1, empty=1.0)

    for n in (1, 2, 3):
        a, b = (list(ngrams(side, n)) for side in content)
        found[f"n_gram_match_lc_{n}"] = slow_multiset_f(a, b, lambda _: 1, empty=1.0)
        a, b = (list(ngrams(side, n)) for side in words)
        found[f"n_gram_match_{n}"] = slow_multiset_f(a, b, lambda _: 1, empty=1.0)

    total = sum(COUNTS.values())
    smallest = math.log(total / max(COUNTS.values()))

    def weight(word):
        return math.log(total / COUNTS[word]) if word in COUNTS else 0.0

    found["weight_word_match_olc"] = slow_multiset_f(*words, weight, empty=None)
    sizes = [len(side) for side in content]
    found["rel_len_diff_lc"] = abs(sizes[0] - sizes[1]) / (max(sizes) + 1e-5)
    sums = [sum(max(0.0, weight(word) - smallest) for word in side) for side in words]
    found["rel_ic_diff_olc"] = abs(sums[0] - sums[1]) / (max(sums) + 1e-5)
    return found


def check_against_definitions(pairs, vectors):
    expected = pd.DataFrame([slow_takelab(*pair) for pair in pairs])
    lexical = LexicalFeatures(list(expected.columns), frequencies=COUNTS, vectors=vectors)
    found = lexical.fit_transform(pairs)
    for name, column in zip(expected.columns, found.T, strict=True):
        np.testing.assert_allclose(column, expected[name], atol=1e-12, err_msg=name)


def test_takelab_features_are_as_defined(vectors):
    check_against_definitions(PAIRS, vectors)


PIECES = (
    "the dog base ball Baseball BASE of 's n't 3 3.04 1,000 1000.4 .N Bonn - / ’ . \" <x>".split()
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=10).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
@settings(max_examples=25)
def test_takelab_features_are_as_defined_for_any_text(pairs):
    # The definitions read a line in its normal form, without the white space around it.
    check_against_definitions([(compose(a).strip(), compose(b).strip()) for a, b in pairs], None)


def test_takelab_features_are_as_defined_on_real_pairs(data_home, vectors):
    lines = (data_home / "STS/STS12-en-test/STS.input.MSRpar.txt").read_text("utf-8").split("\n")
    pairs = [tuple(line.strip().split("\t")) for line in lines[:150]]
    check_against_definitions(pairs, vectors)


# --- all features ------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.text(), st.text()) | st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
@example(pairs=[("Bonn", "$")])  # the next sentence of a batch is not the same one
@settings(max_examples=25)
def test_finite_and_symmetric_for_any_text(lexical, pairs):
    found = lexical.transform(pairs)
    assert np.isfinite(found).all()
    back = lexical.transform([pair[::-1] for pair in pairs])
    symmetric = [i for i, name in enumerate(NAMES) if name not in DIRECTIONAL]
    np.testing.assert_allclose(back[:, symmetric], found[:, symmetric], atol=1e-5)


@given(TEXTS | st.text())
@settings(max_examples=25)
def test_equal_sentences_have_extreme_similarities(lexical, sentence):
    found = dict(zip(NAMES, lexical.transform([(sentence, sentence)])[0], strict=True))
    for name, value in found.items():
        if name in DIFFERENCES:
            assert value == 0, name
        elif name == "number_subset":
            assert value == (found["number_len"] > 0)
        elif name not in NOT_SIMILARITIES:
            # With nothing to compare the value is 0 or 1, by the feature's definition.
            assert value == pytest.approx(1) or value == 0, name
    if re.search(r"[a-z]", sentence):
        for name in ("cosine", "cosine_icf", "cosine_icf_char", "align_f", "word_jaccard"):
            assert found[name] == pytest.approx(1)


def test_no_pairs_give_no_rows(lexical):
    assert lexical.transform(np.empty((0, 2), dtype=object)).shape == (0, len(NAMES))


@pytest.mark.parametrize("names", ["number_f", "counts", ["align_f", "cosine", "case_matches"]])
def test_a_selection_has_the_same_columns_as_all(lexical, vectors, names):
    some = LexicalFeatures(names, frequencies=COUNTS, vectors=vectors).fit(PAIRS)
    columns = [NAMES.index(name) for name in some.get_feature_names_out()]
    np.testing.assert_array_equal(some.transform(PAIRS), lexical.transform(PAIRS)[:, columns])


def test_only_what_is_needed_is_loaded():
    lexical = LexicalFeatures("numbers", frequencies="missing", vectors="missing").fit(PAIRS)
    assert lexical.frequencies_ is lexical.vectors_ is None
    assert lexical.document_frequencies_ == {}
    with pytest.raises(TypeError, match="frequencies is str 'missing'"):
        LexicalFeatures("lengths", frequencies="missing").fit(PAIRS)


def test_default_resources():
    assert np.isfinite(LexicalFeatures().fit_transform(PAIRS)).all()
    worse, better = LexicalFeatures("align_ic_f").fit_transform(
        [("The dog sleeps", "The tax rises"), ("The dog sleeps", "The puppy naps")]
    )
    assert worse < better


def test_batches_and_processes_do_not_change_the_result(lexical, monkeypatch):
    pairs = [(f"{first} {i}", f"{second} {i % 3}") for i in range(5) for first, second in PAIRS]
    whole = lexical.transform(pairs)
    monkeypatch.setattr(_batch, "_PAIRS_PER_BATCH", 16)
    batches = lexical.transform(pairs)
    np.testing.assert_allclose(batches, whole, atol=1e-6)
    for n_jobs in (2, 3):
        several = clone(lexical).set_params(n_jobs=n_jobs).fit(PAIRS)
        np.testing.assert_array_equal(several.transform(pairs), batches)


def test_batches_have_few_pairs_or_little_text(monkeypatch):
    monkeypatch.setattr(_batch, "_PAIRS_PER_BATCH", 3)
    monkeypatch.setattr(_batch, "_CHARACTERS_PER_BATCH", 100)
    pairs = np.array([["a" * 30, "b" * 20], ["c", "d"], ["e" * 60, "f"], ["g" * 300, "h"]])
    pairs = np.vstack([pairs, np.full((4, 2), "text")]).astype(object)
    batches = _batch.split(pairs)
    assert list(map(len, batches)) == [2, 1, 1, 3, 1]
    np.testing.assert_array_equal(np.vstack(batches), pairs)
    assert _batch.split(pairs[:0]) == []


def test_unlabeled_sentences_lower_the_idf_of_their_words():
    pairs = [("a dog barks", "a dog runs"), ("a cat barks", "a cat runs")]
    lexical = LexicalFeatures("cosine_icf")
    alone = lexical.fit(pairs).transform(pairs)
    more = lexical.fit(pairs, unlabeled=["the dog", "my dog", "dog food"]).transform(pairs)
    assert alone[0] == pytest.approx(alone[1])
    assert more[0] < more[1]
    assert lexical.document_frequencies_["word"].n_documents == 7


def test_unlabeled_is_routed_through_a_pipeline():
    more = ["the dog", "my dog"]
    with config_context(enable_metadata_routing=True):
        features = LexicalFeatures("cosine_icf").set_fit_request(unlabeled=True)
        model = make_pipeline(features, Ridge()).fit(PAIRS, range(len(PAIRS)), unlabeled=more)
    distinct = {sentence for pair in PAIRS for sentence in pair} | set(more)
    assert model[0].document_frequencies_["word"].n_documents == len(distinct)


def test_garbage_collection_is_as_before_a_batch_also_after_errors():
    features = LexicalFeatures("fast").fit(PAIRS)
    features.vectors_ = None
    for switch, enabled in ((gc.disable, False), (gc.enable, True)):
        switch()
        with pytest.raises(AssertionError):
            features.transform(PAIRS)
        assert gc.isenabled() == enabled


def test_unknown_features_are_refused_in_fit():
    with pytest.raises(ValueError, match="Did you mean 'number_f'"):
        LexicalFeatures("number_ff").fit(PAIRS)


def test_the_docstring_lists_every_group():
    text = LexicalFeatures.__doc__
    for name in [*GROUPS, *(family.group for family in FAMILY_OF.values())]:
        assert name in text


# --- tags, lemmas, WordNet ---------------------------------------------------------------------


def tagged(text):
    return [tuple(token.rsplit("/", 1)) for token in text.split()]


TAGGED = [
    (
        "The/DT quick/JJ dogs/NNS were/VBD chasing/VBG the/DT geese/NNS ,/, quickly/RB ././.",
        "A/DT fast/JJ dog/NN chased/VBD a/DT goose/NN and/CC geese/NNS",
    ),
    ("Good/JJ men/NNS saw/VBD hot/JJ water/NN", "Men/NNS see/VBP cold/JJ water/NN"),
    ("He/PRP did/VBD not/RB win/VB 3/CD games/NNS", "He/PRP lost/VBD three/CD games/NNS"),
    ("the/DT", "is/VBZ"),
    ("xyzzy/NN", "xyzzy/NN qwertz/NN"),
]
FIRST = [tagged(a) for a, _ in TAGGED]
SECOND = [tagged(b) for _, b in TAGGED]
TAGS = dict(token for side in (*FIRST, *SECOND) for token in side)


def slow_lemmas(sentence, reader):
    pos_of = {"NN": "n", "JJ": "a", "VB": "v", "RB": "r"}
    lemmas = []
    for token, tag in sentence:
        word = token.lower()
        if word in STOP_WORDS or set(word) & set("0123456789,.()=[]/_`"):
            continue
        pos = pos_of.get(tag[:2])
        lemmas.append((reader.morphy(word, pos) if pos else None) or word)
    return lemmas


def slow_similarity(a, b, reader):
    if a == b:
        return 1.0
    pairs = [(x, y) for x in reader.synsets(a) for y in reader.synsets(b)]
    return max((x.path_similarity(y) or 0.0 for x, y in pairs), default=0.0)


def slow_wordnet(first, second, reader):
    a, b = slow_lemmas(first, reader), slow_lemmas(second, reader)
    found = {}
    for n in (1, 2, 3):
        found[f"n_gram_match_lem_{n}"] = slow_multiset_f(
            list(ngrams(a, n)), list(ngrams(b, n)), lambda _: 1, empty=1.0
        )
    total = sum(COUNTS.values())
    found["weight_word_match_lem"] = slow_multiset_f(
        a, b, lambda w: math.log(total / COUNTS[w]) if w in COUNTS else 0.0, empty=None
    )
    found["wn_sim_lem"] = 1.0
    if a and b:
        table = np.array([[slow_similarity(x, y, reader) for y in b] for x in a])
        found["wn_sim_lem"] = slow_f(table.max(axis=1).mean(), table.max(axis=0).mean())
    alone = set(a) - set(b), set(b) - set(a)
    found["antonym_mismatch"] = float(
        any(
            antonym.name().lower() in alone[1]
            for word in alone[0]
            for synset in reader.synsets(word)
            for lemma in synset.lemmas()
            if lemma.name().lower() == word
            for antonym in lemma.antonyms()
        )
    )
    return found


def test_wordnet_features_are_as_defined_on_tagged_tokens(wordnet_reader):
    expected = pd.DataFrame(
        [slow_wordnet(*pair, wordnet_reader) for pair in zip(FIRST, SECOND, strict=True)]
    )
    assert expected["antonym_mismatch"].tolist() == [0, 1, 1, 0, 0]
    lexical = LexicalFeatures(
        list(expected.columns),
        frequencies=COUNTS,
        tagger=lambda tokens: [TAGS.get(token, "NN") for token in tokens],
    )
    plain = [[" ".join(token for token, _ in side) for side in sides] for sides in (FIRST, SECOND)]
    found = lexical.fit(PAIRS).transform(list(zip(*plain, strict=True)))
    np.testing.assert_allclose(found, expected.to_numpy(), rtol=0, atol=1e-9)


def nothing_but_nouns(tokens):
    return ["NN"] * len(tokens)


def test_the_tagger_can_be_a_function(vectors):
    lexical = LexicalFeatures(["nn_w2v", "vb_w2v"], tagger=nothing_but_nouns, vectors=vectors)
    found = lexical.fit(PAIRS).transform([("the dog won", "the team won")])
    a, b = (
        vectors.lookup(words).sum(axis=0)
        for words in (["the", "dog", "won"], ["the", "team", "won"])
    )
    cosine = a @ b / np.sqrt((a @ a) * (b @ b))
    np.testing.assert_allclose(found, [[cosine, 0.0]], atol=1e-6)


def test_wordnet_and_tagger_can_be_off(vectors):
    lexical = LexicalFeatures(wordnet=False, tagger=None, frequencies=COUNTS, vectors=vectors)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lexical.fit(PAIRS)
    assert tuple(lexical.features_) == GROUPS["fast"]
    with pytest.raises(
        ValueError, match=r"nn_w2v: these features need .*\(wordnet='auto', tagger"
    ):
        LexicalFeatures(["nn_w2v", "numbers"], tagger=False).fit(PAIRS)


def test_hostile_text(lexical):
    texts = [
        "",
        " ",
        "?!...",
        "😀😀 👨‍👩‍👧",
        "مرحبا بالعالم",
        "1,000,000.50 -3/4 ,,,",
        "日本語 mixed שלום",
    ]
    texts += ["word " * 5000, "a" * 20_000, "\x00 \ud800 \u2028", "(((((((" * 50, "<x> <y", "$US5"]
    found = lexical.transform([(a, b) for a in texts for b in ("", "A dog has 2 cats.", a)])
    assert np.isfinite(found).all()


def test_the_dcu_group_has_the_features_of_table_6_and_no_others():
    table = [
        *("cosine_icf", "product_w2v", "nn_w2v", "vb_w2v", "cosine", "sum_w2v", "det_1", "det_2"),
        *("weighted_word_match", "wn_sim_match", "relative_len_difference", "number_features"),
        *("weighted_dist_sim", "case_matches", "relative_ic_difference"),
    ]
    selected = LexicalFeatures(table).fit([("a", "b")]).features_
    assert set(GROUPS["dcu"]) == set(selected)


def test_groups_of_the_papers_and_of_fast_features():
    assert len(GROUPS["takelab"]) == 19
    assert len(GROUPS["dcu"]) == 18
    assert {FAMILY_OF[name].group for name in GROUPS["fast"]} == {
        family.group for family in FAMILY_OF.values()
    } - {"lemmas", "wordnet", "tagged_vectors", "word_alignment", "contrast", "unmatched"}
