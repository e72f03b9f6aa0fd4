"""``pip install skpara`` without extras: what it needs, and what it can do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# Makes these packages as if they were not installed, then runs the file.
BLOCKED = ("torch", "gensim", "nltk", "matplotlib", "transformers", "sentence_transformers")
RUN_BLOCKED = """
import runpy, sys
blocked = sys.argv.pop(1).split(",")

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
runpy.run_path(sys.argv[1], run_name="__main__")
"""
SMOKE = Path(__file__).with_name("smoke.py")


def test_pipelines_work_without_torch_gensim_and_nltk(tmp_path):
    command = [sys.executable, "-W", "error", "-c", RUN_BLOCKED, ",".join(BLOCKED), str(SMOKE)]
    # An empty cache folder: making the tables must not need these packages either.
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "PYTHONWARNINGS": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "works on Python" in done.stdout
