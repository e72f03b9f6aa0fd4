"""Evaluated sentences are left out of training text; vectors learned without a teacher."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from skpara.text import Vocabulary

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import build_teacher_free_vectors
    import evaluation_sentences

    yield evaluation_sentences, build_teacher_free_vectors
    for name in [name for name, module in sys.modules.items() if _is_example(module)]:
        monkeypatch.delitem(sys.modules, name)


def _is_example(module):
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).parent == EXAMPLES


def test_evaluated_sentences_are_left_out_of_text(scripts):
    evaluation, _ = scripts
    hashes = evaluation.sentence_hashes(["A dog runs.", "cause to move", "..."])
    pieces = [
        "a dog runs",
        '"A dog runs!"',
        "set going; cause to move (by force)",
        "A dog runs away.",
        "!!",
    ]
    assert evaluation.without_evaluation_sentences(pieces, hashes) == pieces[3:]


def test_words_with_the_same_neighbors_get_similar_vectors(scripts):
    _, build = scripts
    rng = np.random.default_rng(0)
    text = [
        f"the {animal} {verb} loudly" if i % 2 else f"a {vehicle} has {part} inside"
        for i, animal, verb, vehicle, part in zip(
            range(400),
            rng.choice(["cat", "dog"], 400),
            rng.choice(["barks", "meows", "sings"], 400),
            rng.choice(["car", "bus"], 400),
            rng.choice(["wheels", "seats", "doors"], 400),
            strict=True,
        )
    ]
    words = "the a cat dog car bus barks meows sings wheels seats doors loudly has inside".split()
    rows = build.cooccurrence_vectors(Vocabulary(words).token_ids(text), len(words), n_dims=4)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cat, dog, car, bus = units[2:6]
    assert cat @ dog > 0.9
    assert car @ bus > 0.9
    assert abs(cat @ car) < 0.5


def test_training_brings_paraphrases_together(scripts):
    _, build = scripts
    words = [f"w{i}" for i in range(40)]
    pairs = [(f"w{i}", f"w{i + 20}") for i in range(20)] + [("w1", "unknown")]
    table = np.random.default_rng(0).standard_normal((40, 16)).astype(np.float32)
    sources = {"words": build.PairTokens(Vocabulary(words), pairs)}
    trained = build.train(table, sources, n_steps=200, batch_size=20)

    def matches(rows):
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return (units[:20] @ units[20:].T).argmax(axis=1) == np.arange(20)

    assert matches(table).mean() < 0.5
    assert matches(trained).all()


def test_made_up_sentences_are_distinct_and_always_the_same(scripts):
    import made_up_text

    for make in (made_up_text.captions, made_up_text.headlines):
        sentences = make(300)
        assert len(set(sentences)) == 300
        assert sentences == make(300)
        assert all(re.fullmatch(r"[A-Z0-9][\w ,:.'-]+", sentence) for sentence in sentences)


def test_texts_of_a_family_differ_in_few_words(scripts):
    import caption_families

    families = caption_families.caption_families(40, 8)
    assert families == caption_families.caption_families(40, 8)
    assert all(len(set(family)) == len(family) > 2 for family in families)
    for family in families:
        first, *variants = (set(text.lower().split()) for text in family)
        shared = [len(first & words) / len(first | words) for words in variants]
        assert max(shared) > 0.5
    negations = re.compile(r"\b(no|not|nobody|isn't|aren't)\b")
    assert sum(any(negations.search(text) for text in family) for family in families) > 20
