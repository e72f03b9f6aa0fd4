"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

import pytest
from public import check_signatures

from skpara import resources

SIGNATURES = {
    resources: """
WordFrequencies.load(source='default')
WordFrequencies.information(words, *, unknown=0.0)
""",
}


@pytest.mark.parametrize("module", SIGNATURES, ids=lambda module: module.__name__)
def test_defaults_are_as_documented(module):
    check_signatures(module, SIGNATURES[module])
