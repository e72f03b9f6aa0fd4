"""``pip install skpara`` without extras: what it needs, and what it can do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# Makes these packages as if they were not installed, then runs the file.
RUN_BLOCKED = """
import runpy, sys
blocked = set(sys.argv.pop(1).split(","))

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def needed_packages():
    """The packages that pip installs with skpara, by the install list of setup.py."""
    listed = re.search(r"^INSTALL = \[(.*?)^\]", (ROOT / "setup.py").read_text(), re.M | re.S)[1]
    found, queue = set(), re.findall(r'"([\w.-]+)', listed)
    while queue:
        name = re.sub(r"[-_.]+", "-", queue.pop()).lower()
        if name in found:
            continue
        found.add(name)
        try:
            needs = requires(name) or []
        except PackageNotFoundError:
            needs = []
        queue += [re.match(r"[\w.-]+", x)[0] for x in needs if "extra ==" not in x]
    return found


def other_modules():
    """The names of all installed modules that pip would not install with skpara."""
    needed = needed_packages() | {"skpara"}
    return [
        module
        for module, packages in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", name).lower() for name in packages} & needed
    ]


@pytest.mark.parametrize("script", [["smoke.py"], ["plain.py", "commands", "README.md"]])
def test_nothing_but_the_install_list_is_needed(tmp_path, script):
    blocked = {*other_modules(), "openpyxl"}
    assert {"pandas", "polars", "pyarrow", "torch", "matplotlib", "nltk"} <= blocked
    assert not {"numpy", "sklearn", "narwhals", "tqdm"} & blocked
    command = [sys.executable, "-W", "error", "-c", RUN_BLOCKED, ",".join(sorted(blocked))]
    # An empty cache folder: making the tables must not need these packages either.
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "PYTHONWARNINGS": ""}
    done = subprocess.run(
        [*command, str(HERE / script[0]), *script[1:]],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "works" in done.stdout
