"""Build word vectors without a teacher: no transformer, and no data of the STS tasks.

    python examples/builders/evaluation_sentences.py --data DATA --out HASHES
    python examples/builders/build_teacher_free_vectors.py \
        --data DATA --leave-out HASHES --glove GLOVE

They show how much of the packaged vectors' accuracy comes from their teacher. The recipe:

1. Collect text and paraphrases from the data folder (captions, Tatoeba, tweets, questions, news,
   simplified sentences, PPDB) and from WordNet (glosses, examples, synonyms, related words). Leave
   out every sentence of an evaluation set. The Spanish side of Tatoeba is translated into English
   by Apertium, a rule-based system; with its English side that gives paraphrases, as in Wieting
   and others (2017).
2. Count which words occur within ten words of each other, frequent words with less weight, and
   reduce the positive pointwise mutual information to 300 dimensions by singular value
   decomposition.
3. Put GloVe vectors beside them (``--glove``), and multiply each word by the smooth inverse
   frequency a / (a + p(w)), a = 0.001.
4. Train the vectors so that among all sentences of a batch, the mean vector of a sentence is
   closest to the mean vector of its paraphrase (cross-entropy of the cosines times 10, Adam). A
   batch has pairs of a single source, so that the other sentences are of the same kind.

It takes about six minutes on one core, one of them for Apertium. Settings were chosen on STS
2012-2015. The result may not be passed on: the terms of some sources do not allow it.

GLOVE is ``glove.6B.50d.txt`` (400,000 words, 50 dimensions), or another file that
``WordVectors.load`` reads.

J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
back-translated bitext. EMNLP.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from build_default_vectors import collect, data_folder_sources, vocabulary
from evaluation_sentences import (
    YEARS,
    has_evaluation_sentence,
    read_hashes,
    read_lines,
)
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from skpara import ParagramEncoder, WordVectors
from skpara._core import Ragged
from skpara.augment import ApertiumTranslator
from skpara.datasets import fetch_sts
from skpara.metrics import pearson_score
from skpara.resources import WordFrequencies
from skpara.text import Vocabulary

sys.path.insert(0, str(Path(__file__).parents[1]))
from paraphrases import fetch_bitext, fetch_paraphrases

Table = NDArray[np.float32]
TextPairs = list[tuple[str, str]]

# Sets of paraphrases and their parts for training; of judged pairs only the paraphrases are used.
SETS = (
    *(("multi30k", "train"), ("flickr8k", None), ("tatoeba-spa", None), ("tatoeba-fra", None)),
    *(("twitter-url", "train"), ("quora", "dev"), ("msrp", "train"), ("asset", "valid")),
    *(("wikisplit", None), ("simple-wikipedia", "wikilarge-valid")),
    *(("simple-wikipedia", "wikismall-valid"), ("ppdb-xl", None), ("ppdb-lexical", None)),
)
# Sources of pairs of words rather than of sentences.
WORD_SOURCES = ("ppdb-xl", "ppdb-lexical", "synonyms", "relations")
# Batches of word pairs are drawn less often than their number suggests. Drawn like the others,
# they make the mean on STS 2012-2015 .003 lower than without any.
WORD_WEIGHT = 0.15
WINDOW = 10
N_STEPS = 10_000

# --- text and paraphrases ---------------------------------------------------------------------


def wordnet_pairs(folder: Path) -> dict[str, TextPairs]:
    """Return synonyms, related words (such as hypernyms), and words with their definitions."""
    synsets: dict[tuple[str, str], list[str]] = {}
    pointers: list[tuple[list[str], list[str]]] = []
    pairs: dict[str, TextPairs] = {"synonyms": [], "relations": [], "definitions": []}
    for name, part in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in read_lines(folder / f"data.{name}"):
            if line.startswith("  ") or " | " not in line:
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            n_words = int(fields[3], 16)
            # "(a)" and "(p)" mark the position of some adjectives.
            words = [re.sub(r"\(.*\)", "", word) for word in fields[4 : 4 + 2 * n_words : 2]]
            words = [word.replace("_", " ").lower() for word in words]
            synsets[part, fields[0]] = words
            links = fields[5 + 2 * n_words :]
            pointers += [
                (words, links[i : i + 4]) for i in range(0, 4 * int(fields[4 + 2 * n_words]), 4)
            ]
            definition = re.sub(r'"[^"]*"?', "", gloss).strip(" ;")
            pairs["definitions"] += [(word, definition) for word in words[:3]]
            pairs["synonyms"] += [
                (word, other) for i, word in enumerate(words) for other in words[i + 1 :]
            ]
    for words, (symbol, offset, pos, numbers) in pointers:
        # Hypernyms, similar adjectives and derived words. Numbers of words count from 1; 0000
        # relates whole synsets; the first word of a synset is its commonest.
        if symbol in ("@", "@i", "&", "+"):
            targets = synsets["a" if pos == "s" else pos, offset]
            first, second = (max(int(part, 16) - 1, 0) for part in (numbers[:2], numbers[2:]))
            pairs["relations"].append((words[first], targets[second]))
    return pairs


def back_translations(data: Path) -> TextPairs:
    """Return English sentences of Tatoeba and translations of their Spanish sides."""
    bitext = fetch_bitext("tatoeba-spa", data_home=data).data
    translated = ApertiumTranslator("es", "en").translate(bitext[:, 1].tolist())
    return list(zip(bitext[:, 0].tolist(), map(str, translated), strict=True))


def paraphrases(data: Path, wordnet: Path, hashes: set[int]) -> dict[str, TextPairs]:
    """Return the pairs of each source, without those that have an evaluated sentence."""
    sources = wordnet_pairs(wordnet)
    for name, subset in SETS:
        bunch = fetch_paraphrases(name, subset=subset, data_home=data)
        rows = bunch.data[bunch.target == 1].tolist()
        sources.setdefault(name, []).extend((first, second) for first, second in rows)
    sources["back-translations"] = back_translations(data)
    return {
        name: [
            (first, second)
            for first, second in pairs
            if first != second
            and not has_evaluation_sentence(first, hashes)
            and not has_evaluation_sentence(second, hashes)
        ]
        for name, pairs in sources.items()
    }


def running_text(
    data: Path, wordnet: Path, pairs: dict[str, TextPairs], hashes: set[int]
) -> list[str]:
    """Return distinct sentences: part of the packaged vectors' text, and the paraphrases."""
    sources = collect(data_folder_sources(data, wordnet), hashes)
    pieces = [piece for source in sources.values() for piece in source]
    for name, _ in SETS:
        if name not in WORD_SOURCES:
            pieces += [sentence for pair in pairs[name] for sentence in pair]
    # Judged pairs that are no paraphrases are text all the same.
    for name, subset in (("twitter-url", "train"), ("quora", "dev"), ("msrp", "train")):
        sentences = fetch_paraphrases(name, subset=subset, data_home=data).data.ravel().tolist()
        pieces += [s for s in sentences if not has_evaluation_sentence(s, hashes)]
    return list(dict.fromkeys(pieces))


