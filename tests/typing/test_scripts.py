"""What a type checker says of users' scripts: nothing of a right one, each mistake of a wrong one.

mypy and pyright are among the developers' tools. pyright runs on node, and its test is skipped
where there is none.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RIGHT, WRONG = HERE / "right.py", HERE / "wrong.py"
# As for a user who has set nothing: packages without types are Any. What no script sees is not
# read, which saves half a minute.
MYPY = """
[mypy]
mypy_path = {root}
ignore_missing_imports = true
follow_imports = silent
check_untyped_defs = true
[mypy-torch.*,sentence_transformers.*,transformers.*,dask.*,matplotlib.*,gensim.*]
follow_imports = skip
"""


def of_mypy(folder: Path) -> dict[str, set[int]]:
    pytest.importorskip("mypy")
    settings = folder / "mypy.ini"
    settings.write_text(MYPY.format(root=ROOT), "utf-8")
    options = ["--config-file", settings, "--cache-dir", folder / "cache", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, "--hide-error-context", RIGHT, WRONG]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = re.findall(r"(\w+\.py):(\d+): error:", done.stdout)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {x.name: {int(n) for name, n in found if name == x.name} for x in (RIGHT, WRONG)}


def of_pyright(folder: Path) -> dict[str, set[int]]:
    pytest.importorskip("pyright")
    if shutil.which("node") is None:  # it would be downloaded
        pytest.skip("there is no node")
    settings = {
        "include": [RIGHT.name, WRONG.name],  # relative to the settings
        "extraPaths": [str(ROOT)],
        "reportMissingImports": False,
        "reportMissingTypeStubs": False,
    }
    for path in (RIGHT, WRONG):
        shutil.copy(path, folder)
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    options = ["--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    command = [sys.executable, "-m", "pyright", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    errors = [x for x in json.loads(done.stdout)["generalDiagnostics"] if x["severity"] == "error"]
    return {
        path.name: {
            error["range"]["start"]["line"] + 1
            for error in errors
            if Path(error["file"]).name == path.name
        }
        for path in (RIGHT, WRONG)
    }


@pytest.mark.slow
@pytest.mark.parametrize("checker", [of_mypy, of_pyright])
def test_mistakes_are_found_on_their_lines_and_nothing_else(checker, tmp_path):
    found = checker(tmp_path)
    lines = WRONG.read_text("utf-8").splitlines()
    marked = {n for n, line in enumerate(lines, 1) if line.endswith("# mistake")}
    assert found == {RIGHT.name: set(), WRONG.name: marked}
