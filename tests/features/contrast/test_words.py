"""What single words and marks say: parts of speech, base forms, opposites, signs and forms."""

from __future__ import annotations

import pytest

from skpara import LexicalFeatures
from skpara.features import find_contrasts
from skpara.features.contrast._lexicon import Mark, _find_facts, part_of_speech
from skpara.features.contrast._mentions import find_signs
from skpara.features.contrast._sentences import Form, find_form, has_predicate


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("that", "DT", "d"), ("that", "IN", "s"), ("like", "VB", "v"), ("like", "IN", "p"),
        ("up", "RP", "r"), ("up", "RB", "r"), ("up", "IN", "p"), ("without", "IN", "!"),
        ("'s", "PO", "'"), ("'s", "VBZ", "b"), (":", "NN", "."), ("--", "SYM", "."),
        ("it", "PRP", "n"), ("xqz", "UH", "r"), ("day", "NN", "t"), ("days", "NNS", "t"),
        ("o'clock", "NN", "t"), ("am", "RB", "b"), ("a.m.", "RB", "t"), ("a.m", "RB", "t"),
        ("pm", "RB", "t"), ("p.m.", "RB", "t"), ("p.m", "RB", "t"), ("monday", "NNP", "t"),
    ],
)  # fmt: skip
def test_parts_of_speech(word, tag, expected):
    assert part_of_speech(word, tag) == expected


@pytest.mark.parametrize(
    ("word", "tag", "base"),
    [
        ("him", "PRP", "he"), ("her", "PRP", "she"), ("them", "PRP", "they"), ("us", "PRP", "we"),
        ("me", "PRP", "i"), ("pcs", "NNS", "piece"), ("pkg", "NN", "package"),
        ("qty", "NN", "quantity"), ("dogs", "NN", "dog"), ("ran", "VB", "run"), ("of", "IN", "of"),
    ],
)  # fmt: skip
def test_base_forms(wordnet, word, tag, base):
    assert _find_facts(wordnet, word, tag).base == base


@pytest.mark.parametrize(
    ("word", "tag", "opposite"),
    [
        *((f"{prefix}xqzv", "JJ", "xqzv") for prefix in "un non dis in im ir il".split()),
        *((f"{prefix}xqzv", "VB", "xqzv") for prefix in "un dis mis de".split()),
        ("unxqz", "JJ", None), ("misxqzv", "JJ", None), ("nonxqzv", "VB", None),
        ("unxqzv", "NN", None), ("here", "RB", None), ("hot", "JJ", "cold"), ("all", "DT", None),
    ],
)  # fmt: skip
def test_opposites(wordnet, word, tag, opposite):
    found = _find_facts(wordnet, word, tag).opposites
    assert opposite in found if opposite else not found


@pytest.mark.parametrize(
    ("word", "tag", "form"),
    [
        ("later", "RB", "late"), ("boring", "JJ", "bore"), ("tired", "JJ", "tire"),
        ("broken", "JJ", "break"), ("fell", "VB", "fell"), ("fell", "VB", "fall"),
    ],
)  # fmt: skip
def test_forms(wordnet, word, tag, form):
    assert form in _find_facts(wordnet, word, tag).forms


@pytest.mark.parametrize(
    ("word", "tag", "marks"),
    [
        ("the", "DT", 0), ("a", "DT", Mark.KNOWN), ("an", "DT", Mark.KNOWN),
        (".", ".", 0), (",", ",", 0),
        ("of", "IN", Mark.ORDERED), ("nor", "CC", Mark.ORDERED | Mark.MODAL),
        ("will", "MD", Mark.ORDERED | Mark.MODAL | Mark.KNOWN),
        ("red", "JJ", Mark.WORD | Mark.ORDERED | Mark.COLOR | Mark.KNOWN),
        ("two", "CD", Mark.ORDERED | Mark.MENTIONED | Mark.KNOWN),
        ("quickly", "RB", Mark.WORD | Mark.ORDERED | Mark.KNOWN),
    ],
)  # fmt: skip
def test_marks(wordnet, word, tag, marks):
    assert _find_facts(wordnet, word, tag).marks == marks


@pytest.mark.parametrize("kind", "dpsbx&")
def test_a_statement_without_a_stop_has_two_function_words(kind):
    words, tags = ["dogs", "barked", "x", "y"], ["NNS", "VBD", "X", "X"]
    assert find_form(words, words, f"nv{kind}{kind}", tags) is Form.STATEMENT
    if kind not in "bx":  # a second verb
        assert find_form(words[:3], words[:3], f"nv{kind}", tags[:3]) is Form.TITLE
    stop = [*words[:3], "."]
    assert find_form(stop, stop, f"nv{kind}.", tags) is Form.STATEMENT


