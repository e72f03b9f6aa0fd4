"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, range_tests, signature_tests

from skpara import networks

SIGNATURES = {
    networks: """
DAN(n_layers=2, hidden_size=None, nonlinearity='tanh', *, dropout=0.0, word_dropout=0.0,
    initialization='default')
GRAN(hidden_size=None, peepholes=False, *, dropout=0.0, word_dropout=0.0,
    initialization='default')
LSTM(output_gate=True, peepholes=False, hidden_size=None, bidirectional=False, *,
    dropout=0.0, word_dropout=0.0, initialization='default')
RNN(identity=False, hidden_size=None, nonlinearity='tanh', *, dropout=0.0, word_dropout=0.0,
    initialization='default')
Average(*, dropout=0.0, word_dropout=0.0, distinct_words=True, redundancy=0.6)
Charagram(ngram_range=(2, 4), n_dims=300, nonlinearity='tanh', min_count=1, *, dropout=0.0,
    word_dropout=0.0)
Network(*, dropout=0.0, word_dropout=0.0)
Projection(nonlinearity='identity', *, dropout=0.0, word_dropout=0.0,
    initialization='default')
""",
}
RANGES = {
    networks.DAN(): (
        "dropout [0, 1); word_dropout [0, 1); n_layers 1, 2, ...; hidden_size 1, 2, ..."
    ),
    networks.GRAN(): ("dropout [0, 1); word_dropout [0, 1); hidden_size 1, 2, ..."),
    networks.LSTM(): ("dropout [0, 1); word_dropout [0, 1); hidden_size 1, 2, ..."),
    networks.RNN(): ("dropout [0, 1); word_dropout [0, 1); hidden_size 1, 2, ..."),
    networks.Average(): ("dropout [0, 1); word_dropout [0, 1); redundancy [0, inf)"),
    networks.Charagram(): (
        "dropout [0, 1); word_dropout [0, 1); n_dims 1, 2, ...; min_count 1, 2, ..."
    ),
    networks.Network(): ("dropout [0, 1); word_dropout [0, 1)"),
    networks.Projection(): ("dropout [0, 1); word_dropout [0, 1)"),
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    networks: ("Average Charagram DAN GRAN LSTM Projection RNN", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_what_is_out_of_range_is_refused_by_name = range_tests(RANGES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
