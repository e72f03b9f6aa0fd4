"""The guard: pairs that look alike but differ in a number, a name, a negation, ..."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._normal_form import compact
from skpara.features import (
    CONTRAST_KINDS,
    Contrast,
    find_contrasts,
    kinds_of,
    tells_names_apart,
)
from skpara.features.contrast import GUARD_DETECTORS, Detector
from skpara.quantities import with_plain_phones
from skpara.resources import are_foreign

if TYPE_CHECKING:  # the search needs scikit-learn, which why_different does without
    from skpara.matching._search import Rows

# The kind of pairs that the rules, which are for English, cannot judge.
LANGUAGE = "language"
_CANNOT_TELL = "not English, so the rules cannot tell"
# What separates the items of a catalogue: model numbers, versions, sizes.
_IDENTIFIERS = ("identifier", "number")
# What separates names: all of the kinds "attribute" and "name" would cost matches.
_OTHER_NAME = "other name"
OF_NAMES = (*_IDENTIFIERS, "antonym", "negation", "role", "time", _OTHER_NAME)


class Guard:
    """Reasons why pairs of texts differ. Each pair is checked once."""

    # Pickles of earlier versions have no detectors.
    detectors: tuple[Detector, ...] = GUARD_DETECTORS

    def __init__(self, guard: Any, all_kinds: Sequence[str] = CONTRAST_KINDS) -> None:
        if isinstance(guard, bool | np.bool_):
            guard = all_kinds if guard else ()
        parts = _IDENTIFIERS if isinstance(guard, str) else guard
        own = [part for part in parts if isinstance(part, Detector)]
        kinds = [part for part in parts if not isinstance(part, Detector)]
        if not all(kind in (*all_kinds, _OTHER_NAME) for kind in kinds):
            raise ValueError(
                "guard must be True, False, 'identifiers' or a list of detectors and of some of "
                f"{', '.join(all_kinds)}, got {guard!r}."
            )
        self.kinds = set(kinds).union(*map(kinds_of, own))
        if own:
            self.detectors = tuple(dict.fromkeys([*GUARD_DETECTORS, *own] if kinds else own))
        self._reasons: dict[tuple[str, str], str] = {}
        self._foreign: dict[str, bool] = {}

    def reasons(
        self, left: Sequence[str], right: Sequence[str], pairs: Rows
    ) -> NDArray[np.object_]:
        """Return the reason for each pair of row numbers, "" where there is none."""
        reasons = np.full(len(pairs), "", dtype=object)
        if self.kinds:
            texts = [(left[i], right[j]) for i, j in pairs.tolist()]
            known = self._reasons
            new = [x for x in dict.fromkeys(texts) if x not in known and x[0] != x[1]]
            known |= zip(new, map("; ".join, self.find(new)), strict=True)
            reasons[:] = [known.get(x, "") for x in texts]
        return reasons

    def find(self, pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
        """Return the reasons for each pair of texts."""
        plain = [(with_plain_phones(first), with_plain_phones(second)) for first, second in pairs]
        found = [
            list(dict.fromkeys(str(x) for x in contrasts if self._is_wanted(x)))
            for contrasts in find_contrasts(plain, self.detectors)
        ]
        if LANGUAGE in self.kinds:
            self._learn_languages(plain)
            for reasons, (first, second) in zip(found, plain, strict=True):
                is_foreign = self._foreign[first] or self._foreign[second]
                if is_foreign and not reasons and compact(first) != compact(second):
                    reasons.append(_CANNOT_TELL)
        return found

    def _is_wanted(self, contrast: Contrast) -> bool:
        if contrast.kind in self.kinds:
            return True
        return _OTHER_NAME in self.kinds and tells_names_apart(contrast)

    def _learn_languages(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [text for text in dict.fromkeys(chain(*pairs)) if text not in self._foreign]
        self._foreign |= zip(new, are_foreign(new).tolist(), strict=True)
