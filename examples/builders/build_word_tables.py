"""Build the tables of WordNet and of word frequencies that ship with skpara.

    python examples/builders/build_word_tables.py

It reads the files of WordNet 3.0 (Debian's package wordnet-base) and the package ``wordfreq`` in
the version of constraints.txt. It writes wordnet.safetensors and frequencies.safetensors into
skpara/resources/data. Their metadata has the versions, licenses and SHA-256 hashes of the sources.

C. Fellbaum, editor (1998). WordNet: an electronic lexical database. MIT Press.

R. Speer (2022). wordfreq, version 3. Zenodo.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import wordfreq
from wordfreq.numbers import benford_freq, year_freq

from skpara._array_files import pack_words, write_arrays

PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
DATA = Path(__file__).parents[2] / "skpara" / "resources" / "data"
Sense = tuple[str, int]


def pack_sorted(words: list[str]) -> np.ndarray:
    """Encode sorted words as ``skpara.resources._word_table`` describes."""
    packed, before = bytearray(), b""
    for i, word in enumerate(words):
        text = word.encode("utf8")
        assert min(text) >= 32, word
        prefix = os.path.commonprefix([text, before])  # noqa: RUF071
        shared = min(len(prefix), 31) if i % 16 else 0
        packed += bytes([shared]) + text[shared:]
        before = text
    return np.frombuffer(packed, dtype=np.uint8)


def hashes(paths: Iterable[Path]) -> str:
    """Return the SHA-256 hashes of files as JSON."""
    return json.dumps({p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in paths})


def entries(path: Path) -> list[str]:
    """Return the lines of a file of WordNet, without the indented license."""
    lines = path.read_text("utf8").split("\n")
    return [line for line in lines if line and not line.startswith(" ")]


def words_of(fields: list[str]) -> list[str]:
    """Return the lower-cased words of a sense, without markers such as "(p)" of adjectives."""
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [word.partition("(")[0].lower() for word in words]


def read_senses(folder: Path) -> tuple[dict[Sense, int], list[list[int]], dict[str, set[str]]]:
    """Number the senses by part of speech and offset; also return their hypernyms and antonyms.

    Hypernyms are by the number of the sense, antonyms by word.
    """
    numbers: dict[Sense, int] = {}
    hypernyms: list[tuple[int, Sense]] = []
    # Words of the senses with an antonym: every antonym has one itself, so these are enough.
    words: dict[Sense, list[str]] = {}
    opposites: list[tuple[str, Sense, int]] = []
    for pos, name in PARTS_OF_SPEECH.items():
        for line in entries(folder / f"data.{name}"):
            fields = line.partition("|")[0].split()
            sense = pos, int(fields[0])
            number = numbers.setdefault(sense, len(numbers))
            pointers = 4 + 2 * int(fields[3], 16)
            for k in range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4):
                # Satellite adjectives ("s") are in the file of the adjectives ("a").
                target = fields[k + 2].replace("s", "a"), int(fields[k + 1])
                if fields[k] in ("@", "@i"):
                    hypernyms.append((number, target))
                elif fields[k] == "!":
                    own = words.setdefault(sense, words_of(fields))
                    place, target_place = int(fields[k + 3][:2], 16), int(fields[k + 3][2:], 16)
                    opposites.append((own[place - 1], target, target_place - 1))
    parents: list[list[int]] = [[] for _ in numbers]
    for child, target in hypernyms:
        parents[child].append(numbers[target])
    antonyms: dict[str, set[str]] = {}
    for word, target, place in opposites:
        antonyms.setdefault(word, set()).add(words[target][place])
    return numbers, parents, antonyms


def read_index(
    path: Path, pos: str, numbers: dict[Sense, int]
) -> dict[tuple[str, str], list[int]]:
    """Return the senses of each word with its part of speech."""
    senses = {}
    for line in entries(path):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        senses[fields[0], pos] = [numbers[pos, int(offset)] for offset in offsets]
    return senses


def build_wordnet(folder: Path) -> None:
    """Write words, senses, hypernyms, irregular forms and antonyms."""
    numbers, parents, antonyms = read_senses(folder)
    senses: dict[tuple[str, str], list[int]] = {}
    irregular: dict[str, str] = {}
    for pos, name in PARTS_OF_SPEECH.items():
        senses |= read_index(folder / f"index.{name}", pos, numbers)
        for line in entries(folder / f"{name}.exc"):
            form, _, base_forms = line.partition(" ")
            irregular[pos + form] = base_forms
    words = sorted({word for word, _ in senses})
    kinds = [[pos for pos in PARTS_OF_SPEECH if (word, pos) in senses] for word in words]
    listed = [senses[word, pos] for word, own in zip(words, kinds, strict=True) for pos in own]
    opposites = {word: " ".join(sorted(others)) for word, others in sorted(antonyms.items())}
    arrays = {
        "words": pack_sorted(words),
        # Bits for noun, verb, adjective and adverb; senses are by word and then in this order.
        "kinds": np.array([sum(1 << "nvar".index(p) for p in own) for own in kinds], np.uint8),
        "n_senses": np.array([len(entry) for entry in listed], dtype=np.uint8),
        "senses": np.array([number for entry in listed for number in entry], dtype=np.int32),
        "n_parents": np.array([len(above) for above in parents], dtype=np.uint8),
        "parents": np.array([parent for above in parents for parent in above], dtype=np.int32),
        # Nouns come first, so a number below this is a noun.
        "n_nouns": np.array([sum(pos == "n" for pos, _ in numbers)], dtype=np.int32),
        "irregular": pack_words([f"{form} {base}" for form, base in irregular.items()]),
        "antonyms": pack_words([f"{word} {others}" for word, others in opposites.items()]),
    }
    names = PARTS_OF_SPEECH.values()
    files = [folder / f"{kind}.{name}" for kind in ("data", "index") for name in names]
    files += [folder / f"{name}.exc" for name in names]
    metadata = {
        "source": "WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved.",
        "license": (DATA.parents[2] / "LICENSES" / "WordNet-3.0.txt").read_text("utf8"),
        "sha256": hashes(files),
    }
    write_arrays(DATA / "wordnet.safetensors", arrays, metadata)


def build_frequencies() -> None:
    """Write words with the number of their frequency, and how numbers are distributed."""
    shares = wordfreq.get_frequency_dict("en")
    words = sorted(shares)
    levels = sorted(set(shares.values()), reverse=True)
    number = {share: i for i, share in enumerate(levels)}
    arrays = {
        "words": pack_sorted(words),
        "levels": np.array([number[shares[word]] for word in words], dtype=np.uint16),
        "shares": np.array(levels),
        "years": np.array([year_freq(f"{year:04}") for year in range(10_000)]),
        "first_digits": np.array([benford_freq(digit) for digit in "0123456789"]),
    }
    path = Path(wordfreq.__file__).parent / "data" / "large_en.msgpack.gz"
    metadata = {
        "source": f"wordfreq {version('wordfreq')}, English, by Robyn Speer",
        "license": "CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/",
        "sha256": hashes([path]),
    }
    write_arrays(DATA / "frequencies.safetensors", arrays, metadata)


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    build_wordnet(parser.parse_args().wordnet)
    build_frequencies()


if __name__ == "__main__":
    main()
