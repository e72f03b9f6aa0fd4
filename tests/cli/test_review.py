"""``--review``, ``--answers`` and ``--certify``: questions in the terminal and in files."""

from __future__ import annotations

import csv
import io
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from skpara._messages import printable
from skpara.cli import _review as cli_review
from skpara.cli import main
from skpara.cli._review import _read, _write, shown


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


class Terminal(io.StringIO):
    def isatty(self):
        return True


ANSWERS = "lines.txt.answers.csv"


def test_answers_are_stored_taken_back_and_continued(run, folder, monkeypatch):
    review = ["dedupe", "lines.txt", "--review", "4"]
    (folder / "lines.txt").write_text("It rains.\nIt is raining.\nIt rained.\nSnow.")
    monkeypatch.setattr("sys.stdin", Terminal("y\nb\nn\nwhat\nu\nq\n"))
    shown = run(*review)
    assert "u: unsure" in shown.err
    assert shown.err.count("1 of 4") == 2
    _, first, *others = rows_of((folder / ANSWERS).read_text())
    assert [row[3] for row in (first, *others)][:3] == ["n", "u", ""]
    assert set(first[:2]) <= set(shown.out.splitlines())  # they differ, so both are kept
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))  # and the end of the input
    run(*review)
    rows = rows_of((folder / ANSWERS).read_text())
    assert rows[1:4] == [first, others[0], [*others[1][:3], "y"]]


