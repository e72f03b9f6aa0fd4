from __future__ import annotations

import inspect
import re

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


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.group)
def test_a_docstring_defines_each_feature_of_a_family(family):
    """The guide shows it: a line of names, and below it the definition."""
    terms = re.findall(r"^(\w+(?:, \w+)*)\n    \S", inspect.getdoc(family.compute), re.MULTILINE)
    defined = {name for term in terms for name in term.split(", ")}
    assert defined == {re.sub("_(more|less)$", "", name) for name in family.names}
