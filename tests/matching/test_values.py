"""Readers of values: numbers, quantities, codes, phone numbers and dates, as people write them."""

from __future__ import annotations

import datetime
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara._normal_form import compact, is_placeholder, key, record_key
from skpara.matching._codes import codes
from skpara.quantities import days, digits, number, numbers, quantities, sides, with_plain_phones


def as_dates(span):
    """The first and last day in ISO 8601; one of them if they are the same."""
    if np.isnan(span).any():
        return None
    dates = [np.datetime64(int(value), "D").item().isoformat() for value in span]
    return "/".join(dict.fromkeys(dates))


def read_date(cell):
    """The date of a cell alone, if both orders of day and month say the same."""
    first, second = map(as_dates, days([cell])[0])
    assert first == second
    return first


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,5", 1.5), ("1.5", 1.5), (".5", 0.5), ("5.", 5), ("1,234", 1234), ("1.234", 1.234),
        ("0,123", 0.123), ("1,234.50", 1234.5), ("1.234,50", 1234.5), ("1 234,5", 1234.5),
        ("1'234", 1234), ("1.234.567", 1234567), ("-5", -5), ("\u22125", -5), ("+5", 5),
        ("$5", 5), ("5 EUR", 5), ("EUR 5", 5), ("US$ 1,200", 1200), ("$1.5 million", 1.5e6),
        ("$5m", 5e6), ("5k", 5000), ("5 kg", 5), ("7.50 %", 7.5), ("1st", 1), ("First", 1),
        ("two", 2), ("1e5", 1e5), ("\u0661\u0662", 12), ("\u00bd inch", 0.5),
        ("1 hr. 13 min.", 73), ("0:20", 20), ("1:30:30", 90.5),
        ("\u2605\u2605\u2605\u2606", 3), ("***", 3), ("4*", 4),
        ("4 stars", 4), ("116 m\u00b2", 116), ("526.5k", 526500),
        ("5'10\"", 70), ("1e999", 1e300), ("9" * 400, 1e300),
    ],
)  # fmt: skip
def test_numbers_of_cells(text, expected):
    assert number(text) == pytest.approx(expected)
    assert number(f" {text} ") == number(text)


@pytest.mark.parametrize(
    "text", ["", "abc", "nan", "inf", "1_000", "1.2.3", "31.1.2024", "5-10", "5 apples", "A4", "-"]
)
def test_what_is_no_number(text):
    assert np.isnan(number(text))


@given(st.decimals(-(10**9), 10**9, places=2))
def test_numbers_are_read_as_they_are_formatted(value):
    expected = pytest.approx(float(value))
    english = f"{value:,.2f}"
    assert number(english) == expected
    assert number(english.translate(str.maketrans(",.", ".,"))) == expected
    assert number(f"{value:f} USD") == expected


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("bottle 500 ml", "bottle 0.5 l"), ("500 mL", "50cl"), ("1000GB", "1 TB"),
        ("12 inch", '12"'), ("12-inch", "30.48 cm"), ("12''", "1 ft"), ("1/2 inch", "0.5 in."),
        ('3 1/2" bolt', '3.5" bolt'), ("2 x 3 cm", "20mm x 30mm"), ("6-pack", "pack of 6"),
        ("6 ct", "6 pcs"), ("1 dozen", "12 pieces"), ("3.5 GHz", "3500 MHz"),
        ("2,2 Ah", "2200mAh"), ("1 hr 13 min", "73 minutes"), ("2 lb 3 oz", "35 oz"),
        ("1 kg", "1000 g"), ("$5", "5 USD"), ("12 fl. oz.", "12 fl oz"), ("12 pp", "12 pages"),
        ("10.2MP", "10.2 megapixels"), ("10.7639 sq ft", "1 sqm"), ("1 m\u00b2", "1 sq. m"),
        ("1249 sqft", "1249 square feet"), ("116 m2", "116 square metres"),
    ],
)  # fmt: skip
def test_equal_quantities_have_one_unit(text, other):
    assert quantities(text)
    assert quantities(text).keys() == quantities(other).keys()
    for measure, sizes in quantities(text).items():
        np.testing.assert_allclose(sorted(sizes), sorted(quantities(other)[measure]), rtol=2e-3)


