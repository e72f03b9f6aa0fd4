"""``skpara report``: one page about a model on scored pairs."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import numpy as np
import pytest

from skpara.cli import main


class Outline(HTMLParser):
    """Collects the text and the names of the tags of a page."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags, self.links = [], set(), []
        self.feed(page)

    def handle_data(self, data):
        self.text.append(data)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in ("src", "href")]


@pytest.fixture
def scored(tmp_path, rows):
    path = tmp_path / "pairs.tsv"
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["sentence1\tsentence2\tscore\tgroup", *lines]) + "\n", "utf-8")
    return path


def test_the_page_has_figures_slices_and_errors(model, model_file, scored, rows, tmp_path, capsys):
    out = tmp_path / "new" / "report.html"
    command = ["report", str(model_file), str(scored), "-o", str(out), "--errors", "3"]
    assert main([*command, "--group", "group"]) == 0
    assert capsys.readouterr().out == f"Pairs: {len(rows)}\nReport: {out}\n"
    page = Outline(out.read_text("utf-8"))
    text = " ".join(page.text)
    gold = np.array([row[2] for row in rows], dtype=float)
    predicted = model.predict([row[:2] for row in rows])
    assert f"{np.corrcoef(gold, predicted)[0, 1]:.3f}" in text
    assert f"{np.abs(predicted - gold).mean():.2f}" in text
    for part in ("Slices", "gold score", "novelty of the text", *{row[3] for row in rows}):
        assert part in text
    worst = np.argmax(np.abs(predicted - gold))
    assert f"gold {gold[worst]:.2f}, predicted {predicted[worst]:.2f}" in text
    assert "script" not in page.tags
    assert all(link.startswith("#") for link in page.links)


def test_json_says_where_the_page_is(model_file, scored, rows, tmp_path, capsys):
    out = tmp_path / "report.html"
    command = ["report", str(model_file), str(scored), "-o", str(out), "--errors", "1"]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"pairs": len(rows), "report": str(out)}


def test_pairs_without_scores_are_one_line(model_file, tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2\na dog,a cat\n")
    assert main(["report", str(model_file), str(path), "-o", str(tmp_path / "r.html")]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()


def test_a_single_pair_is_refused(model_file, tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,score\na dog,a cat,1\n")
    assert main(["report", str(model_file), str(path), "-o", str(tmp_path / "r.html")]) == 1
    assert "a correlation needs 2" in capsys.readouterr().err
