"""Print the size of the project: lines, public names, and the files that a call runs through.

Lines of Python are lines of code, without comments, docstrings and blank lines; lines of C are all
lines. A public name counts once, however many modules export it. The files of a call are those of
the package in which at least one function runs while a warm call is made.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import io
import pkgutil
import sys
import tokenize
import types
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "skpara"
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_code(path: Path) -> int:
    """Count the lines of a Python file that hold code."""
    source = path.read_text("utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines.difference_update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(lines)


def lines_by_room(folder: Path) -> Counter[str]:
    """Count the lines of code of each folder directly below a folder."""
    counts: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).parts
        counts[parts[0] if len(parts) > 1 else "(top)"] += lines_of_code(path)
    return counts


def public_names() -> dict[str, set[str]]:
    """Return the public modules, each with its names that no module before it has."""
    import skpara

    modules = ["skpara"]
    for module in pkgutil.walk_packages(skpara.__path__, "skpara."):
        if not any(part.startswith("_") for part in module.name.split(".")):
            modules.append(module.name)
    seen: set[str] = set()
    names: dict[str, set[str]] = {}
    for name in modules:
        module = importlib.import_module(name)
        own = {
            public
            for public in getattr(module, "__all__", ())
            if not isinstance(getattr(module, public), types.ModuleType)
        }
        names[name] = own - seen
        seen |= own
    return names


def files_of(call: Callable[[], object]) -> set[str]:
    """Return the package's files in which functions run during a call."""
    files: set[str] = set()

    def record(frame: types.FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(str(PACKAGE)):
            files.add(path)

    sys.setprofile(record)
    try:
        call()
    finally:
        sys.setprofile(None)
    return files


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rooms", action="store_true", help="print the lines of each room, too")
    rooms = parser.parse_args().rooms

    from skpara import ParagramEncoder, make_sts_pipeline
    from skpara.datasets import load_sts_sample

    code, tests = lines_by_room(PACKAGE), lines_by_room(ROOT / "tests")
    names = public_names()
    sources = [*PACKAGE.rglob("*.c"), *PACKAGE.rglob("*.h")]
    pairs, scores = load_sts_sample(return_X_y=True)
    encoder, two = ParagramEncoder(max_iter=1).fit(pairs[:200], scores[:200]), pairs[:2]
    pipeline = make_sts_pipeline(random_state=0).fit(pairs[:200], scores[:200])
    calls = {
        "ParagramEncoder().transform": lambda: encoder.transform(two),
        "make_sts_pipeline().predict": lambda: pipeline.predict(two),
    }
    files: dict[str, set[str]] = {}
    for name, call in calls.items():
        call()
        files[name] = files_of(call)

    if rooms:
        for title, counts in (("skpara", code), ("tests", tests)):
            for room, n_lines in counts.most_common():
                print(f"{title}/{room:24}{n_lines:8,}")
        for module, own in names.items():
            print(f"{module:24}{len(own):4}  {' '.join(sorted(own))}")
        for name, paths in files.items():
            print(name, *sorted(str(Path(path).relative_to(PACKAGE)) for path in paths))
    rows = [
        ("lines of code in skpara", sum(code.values())),
        ("lines of C", sum(len(path.read_text("utf-8").splitlines()) for path in sources)),
        ("lines of code in tests", sum(tests.values())),
        ("public names", sum(map(len, names.values()))),
        ("public names at the top", len(names["skpara"])),
        ("base classes of ParagramEncoder", len(inspect.getmro(ParagramEncoder)) - 1),
        ("parameters of ParagramEncoder", len(ParagramEncoder().get_params(deep=False))),
        ("files in ParagramEncoder().transform", len(files["ParagramEncoder().transform"])),
        ("files in make_sts_pipeline().predict", len(files["make_sts_pipeline().predict"])),
    ]
    for name, value in rows:
        print(f"{name:40}{value:8,}")


if __name__ == "__main__":
    main()
