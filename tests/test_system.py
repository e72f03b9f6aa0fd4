"""Programs that come from the system, not from pip.

They are optional for users, so these tests are skipped without them. A CI machine must have them:
a skip would hide that pivot paraphrases are no longer tested.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

REQUIRED = os.environ.get("SKPARA_REQUIRE_SYSTEM") == "1" or os.environ.get("CI") == "true"


def _missing(what: str, packages: str) -> None:
    message = f"{what} is not installed (Debian: apt install {packages})"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)


def test_apertium_translates_english_to_spanish():
    if shutil.which("apertium") is None:
        _missing("Apertium", "apertium apertium-eng-spa")
    done = subprocess.run(
        ["apertium", "eng-spa"],
        input="The house is big.\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode and "eng-spa" in done.stdout + done.stderr:
        _missing("Apertium's English-Spanish pair", "apertium-eng-spa")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "La casa es grande."