# Every unit of tables, beside the same in units of sentences.
SAME_AMOUNTS = """
1 in = 25.4 mm; 1" = 25.4 mm; 1'' = 25.4 mm; 1' = 304.8 mm; 1 mtr = 1 m; 1 yds = 914.4 mm
1 gm = 1 g; 1 gr = 1 g; 1 lbs = 453.592 g; 1 kgs = 1 kg; 1 ounces = 28.3495 g
1 fl oz = 30 ml; 1 dl = 100 ml; 1 ltr = 1 l; 1 lt = 1 l; 1 gal = 3840 ml; 1 qt = 960 ml
1 pt = 480 ml; 5 ms = .005 seconds; 1 secs = 1 second; 1 mins = 60 seconds; 1 hrs = 3600 seconds
1 yr = 1 year; 1 yrs = 1 year; 1 kib = 1 kb; 1 mib = 1 mb; 1 gib = 1 gb; 1 tib = 1 tb; 1 gig = 1 gb
1000 hz = 1 khz; 1000 khz = 1 mhz; 1000 mhz = 1 ghz; 1000 mv = 1 v; 1 volt = 1 v; 1 volts = 1 v
1 vdc = 1 v; 1 vac = 1 v; 1 kv = 1000 v; 1 ah = 1000 mah; 1 mp = 1 megapixel
2 megapixels = 2 mp; 2 mpix = 2 mp; 1 gbps = 1000 mbps; 1 packs = 1 pack; 1 pk = 1 pack
1 ct = 1 pack; 1 count = 1 pack; 1 cnt = 1 pack; 1 pc = 1 pack; 1 pcs = 1 pack; 1 piece = 1 pack
1 pieces = 1 pack; 1 ea = 1 pack; 1 set = 1 pack; 1 doz = 12 pcs; 1 dozen = 12 pcs
1 pp = 1 page; 2 pages = 2 page; 2 pgs = 2 page; 1° = 1 degree; 2 degrees = 2 deg; 2 deg = 2 degree
"""
BASES = {
    "7 rpm": ("turns", 7), "7 dpi": ("resolution", 7), "7 °C": ("celsius", 7),
    "7 °F": ("fahrenheit", 7), "$7": ("dollar", 7), "7€": ("euro", 7), "7 £": ("pound", 7),
    "¥7": ("yen", 7), "₹7": ("rupee", 7), "7 hz": ("frequency", 7), "7 mah": ("charge", 7),
    "7 mp": ("pixels", 7), "7 mbps": ("speed", 7), "7 v": ("voltage", 7), "7 pack": ("pieces", 7),
    "7 pages": ("pages", 7), "7 degrees": ("degrees", 7),
}  # fmt: skip


def test_every_unit_is_known():
    for same in SAME_AMOUNTS.strip().replace("\n", ";").split(";"):
        [(measure, sizes)], [(other, expected)] = (
            quantities(text).items() for text in same.strip().split(" = ")
        )
        assert measure == other, same
        np.testing.assert_allclose(sorted(sizes), sorted(expected), rtol=2e-4, err_msg=same)


@pytest.mark.parametrize(("text", "expected"), BASES.items())
def test_every_measure_has_a_base(text, expected):
    assert quantities(text) == {expected[0]: {expected[1]}}


WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XII": 12, "XIV": 14}


def test_every_number_in_words():
    for value in range(1, 13):
        for words in (WORDS, RANKS.split()):
            word = words[value - 1]
            assert number(word) == number(word.upper()) == value
            expected = set() if word in ("one", "second") else {value}  # mostly no number
            assert numbers(f"the {word} of them") == expected
    for roman, value in ROMAN.items():
        assert numbers(f"Final Fantasy {roman}") == {value}
    assert not numbers("I saw V and X")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2k", 2e3), ("2 thousand", 2e3), ("2 mn", 2e6), ("2 million", 2e6), ("2bn", 2e9),
        ("2 billion", 2e9), ("$2m", 2e6), ("$2b", 2e9), ("$2 k", 2e3), ("2e300", 2e300 / 2),
        ("-2e300", -1e300), ("1e300", 1e300), ("9e299", 9e299), ("2e-3", 0.002),
    ],
)  # fmt: skip
def test_scales_of_numbers(text, value):
    assert number(text) == pytest.approx(value)


def test_what_is_no_quantity():
    for text in ("5 in stock", "2-in-1", "80's music", "1080p", "the 1990s", "20w50", "pslx350h"):
        assert not quantities(text)
    assert quantities("-5 degrees") != quantities("5 degrees")
    assert quantities("SPF 30, 50 ml") == {"volume": {50.0}}
    assert quantities("5-10 kg") == quantities("10 kg")
    assert quantities("5 min, 6 min") == {"time": {300.0, 360.0}}


