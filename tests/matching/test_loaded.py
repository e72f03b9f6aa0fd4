"""What a model file says of an index is checked part by part."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from skpara.matching import Column, Records, TextIndex

NAMES = ["red bike", "garden chair", "red kettle"]
SENTENCES = ["The dog runs in the park.", "It is raining in the north.", "A man plays a guitar."]


def index():
    units = np.eye(3, 4, dtype=np.float32)
    return TextIndex(NAMES, units)


def column():
    return Column("names", NAMES, "default")


def records():
    return Records([NAMES, SENTENCES, ["1", "2", ""]], ["names", "sentences", "code"], "default")


def changed(part, path, value):
    """A copy of which one part is what a function makes of it."""
    new = copy.copy(part)
    name, _, field = path.partition(".")
    if field:
        inner = getattr(new, name)
        old = getattr(inner, field)
        setattr(new, name, inner._replace(**{field: value(old)}))
    else:
        setattr(new, name, value(getattr(new, name)))
    return new


def with_first(value):
    def change(array):
        array = array.copy()
        array[0] = value
        return array

    return change


INDEX = {
    "rows.texts": [lambda texts: texts[:2], lambda texts: [*texts[:2], 3], tuple],
    "rows.ids": [with_first(99), with_first(-1), lambda x: x.astype(float), lambda x: x[0]],
    "rows.offsets": [with_first(99), with_first(-1), lambda x: x[::-1].copy(), lambda x: x[:2]],
    "rows.ngrams": [lambda x: x[:2], lambda x: x[:, :2], lambda x: x.astype(np.float64)],
    "rows.words": [lambda x: x[:2], lambda x: x[:, :2], lambda x: x.astype(np.float64)],
    "rows.units": [lambda x: x[:2], lambda x: x.astype(np.float64), lambda x: x * np.nan],
    "rows.unknown": [lambda _: ["word"]],
    "_rarest": [lambda _: 0.0, lambda _: -1.0, lambda _: np.nan],
    "_words": [lambda x: x[:-1], lambda x: [*x[:-1], 3]],
}
COLUMN = {
    "kind": [lambda _: "colour"],
    "cells": [lambda x: x[:2], lambda x: [*x[:2], 3]],
    "places": [with_first(3), with_first(-1), lambda x: x.astype(float), lambda x: x[None]],
}
RECORDS = {
    "merged": [lambda x: x[:-1], lambda x: [*x, [0]]],
    "cells": [lambda x: [x[0][:2], *x[1:]], lambda x: [[*x[0][:2], 3], *x[1:]]],
    "columns": [lambda x: x[:-1]],
    "n_weighed": [lambda _: -1],
    "next_number": [lambda _: 2],
    "numbers": [lambda x: x[::-1].copy(), lambda x: x[:2], lambda x: x.astype(float)],
    "near": [lambda x: x[:, :2], lambda x: x[0], lambda x: x.astype(np.float32)],
}


@pytest.mark.parametrize(
    ("make", "path", "change"),
    [
        (make, path, change)
        for make, changes in (
            (index, INDEX), (column, COLUMN), (records, RECORDS),
        )
        for path, ways in changes.items()
        for change in ways
    ],
)  # fmt: skip
def test_a_damaged_part_is_refused(make, path, change):
    whole = make()
    whole._check_loaded()
    with pytest.raises((ValueError, TypeError)):
        changed(whole, path, change)._check_loaded()


def test_vectors_of_another_encoder_are_refused():
    table = records()
    texts = table.index.rows._replace(units=np.eye(3, 5, dtype=np.float32))
    table.index.rows = texts
    with pytest.raises(ValueError, match="another size than the encoder's"):
        table._check_loaded()
