"""Titles of groups of features, understandable without knowledge of the features."""

from __future__ import annotations

import re

from skpara.features import FAMILY_OF

# Groups of lexical features by title. A regressor spreads a contribution over features that
# measure nearly the same, often with opposite signs, so that only their sum is meaningful.
_GROUPS = {
    "numbers and dates": "numbers quantities",
    "names and symbols": "case stocks",
    "words in common": "word_ngrams weighted_match word_overlap lemmas counts char_ngrams "
    "alignment word_alignment",
    "same order of words": "strings",
    "length": "lengths",
    "meaning of the sentences": "vectors tagged_vectors",
    "negation and determiners": "function_words",
    "synonyms and opposites": "wordnet",
    "contradictions": "contrast",
    "words without a counterpart": "unmatched",
}
_TITLES = {group: title for title, groups in _GROUPS.items() for group in groups.split()}
_OF_ENCODERS = re.compile(r"\w+_(similarity|dot_product|distance|difference_\d+|product_\d+)")


def title_of(name: str) -> str:
    """Return the title of the group of a feature.

    The name may have prefixes, as in a union: "lexical__align_f". A feature of an unknown
    transformer is in the group of its prefix, or a group by itself.
    """
    prefix, _, feature = name.rpartition("__")
    if feature in FAMILY_OF:
        group = FAMILY_OF[feature].group
        return _TITLES.get(group, group.replace("_", " "))
    if _OF_ENCODERS.fullmatch(feature):
        return "meaning of the sentences"
    if " ~ " in feature:  # a pair of words, as an encoder's cosine is split
        return feature.split(" ~ ")[0]
    return prefix or feature


def short_name(name: str) -> str:
    """Return the name of a feature without the names of its transformers."""
    return name.rpartition("__")[2]
