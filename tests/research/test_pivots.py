"""What examples/papers/pivots.py chooses and counts."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from skpara.augment import Paraphrases

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "papers")]
import pivots  # noqa: E402
from default_fit import Task  # noqa: E402


def paraphrases(entries):
    """Paraphrases of entries (row, sentence, paraphrase)."""
    rows = np.array([row for row, _, _ in entries])
    pairs = np.array([pair for _, *pair in entries], dtype=object)
    return Paraphrases(pairs, rows, np.full(len(rows), np.nan), np.zeros(len(rows), dtype=int))


SPANISH = paraphrases(
    [
        (0, "a big dog runs fast", "a large dog runs quickly today"),
        (1, "it rains", "rain falls"),
        (2, "the man sings", "the person sings songs"),
        (4, "she left early today", "she went away"),
    ]
)
# Nothing of row 1, whose translation back was the sentence itself.
CATALAN = paraphrases(
    [
        (0, "a big dog runs fast", "a large dog runs rapidly today"),
        (2, "the man sings", "the person sings songs"),
        (3, "no one came", "nobody came"),
        (4, "she left early today", "he parted"),
    ]
)


def test_agreement_with_a_second_pivot():
    # 5 of 6 words; "rain falls" and "it rains" have none; all; none of two.
    assert pivots.agreement(SPANISH, CATALAN) == pytest.approx([5 / 6, 0, 1, 0])


def test_together_has_each_pair_once():
    pairs = pivots.together([SPANISH.pairs, CATALAN.pairs])
    assert len(pairs) == 7
    assert len({tuple(pair) for pair in pairs}) == 7


@pytest.fixture(scope="module")
def kind():
    scored = np.array([("a cat", "the cat"), ("a bird", "a stone"), ("a day", "one day")])
    pairs = np.array([("she left early today", "it rains")], dtype=object)
    task = Task("news", scored.astype(object), np.array([4.0, 1, 3.8]), pairs, [0.0], [0])
    made = {
        "news": {"Spanish": SPANISH, "Catalan": CATALAN},
        "captions": {"Spanish": CATALAN, "Catalan": SPANISH},
    }
    return pivots.LeftOutKind(task, made, n_scored=100)


def test_filters_keep_the_better_half(kind):
    added = kind.conditions(seed=0)
    spanish = SPANISH.pairs.tolist()
    assert len(added[pivots.NOTHING]) == 0
    assert added["Spanish"].tolist() == spanish
    assert added["shortest half"].tolist() == [spanish[1], spanish[3]]
    assert added["half with fewest common words"].tolist() == [spanish[1], spanish[3]]
    assert added["half by agreement with Catalan"].tolist() == [spanish[0], spanish[2]]
    halves = [pairs for name, pairs in added.items() if "half" in name]
    assert len(halves) == 7
    assert {len(pairs) for pairs in halves} == {2}
    assert [a == b for a, b in added["copies"]] == [True] * 4


def test_low_scores_are_not_learned_from(kind):
    assert kind.scored.tolist() == [["a cat", "the cat"], ["a day", "one day"]]


def test_gains_are_of_runs_of_the_same_seed(capsys):
    def runs(*values):
        return np.array(values)

    pivots.show_gains(
        {
            "news": {pivots.NOTHING: runs(0.5, 0.7), "Spanish": runs(0.6, 0.8)},
            "tweets": {pivots.NOTHING: runs(0.5, 0.5), "Spanish": runs(0.4, 0.6)},
        }
    )
    summary, of_kinds = capsys.readouterr().out.split("Gain of each kind")
    row = next(line for line in summary.split("\n") if line.startswith("Spanish"))
    # Means of kinds .5 and .7, of .5 and .6; news is better by both seeds, tweets by one.
    assert row.split() == ["Spanish", ".600", "(.500-.700)", ".050", "(.000-.100)", "1", "0"]
    assert next(line for line in of_kinds.split("\n") if line.startswith("Spanish")).split() == [
        *("Spanish", ".100", ".000")
    ]
