"""Try 100,000 random inputs on everything that reads text or files, and print the outcomes.

    python tests/fuzz/run.py                 # all of it: some minutes
    python tests/fuzz/run.py --share 0.1     # a tenth
    python tests/fuzz/run.py --atheris       # guided by coverage: pip install atheris

Hypothesis generates the inputs; with ``--atheris`` that fuzzer chooses the bytes from which
Hypothesis generates them. Each target runs in its own process, so that a crash or a hang ends only
that target.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TIMEOUT = 3600  # seconds per target
TARGETS = {  # the number of inputs of each
    "test_text.py": {
        "test_tokens_are_words_without_white_space": 15_000,
        "test_ids_are_those_of_the_tokens": 12_000,
        "test_character_ngrams_are_those_of_a_window": 8_000,
        "test_lexical_features_are_finite": 2_000,
        "test_similarities_are_from_minus_one_to_one": 6_000,
        "test_scores_and_their_explanations_are_finite": 500,
    },
    "test_vector_files.py": {
        "test_text": 8_000,
        "test_binary": 6_000,
        "test_packed": 4_000,
        "test_npz": 6_000,
        "test_safetensors": 6_000,
    },
    "test_dataset_files.py": {
        "test_sts": 5_000,
        "test_streams": 6_500,
        "test_loaders": 3_000,
        "test_archives_stay_in_their_folder": 3_000,
    },
    "test_command_line.py": {
        "test_files_of_pairs": 5_000,
        "test_scoring": 2_000,
        "test_arguments": 1_500,
        "test_model_files": 500,
    },
}


def main() -> int:
    """Run all targets, or the one of the hidden option ``--one``."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="fraction of the 100,000 inputs")
    parser.add_argument("--atheris", action="store_true", help="choose inputs by code coverage")
    parser.add_argument("--only", default="", help="only targets whose name contains this")
    parser.add_argument("--one", nargs=3, metavar=("FILE", "TARGET", "N"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        file, target, n = arguments.one
        return run_one(file, target, int(n), arguments.atheris)
    print(f"{'target':58} {'tried':>7} {'read':>7} {'refused':>7} {'MB':>5} {'s':>5}  outcome")
    total = failed = 0
    for file, targets in TARGETS.items():
        for target, n in targets.items():
            if arguments.only not in f"{file}:{target}":
                continue
            tried, ok = show(file, target, max(1, round(n * arguments.share)), arguments.atheris)
            total, failed = total + tried, failed + (not ok)
    print(f"{total} inputs, {failed} targets with a failure")
    return int(failed > 0)


def show(file: str, target: str, n: int, guided: bool) -> tuple[int, bool]:
    """Run a target in its own process and print its line of the table."""
    command = [sys.executable, __file__, "--one", file, target, str(n)]
    started = time.perf_counter()
    try:
        done = subprocess.run(
            command + ["--atheris"] * guided,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            env=os.environ | {"SKPARA_FUZZ": str(n), "PYTHONPATH": str(ROOT)},
        )
        output = done.stdout + done.stderr
        ok = done.returncode == 0 and "tried=" in output
        outcome = "as documented" if ok else f"FAILED ({done.returncode})"
    except subprocess.TimeoutExpired:
        output, ok, outcome = "", False, "HANGS"
    counts = re.search(r"^tried=(\d+) read=(\d+) refused=(\d+) mb=(\d+)", output, re.MULTILINE)
    tried, read, refused, megabytes = map(int, counts.groups()) if counts else (0, 0, 0, 0)
    seconds = time.perf_counter() - started
    name = f"{file.removesuffix('.py')}:{target.removeprefix('test_')}"
    print(
        f"{name:58} {tried:7} {read or '-':>7} {refused or '-':>7} {megabytes:5} {seconds:5.0f}  "
        f"{outcome}",
        flush=True,
    )
    if not ok:
        print(output[-3000:])
    return tried, ok


def run_one(file: str, target: str, n: int, guided: bool) -> int:
    """Run a target in this process and print its counts."""
    load("conftest.py")  # as pytest does
    if guided:
        import atheris

        with atheris.instrument_imports(include=["skpara"]):
            module = load(file)
    else:
        module = load(file)
    test = getattr(module, target)
    inner, tried = test.hypothesis.inner_test, [0]

    def counted(*arguments: Any, **named: Any) -> None:
        tried[0] += 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            inner(*arguments, **named)

    def report() -> None:
        outcomes = getattr(module, "OUTCOMES", {})
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"tried={tried[0]} read={outcomes.get('read', 0)} "
            f"refused={outcomes.get('refused', 0)} mb={megabytes}",
            flush=True,
        )

    test.hypothesis.inner_test = counted
    if guided:
        guide(test.hypothesis.fuzz_one_input, n, report)
    try:
        test()
    finally:
        report()
    return 0


def load(file: str) -> Any:
    """Import a test file as a module."""
    spec = importlib.util.spec_from_file_location(f"fuzz_{Path(file).stem}", HERE / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def guide(once: Callable[[bytes], object], n: int, report: Callable[[], None]) -> None:
    """Let Atheris choose the inputs. It ends the process, with status 77 after a failure."""
    import atheris

    calls = 0

    def reported(buffer: bytes) -> None:
        nonlocal calls
        calls += 1
        once(buffer)
        if calls == n:
            report()

    atheris.Setup([sys.argv[0], f"-runs={n}", "-timeout=60", "-max_len=4096"], reported)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
