"""Deduplication and matching of more rows than fit into memory: time, memory, disk and recall.

Rows are sentences made from captions (Multi30k and Flickr8k): the beginning of one and the end of
another, with one word in six replaced by a word of a third. Of a hundred rows, 15 are a copy of
another one with a word left out, two words exchanged, or a misspelling, and 5 are one and the same
text.

Run: python examples/benchmarks/scale.py --data DATA --folder FOLDER --sizes 100000 1000000

Recall is measured on texts drawn by chance, each compared with all others. --kill ends the work
every so many seconds, as kill -9 does, and starts it again.

--match 10000x1000000 instead searches for 10,000 names among a million, which are made from names
of DBpedia (Auto-FuzzyJoin): the beginning of one and the end of another. Four of five names have a
counterpart, from which they differ by a word left out, two words exchanged, or a misspelling.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from matching import variant
from measure import parse, parser
from result_tables import print_table

COPIES, EQUAL = 0.15, 0.05
REPEATED = "Click here to read more about this picture."
ROWS_PER_CHUNK = 2**18
N_PROBED = 300
SOUGHT_THERE = 0.8


def captions(data: Path) -> list[list[str]]:
    """Return the words of captions."""
    texts: list[str] = []
    for number in range(1, 6):
        with gzip.open(data / f"paraphrase/multi30k-captions/train.{number}.en.gz", "rt") as file:
            texts += file.read().split("\n")[:-1]
    flickr = (data / "paraphrase/flickr8k/Flickr8k.token.txt").read_text("utf8").split("\n")[:-1]
    texts += [line.split("\t")[1] for line in flickr]
    return [words for text in dict.fromkeys(texts) if len(words := text.split()) > 5]


def made_up(data: Path, n: int, seed: int = 0) -> Iterator[list[str]]:
    """Yield ``n`` rows in chunks."""
    rng, known = random.Random(seed), captions(data)
    written: list[str] = []
    while n:
        chunk = []
        for _ in range(min(n, ROWS_PER_CHUNK)):
            draw = rng.random()
            if draw < EQUAL:
                chunk.append(REPEATED)
            elif draw < EQUAL + COPIES and written:
                chunk.append(variant(rng.choice(written), rng))
            else:
                chunk.append(_sentence(known, rng))
                # Copies follow their originals at any distance.
                if len(written) < 2**20:
                    written.append(chunk[-1])
                else:
                    written[rng.randrange(len(written))] = chunk[-1]
        n -= len(chunk)
        yield chunk


def _sentence(known: list[list[str]], rng: random.Random) -> str:
    first, second, third = rng.choice(known), rng.choice(known), rng.choice(known)
    words = first[: (len(first) + 1) // 2] + second[len(second) // 2 :]
    for _ in range(len(words) // 6):
        words[rng.randrange(1, len(words))] = third[rng.randrange(1, len(third) - 1)]
    return " ".join(words)


def write_rows(data: Path, n: int, path: Path) -> None:
    """Write rows to a file of Parquet, unless it is there."""
    if path.exists():
        return
    part = path.with_suffix(".part")
    with pq.ParquetWriter(part, pa.schema({"id": pa.int64(), "text": pa.string()})) as writer:
        start = 0
        for chunk in made_up(data, n):
            ids = np.arange(start, start + len(chunk))
            writer.write_table(pa.table({"id": ids, "text": chunk}))
            start += len(chunk)
    part.rename(path)


def names_of(data: Path) -> list[list[str]]:
    """Return the words of names."""
    found: dict[str, None] = {}
    for path in sorted((data / "fuzzy-join").glob("*/left.csv")):
        with path.open(encoding="utf8", newline="") as file:
            found |= dict.fromkeys(row["title"] for row in csv.DictReader(file))
    return [words for name in found if len(words := name.split()) > 1]


def write_names(data: Path, n_queries: int, n: int, folder: Path) -> tuple[Path, Path]:
    """Write names to search for and names to search in, unless they are there."""
    queries, reference = (folder / f"{x}-{n_queries}x{n}.parquet" for x in ("queries", "names"))
    if queries.exists():
        return queries, reference
    known, rng = names_of(data), random.Random(0)
    chance = n_queries / n  # of a name to be sought
    sought, start = [], 0
    with pq.ParquetWriter(reference, pa.schema({"name": pa.string()})) as writer:
        while start < n:
            chunk = [_name(known, rng) for _ in range(min(n - start, ROWS_PER_CHUNK))]
            writer.write_table(pa.table({"name": chunk}))
            for row, name in enumerate(chunk, start):
                if rng.random() < chance:
                    known_row = row if rng.random() < SOUGHT_THERE else -1
                    query = variant(name, rng) if known_row >= 0 else _name(known, rng)
                    sought.append((query, known_row))
            start += len(chunk)
    names, rows = zip(*sought[:n_queries], strict=True)
    pq.write_table(pa.table({"name": names, "row": rows}), queries)
    return queries, reference


def _name(known: list[list[str]], rng: random.Random) -> str:
    first, second = rng.choice(known), rng.choice(known)
    words = first[: (len(first) + 1) // 2] + second[len(second) // 2 :]
    if rng.random() < 0.3:
        words.append(str(rng.randrange(1, 2000)))
    return " ".join(words)


MATCH = """
import sys
from skpara.scale import match
if __name__ == "__main__":
    queries, reference, out, n_jobs, memory_gb = sys.argv[1:]
    match(
        queries, reference, out, on={"name": "names"}, n_jobs=int(n_jobs),
        memory_gb=float(memory_gb), verbose=True,
    )
