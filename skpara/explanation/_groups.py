"""Features by what they compare, under names that need no knowledge of the features."""

from __future__ import annotations

import re

from skpara.features import FAMILY_OF

# By the group of a lexical feature. Those of one title measure nearly the same: a regressor
# spreads a contribution over them, often with opposite signs, so that only the sum says something.
# The same, similar and similarly spelled words are one title for that reason.
_TITLES = {
    "numbers": "numbers and dates",
    "quantities": "numbers and dates",
    "case": "names and symbols",
    "stocks": "names and symbols",
    "word_ngrams": "words in common",
    "weighted_match": "words in common",
    "word_overlap": "words in common",
    "lemmas": "words in common",
    "counts": "words in common",
    "char_ngrams": "words in common",
    "strings": "same order of words",
    "lengths": "length",
    "vectors": "meaning of the sentences",
    "tagged_vectors": "meaning of the sentences",
    "alignment": "words in common",
    "word_alignment": "words in common",
    "function_words": "negation and determiners",
    "wordnet": "synonyms and opposites",
    "contrast": "contradictions",
    "unmatched": "words without a counterpart",
}
_OF_ENCODERS = re.compile(r"\w+_(similarity|difference_\d+|product_\d+)")


def title_of(name: str) -> str:
    """Return the title of the group of a feature.

    The name may have prefixes, as those of a union: "lexical__align_f". A feature of an unknown
    transformer is in the group of its prefix, or in one of its own.
    """
    prefix, _, feature = name.rpartition("__")
    if feature in FAMILY_OF:
        group = FAMILY_OF[feature].group
        return _TITLES.get(group, group.replace("_", " "))
    if _OF_ENCODERS.fullmatch(feature):
        return "meaning of the sentences"
    if " ~ " in feature:  # a pair of words, which an encoder's cosine is a sum over
        return feature.split(" ~ ")[0]
    return prefix or feature


def short_name(name: str) -> str:
    """Return the name of a feature without the names of the transformers that it is from."""
    return name.rpartition("__")[2]