# --- co-occurrence ----------------------------------------------------------------------------


def cooccurrence_vectors(tokens: Ragged, n_words: int, n_dims: int = 300) -> Table:
    """Return vectors of words that are similar where the words around them are.

    Left singular vectors without the singular values did best: with their square roots, the mean
    on STS 2012-2015 is .009 lower before training.
    """
    ids, sentences = tokens.ids, tokens.owners
    counts = np.bincount(ids[ids < n_words], minlength=n_words)
    frequency = counts / counts.sum()
    # As word2vec's subsampling, but as a weight, which is the same on average.
    weight = np.minimum(1, np.sqrt(1e-4 / np.maximum(frequency, 1e-12)))
    total = sp.csr_matrix((n_words, n_words))
    for distance in range(1, WINDOW + 1):
        first, second = ids[:-distance], ids[distance:]
        near = (sentences[:-distance] == sentences[distance:]) & (first < n_words)
        near &= second < n_words
        first, second = first[near], second[near]
        values = weight[first] * weight[second] * (1 - (distance - 1) / WINDOW)
        total += sp.csr_matrix((values, (first, second)), shape=total.shape)
    total = (total + total.T).tocoo()
    words = np.asarray(total.sum(axis=1)).ravel()
    # The power of word2vec's negative examples: pointwise mutual information favors rare words.
    contexts = words**0.75
    contexts /= contexts.sum()
    information = np.log(total.data / (words[total.row] * contexts[total.col]))
    positive = information > 0
    entries = information[positive], (total.row[positive], total.col[positive])
    matrix = sp.csr_matrix(entries, shape=total.shape)
    return randomized_svd(matrix, n_dims, n_iter=4, random_state=0)[0].astype(np.float32)


