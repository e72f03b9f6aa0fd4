"""Files of pairs in every format: columns, scores, groups, chunks and errors."""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from skpara.datasets import PairFile, iter_pairs, read_pairs

HEADER = ("sentence1", "sentence2", "score", "group")


def write(folder, name, rows, header=HEADER):
    """Write the rows in the format, and compressed as, the name says."""
    path = folder / name
    opened = gzip.open if name.endswith(".gz") else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        if ".jsonl" in name:
            for row in rows:
                file.write(json.dumps(dict(zip(header, row, strict=True))) + "\n")
        elif ".csv" in name.lower():
            csv.writer(file).writerows([header, *rows] if header else rows)
        else:
            for row in [header, *rows] if header else rows:
                file.write("\t".join(map(str, row)) + "\n")
    return path


def text(folder, content, name="pairs.tsv"):
    (folder / name).write_bytes(content.encode())
    return folder / name


@pytest.mark.parametrize(
    "name", ["a.tsv", "a.txt", "a.csv", "a.jsonl", "a.ndjson.jsonl", "a.tsv.gz", "a.CSV.gz"]
)
def test_every_format_gives_the_same_arrays(tmp_path, rows, name):
    path = write(tmp_path, name, rows)
    pairs = read_pairs(path, score_column="score", group_column="group")
    assert pairs.data.dtype == object
    assert pairs.data.tolist() == [list(row[:2]) for row in rows]
    assert pairs.target.tolist() == [row[2] for row in rows]
    assert pairs.groups.tolist() == [row[3] for row in rows]
    assert pairs.filenames == [str(path)]


def test_groups_that_cannot_be_found(tmp_path, rows):
    path = write(tmp_path, "a.tsv", rows)
    with pytest.raises(ValueError, match="no column 'genre', only sentence1, sentence2"):
        read_pairs(path, group_column="genre")


def test_a_missing_group_is_refused(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,group\nA dog.,A cat.,x\nA dog.,A cow., \n")
    with pytest.raises(ValueError, match=r"line 3: there is no group\. Fill it in"):
        read_pairs(path, group_column="group")


def test_without_a_header_columns_have_positions(tmp_path, rows):
    path = write(tmp_path, "a.tsv", rows, header=None)
    file = PairFile(path, score_column="auto", group_column=3)
    assert [(*row.pair, row.score, row.group) for row in file] == rows
    assert file.header is None


def test_columns_by_name_and_by_position(tmp_path):
    path = text(tmp_path, "id\tA\tgold\tb\n1\ta dog\t4\ta cat\n")
    (named,) = PairFile(path, columns=["a", "B"], score_column="gold", group_column="id")
    assert named[1:4] == (("a dog", "a cat"), 4.0, "1")
    (numbered,) = PairFile(text(tmp_path, "1\ta dog\t4\ta cat\n", "b.tsv"), columns=(1, 3))
    assert numbered.pair == ("a dog", "a cat")
    assert math.isnan(numbered.score)
    (mixed,) = PairFile(path, columns=("a", 3), score_column=2)
    assert mixed[1:3] == (("a dog", "a cat"), 4.0)
    with pytest.raises(ValueError, match=r"line 2, has 4 column.*column 5 is needed"):
        list(PairFile(path, columns=("a", 3), score_column=4))
    (skipped,) = PairFile(path, columns=(1, 3), header=True)
    assert skipped.pair == ("a dog", "a cat")
    path = text(tmp_path, '{"a": "one", "b": "two", "1": 3}\n', "a.jsonl")
    (row,) = PairFile(path, columns=["b", "a"], score_column="1")
    assert row[1:3] == (("two", "one"), 3.0)


def test_frames_and_tuples(tmp_path, rows):
    path = write(tmp_path, "a.csv", rows)
    X, y = read_pairs(path, score_column="score", return_X_y=True)
    assert X.shape == (40, 2)
    assert y.dtype == np.float64
    framed = read_pairs(path, score_column="score", group_column="group", as_frame=True)
    assert framed.frame.columns.tolist() == list(HEADER)
    assert framed.frame.to_numpy().tolist() == [list(row) for row in rows]
    assert read_pairs(path, as_frame=True).frame.columns.tolist() == list(HEADER[:2])
    with pytest.raises(ValueError, match="return_X_y=True needs score_column"):
        read_pairs(path, return_X_y=True)


def test_windows_files_with_a_byte_order_mark(tmp_path):
    content = "\ufeffsentence1,sentence2,score\r\na dog,a cat,1.5\r\n"
    (row,) = PairFile(text(tmp_path, content, "a.csv"), score_column="score")
    assert row[:3] == (2, ("a dog", "a cat"), 1.5)


@pytest.mark.parametrize("content", ["", "\n", "sentence1\tsentence2\tscore\n"])
def test_files_without_rows(tmp_path, content):
    path = text(tmp_path, content)
    assert list(PairFile(path)) == list(PairFile(path).chunks()) == list(iter_pairs(path)) == []
    X, y = read_pairs(path, score_column="auto", return_X_y=True)
    assert X.shape == (0, 2)
    assert y.shape == (0,)


def test_a_chunk_does_not_wait_for_more_rows(monkeypatch):
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as sink:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=source))
        file = PairFile("-")
        assert file.name == "standard input"
        chunks = file.chunks(100)
        sink.write(b"a b\tb\nc\td\ne\t")
        assert [row.pair for row in next(chunks)] == [("a b", "b"), ("c", "d")]
        threading.Timer(0.1, lambda: sink.write(b"f\n")).start()
        assert [row.pair for row in next(chunks)] == [("e", "f")]


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b'1\ta "dog"\ta puppy\r\n2.5\tun caf\xc3\xa9\t\n0\tx\ty\n')
    return path


