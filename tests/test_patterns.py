"""Regular expressions take time in proportion to the text, however odd it is."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from pathlib import Path

import skpara

# Signs, spaces, digits, letters, and parts of numbers, times, sizes, tags and entities.
PIECES = [
    *"1aA .,-'\"(<&$/:_é\u0301#x?\n\xa0",
    *("1 ", "1,", "1.", "1/", "1-", "1:", "1a", "1 x "),
]
PIECES += [
    "a ",
    "a.",
    "A.",
    "a-",
    "a'",
    "Aa ",
    "<a ",
    "&a",
    "1 000 ",
    "1.000.",
    ". ",
    "- ",
    "\r\n",
]
# The first sizes are for those whose time doubles with each character.
SIZES = [25, 100, 400, 12_800]
WHOLE = {"match", "fullmatch"}  # which begin at the start of the text only


def uses_in(path):
    """The names of a file, and the attributes that it asks them for."""
    uses = defaultdict(set)
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses[node.value.id].add(node.attr)
    return uses


def patterns_of(name, value):
    """The patterns of text that a name of a module stands for."""
    if name.endswith("_pattern"):  # which is compiled on first use
        value = value()
    for pattern in value if isinstance(value, list | tuple) else [value]:
        if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
            yield pattern


def patterns():
    """The patterns that modules have names for, and how each is used."""
    names, methods = {}, defaultdict(set)
    for info in pkgutil.walk_packages(skpara.__path__, "skpara."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        if not module.__file__.endswith(".py"):
            continue
        found = {name: list(patterns_of(name, value)) for name, value in vars(module).items()}
        if not any(found.values()):
            continue
        uses = uses_in(Path(module.__file__))
        for name, compiled in found.items():
            for pattern in compiled:
                names[pattern] = name
                methods[pattern] |= uses[name] - {"pattern"}
    # Of one in a list, or passed on, the use is unknown.
    return [
        (name, x, sorted(methods[x] if methods[x] and methods[x] <= WHOLE else ["all"]))
        for x, name in names.items()
    ]


def seconds(pattern, methods, text):
    start = time.process_time()
    if methods == ["all"]:
        pattern.sub("", text)
    for method in WHOLE if methods == ["all"] else methods:
        getattr(pattern, method)(text)
    return time.process_time() - start


def words_of(pattern):
    """Words that a pattern names, since its other parts are tried after them."""
    return re.findall("[a-zA-Z]{2,}", re.sub(r"\\[a-zA-Z]", " ", pattern.pattern))[:4]


def test_time_is_in_proportion_to_the_text():
    for name, pattern, methods in patterns():
        for piece in [*PIECES, *words_of(pattern)]:
            for size in SIZES:
                text = piece * (size // len(piece)) + "\u2603"
                limit = 0.05 + 6e-6 * size  # a quadratic step takes 0.25 s for the last size
                taken = seconds(pattern, methods, text)
                if taken > limit:  # other work on the machine only adds to it
                    taken = seconds(pattern, methods, text)
                problem = f"{name}: {piece!r} * {size // len(piece)} takes {taken:.3f} s"
                assert taken < limit, problem
