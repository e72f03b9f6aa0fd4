"""Kinds of columns, which capital letters and the number of columns do not change."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import Deduplicator, TableMatcher
from skpara.matching import Column, Kind
from skpara.matching._kinds import KINDS, as_kind, guessed, ratios, reading

NAMES = {
    "products": [
        "draper infrared remote transmitter", "koss eq50 3-band stereo equalizer",
        "sony turntable pslx350h", "case for 13 inch notebook", "black ink cartridge pack of 2",
    ],
    "papers": [
        "Semantic integration of environmental models for decision-making",
        "A survey of distributed query processing techniques", "Adaptive indexes for joins",
        "Efficient storage of sparse matrices", "On the design of database machines",
        "Parallel algorithms for nearest neighbours in high dimension",
    ],
    "restaurants": ["the blue door", "cafe on the hill", "mama's kitchen", "house of noodles"],
    "addresses": ["435 s. river blvd.", "12 w. hill street", "9 mill lane", "77 north road"],
    "cities": ["new york", "los angeles", "saint-denis", "west linn"],
    "people": ["a. blum and i. kant.", "m. li, j. doe and v. roe.", "c. lee.", "e. hesse."],
    "machines": ["Boeing 747", "Airbus A320 neo", "Tatra 77", "Concorde"],
}  # fmt: skip
SENTENCES = {
    "questions": ["How do I learn to cook?", "What is the best book of all?", "Can dogs swim?"],
    "captions": ["A man playing a guitar", "Two dogs in the snow", "girl in a red hat on a bike"],
    "headlines": ["Minister Resigns After Vote", "Storm Hits Coast", "Team wins third title"],
    "statements": ["It rains.", "Stocks fell.", "The train was late again."],
    "numbered": ["The dog number 1 runs.", "The dog number 2 runs.", "The dog number 3 runs."],
    # "in" is a function word of English, too.
    "German": ["Der Zug nach Bonn verkehrt leider nur in Richtung Norden."],
    "French": ["Les enfants jouent dans le jardin.", "Le monsieur mange une pomme verte."],
}  # fmt: skip
VALUES = {
    "date": ["Mar 12, 1980", "1 May 1999", "2001-05-06", "unknown", "31.12.2020", "1/2/1990"],
    "number": ["$5", "7.99", "1,200.50 EUR", "12", "-3"],
    "code": ["(404) 555-0123", "404 555 0199", "4045550123", "310/246-1501"],
    "size": ["825 x 559 mm", "H 82.5 cm; W 55.9 cm", "32 x 22 in."],
}


@pytest.mark.parametrize("change", [str, str.lower, str.upper])
@pytest.mark.parametrize("name", NAMES)
def test_names(name, change):
    assert guessed("guess", [*map(change, NAMES[name])]) == "names"


@pytest.mark.parametrize("change", [str, str.lower, str.upper])
@pytest.mark.parametrize("name", SENTENCES)
def test_sentences(name, change):
    cells = [*map(change, SENTENCES[name])]
    assert guessed("guess", cells) == guessed("text", cells) == "sentences"


# Texts that are sentences by one word, or one mark, and those that lack it.
BY_ONE_WORD = {
    "the red house by water": "the red house", "to house the red garden": "house red garden",
    "you and old red house": "old red houses", "my house and old walls": "old walls and red house",
    "red house or the wall": "red house or old wall", "who and old red house": "and old red house",
    "which and old red house": "a", "where and old red house": "the old wall",
    "there wall of red garden": "old wall of the red house", "dog barks loudly": "dog barks",
    "dog barked loudly": "Barks.", "dogs sleep outside": "dogs outside", "we may sing": "we may",
    "Big dogs seen near barn.": "Big dogs seen near barn",
    "Old train go near barn.": "Dogs seen near barn.",
    "Kinder spielen gern lieber Fussball.": "Kinder spielen gern Fussball.",
    "Kinder spielen gern lieber Fussball!": "Kinder spielen gern lieber Fussball",
    "Kinder spielen gern lieber Fussball?": "Kinder spielen gern lieber Fussball,",
    "\u5b50 spielen gern lieber Fussball\u3002": "\u5b50 spielen gern lieber Fussball",
    "\u5b50 spielen gern lieber Fussball\uff01": "\u5b50 spielen gern lieber Fussball\uff1b",
    "\u5b50 spielen gern lieber Fussball\uff1f": "\u5b50 spielen gern lieber Fussball\u3001",
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "name"), BY_ONE_WORD.items())
def test_one_word_makes_a_sentence(sentence, name):
    assert reading([sentence]) == ("sentences", 1)
    assert reading([name]) == ("names", 1)


@pytest.mark.parametrize("kind", VALUES)
def test_values(kind):
    assert reading(VALUES[kind])[0] == kind
    assert reading(VALUES[kind])[1] >= 0.8
    assert guessed("text", VALUES[kind]) == "names"
    assert reading([*VALUES[kind], *NAMES["cities"]])[0] == "names"


@pytest.mark.parametrize(
    "cells",
    [
        ["AB-1234", "CD-99", "ef12"], ["0017", "12345"],
        ["S/N US1036171", "SN382-698", "US1O36171"],
        ["EPP-5424", "B-2231 R"], ["12", "17", "103"], ["01", "12"],
    ],
)  # fmt: skip
def test_whole_numbers_and_single_words_with_digits_are_codes(cells):
    assert guessed("guess", cells) == "code"


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1999", "2001.0", "1995"], "date"), (["1843", "c. 1880", "19th century"], "date"),
        (["1", "5", "3"], "number"), (["10", "9", "12"], "number"), (["4*", "3*"], "number"),
        (["***", "****"], "number"), (["4 stars", "5 stars"], "number"),
        (["1249 sq ft", "116 sqm", "98 m\u00b2"], "number"), (["20 min", "0:20"], "number"),
        ([*map(str, range(2301, 2328)), "3.5", "7.5"], "number"),
        ([*map(str, range(2301, 2328)), "3.5"], "code"),
    ],
)  # fmt: skip
def test_years_are_dates_and_scores_are_numbers(cells, kind):
    assert guessed("guess", cells) == kind


def test_a_code_has_40_letters_and_digits_at_most():
    codes = [f"{digit} {'7' * 38}a" for digit in range(5)]
    assert reading(codes)[0] == "code"
    assert reading([f"{code}b" for code in codes])[0] != "code"


def test_a_given_kind_is_kept_and_nothing_is_names():
    assert guessed("date", ["x"]) == "date"
    assert reading([]) == reading(["", " "]) == ("names", 1.0)


def test_many_cells_are_read_by_a_sample():
    cells = np.array([["Oslo", "The dog runs in the park."]] * 2000).T.ravel().tolist()
    cells = [f"{cell} {number}" for number, cell in enumerate(cells)]
    kind, share = reading(cells)
    assert kind in ("names", "sentences")
    assert 0.45 < share < 0.55


def similarity(kind, left, right):
    """The similarity of two cells, the same from both sides."""
    both = [
        Column(kind, [b], "default").compare([a], np.zeros(1, int), np.zeros(1, int))[0]
        for a, b in ((left, right), (right, left))
    ]
    assert both[0] == pytest.approx(both[1], nan_ok=True)
    return both[0]


SAME = {
    "number": [
        ("1249 sqft", "1249 sq ft"), ("116 m\u00b2", "116 sqm"), ("12 in.", "304.8 mm"),
        ("12 in", "30.48 cm"), ("1.83 m", "183 cm"), ("20 min", "0:20"), ("526.5k", "GBP 526500"),
        ("\u00a3526,500", "GBP 526500"), ("526,500", "\u00a3526.5k"), ("500 ml", "0.5 l"),
        ("$5", "5,00"), ("183", "183 cm"), ("0", "0.0"),
    ],
    "size": [("825 x 559 mm", "H 82.5 cm; W 55.9 cm"), ("32.5 x 22 in.", "825.5 x 558.8 mm")],
    "code": [
        ("S/N US1036171", "US1036171"), ("SN382-698", "SN382698"), ("US1O36171", "US1036171"),
        ("US1O36l71", "us1036171"), ("00123", "123"), ("00123", "123.0"), ("1999", "1999.0"),
        ("(404) 555-0123", "+1 404 555 0123"),
    ],
    "date": [("1880-1885", "1880\u201385"), ("12 Mar 2020", "2020-03-12"), ("1999", "1999.0")],
    "same": [("\u00d6sterreich ", "OSTERREICH")],
    "exact": [("a  b", "A b")],
}  # fmt: skip
# Cells, and how alike they are.
ALIKE = [
    ("number", "860.90", "835.07", 0.9898),
    ("number", "100", "90", 0.8902),
    ("number", "100", "200", 0.1578),
    ("number", "5", "-5", 0.0),
    ("number", "0", "5", 0.0),
    ("size", "825 x 559 mm", "559 x 825 mm", 0.98),
    ("size", "825 x 559 mm", "825 x 559 x 30 mm", 0.784),
    ("size", "825 x 559 mm", "300 x 200 mm", 0.0785),
    ("code", "RE-2024-4068", "SVWZ+RE2024 4068 Kunde 77", 0.97),
    ("code", "RE-2024-4054", "SVWZ+RE2024 4068 Kunde 77", 0.381),
    ("code", "RE-2024-406", "RE-2024-4068", 0.9),
    ("code", "12-345-B", "12-345-C", 0.8333),
    ("code", "RE-2024-40", "X RE-2024-4068", 0.7273),
    ("code", "404-555-0123", "404-555-0132", 0.9),
    ("code", "100", "1", 0.3333),
    ("date", "1880-1885", "c. 1880", 0.9538),
    ("date", "1843", "19th century", 0.7307),
    ("date", "1843", "18th century", 0.0),
    ("date", "1880s", "1885", 0.8444),
    ("date", "1980-03-05", "March 1980", 0.7845),
    ("date", "1980-03-05", "1980", 0.6793),
    ("date", "2020-03-12", "2020-03-22", 0.9726),
    ("date", "2020-03-12", "2021-03-12", 0.875),
    ("exact", "a", "b", 0.0),
    ("date", "unknown", "2020-03-12", 0.0),
    ("date", "2020-03-12 10:00", "2020-03-12 10:30", 0.6),
    ("date", "2020-03-12 10:00", "2020-03-12 10:00", 1.0),
    ("date", "2020-03-12 10:00", "2020-03-12", 1.0),
    ("date", "2020-03-12 10:00:30", "2020-03-12 10:00", 1.0),
    ("date", "2020-03-12 10:00:30", "2020-03-12 10:00:40", 0.6),
    ("date", "2020-03-12 10:00", "2020-03-12 10:00:59", 1.0),
    ("date", "2020-03-12 10:00", "2020-03-12 10:01", 0.6),
    ("code", "RE-2024", "X RE-2024-4068", 0.5455),
    ("code", "abcdef", "xabcdefx", 0.75),
    ("code", "ab12cd", "x ab12cd x", 0.97),
    ("code", "b12cd", "x b12cd x", 0.7143),
    ("code", "ab12c4", "ab12c45", 0.8571),
    ("size", "825 x 559 x 30 mm", "30 x 559 x 825 mm", 0.98),
    ("code", "00123", "1230", 0.4),
    ("code", "0012", "12a", 0.25),
    ("number", "1.5", "1.05", 0.4143),
    ("date", "1980", "1981", 0.75),
]


def test_values_that_are_written_in_another_way_are_the_same():
    for kind, pairs in SAME.items():
        for left, right in pairs:
            assert similarity(kind, left, right) == pytest.approx(1, abs=1e-6), (left, right)


@pytest.mark.parametrize(("kind", "left", "right", "value"), ALIKE)
def test_similarities_are_graded(kind, left, right, value):
    assert similarity(kind, left, right) == pytest.approx(value, abs=1e-4)


def test_vaguer_dates_are_less_alike():
    cells = ["1843-05-01", "May 1843", "1843", "1840s", "19th century"]
    found = [similarity("date", cells[0], cell) for cell in cells]
    assert found == sorted(found, reverse=True)
    assert min(found) > 0.5  # none contradicts


CELLS = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[0-9]{1,5}([.,][0-9]{2})?( (cm|m|kg|in))?", fullmatch=True),
    st.from_regex(r"(c\. )?1[0-9]{3}(-1[0-9]{3}|s)?", fullmatch=True),
    st.from_regex(r"[A-Z]{0,2}[0-9OIl-]{1,8}", fullmatch=True),
    st.from_regex(r"[0-9]{2,3} x [0-9]{2,3}( x [0-9])? (mm|cm)", fullmatch=True),
    st.dates().map(str),
)


@given(CELLS, CELLS)
def test_similarities_are_symmetric_and_at_most_one(left, right):
    for kind in KINDS[3:]:
        found = similarity(kind, left, right)
        assert np.isnan(found) or 0 <= found <= 1
        own = similarity(kind, left, left)
        assert np.isnan(own) or own == 1


def test_numbers_have_the_unit_of_their_column():
    column = Column("number", ["173 cm", "180 cm", "5 kg", ""], "default")
    rows, columns = np.zeros(4, int), np.arange(4)
    found = column.compare(["1.73 m"], rows, columns)
    np.testing.assert_allclose(found[0], 1)
    assert np.isnan(found[3])
    np.testing.assert_array_equal(column.compare(["173"], rows, columns), found)
    assert column.read(["1.73 m", "red"]).forms.tolist() == ["173", "red"]
    np.testing.assert_allclose(ratios(found[1]), np.log(180 / 173))


class Colour(Kind):
    """Colours, of which some are the same."""

    name = "colour"

    def normal(self, cell):
        return {"scarlet": "red"}.get(cell.lower(), cell.lower())


def test_a_kind_of_ones_own():
    shop = {"item": ["mug", "mug", "jug"], "colour": ["red", "blue", "red"]}
    queries = {"item": ["mug"], "colour": ["Scarlet"]}
    for kind in (Colour, Colour()):
        matcher = TableMatcher(threshold=0).fit(shop, on={"item": "names", "colour": kind})
        assert matcher.kinds_ == {"item": "names", "colour": "colour"}
        for fitted in (matcher, pickle.loads(pickle.dumps(matcher))):
            assert fitted.match(queries)["candidate"].tolist() == [0]
            assert fitted._records.columns[1].compare(
                ["Scarlet"], np.zeros(2, int), np.arange(2)
            ).tolist() == [1, 0]


def test_kinds_are_said():
    shop = {"item": ["red mug", "blue mug"], "price": ["$5", "$7.50"], "year": ["1999", "2001"]}
    expected = {"item": "names", "price": "number", "year": "date"}
    assert TableMatcher().fit(shop, on=list(shop)).kinds_ == expected
    assert Deduplicator().fit(shop, on=list(shop)).kinds_ == expected
    assert Deduplicator().fit(["It rains today.", "The dog bit the man."]).kinds_ == {
        "text": "sentences"
    }
    with pytest.raises(ValueError, match="a Kind of your own, got 'colours'"):
        TableMatcher().fit(shop, on={"item": "text", "price": "colours"})
    with pytest.raises(ValueError, match="kind of a column is 'colours'"):
        as_kind("colours")


def test_rows_that_differ_in_writing_only_are_one_record():
    names = [
        "Caf\u00e9 Noir",
        "cafe  noir.",
        "ca\u00adfe noir",
        "C++",
        "C",
        "+5",
        "-5",
        "3.5",
        "35",
    ]
    matcher = TableMatcher(top_k=None).fit(names, on=None)
    assert matcher.match(["Cafe Noir"])["candidate"].tolist() == [0, 1, 2]
    assert len(matcher._records.whole) == 7
    table = {"name": names, "town": ["Lund"] * 9}
    deduplicator = Deduplicator().fit(table, on=["name", "town"])
    scores = dict(zip(map(tuple, deduplicator.pairs_.tolist()), deduplicator.scores_, strict=True))
    assert scores[0, 1] == scores[0, 2] == 1
    assert 1 not in [score for pair, score in scores.items() if pair[0] > 2]
