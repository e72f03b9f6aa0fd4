"""How the benchmarks of this folder measure and report.

Times are CPU times of one process with one thread: on a busy machine, wall-clock times say more
about the others. What is compared takes turns in one process, and ratios are medians over rounds.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[1]))
from result_tables import print_table
from results import commit, processor, versions

# Tokenizers in Rust start a thread for each core unless this is set before they are first used.
os.environ["TOKENIZERS_PARALLELISM"] = "false"

Work = Callable[[int], object]  # its argument is the number of the round
SECOND = {"s": 1.0, "ms": 1e3, "µs": 1e6}
# Run at the end of the code of a child process. The peak is of the program alone, while
# ru_maxrss of Linux includes the memory of the process that started it.
CHILD_REPORT = """
import json, re, resource, sys, time
cpu = time.process_time()
try:
    peak = 1024 * int(re.search("VmHWM:[^0-9]*([0-9]+)", open("/proc/self/status").read())[1])
except OSError:  # macOS, in bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = {"cpu": cpu, "peak": peak / 1e6, **globals().get("result", {})}
print("\\n" + json.dumps(report), file=sys.stderr)
"""


@dataclass(frozen=True)
class Measurement:
    """One row of a table; ``ratio`` is the value divided by the peer's value."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    peer: str = ""
    goal: str = ""  # "15x" is a bound of the ratio, "20" one of the value
    spread: float = 0.0  # half of the interquartile range over the rounds, divided by the median

    @property
    def more_is_better(self) -> bool:
        """Whether a larger value is better, which is so for speeds."""
        return self.unit.endswith("/s")

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached, None without a goal."""
        if not self.goal or (self.goal.endswith("x") and self.ratio is None):
            return None
        value = self.ratio if self.goal.endswith("x") else self.value
        bound = float(self.goal.removesuffix("x"))
        return value >= bound if self.more_is_better else value <= bound

    def verdict(self) -> str:
        """Return the goal and whether it is reached, empty without a goal."""
        if self.reached is None:
            return ""
        return f"{'>=' if self.more_is_better else '<='} {self.goal} {['no', 'yes'][self.reached]}"


def significant(value: float) -> str:
    """Format a number with three significant digits, or as an integer."""
    if value == 0 or not math.isfinite(value):
        return str(value)
    if abs(value) < 1e-3:
        return f"{value:.1e}"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def take_turns(
    works: Mapping[str, Work],
    repeats: int,
    *,
    budget: float = math.inf,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, np.ndarray]:
    """Return the seconds of each work in each round; stop after ``budget`` seconds."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    with threadpool_limits(1):
        for turn in range(repeats):
            for name, work in works.items():
                start = clock()
                work(turn)
                seconds[name].append(clock() - start)
            if sum(map(sum, seconds.values())) > budget:
                break
    return {name: np.array(values) for name, values in seconds.items()}


def compare(
    seconds: Mapping[str, Any],
    unit: str,
    *,
    n: float = 1,
    title: str = "",
    peer: str | None = None,
    goals: Mapping[str, str] = {},
) -> list[Measurement]:
    """Return a measurement of each work, which did ``n`` things a round, against the peer."""
    values = {
        name: np.array(times) / n * SECOND[unit] if unit in SECOND else n / np.array(times)
        for name, times in seconds.items()
    }
    rows = []
    for name, value in values.items():
        ratios = value / values[peer] if peer in values and name != peer else None
        steady = value if ratios is None else ratios
        low, middle, high = np.quantile(steady, [0.25, 0.5, 0.75])
        row = Measurement(
            f"{title}{name}", float(np.median(value)), unit, goal=goals.get(name, ""),
            spread=round(float(high - low) / 2 / float(middle), 3),
        )  # fmt: skip
        if ratios is not None:
            row = replace(row, ratio=float(middle), peer=str(peer))
        rows.append(row)
    return rows


def start_memory() -> float:
    """Return the memory of this process in MB; its peak is counted from here on (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")
    line = next(x for x in open("/proc/self/status") if x.startswith("VmRSS"))
    return 1.024e-3 * int(line.split()[1])


def run_child(code: str, *arguments: object, stdin: str = "") -> dict[str, Any]:
    """Run code in a new process, and return its CPU time, its peak memory in MB, and ``result``.

    ``result`` is a dict of the code. The modules of this folder can be imported.
    """
    folders = [*map(str, (Path(__file__).parent, Path(__file__).parents[2])), *sys.path]
    paths = os.pathsep.join(filter(None, folders))
    environment = os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # pip compiles what it installs
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code + CHILD_REPORT, *map(str, arguments)],
        input=stdin, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr.strip().split("\n")[-1])
    return json.loads(done.stderr.strip().split("\n")[-1])


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options that all benchmarks have."""
    result = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    data = os.environ.get("SKPARA_DATA")
    result.add_argument("--data", type=Path, default=data, help="data folder")
    result.add_argument("--repeats", type=int, default=5, help="rounds")
    result.add_argument("--only", default="", help="only parts whose name contains this")
    result.add_argument("--quick", action="store_true", help="smaller sizes, for make bench")
    result.add_argument("--json", type=Path, help="file to write the results to")
    return result


def parse(options: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the arguments of a benchmark that needs data."""
    args = options.parse_args()
    if args.data is None:
        options.error("--data or the environment variable SKPARA_DATA must name the data folder")
    if not args.data.is_dir():
        options.error(f"there is no folder {args.data}")
    return args


def show(title: str, rows: Sequence[Measurement]) -> None:
    """Print a table; the peer is in the head of its column if all rows have the same."""
    peers = sorted({row.peer for row in rows if row.peer})
    columns = ["", "value", "unit", f"x {peers[0]}" if len(peers) == 1 else "ratio", "goal"]
    cells = []
    for row in rows:
        ratio = "" if row.ratio is None else significant(row.ratio)
        if ratio and len(peers) > 1:
            ratio += f" x {row.peer}"
        cells.append([row.name, significant(row.value), row.unit, ratio, row.verdict()])
    used = [i for i in range(len(columns)) if i < 2 or any(row[i] for row in cells)]
    print_table(title, [columns[i] for i in used], [[row[i] for i in used] for row in cells])


def write(path: Path | None, script: str, rows: Iterable[Measurement]) -> None:
    """Write the results of a script, with the machine, the versions and the commit."""
    if path is not None:
        results = {f"{script}: {row.name}": asdict(row) for row in rows}
        about = {"date": datetime.date.today().isoformat(), "commit": commit()}
        about |= {"machine": processor(), "versions": versions()}
        path.write_text(json.dumps(about | {"results": results}, indent=1) + "\n", "utf8")
