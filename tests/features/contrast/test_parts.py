"""Parts of things, things for a thing, and events in another order."""

import pytest

from skpara.features import find_contrasts


@pytest.mark.parametrize(
    ("first", "second", "part"),
    [
        ("The blaze destroyed the roof of the church.", "The blaze destroyed the church.", "roof"),
        ("They removed the lower lobe of his lung.", "They removed his lung.", "lobe"),
        ("He bought a stake in the brewery.", "He bought the brewery.", "stake"),
        ("Spare lid for Tefal pan 24 cm", "Tefal pan with lid 24 cm", "lid"),
        ("Charger for Garmin 245", "Garmin 245", "Charger"),
    ],
)
def test_a_part_is_not_the_whole(first, second, part):
    ((reason,), (other,)) = find_contrasts([(first, second), (second, first)])
    assert reason.kind == other.kind == "attribute"
    assert reason.first == other.second == part


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("They visited the city of Rome.", "They visited Rome."),
        ("She drank a glass of milk.", "She drank milk."),
        ("It is a kind of bread.", "It is bread."),
        ("The roof of the church burned.", "The church roof burned."),
        ("Running shoes for men", "Men's running shoes"),
        ("Case for Galaxy S22", "Galaxy S22 case"),
    ],
)
def test_other_words_for_the_thing_are_no_parts(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He fell and then laughed.", "He laughed and then fell."),
        ("He fell and later laughed.", "After he laughed, he fell."),
        ("Having signed it, he read the text.", "Having read the text, he signed it."),
        ("She ate before she slept.", "She slept before she ate."),
    ],
)
def test_the_order_of_events_matters_where_it_is_told(first, second):
    for reasons in find_contrasts([(first, second), (second, first)]):
        assert [reason.kind for reason in reasons] == ["role"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He fell and laughed.", "He laughed and fell."),
        ("He fell and then laughed.", "After he fell, he laughed."),
        ("He laughed after he fell.", "After he fell, he laughed."),
        ("Before he fell, he laughed.", "He laughed before he fell."),
    ],
)
def test_one_order_in_other_words_is_the_same(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Dyson V11 cordless vacuum cleaner", "Dyson V11 cordless vacuum cleaner battery"),
        ("Brown leather ankle boots", "Brown faux leather ankle boots"),
        ("It was the hottest summer.", "It was the second-hottest summer."),
    ],
)
def test_a_further_noun_or_prefix_makes_another_thing(first, second):
    for reasons in find_contrasts([(first, second), (second, first)]):
        assert [reason.kind for reason in reasons] == ["attribute"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Acer Aspire 5 laptop", "Acer Aspire 5 laptop computer"),
        ("She came third.", "She came 3rd."),
        ("Google invests in wind farm", "Google invests in wind farm project"),
    ],
)
def test_a_further_word_for_the_same_thing(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]
