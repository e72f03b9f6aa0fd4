"""Translation edit rate: edits and shifts of phrases that turn one sentence into another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from skpara.features._padding import groups, padded
from skpara.text._overlaps import Sides, overlaps

# The limits of the authors' program.
_LONGEST_SHIFT, _FARTHEST_SHIFT, _MOST_CANDIDATES = 10, 50, 1000
# Words of the longest sentence in which phrases are shifted: beyond, even one table is large.
_LONGEST_SENTENCE = 1000
# Cells of the tables of edit distances that are filled at once.
_MAX_CELLS = 1_000_000
_KEEP, _DELETE, _INSERT = 0, 1, 2


class _Alignment(NamedTuple):
    """The cheapest edits of a hypothesis into its reference, by position."""

    place: list[int]  # of each word of the reference: that of the hypothesis, or of the one before
    wrong_hypothesis: list[bool]  # words that are deleted or substituted
    wrong_reference: list[bool]  # words that are inserted or substituted


def translation_edit_rates(
    hypotheses: Sequence[str], references: Sequence[str]
) -> NDArray[np.float64]:
    """Translation edit rate of each hypothesis, as sacrebleu computes it.

    Insertions, deletions, substitutions and shifts of phrases, over the words of the reference.
    As long as a shift saves edits, the one that saves most is made.

    Parameters
    ----------
    hypotheses, references : sequences of str
        One character stands for one word.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
        0 for equal ones; 1 where only the reference is empty.

    Notes
    -----
    Sacrebleu looks for edits near the diagonal only: where words lie more than 25 places apart
    the rate can be smaller here. In sentences of more than 1,000 words nothing is shifted.

    References
    ----------
    M. Snover, B. Dorr, R. Schwartz, L. Micciulla, J. Makhoul (2006). A study of translation edit
    rate with targeted human annotation. AMTA.

    Examples
    --------
    >>> from skpara.features._edit_rates import translation_edit_rates
    >>> translation_edit_rates(["cdab"], ["abcd"])
    array([0.25])
    """
    texts = [list(hypotheses), list(references)]
    edits = np.array([Levenshtein.distance(h, r) for h, r in zip(*texts, strict=True)], dtype=int)
    shifts, tried = np.zeros((2, len(edits)), dtype=np.int64)
    # Words of one side alone cost an edit each, wherever they stand; and a shift that saves one
    # edit costs one, so unless there are two to save the sum stays as it is.
    shared = next(overlaps(Sides.of(hypotheses), Sides.of(references), 1)).shared
    longer = np.array([max(len(h), len(r)) for h, r in zip(*texts, strict=True)], dtype=int)
    least = longer - shared.astype(int)
    active = np.flatnonzero((edits > least + 1) & (longer <= _LONGEST_SENTENCE)).tolist()
    while active:
        shifted = []
        for i, alignment in zip(
            active, _alignments(*([side[i] for i in active] for side in texts)), strict=True
        ):
            best, tried[i] = _best_shift(
                texts[0][i], texts[1][i], int(edits[i] - shifts[i]), alignment, int(tried[i])
            )
            if best is not None:
                saved, texts[0][i] = best
                edits[i] += 1 - saved
                shifts[i] += 1
                if edits[i] - shifts[i] > least[i] + 1:
                    shifted.append(i)
        active = shifted
    lengths = np.array([len(r) for r in references], dtype=np.float64)
    return np.where(lengths > 0, edits / np.maximum(lengths, 1), edits > 0)


def _best_shift(
    hypothesis: str, reference: str, distance: int, alignment: _Alignment, tried: int
) -> tuple[tuple[int, str] | None, int]:
    """The shift that saves most edits, if any does, and how many shifts were tried so far."""
    best: tuple[int, int, int, int] | None = None
    shifted = hypothesis
    distances: dict[str, int] = {}
    for start, aim, length in _candidates(hypothesis, reference, alignment):
        before = None
        for last in range(aim - 1, min(aim + length, len(reference))):
            target = alignment.place[last] + 1 if last >= 0 else 0
            if target == before:
                continue
            before = target
            moved = _shift(hypothesis, start, length, target)
            if moved not in distances:
                distances[moved] = Levenshtein.distance(moved, reference)
            tried += 1
            saved = (distance - distances[moved], length, -start, -target)
            if best is None or saved > best:
                best, shifted = saved, moved
        if tried >= _MOST_CANDIDATES:
            return None, tried
    if best is None or best[0] <= 0:
        return None, tried
    return (best[0], shifted), tried


def _candidates(
    hypothesis: str, reference: str, alignment: _Alignment
) -> Iterator[tuple[int, int, int]]:
    """Phrases of both that are wrong on each side: where they start, and how long they are."""
    places = defaultdict(list)
    for aim, word in enumerate(reference):
        places[word].append(aim)
    until_wrong = [_distances(alignment.wrong_hypothesis), _distances(alignment.wrong_reference)]
    for start, word in enumerate(hypothesis):
        if until_wrong[0][start] >= _LONGEST_SHIFT:
            continue
        for aim in places.get(word, ()):
            # Shorter phrases hold no word that is wrong.
            length = max(until_wrong[0][start], until_wrong[1][aim]) + 1
            if length > _LONGEST_SHIFT or abs(aim - start) > _FARTHEST_SHIFT:
                continue
            phrase = hypothesis[start : start + length]
            if len(phrase) < length or phrase != reference[aim : aim + length]:
                continue
            while True:
                if not start <= alignment.place[aim] < start + length:
                    yield start, aim, length
                here, there = start + length, aim + length
                length += 1
                if length > _LONGEST_SHIFT or here == len(hypothesis) or there == len(reference):
                    break
                if hypothesis[here] != reference[there]:
                    break


def _distances(wrong: Sequence[bool]) -> list[int]:
    """How many words after each the next wrong one is."""
    found = [_LONGEST_SHIFT] * (len(wrong) + 1)
    for i in range(len(wrong) - 1, -1, -1):
        found[i] = 0 if wrong[i] else found[i + 1] + 1
    return found


def _shift(words: str, start: int, length: int, target: int) -> str:
    """The words with a phrase moved so that it starts at, or ends before, another place."""
    phrase, rest = words[start : start + length], words[:start] + words[start + length :]
    if target > start + length:
        target -= length
    return rest[:target] + phrase + rest[target:]


def _alignments(hypotheses: Sequence[str], references: Sequence[str]) -> list[_Alignment]:
    """Align many pairs, those of like length together."""
    cells = [(len(h) + 1) * (len(r) + 1) for h, r in zip(hypotheses, references, strict=True)]
    found = {}
    for group in groups(np.array(cells), _MAX_CELLS):
        some = group.tolist()
        operations = _operations([hypotheses[i] for i in some], [references[i] for i in some])
        for i, table in zip(some, operations, strict=True):
            found[i] = _trace(table, hypotheses[i], references[i])
    return [found[i] for i in range(len(hypotheses))]


def _operations(hypotheses: Sequence[str], references: Sequence[str]) -> NDArray[np.uint8]:
    """The last operation of the cheapest way to each cell of each table of edit distances.

    Where several are as cheap, sacrebleu's choice: keep or substitute, then delete, then insert.
    """
    left, right = padded(hypotheses, -1), padded(references, -2)
    columns = np.arange(right.shape[1] + 1, dtype=np.int16)
    operations = np.empty((len(left), left.shape[1] + 1, len(columns)), dtype=np.uint8)
    operations[:, 0] = _INSERT
    row = np.broadcast_to(columns, (len(left), len(columns)))
    for i in range(left.shape[1]):
        kept = row[:, :-1] + (left[:, i, None] != right)
        deleted = row + 1
        best = deleted.copy()
        np.minimum(best[:, 1:], kept, out=best[:, 1:])
        # An insertion costs one for each column that it goes on.
        row = np.minimum.accumulate(best - columns, axis=1) + columns
        operations[:, i + 1] = np.where(row == deleted, _DELETE, _INSERT)
        operations[:, i + 1, 1:][row[:, 1:] == kept] = _KEEP
    return operations


def _trace(operations: NDArray[np.uint8], hypothesis: str, reference: str) -> _Alignment:
    """Walk back from the last cell of a table."""
    i, j = len(hypothesis), len(reference)
    rows = operations[: i + 1, : j + 1].tolist()
    place = [-1] * j
    wrong_hypothesis, wrong_reference = [True] * i, [True] * j
    while i or j:
        operation = rows[i][j]
        if operation != _DELETE:
            j -= 1
            place[j] = i - 1
        if operation != _INSERT:
            i -= 1
        if operation == _KEEP:
            wrong_hypothesis[i] = wrong_reference[j] = hypothesis[i] != reference[j]
    return _Alignment(place, wrong_hypothesis, wrong_reference)
