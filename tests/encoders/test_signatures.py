"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import encoders

SIGNATURES = {
    encoders: """
CachedModel(model, *, max_sentences=200000)
CachedModel.encode(sentences, *, show_progress_bar=False)
ParagramEncoder(network='average', *, vectors='default', negatives='random',
    positive_threshold=None, paraphraser=None, teacher=None, word_decay=1e-05,
    network_decay=0.0, optimizer=None, batch_size=100, max_iter=10, early_stopping=False,
    validation_fraction=0.1, n_iter_no_change=3, warm_start=False, output='measures',
    oov='subword', cross_fit=None, device='auto', n_jobs=None, random_state=None, verbose=0)
ParagramEncoder.fit(X, y=None, *, sample_weight=None, unlabeled=None, validation=None,
    callbacks=())
ParagramEncoder.fit_transform(X, y=None, *, sample_weight=None, unlabeled=None,
    validation=None, callbacks=())
ParagramEncoder.partial_fit(X, y=None, *, sample_weight=None)
ParagramEncoder.to_keyed_vectors(vocabulary=())
ParagramEncoder.to_sentence_transformer(vocabulary=())
ParagramEncoder.to_model2vec(vocabulary=())
ParagramEncoder.save_onnx(folder, vocabulary=())
ParagramEncoder.similarity(a, b=None)
ParagramEncoder.get_feature_names_out(input_features=None)
ParagramVectorizer(encoder='default')
ParagramVectorizer.fit(X, y=None)
ParagramVectorizer.get_feature_names_out(input_features=None)
SentenceTransformerFeature(model, *, output='similarity', number_weight=0.4,
    whitening='auto', name='transformer', device='auto', local_files_only=True, verbose=0)
SentenceTransformerFeature.fit(X, y=None, *, sample_weight=None, groups=None,
    unlabeled=None)
SentenceTransformerFeature.fit_transform(X, y=None, *, sample_weight=None, groups=None,
    unlabeled=None)
SentenceTransformerFeature.similarity(a, b=None)
SentenceTransformerFeature.get_feature_names_out(input_features=None)
align_vectors(pairs, vectors='default', *, min_count=2, alpha=0.03, max_iter=4,
    redundancy=0.6)
distill(teacher, texts, *, words=None, frequencies=None, n_dims=256, max_iter=6,
    redundancies=(0.0, 1.0), device='auto', random_state=None, verbose=0)
""",
}
RANGES = {
    encoders.ParagramEncoder(): (
        "word_decay [0, inf); network_decay [0, inf); batch_size 2, 3, ...; max_iter 0, 1, "
        "...; validation_fraction (0, 1); n_iter_no_change 1, 2, ...; cross_fit 2, 3, ...; "
        "n_jobs 1, 2, ..."
    ),
    encoders.SentenceTransformerFeature("model"): ("number_weight [0, inf); whitening [0, 1]"),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    encoders: ("CachedModel ParagramEncoder ParagramVectorizer", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
