"""Reading rules of the STS files, and errors that name file and line."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.datasets._tsv import read_lines, read_rows, read_scored_pairs, read_scores


@pytest.fixture
def file(tmp_path):
    def write(content: bytes, name: str = "STS.input.x.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def test_quotes_are_ordinary_characters(file):
    path = file(b'"Yes," he said.\t"No\nhe said "yes"\tno"\n')
    assert read_rows(path, 2) == [['"Yes," he said.', '"No'], ['he said "yes"', 'no"']]


def test_only_newlines_end_a_row(file):
    path = file("a\u2028b\tc\x85d\ne\x0bf\tg\rh\n".encode())
    assert read_rows(path, 2) == [["a\u2028b", "c\x85d"], ["e\x0bf", "g\rh"]]


def test_byte_order_mark_and_carriage_returns_are_dropped(file):
    assert read_lines(file(b"\xef\xbb\xbfa\tb\r\nc\td\r\n")) == ["a\tb", "c\td"]


def test_a_missing_last_newline_loses_nothing(file):
    assert read_lines(file(b"a\nb")) == ["a", "b"]


def test_a_blank_last_line_is_a_line(file):
    assert read_lines(file(b"1.0\n\n")) == ["1.0", ""]


def test_an_empty_file_has_no_lines(file):
    assert read_lines(file(b"")) == []


text = st.text(st.characters(exclude_characters="\t\n\r", codec="utf-8"), max_size=20)


@given(st.lists(st.tuples(text, text), min_size=1, max_size=5))
def test_any_text_comes_back_as_written(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("tsv") / "pairs.txt"
    # a mark in front, so that one at the start of a sentence is the sentence's own
    path.write_bytes("".join(f"{a}\t{b}\n" for a, b in rows).encode("utf-8-sig"))
    assert read_rows(path, 2) == [list(row) for row in rows]


def test_further_columns_are_kept_for_the_caller_to_ignore(file):
    assert read_rows(file(b"a\tb\tsource\tsource\n"), 2) == [["a", "b", "source", "source"]]


def test_a_row_with_one_column_is_named(file):
    path = file(b"a\tb\nonly one\n")
    with pytest.raises(
        ValueError, match=rf"{re.escape(str(path))}, line 2: .*found 1: 'only one'"
    ):
        read_rows(path, 2)


def test_bytes_that_are_not_utf8_are_named(file):
    path = file(b"a\tb\nc\td\ncaf\xe9\tbar\n")
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}, line 3: not valid UTF-8"):
        read_lines(path)


def test_blank_scores_are_nan(file):
    scores = read_scores(file(b"4.25\n\n0\n \n"))
    np.testing.assert_array_equal(scores, [4.25, np.nan, 0, np.nan])


@pytest.mark.parametrize("bad", ["four", "nan", "inf", "4,2", "4.0\t3.0"])
def test_a_score_that_is_no_number_is_named(file, bad):
    path = file(f"1.0\n{bad}\n".encode(), "STS.gs.x.txt")
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}, line 2: the score"):
        read_scores(path)


def test_pairs_and_gold_must_have_as_many_lines(file):
    pairs = file(b"a\tb\nc\td\n")
    gold = file(b"1\n2\n3\n", "STS.gs.x.txt")
    with pytest.raises(ValueError, match=r"input\.x\.txt has 2 lines, but .*gs\.x\.txt has 3"):
        read_scored_pairs(pairs, gold)
