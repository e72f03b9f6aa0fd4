from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder, TableMatcher
from skpara.augment import filters
from skpara.explanation import explain
from skpara.features import TermInteractions

# Ten times the text must take about ten times as long; a quadratic step takes a hundred times as
# long. Other work on the machine only adds to a time, so the least of a few is compared.
N_WORDS = 200
MOST_TIMES = 30
FEWEST_SECONDS = 0.005  # shorter times are mostly overhead
ATTEMPTS = 5


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
    "number words": lambda n: "two hundred and " * (n // 3),
    "dates": lambda n: "may 5 2012-05-31 " * (n // 3),
    "one long word": lambda n: "a" * 6 * n,
    "one long number": lambda n: "1" * 6 * n,
    "opening brackets": lambda n: "<" * 6 * n,
    "closing brackets": lambda n: f"x.{')' * 6 * n} y",
    "open tags": lambda n: "<a " * 2 * n,
    "white space": lambda n: f"x.{' ' * 6 * n}y",
    "apostrophes": lambda n: "a'" * 3 * n,
    "backticks": lambda n: "`" * 6 * n,
    "full stops": lambda n: "." * 6 * n,
    "combining marks": lambda n: "e" + "\u0301\u0316" * 6 * n,
    "emoji": lambda n: "".join(chr(0x1F600 + i % 80) for i in range(4 * n)),
    "ideographs": lambda n: "".join(chr(0x4E00 + i % 9999) for i in range(n // 3)),
    "lone surrogates": lambda n: "\ud800" * 4 * n,
}


@pytest.fixture(scope="module")
def lexical():
    groups = ["all", "contrast", "unmatched"]
    features = LexicalFeatures(groups, tagger=lambda tokens: ["NN"] * len(tokens))
    return features.fit([("A cat saw 2 mice.", "Don't run!")])


def assert_linear(use, make_text, n_words=N_WORDS):
    def seconds(n):
        text = make_text(n)
        start = time.process_time()
        use([(text, text[len(text) // 2 :] + " end")])
        return time.process_time() - start

    seconds(n_words // 10)  # tables are read on first use
    few = many = np.inf
    for _ in range(ATTEMPTS):
        few, many = min(few, seconds(n_words)), min(many, seconds(10 * n_words))
        if many < MOST_TIMES * max(FEWEST_SECONDS, few):
            return
    pytest.fail(f"{10 * n_words} words take {many:.3f} s, {n_words} take {few:.3f} s")


@pytest.mark.parametrize("kind", TEXTS)
def test_time_grows_with_the_length_of_the_text(lexical, kind):
    assert_linear(lexical.transform, TEXTS[kind])


PIECES = "a Word two million 1 0.5 2012 $US % . , - / -- < > ( ] ' \" `` n't 's &amp; &# _".split()
PIECES += [
    "\0",
    "\t",
    "\r\n",
    *"\u0301éßΣﬁ\u200d\u200f你\u1100\u1161\U0001f600\ud800\udc00\ufffd\U0001d400",
]
PIECES += ["שלום", "e\u0301\u0323"]


def random_text(seed):
    """Return a function that repeats, or mixes, a few pieces that are drawn with a seed."""
    rng = np.random.default_rng(seed)
    pieces = [PIECES[i] for i in rng.integers(len(PIECES), size=rng.integers(1, 5))]
    space, mixed = rng.choice(["", " "]), rng.random() < 0.5

    def make_text(n):
        order = rng.integers(len(pieces), size=n) if mixed else np.arange(n) % len(pieces)
        return space.join(pieces[i] for i in order)

    return make_text


@pytest.mark.parametrize("seed", range(5))
def test_time_grows_with_the_length_of_random_text(lexical, seed):
    assert_linear(lexical.transform, random_text(seed))


SAMPLE = [("A cat saw 2 mice.", "Don't run!"), ("Two dogs ran.", "Some dogs sleep.")]


def match_rows(pairs):
    left, right = (pd.DataFrame({"name": x, "code": x}) for x in zip(*pairs, strict=True))
    for kinds in ({"name": "names"}, {"name": "names", "code": "code"}):
        TableMatcher(guard=False).fit(left, on=kinds).match(right, on=list(kinds))


@pytest.fixture(scope="module")
def uses():
    encoder = ParagramEncoder(max_iter=0).fit(SAMPLE)
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(linear_weight=1.0))
    model.fit(SAMPLE, [1.0, 3.0])
    return {
        "TermInteractions": TermInteractions(min_df=1).fit(SAMPLE).transform,
        "ParagramEncoder": encoder.transform,
        "explain an encoder": lambda pairs: explain(encoder, pairs),
        "explain a pipeline": lambda pairs: explain(model, pairs),
        "TableMatcher": match_rows,
        "OverlapFilter": filters.OverlapFilter(upper=0.9).score_pairs,
        "BleuFilter": filters.BleuFilter(upper=0.9).score_pairs,
        "LanguageModelFilter": filters.LanguageModelFilter(upper=9).fit(SAMPLE).score_pairs,
    }


@pytest.mark.filterwarnings("ignore::UserWarning")  # of documents, and of another language
@pytest.mark.parametrize("kind", ["unknown words", "combining marks"])
@pytest.mark.parametrize(
    "use",
    [
        *("TermInteractions", "ParagramEncoder", "explain an encoder", "TableMatcher"),
        *("explain a pipeline", "OverlapFilter", "BleuFilter", "LanguageModelFilter"),
    ],
)
def test_time_of_every_use_of_text_grows_with_its_length(uses, use, kind):
    assert_linear(uses[use], TEXTS[kind])