def glove_vectors(glove: WordVectors, words: list[str]) -> Table:
    """Return GloVe's vectors of words; the vector of "don't" is the mean of "do" and "n't"."""
    rows = np.zeros((len(words), glove.n_dims), dtype=np.float32)
    for i, word in enumerate(words):
        parts = [word]
        if word not in glove and "'" in word:
            stem, _, ending = word.partition("'")
            negated = ending == "t" and stem.endswith("n")
            parts = [stem[:-1], "n't"] if negated else [stem, f"'{ending}"]
        known = [glove[part] for part in parts if part in glove]
        if known:
            rows[i] = np.mean(known, axis=0)
    return rows


def centered_units(rows: Table, n_removed: int) -> Table:
    """Return unit rows without the mean and the main directions of frequent words.

    These directions are shared by all words, so they make all sentences alike (Mu and Viswanath
    2018, All-but-the-top).
    """
    rows = rows - rows[:20_000].mean(axis=0)
    _, axes = np.linalg.eigh(rows[:20_000].T @ rows[:20_000])
    main = axes[:, len(axes.T) - n_removed :]
    rows = rows - rows @ main @ main.T
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def initial_vectors(words: list[str], tokens: Ragged, glove: WordVectors | None) -> Table:
    """Return the vectors before training."""
    # The weights of both parts and the numbers of directions were chosen together.
    rows = 2 * centered_units(cooccurrence_vectors(tokens, len(words)), 1)
    if glove is not None:
        rows = np.hstack([centered_units(glove_vectors(glove, words), 2), rows])
    frequencies = WordFrequencies.load()
    rarest = frequencies.max_information
    probability = np.exp(-frequencies.information(words, unknown=rarest))
    smooth = 1e-3 / (1e-3 + probability)
    # wordfreq has no marks, which are frequent: not the rarest, but hardly any weight.
    smooth[[not word[0].isalnum() for word in words]] = 0.05
    return (rows * smooth[:, None]).astype(np.float32)


# --- training ---------------------------------------------------------------------------------


