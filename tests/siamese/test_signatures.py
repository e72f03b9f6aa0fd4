"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import siamese

SIGNATURES = {
    siamese: """
SentenceClassifier(network='average', *, vectors='default', max_length=None,
    trainable_vectors=True, word_decay=0.0, network_decay=0.0001, optimizer='adam',
    batch_size=25, max_iter=10, early_stopping=False, validation_fraction=0.1,
    n_iter_no_change=3, warm_start=False, device='auto', random_state=None, verbose=0,
    class_weight=None, dense_size=50)
SentenceClassifier.fit(X, y, *, sample_weight=None, validation=None, callbacks=())
SiameseClassifier(network='average', *, vectors='default', max_length=None,
    trainable_vectors=True, word_decay=0.0, network_decay=0.0001, optimizer='adam',
    batch_size=25, max_iter=10, early_stopping=False, validation_fraction=0.1,
    n_iter_no_change=3, warm_start=False, device='auto', random_state=None, verbose=0,
    class_weight=None, dense_size=50, symmetric=False)
SiameseClassifier.fit(X, y, *, sample_weight=None, validation=None, callbacks=())
SiameseLSTMRegressor(vectors='default', max_length=20, *, trainable_vectors=True,
    word_decay=0.0, network_decay=0.0001, optimizer='adam', batch_size=25, max_iter=10,
    early_stopping=False, validation_fraction=0.1, n_iter_no_change=3, warm_start=False,
    device='auto', random_state=None, verbose=0, dense_size=50, n_classes=6, loss='kl',
    score_range=(0, 5), hidden_size=100)
SiameseLSTMRegressor.fit(X, y, *, sample_weight=None, validation=None, callbacks=())
SiameseRegressor(network='lstm', *, vectors='default', max_length=20,
    trainable_vectors=True, word_decay=0.0, network_decay=0.0001, optimizer='adam',
    batch_size=25, max_iter=10, early_stopping=False, validation_fraction=0.1,
    n_iter_no_change=3, warm_start=False, device='auto', random_state=None, verbose=0,
    dense_size=50, n_classes=6, loss='kl', score_range=(0, 5))
SiameseRegressor.fit(X, y, *, sample_weight=None, validation=None, callbacks=())
""",
}
RANGES = {
    siamese.SentenceClassifier(): (
        "word_decay [0, inf); network_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, "
        "...; validation_fraction (0, 1); n_iter_no_change 1, 2, ...; max_length 1, 2, ...; "
        "dense_size 1, 2, ..."
    ),
    siamese.SiameseClassifier(): (
        "word_decay [0, inf); network_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, "
        "...; validation_fraction (0, 1); n_iter_no_change 1, 2, ...; max_length 1, 2, ...; "
        "dense_size 1, 2, ..."
    ),
    siamese.SiameseLSTMRegressor(): (
        "word_decay [0, inf); network_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, "
        "...; validation_fraction (0, 1); n_iter_no_change 1, 2, ...; max_length 1, 2, ...; "
        "dense_size 1, 2, ...; n_classes 2, 3, ...; hidden_size 1, 2, ..."
    ),
    siamese.SiameseRegressor(): (
        "word_decay [0, inf); network_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, "
        "...; validation_fraction (0, 1); n_iter_no_change 1, 2, ...; max_length 1, 2, ...; "
        "dense_size 1, 2, ...; n_classes 2, 3, ..."
    ),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    siamese: ("SentenceClassifier SiameseClassifier SiameseLSTMRegressor SiameseRegressor", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
