"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import matching

SIGNATURES = {
    matching: """
Deduplicator(threshold=0.9, *, kind='auto', model=None, linkage='auto', keep='first',
    min_cosine=None, encoder='default', n_jobs=None, guard=True, verbose=0)
Deduplicator.fit(X, y=None, *, on=None)
Deduplicator.partial_fit(X, y=None, *, on=None)
Deduplicator.labels(threshold=None)
Deduplicator.kept(threshold=None)
Deduplicator.drop_duplicates(X, *, threshold=None)
Deduplicator.merge(X, how='most frequent', *, threshold=None)
Deduplicator.dropped(threshold=None)
Deduplicator.borderline(width=0.02, threshold=None)
Deduplicator.review(n=10, *, evenly=False)
Deduplicator.judge(pairs, answers=None)
Deduplicator.certify(precision=0.95, confidence=0.95)
Matches.review(n=10, *, evenly=False)
Matches.judge(pairs, answers=None)
Matches.certify(precision=0.95, confidence=0.95)
TableMatcher(top_k=1, *, kind='auto', model=None, precision=None, one_to_one=False,
    threshold=None, encoder='default', n_candidates=10, guard='auto')
TableMatcher.fit(reference, y=None, *, on=None)
TableMatcher.match(queries, *, on=None, how='inner', explain=False)
TableMatcher.join(left, right, *, on=None, left_on=None, right_on=None, how='left',
    explain=False)
TableMatcher.partial_fit(reference, y=None, *, on=None)
TableMatcher.review(n=10, *, evenly=False)
TableMatcher.certify(precision=0.95, confidence=0.95)
TableMatcher.judge(pairs, answers=None)
""",
}
RANGES = {
    matching.Deduplicator(): ("threshold (-inf, inf); min_cosine (0, inf); n_jobs 1, 2, ..."),
    matching.TableMatcher(): (
        "top_k 1, 2, ...; precision [0, inf); threshold (-inf, inf); n_candidates 1, 2, ..."
    ),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    matching: ("TableMatcher", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
