"""Results of long work in a folder, so that a later run continues where one was interrupted."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

from skpara._array_files import map_arrays, write_arrays

Arrays = dict[str, NDArray[Any]]


class Checkpoints:
    """A folder for the results of some work on some sentences; None stores nothing.

    Results are stored below a name made of ``about``, what they depend on: the same folder serves
    other sentences, thresholds and models, too.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, about: Iterable[bytes] = ()) -> None:
        self.folder: Path | None = None
        if folder is not None:
            digest = hashlib.sha256()
            for part in about:
                digest.update(len(part).to_bytes(8, "little") + part)
            self.folder = Path(folder) / digest.hexdigest()[:32]

    def run(
        self,
        name: str,
        work: Callable[[int], Arrays],
        numbers: Iterable[int],
        n_jobs: int | None = None,
    ) -> Iterator[Arrays]:
        """Yield ``work(number)`` for each number, read from the folder where it was done before.

        With ``n_jobs``, threads work: products of matrices do not hold Python's lock.
        """
        if effective_n_jobs(n_jobs) == 1:
            for number in numbers:
                yield self._result(name, work, number)
            return
        with threadpool_limits(1, "blas"):  # each thread computes products of its own
            threads = Parallel(n_jobs=n_jobs, require="sharedmem", return_as="generator")
            yield from threads(delayed(self._result)(name, work, number) for number in numbers)

    def _result(self, name: str, work: Callable[[int], Arrays], number: int) -> Arrays:
        if self.folder is None:
            return work(number)
        path = self.folder / f"{name}-{number:09d}.safetensors"
        if path.exists():
            return {key: np.asarray(array) for key, array in map_arrays(path)[0].items()}
        result = work(number)
        write_arrays(path, result, {})
        return result