def test_numbers_of_texts():
    assert numbers("SPF 30, 50 ml") == {30}
    assert numbers("The 4th Grammy of 1995") == {4, 1995}
    assert numbers("Final Fantasy VII") == numbers("Final Fantasy 7") == {7}
    assert numbers("pages 322-331") == {322, 331}
    assert numbers("1,234,567 of two") == {1234567, 2}
    assert not numbers("call (404) 555-0123 or PSLX350H on 2012-05-31")


def test_codes():
    assert codes("Sony turntable PS-LX350H") >= codes("sony PSLX350H") == {"pslx350h"}
    assert codes("DSC-W120/B") >= {"dscw120b", "dscw120", "w120"}
    assert codes("A4 paper, 802.11n, h.264") == {"a4", "80211n", "h264"}
    assert codes("ISBN 0-306-40615-2") == {"0306406152"}
    assert codes("article 121066") == {"121066"}
    assert codes("call (404) 555-0123 now") == {"4045550123"}
    assert not codes("3-way 12-inch 500ml 1st 80s 1,234,567 12345.67 2012-05-31 iphone 13")
    assert codes("part 12345, not 1234") == {"12345"}
    assert codes("ab-1cd-2") == {"ab1cd2", "ab1cd", "1cd2"}
    assert codes("a1/b2.c3_d4") >= {"a1b2", "a1b2c3d4", "c3d4"}
    assert codes("a1/b2.c3_d4") & {"a1", "d4"} == set()
    assert "a1b2c3d4e5f6" in codes("a1-b2-c3-d4-e5-f6-g7")
    assert not any("g7" in code for code in codes("a1-b2-c3-d4-e5-f6-g7"))
    assert codes("12in 12ab 12abc") == {"12ab"}


PHONES = [
    "(404) 555-0123",
    "4045550123",
    "+1 404 555 0123",
    "tel: 404.555.0123",
    "404/555-0123 x5",
]


def test_phones_are_compared_by_their_digits():
    assert {digits(phone) for phone in PHONES} == {"4045550123"}
    assert digits("0049 30 123456") == digits("+49 30 123456")
    assert digits("0017") != digits("17")
    assert digits("12-345-B") == digits("") == digits("four") == ""
    assert with_plain_phones("call (404) 555-0123 or 5") == "call 4045550123 or 5"


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-31", "2024/1/31", "20240131", "31.1.2024", "31. 1. 2024", "31-01-24", "1/31/2024",
        "31012024", "01312024", "Jan 31, 2024", "January 31st 2024", "31 Jan. 2024", "31-Jan-24",
        "31st of January, 2024", "2024-Jan-31", "Wed, 31 January 2024", "2024-01-31 00:00:00",
        "2024-01-31T12:30", "31 January 2024 (USA)",
    ],
)  # fmt: skip
def test_dates(text):
    assert read_date(text) == "2024-01-31"


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(2199, 12, 31)))
def test_dates_are_read_as_they_are_formatted(date):
    expected = date.isoformat()
    for form in ("%d %B %Y", "%b %d, %Y", "%Y%m%d", "%Y-%m-%d"):
        assert read_date(date.strftime(form)) == expected
    for form, other in (("%d.%m.%Y", "31.12.1999"), ("%m/%d/%Y", "12/31/1999")):
        assert [as_dates(x) for x in days([date.strftime(form), other])[0]] == [expected] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March 1980", "1980-03-01/1980-03-31"), ("1980-02", "1980-02-01/1980-02-29"),
        ("03/2011", "2011-03-01/2011-03-31"), ("1980", "1980-01-01/1980-12-31"),
        ("1999.0", "1999-01-01/1999-12-31"), ("1880-1885", "1880-01-01/1885-12-31"),
        ("1880\u20131885", "1880-01-01/1885-12-31"), ("1880-85", "1880-01-01/1885-12-31"),
        ("1880 to 1885", "1880-01-01/1885-12-31"), ("c. 1880", "1875-01-01/1885-12-31"),
        ("ca 1880", "1875-01-01/1885-12-31"), ("(circa 1880)", "1875-01-01/1885-12-31"),
        ("1880s", "1880-01-01/1889-12-31"), ("19th century", "1801-01-01/1900-12-31"),
        ("19th c.", "1801-01-01/1900-12-31"), ("late 1880s", "1886-01-01/1889-12-31"),
        ("early 19th century", "1801-01-01/1833-12-31"),
        ("mid-19th century", "1834-01-01/1866-12-31"),
        ("30 Dec 1999 - 2 January 2000", "1999-12-30/2000-01-02"),
        ("2024-01-30 to 2024-02-02", "2024-01-30/2024-02-02"), ("1/1/45", "1945-01-01"),
    ],
)  # fmt: skip
def test_dates_without_a_day_are_spans(text, expected):
    assert read_date(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "x", "12", "Mar 12", "13/13/2024", "30 Feb 2000", "310-475-3585", "99999999", "1885-1880",
     "4123-4567", "0th century"],
)  # fmt: skip
def test_what_is_no_date(text):
    assert read_date(text) is None


