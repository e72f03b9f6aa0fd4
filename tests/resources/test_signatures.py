"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

import pytest
from public import check_classes, check_signatures

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


@pytest.mark.parametrize("module", SIGNATURES, ids=lambda module: module.__name__)
def test_defaults_are_as_documented(module):
    check_signatures(module, SIGNATURES[module])


@pytest.mark.parametrize("module", CLASSES, ids=lambda module: module.__name__)
def test_classes_are_compared_and_printed_as_those_of_scikit_learn(module):
    check_classes(module, *CLASSES[module])
