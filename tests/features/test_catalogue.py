from __future__ import annotations

import pytest

from skpara.features._catalogue import FAMILIES, GROUPS, NAMES, select


def test_no_name_is_used_twice():
    assert len(set(NAMES)) == len(NAMES)
    assert len({family.group for family in FAMILIES}) == len(FAMILIES)
    assert not set(NAMES) & {family.group for family in FAMILIES}


def test_all_selects_every_feature():
    assert select("all") == list(NAMES)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_selects_its_features(group):
    assert tuple(select(group)) == GROUPS[group]
    assert set(GROUPS[group]) <= set(NAMES)


def test_order_is_that_asked_for_and_repeats_are_left_out():
    names = select(["cosine_icf", "numbers", "number_f", "counts"])
    assert names == [
        *("cosine_icf", "number_len", "number_f", "number_subset"),
        *("cosine", "cosine_icf_char"),
    ]


def test_unknown_names_come_with_near_ones():
    with pytest.raises(ValueError, match=r"'cosine_idf'. Did you mean .*'cosine_icf'"):
        select("cosine_idf")
    with pytest.raises(ValueError, match=r"'qqq'. Groups: \['all', 'fast'"):
        select(["cosine", "qqq"])


def test_no_feature_is_refused():
    with pytest.raises(ValueError, match="features is empty"):
        select([])


def test_a_name_that_is_no_string_is_refused():
    with pytest.raises(TypeError, match="features holds 3"):
        select(["cosine", 3])
