"""Rows that tests of several engines share."""

from __future__ import annotations

import numpy as np

from skpara.datasets import load_sts_sample


def rows_of(seed, n=500):
    """Sentences, copies with an error, other case and marks, orders of words, and repeats."""
    rng = np.random.default_rng(seed)
    texts = list(dict.fromkeys(load_sts_sample().data.ravel().tolist()))
    texts = [texts[row] for row in rng.choice(len(texts), n, replace=False)]
    rows = list(texts)
    for text in texts[: n // 2]:
        words = text.split()
        kind, place = rng.integers(5), int(rng.integers(len(words)))
        if kind == 0:
            words[place] = words[place][::-1]
        elif kind == 1:
            words = [word.upper() for word in words]
        elif kind == 2:
            words.append("!")
        elif kind == 3:
            words = [words[k] for k in rng.permutation(len(words))]
        else:
            words.pop(place)
        rows.append(" ".join(words))
    rows += ["Click here to read more."] * (n // 20) + [
        "",
        "",
        "...",
        "Café au lait",
        "Cafe au lait",
    ]
    rows += [
        " ".join(rng.permutation("the quick brown fox likes a lazy dog".split()))
        for _ in range(30)
    ]
    return [rows[k] for k in rng.permutation(len(rows))]