def test_answers_are_filled_in_by_hand(run, folder, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    shown = run("dedupe", "lines.txt", "--review", "3")
    assert f"Fill in the column `answer` of {ANSWERS}" in shown.err
    header, first, *_ = rows_of((folder / ANSWERS).read_text())
    assert first[3] == ""
    lines = [",".join(row) for row in (header, [*first[:3], "N"])]
    (folder / "a.csv").write_text("\n".join(lines))
    shown = run("dedupe", "lines.txt", "--answers", "a.csv")
    assert set(first[:2]) <= set(shown.out.splitlines())
    (folder / "a.csv").write_text("\n".join([*lines, "a,c,0.5,perhaps"]))
    shown = run("dedupe", "lines.txt", "--answers", "a.csv", code=1)
    assert "line 3: the answer must be" in shown.err


@pytest.mark.parametrize("threshold", ["0.4", "0.7", "0.71", "0.99"])
def test_any_threshold_may_be_reviewed(run, folder, monkeypatch, threshold):
    (folder / "lines.txt").write_text("It rains.\nIt is raining.\nIt rained a lot.\nSnow fell.")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    rows = run("dedupe", "lines.txt", "--threshold", threshold).out
    assert run("dedupe", "lines.txt", "--threshold", threshold, "--review", "3").out == rows
    assert len(rows_of((folder / ANSWERS).read_text())) > 1


def test_answers_about_two_tables(run, folder):
    header = "sentence1,sentence2,probability,answer\n"
    (folder / "a.csv").write_text(f"{header}a chair,garden chair,0.5,n\n")
    rows = rows_of(run("match", "orders.csv", "shop.csv", "--answers", "a.csv").out)
    assert [row[2] for row in rows[1:]] == ["red bicycle", "", ""]


def test_several_columns_are_shown_one_below_the_other_with_differences_marked(
    run, folder, monkeypatch
):
    rows = [f"{a} {b},{1000 + 77 * len(b)}{a[0]}" for a in ("Ada", "Bo") for b in ("Berg", "Li")]
    (folder / "a.csv").write_text("\n".join(["name,code", *rows, rows[1].replace("Li", "Lie")]))
    monkeypatch.setattr("sys.stdin", Terminal("n\n" * 50))
    text = run("dedupe", "a.csv", "--on", "name,code", "--review", "50").err
    assert "* name  Ada Li\n        Ada Lie\n  code  1154A\n" in text
    header, *answers = rows_of((folder / "a.csv.answers.csv").read_text())
    assert header[3:] == ["answer", "name_1", "name_2", "code_1", "code_2"]
    assert {row[3] for row in answers} == {"n"}
    again = run("dedupe", "a.csv", "--on", "name,code", "--answers", "a.csv.answers.csv")
    assert len(again.out.splitlines()) == 6  # nothing is a duplicate


def test_cells_cannot_write_to_the_terminal():
    cells = "\x1b[2J red\x07\b\u202e\r\nblue\ud800"
    lines = shown({"sentence1": cells, "sentence2": "gr\xfcn"})
    assert all(line.isprintable() for line in lines)
    assert lines[0].startswith("  \\x1b[2J red\\x07\\x08\\u202e\\r\\nblue\\ud800")
    row = {"sentence1": "", "sentence2": "", "a\x1b_1": "x\x1b", "a\x1b_2": "y"}
    assert all(line.isprintable() for line in shown(row))
    assert printable("Zürich 東京 \t") == "Zürich 東京 \\t"


def test_messages_have_no_control_characters(run, folder):
    (folder / "a\x1b.csv").write_text("text\nrain\n")
    error = run("dedupe", "a\x1b.csv", "--on", "none", code=1).err
    assert "a\\x1b.csv" in error
    assert "\x1b" not in error


def test_the_output_is_not_written_over_the_answers(run, folder):
    (folder / "x.csv").write_text("sentence1,sentence2,probability,answer\n")
    for command in (["match", "orders.csv", "shop.csv"], ["dedupe", "lines.txt"]):
        error = run(*command, "--answers", "x.csv", "-o", "./x.csv", code=2).err
        assert "x.csv is the input, which it would replace" in error
    (folder / "lines.txt.answers.csv").write_text((folder / "x.csv").read_text())
    shown = run("dedupe", "lines.txt", "--review", 2, "-o", "lines.txt.answers.csv", code=2)
    assert "is the file of the answers" in shown.err
    assert (folder / "x.csv").read_text() == "sentence1,sentence2,probability,answer\n"
    assert "--certify needs answers" in run("dedupe", "lines.txt", "--certify", code=2).err


def test_two_people_answer_into_one_file(folder, monkeypatch):
    """The second one has to wait while the first one is between reading and writing."""
    path, others = folder / "both.csv", []
    write = cli_review.write_rows

    def answer(name):
        row = {"sentence1": name, "sentence2": "", "probability": "", "answer": "y"}
        _write(path, [row], [row])

    def write_later(*arguments):
        if not others:
            others.append(people.submit(answer, "Bo"))
            wait(others, timeout=1)
        write(*arguments)

    monkeypatch.setattr(cli_review, "write_rows", write_later)
    with ThreadPoolExecutor(1) as people:  # a lock of a file is between threads, too
        answer("Ada")
    assert {row["sentence1"]: row["answer"] for row in _read(path)} == {"Ada": "y", "Bo": "y"}


def test_a_certificate(run, folder, monkeypatch):
    names = [f"{a} {b}" for a in ("Kerlo", "Misha", "Polo", "Zed") for b in ("Trugri", "Vand")]
    (folder / "a.csv").write_text("\n".join(["name", *names]))
    (folder / "b.csv").write_text("\n".join(["name", *[f"{name}." for name in names]]))
    monkeypatch.setattr("sys.stdin", Terminal("y\n" * 8))
    text = run("match", "a.csv", "b.csv", "--review", "60", "--certify").err
    assert "Of the 8 matches with a probability of at least" in text
    assert "by 8 answers, 0 of them no" in text


def test_open_questions_are_asked_again_after_those_that_have_an_answer(run, folder, monkeypatch):
    (folder / "lines.txt").write_text("It rains.\nIt is raining.\nIt rained.\nSnow fell.")
    header = "sentence1,sentence2,probability,answer"
    rows = ["It rains.,It rained.,0.5,", "It rains.,It is raining.,0.5,y"]
    (folder / ANSWERS).write_text("\n".join([header, *rows]))
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    text = run("dedupe", "lines.txt", "--review", "1").err
    assert "1 of 1 (0.5)\n  It rains.\n  It rained.\n" in text
    answers = {tuple(row[:2]): row[3] for row in rows_of((folder / ANSWERS).read_text())[1:]}
    assert answers["It rains.", "It rained."] == "n"
    assert answers["It rains.", "It is raining."] == "y"


def test_a_question_is_shown_before_the_answer_is_read(run, folder, monkeypatch):
    (folder / "lines.txt").write_text("It rains.\nIt is raining.\nIt rained.\nSnow fell.")
    shown_so_far = []

    class Screen(io.StringIO):
        """What it holds is seen when it is flushed."""

        def flush(self):
            self.seen = self.getvalue()

    class Reading(Terminal):
        def readline(self, *arguments):
            shown_so_far.append(screen.seen)
            return super().readline(*arguments)

    screen = Screen()
    monkeypatch.setattr("sys.stdin", Reading("q\n"))
    monkeypatch.setattr("sys.stderr", screen)
    main(["dedupe", "lines.txt", "--review", "4"])
    assert shown_so_far[0].endswith("The same? y/n/u/b/q: ")
