"""Settings of the papers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sklearn.pipeline import FeatureUnion

from skpara.encoders import ParagramEncoder
from skpara.features import LexicalFeatures
from skpara.fusion._regressor import FusionRegressor
from skpara.learning import AdaGrad, Adam, Negatives, Paraphraser, Start
from skpara.networks import DAN, GRAN, LSTM, RNN, Average, Charagram, Projection

# All parameters that matter are stated: settings do not follow the defaults of the class.
_FILE = Path(__file__).with_name("paper_settings.json")
_CLASSES = {
    **{cls.__name__: cls for cls in (AdaGrad, Adam, Negatives, Start)},
    **{cls.__name__: cls for cls in (DAN, GRAN, LSTM, RNN, Average, Charagram, Projection)},
}
_PARAPHRASED = ("dcu-2016-synthetic", "dcu-2016-fusion")


def paper_settings(name: str, *, paraphraser: Any = None) -> dict[str, Any]:
    """Return the parameters of a paper.

    ==================================  ====================  ==================================
    name                                for                   source
    ==================================  ====================  ==================================
    "dcu-2016-task-internal"            ParagramEncoder       Hokamp and Arora, section 3.6
    "dcu-2016-synthetic"                ParagramEncoder       sections 3.2 and 3.6
    "dcu-2016-fusion"                   make_sts_pipeline     section 3.4
    "umdeep-2017"                       SiameseLSTMRegressor  Barrow and Peskov, section 3
    "wieting-2016-average"              ParagramEncoder       word averaging (paragram-phrase)
    "wieting-2016-projection"           ParagramEncoder       linear projection of the average
    "wieting-2016-dan"                  ParagramEncoder       deep averaging network, one layer
    "wieting-2016-rnn"                  ParagramEncoder       recurrent network
    "wieting-2016-irnn"                 ParagramEncoder       identity-initialized RNN
    "wieting-2016-lstm"                 ParagramEncoder       LSTM with output gate
    "wieting-2016-lstm-no-output-gate"  ParagramEncoder       LSTM without output gate
    "wieting-2016-charagram"            ParagramEncoder       character n-grams
    "wieting-2016-similarity"           SiameseRegressor      transfer: scores from 1 to 5 (SICK)
    "wieting-2016-entailment"           SiameseClassifier     transfer: labels of pairs (SICK)
    "wieting-2016-sentiment"            SentenceClassifier    transfer: labels of sentences (SST)
    "wieting-2017-average"              ParagramEncoder       Wieting and others, section 5.2
    "wieting-2017-gran"                 ParagramEncoder       the same
    ==================================  ====================  ==================================

    The papers' symbols: delta is the ``margin`` of ``negatives``, lambda_w (W_w) ``word_decay``,
    lambda_c (W_c) ``network_decay``, eta the ``learning_rate`` of ``optimizer``. The
    papers state the values of DCU, UMDeep and 2017. The values of 2016 were tuned for each
    network; the values here are from the demo of the published code. Notes list what differs from
    the papers and their code.

    Parameters
    ----------
    name : str
        One of the names above.
    paraphraser : object with ``pairs(sentences)``, default=None
        Source of the synthetic paraphrases of "dcu-2016-synthetic" and "dcu-2016-fusion", which
        need it: in the paper ``PivotParaphraser(["es"])``, which translates to Spanish and back.
        Pass the sentences to be scored to ``fit(X, y, unlabeled=sentences)``.

    Returns
    -------
    dict
        For the class in the table: ``ParagramEncoder(**settings)``.

    Raises
    ------
    ValueError
        If there are no settings of this name, or they need a paraphraser.

    Notes
    -----
    Differences from the papers and from the code of Wieting and others, in all settings:

    * Initial vectors (paragram-sl999, GloVe) and training data (PPDB, SICK and so on) are not
      included: pass them as ``vectors`` and to ``fit``. Sizes of layers follow the vectors.
    * Word decay, and the optimizer's moving averages of words, concern the rows of a batch; in the
      published code the whole table decays and moves at every step. Bias correction of Adam counts
      the batches that used a row.
    * The published AdaGrad adds 1e-6 to the sum of squares; the one here adds 1e-10 to its root.
      The published Adam adds its 1e-8 before the correction of bias, the one here after it.
    * The penalties of the published code are half of the squared norm, so the weights of both
      decays are half as large here.
    * ``gradient_clip`` bounds the joint norm of all gradients; the published code bounds the norm
      of each parameter.
    * A last batch of a single pair joins the batch before.
    * The state after the last epoch is used, or the one that ``early_stopping`` chooses; the
      authors chose the best epoch on a data set, which they evaluated four times in each epoch.
    * Text is tokenized as skpara does.

    In single settings:

    * DCU: negatives are random sentences of the batch, as in the code of Wieting and others; the
      paper does not say. Nor does it state the number of epochs, here 10.
    * DCU: ``oov="rare"`` takes the rarest word for unknown words; the paper takes some rare word.
    * "dcu-2016-fusion": similarities of training pairs come from encoders that did not learn from
      them (``cross_fit=5``); the paper does not say how they were computed. The definitions of
      some features of :class:`LexicalFeatures` are readings of their names.
    * "umdeep-2017": the paper does not state optimizer, rates, dropout, batch size and epochs,
      which are the defaults of the class. Nor does it mention peepholes; there are
      none, and the initial weights are the default ones. Plain vectors are scaled to a mean length
      of 12 unless they are wrapped in a :class:`~skpara.learning.Start`.
    * Wieting 2016 and 2017: unknown words get vectors of their character n-grams, and rows of
      their own if they are in the training pairs; the published code has one row for all of them.
    * Projection, DAN, RNN, LSTM and GRAN have the initialization of the code
      (``initialization="published"``), and the LSTMs and the GRAN its peepholes, which the papers
      do not mention. The iRNN starts as in the code.
    * With the hardest negatives, recurrent networks that start from weak vectors can collapse: on
      captions, from GloVe of 50 dimensions, "wieting-2017-gran" and "wieting-2016-lstm" gave all
      sentences the same vector. ``fit`` warns of it; ``Negatives("mix", margin=0.4)`` helped.
    * "wieting-2016-charagram": n-grams start with normal vectors of standard deviation 0.01, in
      the code with uniform ones (Glorot); the code has a second bias.
    * Transfer: the published values are of one network for each task; others were tuned. The code
      has separate weights of decay for the encoder and for the layers above it; here
      ``network_decay`` is for both. The decays towards an encoder are not published.
      The divergence of "wieting-2016-similarity" is summed over classes, where the code takes
      their mean; both decays are larger by the same factor, the number of classes.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    J. Barrow, D. Peskov (2017). UMDeep at SemEval-2017 Task 1: end-to-end shared weight LSTM model
    for semantic textual similarity. SemEval.

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR. Code: github.com/jwieting/iclr2016.

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Charagram: embedding words and sentences
    via character n-grams. EMNLP. Code: github.com/jwieting/charagram.

    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Code: github.com/jwieting/emnlp2017.

    Examples
    --------
    >>> from skpara import ParagramEncoder, SiameseRegressor, make_sts_pipeline, paper_settings
    >>> ParagramEncoder(**paper_settings("wieting-2017-gran")).max_iter
    3

    The task-internal and the synthetic encoder, 18 features and gradient boosting. The paraphraser
    is any object with ``pairs``; ``PivotParaphraser(["es"])`` needs Apertium:

    >>> class Politely:
    ...     def pairs(self, sentences):
    ...         return [(sentence, f"please, {sentence}") for sentence in sentences]
    >>> settings = paper_settings("dcu-2016-fusion", paraphraser=Politely())
    >>> model = make_sts_pipeline(**settings)

    A regressor that starts from an encoder with the network of the settings, and stays near it:

    >>> from sklearn.frozen import FrozenEstimator
    >>> from skpara.learning import Start
    >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
    >>> encoder = ParagramEncoder(**paper_settings("wieting-2016-average")).fit(pairs)
    >>> encoder = FrozenEstimator(encoder)
    >>> settings = paper_settings("wieting-2016-similarity")
    >>> settings["vectors"] = Start(encoder, decay_target=encoder)
    >>> model = SiameseRegressor(**settings)
    """
    known = _stored()
    if name not in known:
        raise ValueError(f"name must be one of {list(known)}, got {name!r}.")
    if (paraphraser is None) == (name in _PARAPHRASED):
        raise ValueError(
            f"{' and '.join(_PARAPHRASED)}, and only these, need a paraphraser, such as "
            f"PivotParaphraser(['es']); name is {name!r}."
        )
    settings = {key: _object(value) for key, value in known[name].items()}
    if name == "dcu-2016-synthetic":
        settings["paraphraser"] = Paraphraser(paraphraser, sentences="unlabeled")
    elif name == "dcu-2016-fusion":
        from sklearn.ensemble import GradientBoostingRegressor

        internal = paper_settings("dcu-2016-task-internal")
        synthetic = paper_settings("dcu-2016-synthetic", paraphraser=paraphraser)
        similarities = [
            ("task_internal", ParagramEncoder(**internal, cross_fit=5)),
            ("synthetic", ParagramEncoder(**synthetic, cross_fit=5)),
        ]
        settings = {
            "encoder": FeatureUnion(similarities),
            "lexical": LexicalFeatures("dcu"),
            "regressor": FusionRegressor(GradientBoostingRegressor(), score_range=(0, 5)),
            "paraphraser": None,  # the union has the synthetic encoder
        }
    return settings


@cache
def _stored() -> dict[str, dict[str, Any]]:
    """Return the settings as the file has them; some add to a base's."""
    content = json.loads(_FILE.read_text("utf-8"))
    bases = content["bases"]
    settings = content["settings"]
    return {name: bases[own["base"]] | own["changes"] for name, own in settings.items()}


def _object(value: Any) -> Any:
    """Return a new object where the file has the name of a class with its parameters."""
    if isinstance(value, dict):
        [(name, parameters)] = value.items()
        return _CLASSES[name](**{key: _object(part) for key, part in parameters.items()})
    return tuple(value) if isinstance(value, list) else value
