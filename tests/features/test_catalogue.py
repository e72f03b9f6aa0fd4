from __future__ import annotations

import re
from pathlib import Path

import pytest

from skpara.features._catalogue import FAMILIES, GROUPS, NAMES, select


def test_no_name_is_used_twice():
    assert len(set(NAMES)) == len(NAMES)
    assert len({family.group for family in FAMILIES}) == len(FAMILIES)
    assert not set(NAMES) & {family.group for family in FAMILIES}


def test_all_leaves_two_groups_out():
    assert select(["all", "contrast", "unmatched"]) == list(NAMES)
    assert set(select("all")) == set(NAMES) - {*GROUPS["contrast"], *GROUPS["unmatched"]}


def test_the_order_is_kept_and_repetitions_are_dropped():
    names = select(["cosine_icf", "numbers", "number_f", "counts"])
    assert names == [
        *("cosine_icf", "number_len", "number_f", "number_subset"),
        *("cosine", "cosine_icf_char", "cosine_icf_char_2_4"),
    ]


def test_unknown_names_come_with_similar_ones():
    with pytest.raises(ValueError, match=r"'cosine_idf'. Did you mean .*'cosine_icf'"):
        select("cosine_idf")
    with pytest.raises(ValueError, match=r"'qqq'. Groups: \['all', 'fast'"):
        select(["cosine", "qqq"])


def test_a_selection_is_names():
    with pytest.raises(ValueError, match="features is empty"):
        select([])
    with pytest.raises(TypeError, match="features has 3 of type int"):
        select(["cosine", 3])


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_lists_every_feature(name):
    guide = Path(__file__).parents[2] / "docs/guide/features.rst"
    listed = set(re.findall(r"\w+", guide.read_text("utf-8")))
    # "n_gram_match_1, _2, _3" lists three, and "with _more and _less" two of each.
    stem, _, end = name.rpartition("_")
    stems = {f"{stem}_1", f"{stem}_2"} | ({stem} if end in ("more", "less") else set())
    assert name in listed or (f"_{end}" in listed and stems & listed)
