"""What a plain installation does: all commands, and the examples of the pages. Run it.

    python tests/install/plain.py [commands] [README.md] [PAGE.rst ...]

``make test-plain`` runs this file in an environment with nothing but the wheel. It imports nothing
from the tests.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from skpara.cli import main as skpara

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

# Pages that need more, and what they tell the reader to install. All other pages run to the end.
NEEDS = {
    "tutorial.rst": "pandas",
    "guide/matching.rst": "pandas",
    "guide/encoders.rst": "networks",
    "guide/pairs.rst": "pandas",
    "guide/sentences.rst": "pandas",
    "guide/siamese.rst": "networks",
}
FILES = {
    "sentences.txt": "A dog runs.\nIt rains.\n",
    "new.txt": "A dog runs!\n",
    "orders.csv": "item,title\nred bike,red bike\n,\n",
    "catalogue.csv": "title;price\nbike (red);349\nkettle;35\n",
    "guests.csv": "name,city\nAnn Lee,Oslo\n",
    "persons.csv": "name,city,born,postcode\nAnne Lee,Oslo,1970,0150\nBo Ek,Rome,1981,0001\n",
    "shops.csv": "name\nCorner Shop\nThe corner shop\nMarket\n",
    "reviews.csv": "text\nGreat phone.\nA great phone!\nIt broke.\n",
    "questions.csv": "question1,question2\nHow old is she?,What is her age?\n",
}
# Of each command what no page shows, for the files above and those of the demo.
COMMANDS = [
    "demo --out .",
    'predict "A man plays a guitar." "Someone is playing music."',
    "predict test.csv --model sts.skpara --novelty --with-pairs -o scored.jsonl",
    'explain "A man plays a guitar." "Someone is playing music."',
    "explain test.csv --model sts.skpara -o reasons.html",
    "encode sentences.txt -o vectors.npy",
    "evaluate test.csv --group group",
    "match new.txt sentences.txt --explain",
    "match orders.csv catalogue.csv --on title",
    "match guests.csv persons.csv --on name,city --one-to-one -o both.csv",
    "match guests.csv persons.csv --on name,city --review 5",
    "dedupe sentences.txt",
    "dedupe persons.csv --on name,born,postcode --write clusters",
    "dedupe persons.csv --on name,city --write pairs",
]
# What needs another package says so in one line.
MISSING = {
    "dedupe shops.csv --on name -o shops.xlsx": "pip install 'openpyxl'",
    "dedupe shops.csv --on name -o shops.parquet": "pip install 'pyarrow'",
}


def run(command: str, *, code: int = 0) -> str:
    """Run a command in this process; return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        ended = skpara(shlex.split(command))
    assert ended == code, f"skpara {command}\n{printed.getvalue()}"
    return printed.getvalue()


def check_commands() -> None:
    """Run all commands, and those that the guide shows."""
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    for command in COMMANDS:
        run(command)
    nouns = "dog cat man woman child bird horse team river car".split()
    rows = [f"A {x} runs.,A {x} is running.,same" for x in nouns * 6]
    others = zip(nouns * 6, nouns[1:] * 7, strict=False)
    rows += [f"A {x} runs.,The {y} sleeps.,different" for x, y in others]
    Path("labeled.csv").write_text("\n".join(["question1,question2,label", *rows]), "utf-8")
    for page in ("command_line", "matching", "deciding"):
        text = (ROOT / "docs" / "guide" / f"{page}.rst").read_text("utf-8")
        for command in re.findall(r"^   \$ skpara (.*?)(?: \| head.*)?$", text, re.MULTILINE):
            run(command)
    for command, remedy in MISSING.items():
        printed = run(command, code=1)
        assert remedy in printed, printed
        assert printed.splitlines()[-1].startswith("skpara: "), printed


def check_readme() -> None:
    """Run the blocks of Python."""
    text = (ROOT / "README.md").read_text("utf-8")
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(block, {})
        for output in re.findall(r"^print.*# (\[.*\])$", block, re.MULTILINE):
            assert output in printed.getvalue(), (output, printed.getvalue())


def check_page(name: str) -> None:
    """Run the examples of a page, unless it says that it needs more."""
    path = ROOT / "docs" / name
    if name in NEEDS:
        assert re.search(rf"pip install .*{NEEDS[name]}", path.read_text("utf-8")), name
        return
    failed, n_run = doctest.testfile(str(path), module_relative=False, optionflags=OPTIONS)
    assert failed == 0, f"{name}: {failed} of {n_run} examples fail"


def pages() -> list[str]:
    """Return the pages with examples that a newcomer reads."""
    docs = ROOT / "docs"
    found = [docs / "index.rst", docs / "tutorial.rst", *sorted((docs / "guide").glob("*.rst"))]
    return [
        path.relative_to(docs).as_posix() for path in found if ">>> " in path.read_text("utf-8")
    ]


def main() -> None:
    """Run everything, or what is named only."""
    others = {"commands": check_commands, "README.md": check_readme}
    home = os.getcwd()
    for name in sys.argv[1:] or [*others, *pages()]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                others[name]() if name in others else check_page(name)
            finally:
                os.chdir(home)
        print(f"{name} works", flush=True)


if __name__ == "__main__":
    main()
