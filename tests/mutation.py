"""Mutation testing: change the package in one place, and see whether a test of that room fails.

    python tests/mutation.py --out mutants.jsonl [ROOM ...]
    python tests/mutation.py --out mutants.jsonl --again    # only those that no test detected
    python tests/mutation.py --out mutants.jsonl --again --slow  # by slow tests, too
    python tests/mutation.py --out mutants.jsonl --again ROOM --by tests/...::test_new ...

Each room is a set of modules and the tests that mirror them, with that of documented defaults. One
run of its tests records which of them execute which lines. Then each of a random sample of mutants
meets the tests that execute the changed statement, quickest first, until one fails. A test that
does not end counts as failed. This is done in a fork of the process that ran the tests, in which
the code of the changed function is exchanged: it takes a fraction of a second. What survives
there, and what is not in a function, is imported anew in another process, so that fixtures and
caches are computed by the mutant, too. Results are written as they come: a run that was stopped
goes on. With SKPARA_NATIVE=0 and --again, survivors meet the tests without the compiled modules.

Mutated are comparisons, arithmetic, numbers, booleans, conditions, returned values, calls for
their effect, `break` and `continue`. Not mutated are strings, annotations, decorators, and what
is in a `raise`. Slow tests are left out without --slow. Tests that start a new interpreter do not
see the mutant.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib.machinery
import inspect
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType

ROOT = Path(__file__).parents[1]
ROOMS = {
    "pairs": ("skpara/_pairs.py", "tests/test_pairs.py"),
    "text": ("skpara/text", "tests/text"),
    "features": ("skpara/features", "tests/features"),
    "fusion": ("skpara/fusion", "tests/fusion"),
    "metrics": ("skpara/metrics", "tests/metrics"),
    "translation cache": (
        "skpara/augment/_cached_translator.py",
        "tests/augment/test_cached_translator.py",
    ),
    "filters": ("skpara/augment/filters", "tests/augment/filters"),
    "saving": ("skpara/saving", "tests/saving"),
}
# Reads the defaults that the import of a module sets, without executing anything of it.
DEFAULTS = "tests/test_docstrings.py::test_defaults_are_the_documented_ones"
IMPORTS = (
    "coverage hypothesis joblib pandas pytest scipy.stats sklearn.ensemble sklearn.model_selection"
).split()
SECONDS = 120  # of tests for one mutant, measured without one
MEMORY = 6 * 2**30

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def mutants_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the changed copies of one node."""
    new = copy.deepcopy(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        new.ops[0] = COMPARISONS[type(node.ops[0])]()
        yield new
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OPERATORS:
        new.op = OPERATORS[type(node.op)]()
        yield new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield new.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        new.value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield new
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        new.test = ast.UnaryOp(ast.Not(), new.test)
        yield new
    elif isinstance(node, ast.Return) and not _is_none(node.value):
        new.value = ast.Constant(None)
        yield new
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()
    elif isinstance(node, ast.Break | ast.Continue):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _is_none(node: ast.AST | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def sites(tree: ast.AST) -> list[tuple[ast.AST, str, int, ast.AST, ast.stmt]]:
    """Return (parent, field, index, mutant, statement) of each mutant; index -1: not in a list."""
    result = []

    def visit(node: ast.AST, statement: ast.stmt | None) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST) or isinstance(child, ast.Raise):
                    continue
                if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                    continue
                inner = child if isinstance(child, ast.stmt) else statement
                place = index if isinstance(value, list) else -1
                for new in mutants_of(child) if inner is not None else ():
                    result.append((node, name, place, new, inner))
                visit(child, inner)

    visit(tree, None)
    return result


def build(path: str, number: int) -> tuple[ast.Module, ast.stmt, str]:
    """Return the module with one mutant, the statement that it changes, and a description."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    parent, name, index, new, statement = sites(tree)[number]
    values = getattr(parent, name)
    old = values if index < 0 else values[index]
    before = ast.unparse(old).split("\n")[0]
    if index < 0:
        setattr(parent, name, ast.copy_location(new, old))
    else:
        values[index] = ast.copy_location(new, old)
    ast.fix_missing_locations(tree)
    return tree, statement, f"{before}  ->  {ast.unparse(new).splitlines()[0]}"


def header_lines(statement: ast.stmt) -> range:
    """Lines of a statement without those of its body."""
    body = getattr(statement, "body", None)
    end = body[0].lineno if isinstance(body, list) and body else statement.end_lineno + 1
    return range(statement.lineno, max(end, statement.lineno + 1))


class Finder:
    """Imports one module from a tree."""

    def __init__(self, path: str, tree: ast.Module):
        self.name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.code = compile(tree, str(ROOT / path), "exec")

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        code = self.code

        class Loader(type(spec.loader)):
            def get_code(self, fullname):
                return code

        spec.loader.__class__ = Loader
        return spec


class Chosen:
    """Runs these tests in this order; names the first that fails."""

    def __init__(self, names: list[str]):
        self.order = {name: i for i, name in enumerate(names)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items):
        if not self.order:
            return
        items[:] = [item for item in items if item.nodeid in self.order]
        items.sort(key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.failed:
            self.failed = report.nodeid


class Room:
    """Runs all tests once, recording what they execute, and then the mutants, each in a fork."""

    def __init__(self, sample: list[tuple[str, int]], cache: Path, report: Callable) -> None:
        import coverage

        self.coverage = coverage.Coverage(
            data_file=None, source=[str(ROOT / "skpara")], config_file=False
        )
        self.sample, self.cache, self.report = sample, cache, report
        self.tests: dict[str, dict] = {}
        self.base: dict = {}
        self.in_mutant = False
        self.coverage.start()  # before the tests, which import the package

    def pytest_runtestloop(self, session):
        items = session.items
        for item, following in zip(items, [*items[1:], items[0]], strict=True):
            # The last test, too, is followed by one, so that what the session shares stays.
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {
            str(Path(file).relative_to(ROOT)): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }
        self.base = {"tests": self.tests, "lines": lines}
        by_name = {item.nodeid: item for item in items}
        self.in_mutant = True
        self.functions = [
            value
            for value in gc.get_objects()
            if type(value) is FunctionType  # isinstance would run code of proxies
            and value.__code__.co_filename.startswith(str(ROOT / "skpara"))
        ]
        gc.freeze()  # forks share what they do not visit
        for path, number in self.sample:
            tree, statement, change = build(path, number)
            names = choose_tests(self.base, path, statement)
            row = {"path": path, "number": number, "line": statement.lineno, "change": change}
            row |= {"n_tests": len(names), "end": "survived", "by": "no test executes it"}
            codes = changed_codes(path, tree)
            if names and codes:
                work = partial(self.run, [by_name[name] for name in names], codes)
                limit = 20 + 8 * sum(self.tests[name]["seconds"] for name in names)
                row |= {"by": ""} | forked(work, limit, self.cache)
            self.report(row | {"end": f"{row['end']}, fast"})
        return True

    def run(self, items: list, codes: dict) -> dict:
        """Run tests with other code of functions; end the process at the first failure."""
        for function in self.functions:
            code = function.__code__
            new = codes.get((code.co_filename, code.co_qualname, code.co_firstlineno))
            if new is not None and len(new.co_freevars) == len(code.co_freevars):
                function.__code__ = new
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return {"end": "killed", "by": self.failed}
        return {"end": "survived"}

    failed = ""

    def pytest_runtest_protocol(self, item):
        if not self.in_mutant:
            names = item.fixturenames
            self.tests[item.nodeid] = {"fixtures": names, "seconds": 0.0, "passed": True}

    def pytest_runtest_setup(self, item):
        self.switch(item.nodeid)

    def pytest_fixture_setup(self, fixturedef):
        # What a fixture executes belongs to all tests that use it, not only to the first.
        self.switch(f"fixture {fixturedef.argname}")

    def pytest_runtest_call(self, item):
        self.switch(item.nodeid)

    def switch(self, context: str) -> None:
        if not self.in_mutant:
            self.coverage.switch_context(context)

    def pytest_runtest_logreport(self, report):
        if self.in_mutant:
            self.failed = self.failed or (report.nodeid if report.failed else "")
            return
        test = self.tests[report.nodeid]
        test["seconds"] += report.duration
        test["passed"] &= report.outcome == "passed" or report.when == "teardown"


def changed_codes(path: str, tree: ast.Module) -> dict[tuple[str, str, int], CodeType]:
    """Return the new code of each function that differs; empty if other code differs, too."""
    file = str(ROOT / path)

    def codes(code: CodeType) -> Iterator[CodeType]:
        for part in code.co_consts:
            if isinstance(part, CodeType):
                yield part
                yield from codes(part)

    both = [
        compile(part, file, "exec") for part in (ast.parse(Path(file).read_text("utf-8")), tree)
    ]
    old, new = ([code, *codes(code)] for code in both)
    if len(old) != len(new):  # a call with a lambda is gone
        return {}

    def outside_functions(code: CodeType) -> tuple:
        constants = [value for value in code.co_consts if not isinstance(value, CodeType)]
        return code.co_code, constants, code.co_names

    changed = {}
    for a, b in zip(old, new, strict=True):
        if a.co_flags & inspect.CO_OPTIMIZED:
            if a != b:
                changed[file, b.co_qualname, b.co_firstlineno] = b
        elif outside_functions(a) != outside_functions(b):  # of a module or a class
            return {}
    return changed


def forked(work: Callable[[], dict], limit: float, cache: Path) -> dict:
    """Return what ``work`` returns in a forked process, or ``{"end": ...}`` if it does not."""
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)  # to be killed with its children; not a session, which changes priority
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT)
        for stream in (1, 2):
            os.dup2(log, stream)
        # A mutant may write anything to the cache folder, where others would read it.
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        shutil.copytree(cache, folder / "cache/skpara", copy_function=os.link)
        try:
            (folder / "result").write_text(json.dumps(work()))
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(0)
    end, deadline = "time", time.monotonic() + limit
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            end = "crash"
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if end == "time":
        os.waitpid(pid, 0)
    try:
        return json.loads((folder / "result").read_text())
    except (OSError, ValueError):
        return {"end": end, "log": (folder / "log").read_text("utf-8", "replace")[-2000:]}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def pytest_run(paths: list[str], *plugins: object, slow: bool) -> int:
    import pytest

    options = "-q -p no:cacheprovider -p no:xdist --hypothesis-seed=0".split()
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += [] if slow else ["-m", "not slow"]
    return int(pytest.main([*paths, *options], plugins=list(plugins)))


def choose_tests(base: dict, path: str, statement: ast.stmt) -> list[str]:
    """Return the tests that execute a statement, quickest first."""
    lines = {int(number): names for number, names in base["lines"].get(path, {}).items()}
    contexts = {name for line in header_lines(statement) for name in lines.get(line, ())}
    if "" in contexts:  # executed by the import: all tests that execute anything of the module
        contexts = {name for names in lines.values() for name in names} | {DEFAULTS}
    tests = base["tests"]
    chosen = [
        name
        for name, test in tests.items()
        if test["passed"]
        and (name in contexts or any(f"fixture {f}" in contexts for f in test["fixtures"]))
    ]
    chosen.sort(key=lambda name: tests[name]["seconds"])
    total, result = 0.0, []
    for name in chosen:
        total += tests[name]["seconds"]
        if total < SECONDS:
            result.append(name)
    return result


def try_mutant(base: dict, path: str, number: int, cache: Path, *, slow: bool) -> dict:
    tree, statement, change = build(path, number)
    tests = choose_tests(base, path, statement)
    row = {"path": path, "number": number, "line": statement.lineno, "change": change}
    if not tests:
        return row | {"end": "survived", "by": "no test executes it"}
    limit = 30 + 8 * sum(base["tests"][name]["seconds"] for name in tests)
    files = [*dict.fromkeys(name.partition("::")[0] for name in tests)]
    return row | {"n_tests": len(tests)} | imported(path, tree, files, tests, limit, cache, slow)


def imported(
    path: str,
    tree: ast.Module,
    files: list[str],
    tests: list[str],
    limit: float,
    cache: Path,
    slow: bool,
) -> dict:
    """Import a mutant in a new process; return how its tests end, all of the files' for none."""

    def work() -> dict:
        sys.meta_path.insert(0, Finder(path, tree))
        chosen = Chosen(tests)
        code = pytest_run([*files, "-x"], chosen, slow=slow)
        return {"end": "killed" if code else "survived", "by": chosen.failed or f"exit {code}"}

    return forked(work, limit, cache)


def read_rows(path: Path) -> dict[tuple[str, int], dict]:
    """Return what is known of each mutant; later lines replace earlier ones."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {(row["path"], row["number"]): row for row in map(json.loads, lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("rooms", nargs="*", default=list(ROOMS), metavar="ROOM")
    parser.add_argument("--n", type=int, default=40, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True, type=Path, help="one line of JSON for each mutant")
    parser.add_argument("--again", action="store_true", help="only those that survived in --out")
    parser.add_argument("--by", nargs="+", metavar="TEST", help="with --again, only these tests")
    parser.add_argument("--slow", action="store_true", help="also run tests marked as slow")
    options = parser.parse_args()
    if options.by and not options.again:
        parser.error("--by needs --again")
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.pycache_prefix = tempfile.mkdtemp(prefix="pycache-")  # rewritten tests, compiled once
    sys.dont_write_bytecode = False
    for name in IMPORTS:
        with contextlib.suppress(ImportError):
            __import__(name)
    import platformdirs

    cache = Path(platformdirs.user_cache_dir("skpara", appauthor=False))
    rows = read_rows(options.out)
    for room in options.rooms:
        source, tests = ROOMS[room]
        paths = sorted((ROOT / source).rglob("*.py")) or [ROOT / source]
        names = [str(path.relative_to(ROOT)) for path in paths]
        all_sites = [
            (name, number)
            for name in names
            for number in range(len(sites(ast.parse((ROOT / name).read_text("utf-8")))))
        ]
        random.Random(options.seed).shuffle(all_sites)
        sample = all_sites[: options.n]
        done = (
            {"killed", "time", "crash"}
            if options.again
            else {"killed", "time", "crash", "survived"}
        )
        todo = [site for site in sample if rows.get(site, {}).get("end") not in done]

        def report(row: dict, room: str = room) -> None:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"room": room} | row) + "\n")

        if options.by:
            for path, number in todo:
                tree, _, change = build(path, number)
                known = rows[path, number]
                if known["change"] != change:
                    sys.exit(f"{path}: the file differs from that of {options.out}.")
                row = known | imported(path, tree, options.by, [], 600, cache, slow=True)
                rows[path, number] = row
                report(row)
                print(f"  {path}:{row['line']}  {change}  {row['end']} {row['by']}", flush=True)
            todo = []
        if todo:
            started = time.monotonic()

            def run_room(todo: list = todo, tests: str = tests) -> dict:
                plugin = Room(todo, cache, report)
                code = pytest_run([tests, DEFAULTS], plugin, slow=options.slow)
                if code > 1:
                    raise RuntimeError(f"pytest ended with code {code}.")
                return plugin.base

            base = forked(run_room, 3600, cache)
            if "tests" not in base:
                sys.exit(f"{room}: {base}")
            failed = [name for name, test in base["tests"].items() if not test["passed"]]
            seconds = time.monotonic() - started
            print(
                f"{room}: {len(all_sites)} mutants, {len(base['tests'])} tests, {seconds:.0f} s, "
                f"not used: {failed}",
                flush=True,
            )
            rows |= read_rows(options.out)
        for path, number in todo:
            row = rows[path, number]
            if row["end"] == "survived, fast":
                row = {"room": room} | try_mutant(base, path, number, cache, slow=options.slow)
            row = rows[path, number] = row | {"end": row["end"].removesuffix(", fast")}
            report(row)
            if row["end"] == "survived":
                print(f"  {path}:{row['line']}  {row['change']}  {row['by']}", flush=True)
        ends = Counter(rows[site]["end"] for site in sample if site in rows)
        print(
            f"{room}: {len(sample) - ends['survived']} of {len(sample)} killed, {dict(ends)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
