"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import augment
from skpara.augment import filters

SIGNATURES = {
    augment: """
ApertiumTranslator(source, target, *, batch_size=2000, timeout=120.0, retries=2,
    program='apertium')
BackTranslator(translator, *, n_best=1, filters=())
CachedTranslator(translator, path, *, chunk_size=1000)
FunctionTranslator(function, name, *, batch_size=64, retries=3, backoff=1.0)
Hypothesis(text, cost=nan, n_tokens=0)
MarianTranslator(model, *, num_beams=4, max_tokens=4096, max_length=None, prefix='',
    device='auto', local_files_only=True)
Paraphrases(pairs, rows, costs, ranks, dropped=<factory>)
Paraphrases.take(which, why=None)
PivotParaphraser(pivots=('es',), *, language='en', translator='apertium', n_best=1,
    filters=(), cache=None)
PivotParaphraser.fit(X=None, y=None)
TranslateToEnglish(languages=('en', 'es'), *, translators='apertium', detector='py3langid',
    cache=None)
TranslateToEnglish.fit(X, y=None)
TranslateToEnglish.get_feature_names_out(input_features=None)
TranslateToEnglish.fit_transform(X, y=None)
TranslationError(message, finished=())
""",
    filters: """
BleuFilter(lower=None, upper=None)
BleuFilter.fit(X, y=None)
DuplicateFilter(lower=None, upper=0)
DuplicateFilter.fit(X, y=None)
LanguageModelFilter(order=3, *, lower=None, upper=None)
LanguageModelFilter.fit(X, y=None)
LengthFilter(lower=None, upper=None)
LengthFilter.fit(X, y=None)
OverlapFilter(order=1, lower=None, upper=None)
OverlapFilter.fit(X, y=None)
PairFilter(lower=None, upper=None)
PairFilter.fit(X, y=None)
ReferenceFilter(network='average', *, vectors='default', negatives='random', word_decay=0.0,
    optimizer='adam', batch_size=100, max_iter=10, device='auto', random_state=None, verbose=0,
    lower=0.5, upper=None)
ReferenceFilter.fit(X, y=None)
TranslationCostFilter(lower=None, upper=None)
TranslationCostFilter.fit(X, y=None)
""",
}
RANGES = {
    augment.PivotParaphraser(): ("n_best 1, 2, ..."),
    filters.LanguageModelFilter(): ("order 1, 2, ..."),
    filters.OverlapFilter(): ("order 1, 2, ..."),
    filters.ReferenceFilter(): ("word_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, ..."),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    augment: ("", "Paraphrases"),
    filters: ("", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
