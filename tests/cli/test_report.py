"""``skpara report``: one page about a model on scored pairs."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures
from skpara.saving import save_model


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


def test_page_has_figures_slices_and_errors(run, sample, rows, tmp_path, monkeypatch):
    regressor = FusionRegressor(LinearRegression(), intervals=True)
    model = make_pipeline(LexicalFeatures("counts"), regressor).fit(sample.data, sample.target)
    model_file = save_model(model, tmp_path / "m.skpara")
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "new" / "report.html"
    lines = ["\t".join(map(str, row)) for row in rows]
    pairs.write_text("\n".join(["sentence1\tsentence2\tscore\tgroup", *lines]) + "\n", "utf-8")
    options = ["-o", out, "--errors", 3, "--group", "group"]
    shown = run("report", pairs, "--model", model_file, *options)
    assert shown.out == f"Pairs: {len(rows)}\nReport: {out}\n"
    page = Outline(out.read_text("utf-8"))
    text = " ".join(page.text)
    gold = np.array([row[2] for row in rows], dtype=float)
    n_words = [max(len(text.split()) for text in row[:2]) for row in rows]
    predicted = model.predict([row[:2] for row in rows])
    assert f"{np.corrcoef(gold, predicted)[0, 1]:.3f}" in text
    assert f"{np.abs(predicted - gold).mean():.2f}" in text
    for part in (
        "inside the 90 % interval",
        "Slices",
        "gold score",
        "novelty of the text",
        *{row[3] for row in rows},
        f"longer sentence above {np.quantile(n_words, 2 / 3):g}",
    ):
        assert part in text
    worst = np.argmax(np.abs(predicted - gold))
    assert f"gold {gold[worst]:.2f}, predicted {predicted[worst]:.2f}" in text
    features = model[:-1].transform([row[:2] for row in rows])
    low, high = regressor.predict_interval(features, 0.9).T
    inside = (gold >= low) & (gold <= high)
    assert f"{inside.mean():.1%} mean width {np.mean(high - low):.2f}" in text
    assert "r by group -->" in out.read_text("utf-8")  # in the legend of the plot
    assert "script" not in page.tags
    assert all(link.startswith("#") for link in page.links)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    run("report", pairs, "--model", model_file, *options)
    assert "svg" not in Outline(out.read_text("utf-8")).tags


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sentence1,sentence2\na dog,a cat\n", "score"),
        ("sentence1,sentence2,score\na dog,a cat,1\n", "a correlation needs 2"),
    ],
)
def test_unusable_pairs_write_nothing(run, content, message, tmp_path):
    pairs, out = tmp_path / "pairs.csv", tmp_path / "r.html"
    pairs.write_text(content)
    assert message in run("report", pairs, "-o", out, code=1).err
    assert not out.exists()