def test_streams_are_read_again_in_each_epoch(stream):
    with pytest.raises(ValueError, match="chunk_size == 0, must be >= 1"):
        iter_pairs(stream, chunk_size=0)
    chunks = iter_pairs(stream, chunk_size=2, columns=(1, 2))
    for _ in range(2):
        epoch = list(chunks)
        assert [chunk.shape for chunk in epoch] == [(2, 2), (1, 2)]
        assert np.vstack(epoch).tolist() == [['a "dog"', "a puppy"], ["un café", ""], ["x", "y"]]


def test_only_a_chunk_is_read_at_a_time(tmp_path):
    path = tmp_path / "many.tsv"
    path.write_text("a dog\ta cat\n" * 50_000 + "alone\n")
    chunks = iter(iter_pairs(path, chunk_size=100))
    assert next(chunks).shape == (100, 2)  # the malformed line comes much later
    with pytest.raises(ValueError, match=r"line 50001, has 1 column"):
        list(chunks)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "a\tb\t1\nc\td\tx\n", r"a.tsv, line 2, column 3: the score 'x' is not a number"),
        ("a.tsv", "a b\tb\t\n", "line 1, column 3: the score ''"),
        ("a.tsv", "a b\tb\tnan\n", "the score 'nan' is not a number"),
        ("a.tsv", "one\tother\tpoints\na\tb\t1\n", "line 1: it is unclear whether one, other"),
        ("a.tsv", "a\tb\t1\nc\td\n", "line 2, has 2 column.*column 3 is needed.*other columns"),
        ("a.tsv", "sentence1\tsentence2\tmark\na\tb\t1\n", "line 1 has no column 'score', only"),
        ("a.tsv", "sentence1\tsentence2\tscore\tscore\n", "more than one column 'score'"),
        (
            "a.tsv",
            "sentence1\tsentence2\tscore\na\tb\tc\t1\n",
            "line 2, has 4.*first row has 3.*a tab or a comma",
        ),
        ("a.csv", "sentence1,sentence2,score\na,b,4;5\n", "line 2, column score: the score '4;5'"),
        ("a.jsonl", '{"sentence1": "a", "score": 1}\n', "line 1 has no column 'sentence2'"),
        (
            "a.jsonl",
            '{"sentence1": "a", "sentence2": "b", "score": 1}\n{"sentence1": "a"}',
            "line 2, has no 'sentence2': it holds sentence1",
        ),
        ("a.jsonl", '{"sentence1": "a", "sentence2": null, "score": 1}', "'sentence2' is None"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "\\ud800", "score": 1}', "half a character"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": true}', "score True is not"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": [1]}', "column score: the"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": NaN}', "'score': NaN is no"),
    ],
)
def test_errors_name_line_column_and_remedy(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=message):
        read_pairs(text(tmp_path, content, name), score_column="auto")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "xml"}, "format must be one of .*'jsonl', 'ppdb', 'parquet', 'xlsx'.*'xml'"),
        ({"columns": "ab"}, "columns must select the two sentences, got 'ab'"),
        ({"columns": ["a", "a"]}, "columns must select the two sentences"),
        ({"header": 0}, "header must be True, False or None, got 0"),
        ({"columns": (0, 1, 2)}, "Select the score by score_column"),
        ({"columns": (0, -1)}, "a column is a name.* or a position from 0.*got -1"),
        ({"score_column": 2.0}, "got 2.0"),
        ({"group_column": True}, "got True"),
        ({"score_column": "gold", "header": False}, "got 'gold'"),
        ({"format": "jsonl", "columns": (0, 1)}, "got 0"),
        ({"format": "ppdb", "columns": (0, 1)}, "got 0"),
    ],
)
def test_invalid_parameters(stream, options, message):
    with pytest.raises(ValueError, match=message):
        PairFile(stream, **options)


