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
INVALID: dict[str, str] = {
    "skpara.LexicalFeatures.fit": "PR07 RT03",
    "skpara.LexicalFeatures.get_feature_names_out": "RT03 SS05",
    "skpara.LexicalFeatures.transform": "PR07",
    "skpara.LexicalFeatures.transform_tokens": "RT03",
    "skpara.WordFrequencies.information": "PR07",
    "skpara.WordFrequencies.probability": "PR01 RT01",
    "skpara.WordVectors.lookup": "RT03 SS05",
    "skpara.WordVectors.save": "PR01",
    "skpara.WordVectors.unknown_vectors": "PR01 RT01",
    "skpara.augment.Translator": "PR01",
    "skpara.augment.filters.ReferenceFilter": "PR07",
    "skpara.augment.filters.ReferenceFilter.evaluate": "PR07",
    "skpara.features.DocumentFrequencies": "PR07",
    "skpara.features.DocumentFrequencies.idf": "PR07",
    "skpara.learning.DistillationObjective.epoch": "GL08",
    "skpara.learning.DistillationObjective.n_samples": "GL08",
    "skpara.learning.DistillationObjective.score": "PR07",
    "skpara.learning.EncoderState": "PR01",
    "skpara.learning.FittedNetwork": "PR07",
    "skpara.learning.FittedNetwork.compare": "PR01 RT01",
    "skpara.learning.FittedNetwork.encode": "PR01 RT01",
    "skpara.learning.MarginObjective": "PR07",
    "skpara.learning.MarginObjective.epoch": "GL08",
    "skpara.learning.MarginObjective.n_samples": "PR01 RT01",
    "skpara.learning.MarginObjective.score": "PR01 RT01",
    "skpara.learning.Objective.epoch": "PR07",
    "skpara.learning.Objective.n_samples": "PR01 RT01",
    "skpara.learning.Objective.score": "PR07",
    "skpara.learning.ScoreLoss.distributions": "PR01 RT01",
    "skpara.learning.ScoreLoss.scores": "PR01 RT01",
    "skpara.learning.ScoreLoss.targets": "PR01 RT01",
    "skpara.learning.ScoreObjective": "PR07",
    "skpara.learning.ScoreObjective.epoch": "GL08",
    "skpara.learning.ScoreObjective.n_samples": "PR01 RT01",
    "skpara.learning.ScoreObjective.score": "PR01 RT01",
    "skpara.learning.Session": "PR07",
    "skpara.learning.Session.encode": "PR01 RT01",
    "skpara.learning.Session.fit": "PR07",
    "skpara.learning.Session.lookup": "PR01 RT01",
    "skpara.learning.Session.of": "PR07",
    "skpara.learning.Session.optimizer_state": "RT01",
    "skpara.learning.Session.state": "PR01 RT01",
    "skpara.learning.Session.tokenize": "PR01 RT01",
    "skpara.learning.check_scores": "PR01 RT01",
    "skpara.learning.check_validation": "PR01 RT01",
    "skpara.learning.document_parameters": "RT01",
    "skpara.learning.hold_out": "PR01",
    "skpara.learning.resolve_device": "RT01",
    "skpara.learning.shuffled_batches": "PR01 YD01",
    "skpara.learning.try_in_memory": "PR01 RT01",
    "skpara.networks.Average.make_module": "GL08",
    "skpara.networks.Charagram.make_module": "GL08",
    "skpara.networks.Classifier.make_module": "GL08",
    "skpara.networks.DAN.make_module": "GL08",
    "skpara.networks.GRAN.make_module": "GL08",
    "skpara.networks.LSTM.make_module": "GL08",
    "skpara.networks.Projection.make_module": "GL08",
    "skpara.networks.RNN.make_module": "GL08",
    "skpara.networks.Siamese.make_module": "GL08",
    "skpara.resources.Tagger.tag": "RT03 SS05",
    "skpara.resources.WordNet.antonyms": "SS05",
    "skpara.resources.WordNet.base_forms": "SS05",
    "skpara.resources.WordNet.lemma": "PR01 RT01",
    "skpara.resources.WordNet.similarities": "PR07",
    "skpara.saving.holds_estimator": "PR01 RT01",
    "skpara.saving.read_class": "PR01 RT01",
    "skpara.text.CharacterNgrams.learn": "PR01",
    "skpara.text.CharacterNgrams.token_ids": "PR07 SS05",
    "skpara.text.TokenIds": "PR01",
    "skpara.text.TokenIds.cut": "PR01 RT01",
    "skpara.text.TokenIds.take": "PR01 RT01",
    "skpara.text.Vocabulary.token_ids": "PR07 RT03 SS05",
    "skpara.text.tokenize": "PR07 RT03",
}


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
    """The doctests of all classes and functions of the package, private ones too."""
    objects = {
        obj: f"{obj.__module__}.{obj.__qualname__}"
        for module in MODULES
        for obj in vars(module).values()
        if inspect.isclass(obj) or inspect.isfunction(obj)
        if obj.__module__.startswith("skpara")
    }
    finder = doctest.DocTestFinder()
    return [
        test
        for obj, name in objects.items()
        # pytest's own --doctest-modules passes over classes whose __module__ is not their file
        for test in finder.find(obj, name, module=False, globs={})
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


def documented():
    """Names of public objects and of their public methods, other than scikit-learn's."""
    for name, obj in public_objects().items():
        yield name
        if inspect.isclass(obj):
            for attribute in dir(obj):
                owner = next(c for c in obj.__mro__ if attribute in vars(c))
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