@pytest.mark.parametrize(
    ("cased", "form"),
    [
        ("Dogs Bark In Old town", Form.TITLE),
        ("Dogs Bark In old town", Form.STATEMENT),
        ("Dogs Bark In Old towns and big gardens", Form.STATEMENT),
        ("Dogs Bark In Old towns 1 2 3", Form.TITLE),
    ],
)
def test_a_headline_has_four_capitals_and_most_of_its_words(cased, form):
    words = cased.split()
    classes = "nvpp" + "n" * (len(words) - 4)
    tags = ["NNS", "VBP", *["NN"] * (len(words) - 2)]
    assert find_form(cased.lower().split(), words, classes, tags) is form


@pytest.mark.parametrize(
    ("tag", "is_finite"),
    [("VBD", (1, 1, 1)), ("VBP", (1, 1, 1)), ("VBZ", (1, 1, 1)), ("VBN", (0, 1, 1)),
     ("VB", (0, 1, 1)), ("VBG", (0, 0, 0))],
)  # fmt: skip
def test_verbs_that_have_a_subject(tag, is_finite):
    texts = [["dogs", "bark"], ["dogs", "bark", "."], ["we", "bark"]]
    found = [has_predicate(text, "nv."[: len(text)], ["NN", tag, "."]) for text in texts]
    assert tuple(found) == is_finite
    assert not has_predicate(["bark", "dogs"], "vn", [tag, "NNS"])


@pytest.mark.parametrize(
    ("text", "classes", "sign"),
    [
        *((f"x {before}-5 y", "nc n", "-") for before in ("(", "=", ":", ",", "<", ">")),
        ("-5 y", "cn", "-"), ("x y-5", "nn", None), ("x -5 y", "ncn", ""),
        *((f"x -5{after}", "ncn", "-") for after in ("°", " degrees", " %", " C", " F")),
        *(("x -5 y", f"{kind}cn", "-") for kind in "bxvpds"),
        ("10 minus 5", "cpc", ""), ("is minus 5", "bpc", "-"), ("minus 5", "pc", "-"),
        ("x --5", "bc", ""), ("x -$5", "bc", "-"), ("x − 5", "bc", ""),
    ],
)  # fmt: skip
def test_signs_of_numbers(text, classes, sign):
    tokens = [token.strip("(=:,<>°%").lstrip("-$") for token in text.split()]
    tokens = [token for token in tokens if token not in ("", "−")]
    found = find_signs(text, tokens, classes.replace(" ", "") + "n" * 5).get("5")
    assert (None if found is None else found[0].sign) == sign


@pytest.mark.parametrize("words", ["wider", "much wider", "far wider", "more wide"])
def test_other_words_of_a_comparison_change_nothing(words):
    pair = f"The road is {words} than the path.", "The path is narrower than the road."
    assert find_contrasts([pair, pair[::-1]]) == [[], []]
    assert all(find_contrasts([(pair[0], "The road is narrower than the path.")]))


@pytest.mark.parametrize(
    ("first", "second", "weight"),
    [
        ("tea", "coffee", 1.0),
        ("dog", "cat", 1.0),
        ("dog", "animal", 0.0),
        ("man", "woman", 0.9),
        ("man", "biker", 0.6002),
        ("plumber", "dentist", 0.9),
        ("sofa", "couch", 0.0),
        ("red", "blue", 1.0),
        ("red", "crimson", 0.0),
        ("walk", "run", 0.6757),
        ("eat", "devour", 0.0),
        ("big", "large", 0.0),
        ("big", "tall", 0.3851),
        ("happy", "glad", 0.0),
        ("happy", "tired", 0.8793),
        ("lisinopril", "gabapentin", 1.0),
        ("prednisone", "prednisolone", 1.0),
        ("asmith", "bsmith", 1.0),
        ("auth", "billing", 1.0),
        ("xqzvbnk", "xqzvbnh", 1.0),
        ("kettle", "toaster", 0.9),
        ("violin", "cello", 1.0),
        ("monday", "tuesday", 0.0),
        ("car", "truck", 1.0),
        ("car", "engine", 0.4094),
        ("quickly", "slowly", 0.4632),
        ("theatre", "theater", 0.0),
        ("guitar", "guitars", 0.0),
        ("bread", "butter", 0.9),
        ("scarf", "hat", 1.0),
        ("grey", "gray", 0.0),
        ("lemon", "lime", 1.0),
        ("oak", "elm", 1.0),
        ("knife", "fork", 1.0),
        ("nurse", "doctor", 1.0),
        ("actor", "actress", 0.0),
        ("jumping", "leaping", 0.0),
        ("stirring", "mixing", 0.8995),
        ("peeling", "slicing", 1.0),
        ("xqza", "xqzb", 1.0),
        ("paris", "london", 0.6448),
        ("house", "home", 0.0),
    ],
)
def test_how_strongly_one_word_excludes_another(first, second, weight):
    lexical = LexicalFeatures(["attribute_flip"]).fit([("", "")])
    pair = f"We saw the {first} there.", f"We saw the {second} there."
    assert lexical.transform([pair, pair[::-1]]) == pytest.approx(weight, abs=1e-3)
