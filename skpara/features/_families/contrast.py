"""The features of the group "contrast": differences of pairs as columns of numbers."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features.contrast import DETECTORS, find_differences
from skpara.features.contrast._alignment import DESCRIPTIONS, NOUNS, VERBS, AlignedPairs

NAMES = (
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
    "scope_flip",
)
FLIPS = tuple(name for name in NAMES if name.endswith(("_flip", "_swapped")))
# Columns that sum the weights of differences; the others have the largest weight.
_COUNTED = frozenset(["antonym_flip", "antonym_negated", "roles_kept"])


def compute(batch: PairBatch) -> Floats:
    """Find differences that reverse or change the meaning.

    Words are nouns, verbs, adjectives and adverbs, but not quantifiers and times. They are aligned
    one to one as in "aligned_content", with base forms and synonyms; then opposites.

    negation_flip
        1 if a word is negated on one side only ("not", "without", "failed to", "has yet to"); two
        negations in a clause cancel ("never fails to"). 0.5 if both sides have equally many
        negations, if many other words differ, or if the other side may deny the same in other
        words ("stopped").
    antonym_flip, antonym_negated
        Number of opposites, from WordNet or other lists ("set up" and "shut down"), that are
        negated on neither or both sides; and on one side, so that they mean the same ("not hot"
        and "cold"). None where "left of" and "right of" relate swapped things.
    roles_swapped
        1 if two words have swapped their roles for a verb (agent, patient or a preposition), or if
        cause and effect or earlier and later events are swapped; 0.5 if an agent has become a
        patient or many other words differ. Passives are taken into account.
    roles_kept
        Number of equal roles; not 0 for equal sentences.
    modifiers_swapped
        1 if two adjectives have swapped places, and nothing else differs.
    number_flip, time_flip, name_flip, quantifier_flip
        1 if each side has one that the other lacks, if the number of one noun or place differs
        ("SPF 30, 50 ml" and "SPF 50, 50 ml"), or if only "only" is added; 0.5 if many other words
        differ, or if names in statements stand in other places. Codes are numbers, and "2 kg"
        differs from "2 lb"; times are clock times, days, dates, seasons, "last year", "monthly"
        and, if hardly anything else differs, past and future.
    attribute_flip
        1 if a word is replaced by one that excludes it: another color, "used" and "new" or, if
        nothing else differs, another kind of animal, drink or drug. If it is the only word that
        differs, up to 1: more, the less similar and the rarer the two words are. Also 1 if a title
        names an accessory instead of the thing, or if a word such as "faux" is added.
    number_added, time_added, name_added, quantifier_added
        1 if only one side has one that the other lacks.
    flips
        Sum of the ten columns of flips and swaps, each from 0 to 1.
    words_kept
        Share of words with an equal word, a synonym or a misspelling on the other side; 1 without
        words.
    nouns_changed, verbs_changed, descriptions_changed
        Number of words replaced by others; an aligned one counts as one minus the similarity.
    words_added
        Number of words without a counterpart.
    words_misspelled
        Number of words misspelled on one side.
    scope_flip
        1 if function words change a clause that both sides have ("if" and "only if", "must" and
        "may"), also on one side only ("almost", "could have", "used to"), or if "only" precedes
        another word.
    """
    pairs = AlignedPairs(batch)
    columns = np.zeros((len(NAMES), len(pairs)))
    values = dict(zip(NAMES, columns, strict=True))
    for comparison, difference in find_differences(pairs, DETECTORS):
        column = values[difference.column]
        if difference.column in _COUNTED:
            column[comparison.number] += difference.weight
        else:
            column[comparison.number] = max(column[comparison.number], difference.weight)
    for name in FLIPS:
        values["flips"] += np.minimum(1.0, values[name])
    values["words_kept"][:] = pairs.share_kept()
    first, second = pairs.count_free()
    changed = np.minimum(first, second) + pairs.sum_losses()
    values["nouns_changed"][:] = changed[:, NOUNS]
    values["verbs_changed"][:] = changed[:, VERBS]
    values["descriptions_changed"][:] = changed[:, DESCRIPTIONS]
    values["words_added"][:] = abs(first - second).sum(axis=1)
    for number, cells in pairs.misspelled.items():
        values["words_misspelled"][number] = len(cells)
    return columns.T


FAMILY = Family("contrast", NAMES, compute, frozenset(["vectors", "wordnet", "tagger"]))
