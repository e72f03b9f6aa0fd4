"""Try the wheel with old and new versions of Python and of what it depends on.

    python .ci/versions.py [--only NAME ...]

Builds the wheel, and for each row of ``MATRIX`` a new environment, in which some quick tests run
against the installed package: of the contract of estimators, of files of released versions, of
frames and of matching. Prints a table of the versions and of what the tests say. A row whose
Python is not found, on the path or among pyenv's, is left out, and named.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent))
interpreter, PIP = (getattr(import_module("check_dist"), x) for x in ("interpreter", "PIP"))

TESTS = (
    "tests/test_contract.py",
    "tests/test_frames.py",
    "tests/test_pairs.py",
    "tests/test_validation.py",
    "tests/saving/test_persistence.py",
    "tests/fusion/test_regressor.py",
    "tests/matching/test_matcher.py",
    "tests/matching/test_deduplicator.py",
)
# What these tests import.
NEEDED = (
    *("pytest", "hypothesis", "pandas", "polars", "pyarrow", "duckdb", "imbalanced-learn"),
    "nltk",
)
# Newer ones have other numbers in the last bits of networks.
TORCH = "torch==2.13.0"
SHOWN = ("numpy", "scipy", "scikit-learn", "pandas", "polars", "narwhals")


# Earlier versions of scikit-learn pass iterators of checks to pytest, of which newer ones warn.
EARLIER_PYTEST = "pytest==8.4.2"


class Row(NamedTuple):
    """Versions to try."""

    name: str
    python: str
    pins: tuple[str, ...]


def oldest() -> tuple[str, ...]:
    """Return the oldest versions that skpara is tested with."""
    lines = (ROOT / "constraints-min.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if "==" in line)


MATRIX = (
    # narwhals of that time imports from DuckDB what 1.4 warns of.
    Row("oldest", "3.11", (*oldest(), "duckdb==1.3.2")),
    Row("newest-3.11", "3.11", ()),
    Row(
        "pandas-2",
        "3.12",
        ("numpy==2.2.6", "scikit-learn==1.7.2", "pandas==2.3.3", EARLIER_PYTEST),
    ),
    # SciPy 1.18 warns of an option that this LogisticRegression passes.
    Row(
        "scikit-learn-1.6",
        "3.13",
        (
            *("numpy==2.1.3", "scipy==1.15.3", "scikit-learn==1.6.1", "pandas==2.2.3"),
            EARLIER_PYTEST,
        ),
    ),
    Row("newest-3.13", "3.13", ()),
    Row("newest-3.14", "3.14", ()),
)


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a program and keep what it prints."""
    arguments = [str(part) for part in command]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def tried(row: Row, wheel: Path) -> tuple[bool, str]:
    """Return whether the tests of a row pass, and a line of the table."""
    python = interpreter(row.python)
    if python is None:
        return True, f"{row.name}: there is no Python {row.python} here"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(python, "-m", "venv", folder / "env").check_returncode()
        inside = folder / "env" / "bin" / "python"
        (folder / "pins.txt").write_text("\n".join((*row.pins, TORCH)), encoding="utf-8")
        options = ("install", "--no-compile", "--prefer-binary", "-c", folder / "pins.txt")
        installed = run(inside, *PIP, *options, wheel, *NEEDED, TORCH)
        if installed.returncode:
            return False, f"{row.name}: cannot be installed\n{installed.stderr[-2000:]}"
        # Away from the sources, so that the installed package is tested.
        shutil.copytree(ROOT / "tests", folder / "tests")
        shutil.copy(ROOT / "pyproject.toml", folder)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment |= {"OMP_NUM_THREADS": "1", "COLUMNS": "200"}  # for messages in full
        command = (inside, "-m", "pytest", "-q", "-m", "not slow", *TESTS)
        done = run(*command, cwd=folder, env=environment)
        code = (
            "import importlib.metadata as m, sys; print(sys.version.split()[0], "
            f"*(m.version(x) for x in {SHOWN}), sep=' | ')"
        )
        versions = run(inside, "-c", code).stdout.strip()
        summary = (done.stdout.strip().splitlines() or [done.stderr[-500:]])[-1]
        failed = [x for x in done.stdout.splitlines() if x.startswith(("FAILED", "ERROR"))]
        line = "\n".join([f"{row.name} | {versions} | {summary}", *failed])
        return done.returncode == 0, line


def main() -> int:
    """Try the rows that are chosen, and return 1 if the tests of one fail."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--only", nargs="+", choices=[row.name for row in MATRIX])
    arguments = parser.parse_args()
    rows = [row for row in MATRIX if not arguments.only or row.name in arguments.only]
    with tempfile.TemporaryDirectory() as folder:
        built = run(sys.executable, *PIP, "wheel", "--no-deps", "-w", folder, ROOT)
        if built.returncode:
            sys.exit(built.stderr)
        [wheel] = Path(folder).glob("*.whl")
        print(" | ".join(["name", "python", *SHOWN, "tests"]))
        passed = []
        for row in rows:
            ok, line = tried(row, wheel)
            passed.append(ok)
            print(line, flush=True)
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
