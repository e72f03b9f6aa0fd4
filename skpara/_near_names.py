"""The name that is probably meant by an unknown one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches

# Similarity of a name with the one that is meant, where names are alike by nature: "network" is
# not "network_decay", and "title" not "item".
CLOSE = 0.75


def near_name(
    name: str,
    known: Sequence[str],
    other_names: Mapping[str, Collection[str]],
    least_similarity: float = 0.6,
) -> str | None:
    """Return the known name that others call so, or else that is spelled alike; None if none is.

    ``other_names`` has what known names are called elsewhere.
    """
    near = [known_name for known_name in known if name in other_names.get(known_name, ())]
    near += get_close_matches(name, known, 1, least_similarity)
    return near[0] if near else None