# Lines of PPDB as it is published, with fewer features: phrasal 2.0, lexical 2.0 and 1.0.
PPDB = (
    "[NP] ||| a great deal ||| quite a lot ||| PPDB2.0Score=3.97 PPDB1.0Score=5.1 "
    "-logp(LHS|e1)=0.5 p(e|LHS=NP)=0.25 ||| 0-0 1-1 1-2 2-2 ||| Equivalence\n"
    "[NN] ||| dog ||| animal ||| PPDB2.0Score=2.5 PPDB1.0Score=7.3 -logp(LHS|e1)=1.5 "
    "p(e|LHS=NP)=0 ||| 0-0 ||| ForwardEntailment\n"
)


def test_ppdb(tmp_path):
    path = text(tmp_path, PPDB, "ppdb-2.0-s-phrasal")
    options = {"format": "ppdb", "score_column": "score", "group_column": "entailment"}
    pairs = read_pairs(path, **options)
    assert pairs.data.tolist() == [["a great deal", "quite a lot"], ["dog", "animal"]]
    assert pairs.target.tolist() == [3.97, 2.5]
    assert pairs.groups.tolist() == ["Equivalence", "ForwardEntailment"]
    packed = tmp_path / "ppdb.gz"
    packed.write_bytes(gzip.compress(PPDB.encode()))
    for column, scores in (
        ("PPDB1.0Score", [5.1, 7.3]),
        ("-logp(LHS|e1)", [0.5, 1.5]),
        ("p(e|LHS=NP)", [0.25, 0]),
    ):
        chunks = iter_pairs(packed, format="ppdb", score_column=column, chunk_size=1)
        assert [score for _, score in chunks] == scores
    options["group_column"] = "category"
    assert read_pairs(path, **options).groups.tolist() == ["[NP]", "[NN]"]
    turned = read_pairs(path, format="ppdb", columns=("sentence2", "sentence1"))
    assert turned.data[1].tolist() == ["animal", "dog"]


def test_ppdb_1(tmp_path):
    lines = PPDB.replace("PPDB2.0Score=3.97 ", "").replace(" ||| Equivalence", "").split("\n")
    path = text(tmp_path, lines[0] + "\n", "ppdb-1.0-s-phrasal")
    assert read_pairs(path, format="ppdb", score_column="auto").target.tolist() == [5.1]
    with pytest.raises(ValueError, match=r"line 1.* has no column 'entailment', only category"):
        read_pairs(path, format="ppdb", group_column="entailment")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a car\tan automobile\n", r"line 1, has 1 field.* instead of category \|\|\| sentence1"),
        (PPDB + "\n" + PPDB, "line 3, is empty"),
        (PPDB.replace("=2.5", "=high"), "line 2, column score: the score 'high' is not a number"),
        (PPDB.replace("PPDB2.0Score=2.5 PPDB1.0Score=7.3", ""), "line 2, has no 'score'"),
    ],
)
def test_files_that_are_not_ppdb(tmp_path, content, message):
    path = text(tmp_path, content, "ppdb")
    with pytest.raises(ValueError, match=message):
        read_pairs(path, format="ppdb", score_column="score")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        *((".dat", "set the format to tsv"), (".ods", "CSV for example")),
        (".skpara", "the model as --model"),
    ],
)
def test_a_suffix_that_tells_no_format(tmp_path, name, remedy):
    path = text(tmp_path, "a dog\ta cat\n", f"pairs{name}")
    with pytest.raises(ValueError, match=rf"pairs\{name} has none of the suffixes .*{remedy}"):
        PairFile(path)
    assert len(read_pairs(path, format="tsv").data) == 1


