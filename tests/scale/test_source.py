"""Rows of Parquet files go through as they are, whatever the names of folders and columns."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal

import pytest

from skpara import Deduplicator
from skpara.scale import _source, _work, deduplicate, match

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = ["It rains.", "A dog runs.", "it rains!", None]


def write(folder, *tables):
    folder.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(tables):
        pq.write_table(table, folder / f"part {number} [1] 'x'=1.parquet")
    return folder


@pytest.mark.parametrize("name", ["text=x", "a[1]*?"])
def test_rows_are_written_as_they_are(name, tmp_path, monkeypatch):
    table = pa.table(
        {
            "text": TEXTS,
            "Text": ["a", "b", "c", "d"],
            "row": [9, 8, 7, 6],
            "a.b": [1.5, None, 2.5, 3.5],
            "file_row_number": pa.nulls(4),
            "probability": pa.array([Decimal("1.5")] * 4, pa.decimal256(50, 3)),
            "id": [dt.timedelta(1)] * 4,
            "is_kept": pa.array(["a", "b", "a", "b"]).dictionary_encode(),
            "struct": [{"text": 1}, None, {"text": 2}, {"text": 3}],
        }
    )
    monkeypatch.setattr(_source, "_ROWS_PER_BATCH", 3)
    other = table.select(table.column_names[::-1]).slice(1)
    source = write(tmp_path / name, table.slice(0, 1), other)
    same = other.select(table.column_names)
    whole = pa.concat_tables([table.slice(0, 1), same], promote_options="permissive")
    found = deduplicate(source, tmp_path / name / "out", Deduplicator(kind="sentences"), on="text")
    assert pq.ParquetFile(found.kept).read() == whole.take([0, 1, 3])

    matched = match(source, source, tmp_path / name / "matched", on={"text": "names"})
    joined = pq.ParquetFile(matched.joined).read()
    n = len(table.column_names)
    assert joined.select(range(n)) == whole
    rows = pq.ParquetFile(matched.matches).read()["candidate"].to_pylist()
    expected = whole.take(pa.array([*rows, None]))
    assert rows == [0, 1, 0]
    assert joined.select(range(n, 2 * n)).rename_columns(table.column_names) == expected
    assert joined.column_names[n:-1] == [f"{x}_match" for x in table.column_names]


def test_tables_have_as_many_rows_as_asked_for_or_a_batch_more(tmp_path, monkeypatch):
    monkeypatch.setattr(_source, "_ROWS_PER_BATCH", 2)
    table = pa.table({"text": [f"text {k}" for k in range(20)]})
    source = _source.Source.open(write(tmp_path, table), "text")
    tables = list(source.tables(5))
    assert [(start, len(part)) for start, part in tables] == [(0, 6), (6, 6), (12, 6), (18, 2)]
    assert pa.concat_tables(part for _, part in tables) == table


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            {"text": TEXTS, "x": [0.5] * 4},
            r"part 0 .* and .*part 1 .*: .* 'x' has int64 and double",
        ),
        ({"text": TEXTS}, r"different columns, \['text', 'x'\] and \['text'\]"),
        ({"text": [1, 2], "x": [1, 2]}, "'text' has string and int64"),
    ],
)
def test_files_of_other_tables_are_refused(second, message, tmp_path):
    source = write(tmp_path, pa.table({"text": TEXTS, "x": [1, 2, 3, 4]}), pa.table(second))
    with pytest.raises(ValueError, match=message):
        deduplicate(source, tmp_path / "out", on="text")


def test_two_columns_of_a_name_are_refused(tmp_path):
    table = pa.Table.from_arrays([pa.array(TEXTS)] * 2, names=["text", "text"])
    with pytest.raises(ValueError, match="columns of the same name, text, text"):
        deduplicate(write(tmp_path, table), tmp_path / "out", on="text")


def test_tables_in_memory_and_other_files_are_refused(tmp_path):
    with pytest.raises(TypeError, match="Expected names of Parquet files, got a Table"):
        deduplicate(pa.table({"text": TEXTS}), tmp_path / "out", on="text")
    (tmp_path / "a.csv").write_text("text\nIt rains.\n")
    with pytest.raises(ValueError, match=r"a\.csv is not Parquet .* Write the table as Parquet"):
        deduplicate(tmp_path / "a.csv", tmp_path / "out", on="text")


def test_missing_cells_have_any_type_and_texts_are_of_any_size(tmp_path):
    tables = [
        pa.table({"text": TEXTS, "x": pa.nulls(4)}),
        pa.table({"text": pa.array(TEXTS, pa.large_string()), "x": [1, 2, 3, 4]}),
    ]
    found = deduplicate(write(tmp_path, *tables), tmp_path / "out", on="text")
    kept = pq.read_table(found.kept)
    assert kept.schema.types == [pa.string(), pa.int64()]
    assert (found.n_rows, kept["x"].to_pylist()) == (8, [None] * 3 + [4])


def test_the_longest_text_has_most_composed_characters(tmp_path):
    texts = ["cafe\u0301 au lait", "caf\xe9 au lait!"]
    source = write(tmp_path, pa.table({"text": texts}))
    rule = Deduplicator(kind="sentences", keep="longest")
    found = deduplicate(source, tmp_path / "out", rule, on="text")
    kept = rule.fit(texts).kept_
    assert (
        pq.read_table(found.kept)["text"].to_pylist() == [texts[row] for row in kept] == texts[1:]
    )


def test_bytes_that_are_no_text_are_refused(tmp_path):
    table = pa.table({"text": pa.array([b"It rains.", b"A d\xffg"]).view(pa.string())})
    with pytest.raises(Exception, match="'text' is not UTF-8 after row 0"):
        deduplicate(write(tmp_path, table), tmp_path / "out", on="text")


def test_a_folder_is_of_one_call_at_a_time(tmp_path, monkeypatch):
    source, out = write(tmp_path / "rows", pa.table({"text": TEXTS})), tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(_work.Work, "is_to_do", None)  # an interruption
        with pytest.raises(TypeError):
            deduplicate(source, out, on="text")
    program = "import duckdb, sys; x = duckdb.connect(sys.argv[1]); print(1, flush=True); input()"
    (out / "unfinished").mkdir()
    arguments = [sys.executable, "-c", program, str(out / "unfinished" / "lock")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        with pytest.raises(BlockingIOError, match="Another call works in"):
            deduplicate(source, out, on="text")
        other.communicate(b"\n")
    assert deduplicate(source, out, on="text").n_clusters == 3
    (out / "settings.json").write_text("{")
    with pytest.raises(ValueError, match=r"settings\.json is damaged\. Delete the folder"):
        deduplicate(source, out, on="text")
