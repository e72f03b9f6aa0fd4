"""Work in a folder, with DuckDB and processes: what is done is not done again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed
from tqdm import tqdm

from skpara._files import remove_unfinished, replace_file
from skpara._machine import total_memory
from skpara._version import __version__
from skpara.scale._source import literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Task = Callable[[Path], None]  # writes the file

# Bytes that a process needs before it has any text.
_BYTES_PER_PROCESS = 400e6
LEAST_MEMORY = 1e9


class Work:
    """Steps, each of which leaves files: what is there is not done again."""

    def __init__(self, out: Path, n_jobs: int | None, memory: float, verbose: bool) -> None:
        self.out, self.folder = out, out / "unfinished"
        self.n_jobs, self.memory, self.verbose = effective_n_jobs(n_jobs), memory, verbose
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
            replace_file(path, lambda part: part.write_text(json.dumps(settings), "utf8"))

    def is_to_do(self) -> bool:
        """Return whether there is no result, and remove halves of files."""
        if (self.out / "summary.json").exists():
            return False
        self.folder.mkdir(exist_ok=True)
        self._lock()
        remove_unfinished(self.out)
        for path in self.folder.glob("*.part"):
            shutil.rmtree(path)
        return True

    def _lock(self) -> None:
        """Raise an error if another process works in the folder; one that was killed does not."""
        import duckdb

        try:
            self.lock = duckdb.connect(str(self.folder / "lock"))
        except duckdb.IOException:
            raise BlockingIOError(
                f"Another call works in {self.out}. Wait for it, or pass another folder."
            ) from None

    def write_summary(self, numbers: dict[str, Any]) -> None:
        """Write the file that marks a complete result."""
        path = self.out / "summary.json"
        replace_file(path, lambda part: part.write_text(json.dumps(numbers), "utf8"))

    def finish(self) -> dict[str, Any]:
        """Remove what led to the result, and return its numbers."""
        if self.lock is not None:
            self.lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return _read_json(self.out / "summary.json")

    def do(self, what: str, tasks: dict[Path, Task]) -> None:
        """Do the tasks whose files are not there, in processes."""
        missing = {path: work for path, work in tasks.items() if not path.exists()}
        progress = tqdm(desc=what, total=len(tasks), disable=not self.verbose, unit="task")
        progress.update(len(tasks) - len(missing))
        with progress:
            parallel = Parallel(min(self.n_jobs, max(len(missing), 1)), return_as="generator")
            for _ in parallel(delayed(work)(path) for path, work in missing.items()):
                progress.update()

    def database(self) -> DuckDBPyConnection:
        import duckdb

        # The processes keep some of theirs while they wait.
        memory = max(LEAST_MEMORY / 2, self.memory / 2)
        memory = min(memory, total_memory() or memory)  # those of a cluster have more
        database = duckdb.connect(
            config={
                "memory_limit": f"{int(memory / 1e6)}MB",
                "temp_directory": str(self.folder / "spilled.part"),
                "threads": self.n_jobs,
            }
        )
        database.execute("SET enable_progress_bar = false")
        return database


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text("utf8")))
    except ValueError:
        raise ValueError(f"{path} is damaged. Delete the folder, and call again.") from None


def copy(database: DuckDBPyConnection, query: str, path: Path, options: str = "") -> None:
    """Write the result of a query to a file, or a folder of files, unless it is there."""
    if path.exists():
        return

    def write(part: Path) -> None:
        target = f"{literal(part)} (FORMAT parquet{', ' * bool(options)}{options})"
        database.execute(f"COPY ({query}) TO {target}")

    if "PARTITION_BY" not in options:
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
