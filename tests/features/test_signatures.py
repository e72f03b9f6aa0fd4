"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import features
from skpara.features import contrast

SIGNATURES = {
    features: """
Family(group, names, compute, needs=frozenset())
Knowledge(frequencies=None, vectors=None, wordnet=None, tagger=None,
    document_frequencies=<factory>)
TermInteractions(ngram_range=(1, 2), *, cross=True, ordered=False, min_df=2,
    sparse_output=True)
TermInteractions.fit(X, y=None)
TermInteractions.fit_transform(X, y=None)
TermInteractions.get_feature_names_out(input_features=None)
""",
    contrast: """
Difference(column, first, second, weight=1.0)
Terms(name, groups, column='attribute_flip', most_changed=6, forms=('title', 'statement',
    'question'), is_in_place=False, follows='', is_affirmed=False, followed_by=<factory>,
    is_moved=False, is_parted=False, weight=1.0, different=(), same=())
""",
}
RANGES = {
    features.TermInteractions(): ("min_df 1, 2, ..."),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    features: ("TermInteractions", "Family Knowledge"),
    contrast: ("", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
