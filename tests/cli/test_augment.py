"""``skpara augment``, through the real translator."""

from __future__ import annotations

import json
import os
import sys

import pytest

from skpara.augment.filters import OverlapFilter
from skpara.cli import main
from skpara.text import tokenize

pytestmark = pytest.mark.slow

LINES = ["The house is big.", "", "The  boy is eating an apple.", "The house is big.", "xyzzy"]


def test_augment_writes_pairs_and_counts_dropped_ones(apertium, tmp_path, capsys):
    source, out = tmp_path / "sentences.txt", tmp_path / "new" / "pairs.tsv"
    source.write_text("\n".join(LINES), "utf-8")
    assert main(["augment", str(source), "-o", str(out), "--pivot", "es"]) == 0
    pairs = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
    assert {sentence for sentence, _ in pairs} <= {
        "The house is big.",
        "The boy is eating an apple.",
    }
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in pairs)
    shown = capsys.readouterr()
    assert f"5 lines, 3 distinct sentences, {len(pairs)} pairs" in shown.out
    assert "dropped: the same as the sentence" in shown.out
    assert "Translating" in shown.err
    assert os.listdir(out.parent) == ["pairs.tsv"]
    assert main(["augment", str(source), "-o", str(out), "--pivot", "es", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["lines"], report["sentences"], report["pairs"]) == (5, 3, len(pairs))
    assert report["dropped"]["copy"] > 0


def test_length_and_overlap_filter_the_pairs(apertium, tmp_path, capsys):
    source, out = tmp_path / "sentences.txt", tmp_path / "pairs.tsv"
    source.write_text(
        "the children are playing in the garden\nthe movie starts at night\nit rains\n"
    )
    command = ["augment", str(source), "-o", str(out)]
    assert main([*command, "--length", "4", "6"]) == 0
    texts = [line.split("\t")[1] for line in out.read_text().splitlines()]
    assert texts
    assert all(4 <= len(tokenize(text)) <= 6 for text in texts)
    assert "dropped: too short or too long" in capsys.readouterr().out
    assert main([*command, "--overlap", "0.99", "1"]) == 0
    for line in out.read_text().splitlines():
        assert OverlapFilter(lower=0.99).select([tuple(line.split("\t"))]).all()
    assert "sharing too few or too many words" in capsys.readouterr().out


def test_augment_continues_after_an_interruption(apertium, tmp_path, monkeypatch, capsys):
    from skpara.augment import ApertiumTranslator, TranslationError

    source, out = tmp_path / "sentences.txt", tmp_path / "pairs.tsv"
    source.write_text("\n".join(f"The house number {i} is old." for i in range(2500)), "utf-8")
    translate, translated = ApertiumTranslator.translate, []

    def limited(self, sentences):
        translated.extend(sentences)
        if len(translated) > 2500 and limited.broken:
            raise TranslationError("the power went out")
        return translate(self, sentences)

    limited.broken = True
    monkeypatch.setattr(ApertiumTranslator, "translate", limited)
    assert main(["augment", str(source), "-o", str(out)]) == 1
    assert "the power went out. The translations so far are saved" in capsys.readouterr().err
    assert not out.exists()
    before = set(translated[:2000])
    translated.clear()
    limited.broken = False
    assert main(["augment", str(source), "-o", str(out)]) == 0
    assert not before & set(translated)
    assert len(out.read_text("utf-8").splitlines()) > 2000


DYING = """#!/bin/sh
# Lists its languages, then answers half of what it reads and dies.
if [ "$1" = "-l" ]; then echo eng-spa; echo spa-eng; exit 0; fi
head -c 10
{death}
"""


@pytest.mark.parametrize("death", ["exit 1", "kill -9 $$", "exit 0", "exec >&-; sleep 1"])
@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_a_translator_that_dies_half_way_is_an_error(tmp_path, monkeypatch, capsys, death):
    program, source, out = tmp_path / "apertium", tmp_path / "sentences.txt", tmp_path / "out.tsv"
    program.write_text(DYING.format(death=death))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    source.write_text("The house is old.\nThe house is red.\n", "utf-8")
    assert main(["augment", str(source), "-o", str(out)]) == 1
    error = capsys.readouterr().err
    assert "skpara: apertium eng-spa failed on 'The house is old.'" in error
    assert "run the command again" in error
    assert not out.exists()


def test_interrupted_translation_ends_with_130(tmp_path, monkeypatch, capsys):
    from skpara.augment import PivotParaphraser

    def interrupt(self, sentences):
        raise KeyboardInterrupt

    monkeypatch.setattr(PivotParaphraser, "translators", lambda self: [])
    monkeypatch.setattr(PivotParaphraser, "paraphrase", interrupt)
    (tmp_path / "in.txt").write_text("a dog\n")
    assert main(["augment", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.tsv")]) == 130
    assert "skpara: interrupted. The translations so far are saved" in capsys.readouterr().err


def test_errors_name_the_file(apertium, tmp_path, capsys):
    out = str(tmp_path / "pairs.tsv")
    assert main(["augment", str(tmp_path / "nothing.txt"), "-o", out]) == 1
    assert "nothing.txt" in capsys.readouterr().err
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"good\ncaf\xe9\n")
    assert main(["augment", str(latin), "-o", out]) == 1
    assert "latin.txt, line 2, is not UTF-8" in capsys.readouterr().err
    assert main(["augment", str(latin.with_name("x")), "-o", out, "--pivot", "tlh"]) == 1
