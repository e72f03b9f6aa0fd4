"""Tasks of processes: they read files, call one of the steps, and write a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._files import replace_file
from skpara._typing import Vectors
from skpara.matching import TextRules, encode_units
from skpara.scale._plan import Plan
from skpara.scale._steps import compare_texts, judge_pairs, order_of, read_texts

if TYPE_CHECKING:
    import pyarrow as pa


@lru_cache(1)
def _arrays_of_plan(path: Path, _: int) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def _plan(folder: Path, rules: TextRules) -> Plan:
    """Return the plan, which a process reads once."""
    path = folder / "plan.npz"
    return Plan.of_arrays(rules, _arrays_of_plan(path, path.stat().st_mtime_ns))


def read_task(folder: Path, rules: TextRules, number: int, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = pq.ParquetFile(folder / "texts.parquet").read_row_group(number, ["id", "text"])
    ids = texts["id"].to_numpy()
    read = read_texts(_plan(folder, rules), ids, texts["text"].to_pylist())
    replace_file(
        folder / f"probed/{path.stem}.npz",
        lambda part: np.savez(part, n_pairs=read.n_pairs, n_found=read.n_found),
    )
    # Encoding texts again in each of their groups would take twice the time of all else.
    replace_file(_units_file(folder, number), lambda part: np.save(part, read.units))
    place = number << 32 | read.items["row"].to_numpy()
    items = read.items.append_column("place", pa.array(place))
    _write(items, folder / "items" / path.name)
    _write(read.readings, folder / "readings" / path.name)
    _write(read.texts, path)  # the last one: if it is there, all are


def compare_task(
    folder: Path,
    rules: TextRules,
    group_folder: Path,
    group: int,
    part: tuple[int, int, int],
    path: Path,
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    i, j, k = part
    tables = []
    for name in sorted(group_folder.iterdir()):
        table = pq.ParquetFile(name).read()
        ids = table["id"].to_numpy()
        tables.append(table.filter(pa.array((ids % k == i) | (ids % k == j))))
    items = pa.concat_tables(tables)
    del tables
    items = items.take(pa.array(order_of(items)))
    units = _units_of(folder, rules, items)
    _write(compare_texts(_plan(folder, rules), items, group, part, units), path)


def _units_of(folder: Path, rules: TextRules, items: pa.Table) -> Vectors:
    """Return the vectors of texts, which are on disk, and of readings."""
    import pyarrow as pa

    places = items["place"].fill_null(-1).to_numpy()
    are_readings = places < 0
    readings = items["text"].filter(pa.array(are_readings)).to_pylist()
    encoded = encode_units(rules.encoder, readings)
    first = np.load(_units_file(folder, 0), mmap_mode="r", allow_pickle=False)
    units = np.empty((len(places), first.shape[1]), dtype=np.float32)
    if readings:
        units[are_readings] = encoded
    numbers = places >> 32
    for number in np.unique(numbers[~are_readings]).tolist():
        chosen = np.flatnonzero(numbers == number)
        known = np.load(_units_file(folder, number), mmap_mode="r", allow_pickle=False)
        units[chosen] = known[places[chosen] & 0xFFFFFFFF]
    return units


def _units_file(folder: Path, number: int) -> Path:
    return folder / "units" / f"{number:06d}.npy"


def judge_task(folder: Path, rules: TextRules, pairs: Path, number: int, path: Path) -> None:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pairs)
    table = file.read_row_group(number) if file.num_row_groups else file.read()
    _write(judge_pairs(_plan(folder, rules), table), path)


def _write(table: pa.Table, path: Path) -> None:
    import pyarrow.parquet as pq

    replace_file(path, lambda part: pq.write_table(table, part))
