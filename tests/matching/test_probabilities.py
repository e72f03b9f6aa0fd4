"""The probabilities of a few pairs of each kind of table.

People set thresholds and keep decisions by these numbers, so they are the same in each version.
A change of one of them is a change of results: it needs a reason, and a line in the changelog.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit

from skpara import Deduplicator, TableMatcher

COMPANIES = {
    "Harlow Timber Ltd": "Harlow Timber Limited",
    "Sony PS-LX350H turntable": "Sony PSLX350H Belt Drive Turntable",
    "Univ. of Oslo": "University of Oslo",
    "Dr. Anna K. Berg": "Anna Berg",
    "Koss EQ50 3-band equalizer": "Koss stereo equalizer EQ60",
    "Nordic Sea Foods": "Nordic Seafoods A/S",
    "black ink cartridge 2 pack": "ink cartridge, black, pack of 4",
    "St. Mary's Hospital": "Saint Mary Hospital",
    "Blue Door Cafe": "The Blue Doors",
    "Café Quade": "Cafe Kwade",
    "Oster & Pell": "Pell and Oster GmbH",
    "Lind Brothers": "Bank of Graz",
}
SENTENCES = {
    "A man plays a guitar.": "Someone is playing the guitar.",
    "The bank raised its rates on Monday.": "On Monday, the bank raised interest rates.",
    "How do I learn to cook?": "What is the best way to learn cooking?",
    "Two dogs run in the snow.": "Dogs are running through snow.",
    "The train was late again.": "Once more the train came late.",
    "She sold her old car.": "Her old car was sold.",
    "It rains in Oslo.": "The museum opens at nine.",
    "Storm hits the coast.": "A storm has hit the coast of Peru.",
}
COLUMNS = ["name", "city", "born", "phone", "price", "about"]
PEOPLE = [
    ("Anna Berg", "Lund", "1980-01-02", "046 12 34 567", "12.50", "repairs old clocks, 2 kg"),
    ("Carl Berg", "Lund", "1983-05-06", "046 12 34 568", "40", "sells used cars, model AX-100"),
    ("Dana Cole", "York", "1990-07-08", "01904 555 123", "7.99", "teaches 12 children to swim"),
    ("Anna Bergman", "York", "1975-03-04", "01904 555 777", "1,200.00", "paints boats"),
    ("Finn Dahl", "Oslo", "", "22 33 44 55", "19", "writes 3 books about birds"),
    ("Gina Ek", "", "1969-12-31", "", "88.10", "runs a small bakery near the station"),
    ("Hugo Lind", "Bergen", "1955-11-30", "55 12 90 34", "3", ""),
    ("Ida Moor", "Turin", "2001-02-14", "011 778 8990", "250", "studies maps"),
]
OTHERS = [
    ("Berg, Anna", "Lund", "2 January 1980", "+46 46 1234567", "12.5 EUR", "old clocks, 2000 g"),
    ("Karl Berg", "Lund", "1983-05-07", "", "40", "sells cars, AX100"),
    ("Dana Coole", "York", "1990-07-08", "(01904) 555-123", "8", "teaches 10 children"),
    ("A. Bergman", "Leeds", "1975", "01904 555 777", "1200", "paints boats and ships"),
    ("Finn Dahl", "Oslo", "1950-10-10", "22 33 44 66", "25", "writes 4 books about cars"),
    ("Gina Eek", "Malmo", "31.12.1969", "", "88", "runs a bakery"),
    ("Hugo Lindt", "", "30/11/1955", "55129034", "", ""),
    ("Nora Pell", "Turin", "1999-09-09", "011 555 1212", "10", "dances"),
]
TABLES = {
    "names": (list(COMPANIES), list(COMPANIES.values())),
    "sentences": (list(SENTENCES), list(SENTENCES.values())),
    "records": (pd.DataFrame(PEOPLE, columns=COLUMNS), pd.DataFrame(OTHERS, columns=COLUMNS)),
    "two columns": (
        pd.DataFrame(PEOPLE, columns=COLUMNS)[["name", "born"]],
        pd.DataFrame(OTHERS, columns=COLUMNS)[["name", "born"]],
    ),
}
# The log odds of each row of the first table with the row at its place in the second one,
MATCHES = {
    "names": [
        4.816,
        6.292,
        6.426,
        4.015,
        2.811,
        5.651,
        5.811,
        4.687,
        1.149,
        3.806,
        6.715,
        -5.032,
    ],
    "sentences": [7.813, 9.499, 6.255, 8.606, 8.325, 10.257, -2.168, 6.013],
    "records": [3.952, 3.56, 4.302, 3.089, 3.086, 3.641, 4.186, -6.525],
    "two columns": [3.71, 1.248, 3.664, 0.716, 3.342, 3.488, 3.929, -6.239],
}
# and of these pairs within a table of both.
DUPLICATES = {
    "names": [12.0, 12.0, 12.0, 9.372, -3.288, 6.52, 9.618, 11.024, 0.151, -3.044, 12.0, np.nan],
    "sentences": [1.868, 2.562, 1.225, 2.25, 2.1, 3.523, -2.327, 1.023],
    "records": [0.919, 1.94, 2.836, 1.071, 0.661, 1.558, 4.58, -8.171],
    "two columns": [4.447, 1.304, 4.537, 0.8, 3.334, 4.052, 4.304, -6.54],
}


def columns_of(table):
    return None if isinstance(table, list) else list(table.columns)


def log_odds(pairs, scores, n):
    """The log odds of the pair of each row; those beyond 12 count as 12."""
    of_pairs = dict(zip(pairs, scores, strict=True))
    return np.clip(logit([of_pairs.get((row, row), np.nan) for row in range(n)]), -12, 12)


@pytest.mark.parametrize("name", TABLES)
def test_between_two_tables(name):
    queries, reference = TABLES[name]
    on = columns_of(queries)
    found = TableMatcher(top_k=None, threshold=0, guard=False).fit(reference, on=on).match(queries)
    found = found if on is None else found.to_frame()
    if on is None:
        pairs = zip(found["query"].tolist(), found["candidate"].tolist(), strict=True)
    else:
        places = [queries["name"].tolist().index, reference["name"].tolist().index]
        pairs = zip(
            map(places[0], found["name"]), map(places[1], found["name_match"]), strict=True
        )
    odds = log_odds(pairs, found["probability"], len(queries))
    np.testing.assert_allclose(odds, MATCHES[name], atol=2e-3)


@pytest.mark.parametrize("name", TABLES)
def test_within_one_table(name):
    first, second = TABLES[name]
    on, n = columns_of(first), len(first)
    both = first + second if on is None else pd.concat([first, second], ignore_index=True)
    found = Deduplicator(threshold=0.01, guard=False).fit(both, on=on)
    pairs = [(i, j - n) for i, j in found.pairs_.tolist()]
    np.testing.assert_allclose(
        log_odds(pairs, found.scores_, n), DUPLICATES[name], atol=2e-3, equal_nan=True
    )
