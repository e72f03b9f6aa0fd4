"""Verbs with particles that have opposites: "set up" and "shut down"."""

from __future__ import annotations

from collections.abc import Sequence

from skpara.features.contrast._lexicon import OPPOSITE_PHRASES, OppositePhrase

# Words between a verb and its particle, as in "turned the old radio off".
_REACH = 4
# The particle is in the clause of the verb.
_CLAUSE_ENDS = ".,s&"
_PARTICLES = frozenset(text.split()[1] for text in OPPOSITE_PHRASES if " " in text)


def find_opposite_phrases(
    bases: Sequence[str], classes: str
) -> dict[OppositePhrase, tuple[int, ...]]:
    """Find the listed verbs and phrases of a sentence, with the positions of their words."""
    found: dict[OppositePhrase, tuple[int, ...]] = {}
    for i, base in enumerate(bases):
        if classes[i] not in "vn":  # a tagger takes some verbs for nouns
            continue
        for phrase in OPPOSITE_PHRASES.get(base, ()):
            found.setdefault(phrase, (i,))
        for k in range(i + 1, min(len(bases), i + 2 + _REACH)):
            if classes[k] in _CLAUSE_ENDS or classes[k] == "v":
                break
            if bases[k] in _PARTICLES:
                for phrase in OPPOSITE_PHRASES.get(f"{base} {bases[k]}", ()):
                    found[phrase] = (i, k)
    return found
