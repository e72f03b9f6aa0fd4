"""Public classes: what their parameters may be, and how they are kept, compared and changed."""

from __future__ import annotations

import inspect
import math
import re
from dataclasses import is_dataclass

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

import skpara
from skpara import augment, encoders, features, fusion, learning, matching, networks, siamese
from skpara._public import is_trusted
from skpara.augment import filters
from skpara.features import contrast

TRAINED = (
    "word_decay [0, inf); network_decay [0, inf); max_iter 1, 2, ...; validation_fraction (0, 1); "
    "n_iter_no_change 1, 2, ...; "
)
SIAMESE = f"{TRAINED}batch_size 1, 2, ...; max_length 1, 2, ...; dense_size 1, 2, ..."
NETWORK = "dropout [0, 1); word_dropout [0, 1)"
OPTIMIZER = "learning_rate (0, inf); gradient_clip (0, inf)"
VECTORS_OF_MODEL = "number_weight [0, inf); whitening [0, 1]"
RANGES = {
    augment.PivotParaphraser(): "n_best 1, 2, ...",
    filters.LanguageModelFilter(): "order 1, 2, ...",
    filters.OverlapFilter(): "order 1, 2, ...",
    filters.ReferenceFilter(): ("word_decay [0, inf); batch_size 1, 2, ...; max_iter 1, 2, ..."),
    encoders.ParagramEncoder(): (
        f"{TRAINED.replace('max_iter 1, 2', 'max_iter 0, 1')}batch_size 2, 3, ...; "
        "cross_fit 2, 3, ...; n_jobs 1, 2, ..."
    ),
    encoders.SentenceTransformerFeature("model"): VECTORS_OF_MODEL,
    features.TermInteractions(): "min_df 1, 2, ...",
    fusion.FusionClassifier(): "C (0, inf); base_rate (0, 1)",
    fusion.FusionRegressor(): "linear_weight [0, 1]; n_repeats 1, 2, ...",
    learning.AdaDelta(): OPTIMIZER,
    learning.AdaGrad(): OPTIMIZER,
    learning.Adam(): OPTIMIZER,
    learning.Negatives(): "megabatch_size 1, 2, ...; margin (0, 2]",
    learning.Start(): "norm (0, inf)",
    learning.Teacher("model"): f"max_iter 1, 2, ...; {VECTORS_OF_MODEL}",
    matching.Deduplicator(): "threshold (-inf, inf); min_cosine (0, inf); n_jobs 1, 2, ...",
    matching.TableMatcher(): (
        "top_k 1, 2, ...; precision [0, inf); threshold (-inf, inf); n_candidates 1, 2, ..."
    ),
    networks.Average(): f"{NETWORK}; redundancy [0, inf)",
    networks.Charagram(): f"{NETWORK}; n_dims 1, 2, ...; min_count 1, 2, ...",
    networks.DAN(): f"{NETWORK}; n_layers 1, 2, ...; hidden_size 1, 2, ...",
    networks.GRAN(): f"{NETWORK}; hidden_size 1, 2, ...",
    networks.LSTM(): f"{NETWORK}; hidden_size 1, 2, ...",
    networks.Network(): NETWORK,
    networks.Projection(): NETWORK,
    networks.RNN(): f"{NETWORK}; hidden_size 1, 2, ...",
    siamese.SentenceClassifier(): SIAMESE,
    siamese.SiameseClassifier(): SIAMESE,
    siamese.SiameseLSTMRegressor(): f"{SIAMESE}; n_classes 2, 3, ...; hidden_size 1, 2, ...",
    siamese.SiameseRegressor(): f"{SIAMESE}; n_classes 2, 3, ...",
}
# Classes that a model file may hold.
IN_FILES = """
    AdaDelta AdaGrad Adam Average CachedModel Charagram CosineRegressor DAN Device FusionClassifier
    FusionRegressor GRAN LSTM Negatives PairPipeline ParagramEncoder
    ParagramVectorizer Paraphraser Projection RNN SentenceClassifier SiameseClassifier
    SiameseLSTMRegressor SiameseRegressor Start TableMatcher Teacher TermInteractions TreeEnsemble
    WordFrequencies
"""
UNCHANGEABLE = "Explanation Family Knowledge Paraphrases TrainingSettings"


def classes():
    """The public classes of all modules by their names."""
    modules = [filters, contrast, *(getattr(skpara, name) for name in skpara.__all__)]
    modules = [module for module in modules if inspect.ismodule(module)]
    found = [(name, getattr(module, name)) for module in modules for name in module.__all__]
    return {name: value for name, value in found if inspect.isclass(value)}


def check_range(estimator, name, low, high, closed, integer):
    """A parameter may be what is between two bounds, and nothing just outside."""
    step = 1 if integer else 1e-6
    inside, outside = [], []
    for bound, sign, side in ((low, -1, "left"), (high, 1, "right")):
        if math.isinf(bound):
            inside.append(sign * 10**6)
        elif closed in ("both", side):
            inside.append(bound)
            outside.append(bound + sign * step)
        else:
            inside.append(bound - sign * step)
            outside.append(bound)
    kind = int if integer else float
    for value in map(kind, inside):
        if low <= value <= high:
            estimator.set_params(**{name: value})._validate_params()
    for value in [*map(kind, outside), "many", *([1.5] if integer else [math.nan])]:
        with pytest.raises(ValueError, match=name):
            estimator.set_params(**{name: value})._validate_params()


@pytest.mark.parametrize("estimator", RANGES, ids=lambda estimator: type(estimator).__name__)
def test_what_is_out_of_range_is_refused_by_name(estimator):
    named = set()
    for part in map(str.strip, RANGES[estimator].split(";")):
        name, _, rule = part.partition(" ")
        named.add(name)
        default = getattr(estimator, name)
        if integer := re.fullmatch(r"(\d+), \d+, \.\.\.", rule):
            check_range(estimator, name, int(integer[1]), math.inf, "left", True)
        else:
            left, low, high, right = re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", rule).groups()
            closed = {"[]": "both", "[)": "left", "(]": "right", "()": "neither"}[left + right]
            check_range(estimator, name, float(low), float(high), closed, False)
        estimator.set_params(**{name: default})
    of_class = {
        name
        for name, rules in estimator._parameter_constraints.items()
        if name in estimator.get_params(deep=False) and isinstance(rules, list)
        if any(isinstance(rule, Interval) for rule in rules)
    }
    assert named == of_class, "parameters with a range that no line names"


def test_model_files_hold_objects_of_these_classes_only():
    assert [name for name, value in sorted(classes().items()) if is_trusted(value)] == (
        IN_FILES.split()
    )


def test_classes_are_compared_and_printed_as_those_of_scikit_learn():
    frozen = []
    for name, value in sorted(classes().items()):
        assert value.__hash__ is not None, f"{name} cannot be in a set"
        if issubclass(value, BaseEstimator):
            assert value.__repr__ is BaseEstimator.__repr__, f"{name} prints all its fields"
        if is_dataclass(value) and value.__dataclass_params__.frozen:
            frozen.append(name)
        elif is_dataclass(value):
            assert value.__eq__ is object.__eq__, f"{name} is equal to others"
    assert frozen == UNCHANGEABLE.split()
