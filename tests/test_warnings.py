"""Warnings are rare, say what to do, and point at the line of the user's code."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import skpara
from skpara._warnings import warn
from skpara.augment import TranslateToEnglish
from skpara.metrics import pearson_score

PACKAGE = Path(skpara.__file__).parent


def constant():
    pearson_score([1, 2, 3], [1, 1, 1])


def no_translator():
    sentences = ["The dog is in the garden of the house.", "Der Hund ist im Garten des Hauses."]
    TranslateToEnglish(translators={}, languages=["en", "de"]).transform(sentences)


def direct():
    warn("a test")


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        (constant, "constant, so the correlation is undefined; 0.0 is returned"),
        (no_translator, "pass a translator for each of these languages"),
        (direct, "a test"),
    ],
)
def test_a_warning_points_here_and_says_what_to_do(cause, message):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cause()
    [warning] = caught
    assert re.search(message, str(warning.message))
    assert warning.filename == __file__


QUICKSTART = """
import sys, joblib
from sklearn.pipeline import make_pipeline, make_union
from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, explain
from skpara.cli import main
from skpara.datasets import load_sts_sample

pairs, scores = load_sts_sample(return_X_y=True)
pairs, scores = pairs[::10], scores[::10]
parts = make_union(ParagramEncoder(max_iter=1), LexicalFeatures())
model = make_pipeline(parts, FusionRegressor())
model.fit(pairs, scores)
model.predict([("A man plays a guitar.", "Someone is playing music.")])
joblib.dump(model, sys.argv[1])
print(explain(joblib.load(sys.argv[1]), pairs[:1])[0])
for arguments in (["--version"], ["train", "--help"]):
    try:
        main(arguments)
    except SystemExit as end:
        assert end.code == 0
"""


@pytest.mark.slow
def test_ordinary_use_gives_no_warning(tmp_path):
    command = [sys.executable, "-W", "error", "-c", QUICKSTART, str(tmp_path / "sts.joblib")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert "arning" not in done.stderr
