"""The settings of the papers."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from skpara.learning import Adam
from skpara.networks import DAN, GRAN, LSTM, RNN, Average, Charagram, Projection

# What the training code published with Wieting and others (2016) uses. Its penalties are half the
# squared norm, so the weights here are half of its.
_WIETING_2016: dict[str, Any] = {
    "negatives": "hardest",
    "margin": 0.4,
    "optimizer": "adam",
    "learning_rate": 0.0005,
    "word_decay": 5e-7,
    "batch_size": 100,
    "max_iter": 10,
}
_WIETING_2017: dict[str, Any] = {
    "negatives": "hardest",
    "margin": 0.4,
    "optimizer": "adam",
    "learning_rate": 0.001,
    "word_decay": 0.0,
    "network_decay": 0.0,
    "batch_size": 100,
}
_SETTINGS: dict[str, dict[str, Any]] = {
    "dcu-2016-task-internal": {
        "network": Average(),
        "negatives": "random",
        "margin": 0.8,
        "optimizer": "adadelta",
        "word_decay": 1e-5,
        "batch_size": 100,
        "positive_threshold": 3.8,
        "oov": "rare",
    },
    "wieting-2016-average": {
        **_WIETING_2016,
        "network": Average(),
        "learning_rate": 0.005,
        "optimizer": Adam(gradient_clip=1.0),
    },
    "wieting-2016-projection": {
        **_WIETING_2016,
        "network": Projection(),
        "word_decay": 5e-9,
        "network_decay": 5e-6,
    },
    "wieting-2016-dan": {
        **_WIETING_2016,
        "network": DAN(n_layers=1, nonlinearity="tanh"),
        "optimizer": "adagrad",
        "learning_rate": 0.05,
        "word_decay": 5e-6,
        "network_decay": 5e-6,
    },
    "wieting-2016-rnn": {
        **_WIETING_2016,
        "network": RNN(nonlinearity="tanh"),
        "negatives": "mix",
        "network_decay": 5e-5,
    },
    "wieting-2016-irnn": {
        **_WIETING_2016,
        "network": RNN(identity=True),
        "learning_rate": 0.005,
        "network_decay": 5.0,
        "optimizer": Adam(gradient_clip=1.0),
    },
    "wieting-2016-lstm": {
        **_WIETING_2016,
        "network": LSTM(peepholes=True),
        "network_decay": 5e-4,
    },
    "wieting-2016-lstm-no-output-gate": {
        **_WIETING_2016,
        "network": LSTM(output_gate=False, peepholes=True),
        "network_decay": 5e-4,
        "batch_size": 50,
    },
    "wieting-2016-charagram": {
        **_WIETING_2016,
        "network": Charagram(ngram_range=(2, 4), n_dims=300),
        "learning_rate": 0.001,
        "network_decay": 5e-7,
    },
    "wieting-2017-average": {**_WIETING_2017, "network": Average(), "max_iter": 20},
    "wieting-2017-gran": {**_WIETING_2017, "network": GRAN(), "max_iter": 3},
}


def paper_settings(name: str) -> dict[str, Any]:
    """Return the parameters of ``ParagramEncoder`` that a paper used.

    ==================================  =========================================================
    name                                source
    ==================================  =========================================================
    "dcu-2016-task-internal"            Hokamp and Arora (2016), section 3.1
    "wieting-2016-average"              word averaging (paragram-phrase)
    "wieting-2016-projection"           linear projection of the average
    "wieting-2016-dan"                  deep averaging network, one layer
    "wieting-2016-rnn"                  recurrent network
    "wieting-2016-irnn"                 identity-initialised recurrent network
    "wieting-2016-lstm"                 LSTM with output gate and peepholes
    "wieting-2016-lstm-no-output-gate"  LSTM without output gate, with peepholes
    "wieting-2016-charagram"            character n-grams
    "wieting-2017-average"              Wieting, Mallinson and Gimpel (2017), section 5.2
    "wieting-2017-gran"                 the same
    ==================================  =========================================================

    The papers' symbols: delta is ``margin``, lambda_w (W_w) ``word_decay``, lambda_c (W_c)
    ``network_decay``, eta ``learning_rate``. The values of DCU and of 2017 are stated in the
    papers. Those of 2016 were tuned for each network; the values here are those of the code
    published with the papers. Three things differ from that code: it clips the gradient of each
    parameter, here ``gradient_clip`` bounds the joint norm; its decay runs over the whole table of
    words, here over the rows of a batch; its Adam moves the whole table at every step, here the
    rows of the batch. The initial vectors (paragram-sl999) and the PPDB phrases to learn from are
    not included: pass them as ``vectors`` and ``X``.

    Parameters
    ----------
    name : str
        One of the names above.

    Returns
    -------
    dict
        For ``ParagramEncoder(**settings)``.

    Raises
    ------
    ValueError
        If there are no settings of this name.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.encoders import paper_settings
    >>> ParagramEncoder(**paper_settings("wieting-2017-gran")).max_iter
    3
    """
    if name not in _SETTINGS:
        raise ValueError(f"name must be one of {list(_SETTINGS)}, got {name!r}.")
    # Copies: the objects among them may be changed by whoever gets them.
    return {name: clone(value, safe=False) for name, value in _SETTINGS[name].items()}
