"""Run the benchmarks, print the goals, and compare with the results in baseline.json.

    make bench DATA=... [ONLY="encode pipeline growth"] [TEACHER=...] [FULL=1] [UPDATE=1]

The quick set takes six minutes of one core. A ratio to a peer of the same run is compared with the
same ratio in the file, so it hardly matters which machine made it. The few times without a
peer are compared where the processor is the same; memory and exponents always. A change
counts if it is larger than ``--threshold`` and than the spread of both runs. With ``UPDATE=1`` the
results replace those in the file; with ``FULL=1`` sizes are large, and nothing is compared.

"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import Measurement, parse, parser, show
from result_tables import print_table

# asv (airspeed velocity) compares absolute times of commits on one machine, each in an environment
# of its own. Ratios to peers in the same run, which any machine can compare, do not fit into it.
SCRIPTS = ("encode", "pipeline", "growth", "train")
QUICK = SCRIPTS[:3]
FOLDER = Path(__file__).parent
Results = dict[str, Measurement]


def read(report: dict[str, Any]) -> Results:
    """Return the measurements of a file."""
    return {name: Measurement(**row) for name, row in report["results"].items()}


def change(old: Measurement, new: Measurement, same_machine: bool) -> float | None:
    """Return by which factor a measurement became better, None if it cannot be compared."""
    before, now = old.value, new.value
    if old.ratio is not None and new.ratio is not None and old.peer == new.peer:
        before, now = old.ratio, new.ratio
    elif not same_machine and new.unit not in ("MB", "exponent"):
        return None
    if min(before, now) <= 0:
        return None
    return now / before if new.more_is_better else before / now


def compare(old: Results, new: Results, threshold: float, same_machine: bool) -> bool:
    """Print what changed by more than the noise; return whether something became worse."""
    rows = []
    for name, row in new.items():
        factor = change(old[name], row, same_machine) if name in old else None
        if factor is None:
            continue
        noise = threshold + 2 * (old[name].spread + row.spread)
        if row.unit == "exponent":  # of noisy times, and bounded
            noise = threshold
        if abs(math.log(factor)) > math.log1p(noise):
            rows.append((factor, name))
    for title, chosen in (
        ("Worse", sorted(row for row in rows if row[0] < 1)),
        ("Better", sorted((row for row in rows if row[0] > 1), reverse=True)),
    ):
        table = [
            [name, f"{1 / factor if title == 'Worse' else factor:.2f}", f"{old[name].spread:.2f}"]
            for factor, name in chosen
        ]
        if table:
            print_table(f"{title} than in baseline.json", ["", "factor", "spread"], table)
    common = len(old.keys() & new.keys())
    print(f"\n{common} compared, {len(rows)} changed by more than {threshold:.0%} and the noise")
    return any(factor < 1 for factor, _ in rows)


def main() -> int:
    """Run the scripts one after the other."""
    options = parser(__doc__)
    options.add_argument("--full", action="store_true", help="large sizes; two hours")
    options.add_argument("--update", action="store_true", help="write baseline.json")
    options.add_argument("--model", help="folder of a sentence-transformers model, a peer")
    options.add_argument("--threshold", type=float, default=0.2)
    args = parse(options)
    names = args.only.split() or (SCRIPTS if args.full else QUICK)
    if unknown := set(names) - set(SCRIPTS):
        options.error(f"there is no benchmark {', '.join(sorted(unknown))}; use {SCRIPTS}")
    baseline = FOLDER / "baseline.json"
    old = json.loads(baseline.read_text("utf8")) if baseline.exists() else {"results": {}}
    report: dict[str, Any] = {"results": {}}
    for name in names:
        script = FOLDER / f"{name}.py"
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "results.json"
            command = [sys.executable, str(script), "--data", str(args.data), "--json", str(out)]
            command += [] if args.full else ["--quick"]
            command += ["--repeats", str(args.repeats)]
            command += ["--model", args.model] if args.model and name == "pipeline" else []
            subprocess.run(command, check=True)
            part = json.loads(out.read_text("utf8"))
        report = part | {"results": report["results"] | part["results"]}
    new = read(report)
    show("Goals", [row for row in new.values() if row.reached is not None])
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n", "utf8")
    worse = False
    if not args.full:
        worse = compare(
            read(old), new, args.threshold, old.get("machine") == report.get("machine")
        )
        if args.update:
            merged = report | {"results": old["results"] | report["results"]}
            baseline.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n", "utf8")
    return int(worse and not args.update)


if __name__ == "__main__":
    sys.exit(main())
