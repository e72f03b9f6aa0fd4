"""The compiled modules are there, and belong to the code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import skpara
from skpara import _core

CORE = Path(_core.__file__).parent


def test_every_function_has_a_signature():
    for module in (_core.list_kernels, _core.text_kernels):
        stub = Path(module.__file__).with_name(f"{module.__name__.split('.')[-1]}.pyi").read_text()
        names = {name for name in vars(module) if not name.startswith("__")}
        assert names == {"ABI"} | {
            line.split("(")[0].removeprefix("def ")
            for line in stub.splitlines()
            if line[:4] == "def "
        }


@pytest.fixture
def copy(tmp_path):
    """A copy of the package's own modules, and a function that imports its compiled ones."""
    folder = tmp_path / "skpara"
    shutil.copytree(CORE, folder / "_core")
    for path in Path(skpara.__file__).parent.glob("_*.py"):
        shutil.copy(path, folder)
    (folder / "__init__.py").write_text("")

    def message():
        done = subprocess.run(
            [sys.executable, "-c", "import skpara._core"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr.splitlines()[-1] if done.returncode else "imported"

    return folder / "_core", message


def test_a_missing_module_is_one_line_with_the_remedy(copy):
    folder, message = copy
    assert message() == "imported"
    for path in folder.glob("text_kernels.*"):
        if path.suffix in {".so", ".pyd"}:
            path.unlink()
    assert message().startswith("ImportError: The compiled modules of skpara are missing:")
    assert "python setup.py build_ext --inplace" in message()


def test_a_module_of_other_code_is_refused(copy):
    folder, message = copy
    code = (folder / "__init__.py").read_text()
    (folder / "__init__.py").write_text(code.replace(f"ABI = {_core.ABI}", "ABI = 0"))
    assert message().startswith("ImportError: skpara._core.list_kernels was built from other code")
    assert "python setup.py build_ext --inplace" in message()
