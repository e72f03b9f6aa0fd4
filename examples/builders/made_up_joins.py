"""Tables of two institutions that are made up, with the pairs of rows that are the same thing.

A second family of tables beside ``made_up_tables.py``, by another hand: other trades, denser and
sparser columns, and institutions that write differently rather than wrongly (units, currencies,
vocabularies, transliterations, vague dates, reworded texts). What decides whether a candidate is a
match is learned from both, so that it is not learned from one author's habits.

A kind makes things and relatives of them: another thing that looks alike, such as the next
edition, the other wing, the flat next door. A table draws its columns, two institutions with a
writer for each column, and how careful they are. A careful human can decide every pair: two things
differ in columns that every table of the kind has, and these are not left empty.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from joined_goods import DEVICES, PLANTS, SECOND_HAND, SPECIMENS, VARIANTS, VEHICLES
from joined_kinds import WHOLE, Change, Column, Kind, Thing, World
from joined_people import ATHLETES, JOBS, PATIENTS, STAFF, SURVEY
from joined_places import FIRMS, FLATS, HOTELS, TRANSACTIONS
from joined_works import BUILDS, EPISODES, OBJECTS, PACKAGES, RECIPES, REFERENCES
from made_up_tables import MadeUpTable
from made_up_writers import LETTERS, Writer, with_short_words, with_slip

Record = dict[str, str]
SHARES = (1.0, 0.5, 0.25, 0.1, 0.0)  # of queries with a counterpart
REPEATED = (0.0, 0.15, 0.4)  # of the things of one table
MOST_COLUMNS = 8
SIZE = (60, 500)  # rows of a table
# So many things that were there before are made again until a table gets more words.
MOST_REFUSED = 100

KINDS: dict[str, Kind] = {
    "staff": STAFF,
    "patients": PATIENTS,
    "transactions": TRANSACTIONS,
    "flats": FLATS,
    "jobs": JOBS,
    "objects": OBJECTS,
    "devices": DEVICES,
    "references": REFERENCES,
    "recipes": RECIPES,
    "hotels": HOTELS,
    "athletes": ATHLETES,
    "packages": PACKAGES,
    "builds": BUILDS,
    "plants": PLANTS,
    "specimens": SPECIMENS,
    "vehicles": VEHICLES,
    "survey": SURVEY,
    "episodes": EPISODES,
    "second hand": SECOND_HAND,
    "firms": FIRMS,
    "variants": VARIANTS,
}


class House(NamedTuple):
    """How an institution writes, and how carefully."""

    writers: dict[str, Writer]
    letters: Callable[[str], str]
    slips: float  # share of cells with an error
    gaps: dict[str, float]  # share of empty cells of a column
    nothing: str  # what stands in them
    changed: dict[str, float]  # share of cells that are no longer what the other has
    shortened: float  # share of cells with words that are cut
    exchanged: float  # share of rows with a cell in the wrong column
    width: int  # most characters of a column
    whole: list[str]  # columns that are not cut


class Row(NamedTuple):
    """A row before it is written."""

    number: int  # of the thing
    house: House
    second: bool  # what may have changed has changed


class Things(NamedTuple):
    """All things of a table."""

    values: list[Thing]
    lone: list[bool]  # without relatives: the first column that tells is enough


class Plan(NamedTuple):
    """What two tables have, or one."""

    columns: list[Column]
    telling: list[Column]  # in which relatives differ
    houses: list[House]
    useless: str | None  # a column that says nothing


def draw_columns(w: World, kind: Kind) -> tuple[list[Column], list[Column]]:
    """Return the columns that tell, and others."""
    telling = w.pick(kind.layouts)
    taken = {column.name for column in telling}
    others = [column for column in w.shuffled(kind.others) if column.name not in taken]
    fewest, most = max(0, 3 - len(telling)), MOST_COLUMNS - len(telling)
    # Small tables are as frequent as wide ones.
    return telling, others[: w.pick([fewest, fewest + 1, w.integer(fewest, most), most])]


def draw_house(
    w: World, telling: list[Column], others: list[Column], rough: float, like: House | None
) -> House:
    """Return an institution, perhaps with most of the habits of another one.

    ``rough`` says how careless people are in this table, from 0 to 1.
    """
    columns = [*telling, *others]
    writers = {column.name: w.pick(column.writers) for column in columns}
    letters = w.pick(LETTERS)
    if like is not None:
        same = 0.8 if w.chance(0.2) else 0.2
        for column in columns:
            habit = like.writers[column.name]
            # Rivals without repetition: what is frequent would be frequent at both.
            rivals = [writer for writer in set_of(column.writers) if writer is not habit]
            writers[column.name] = habit if w.chance(same) or not rivals else w.pick(rivals)
        letters = like.letters if w.chance(same) else letters
    gaps = {column.name: w.random() * rough * w.pick([0.0, 0.5, 1.0]) for column in others} | {
        # Of things without relatives, what tells may be missing, too, but never all of it.
        column.name: w.random() * rough * w.pick([0.0, 0.4])
        for column in telling[1:]
    }
    return House(
        writers,
        letters,
        w.pick([0.0, 0.3, 0.6]) * w.random() * rough,
        gaps,
        w.pick(["", "", "", "", "-", "n/a", "unknown", "NULL"]),
        {column.name: w.pick([0.3, 1.0, 1.0]) * rough for column in columns if column.changes},
        w.pick([0.0, 0.0, 0.5]) * w.random() * rough,
        w.pick([0.0, 0.0, 0.03]) * rough,
        w.pick([18, 30, 500, 500, 500, 500]),
        [column.name for column in telling],
    )


def set_of(writers: Sequence[Writer]) -> list[Writer]:
    """Return the writers without repetition, in their order."""
    return list(dict.fromkeys(writers))


def cell_text(
    w: World, house: House, column: Column, thing: Thing, changes: Change | None = None
) -> str:
    """Return how an institution writes a value, perhaps after it has changed."""
    value = thing if column.of == WHOLE else value_of(thing, column.of or column.name)
    return house.writers[column.name](w, changes(w, value) if changes else value)


def write_cell(w: World, row: Row, column: Column, thing: Thing, tells: bool) -> str:
    """Return the text of a cell. ``tells``: a relative has another text there."""
    house = row.house
    if not tells and w.chance(house.gaps.get(column.name, 0)):
        return house.nothing
    changes = (
        column.changes if row.second and w.chance(house.changed.get(column.name, 0)) else None
    )
    text = cell_text(w, house, column, thing, changes)
    for _ in range(2):
        if w.chance(house.slips):
            text = with_slip(w, text)
    if tells:
        return house.letters(text).strip()
    if w.chance(house.shortened):
        text = with_short_words(w, text)
    text = house.letters(text).strip()
    return text if column.name in house.whole else text[: house.width].strip()


def value_of(thing: Thing, key: str) -> Any:
    """Return a value of a thing, or a part of one."""
    parts_of = {
        "given_only": lambda: (thing["name"][0], ""),
        "last_only": lambda: thing["name"][1],
        "first_author": lambda: thing["authors"][0],
    }
    return thing[key] if key in thing else parts_of[key]()


def letters_of(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, text.lower()))


def make_things(w: World, kind: Kind, plan: Plan, n: int) -> Things:
    """Return things with relatives for most of them, or for none."""
    share = w.pick([0.0, 0.25, 0.35, 0.45, 0.55])  # of things that others are made from
    seen: set[Hashable] = set()
    things: list[Thing] = []
    lone: list[bool] = []
    family: list[Thing] = []
    wanted = n_refused = 0
    while len(things) < n:
        thing = kind.relative(w, w.pick(family)) if wanted else kind.make(w)
        keys = kind.keys(thing)
        if any(key in seen for key in keys):
            wanted = max(0, wanted - w.pick([0, 1]))
            n_refused += 1
            if n_refused % MOST_REFUSED == 0:
                w.widen()
            continue
        seen.update(keys)
        things.append(thing)
        lone.append(not wanted)
        if wanted:
            wanted -= 1
            family.append(thing)
            lone[-len(family)] = False
        else:
            family = [thing]
            wanted = w.integer(1, kind.most_relatives) if w.chance(share) else 0
    first = plan.telling[0]
    for house in plan.houses:
        texts = [letters_of(cell_text(w, house, first, thing)) for thing in things]
        count = Counter(texts)
        lone = [alone and count[text] == 1 for alone, text in zip(lone, texts, strict=True)]
    return Things(things, lone)


# What columns that say nothing hold in a row of some number.
USELESS: dict[str, Callable[[World, int], str]] = {
    "row": lambda w, i: str(i + 1),
    "id": lambda w, i: str(40_000 + 3 * i),
    "uuid": lambda w, i: f"{w.rng.bytes(4).hex()}-{w.rng.bytes(2).hex()}-{w.rng.bytes(6).hex()}",
    "record": lambda w, i: f"{w.letters(3)}{w.digits(5)}",
    "imported": lambda w, i: w.date(2023, 2024).isoformat(),
    "source": lambda w, i: w.pick(["A", "B", "manual", "import"]),
}


def draw_plan(w: World, kind: Kind) -> Plan:
    """Return the columns of a table and its two institutions."""
    telling, others = draw_columns(w, kind)
    rough = w.pick([0.1, 0.5, 1.0, 1.0]) * (1 + w.random()) / 2
    first = draw_house(w, telling, others, rough, None)
    second = draw_house(w, telling, others, rough, first)
    return Plan(
        w.shuffled([*telling, *others]),
        telling,
        [first, second],
        w.pick(list(USELESS)) if w.chance(0.35) else None,
    )


def write_rows(
    w: World, plan: Plan, things: Things, rows: list[Row]
) -> tuple[list[Record], list[int]]:
    """Return rows in any order with the numbers of their things.

    Of two things that errors have made equal in all columns, the second one is left out.
    """
    owners: dict[tuple[str, ...], int] = {}
    records, numbers = [], []
    telling = {column.name for column in plan.telling}
    for row in w.shuffled(rows):
        record = {}
        for column in plan.columns:
            value = things.values[row.number]
            tells = column.name in telling and not things.lone[row.number]
            record[column.name] = write_cell(w, row, column, value, tells)
        if w.chance(row.house.exchanged):
            one, other = w.shuffled(list(record))[:2]
            record[one], record[other] = record[other], record[one]
        letters = tuple(map(letters_of, record.values()))
        if owners.setdefault(letters, row.number) != row.number:
            continue
        if plan.useless:
            record[plan.useless] = USELESS[plan.useless](w, len(records))
        records.append(record)
        numbers.append(row.number)
    return records, numbers


def world(kind: str, variant: str, seed: int) -> World:
    """Return the words and chances of one table, which depend on nothing else."""
    return World(np.random.default_rng([seed, zlib.crc32(f"{kind}, {variant}".encode())]))


def two_tables(kind: str, share: float, seed: int) -> MadeUpTable:
    """Return queries and a reference of which a share of the queries is."""
    w = world(kind, f"joined {share}", seed)
    plan = draw_plan(w, KINDS[kind])
    first, second = plan.houses
    n_queries, n_reference = round(w.between(*SIZE)), round(w.between(*SIZE))
    if w.chance(0.3):
        n_queries, n_reference = w.pick([(SIZE[1] // 3, SIZE[1]), (SIZE[1], SIZE[1] // 3)])
    n_known = round(share * n_queries)
    n_reference = max(n_reference, n_known)
    things = make_things(w, KINDS[kind], plan, n_queries + n_reference - n_known)
    order = w.shuffled(range(len(things.values)))
    queries = [Row(i, second, True) for i in order[:n_queries]]
    reference = [Row(i, first, False) for i in order[n_queries - n_known :]]
    left, left_numbers = write_rows(w, plan, things, queries)
    right, right_numbers = write_rows(w, plan, things, reference)
    places = {number: place for place, number in enumerate(right_numbers)}
    matches = {
        (row, places[number]) for row, number in enumerate(left_numbers) if number in places
    }
    return MadeUpTable(kind, left, right, matches, False)


def single_table(kind: str, share: float, seed: int) -> MadeUpTable:
    """Return a table in which a share of the things is written more than once."""
    w = world(kind, f"single {share}", seed)
    plan = draw_plan(w, KINDS[kind])
    first, second = plan.houses
    # A repeated thing has 1.2 or 2.5 copies on average.
    n_copies = share * (2.5 if share > 0.2 else 1.2)
    things = make_things(w, KINDS[kind], plan, round(w.between(*SIZE) / (1 + n_copies)))
    # Two sources were put together, or one institution wrote everything down again.
    mixed = w.chance(0.5)
    rows = []
    for number in range(len(things.values)):
        n_writings = 1
        if w.chance(share):
            n_writings = w.integer(2, 5) if share > 0.2 else w.pick([2, 2, 2, 3])
        houses = [w.pick([first, second]) if mixed else first for _ in range(n_writings)]
        rows += [Row(number, house, i > 0) for i, house in enumerate(houses)]
    records, numbers = write_rows(w, plan, things, rows)
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, []).append(place)
    pairs = {pair for same in places.values() for pair in combinations(same, 2)}
    return MadeUpTable(kind, records, records, pairs, True)


def made_up_joins(seed: int) -> Iterator[tuple[str, float, MadeUpTable]]:
    """Yield kinds, shares and tables: two tables at each share, then single ones.

    A share is that of queries with a counterpart, or that of things with duplicates.
    """
    for kind in KINDS:
        for share in SHARES:
            yield kind, share, two_tables(kind, share, seed)
        for share in REPEATED:
            yield kind, share, single_table(kind, share, seed)
