"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, signature_tests

from skpara import resources

SIGNATURES = {
    resources: """
WordFrequencies.load(source='default')
WordFrequencies.information(words, *, unknown=0.0)
""",
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    resources: ("WordFrequencies", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
