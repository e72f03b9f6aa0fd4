"""Which code a table shows, and how much of it is newer than the table.

A table shows its script, what that imports from this folder, and the rooms of the package that
any of these use. Its head names the commit that made it.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PACKAGE = ROOT / "skpara"
# A table is stale when more than this share of the lines of its code is newer. Changes of names
# and comments count as well, so a low share would call every table stale after a day.
STALE = 0.25


class Age(NamedTuple):
    """Lines of the code of a table, and how many of them are newer."""

    newer: int
    lines: int

    @property
    def is_stale(self) -> bool:
        """Whether the table should be made again."""
        return self.newer > STALE * self.lines


def git(*arguments: str) -> str:
    """Return what git prints."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def age_of(script: str, table: Path) -> Age | None:
    """Return the age of a table; None if it does not exist, or git does not know its commit."""
    head = table.read_text("utf8") if table.exists() else ""
    commit = re.search(r"^commit +([0-9a-f]+)", head, re.M)
    if commit is None:
        return None
    code = code_of(script)
    try:
        changes = git("diff", "-w", "--numstat", commit[1], "HEAD", "--", *map(str, code))
    except (OSError, subprocess.CalledProcessError):
        return None
    added = [line.split("\t")[0] for line in changes.splitlines() if line.endswith(".py")]
    files = [file for place in code for file in python_files(place)]
    return Age(
        sum(map(int, added)), sum(len(file.read_text("utf8").split("\n")) for file in files)
    )


def code_of(script: str) -> list[Path]:
    """Return the files of examples, and the rooms and files of the package, that a script uses."""
    found = {EXAMPLES / script}
    unread = list(found)
    while unread:
        for place in {place for file in python_files(unread.pop()) for place in used_by(file)}:
            if place not in found:
                found.add(place)
                unread.append(place)
    return sorted(found)


def python_files(place: Path) -> list[Path]:
    """Return the files of a room, or the file itself."""
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


@lru_cache(None)
def used_by(file: Path) -> frozenset[Path]:
    """Return the rooms of the package, and the scripts, that a file imports."""
    folders = (
        [PACKAGE] if PACKAGE in file.parents else [file.parent, EXAMPLES, EXAMPLES / "papers"]
    )
    places = set()
    for module in imported(ast.parse(file.read_text("utf8"))):
        first, _, rest = module.partition(".")
        inside = first == "skpara"
        name = rest.partition(".")[0] if inside else first
        for folder in [PACKAGE] if inside else folders:
            room, script = folder / name, folder / f"{name}.py"
            if inside and name and room.is_dir():
                places.add(room)
            elif script.is_file() and (inside or folder != PACKAGE):
                places.add(script)
                break
    return frozenset(places)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports; names of the package's door are of their rooms."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "skpara":
            yield from (homes().get(alias.name, f"skpara.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@lru_cache(None)
def homes() -> dict[str, str]:
    """Return the room of each name that the package itself exports."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text("utf8"))
    return {
        alias.name: f"skpara.{node.module or alias.name}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
