"""The probabilities of a few pairs of each kind of table.

People set thresholds and keep decisions by these numbers, so they are the same in each version.
A change of one of them is a change of results: it needs a reason, and a line in the changelog.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from repeated_names import with_copies
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


def larger(kind):
    """Tables whose rows teach weights: names with errors, towns, years and prices."""
    names, numbers = with_copies("persons" if kind == "records" else kind, 100, 60, 3)
    frame = pd.DataFrame({"name": names})
    if kind == "records":
        frame["town"] = [f"{'ABCDE'[k % 5]}ton{'abc'[k % 3]}" for k in numbers]
        frame["born"] = [str(1940 + 37 * k % 63) if k % 7 else "" for k in numbers]
        frame["price"] = [f"{5 + k % 11}.{k % 4}0" for k in range(len(numbers))]
    return frame


# Sums of log odds over all pairs that are at all probable, by rows, between two tables
BETWEEN = {
    "persons": [822.08, 955.0, 707.68, 891.74, 803.92, 838.57, 609.88, 1213.06, 948.85, 1179.49],
    "companies": [1189.83, 656.79, 701.14, 682.12, 689.24, 952.08, 553.71, 979.68, 595.87, 615.86],
    "addresses": [702.01, 565.46, 593.23, 736.52, 551.51, 587.06, 669.3, 628.77, 871.82, 864.46],
    "records": [327.28, 496.22, 582.25, 394.88, 433.17, 648.48, 436.53, 614.15, 618.41, 701.86],
}
# and within one.
WITHIN = {
    "persons": [100.14, 138.81, 106.4, 135.68, 49.69, 136.38, 129.59, 113.06, 158.07, 120.42],
    "companies": [137.91, 92.82, 116.95, 99.14, 127.38, 144.47, 87.22, 73.79, 85.47, 146.39],
    "addresses": [99.88, 120.27, 99.37, 100.0, 94.16, 159.75, 114.16, 133.62, 137.07, 112.92],
    "records": [323.77, 340.98, 325.29, 289.18, 256.94, 337.88, 271.09, 344.56, 275.35, 327.42],
}


def sums(rows, probabilities):
    """By the last digit of the row; each pair counts by how much it is more than -8."""
    return np.bincount(rows % 10, np.clip(logit(probabilities), -8, 12) + 8, 10)


@pytest.mark.parametrize("kind", BETWEEN)
def test_all_pairs_between_larger_tables(kind):
    table = larger(kind)
    reference, queries = table[:50], table[50:]
    matcher = TableMatcher(top_k=None, threshold=0, guard=False).fit(reference, on=list(table))
    found = matcher.match(queries)
    np.testing.assert_allclose(
        sums(found["query"], found["probability"]), BETWEEN[kind], rtol=1e-4
    )


@pytest.mark.parametrize("kind", WITHIN)
def test_all_pairs_within_a_larger_table(kind):
    table = larger(kind)
    found = Deduplicator(threshold=0.01, guard=False).fit(table, on=list(table))
    np.testing.assert_allclose(sums(found.pairs_[:, 0], found.scores_), WITHIN[kind], rtol=1e-4)
