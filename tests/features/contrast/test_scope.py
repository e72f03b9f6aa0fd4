from __future__ import annotations

import pytest

from skpara import LexicalFeatures, load_model, save_model
from skpara.features import find_contrasts
from skpara.features.contrast._phrases import Phrase, Phrases
from skpara.features.contrast._scope import find_scopes

REASONS = [
    ("She almost missed the ferry.", "She missed the ferry.", "only one has almost"),
    ("The dam all but burst last night.", "The dam burst last night.", "only one has all but"),
    ("They could have sold it.", "They sold it.", "only one has could have"),
    ("Kim could easily have won.", "Kim won.", "only one has could easily have"),
    ("He pretended to sleep.", "He slept.", "only one has pretended to"),
    ("I wish I had bought the flat.", "I bought the flat.", "only one has wish"),
    ("She tried to swim here.", "She swam here.", "only one has tried"),
    ("It ends if you pay.", "It ends unless you pay.", "unless, not if"),
    ("We go even if it snows.", "We go only when it snows.", "only when, not even if"),
    ("It went on despite the rain.", "It went on because of the rain.", "because of, not despite"),
    ("Staff can also park here.", "Only staff can park here.", "Only, not also"),
    ("Use honey instead of sugar.", "Use honey as well as sugar.", "as well as, not instead of"),
    ("All agreed except Tom.", "All agreed including Tom.", "including, not except"),
    ("Tenants have to clear snow.", "Tenants may clear snow.", "may, not have to"),
    ("He used to smoke a pipe.", "He smokes a pipe.", "only one has used to"),
    ("She considered selling it.", "She sold it.", "only one has considered"),
    ("The page was translated.", "The page is about to be translated.", "only one has about to"),
    ("He might resign today.", "He will resign today.", "will, not might"),
    ("Even Tom passed.", "Only Tom passed.", "Only, not Even"),
    ("They could cut rates.", "They will cut rates.", "will, not could"),
    ("Bring food if it is shut.", "Bring food in case it is shut.", "in case, not if"),
    ("Everyone but Jim left.", "Everyone along with Jim left.", "along with, not Everyone but"),
    ("He offered to buy the road.", "He bought the road.", "only one has offered to"),
    ("They stopped to talk.", "They stopped talking.", "stopped, not stopped"),
    ("I forgot to lock it.", "I forgot locking it.", "forgot, not forgot"),
    ("I used to run the bar.", "I am used to running the bar.", "used to, not used to"),
    ("You mustn't reply.", "You needn't reply.", "need not, not must"),
]


@pytest.mark.parametrize(("first", "second", "reason"), REASONS)
def test_a_word_that_changes_a_clause_is_a_reason(first, second, reason):
    forward, backward = find_contrasts([(first, second), (second, first)])
    assert ("scope", reason) in [(found.kind, str(found)) for found in forward]
    assert "scope" in [found.kind for found in backward]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("She almost missed the ferry.", "She nearly missed the ferry."),
        ("He almost hid.", "He tried to hide."),
        ("You must wear a helmet.", "You have to wear a helmet."),
        ("It may rain later.", "It might rain later."),
        ("Even though it rained, they left.", "They left although it rained."),
        ("Ask if he is here.", "Ask whether he is here."),
        ("You may swim only if I watch.", "You may not swim unless I watch."),
        ("She tried to sell it.", "She tried selling it."),
        ("He planned to leave.", "He plans to leave."),
        ("The key is used to open it.", "The key opens it."),
        ("It will open at ten.", "It can open at ten."),
        ("You will pay at once.", "You have to pay at once."),
        ("Use honey instead of sugar.", "Use honey rather than sugar."),
        ("It rings unless the door is shut.", "It rings if the door is not shut."),
        ("You must not run.", "You may not run."),
        ("You may run.", "You can run."),
        ("We met Otto in May.", "In May we met Otto."),
        # In reports, these are often left out.
        ("Uber is reportedly closing.", "Uber is closing."),
        ("The lift may be broken.", "The lift is broken."),
        # The rest is another clause.
        ("He almost fell.", "A cat sleeps on the warm stove."),
    ],
)
def test_the_same_scope_in_other_words_is_no_reason(first, second):
    both = find_contrasts([(first, second), (second, first)])
    assert [[str(found) for found in row if found.kind == "scope"] for row in both] == [[], []]


@pytest.mark.parametrize(
    ("first", "second", "is_reason"),
    [
        ("Is the pool open to guests?", "The pool is open to guests.", True),
        ("Did you pay the bill?", "You paid the bill.", True),
        ("Can you send the file?", "You can send the file.", False),
        ("Is the pool open?", "Is the pool open to guests?", False),
        ("Only members can book on Sundays.", "Members can book only on Sundays.", True),
        ("Only members can book.", "Only members can book.", False),
    ],
)
def test_questions_and_moved_words(first, second, is_reason):
    for reasons in find_contrasts([(first, second), (second, first)]):
        assert [reason.kind for reason in reasons] == ["scope"] * is_reason


def test_what_reports_leave_out_is_a_hint():
    lexical = LexicalFeatures(["scope_flip", "flips"])
    pairs = [
        ("The lift may be broken.", "The lift is broken."),
        ("She almost won.", "She won."),
        ("She won.", "She won."),
    ]
    assert lexical.fit_transform(pairs).tolist() == [[0.5, 0.5], [1, 1], [0, 0]]


def scopes(text):
    """The values of the scopes of a text such as "almost/r fell/v", with their words."""
    tokens, classes = zip(*(word.split("/") for word in text.split()), strict=True)
    return [
        (scope.operator.value, " ".join(tokens[scope.start : scope.end]))
        for scope in find_scopes(tokens, tokens, "".join(classes))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("he/n would/x not/! have/x won/v", [("not so", "would not have")]),
        ("he/n would/x have/v fun/n", []),
        ("he/n could/x have/x been/b here/r", [("not so", "could have")]),
        ("in/p spite/n of/p rain/n", [("despite", "in spite of")]),
        ("only/r if/s he/n pays/v", [("only if", "only if")]),
        ("in/p may/x otto/n left/v", []),
        ("all/d but/s otto/n left/v", []),
        ("try/v the/d soup/n", []),
        ("a/d dog/n", []),
    ],
)
def test_scopes_of_a_sentence(text, expected):
    assert scopes(text) == expected


def test_the_longest_phrase_counts():
    meanings = {"because": 1, "because of": 2, "in spite of": 3}
    words = "because of rain in spite of".split()
    by_first, by_longest = Phrases(meanings), Phrases(meanings, by_longest=True)
    assert by_first.keys == {"because", "in"}
    assert by_longest.keys == {"because", "spite"}
    for phrases in (by_first, by_longest):
        found = [phrases.match(words, place) for place in range(len(words))]
        assert [phrase for phrase in found if phrase] == [Phrase(0, 2, 2), Phrase(3, 6, 3)]
    assert by_longest.match(["spite", "of"], 0) is None


def test_models_of_before_keep_their_columns(tmp_path):
    lexical = LexicalFeatures("contrast").fit([("", "")])
    assert lexical.features_[-1] == "scope_flip"
    pairs = [("She almost won the race.", "She won no race."), ("A dog ran.", "Two dogs ran.")]
    expected = lexical.transform(pairs)[:, :-1]
    lexical.features_ = lexical.features_[:-1]  # as files have them that were written before
    save_model(lexical, tmp_path / "before.skpara")
    before = load_model(tmp_path / "before.skpara")
    assert before.get_feature_names_out().tolist() == lexical.features_
    assert before.transform(pairs).tolist() == expected.tolist()
