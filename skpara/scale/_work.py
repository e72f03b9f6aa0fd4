"""Work in a folder, with DuckDB and processes: what is done is not done again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from joblib import effective_n_jobs
from sklearn.utils import check_scalar
from sklearn.utils.parallel import Parallel, delayed
from tqdm import tqdm

from skpara._compatibility import import_optional, total_memory
from skpara._files import remove_unfinished, replace_file
from skpara._version import __version__
from skpara.scale._source import Source, literal, parquet

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

T = TypeVar("T")
Task = Callable[[Path], None]  # writes the file

# Bytes that a process needs before it has any text.
_BYTES_PER_PROCESS = 400e6
_LEAST_MEMORY = 1e9
# Tables that stay when the work is done.
_RESULTS = ("pairs", "labels", "kept", "matches", "joined")
# Tables that have a file for each task.
_OF_TASKS = ("read", "items", "probed", "compared", "judged", "counted", "spelled", "decided")


def check_work(name: str, memory_gb: Any) -> float:
    """Raise an error if a package is missing; return the bytes of memory to use."""
    for package in ("duckdb", "pyarrow"):
        import_optional(package, name, install="skpara[duckdb]")
    check_scalar(memory_gb, "memory_gb", (int, float), min_val=_LEAST_MEMORY / 1e9)
    return float(memory_gb * 1e9)


class Work:
    """Steps, each of which leaves files: what is there is not done again.

    ``sources`` are the tables that are given, and ``options`` how others are written.
    """

    def __init__(
        self,
        out: Path,
        n_jobs: int | None,
        memory: float,
        verbose: bool,
        sources: dict[str, Source],
        options: dict[str, str],
    ) -> None:
        self.out, self.folder = out, out / "unfinished"
        self.n_jobs, self.memory, self.verbose = effective_n_jobs(n_jobs), memory, verbose
        self.sources, self.options = sources, options
        self.lock: DuckDBPyConnection | None = None

    def rows_per_process(self, n_bytes: float, least: int) -> int:
        """Return how many rows of a size fit in the memory of one process, at least ``least``."""
        each = (self.memory - self.n_jobs * _BYTES_PER_PROCESS) / self.n_jobs
        return max(least, int(each / n_bytes))

    def check_settings(self, **given: Any) -> None:
        """Write what the result depends on, or compare it with what an earlier call wrote."""
        settings = {"version": __version__} | given
        path = self.out / "settings.json"
        if path.exists():
            earlier = _read_json(path)
            changed = [name for name in settings if earlier.get(name) != settings[name]]
            if changed:
                raise ValueError(
                    f"{self.out} has the work of a call with other {' and '.join(changed)}. Pass "
                    "another folder, or delete this one."
                )
        elif self.out.exists() and any(x.name[0] != "." for x in self.out.iterdir()):
            raise FileExistsError(f"{self.out} has other files. Pass a new folder.")
        else:
            self.out.mkdir(parents=True, exist_ok=True)
            _write_json(settings, path)

    def is_to_do(self) -> bool:
        """Return whether there is no result, and remove halves of files."""
        if (self.out / "summary.json").exists():
            return False
        import duckdb

        self.folder.mkdir(exist_ok=True)
        try:  # a process that was killed has no lock
            self.lock = duckdb.connect(str(self.folder / "lock"))
        except duckdb.IOException:
            raise BlockingIOError(
                f"Another call works in {self.out}. Wait for it, or pass another folder."
            ) from None
        remove_unfinished(self.out)
        for path in self.folder.glob("*.part"):
            shutil.rmtree(path)
        return True

    def write_summary(self, numbers: dict[str, Any]) -> None:
        """Write the file that marks a complete result."""
        _write_json(numbers, self.out / "summary.json")

    def finish(self, *names: str) -> dict[str, Any]:
        """Remove what led to the result, and return its numbers, and the files of tables."""
        if self.lock is not None:
            self.lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return _read_json(self.out / "summary.json") | {name: self.path(name) for name in names}

    def do(self, what: str, tasks: Mapping[Path, Task]) -> None:
        """Do the tasks whose files are not there, in processes."""
        missing = {path: work for path, work in tasks.items() if not path.exists()}
        progress = tqdm(desc=what, total=len(tasks), disable=not self.verbose, unit="task")
        progress.update(len(tasks) - len(missing))
        with progress:
            parallel = Parallel(min(self.n_jobs, max(len(missing), 1)), return_as="generator")
            for _ in parallel(delayed(work)(path) for path, work in missing.items()):
                progress.update()

    def do_groups(
        self, what: str, work: Callable[..., None], source: str, folder: Path, size: int = 1
    ) -> None:
        """Do a task for ``size`` groups of a Parquet file at a time, or for an empty file."""
        import pyarrow.parquet as pq

        n_groups = pq.read_metadata(self.path(source)).num_row_groups
        tasks = {}
        for start in range(0, n_groups, size) or [0]:
            groups = range(start, min(start + size, n_groups))
            tasks[folder / f"{start:06d}.parquet"] = partial(work, self.folder, groups)
        self.do(what, tasks)

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return (self.out if name in _RESULTS else self.folder) / f"{name}.parquet"

    def table(self, name: str) -> str:
        """Return what stands for a table behind FROM."""
        if name in self.sources:
            return name
        if name in _OF_TASKS:
            return parquet(self.folder, f"{name}/*.parquet")
        return parquet(self.path(name).parent, f"{name}.parquet")

    def fetch(self, query: str) -> pa.Table:
        """Return the result of a query."""
        with self.database() as database:
            return database.sql(query).to_arrow_table()

    def write(self, name: str, query: str) -> None:
        """Write the result of a query to a file, or a folder of files, unless it is there."""
        options, path = self.options.get(name, ""), self.path(name)
        if "PARTITION_BY" in options:
            path = path.with_suffix("")
        if path.exists():
            return

        def write(part: Path) -> None:
            with self.database() as database:
                target = f"{literal(part)} (FORMAT parquet{options})"
                database.execute(f"COPY ({query}) TO {target}")

        if path.suffix:
            replace_file(path, write)
            return
        part = path.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        write(part)
        for file in part.rglob("*.parquet"):
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())  # so that it survives a power cut
        part.rename(path)

    def database(self) -> DuckDBPyConnection:
        """Return a database without tables, which knows the sources."""
        import duckdb

        # The processes keep some of theirs while they wait.
        memory = self.memory / 2
        memory = min(memory, total_memory() or memory)  # those of a cluster have more
        database = duckdb.connect(
            config={
                "memory_limit": f"{int(memory / 1e6)}MB",
                "preserve_insertion_order": False,
                "temp_directory": str(self.folder / "spilled.part"),
                "threads": self.n_jobs,
            }
        )
        database.execute("SET enable_progress_bar = false")
        for name, source in self.sources.items():
            database.register(name, source.texts())
        return database


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text("utf8")))
    except ValueError:
        raise ValueError(f"{path} is damaged. Delete the folder, and call again.") from None


def _write_json(values: dict[str, Any], path: Path) -> None:
    replace_file(path, lambda part: part.write_text(json.dumps(values), "utf8"))


@lru_cache(1)
def _read(read: Callable[[Path], T], path: Path, _: int) -> T:
    return read(path)


def read_once(read: Callable[[Path], T], path: Path) -> T:
    """Return what is read from a file, which a process does once."""
    return _read(read, path, path.stat().st_mtime_ns)


def write_table(table: pa.Table, path: Path) -> None:
    """Write a file of Parquet, or nothing after an error."""
    import pyarrow.parquet as pq

    replace_file(path, lambda part: pq.write_table(table, part))
