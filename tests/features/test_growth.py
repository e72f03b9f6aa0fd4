from __future__ import annotations

import time

import numpy as np
import pytest

from skpara import LexicalFeatures

# Ten times the text must take about ten times as long. The limit is generous, since other work
# on the machine disturbs the time, but a quadratic step takes a hundred times as long.
N_WORDS = 400
MOST_TIMES = 30
FEWEST_SECONDS = 0.02  # shorter times are mostly overhead and noise


RNG = np.random.default_rng(0)


def random_words(n, letters="abcdefghijklmnopqrstuvwxyz"):
    """Words that no earlier text has, since vectors of unknown words are cached."""
    return ["".join(RNG.choice(list(letters), size=6)) for _ in range(n)]


TEXTS = {
    "the same word": lambda n: "word " * n,
    "unknown words": lambda n: " ".join(random_words(n)),
    "capitals": lambda n: " ".join(map(str.title, random_words(n))),
    "stock symbols": lambda n: " ".join(f".{word.upper()}" for word in random_words(n)),
    "decimals": lambda n: " ".join(f"0.{word}" for word in random_words(n, "0123456789")),
    "number words": lambda n: "two hundred and " * n,
    "dates": lambda n: "may 5 2012-05-31 " * n,
    "one long word": lambda n: "a" * 6 * n,
    "one long number": lambda n: "1" * 6 * n,
    "opening brackets": lambda n: "<" * 6 * n,
    "closing brackets": lambda n: f"x.{')' * 6 * n} y",
    "open tags": lambda n: "<a " * 2 * n,
    "white space": lambda n: f"x.{' ' * 6 * n}y",
    "apostrophes": lambda n: "a'" * 3 * n,
    "backticks": lambda n: "`" * 6 * n,
    "full stops": lambda n: "." * 6 * n,
    "combining marks": lambda n: "e" + "\u0301" * 6 * n,
    "emoji": lambda n: "".join(chr(0x1F600 + i % 80) for i in range(4 * n)),
    "ideographs": lambda n: "".join(chr(0x4E00 + i % 9999) for i in range(4 * n)),
    "lone surrogates": lambda n: "\ud800" * 4 * n,
}


@pytest.fixture(scope="module")
def lexical():
    tagger = LexicalFeatures(tagger=lambda tokens: ["NN"] * len(tokens))
    return tagger.fit([("A cat saw 2 mice.", "Don't run!")])


@pytest.mark.parametrize("kind", TEXTS)
def test_time_grows_with_the_length_of_the_text(lexical, kind):
    def seconds(n):
        text = TEXTS[kind](n)
        start = time.process_time()
        lexical.transform([(text, text[: len(text) // 2] + " end")])
        return time.process_time() - start

    seconds(N_WORDS)  # tables are read on first use
    few = max(FEWEST_SECONDS, *(seconds(N_WORDS) for _ in range(2)))
    assert seconds(10 * N_WORDS) < MOST_TIMES * few
