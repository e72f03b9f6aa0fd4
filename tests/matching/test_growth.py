"""Indices of more texts, and of parts of a reference that is too large for one index."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from skpara import Deduplicator, TableMatcher
from skpara.matching import (
    Proposals,
    TextRules,
    _records,
    checked_matcher,
    decided,
    match_parts,
    near_neighbours,
    proposed_pairs,
    sample_of_neighbours,
    score_part,
)
from skpara.matching._texts import Counts, Numbers, TextIndex, normalize

NAMES = ["Harlow Timber Ltd", "Nordic Sea Foods", "Blue Door Cafe", "Oster Timber", "Café Quade"]
MORE = ["Harlow Works", "Zyx Timber", "Blue Door Cafe"]


def dense(matrix):
    return matrix.toarray()


def counted(texts, **options):
    """The terms of texts, how often each occurs, and in how many texts, as scikit-learn counts."""
    counter = CountVectorizer(lowercase=False, **options)
    counts = counter.fit_transform(list(map(normalize, texts)))
    of_all, with_term = np.asarray(counts.sum(axis=0)).ravel(), np.diff(counts.tocsc().indptr)
    terms = counter.get_feature_names_out().tolist()
    return {term: (n, w) for term, n, w in zip(terms, of_all, with_term, strict=True)}


def test_counts_are_those_of_scikit_learn():
    texts = [*NAMES, *MORE, "", "timber timber-works, timber"]
    counts = Counts.of(texts)
    ngrams = zip(counts.n_ngrams.tolist(), counts.with_ngram.tolist(), strict=True)
    found = dict(zip(counts.ngrams, ngrams, strict=True))
    assert found == counted(texts, analyzer="char_wb", ngram_range=(2, 3))
    words = {word: w for word, (_, w) in counted(texts, analyzer=str.split).items()}
    assert dict(zip(counts.words, counts.with_word.tolist(), strict=True)) == words
    assert counts.words[:4] == ["harlow", "timber", "ltd", "nordic"]  # as they first occur


def test_a_part_has_the_weights_of_all_names():
    """An index of a part, with the numbers of all names, weighs and compares as one of all."""
    names = [*NAMES, *MORE]
    whole, counts = TextIndex(names), Counts.of(names)
    numbers = Numbers(*counts[:1], counts.with_ngram, counts.words, counts.with_word, len(names))
    empty = TextIndex.of_numbers(numbers)
    assert empty.rows.texts == []
    part = empty.of_texts(names[2:5])
    queries = ["Blue Door", "Timber of Harlow", "Unheard"]
    for mine, of_whole in zip(part.idfs, whole.idfs, strict=True):
        np.testing.assert_allclose(mine, of_whole, rtol=1e-6)
    rows, columns = np.indices((3, 3)).reshape(2, -1)
    np.testing.assert_allclose(
        part.compare(part.prepare(queries), rows, columns),
        whole.compare(whole.prepare(queries), rows, columns + 2),
        rtol=1e-6,
    )
    of_ngrams, of_words = part.proposed(part.prepare(queries), 2)
    for (i, j, values), left, right in (
        (of_ngrams, part.prepare(queries).ngrams, part.rows.ngrams),
        (of_words, part.prepare(queries).words, part.rows.words),
    ):
        products = dense(left) @ dense(right).T
        expected = [
            (row, column)
            for row in range(3)
            for column in sorted(np.argsort(-products[row])[:2])
            if products[row, column] > 0
        ]
        assert list(zip(i.tolist(), j.tolist(), strict=True)) == expected
        np.testing.assert_allclose(values, products[i, j], rtol=1e-6)


def test_an_index_of_more_texts_keeps_its_weights():
    """New words are as rare as words of no text, and new n-grams have no weight."""
    old = TextIndex(NAMES)
    new = old.extended(MORE)
    assert new.rows.texts == list(map(normalize, [*NAMES, *MORE]))
    counts = CountVectorizer(analyzer=str.split).fit_transform(map(normalize, NAMES))
    rarest = np.log(1 + len(NAMES)) + 1
    n = len(old.words)
    assert list(new.words)[n:] == ["works", "zyx"]
    np.testing.assert_allclose(
        sorted(new.idf[:n]), sorted(TfidfTransformer().fit(counts).idf_), rtol=1e-6
    )
    np.testing.assert_allclose(new.idf[n:], [rarest] * 2, rtol=1e-6)
    prepared = new.prepare([*NAMES, *MORE])
    for mine, expected, inverted in (
        (new.rows.ngrams, prepared.ngrams, new.ngrams_of),
        (new.rows.words, prepared.words, new._words_of),
    ):
        np.testing.assert_array_equal(dense(mine), dense(expected))
        np.testing.assert_array_equal(dense(inverted), dense(mine).T)
    np.testing.assert_array_equal(new.rows.ids, prepared.ids)
    np.testing.assert_array_equal(new.rows.offsets, prepared.offsets)
    assert new.rows.unknown == []
    np.testing.assert_array_equal(old.rows.texts, list(map(normalize, NAMES)))  # is as before
    again = new.extended(["Works of Zyx"])
    assert list(again.words)[-1] == "of"


def test_vectors_of_an_extended_index_follow_the_others():
    units = np.eye(8, dtype=np.float32)
    new = TextIndex(NAMES, units[:5]).extended(MORE, units[5:])
    np.testing.assert_array_equal(new.rows.units, units)
    assert TextIndex(NAMES).extended(MORE, units[5:]).rows.units is None
    assert TextIndex(NAMES, units[:5]).extended(MORE).rows.units is None


def people(n):
    rng = np.random.default_rng(0)
    syllables = ["ka", "ro", "mi", "ten", "sol", "dra"]
    names = [" ".join("".join(rng.choice(syllables, 3)) for _ in range(2)) for _ in range(n)]
    born = [f"19{20 + k}-0{1 + k % 9}-1{k % 10}" for k in range(n)]
    notes = [
        f"She sold {k} of the old maps to a man in the north, and then was on her way."
        for k in range(n)
    ]
    return pd.DataFrame({"name": names, "born": born, "notes": notes})


@pytest.mark.parametrize(
    "on", [["name"], ["name", "born"], {"name": "names", "born": "date", "notes": "sentences"}]
)
def test_a_few_more_rows_of_a_large_table_are_found_without_learning_anew(on, monkeypatch):
    table = people(40)
    if on == ["name"]:
        table = table.drop_duplicates("name", ignore_index=True)
    n = len(table) - 4
    monkeypatch.setattr(_records, "_FEW_ROWS", 10)
    grown = TableMatcher().fit(table[:n], on=on).partial_fit(table[n:])
    assert (
        grown._records.index.idf[0] == TableMatcher().fit(table[:n], on=on)._records.index.idf[0]
    )
    assert grown.match(table, on=on)["probability"].min() > 0.9
    found = grown._decisions().score(grown._read(table, on)[0])
    best = found.columns[np.lexsort((-found.scores, found.rows))]
    first = np.unique(found.rows, return_index=True)[1]
    assert best[first].tolist() == grown._records.of_rows.tolist()
    # More than a fifth more rows are learned from.
    learned = TableMatcher().fit(table[: n - 10], on=on).partial_fit(table[n - 10 :])
    np.testing.assert_array_equal(
        learned._records.index.idf, TableMatcher().fit(table, on=on)._records.index.idf
    )
    grown.drop([n + 3]).partial_fit(table[n + 3 :])  # its number is not used again
    assert grown._records.numbers.tolist() == [*range(n + 3), n + 4]


def test_proposals_of_parts_are_joined():
    parts = [
        Proposals(np.array([0, 0, 2]), np.array([7, 3, 1]), np.array([0.5, 0.9, 0.1])),
        Proposals(np.array([0, 2, 2]), np.array([9, 4, 8]), np.array([0.7, 0.3, 0.2])),
    ]
    best = Proposals.best(parts, 2)
    found = sorted(zip(*(x.tolist() for x in best), strict=True))
    assert found == [(0, 3, 0.9), (0, 9, 0.7), (2, 4, 0.3), (2, 8, 0.2)]
    rows, names = proposed_pairs([*parts, parts[0]])
    assert list(zip(rows.tolist(), names.tolist(), strict=True)) == [
        (0, 3), (0, 7), (0, 9), (2, 1), (2, 4), (2, 8),
    ]  # fmt: skip


def test_a_thousand_names_tell_how_close_all_are():
    assert sample_of_neighbours(3).tolist() == [0, 1, 2]
    assert sample_of_neighbours(1000).tolist() == list(range(1000))
    sample = sample_of_neighbours(5000)
    assert len(set(sample.tolist())) == 1000
    assert sample.tolist() == sorted(sample)
    assert 2300 < sample.mean() < 2700


@pytest.mark.parametrize(
    "options", [{"top_k": 2}, {"top_k": None}, {"one_to_one": True}, {"model": "x"}]
)
def test_a_large_reference_takes_the_best_candidate_only(options):
    assert checked_matcher(TableMatcher(threshold=0.7)).threshold == 0.7
    matcher = TableMatcher(threshold=0.7)
    vars(matcher).update(options)
    with pytest.raises(ValueError, match=rf"^{next(iter(options))}=.* needs all candidates"):
        checked_matcher(matcher)
    for bad in ({"threshold": 2.0}, {"n_candidates": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            checked_matcher(TableMatcher(**bad))


@pytest.mark.parametrize("options", [{}, {"one_to_one": True}, {"top_k": 2, "threshold": 0}])
def test_parts_of_the_queries_are_matched_as_all_at_once(options):
    queries = ["Harlow Timbers", "Cafe Quade", "Harlow Timber", "Nothing", "Sea Foods of Norden"]
    matcher = TableMatcher(**options).fit(NAMES)
    expected = matcher.match(queries)
    parts = [score_part(matcher, part, None) for part in (queries[:2], iter(queries[2:]))]
    found = match_parts(matcher, parts)
    assert found.columns.tolist() == ["query", "candidate", "probability"]
    for name in found.columns:
        np.testing.assert_allclose(found[name], expected[name])
    frames = [score_part(matcher, pd.DataFrame({"text": queries}), None)]
    np.testing.assert_array_equal(match_parts(matcher, frames)["query"], expected["query"])


def test_rules_of_a_deduplicator_are_checked():
    rules = TextRules.of(Deduplicator(threshold=0.85, guard=False))
    assert rules.lowest == pytest.approx(0.83)
    assert rules.linkage == "complete"
    assert rules.joins_equal_vectors()
    assert not TextRules.of(Deduplicator()).joins_equal_vectors()
    assert TextRules.of(Deduplicator(threshold=0.01)).lowest == 0.0
    assert TextRules.of(Deduplicator(min_cosine=0.5, linkage="single")).lowest == 0.5
    model = SimpleNamespace(predict=lambda pairs: pairs)
    with_model = TextRules.of(Deduplicator(model=model, guard=False))
    assert with_model.lowest == 0.8
    assert not with_model.joins_equal_vectors()
    for wrong, name in (
        (Deduplicator(threshold=1.5), "threshold"), (Deduplicator(min_cosine=2), "min_cosine"),
        (Deduplicator(guard=["colour"]), "colour"), (Deduplicator(linkage="average"), "linkage"),
        (Deduplicator(keep="best"), "keep"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=name):
            TextRules.of(wrong)


def test_matches_of_parts_are_those_of_one_index():
    """What parts of a reference propose is scored and decided as a matcher does."""
    queries = ["Harlow Timbers", "Cafe Quade", "Nothing at all", "Blue Doors"]
    matcher = TableMatcher(encoder="default").fit(NAMES)
    expected = matcher.match(queries)
    rows, columns = np.indices((len(queries), len(NAMES))).reshape(2, -1)
    counts = Counts.of(NAMES)
    numbers = Numbers(counts.ngrams, counts.with_ngram, counts.words, counts.with_word, len(NAMES))
    index = TextIndex.of_numbers(numbers)
    sample = np.array([(i, j) for i in range(len(NAMES)) for j in range(len(NAMES)) if i != j]).T
    near = near_neighbours(matcher, index, NAMES, tuple(sample), NAMES)
    found = decided(matcher, index, near, queries, (rows, columns), NAMES)
    assert found[0].tolist() == expected["query"].tolist()
    assert found[1].tolist() == expected["candidate"].tolist()
    np.testing.assert_allclose(found[2], expected["probability"], rtol=0.02)
