"""Tasks of processes that match: they read files, search or decide, and write a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats, Ints
from skpara.matching import (
    NEAREST,
    Counts,
    Numbers,
    Proposals,
    TableMatcher,
    TextIndex,
    decided,
    proposed_pairs,
)
from skpara.scale._work import read_once, write_table

# The number of the call whose queries are names, to find out how close all are.
OF_NEIGHBOURS = -1
# Ways to search: by n-grams and by words.
N_WAYS = 2
# Queries that are searched at a time.
_QUERIES_PER_BLOCK = 2**12


def count_task(folder: Path, groups: range, path: Path) -> None:
    """Count the n-grams and words of names."""
    import pyarrow as pa

    [number] = groups
    counts = Counts.of(_names(folder, groups)[1])
    first = number << 32 | np.arange(len(counts.words))
    words = {"word": pa.array(counts.words, pa.string()), "n": counts.with_word, "first": first}
    ngrams = {
        "ngram": pa.array(counts.ngrams, pa.string()),
        "n": counts.with_ngram,
        "times": counts.n_ngrams,
    }
    write_table(pa.table(words), folder / "spelled" / path.name)
    write_table(pa.table(ngrams), path)  # the last one: if it is there, both are


def propose_task(n_candidates: int, folder: Path, groups: range, path: Path) -> None:
    """Search for the queries of all calls in a part of the names."""
    import pyarrow as pa

    ids, names = _names(folder, groups)
    index = index_of(folder).of_texts(names)
    for call_folder in sorted((folder / "queries").iterdir()):
        call = int(call_folder.name.removeprefix("call="))
        target = path.with_suffix("") / f"{call}.parquet"
        if target.exists():
            continue
        k = NEAREST if call == OF_NEIGHBOURS else n_candidates
        parts = list(_proposals(index, queries_of(folder, call)[1], k))
        rows, columns, products, ways = map(np.concatenate, zip(*parts, strict=True))
        used, places = np.unique(columns, return_inverse=True)
        texts = pa.array([names[column] for column in used.tolist()], pa.string())
        table = {"row": rows, "id": ids[columns], "product": products, "way": ways}
        table["text"] = pa.DictionaryArray.from_arrays(places.astype(np.int32), texts)
        write_table(pa.table(table), target)
    write_table(pa.table({"id": ids[:1]}), path)


def _proposals(
    index: TextIndex, texts: list[str], k: int
) -> Iterator[tuple[Ints, Ints, Floats, NDArray[np.int8]]]:
    for start in range(0, len(texts), _QUERIES_PER_BLOCK):
        bag = index.prepare(texts[start : start + _QUERIES_PER_BLOCK])
        for way, (rows, columns, products) in enumerate(index.proposed(bag, k)):
            yield rows + start, columns, products, np.full(len(rows), way, dtype=np.int8)


class Candidates(NamedTuple):
    """The candidates of some queries, from all parts of the names."""

    queries: Ints  # numbers of queries
    texts: list[str]
    rows: Ints  # pairs of a query
    columns: Ints  # and a name
    ids: Ints  # of names, in order
    names: list[str]

    @classmethod
    def read(cls, folder: Path, proposed: Path, call: int, k: int) -> Candidates:
        """Read what was proposed for the queries of a call."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        files = sorted(proposed.glob(f"*/{call}.parquet"))
        nothing = Proposals(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
        ways = [nothing] * N_WAYS
        for path in files:  # one after the other: all candidates would not fit into memory
            table = pq.read_table(path, columns=["row", "id", "product", "way"])
            *pairs, way = (column.to_numpy() for column in table.columns)
            for number, best in enumerate(ways):
                new = Proposals(*(x[way == number] for x in pairs))
                ways[number] = Proposals.best([best, new], k)
        rows, found = proposed_pairs(ways)
        ids, columns = np.unique(found, return_inverse=True)
        names = np.full(len(ids), "", dtype=object)
        for path in files:
            table = pq.read_table(path, columns=["id", "text"])
            mine = table["id"].to_numpy()
            chosen = np.flatnonzero(np.isin(mine, ids))
            known = table["text"].take(pa.array(chosen)).to_pylist()
            names[np.searchsorted(ids, mine[chosen])] = np.array(known, dtype=object)
        numbers, texts = queries_of(folder, call)
        return cls(numbers, texts, rows, columns, ids, names.tolist())


def decide_task(
    folder: Path, proposed: Path, matcher: TableMatcher, call: int, path: Path
) -> None:
    """Decide the matches of the queries of a call."""
    import pyarrow as pa

    found = Candidates.read(folder, proposed, call, matcher.n_candidates)
    near = np.load(folder / "near.npy", allow_pickle=False)
    index, pairs = index_of(folder), (found.rows, found.columns)
    rows, columns, values = decided(matcher, index, near, found.texts, pairs, found.names)
    numbers = {"query": found.queries[rows], "candidate": found.ids[columns]}
    write_table(pa.table(numbers | {"probability": values}), path)


def queries_of(folder: Path, call: int) -> tuple[Ints, list[str]]:
    """Return the numbers and the texts of the queries of a call."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    files = sorted((folder / "queries" / f"call={call}").iterdir())
    tables = [pq.ParquetFile(path).read(["id", "text"]) for path in files]
    table = pa.concat_tables(tables).sort_by("id")
    return table["id"].to_numpy(), table["text"].to_pylist()


def index_of(folder: Path) -> TextIndex:
    """Return an index of no names with the weights of all."""
    return read_once(_index, folder / "ngrams.parquet")


def _index(path: Path) -> TextIndex:
    import pyarrow.parquet as pq

    folder = path.parent
    n_names = pq.read_metadata(folder / "names.parquet").num_rows
    ngrams, words = (pq.read_table(folder / f"{name}.parquet") for name in ("ngrams", "words"))
    numbers = Numbers(
        ngrams["ngram"].to_pylist(),
        ngrams["n"].to_numpy(),
        words["word"].to_pylist(),
        words["n"].to_numpy(),
        n_names,
    )
    return TextIndex.of_numbers(numbers)


def _names(folder: Path, groups: range) -> tuple[Ints, list[str]]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(folder / "names.parquet")
    table = file.read_row_groups(list(groups), ["id", "text"])
    return table["id"].to_numpy(), table["text"].to_pylist()
