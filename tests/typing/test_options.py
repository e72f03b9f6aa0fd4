"""Options that are strings: what a type checker knows is what estimators accept."""

from __future__ import annotations

import ast
from inspect import get_annotations
from typing import Any, Literal, get_args, get_origin

import pytest
from sklearn.utils._param_validation import StrOptions

import skpara
from skpara import _typing, learning, networks

CLASSES = [
    cls
    for module in (skpara, networks, learning)
    for cls in (getattr(module, name) for name in sorted(module.__all__))
    if hasattr(cls, "_parameter_constraints")
]


def literals(annotation: str) -> set[str]:
    """The strings of each ``Literal`` in an annotation, in place or by a name of _typing."""
    found = set()
    for node in ast.walk(ast.parse(annotation)):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            found |= {
                leaf.value for leaf in ast.walk(node.slice) if isinstance(leaf, ast.Constant)
            }
        alias = getattr(_typing, node.id, None) if isinstance(node, ast.Name) else None
        if get_origin(alias) is Literal:
            found |= set(get_args(alias))
    return found


def options(constraints: Any) -> set[str]:
    """The strings that scikit-learn's validation accepts."""
    return set().union(*(x.options for x in constraints if isinstance(x, StrOptions)))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_literals_are_the_accepted_options(cls):
    annotations = {}
    for base in reversed(cls.__mro__):
        annotations |= get_annotations(base)
    for name, constraints in cls._parameter_constraints.items():
        known = literals(str(annotations.get(name, "")))
        if known and name != "network" and constraints != "no_validation":
            assert known == options(constraints), name


def test_literals_are_seen():
    assert literals(get_annotations(skpara.Deduplicator)["keep"]) == {"first", "last", "longest"}
    assert literals(get_annotations(skpara.ParagramEncoder)["oov"]) >= {"rare"}


def test_names_of_networks_are_the_accepted_ones():
    with pytest.raises(ValueError, match="network must be one of") as caught:
        skpara.ParagramEncoder("no such network").encode(["a dog"])
    listed = str(caught.value).split("[")[1].split("]")[0]
    assert get_args(_typing.NetworkName) == ast.literal_eval(f"({listed})")
