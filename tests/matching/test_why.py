"""why_different: the guard's reasons for texts alone."""

from __future__ import annotations

import numpy as np
import pytest

from skpara import TableMatcher, why_different

LIGHTS = "Turn on the lights."
OTHERS = ["Turn the lights on.", "Do not turn on the lights.", LIGHTS]


def test_reasons_for_two_texts_are_those_of_the_guard():
    texts = ["The shop opens at 8 and closes at noon.", "The shop opens at 9 and closes at noon."]
    reasons = why_different(*texts)
    assert reasons == ["9, not 8"]
    matches = TableMatcher(kind="sentences").fit(texts[1:]).match(texts[:1], how="left")
    assert matches["reason"].tolist() == ["; ".join(reasons)]


def test_a_text_is_compared_with_each_of_a_list():
    expected = [[], ["negation of Turn"], []]
    assert why_different(LIGHTS, OTHERS) == expected
    assert why_different([LIGHTS] * 3, np.array(OTHERS)) == expected
    assert [why_different(LIGHTS, other) for other in OTHERS] == expected
    assert why_different(OTHERS[1:2], LIGHTS) == [["negation of turn"]]
    assert why_different(LIGHTS, []) == []


def test_kinds_of_reasons_are_chosen():
    texts = "The red door is 2 m wide.", "The blue door is 3 m wide."
    assert len(why_different(*texts)) == 2
    assert why_different(*texts, guard=["number"]) == ["3 m, not 2 m"]
    assert why_different(*texts, guard=False) == []
    spanish = "El perro duerme en la casa.", "El gato duerme en la casa."
    assert why_different(*spanish, guard=["language"]) == ["not English, so the rules cannot tell"]


def test_wrong_calls_say_what_to_do():
    with pytest.raises(ValueError, match="a has 1 texts and b has 3"):
        why_different([LIGHTS], OTHERS)
    with pytest.raises(ValueError, match="Row 1 holds None"):
        why_different(LIGHTS, [LIGHTS, None])
    with pytest.raises(ValueError, match="guard must be"):
        why_different(LIGHTS, LIGHTS, guard=["numbers"])
