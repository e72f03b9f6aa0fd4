"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, signature_tests

from skpara import scale

SIGNATURES = {
    scale: """
deduplicate(source, out, deduplicator=None, *, on=None, memory_gb=4.0, verbose=False)
deduplicate_spark(frame, folder, deduplicator=None, *, on, id, texts_per_task=262144)
match(queries, reference, out, matcher=None, *, on=None, left_on=None, right_on=None,
    n_jobs=None, memory_gb=4.0, verbose=False)
""",
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    scale: ("", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
