"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, signature_tests

from skpara import explanation

SIGNATURES = {
    explanation: """
Explanation(pair, score, baseline, names, values, contributions, words, matches,
    interval=None, coverage=None, novelty=None, probability=None)
Explanation.top(n=8)
Explanation.groups(n=None)
Explanation.to_dict(n_groups=None)
explain(model, pairs, *, coverage=0.9)
""",
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    explanation: ("", "Explanation"),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
