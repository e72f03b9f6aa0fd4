"""Checks of an installation without torch, gensim and nltk. Run it, do not import it.

``make dist`` and ``make test-plain`` run this file in clean environments. It imports nothing from
the tests.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import skpara
from skpara import (
    LexicalFeatures,
    ParagramEncoder,
    SiameseRegressor,
    explain,
    load_model,
    make_sts_pipeline,
    save_model,
)
from skpara.datasets import load_sts_sample
from skpara.matching import Deduplicator, TableMatcher

HEAVY = {"torch", "gensim", "nltk", "matplotlib", "transformers", "sentence_transformers"}
NEW = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "It rains.")]


def check_scores(folder: Path) -> Path:
    """Fit, save, load, predict and explain."""
    pairs, scores = load_sts_sample(return_X_y=True)
    encoder = ParagramEncoder()
    assert encoder.similarity(["a dog"], ["a hound"])[0] > 0.5
    assert encoder.encode(["a dog"]).shape == (1, 256)
    model = make_sts_pipeline(paraphraser="copy", random_state=0)
    model.fit(pairs[:200], scores[:200], unlabeled=NEW)
    first, second = model.predict(NEW)
    assert first > second + 1
    path = save_model(model, folder / "sts.skpara")
    assert (load_model(path).predict(NEW) == model.predict(NEW)).all()
    assert "guitar" in str(explain(model, NEW[:1])[0])
    assert LexicalFeatures("counts").fit_transform(NEW).shape[0] == 2
    return path


def check_matching() -> None:
    """Join and deduplicate."""
    matches = TableMatcher().fit(["red bicycle", "garden chair"]).match(["a bike (red)"])
    assert matches["candidate"].tolist() == [0]
    labels = Deduplicator(threshold=0.9).fit(["It rains.", "A dog runs.", "It rains!"]).labels_
    assert labels.tolist() == [0, 1, 0]


def check_command(model: Path) -> None:
    """Score a line on standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "skpara", "predict", "--model", str(model)],
        input="A dog runs.\tDogs run.\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert 0 <= float(done.stdout.split("\t")[-1]) <= 5, done.stdout


def check_messages() -> None:
    """Errors without torch say how to install it."""
    fits = [
        lambda: ParagramEncoder("lstm").fit(NEW, [4.2, 0.3]),
        lambda: SiameseRegressor().fit(NEW, [4.2, 0.3]),
    ]
    for fit in fits:
        message = "a network was fitted without torch"
        try:
            fit()
        except ImportError as error:
            message = str(error)
        assert "pip install 'skpara[networks]'" in message, message


def check_files() -> None:
    """The wheel has the licenses and the version of the package."""
    installed = distribution("skpara")
    assert installed.version == skpara.__version__
    names = {Path(str(file)).name for file in installed.files or ()}
    assert names >= {"LICENSE", "NOTICE", "Apache-2.0.txt", "WordNet-3.0.txt", "py.typed"}, names


def main() -> None:
    """Run all checks; ``--installed`` adds those of the files of a wheel."""
    with tempfile.TemporaryDirectory() as folder:
        path = check_scores(Path(folder))
        check_matching()
        check_command(path)
        if "--installed" in sys.argv:
            check_files()
    loaded = HEAVY & set(sys.modules)
    assert not loaded, f"{loaded} was imported"
    check_messages()
    skpara.show_versions()
    print(f"skpara {skpara.__version__} works on Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
