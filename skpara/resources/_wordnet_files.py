"""WordNet's files as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.resources._cache import Arrays, Tables, TextIndex, Texts


def read_tables(folder: Path, parts_of_speech: Mapping[str, str]) -> Tables:
    """Return WordNet's words, senses, ancestors of senses, irregular forms and antonyms.

    The keys of words and irregular forms begin with the letter of the part of speech.
    """
    numbers, hypernyms, antonyms = _read_senses(folder, parts_of_speech)
    senses: dict[str, list[int]] = {}
    irregular: dict[str, str] = {}
    for pos, name in parts_of_speech.items():
        senses |= _read_index(folder / f"index.{name}", pos, numbers)
        for line in _lines(folder / f"{name}.exc"):
            form, _, base_forms = line.partition(" ")
            irregular[pos + form] = base_forms
    starts, ancestors, steps = _closure(len(numbers), hypernyms)
    arrays: Arrays = {
        "sense_starts": np.cumsum([0, *map(len, senses.values())]).astype(np.int32),
        "senses": np.array([*chain.from_iterable(senses.values())], dtype=np.int32),
        "starts": starts.astype(np.int32),
        "ancestors": ancestors,
        "steps": steps,
        "to_root": 1 + np.maximum.reduceat(steps, starts[:-1]),
    }
    arrays |= TextIndex.arrays("words", senses)
    arrays |= TextIndex.arrays("irregular", irregular)
    arrays |= Texts.arrays("base_forms", irregular.values())
    arrays |= TextIndex.arrays("antonym_words", antonyms)
    arrays |= Texts.arrays("antonyms", map(" ".join, map(sorted, antonyms.values())))
    # Nouns come first, so a number below this is a noun.
    return arrays, {"n_nouns": sum(pos == "n" for pos, _ in numbers)}


def _lines(path: Path) -> list[str]:
    """Return the entries of a file, without the indented license."""
    text = path.read_text("utf8")
    return [line for line in text.split("\n") if line and not line.startswith(" ")]


def _read_senses(
    folder: Path, parts_of_speech: Mapping[str, str]
) -> tuple[dict[tuple[str, int], int], list[tuple[int, int]], dict[str, set[str]]]:
    """Number the senses by part of speech and offset; also return their hypernyms and antonyms.

    A hypernym is an edge from the number of a sense up to that of another; antonyms are by word.
    """
    numbers: dict[tuple[str, int], int] = {}
    edges: list[tuple[int, tuple[str, int]]] = []
    # Words of the senses with an antonym: every antonym has one itself, so these are enough.
    words: dict[tuple[str, int], list[str]] = {}
    opposites: list[tuple[str, tuple[str, int], int]] = []
    for pos, name in parts_of_speech.items():
        for line in _lines(folder / f"data.{name}"):
            fields = line.partition("|")[0].split()
            sense = pos, int(fields[0])
            number = numbers.setdefault(sense, len(numbers))
            pointers = 4 + 2 * int(fields[3], 16)
            for k in range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4):
                # Satellite adjectives ("s") are in the file of the adjectives ("a").
                target = fields[k + 2].replace("s", "a"), int(fields[k + 1])
                if fields[k] in ("@", "@i"):
                    edges.append((number, target))
                elif fields[k] == "!":
                    own = words.setdefault(sense, _words_of(fields))
                    place, target_place = int(fields[k + 3][:2], 16), int(fields[k + 3][2:], 16)
                    opposites.append((own[place - 1], target, target_place - 1))
    antonyms: dict[str, set[str]] = {}
    for word, target, place in opposites:
        antonyms.setdefault(word, set()).add(words[target][place])
    return numbers, [(child, numbers[target]) for child, target in edges], antonyms


def _words_of(fields: list[str]) -> list[str]:
    """Return the lower-cased words of a sense, without markers such as "(p)" of adjectives."""
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [word.partition("(")[0].lower() for word in words]


def _read_index(path: Path, pos: str, numbers: dict[tuple[str, int], int]) -> dict[str, list[int]]:
    """Return the senses of each word."""
    senses = {}
    for line in _lines(path):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        senses[pos + fields[0]] = [numbers[pos, int(offset)] for offset in offsets]
    return senses


def _closure(
    n_senses: int, edges: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
    """Return the ancestors of each sense, including itself, and the fewest steps up to each.

    The ancestors of sense i are ``ancestors[starts[i]:starts[i + 1]]``.
    """
    children, parents = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(edges), dtype=np.float32)
    up = sparse.csr_matrix((ones, (children, parents)), shape=(n_senses, n_senses))
    level = sparse.identity(n_senses, dtype=np.float32, format="csr")
    reached = level.copy()
    rows, columns, steps = [np.arange(n_senses)], [np.arange(n_senses)], [np.zeros(n_senses)]
    while True:
        level = level @ up
        level = (level - level.multiply(reached > 0)).tocsr()
        level.eliminate_zeros()
        if level.nnz == 0:
            break
        level.data[:] = 1
        reached = reached + level
        entries = level.tocoo()
        rows.append(entries.row)
        columns.append(entries.col)
        steps.append(np.full(entries.nnz, len(steps)))
    row, column, step = np.concatenate(rows), np.concatenate(columns), np.concatenate(steps)
    order = np.lexsort((column, row))
    starts = np.append(0, np.cumsum(np.bincount(row, minlength=n_senses)))
    return starts, column[order].astype(np.int32), step[order].astype(np.int8)
