"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import learning

SIGNATURES = {
    learning: """
AdaDelta(learning_rate=1.0, *, gradient_clip=None)
AdaGrad(learning_rate=0.05, *, gradient_clip=None)
Adam(learning_rate=0.001, *, gradient_clip=None)
Device(name='auto', precision='float32')
Negatives(kind='random', megabatch_size=1, *, margin=0.8)
Paraphraser(source='copy', sentences='all')
Session(network, sentences, *, vectors='default', settings=None, random_state=None,
    taught=None, state=None)
Session.fit(objective, n_epochs, *, validation=None, patience=1, callbacks=(), verbose=0)
Session.raise_interrupt(keeper=None)
Session.batches(n_samples, batch_size, *, min_size=1)
Session.scale_row_learning_rate(factor, *, at_least=0.0)
Session.state(network='average', **fields)
Start(vectors='default', norm=None, decay_target=None)
Teacher(model, max_iter=20, number_weight=0.4, whitening='auto')
TrainingSettings(optimizer=<factory>, word_decay=0.0, network_decay=0.0, dropout=True,
    train_words=True, oov='subword', max_length=None, device='auto')
""",
}
RANGES = {
    learning.AdaDelta(): ("learning_rate (0, inf); gradient_clip (0, inf)"),
    learning.AdaGrad(): ("learning_rate (0, inf); gradient_clip (0, inf)"),
    learning.Adam(): ("learning_rate (0, inf); gradient_clip (0, inf)"),
    learning.Negatives(): ("megabatch_size 1, 2, ...; margin (0, 2]"),
    learning.Start(): ("norm (0, inf)"),
    learning.Teacher("model"): ("max_iter 1, 2, ...; number_weight [0, inf); whitening [0, 1]"),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    learning: (
        "AdaDelta AdaGrad Adam Device Negatives Paraphraser Start Teacher",
        "TrainingSettings",
    ),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
