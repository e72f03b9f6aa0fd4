"""Make the tables of docs/results again, each by one command.

    make results DATA=... [ONLY="NAME ..."] [TEACHER=MODEL] [FORCE=1]
    python examples/results.py --list

Each entry of ``RESULTS`` is a script with its arguments. Its standard output becomes
``docs/results/NAME.txt``, under a head with the command, seeds, date, commit and machine. A file
appears when its command has succeeded, so an interrupted run can be started again: tables that
exist are made again only if they are named or ``FORCE=1`` is set. If a command fails, the others
still run, and the exit status is 1.

``--list`` says which share of the code that a table shows is newer than it is (table_age.py).

In the arguments, DATA is the data folder, TEACHER a sentence-transformers model, and CACHE a
folder in which scripts store unfinished work.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from table_age import age_of, git

ROOT = Path(__file__).parents[1]
GLOVE = "--vectors DATA/vectors/glove50_4k.txt"
TEACHER_FREE = "--teacher-free-vectors CACHE/teacher_free.npz"  # of an earlier entry
LEFT_OUT = "CACHE/evaluation_sentences.txt"  # the same
PACKAGES = ("numpy", "scipy", "scikit-learn", "torch")


class Result(NamedTuple):
    """A table, or several by one command."""

    name: str
    script: str  # in examples/
    arguments: str = ""
    teacher: str = ""  # arguments that are added if there is a teacher
    seeds: str = "0"
    minutes: int = 1  # of processor time, about, on the machine of the published tables


DCU = "papers/dcu_semaniacs_2016.py"
UMDEEP = "papers/umdeep_2017.py"
ENCODERS = "papers/wieting_2016.py"
TRANSFER = "papers/wieting_2016_transfer.py"
LABELS = "papers/transfer.py"
PIVOTS = "papers/pivots.py"
RESULTS = [
    Result(
        "evaluation-sentences",
        "builders/evaluation_sentences.py",
        f"--data DATA --out {LEFT_OUT}",
    ),
    Result(
        "teacher-free-vectors",
        "builders/build_teacher_free_vectors.py",
        f"--data DATA --leave-out {LEFT_OUT} --glove DATA/vectors/glove50_4k.txt "
        "--out CACHE/teacher_free.npz",
        minutes=3,
    ),
    Result("packaged-vectors", "packaged_vectors.py", "--data DATA", seeds="none"),
    Result(
        "static-vectors", "benchmarks/static_vectors.py", "--data DATA", "--model TEACHER", "none"
    ),
    Result("sts-benchmark-overlap", "sts_overlap.py", "--data DATA", seeds="none"),
    Result("default-fit", "default_fit.py", "--data DATA", seeds="0 to 2", minutes=10),
    Result("left-out-kinds", "left_out_kinds.py", "--data DATA", seeds="0 to 2", minutes=15),
    Result(
        "intervals",
        "benchmarks/intervals.py",
        "--data DATA --limit 6000",
        seeds="0 to 2",
        minutes=12,
    ),
    Result(
        "adaptation-by-kind",
        "adaptation.py",
        "--data DATA --n-train 4000 --n-test 1500",
        seeds="0 to 2",
        minutes=25,
    ),
    Result("transfer-msrp", LABELS, "--data DATA --tasks msrp", seeds="0 to 4", minutes=8),
    Result(
        "transfer-twitter",
        LABELS,
        "--data DATA --tasks twitter --seeds 3",
        seeds="0 to 2",
        minutes=15,
    ),
    Result(
        "transfer-others",
        LABELS,
        "--data DATA --tasks quora sick snli --seeds 3",
        seeds="0 to 2",
        minutes=30,
    ),
    Result(
        "transfer-development",
        LABELS,
        "--data DATA --tasks msrp sick --development --seeds 3",
        seeds="0 to 2",
        minutes=10,
    ),
    Result("slides-transfer", TRANSFER, f"--data DATA {GLOVE}", seeds="0 to 4", minutes=12),
    # One rate and one decay: the LSTM takes ten times as long as the average.
    Result(
        "slides-transfer-lstm",
        TRANSFER,
        "--data DATA --vectors glove-400k --networks average lstm --tasks similarity entailment "
        "--rates 0.001 --decays 1e-5 --seeds 3",
        seeds="0 to 2",
        minutes=12,
    ),
    Result("unknown-words", DCU, "--data DATA --tables 5", seeds="none"),
    Result("paper-features", DCU, "--data DATA --tables 6", seeds="none"),
    # One result for each network, since five seeds of all of them take hours. The paper has no
    # GRAN and no network that reads both ways: these read 20 words only.
    *(
        Result(
            f"umdeep-{table}-{model.lower()}",
            UMDEEP,
            f"--data DATA --tables {table} --models {model}{lengths}",
            seeds="0 to 4",
            minutes=minutes * (2 if table == "tracks" else 1),
        )
        for table in ("benchmark", "tracks")
        for model, lengths, minutes in (
            ("LSTM", "", 15),
            ("average", "", 5),
            ("LSTM-both-ways", " --lengths 20", 10),
            ("GRAN", " --lengths 20", 6),
        )
    ),
    Result(
        "umdeep-vectors",
        UMDEEP,
        "--data DATA --tables vectors --vectors glove-400k --seeds 3",
        seeds="0 to 2",
        minutes=10,
    ),
    Result(
        "umdeep-words",
        UMDEEP,
        "--data DATA --tables words --seeds 3 --limit 1500 --epochs 6",
        seeds="0 to 2",
        minutes=5,
    ),
    Result("spanish", DCU, "--data DATA --tables 3", seeds="0 to 2", minutes=10),
    Result(
        "sts-2015",
        DCU,
        f"--data DATA --tables 1 {TEACHER_FREE}",
        "--teacher TEACHER",
        seeds="0 to 2",
        minutes=25,
    ),
    Result(
        "sts-2016",
        DCU,
        f"--data DATA --tables 2 {TEACHER_FREE}",
        "--teacher TEACHER --tune CACHE/tuned",
        seeds="0 to 2",
        minutes=120,  # 75 of them tune the transformer
    ),
    Result(
        "dcu-choices",
        "papers/dcu_choices.py",
        "--data DATA --glove glove-400k --cache CACHE/translations",
        seeds="0 to 2",
        minutes=10,
    ),
    Result(
        "dcu-stages",
        "papers/dcu_choices.py",
        "--data DATA --glove glove-400k --tables stages",
        seeds="0 to 2",
        minutes=5,
    ),
    Result("adaptation", DCU, "--data DATA --tables a", "--teacher TEACHER", "0 to 2", 45),
    Result("sts-benchmark", DCU, "--data DATA --tables b", "--teacher TEACHER", "0 to 2", 20),
    Result(
        "lexical-features",
        "papers/takelab_features.py",
        "--data DATA",
        seeds="0 to 2",
        minutes=40,
    ),
    Result(
        "encoders",
        ENCODERS,
        f"--data DATA --n-pairs 10000 --out CACHE/encoders.json {GLOVE}",
        seeds="0 to 4",
        minutes=20,
    ),
    Result(
        "encoders-packaged",
        ENCODERS,
        "--data DATA --n-pairs 10000 --out CACHE/encoders-packaged.json --only average "
        "--rates 0.0005 0.002 0.008 --epochs 12",
        seeds="0 to 4",
        minutes=3,
    ),
    Result(
        "encoders-teacher-free",
        ENCODERS,
        "--data DATA --n-pairs 6000 --out CACHE/encoders-teacher-free.json "
        "--only average,gran --rates 0.002 --epochs 3 --choice-seeds 1 --seeds 3 "
        "--vectors CACHE/teacher_free.npz",
        seeds="0 to 2",
        minutes=5,
    ),
    # All 400,000 words of GloVe against the 4,197 above, from more pairs; charagram has no table.
    *(
        Result(
            f"encoders-{name}",
            ENCODERS,
            f"--data DATA --n-pairs 22000 --out CACHE/encoders-{name}.json --only {networks} "
            f"--chosen-rates --choice-seeds 1 --epochs 5 --seeds 3 {vectors}",
            seeds="0 to 2",
            minutes=minutes,
        )
        for name, networks, vectors, minutes in (
            ("400k", "average,projection,lstm,gran,charagram", "--vectors glove-400k", 25),
            ("4k", "average,projection,lstm,gran", GLOVE, 20),
        )
    ),
    Result(
        "charagram-words",
        ENCODERS,
        "--data DATA --n-pairs 1000000 --out CACHE/charagram.json --only charagram "
        f"--rates 0.0005 --negatives hardest --epochs 3 --seeds 3 {GLOVE}",
        seeds="0 to 2",
        minutes=15,
    ),
    Result(
        "encoders-search",
        "papers/wieting_2016_search.py",
        "--data DATA --vectors glove-400k",
        seeds="0 to 2",
        minutes=15,
    ),
    Result(
        "back-translation",
        "papers/backtranslation_2017.py",
        "--data DATA --cache CACHE/translations --out CACHE/back-translation.json "
        "--vectors glove-400k --seeds 3 --neural 5000 --human ppdb-lexical multi30k quora "
        "--diversity",
        seeds="0 to 2",
        minutes=50,
    ),
    # As many pairs as in the paper.
    Result(
        "back-translation-24k",
        "papers/backtranslation_2017.py",
        "--data DATA --cache CACHE/translations --out CACHE/back-translation-24k.json "
        "--vectors glove-400k --seeds 3 --n-pairs 24000 --human ppdb-lexical --tables 4 8 "
        "--gran-negatives hardest",
        seeds="0 to 2",
        minutes=20,
    ),
    Result(
        "back-translation-nbest",
        "papers/backtranslation_nbest.py",
        "--data DATA --cache CACHE/translations --out CACHE/back-translation-nbest.json "
        "--weights CACHE --vectors glove-400k",
        seeds="0 to 2",
        minutes=20,
    ),
    # In place of the paper's Simple Wikipedia, of which few pairs are at hand.
    Result(
        "back-translation-wikipedia",
        "papers/backtranslation_2017.py",
        "--data DATA --cache CACHE/translations --out CACHE/back-translation-wikipedia.json "
        "--vectors glove-400k --seeds 3 --tables 4 --human asset wikisplit simple-wikipedia",
        seeds="0 to 2",
        minutes=15,
    ),
    # The average alone and two measures: 72 bounds of each pool, in minutes.
    Result(
        "back-translation-overlap",
        "papers/backtranslation_2017.py",
        "--data DATA --cache CACHE/translations --out CACHE/back-translation-overlap.json "
        "--vectors glove-400k --seeds 3 --n-pairs 2500 --networks average --tables 12 "
        "--diversity unigrams bigrams",
        seeds="0 to 2",
        minutes=15,
    ),
    Result(
        "pivots",
        PIVOTS,
        "--data DATA --tables pivots --n-sentences 4000 --cache CACHE/translations "
        f"{TEACHER_FREE} --glove DATA/vectors/glove50_4k.txt",
        seeds="0 to 2",
        minutes=20,
    ),
    Result(
        "filtered-paraphrases",
        PIVOTS,
        "--data DATA --tables filters --pivots es ca gl --n-sentences 800 --n-scored 500 "
        "--cache CACHE/translations",
        seeds="0 to 2",
        minutes=12,
    ),
    Result(
        "languages",
        "benchmarks/languages.py",
        f"--data DATA --leave-out {LEFT_OUT} --out CACHE/multilingual.safetensors "
        "--parts dev test",
        seeds="0 to 2",
        minutes=3,
    ),
    Result(
        "languages-wheel",
        "builders/build_languages.py",
        "--data DATA --out CACHE/languages.safetensors",
        seeds="none",
    ),
    Result("bitext", "papers/bitext_2019.py", "--data DATA", seeds="0 to 2", minutes=15),
    Result("contrast", "benchmarks/contrast.py", "--data DATA", "--minilm TEACHER", "0 to 2", 10),
    Result(
        "accuracy-speed",
        "benchmarks/accuracy_speed.py",
        "--data DATA",
        "--model TEACHER",
        minutes=6,
    ),
    Result("cache", "benchmarks/cache.py", "--data DATA", seeds="none", minutes=4),
    Result("matching", "benchmarks/matching.py", "--data DATA", "--minilm TEACHER"),
    Result("joins", "benchmarks/tables.py", "--data DATA", seeds="none", minutes=5),
    Result(
        "records", "builders/build_record_model.py", "--data DATA --figures", seeds="0", minutes=20
    ),
    Result(
        "deciding",
        "benchmarks/deciding.py",
        "--data DATA --figure CACHE/reliability.svg",  # docs/_static has a copy
        "--model TEACHER",
        seeds="0 to 2",
        minutes=12,
    ),
    Result("speed-encode", "benchmarks/encode.py", "--data DATA"),
    Result(
        "speed-pipeline", "benchmarks/pipeline.py", "--data DATA", "--model TEACHER", minutes=5
    ),
    Result(
        "speed-growth",
        "benchmarks/growth.py",
        "--data DATA --budget 200",
        seeds="none",
        minutes=12,
    ),
    Result("speed-train", "benchmarks/train.py", "--data DATA", minutes=12),
    Result("speed-gpu", "benchmarks/gpu.py"),
]


def published_command(result: Result, teacher: str | None) -> str:
    """Return the command as it is printed, with the names of the folders."""
    arguments = [result.arguments, result.teacher if teacher else ""]
    return " ".join([f"python examples/{result.script}", *filter(None, arguments)])


def runnable_command(result: Result, places: dict[str, str]) -> list[str]:
    """Return the command with the folders in their places."""
    words = published_command(result, places.get("TEACHER")).split()
    command = []
    for word in words:
        name, slash, rest = word.partition("/")
        command.append(places[name] + slash + rest if name in places else word)
    start = command.index("python")
    command[start : start + 2] = [sys.executable, str(ROOT / command[start + 1])]
    return command


def commit() -> str:
    """Return the commit of the code, and whether files of the repository differ from it."""
    try:
        name = git("rev-parse", "--short", "HEAD")
        # The tables themselves change with each run.
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}, with changes" if changed else name


def processor() -> str:
    """Return the number of cores and the name of the processor."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().split("\n") if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    return f"{os.cpu_count()} cores, {name}"


