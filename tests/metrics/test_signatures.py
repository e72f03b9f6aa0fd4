"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import signature_tests

from skpara import metrics

SIGNATURES = {
    metrics: """
bootstrap_interval(y_true, y_pred, *, metric=pearson_score, n_resamples=2000,
    confidence_level=0.95, random_state=None)
pearson_score(y_true, y_pred, *, sample_weight=None)
semeval_intervals(y_true, y_pred, groups, *, n_resamples=2000, confidence_level=0.95,
    random_state=None)
semeval_score(y_true, y_pred, groups, *, average='pairs')
""",
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
