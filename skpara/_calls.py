"""Errors of calls and attributes that name what is probably meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from skpara._near_names import CLOSE, near_name
from skpara._version import __version__

F = TypeVar("F", bound=Callable[..., Any])

_IS_CHECKED = "__skpara_checked__"
# A longer list of parameters is no help in a message.
_LONGEST_CALL = 240
# What other libraries, and earlier versions of this one, call a parameter.
_OTHER_NAMES = {
    "X": {"data", "df", "frame", "pairs", "sentences", "table", "texts"},
    "columns": {"cols", "names", "on", "usecols"},
    "delimiter": {"delim", "sep", "separator"},
    "encoder": {"embedding", "embeddings"},
    "features": {"families", "groups"},
    "how": {"join_type", "kind"},
    "lexical": {"features"},
    "max_iter": {"epochs", "n_epochs", "n_iter", "num_epochs"},
    "max_rows": {"limit", "n_rows"},
    "model": {"estimator", "pipeline"},
    "n_jobs": {"n_threads", "num_workers", "threads", "workers"},
    "on": {"by", "col", "cols", "column", "columns", "field", "fields", "key", "keys", "subset"},
    "pairs": {"X", "data", "df"},
    "precision": {"min_precision", "target_precision"},
    "queries": {"data", "df", "left", "rows", "table"},
    "random_state": {"seed"},
    "reference": {"candidates", "data", "df", "right", "table"},
    "sample_weight": {"weight", "weights"},
    "sentences": {"X", "data", "texts"},
    "threshold": {
        "cutoff",
        "max_dist",
        "min_probability",
        "min_score",
        "min_similarity",
        "score_cutoff",
        "similarity",
        "similarity_threshold",
    },
    "top_k": {"k", "limit", "max_matches", "n", "n_matches", "n_neighbors", "top_n"},
    "vectors": {"embeddings", "word_vectors"},
    "y": {"labels", "scores", "target", "targets"},
}
# What other libraries call a method or an attribute.
_OTHER_ATTRIBUTES = {
    "decide": {"classify"},
    "drop_duplicates": {"dedupe", "deduplicate", "predict", "predict_proba", "unique"},
    "dropped": {"duplicates", "duplicates_"},
    "encode": {"embed", "embed_documents", "vectors"},
    "join": {"merge", "predict", "predict_proba"},
    "labels_": {"cluster_labels_", "clusters", "clusters_", "groups_", "predict"},
    "match": {"find", "kneighbors", "lookup", "predict", "query", "search"},
    "predict": {"compare", "score_pairs", "similarity"},
    "similarity": {"compare", "cosine_similarity", "predict", "score_pairs"},
}

# Words for a switch.
_OFF = {"disable", "disabled", "false", "no", "none", "off"}
_ON = {"all", "enable", "enabled", "on", "true", "yes"}


def names_what_is_meant(function: F, if_second_table: str = "") -> F:
    """Let the error of a call that does not fit say which parameter is meant, or how to call.

    ``if_second_table`` is the error if one more list, frame or string is passed by position than
    the function takes.
    """
    if hasattr(function, _IS_CHECKED):
        return function

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            if message := _of_misfit(function, args, kwargs, if_second_table):
                raise TypeError(message) from None
            raise

    setattr(checked, _IS_CHECKED, True)
    return cast(F, checked)


class PublicMixin:
    """Mixin of estimators and their mixins: what users see of them beside their results.

    Errors of their methods and attributes name what is meant, and a notebook links them to their
    page of the documentation.
    """

    _doc_link_module = "skpara"
    _doc_link_template = (
        f"https://skpara.github.io/skpara/{'dev' if 'dev' in __version__ else 'stable'}/generated/"
        "{estimator_module}.{estimator_name}.html"
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, function in list(vars(cls).items()):
            is_public = not name.startswith("_") or name == "__init__"
            if is_public and inspect.isfunction(function):
                setattr(cls, name, names_what_is_meant(function))

    if not TYPE_CHECKING:  # any attribute would exist

        def __getattr__(self, name: str) -> Any:
            is_unknown = not name.startswith("_") and not hasattr(type(self), name)
            if is_unknown and (remedy := _of_attribute(type(self), name)):
                text = f"{type(self).__name__} has no {name}. {remedy}"
                raise AttributeError(text, name=name, obj=self)
            return super().__getattribute__(name)  # raises the same error again


def _remedy_of_table(name: str, value: Any, word: str) -> str:
    if name == "model":
        return (
            " A model is a fitted estimator, such as load_model(path) returns. Tables and kinds "
            "of columns go into fit: fit(table, on={column: kind})."
        )
    if hasattr(value, "predict"):
        return " A model is passed by its name: model=..."
    return f" Did you mean kind={word!r}?" if word in ("names", "sentences", "records") else ""


def remedy_of_value(estimator: Any, error: str) -> str:
    """Return a sentence to add to scikit-learn's error of a value of a parameter, or ""."""
    _, name, about = error.split("'", 2)
    value = getattr(estimator, name, None)
    word = value.strip().lower() if isinstance(value, str) else ""
    if hasattr(estimator, "kind") and (remedy := _remedy_of_table(name, value, word)):
        return remedy
    if "'bool'" in about and word in _OFF | _ON:
        return f" Did you mean {name}={word in _ON}?"
    if word and "array-like" in about and "a str" not in about:
        return f" Pass a list: {name}=[{value!r}]."
    if _is_number(word) and "'str'" not in about:
        return f" Pass a number: {name}={word}."
    if isinstance(value, int | float) and "in the range (0.0, 1.0)" in about and 1 < value <= 100:
        return f" Did you mean {name}={value / 100:g}?"
    return ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of_misfit(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    if_second_table: str,
) -> str:
    """Return what is wrong with the arguments of a call, or "" if they fit."""
    signature = inspect.signature(function)
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        pass
    else:
        return ""
    parameters = list(signature.parameters.values())
    name, owner = function.__name__, None
    if parameters[:1] and parameters[0].name == "self" and args:
        owner, parameters, args = type(args[0]), parameters[1:], args[1:]
        name = owner.__name__ if name == "__init__" else f"{owner.__name__}.{name}"
    known = [parameter.name for parameter in parameters]
    call = f"{name}({', '.join(map(_as_passed, parameters))})"
    call = f" Call it as {call}." if len(call) < _LONGEST_CALL else ""
    by_position = [x for x in parameters if x.kind is x.POSITIONAL_OR_KEYWORD]
    if len(args) > len(by_position):
        if if_second_table and hasattr(args[len(by_position)], "__len__"):
            return if_second_table
        counts = f"{len(by_position)} argument(s) by position, got {len(args)}"
        return f"{name} takes {counts}. Name the others.{call}"
    for unknown in kwargs:
        if unknown not in known:
            remedy = _of_parameter(unknown, known, owner) or f"It takes {', '.join(known)}."
            return f"{name} has no parameter {unknown!r}. {remedy}"
    given = {*known[: len(args)], *kwargs}
    missing = [x.name for x in parameters if x.default is x.empty and x.name not in given]
    problem = f"needs {' and '.join(missing)}" if missing else "got an argument twice"
    return f"{name} {problem}.{call}"


