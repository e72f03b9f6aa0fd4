"""Training text: without evaluated sentences, made up, and learned from without a teacher."""

from __future__ import annotations

import numpy as np

from skpara.text import Vocabulary


def test_evaluated_sentences_are_left_out_of_text(load):
    evaluation = load("evaluation_sentences")
    hashes = evaluation.sentence_hashes(["A dog runs.", "cause to move", "..."])
    pieces = ["a dog runs", '"A dog runs!"', "set going; cause to move (by force)"]
    pieces += ["A dog runs away.", "!!"]
    assert evaluation.without_evaluation_sentences(pieces, hashes) == pieces[3:]


def test_training_brings_paraphrases_together(load):
    build = load("build_teacher_free_vectors")
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
