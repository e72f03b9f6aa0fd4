"""The commands of the guide's pages run, and print what the pages say."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pandas as pd

from skpara.cli import main
from skpara.datasets import load_sts_sample

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
SHOP = ["Bosch GSR120-Li Cordless Drill", "Logitech K120 Keyboard", "Philips HD9350 Kettle 1.7L"]
PERSONS = {
    "name": ["Ann Lee", "Bo Ek", "Cy Orr", "Anne Lee"],
    "born": ["1970", "1981", "1992", "1970"],
    "postcode": ["N1 9GU", "E2 8HD", "W3 7XY", "N1 9GU"],
    "city": ["Leeds", "York", "Hull", "Leeds"],
}
PIPE = re.compile(r" \| head -(\d+)$")


def examples(text):
    """The commands of a page, and what it prints below each."""
    for block in re.findall(r"code-block:: console\n\n((?:   .*\n|\n)+)", text):
        for part in block.split("   $ ")[1:]:
            command, _, shown = part.partition("\n")
            if command.startswith("skpara ") and "--review" not in command:  # nobody to ask
                yield command.removeprefix("skpara "), shown.strip()


def make_files():
    """The files that the pages name; ``skpara demo`` makes those of pairs with scores."""
    sample = load_sts_sample()
    Path("sentences.txt").write_text("A dog runs.\nIt rains.\n")
    labeled = pd.DataFrame(sample.data, columns=["question1", "question2"])
    labeled.assign(label=(sample.target >= 3).astype(int)).to_csv("labeled.csv", index=False)
    rice = [("How do I cook rice?", "What is the best way to cook rice?")]
    pd.DataFrame([*rice, *sample.data[:9]], columns=["question1", "question2"]).to_csv(
        "questions.csv", index=False
    )
    pd.DataFrame({"text": [*sample.data[:20, 0], sample.data[0, 0]]}).to_csv("reviews.csv")
    pd.read_csv("reviews.csv").to_parquet("pages.parquet")
    pd.DataFrame(PERSONS).to_csv("persons.csv", index=False)
    pd.DataFrame(PERSONS).to_csv("guests.csv", index=False)
    pd.DataFrame({"title": SHOP}).to_csv("catalogue.csv", index=False)
    pd.DataFrame({"item": ["logitech keybord K120", "Philips kettle 9350"]}).to_csv("orders.csv")
    for name in ("orders", "companies"):
        pd.DataFrame({"name": SHOP}).to_parquet(f"{name}.parquet")


def test_commands_print_what_the_pages_say(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--out", "."]) == 0
    make_files()
    same = doctest.OutputChecker().check_output
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    problems, n_commands = [], 0
    for page in sorted(GUIDE.glob("*.rst")):
        for command, expected in examples(page.read_text("utf8")):
            capsys.readouterr()
            cut = PIPE.search(command)
            code = main(shlex.split(PIPE.sub("", command)))
            shown = capsys.readouterr()
            lines = (shown.out or shown.err).splitlines(keepends=True)
            text = "".join(lines[: int(cut[1])] if cut else lines)
            n_commands += 1
            if code or (expected and not same(f"...{expected}", text, options)):
                problems.append(f"{page.name}: {command}\n{expected}\nis\n{text}{shown.err}")
    assert not problems, "\n\n".join(problems)
    assert n_commands >= 12