def _as_passed(parameter: inspect.Parameter) -> str:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return str(parameter.replace(annotation=parameter.empty))
    if parameter.default is not parameter.empty:
        return f"{parameter.name}={parameter.default!r}"
    return f"{parameter.name}=..." if parameter.kind is parameter.KEYWORD_ONLY else parameter.name


def _of_parameter(unknown: str, known: Sequence[str], owner: type | None) -> str:
    """Return which parameter is meant, of the function or of others of its class."""
    if near := near_name(unknown, known, _OTHER_NAMES, CLOSE):
        return f"Did you mean {near!r}?"
    found: dict[str, list[str]] = {}
    if owner is None:
        return ""
    for name in ["__init__", *dir(owner)]:
        function: Any = getattr(owner, name, None)
        if hasattr(function, _IS_CHECKED):
            for parameter in inspect.signature(function).parameters:
                if unknown == parameter or unknown in _OTHER_NAMES.get(parameter, ()):
                    label = f"{owner.__name__}()" if name == "__init__" else name
                    labels = found.setdefault(parameter, [])
                    labels += [label] * (label not in labels)
    for parameter, labels in found.items():
        return f"Did you mean {parameter!r} of {' or '.join(labels)}?"
    return ""


@cache
def _of_attribute(cls: type, name: str) -> str:
    if name.endswith("_") and f"\n    {name} : " in (cls.__doc__ or ""):
        return "It is known after fit."
    near = [x for x, others in _OTHER_ATTRIBUTES.items() if name in others and hasattr(cls, x)]
    if near:
        return f"Did you mean {' or '.join(near)}?"
    methods = [x for x in dir(cls) if hasattr(getattr(cls, x, None), _IS_CHECKED) and x[0] != "_"]
    return f"It has {', '.join(methods)}." if methods else ""
