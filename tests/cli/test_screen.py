"""Nothing that a command prints is obeyed by a terminal, whatever cells and names hold."""

from __future__ import annotations

import contextlib
import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara import ParagramEncoder, explain
from skpara._messages import printable
from skpara.cli import main
from skpara.cli._screen import Screen
from skpara.metrics import semeval_report

# Colours, a title, the clipboard, backspaces, a return, a bell, C1's start of sequences, marks of
# direction, a zero-width space and a separator of lines.
HOSTILE = (
    *("\x1b[31m", "\x1b]0;x\x07", "\x1b]52;c;eA==\x07", "\x08\x08", "\r", "\x07", "\x9b2J"),
    *("\u202e", "\u2066", "\u200b", "\x7f", "\x0b", "\u2028"),
)
parts = st.sampled_from([*HOSTILE, "rain", "Zürich", "東京", " "])
texts = st.lists(parts, min_size=1, max_size=8).map("".join)
ENCODER = ParagramEncoder()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_a_terminal(arguments, answers=""):
    """Run a command; return what the terminal was sent."""
    terminal = Terminal()
    with (
        contextlib.redirect_stdout(terminal),
        contextlib.redirect_stderr(terminal),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", Terminal(answers))
        patch.setattr("skpara.cli._options.drawing", io.StringIO)  # progress bars move the cursor
        with contextlib.suppress(SystemExit):
            main([str(argument) for argument in arguments])
    return terminal.getvalue()


def assert_harmless(text):
    assert text
    assert [c for c in text if not c.isprintable() and c not in "\n\t"] == []


@given(text=st.text())
def test_a_screen_lets_lines_and_tabs_through(text):
    stream = io.StringIO()
    print(text, file=Screen(stream))
    assert_harmless(stream.getvalue())
    assert stream.getvalue().count("\n") == text.count("\n") + 1
    assert printable(printable(text)) == printable(text)
    assert printable("Zürich 東京 é") == "Zürich 東京 é"


COMMANDS = {
    "predict": "FILE --with-pairs --columns 1,2",
    "predict of two files": "FILE FILE",
    "predict of columns": "FILE --columns NAME,1",
    "predict of nothing": "NAME --model FILE",
    "explain": "FILE --columns 1,2",
    "explain of two sentences": "NAME rain",
    "explain as JSON": "FILE --columns 1,2 --json",
    "encode": "FILE --on 2 -o OUT.npy",
    "encode of columns": "FILE --on NAME",
    "evaluate": "FILE --columns 1,2,3 --group 4",
    "evaluate of nothing": "NAME --group NAME",
    "report": "FILE --columns 1,2,3 --group 4 -o OUT",
    "train of texts": "FILE --columns 1,2,4 -o OUT",
    "train of the same score": "FILE --columns 1,2,5 -o OUT",
    "match": "FILE FILE --on 1 --explain",
    "match of columns": "FILE FILE --on 1,NAME",
    "match with answers": "FILE FILE --on 1 --answers FILE",
    "dedupe": "FILE --on 1,4 --review 3",
    "dedupe of pairs": "FILE --on 1 --write pairs",
    "dedupe with a NAME": "FILE NAME",
    "demo with a NAME": "NAME --NAME",
}


@pytest.mark.parametrize("command", COMMANDS)
@settings(max_examples=3)
@given(cell=texts, name=texts)
def test_nothing_that_is_printed_is_obeyed(command, tmp_path_factory, cell, name):
    path = tmp_path_factory.mktemp("screen") / f"{name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["sentence1", "sentence2", "score", f"{cell}a", f"b{cell}"])
        for score in range(4):
            row = [f"{cell} falls {score}", f"{cell} fell {score}", score, f"{cell}{score % 2}", 1]
            writer.writerow(row)
    places = {"FILE": str(path), "OUT": f"{path}.out", "NAME": name}
    arguments = [command.split()[0]]
    for word in COMMANDS[command].split():
        for place in places:
            if place in word:
                word = word.replace(place, places[place])
                break
        arguments.append(word)
    assert_harmless(on_a_terminal(arguments, answers="y\n?\nn\n"))


@pytest.mark.filterwarnings("ignore:Most words of this text")
@given(text=texts)
@settings(max_examples=10)
def test_explanations_and_reports_are_harmless_from_python(text):
    [explanation] = explain(ENCODER, [(text, "It rains.")])
    assert_harmless(str(explanation))
    names = [text, text, "b", "b"]
    assert_harmless(str(semeval_report([0, 1, 2, 3], [0, 1, 3, 2], names)))