@pytest.mark.parametrize("mark", list(";\t|,"))
def test_the_separator_is_found(tmp_path, mark):
    path = text(tmp_path, f"sentence1{mark}sentence2\nIt rains.{mark}It snows.\n", "pairs.csv")
    assert read_pairs(path).data.tolist() == [["It rains.", "It snows."]]
    other = text(tmp_path, "sentence1#sentence2\nIt rains.#It snows.\n", "pairs.csv")
    assert read_pairs(other, delimiter="#").data.tolist() == [["It rains.", "It snows."]]


# The headers of Quora, SICK, SNLI and other data sets.
@pytest.mark.parametrize(
    ("header", "first", "second", "score"),
    [
        ("id qid1 qid2 question1 question2 is_duplicate", 3, 4, 5),
        ("pair_ID sentence_A sentence_B entailment_label relatedness_score", 1, 2, 4),
        ("gold_label,sentence1_parse,sentence1,sentence2", 2, 3, 0),
        ("Similarity PREMISE Hypothesis", 1, 2, 0),
        ("index,S1,s2,label", 1, 2, 3),
        ("text_b text_a score label", 1, 0, 2),
        ("Left,Right,score", 0, 1, 2),
        ("source,target,name_a,name_b,text1,text2,score", 4, 5, 6),
        (",Sentence 1,Sentence 2,Score", 1, 2, 3),
    ],
)
@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl"])
def test_usual_names_are_found(tmp_path, name, header, first, second, score):
    names = header.split("," if "," in header else " ")
    cells = [str(i) for i in range(len(names))]
    cells[first], cells[second] = "a dog", "a cat"
    path = write(tmp_path, name, [cells], header=names)
    (unscored,) = PairFile(path)
    assert unscored.pair == ("a dog", "a cat")
    file = PairFile(path, score_column="auto")
    (row,) = file
    assert row[1:3] == (("a dog", "a cat"), float(score))
    assert file.column_names == [names[i] for i in (first, second, score)]


def test_names_that_a_program_prefers_are_found_first(tmp_path):
    path = text(tmp_path, "question1\tquestion2\told\tnew\tscore\n" + "a b\tc\td\te f\t2\n")
    file = PairFile(path, score_column="auto")
    assert next(iter(file)).pair == ("a b", "c")
    file.names = ["New", "OLD", "points"]
    (row,) = file
    assert row[1:3] == (("e f", "d"), 2.0)
    assert file.column_names == ["new", "old", "score"]


@pytest.mark.parametrize("columns", [None, (0, 1)])
@pytest.mark.parametrize("first", ["headline\tbody\n", "a\tb\n", "id\theadline\tbody\n"])
def test_a_first_row_that_may_be_a_header_is_refused(tmp_path, columns, first):
    path = text(tmp_path, first + "A dog.\tA cat.\tA car.\n")
    with pytest.raises(
        ValueError, match=r"line 1: it is unclear whether .*--columns.*--no-header"
    ):
        list(PairFile(path, columns=columns))
    assert PairFile(path, columns=columns, header=False).__iter__().__next__().line == 1


@pytest.mark.parametrize(
    "content",
    [
        # An index column, as pandas writes it, with and without names above it.
        ",headline,body\n0,A dog.,A cat.\n",
        "0,A dog.,A cat.\n1,A car.,A bus.\n",
        "A dog.,17,A cat.\n",
        # The genre, the file and the year of STS Benchmark come before its sentences.
        "captions,MSRvid,2012,5.0,A dog.,A cat.\n",
        "s17,A dog.,A cat.\n",
        ",first text,second text\n0,A dog.,A cat.\n",
    ],
)
def test_columns_that_cannot_be_sentences_are_refused(tmp_path, content):
    path = text(tmp_path, content, "a.csv")
    with pytest.raises(ValueError, match=r"line 1: it is unclear .*Select the columns"):
        list(PairFile(path))


def test_scored_words_without_a_header_are_pairs(tmp_path):
    path = text(tmp_path, "car\tautomobile\t3.9\nnoon\tstring\t.1\n")
    for score_column in (None, "auto"):
        pairs = [row.pair for row in PairFile(path, score_column=score_column)]
        assert pairs == [("car", "automobile"), ("noon", "string")]
