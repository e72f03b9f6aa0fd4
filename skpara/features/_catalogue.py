"""All features by name and by group."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from skpara.features._batch import Family
from skpara.features._families import alignment, contrast, edits, entities, quantities, words

FAMILIES: tuple[Family, ...] = (
    entities.NUMBERS,
    entities.CASE,
    entities.STOCKS,
    words.WORDS,
    words.CHARS,
    words.WEIGHTED,
    words.OVERLAP,
    words.LENGTHS,
    words.COUNTS,
    words.VECTORS,
    alignment.BEST,
    edits.STRINGS,
    quantities.FAMILY,
    words.FUNCTION_WORDS,
    words.LEMMAS,
    words.WORDNET,
    words.TAGGED,
    alignment.ONE_TO_ONE,
    contrast.FAMILY,
    edits.UNMATCHED,
)
# Groups that "all" leaves out.
_OPT_IN = frozenset(["contrast", "unmatched"])
NAMES: tuple[str, ...] = tuple(name for family in FAMILIES for name in family.names)
FAMILY_OF: dict[str, Family] = {name: family for family in FAMILIES for name in family.names}

# The names that Hokamp and Arora (2016) give to TakeLab's features.
_PAPER_GROUPS = {
    "number_features": entities.NUMBERS.names,
    "case_matches": entities.CASE.names,
    "weighted_word_match": words.WEIGHTED.names,
    "wn_sim_match": ("wn_sim_lem",),
    "relative_len_difference": ("rel_len_diff_lc",),
    "relative_ic_difference": ("rel_ic_diff_olc",),
}
# TakeLab's "simple" system.
_TAKELAB = (
    *entities.NUMBERS.names,
    *entities.CASE.names,
    *entities.STOCKS.names,
    *words.WORDS.names[:3],
    *words.LEMMAS.names[:3],
    "wn_sim_lem",
    "weight_word_match_olc",
    "weight_word_match_lem",
    "rel_len_diff_lc",
    "rel_ic_diff_olc",
    "weighted_dist_sim",
)
# Table 6 of Hokamp and Arora (2016). For most of them it has only a name; see the guide.
_DCU = (
    "weight_word_match_olc",
    "wn_sim_lem",
    "rel_len_diff_lc",
    *entities.NUMBERS.names,
    "weighted_dist_sim",
    *entities.CASE.names,
    "rel_ic_diff_olc",
    "cosine",
    "cosine_icf",
    "sum_w2v",
    "product_w2v",
    *words.TAGGED.names,
    "det_1",
    "det_2",
)
_ALL = tuple(name for name in NAMES if FAMILY_OF[name].group not in _OPT_IN)
GROUPS: dict[str, tuple[str, ...]] = {
    "all": _ALL,
    "fast": tuple(n for n in _ALL if FAMILY_OF[n].needs.isdisjoint({"tagger", "wordnet"})),
    "takelab": _TAKELAB,
    "dcu": _DCU,
    **{family.group: family.names for family in FAMILIES},
    **_PAPER_GROUPS,
}


def select(features: str | Iterable[str]) -> list[str]:
    """Resolve names of features and of groups, in order and without repetitions."""
    names = [features] if isinstance(features, str) else list(features)
    if not names:
        raise ValueError("features is empty; pass 'all' or at least one feature or group.")
    selected: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"features has {name!r:.60} of type {type(name).__name__}; names of features and "
                "groups must be strings."
            )
        if name not in FAMILY_OF and name not in GROUPS:
            raise ValueError(_unknown(name))
        selected |= dict.fromkeys((name,) if name in FAMILY_OF else GROUPS[name])
    return list(selected)


def _unknown(name: str) -> str:
    near = get_close_matches(name, [*NAMES, *GROUPS], n=5)
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"Groups: {list(GROUPS)}."
    return f"Unknown feature or group {name!r}. {hint}"