class PairTokens:
    """Ids of the known words of pairs of sentences, without pairs that have a side without any."""

    def __init__(self, vocabulary: Vocabulary, pairs: TextPairs) -> None:
        tokens, _ = vocabulary.token_ids([sentence for pair in pairs for sentence in pair])
        self._tokens = tokens.where(tokens.ids < len(vocabulary))
        lengths = self._tokens.lengths.reshape(-1, 2)
        self.rows = np.flatnonzero((lengths > 0).all(axis=1))

    def take(self, rows: NDArray[np.int64]) -> Ragged:
        """Return the first sentences of pairs, then the second ones."""
        return self._tokens.take(np.concatenate([2 * rows, 2 * rows + 1]))

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Yield rows without end, in a new order each time all were used."""
        while True:
            order = rng.permutation(self.rows)
            for start in range(0, max(len(order) - size + 1, 1), size):
                yield order[start : start + size]


def train(
    table: Table,
    sources: dict[str, PairTokens],
    *,
    n_steps: int,
    batch_size: int = 256,
    learning_rate: float = 0.03,
    scale: float = 10.0,
) -> Table:
    """Train the rows so that each sentence is closest to its paraphrase."""
    import torch
    from torch.nn import functional

    from skpara.learning._optimizers import SparseAdam

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    rows = torch.from_numpy(table.copy())
    # The step of Adam does not depend on the gradient's size, so it follows the rows' size.
    learning_rate *= float(np.sqrt((table**2).mean()))
    optimizer = SparseAdam(rows, learning_rate)
    names = list(sources)
    # Small sources are seen more often than their share of the pairs, words less often.
    weights = np.array([len(sources[name].rows) ** 0.75 for name in names])
    weights[[name in WORD_SOURCES for name in names]] *= WORD_WEIGHT
    batches = {name: sources[name].batches(batch_size, rng) for name in names}
    chosen = rng.choice(len(names), size=n_steps, p=weights / weights.sum())
    total = 0.0
    for step, choice in enumerate(chosen):
        name = names[choice]
        taken = sources[name].take(next(batches[name]))
        used, local = np.unique(taken.ids, return_inverse=True)
        touched = torch.from_numpy(used.astype(np.int64))
        leaf = rows[touched].requires_grad_()
        offsets = torch.from_numpy(np.asarray(taken.offsets[:-1]))
        means = functional.embedding_bag(torch.from_numpy(local), leaf, offsets, mode="mean")
        first, second = functional.normalize(means).chunk(2)
        logits, own = scale * first @ second.T, torch.arange(len(first))
        loss = functional.cross_entropy(logits, own) + functional.cross_entropy(logits.T, own)
        (gradient,) = torch.autograd.grad(loss, leaf)
        optimizer.learning_rate = learning_rate * (1 - step / n_steps)
        optimizer.step(rows, touched, gradient)
        total += float(loss.detach()) / 2
        if (step + 1) % 1000 == 0:
            print(f"step {step + 1:,}: mean loss {total / 1000:.3f}", flush=True)
            total = 0.0
    return rows.numpy()


# --- main -------------------------------------------------------------------------------------


def development_score(vectors: WordVectors, data: Path) -> float:
    """Return the mean of Pearson's r over the sets of STS 2012-2015."""
    sts = fetch_sts(YEARS[:-1], data_home=data)
    cosines = ParagramEncoder(vectors=vectors).similarity(sts.data[:, 0], sts.data[:, 1])
    sets = [sts.groups == name for name in np.unique(sts.groups)]
    return float(np.mean([pearson_score(sts.target[rows], cosines[rows]) for rows in sets]))


def main() -> None:
    """Collect, count, train and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--leave-out", type=Path, required=True, help="hashes of sentences")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--glove", type=Path, help="GloVe vectors; without, only own counts")
    parser.add_argument("--n-steps", type=int, default=N_STEPS, help="batches of 256 pairs")
    parser.add_argument("--out", type=Path, default=Path("teacher_free.npz"))
    args = parser.parse_args()
    start = time.perf_counter()

    def report(text: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {text}", file=sys.stderr, flush=True)

    hashes = read_hashes(args.leave_out)
    pairs = paraphrases(args.data, args.wordnet, hashes)
    for name, of_source in pairs.items():
        report(f"{name}: {len(of_source):,} pairs")
    text = running_text(args.data, args.wordnet, pairs, hashes)
    words = vocabulary()
    index = Vocabulary(words)
    tokens, _ = index.token_ids(text)
    report(f"text: {len(text):,} sentences, {len(tokens.ids):,} tokens")
    glove = None if args.glove is None else WordVectors.load(args.glove)
    table = initial_vectors(words, tokens, glove)
    report("counted")
    sources = {name: PairTokens(index, of_source) for name, of_source in pairs.items()}
    trained = WordVectors(index, train(table, sources, n_steps=args.n_steps))
    trained.save(args.out)
    report("trained")
    for title, vectors in (("counted", WordVectors(index, table)), ("trained", trained)):
        score = development_score(vectors, args.data)
        print(f"{title}: mean of Pearson's r on the sets of STS 2012-2015 {score:.4f}")


if __name__ == "__main__":
    main()