def versions() -> str:
    """Return the versions of Python and of the packages that matter most."""
    installed = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            installed.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(installed)


def head(result: Result, teacher: str | None, seconds: float) -> str:
    """Return the lines above a table."""
    lines = {
        "command": published_command(result, teacher),
        "seed": result.seeds,
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "machine": processor(),
        "versions": versions(),
        "time": f"{seconds:,.0f} s",
    }
    if teacher:
        lines["teacher"] = Path(teacher).name
    return "".join(f"{name:10}{value}\n" for name, value in lines.items())


def stored_scores(command: list[str]) -> Path | None:
    """Return the file in which a script stores its scores, to go on if it is interrupted."""
    path = Path(command[command.index("--out") + 1]) if "--out" in command else Path()
    return path if path.suffix == ".json" else None


def last_change(result: Result) -> float:
    """Return when a file of the package, or the script, changed last."""
    files = [ROOT / "examples" / result.script, *(ROOT / "skpara").rglob("*.*")]
    return max(path.stat().st_mtime for path in files if path.suffix != ".pyc")


def make(result: Result, folder: Path, places: dict[str, str]) -> bool:
    """Run a command and write its table; return whether it succeeded."""
    teacher = places.get("TEACHER") if result.teacher else None
    print(f"{result.name}: {published_command(result, teacher)}", flush=True)
    start, command = time.perf_counter(), runnable_command(result, places)
    stored = stored_scores(command)
    if stored and stored.exists() and stored.stat().st_mtime < last_change(result):
        print(f"{result.name}: the code has changed, it begins anew", flush=True)
        stored.unlink()
    # Messages about progress go to standard error, which is not part of the table.
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        print(f"{result.name}: failed with exit status {done.returncode}", flush=True)
        return False
    text = "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n"))
    unfinished = folder / f".{result.name}.part"
    unfinished.write_text(f"{head(result, teacher, seconds)}\n{text}\n", "utf8")
    unfinished.replace(folder / f"{result.name}.txt")
    if stored:
        stored.unlink(missing_ok=True)
    print(f"{result.name}: {seconds:,.0f} s", flush=True)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Make the missing tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SKPARA_DATA"), help="data folder")
    parser.add_argument("--teacher", help="folder of a sentence-transformers model")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="make only these")
    parser.add_argument("--force", action="store_true", help="make existing tables again")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "results")
    parser.add_argument("--list", action="store_true", help="print commands and times only")
    args = parser.parse_args(arguments)
    if args.list:
        for result in RESULTS:
            command = published_command(result, "TEACHER")
            age = age_of(result.script, args.out / f"{result.name}.txt")
            newer = "?" if age is None else f"{age.newer / age.lines:.0%}"
            stale = "stale" if age and age.is_stale else ""
            print(f"{result.name:32} {result.minutes:3} min {newer:>4} newer {stale:5}  {command}")
        print(f"{'in all':32} {sum(result.minutes for result in RESULTS):3} min")
        return 0
    if unknown := set(args.only) - {result.name for result in RESULTS}:
        parser.error(f"there is no result {', '.join(sorted(unknown))}; see --list")
    if not args.data:
        parser.error("--data or the environment variable SKPARA_DATA must name the data folder")
    places = {"DATA": str(Path(args.data).absolute()), "CACHE": str(args.cache.absolute())}
    if args.teacher:
        places["TEACHER"] = str(Path(args.teacher).absolute())
    for folder in (args.out, args.cache):
        folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for result in RESULTS:
        if args.only and result.name not in args.only:
            continue
        if (args.out / f"{result.name}.txt").exists() and not (args.only or args.force):
            print(f"{result.name}: exists")
        elif not make(result, args.out, places):
            failed.append(result.name)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