def test_a_column_shows_the_order_of_day_and_month():
    cells = ["1/2/2024", "3/3/2024", "unknown"]
    day_first, month_first = ([*cells, x] for x in ("31/1/2024", "1/31/2024"))
    assert [as_dates(x) for x in days(cells)[0]] == ["2024-02-01", "2024-01-02"]
    assert [as_dates(x) for x in days(day_first)[0]] == ["2024-02-01"] * 2
    assert [as_dates(x) for x in days(month_first)[0]] == ["2024-01-02"] * 2
    assert np.isnan(days(cells)[2]).all()
    assert days([]).shape == (0, 2, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("825 x 559 mm", [825, 559]), ("H 82.5 cm; W 55.9 cm", [825, 559]),
        ("82.5cm x 55.9cm x 3 cm (framed)", [825, 559, 30]), ("12 x 10 in.", [304.8, 254]),
        ('3 1/2" x 2"', [88.9, 50.8]), ("825 mm", []), ("825 x 559", []), ("5 kg x 3 kg", []),
        ("oak 825 x 559 mm", []),
    ],
)  # fmt: skip
def test_sides_of_sizes(text, expected):
    assert sides(text) == pytest.approx(expected)


SAME_RECORDS = [
    ("Caf\u00e9  Noir.", "cafe noir"), ("Smith, J", "SMITH J."),
    ("soft\u00adhyphen", "softhyphen"),
    ("zero\u200bwidth", "zerowidth"), ("m\u00b2", "m2"), ("\uff26ull", "full"), ("(5)", "5"),
    ("well-known", "well known"), ("\ufb01ne", "fine"), ("route 66.", "Route 66"),
]  # fmt: skip
OTHER_RECORDS = [
    ("C++", "C"), ("C#", "C"), ("+5", "-5"), ("5", "-5"), ("3.5", "35"), ("3.5", "3 5"),
    (".5", "5"),
    ("10\u00b2", "102"), ("1\u00bd", "11/2"), ("5'", '5"'), ("A & B", "A B"),
    ("$5", "5"), ("?", "!"),
    ("\U0001f44d", "\U0001f44e"), ("10-12", "1012"), ("3:5", "35"), ("5 %", "5"),
]  # fmt: skip


def test_equal_records_differ_in_writing_only():
    for left, right in SAME_RECORDS:
        assert record_key(left) == record_key(right), (left, right)
    for left, right in OTHER_RECORDS:
        assert record_key(left) != record_key(right), (left, right)


@given(st.text())
def test_any_text_is_read(text):
    for read in (number, digits, key, record_key, numbers, quantities, sides, codes):
        assert str(read(text)) == str(read(text))


# Parts of texts of which one is repeated, and what is behind.
REPEATED = [
    *(" ", "1", "a", "-", ".", "'", '"', "/", "x", "\n", "1 ", "1,", "1.", "1-", "1:", "1'", "1/"),
    *("a-", "a.", "1x", "1 x 1", "(1", "12 ", "123 ", "1234 ", "123,", "\u00a01", "1e", "-1 "),
    *("1 1/2 ", "1 in ", "5 kg ", "\u00a31 ", "may ", "1 may ", "2000 may ", "1880-1885 ", "x1 "),
    *("ext 1 ", "tel ", "pack of 1 ", "st ", "1st ", "of ", "n/a ", "c. ", "19th century "),
]
READERS = [
    codes,
    compact,
    digits,
    is_placeholder,
    key,
    number,
    numbers,
    quantities,
    record_key,
    sides,
]


@pytest.mark.parametrize("part", REPEATED)
def test_time_is_linear(part):
    """In time squared, 5,000 characters took half a second and more."""
    text = part * (5_000 // len(part)) + ":1\nx"
    start = process_time()
    for read in (*READERS, with_plain_phones):
        read(text)
    days([text])
    assert process_time() - start < 0.4
