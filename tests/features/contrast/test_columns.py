"""Columns of models that were saved before."""

from __future__ import annotations

from skpara import LexicalFeatures, load_model, save_model
from skpara.features._catalogue import GROUPS

# A new column is appended.
BEFORE = [
    "negation_flip",
    "antonym_flip",
    "antonym_negated",
    "roles_swapped",
    "roles_kept",
    "modifiers_swapped",
    "number_flip",
    "number_added",
    "time_flip",
    "time_added",
    "name_flip",
    "name_added",
    "quantifier_flip",
    "quantifier_added",
    "attribute_flip",
    "flips",
    "words_kept",
    "nouns_changed",
    "verbs_changed",
    "descriptions_changed",
    "words_added",
    "words_misspelled",
]
PAIRS = [
    ("SPF 30, 50 ml", "SPF 50, 50 ml"),
    ("We saw Anna.", "We saw Otto."),
    ("It did rain.", "It did not rain."),
]


def test_columns_keep_their_names_and_order():
    assert list(GROUPS["contrast"])[: len(BEFORE)] == BEFORE


def test_a_saved_model_has_the_columns_that_it_was_fitted_with(tmp_path):
    save_model(LexicalFeatures(BEFORE).fit(PAIRS), tmp_path / "lexical")
    loaded = load_model(tmp_path / "lexical")
    assert loaded.get_feature_names_out().tolist() == BEFORE
    now = LexicalFeatures("contrast").fit(PAIRS)
    columns = [now.features_.index(name) for name in BEFORE]
    assert loaded.transform(PAIRS).tolist() == now.transform(PAIRS)[:, columns].tolist()
