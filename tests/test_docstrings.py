"""Docstrings: their examples run, and they have the form of NumPy's."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from numpydoc.validate import validate

import skpara

PACKAGE = Path(skpara.__file__).parent
# "See Also", an extended summary and an example are for whoever has something to say.
NOT_NEEDED = {"SA01", "ES01", "EX01"}
# Public objects that do not pass numpydoc's validation yet, with the codes of their errors. Add
# none: an entry that is no longer needed fails, too.
INVALID: dict[str, str] = {}


def import_all():
    """Every module of the package, the shortest names first."""
    names = [info.name for info in pkgutil.walk_packages(skpara.__path__, "skpara.")]
    names = [name for name in names if not name.endswith("__main__")]
    return [skpara, *map(import_module, sorted(names, key=lambda name: name.count(".")))]


MODULES = import_all()


def public_objects():
    """Each public class and function by one of its public names."""
    names = {}
    for module in MODULES:
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isroutine(thing):
                names.setdefault(thing, f"{module.__name__}.{name}")
    return {name: thing for thing, name in names.items()}


def examples():
    """The doctests of all classes and functions of the package, private ones too."""
    things = {
        thing: f"{thing.__module__}.{thing.__qualname__}"
        for module in MODULES
        for thing in vars(module).values()
        if inspect.isclass(thing) or inspect.isfunction(thing)
        if thing.__module__.startswith("skpara")
    }
    finder = doctest.DocTestFinder()
    return [
        test
        for thing, name in things.items()
        # pytest's own --doctest-modules passes over classes whose __module__ is not their file
        for test in finder.find(thing, name, module=False, globs={})
        if test.examples
    ]


EXAMPLES = examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda test: test.name)
def test_example(example):
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(example, out=report.append)
    assert not report, "".join(report)


def test_each_example_runs_once():
    written = [
        text
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf8")))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if ">>>" in (text := inspect.cleandoc(ast.get_docstring(node) or ""))
    ]
    collected = [inspect.cleandoc(example.docstring) for example in EXAMPLES]
    assert sorted(collected) == sorted(written)


def documented():
    """Names of public objects and of their public methods, other than scikit-learn's."""
    for name, thing in public_objects().items():
        yield name
        if inspect.isclass(thing):
            for attribute in dir(thing):
                owner = next(c for c in thing.__mro__ if attribute in vars(c))
                ours = owner.__module__.startswith("skpara")
                kinds = (staticmethod, classmethod, property)
                value = vars(owner)[attribute]
                if ours and attribute[0] != "_" and (callable(value) or isinstance(value, kinds)):
                    yield f"{name}.{attribute}"


def test_docstrings_have_the_form_of_numpydoc():
    lines, seen = [], set()
    for name in documented():
        errors = dict(validate(name)["errors"])
        listed = set(INVALID.get(name, "").split())
        seen.add(name)
        lines += [
            f"{name}: {code} {errors[code]}"
            for code in sorted(errors.keys() - listed - NOT_NEEDED)
        ]
        lines += [
            f"{name}: remove {code} from the list" for code in sorted(listed - errors.keys())
        ]
    lines += [f"{name}: remove it from the list" for name in sorted(INVALID.keys() - seen)]
    assert not lines, "\n".join(lines)
