"""What pages say of tables is what the tables say."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import claims  # noqa: E402
from result_tables import print_table  # noqa: E402

PAPERS = (EXAMPLES.parent / "docs" / "papers.rst").read_text("utf8")
# The two forms of docs/results: columns under a rule, and columns under their names.
RULED = """command   python examples/one.py
seed      0

Table 1, by set

encoder        SICK           Twitter
-------  ----------  ----------------
average  .70 (.69-.71)  .853 (.851-.855)
lstm     .64 (.62-.66)  .811 (.804-.852)
gran     .64 (.62-.66)  .846 (.842-.849)
rnn      .64 (.62-.66)  .848 (.847-.849)

Table 2, settings

average
-------  -----
rate      .008
pairs    9,000
"""
TITLED = """command   python examples/two.py

Table 3: By system

               saw  answer
              test  answer    ALL
raw cosine      no    .694   .777
fusion         yes    .694   .804
taught         yes    .723   .806
published
fusion                .583   .717
taught                       .722

fusion against raw cosine: +0.027, p = 0.2
taught against fusion: +0.002, p = 0.003

Table 4: Parts
dev (10 pairs)  saw test      r
fusion               yes  0.810
test (9 pairs)  saw test      r
fusion               yes  0.820
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ruled.txt").write_text(RULED)
    (tmp_path / "titled.txt").write_text(TITLED)
    (tmp_path / "said.txt").write_text("head\n\ntrained: mean r of ten sets 0.7270\n")
    return tmp_path


@pytest.mark.parametrize(
    "claim",
    [
        "ruled: SICK: average .70 > lstm .64",
        "said: mean r of ten sets: trained .727 > 0.5",
        "ruled: Twitter: average .853 ~ lstm; SICK: lstm < average",
        "ruled: average: SICK < Twitter",
        "ruled: Twitter: average > gran; average ~ rnn",
        "ruled: Table 2: rate .008 > 0; pairs 9000",
        "titled: Table 3: ALL: raw cosine .777 ~ fusion .804 < taught .806",
        "titled: published: ALL: fusion .717 ~ taught .722; answer answer: fusion .583",
        "titled: Table 3: answer answer: raw cosine ~ fusion < taught",
        "titled: test (9 pairs): r: fusion .820; titled: dev: r: fusion .81",
    ],
)
def test_true_claims(claim, folder):
    assert claims.check(claim, folder) == []


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("ruled: SICK: average .71", "has 0.7 for SICK, average, not .71"),
        ("ruled: SICK: average < lstm", "ruled, SICK: average > lstm, not <"),
        ("ruled: Twitter: average > lstm", "average ~ lstm, not >"),
        ("titled: Table 3: ALL: fusion > raw cosine", "fusion ~ raw cosine, not >"),
        ("titled: Table 3: ALL: fusion ~ taught", "fusion < taught, not ~"),
        ("titled: r: fusion .81", "are in several tables"),
        ("ruled: Twitter: average > rnn", "average ~ rnn, not >"),
        ("ruled: SICK: dan > average", "there is no cell of 'SICK' and 'dan'"),
        ("other: SICK: gran > average", "there is no table other"),
        ("gran is better", "names no table"),
    ],
)
def test_false_claims(claim, reason, folder):
    (wrong,) = claims.check(claim, folder)
    assert reason in wrong


def test_printed_tables_are_read_back(capsys):
    rows = [["a, b", 0.25, ".500 (-.100-.900)", 1305], ["c", -0.125, "text", None]]
    columns = ["name", "one", "two", "three"]
    print_table("Title, of the table", columns, rows)
    cells = claims.read_table("head\n\n" + capsys.readouterr().out).cells
    assert [cell[1:] for cell in cells] == [
        ("a, b", "one", 0.25, 0.25, 0.25),
        ("a, b", "two", 0.5, -0.1, 0.9),
        ("a, b", "three", 1305, 1305, 1305),
        ("c", "one", -0.125, -0.125, -0.125),
    ]
    assert {cell.title for cell in cells} == {"Title, of the table"}


def test_figures_of_a_page_are_those_of_its_comments(tmp_path):
    results = tmp_path / "docs" / "results"
    results.mkdir(parents=True)
    (results / "ruled.txt").write_text(RULED)
    (results / "papers.csv").write_text("in the paper,in the tables\n")
    page = tmp_path / "docs" / "page.rst"
    page.write_text(".. figures of results: ruled: SICK:\n   average .70\n\nIt has .70.\n")
    assert claims.wrong_claims(tmp_path) == []
    page.write_text(page.read_text().replace("has .70", "has .705"))
    assert claims.wrong_claims(tmp_path) == [
        "page.rst: the text does not have .70",
        "page.rst: no claim has .705",
    ]
    page.write_text(
        ".. figures of results: ruled: SICK: average .70\n   > lstm .62\n\nText: .70, .62.\n\n"
        "Next\n----\n\n.. figures of results: ruled: SICK: lstm .64\n\nNo figure.\n\n"
        "Next\n----\n\n.64\n"
    )
    assert claims.wrong_claims(tmp_path) == [
        "page.rst: ruled has 0.64 for SICK, lstm, not .62",
        "page.rst: the text does not have .64",
    ]


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("", [".853", ".999"]),
        ("ruled: Twitter: average .853", [".999"]),
        ("ruled: Twitter: average .853; not in tables: .999 published", []),
        ("not in tables: all, published", []),
    ],
)
def test_figures_of_three_digits_need_a_claim(claim, wrong, tmp_path, folder):
    comment = f".. figures of results: {claim}\n\n" if claim else ""
    text = f"Page\n====\n\n{comment}It has .853 (.851-.855), 0.123 s and .999.\n"
    ((found, about),) = [part for part in claims.claims_of_page(text) if ".853 (" in part[1]]
    assert found == claim
    assert claims.check(claim, folder) == []
    assert [*claims.wrong_figures(claim, about)] == [f"no claim has {figure}" for figure in wrong]


def test_the_pages_say_what_the_tables_say():
    assert claims.wrong_claims() == []


def test_claims_of_papers_are_counted():
    counts = Counter((paper, row[2]) for paper, row in claims.rows_of_papers(PAPERS))
    papers = {paper for paper, answer in counts if answer in claims.ANSWERS}
    table = PAPERS.partition("*Differs*")[0]
    shown = re.findall(r"^\w.*?  +(\d+)  +(\d+)  +(\d+)  +\w", table, re.MULTILINE)
    counted = [[counts[paper, answer] for answer in ("yes", "differs", "no")] for paper in papers]
    assert len(papers) == 4
    assert sorted([*map(int, row)] for row in shown) == sorted(counted)


def test_an_answer_has_evidence_or_differs_by_words_alone():
    evidence = claims.evidence()
    rows = {row[0]: row[2] for _, row in claims.rows_of_papers(PAPERS) if row[2] in claims.ANSWERS}
    assert evidence.keys() <= rows.keys()
    assert all(answer != "yes" for claim, answer in rows.items() if claim not in evidence)
    assert len(rows) > 30
    assert len(rows) - len(evidence) <= 3
