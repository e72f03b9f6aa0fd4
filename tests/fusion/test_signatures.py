"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import fusion

SIGNATURES = {
    fusion: """
CosineRegressor(score_range=(0, 5))
CosineRegressor.fit(X, y=None)
FusionClassifier(estimator=None, *, C=0.1, cv=5, random_state=None, base_rate=None)
FusionClassifier.fit(X, y, sample_weight=None, groups=None)
FusionClassifier.threshold(*, precision=None, recall=None, confidence=None)
FusionClassifier.decide(X, *, precision, confidence=None, unsure='unsure')
FusionRegressor(estimator=None, *, linear_weight='auto', score_range=None, n_repeats=1,
    intervals=False, random_state=None)
FusionRegressor.fit(X, y, sample_weight=None, groups=None)
FusionRegressor.predict_interval(X, coverage=0.9)
PairPipeline(steps, *, transform_input=None, memory=None, verbose=False)
PairPipeline.fit(X, y=None, *, unlabeled=None, groups=None, sample_weight=None, **params)
load_pair_classifier(*, base_rate=None)
make_cosine_scorer(vectors='default', *, score_range=(0, 5))
make_pair_classifier(encoder=None, lexical=None, terms=None, classifier=None, *,
    ordered=False, random_state=None)
make_sts_pipeline(encoder=None, lexical=None, regressor=None, *, paraphraser=None,
    teacher=None, positive_threshold=None, score_range=None, intervals=False, random_state=None,
    verbose=0)
paper_settings(name, *, paraphraser=None)
""",
}
RANGES = {
    fusion.FusionClassifier(): ("C (0, inf); base_rate (0, 1)"),
    fusion.FusionRegressor(): ("linear_weight [0, 1]; n_repeats 1, 2, ..."),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    fusion: ("CosineRegressor FusionClassifier FusionRegressor PairPipeline TreeEnsemble", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
