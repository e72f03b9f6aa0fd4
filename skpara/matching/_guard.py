"""The guard: pairs that look alike but differ in a number, a name, a negation, ..."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara.features import CONTRAST_KINDS, find_contrasts, kinds_of
from skpara.features.contrast import GUARD_DETECTORS, Detector
from skpara.matching._search import Rows, pair_keys
from skpara.matching._values import with_plain_phones

# What tells articles of a catalogue apart: model numbers, versions, sizes.
_IDENTIFIERS = ("identifier", "number")


class Guard:
    """Reasons why pairs of a ``left`` and a ``right`` sentence differ. Each is checked once."""

    # Pickles of earlier versions have no detectors.
    detectors: tuple[Detector, ...] = GUARD_DETECTORS

    def __init__(self, guard: Any) -> None:
        if isinstance(guard, bool | np.bool_):
            guard = CONTRAST_KINDS if guard else ()
        parts = _IDENTIFIERS if isinstance(guard, str) else guard
        own = [part for part in parts if isinstance(part, Detector)]
        kinds = [part for part in parts if not isinstance(part, Detector)]
        if not all(kind in CONTRAST_KINDS for kind in kinds):
            raise ValueError(
                "guard must be True, False, 'identifiers' or a list of detectors and of some of "
                f"{', '.join(CONTRAST_KINDS)}, got {guard!r}."
            )
        self.kinds = set(kinds).union(*map(kinds_of, own))
        if own:
            self.detectors = tuple(dict.fromkeys([*GUARD_DETECTORS, *own] if kinds else own))
        self._reasons: dict[int, str] = {}

    def copy(self) -> Guard:
        """Return a guard that has not checked any pair."""
        copy = Guard(False)
        copy.kinds, copy.detectors = self.kinds, self.detectors
        return copy

    def reasons(
        self, left: Sequence[str], right: Sequence[str], pairs: Rows
    ) -> NDArray[np.object_]:
        """Return the reason for each pair of row numbers, "" where there is none."""
        reasons = np.full(len(pairs), "", dtype=object)
        if self.kinds:
            keys = pair_keys(pairs).tolist()
            texts = {
                key: (with_plain_phones(left[i]), with_plain_phones(right[j]))
                for key, (i, j) in zip(keys, pairs.tolist(), strict=True)
                if key not in self._reasons and left[i] != right[j]
            }
            found_contrasts = find_contrasts(list(texts.values()), self.detectors)
            for key, contrasts in zip(texts, found_contrasts, strict=True):
                found = dict.fromkeys(str(x) for x in contrasts if x.kind in self.kinds)
                self._reasons[key] = "; ".join(found)
            reasons[:] = [self._reasons.get(key, "") for key in keys]
        return reasons
