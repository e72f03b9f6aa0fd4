"""What users write down: the signatures of a public module, and what parameters may be."""

from __future__ import annotations

import inspect
import math
import re
from dataclasses import is_dataclass

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from skpara._public import is_trusted


def signatures(module):
    """A line for each public function, class and method that has defaults, without types."""
    for name in module.__all__:
        public = getattr(module, name)
        if not (inspect.isfunction(public) or inspect.isclass(public)):
            continue  # a scorer's signature is that of scikit-learn
        lines = {name: _parameters(public)}
        for base in public.__mro__ if inspect.isclass(public) else ():
            for method, value in vars(base).items():
                function = getattr(value, "__func__", getattr(value, "fn", value))
                is_ours = inspect.isfunction(function) and base.__module__.startswith("skpara")
                if method[0] != "_" and is_ours:
                    lines.setdefault(f"{name}.{method}", _parameters(inspect.unwrap(function)))
        yield from (f"{name}{text}" for name, text in lines.items() if "=" in text)


def _parameters(function):
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=plain, return_annotation=signature.empty))
    text = re.sub(r"<(?:function|class) '?([\w.]+)[^>]*>", r"\1", text)
    return re.sub(r"\((self|cls)(, )?", "(", text)


def check_signatures(module, expected):
    """Compare with lines of text, of which long ones are wrapped and indented."""
    lines = re.sub(r"\n +", " ", expected).strip().splitlines()
    assert [line.replace("( ", "(") for line in lines] == list(signatures(module))


def check_classes(module, in_files, unchangeable):
    """Check how classes are compared, printed, kept in model files, and changed."""
    classes = {name: getattr(module, name) for name in module.__all__}
    classes = {name: value for name, value in classes.items() if inspect.isclass(value)}
    own = [name for name, value in classes.items() if is_trusted(value)]
    assert sorted(own) == sorted(in_files.split())
    frozen = []
    for name, value in classes.items():
        assert value.__hash__ is not None, f"{name} cannot be in a set"
        if issubclass(value, BaseEstimator):
            assert value.__repr__ is BaseEstimator.__repr__, f"{name} prints all its fields"
        if is_dataclass(value) and value.__dataclass_params__.frozen:
            frozen.append(name)
        elif is_dataclass(value):
            assert value.__eq__ is object.__eq__, f"{name} is equal to others"
    assert sorted(frozen) == sorted(unchangeable.split())


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


def check_ranges(estimator, expected):
    """``expected`` is text such as ``"dropout [0, 1); batch_size 2, 3, ..."``."""
    named = set()
    for part in filter(None, map(str.strip, expected.split(";"))):
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


def signature_tests(lines):
    """Return a test of the signatures of modules, each with its ``lines``."""

    @pytest.mark.parametrize("module", lines, ids=lambda module: module.__name__)
    def test(module):
        check_signatures(module, lines[module])

    return test


def range_tests(ranges):
    """Return a test of the ranges of the parameters of estimators."""

    @pytest.mark.parametrize("estimator", ranges, ids=lambda estimator: type(estimator).__name__)
    def test(estimator):
        check_ranges(estimator, ranges[estimator])

    return test


def class_tests(classes):
    """Return a test of the classes of modules."""

    @pytest.mark.parametrize("module", classes, ids=lambda module: module.__name__)
    def test(module):
        check_classes(module, *classes[module])

    return test
