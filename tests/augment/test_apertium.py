from __future__ import annotations

import os
import re
import shutil
import string
import subprocess
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.augment import ApertiumTranslator, TranslationError, Translator

SENTENCES = ["The house is big.", "", "The dog eats an apple", "We have two cats and three dogs."]
SPANISH = [
    "La casa es grande.",
    "",
    "El perro come una manzana",
    "Tenemos dos gatos y tres perros.",
]


def test_sentences_are_translated(apertium):
    assert apertium.translate(SENTENCES) == SPANISH
    assert apertium.translate([]) == []
    assert isinstance(apertium, Translator)
    assert apertium.name == "apertium eng-spa"
    if shutil.which("pgrep"):  # no process stays behind
        assert subprocess.run(["pgrep", "-P", str(os.getpid()), "apertium"]).returncode == 1


@pytest.mark.parametrize("language", ["ca", "cat", "gl", "eo"])
def test_other_languages_are_translated_if_installed(language):
    try:
        forward, backward = ApertiumTranslator("en", language), ApertiumTranslator(language, "en")
    except FileNotFoundError:
        pytest.skip(f"no English-{language}")
    foreign = forward.translate(["The house is big.", ""])
    assert foreign[0] != "The house is big."
    assert foreign[1] == ""
    assert backward.translate(foreign)[0] in ("The house is big.", "The home is big.")


def test_all_punctuation_is_copied(apertium):
    signs = [sign for sign in string.punctuation if sign != "~"]  # Apertium drops a lone tilde
    within = [f"The house {sign} is big." for sign in signs]
    translations = apertium.translate([*signs, *within])
    assert translations[: len(signs)] == signs
    for sign, text in zip(signs, translations[len(signs) :], strict=True):
        assert sign in text
        assert "casa" in text


@pytest.mark.slow
@given(
    st.lists(
        st.text(max_size=30) | st.sampled_from(["[][\n3]", ".[]", "\\", "^a<n>$"]), max_size=9
    )
)
@settings(max_examples=3)
def test_sentences_stay_apart_whatever_text_they_hold(apertium, texts):
    translations = apertium.translate([x for text in texts for x in (text, "The house is big.")])
    assert translations[1::2] == ["La casa es grande."] * len(texts)
    blank = [not text.strip() for text in texts]
    assert not any(t for t, is_blank in zip(translations[::2], blank, strict=True) if is_blank)


def test_line_ends_emoji_and_long_texts_are_translated(apertium):
    long = "The house is big. " * 60
    texts = ["The house\nis\r\n\tbig.", "a 😀 dog", long, "x" * 10_000, "\ud800"]
    translations = apertium.translate(texts)
    assert translations[0] == "La casa es grande."
    assert "😀" in translations[1]
    assert translations[2].count("grande") == 60
    assert translations[3] == "x" * 10_000
    assert translations[4] == ""


@pytest.mark.slow
@pytest.mark.usefixtures("apertium")
def test_many_sentences_survive_a_killed_process():
    texts = [f"The house number {i} is big and red." for i in range(60)]
    expected = ApertiumTranslator("eng", "spa", batch_size=40).translate(texts)
    assert [re.search(r"\d+", text)[0] for text in expected] == [str(i) for i in range(60)]
    translator = ApertiumTranslator("eng", "spa", batch_size=100)
    killed = []

    def kill():
        own = str(os.getpid())
        while not killed:
            time.sleep(0.02)
            for stage in Path("/proc").glob("[0-9]*/stat"):
                try:
                    name, parent = stage.read_text().split(")")[0], stage.read_text().split()[3]
                except (OSError, IndexError):
                    continue
                if "lt-proc" in name and parent != own:
                    os.kill(int(stage.parent.name), 9)
                    killed.append(stage.parent.name)
                    break

    thread = threading.Thread(target=kill)
    thread.start()
    assert translator.translate(texts) == expected
    thread.join()
    assert killed


def program(folder, script):
    path = folder / "apertium"
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)
    return str(path)


LIST = 'if [ "$1" = -l ]; then echo "  eng-spa"; exit; fi'


def test_a_bad_sentence_does_not_lose_others(apertium, tmp_path):
    # The input goes to a file first: this Apertium fails if it contains a bomb.
    script = f"{LIST}\ninput=$(cat; echo x)\ncase $input in *bomb*) echo boom >&2; exit 3;; esac\n"
    broken = program(tmp_path, script + 'printf %s "${input%x}" | apertium "$@"')
    translator = ApertiumTranslator("eng", "spa", program=broken, retries=1)
    texts = ["The house is big.", "a bomb", "The dog eats an apple"]
    message = r"failed on 'a bomb': ended with 3 \(boom\)"
    with pytest.raises(TranslationError, match=message) as caught:
        translator.translate(texts)
    assert caught.value.finished[0] == "La casa es grande."
    assert caught.value.finished[1] is None


def test_a_process_without_end_is_stopped(tmp_path, monkeypatch):
    endless = program(tmp_path, f"{LIST}\nsleep 1000 | cat")
    translator = ApertiumTranslator("eng", "spa", program=endless, timeout=0.3, retries=0)
    start = time.monotonic()
    with pytest.raises(TranslationError, match=r"no answer within 0\.3 seconds"):
        translator.translate(["a dog"])
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: run(*a, **k | {"timeout": 0.3}))
    with pytest.raises(TranslationError, match="-l gave no answer"):
        ApertiumTranslator("eng", "spa", program=program(tmp_path, "sleep 1000"))
    assert time.monotonic() - start < 5


def test_missing_translations_are_an_error(tmp_path):
    silent = program(tmp_path, f"{LIST}\ncat >/dev/null; echo La casa")
    translator = ApertiumTranslator("eng", "spa", program=silent, retries=0)
    with pytest.raises(TranslationError, match="a different number of sentences"):
        translator.translate(["a dog", "a cat"])


def test_errors_name_missing_packages(tmp_path):
    absent = str(tmp_path / "nothing")
    for languages in (("eng", "spa"), ("es", "en")):  # one package has both directions
        with pytest.raises(FileNotFoundError, match="apt-get install apertium apertium-eng-spa"):
            ApertiumTranslator(*languages, program=absent)
    with pytest.raises(FileNotFoundError, match="apertium-en-gl"):
        ApertiumTranslator("gl", "en", program=absent)
    with pytest.raises(FileNotFoundError, match="apertium-spa-cat, or with the"):
        ApertiumTranslator("es", "ca", program=absent)
    message = r"does not translate eng-tlh: Debian has no package .*Installed pairs: eng-spa"
    with pytest.raises(FileNotFoundError, match=message):
        ApertiumTranslator("eng", "tlh", program=program(tmp_path, LIST))
