"""Docstrings: their examples run, and they have the form of NumPy's."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from numpydoc.docscrape import ClassDoc, FunctionDoc
from numpydoc.validate import Validator, validate

import skpara

PACKAGE = Path(skpara.__file__).parent
# "See Also", an extended summary and an example are for whoever has something to say.
NOT_NEEDED = {"SA01", "ES01", "EX01"}
# numpydoc cannot know the parameters behind the ** of a constructor, or the * of a protocol.
VARIADIC = {"skpara.SiameseLSTMRegressor", "skpara.augment.Translator"}
# What the rooms of skpara share among themselves; users neither call nor subclass it.
INTERNAL = {"skpara.features": {"Family", "Knowledge", "PairBatch"}}


def import_all():
    """Every module of the package, the shortest names first."""
    names = [info.name for info in pkgutil.walk_packages(skpara.__path__, "skpara.")]
    names = [name for name in names if not name.endswith("__main__")]
    return [skpara, *map(import_module, sorted(names, key=lambda name: name.count(".")))]


MODULES = import_all()


def public_objects():
    """Each public class and function by one of its public names."""
    objects = {}
    for module in MODULES:
        names = module.__name__.split(".")[1:]
        if set(names[:1]) - set(skpara.__all__) or any(name[0] == "_" for name in names):
            continue  # the command line and private modules
        for name in getattr(module, "__all__", ()):
            obj = getattr(module, name)
            if inspect.isclass(obj) or inspect.isroutine(obj):
                objects.setdefault(obj, f"{module.__name__}.{name}")
    return {name: obj for obj, name in objects.items()}


def examples():
    """The doctests of all classes and functions of the package, named by their files."""
    # pytest's own --doctest-modules passes over classes whose __module__ is not their file
    finder = doctest.DocTestFinder()
    return [
        test
        for module in MODULES
        if module.__file__.endswith(".py")
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        for test in finder.find(
            vars(module)[node.name], f"{module.__name__}.{node.name}", module=False, globs={}
        )
        # An enum of integers has a reference to int, whose examples are Python's.
        if test.examples and "._member_type_" not in test.name
    ]


EXAMPLES = examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda test: test.name)
def test_example(example):
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(example, out=report.append)
    assert not report, "".join(report)


def test_each_example_runs_once():
    parser = doctest.DocTestParser()
    written = [
        [example.source for example in parser.get_examples(text)]
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf8")))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if ">>>" in (text := ast.get_docstring(node) or "")
    ]
    collected = [[example.source for example in test.examples] for test in EXAMPLES]
    assert sorted(collected) == sorted(written)


def test_docstrings_name_things():
    """They start with a noun or a verb: "Weights of pairs", not "How much each pair counts"."""
    offenders = [
        f"{path.relative_to(PACKAGE)}: {text.splitlines()[0]}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf8")))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if re.match(r"(What|Where|How|Which|When)\b", text := ast.get_docstring(node) or "")
    ]
    assert not offenders, "\n".join(offenders)


def documented():
    """Names of public objects and of their public methods, other than scikit-learn's.

    The docstring of a class describes its fitted attributes.
    """
    for name, obj in public_objects().items():
        module, _, short = name.rpartition(".")
        if short in INTERNAL.get(module, ()):
            continue
        yield name
        if inspect.isclass(obj):
            for attribute in dir(obj):
                owner = next(c for c in obj.__mro__ if attribute in vars(c))
                ours = owner.__module__.startswith("skpara")
                kinds = (staticmethod, classmethod, property)
                value = vars(owner)[attribute]
                public = attribute[0] != "_" != attribute[-1]
                if ours and public and (callable(value) or isinstance(value, kinds)):
                    # A method without a docstring inherits that of the method it overrides.
                    if value.__doc__ or not inspect.getdoc(getattr(obj, attribute)):
                        yield f"{name}.{attribute}"


def test_docstrings_have_the_form_of_numpydoc():
    errors = [
        f"{name}: {code} {message}"
        for name in documented()
        for code, message in validate(name)["errors"]
        if code not in NOT_NEEDED
        if not (name in VARIADIC and code in ("PR01", "PR02"))
    ]
    assert not errors, "\n".join(errors)


# Decorators write these into docstrings, with the defaults that the code has.
CONVENTIONS = {"verbose": 0, "random_state": None, "device": "auto"}


def test_defaults_are_the_documented_ones():
    differences, n_defaults = [], 0
    for name in documented():
        obj = Validator._load_obj(name)
        if not callable(obj):  # a property
            continue
        is_class = inspect.isclass(obj)
        doc = ClassDoc(obj, config={"show_class_members": False}) if is_class else FunctionDoc(obj)
        types = {short.strip(): p.type for p in doc["Parameters"] for short in p.name.split(",")}
        for parameter in inspect.signature(obj).parameters.values():
            if parameter.name in CONVENTIONS and parameter.default is not inspect.Parameter.empty:
                if parameter.default != CONVENTIONS[parameter.name]:
                    differences.append(f"{name}: {parameter.name} has another default than usual")
            match = re.search(r"default=(.+)", types.get(parameter.name, ""))
            if isinstance(parameter.default, bool | float | int | str):
                assert match or parameter.name not in types, f"{name}: {parameter.name}"
            if match:
                n_defaults += 1
                written, value = match[1], parameter.default
                if written not in (getattr(value, "__name__", ""), str(value)):
                    # By their form, so that 0 differs from 0.0 and False.
                    if repr(ast.literal_eval(written)) != repr(value):
                        differences.append(f"{name}: {parameter.name}={value!r}, not {written}")
    assert not differences, "\n".join(differences)
    assert n_defaults > 400