"""


CODE = """
import json, sys
from skpara import Deduplicator
from skpara.scale import deduplicate
if __name__ == "__main__":
    source, out, n_jobs, memory_gb = sys.argv[1:]
    found = deduplicate(
        source, out, Deduplicator(n_jobs=int(n_jobs)), on="text", memory_gb=float(memory_gb),
        verbose=True,
    )
"""


def memory_of(process: int) -> int:
    """Return the bytes of memory of a process and its children (Linux, proportional shares)."""
    total = 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and os.getpgid(int(folder.name)) == process:
                lines = (folder / "smaps_rollup").read_text().split("\n")
                total += sum(1024 * int(x.split()[1]) for x in lines if x.startswith("Pss:"))
        except (OSError, ValueError):  # it has ended
            continue
    return total


def disk_of(folder: Path) -> int:
    """Return the bytes of the files of a folder."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def run_work(
    code: str, sources: list[Path], out: Path, n_jobs: int, memory_gb: float, kill: float
) -> dict:
    """Run the work to its end, in a process group of its own."""
    peaks = {"memory": 0, "disk": 0}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    n_kills = 0
    while True:
        command = [sys.executable, "-W", "ignore", "-c", code, *map(str, sources), str(out)]
        process = subprocess.Popen(
            [*command, str(n_jobs), str(memory_gb)], start_new_session=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        is_over = threading.Event()

        def watch(process=process, is_over=is_over) -> None:
            while not is_over.wait(2):
                peaks["memory"] = max(peaks["memory"], memory_of(process.pid))
                peaks["disk"] = max(peaks["disk"], disk_of(out))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            status = process.wait(kill or None)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
            n_kills += 1
        is_over.set()
        watcher.join()
        if status != -signal.SIGKILL:
            break
    if status:
        raise RuntimeError(f"The work ended with {status}.")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return peaks | {"wall": time.perf_counter() - start, "cpu": cpu, "kills": n_kills}


def measured_recall(source: Path, out: Path, threshold: float) -> tuple[float, int]:
    """Compare some texts with all; return the share of pairs found, and their number."""
    from skpara.matching import encode_units, plain

    table = pq.read_table(source, columns=["text"])["text"]
    rng = np.random.default_rng(5)
    probed = np.sort(rng.choice(len(table), 2 * N_PROBED, replace=False))
    texts = [text for text in dict.fromkeys(table.take(probed).to_pylist()) if text != REPEATED]
    units = encode_units("default", texts)
    pairs: set[tuple[str, str]] = set()
    for chunk in table.chunks:
        for start in range(0, len(chunk), 2**16):
            others = chunk[start : start + 2**16].to_pylist()
            i, j = np.nonzero(units @ encode_units("default", others).T >= threshold + 1e-5)
            for a, b in zip(i.tolist(), j.tolist(), strict=True):
                pair = texts[a], others[b]
                if plain(pair[0]) != plain(pair[1]):
                    pairs.add((min(pair), max(pair)))
    wanted = {text for pair in pairs for text in pair}
    rows: dict[str, int] = {}
    start = 0
    for chunk in table.chunks:
        for row, text in enumerate(chunk.to_pylist(), start):
            if text in wanted:
                rows.setdefault(text, row)
        start += len(chunk)
    found = pq.read_table(out / "pairs.parquet", columns=["first", "second"])
    keys = np.sort(found["first"].to_numpy() << 32 | found["second"].to_numpy())
    numbers = [sorted((rows[a], rows[b])) for a, b in pairs]
    sought = np.array([a << 32 | b for a, b in numbers], dtype=np.int64)
    return float(np.isin(sought, keys).mean()) if len(sought) else np.nan, len(sought)


def match_names(args: argparse.Namespace) -> None:
    """Print the table of matches."""
    rows = []
    for sizes in args.match:
        n_queries, n = map(int, sizes.split("x"))
        sources = list(write_names(args.data, n_queries, n, args.folder))
        out = args.folder / f"out-{sizes}"
        shutil.rmtree(out, ignore_errors=True)
        done = run_work(MATCH, sources, out, args.n_jobs, args.memory_gb, args.kill)
        found, sought = pq.read_table(out / "matches.parquet"), pq.read_table(sources[0])
        right = sought["row"].to_numpy()[found["query"].to_numpy()]
        # Names may be there several times: the text counts, not the row.
        names = pq.read_table(sources[1])["name"]
        texts = (names.take(pa.array(np.maximum(x, 0))).to_pylist() for x in (
            right, found["candidate"].to_numpy()
        ))  # fmt: skip
        same = [a == b for a, b in zip(*texts, strict=True)]
        n_right = int((np.array(same) & (right >= 0)).sum())
        n_there = int((sought["row"].to_numpy() >= 0).sum())
        print(json.dumps(done | {"n": sizes, "right": n_right, "there": n_there}), flush=True)
        rows.append(
            [f"{n_queries:,}", f"{n:,}", f"{done['cpu']:.0f}", f"{done['wall']:.0f}",
             f"{done['memory'] / 1e9:.1f}", f"{done['disk'] / 1e9:.2f}", f"{len(found):,}",
             f"{n_right / max(len(found), 1):.3f}", f"{n_right / max(n_there, 1):.3f}"]
        )  # fmt: skip
    print_table(
        f"skpara.scale.match, {args.n_jobs} processes",
        ["queries", "names", "CPU s", "s", "memory, GB", "disk, GB", "matches", "precision",
         "recall"],
        rows,
    )  # fmt: skip


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.add_argument("--folder", type=Path, required=True, help="for rows and results")
    options.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    options.add_argument("--match", nargs="+", metavar="QUERIESxNAMES")
    options.add_argument("--n-jobs", type=int, default=2)
    options.add_argument("--memory-gb", type=float, default=4.0)
    options.add_argument("--kill", type=float, default=0.0, help="seconds after which to kill")
    args = parse(options)
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.match:
        match_names(args)
        return
    rows = []
    for n in args.sizes:
        source, out = args.folder / f"rows-{n}.parquet", args.folder / f"out-{n}"
        write_rows(args.data, n, source)
        shutil.rmtree(out, ignore_errors=True)
        done = run_work(CODE, [source], out, args.n_jobs, args.memory_gb, args.kill)
        numbers = json.loads((out / "summary.json").read_text("utf8"))
        recall, n_checked = measured_recall(source, out, 0.9)
        print(json.dumps(done | numbers | {"measured": recall, "checked": n_checked}), flush=True)
        rows.append(
            [f"{n:,}", f"{done['cpu']:.0f}", f"{done['wall']:.0f}", f"{done['memory'] / 1e9:.1f}",
             f"{done['disk'] / 1e9:.2f}", f"{numbers['n_texts']:,}", f"{numbers['n_pairs']:,}",
             f"{numbers['n_clusters']:,}", f"{recall:.4f}", f"{numbers['recall']:.4f}"]
        )  # fmt: skip
    print_table(
        f"skpara.scale.deduplicate, {args.n_jobs} processes",
        ["rows", "CPU s", "s", "memory, GB", "disk, GB", "texts", "pairs", "clusters", "recall",
         "at least"],
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    main()
