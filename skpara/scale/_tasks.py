"""Tasks of processes that deduplicate: they read files, call a step, and write a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._files import replace_file
from skpara._typing import Ints, Vectors
from skpara.matching import TextRules
from skpara.scale._plan import Plan
from skpara.scale._steps import compare_texts, judge_pairs, read_texts
from skpara.scale._work import read_once, write_table


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def plan_of(folder: Path, rules: TextRules) -> Plan:
    """Return the plan that is in a folder."""
    return Plan.of_arrays(rules, read_once(_arrays, folder / "plan.npz"))


def read_task(rules: TextRules, folder: Path, groups: range, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    [number] = groups
    texts = pq.ParquetFile(folder / "texts.parquet").read_row_group(number, ["id", "text"])
    read = read_texts(plan_of(folder, rules), texts["id"].to_numpy(), texts["text"].to_pylist())
    # Encoding texts again in each of their groups would take twice the time of all else.
    replace_file(_units_file(folder, number), lambda part: np.save(part, read.units))
    rows = pa.array(number << 32 | read.items["row"].to_numpy())
    items = read.items.drop_columns(["row", "text"]).append_column("row", rows)
    write_table(read.probed, folder / "probed" / path.name)
    write_table(items, folder / "items" / path.name)
    write_table(read.texts, path)  # the last one: if it is there, all are


def compare_task(
    rules: TextRules, folder: Path, group: int, part: tuple[int, int, int], path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    i, j, k = part
    tables = []
    for name in sorted((folder / "groups" / f"cell_group={group}").iterdir()):
        table = pq.ParquetFile(name).read()
        ids = table["id"].to_numpy()
        tables.append(table.filter(pa.array((ids % k == i) | (ids % k == j))))
    plan = plan_of(folder, rules)
    units_of = partial(_units_of, folder, plan.probed.shape[1])
    write_table(compare_texts(plan, pa.concat_tables(tables), group, part, units_of), path)


def _units_of(folder: Path, n_dims: int, places: Ints) -> Vectors:
    """Return vectors, which are on disk."""
    numbers, rows = places >> 32, places & 0xFFFFFFFF
    units = np.empty((len(places), n_dims), dtype=np.float32)
    for number in np.unique(numbers).tolist():
        chosen = np.flatnonzero(numbers == number)
        known = np.load(_units_file(folder, number), mmap_mode="r", allow_pickle=False)
        units[chosen] = known[rows[chosen]]
    return units


def _units_file(folder: Path, number: int) -> Path:
    return folder / "units" / f"{number:06d}.npy"


def judge_task(rules: TextRules, folder: Path, groups: range, path: Path) -> None:
    import pyarrow.parquet as pq

    pairs = pq.ParquetFile(folder / "similar.parquet").read_row_groups(list(groups))
    write_table(judge_pairs(plan_of(folder, rules), pairs), path)
