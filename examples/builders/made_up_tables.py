"""Tables that are made up, with the pairs of rows that are the same thing.

``made_up_tables`` goes through kinds of tables (persons, families, books and their editions,
variants of products, ...). Each is made in several sizes, with a counterpart for all, half, few or
none of its queries, and as one table with and without duplicates. A packaged model over pairs of
rows learns from them. Different things that share most of their cells are frequent on purpose:
members of a family, editions, versions, sequels, branches of one company.

Things that nobody could tell apart by their cells are not made: any two differ in a column that
tells, and not all columns in which two similar things differ are left empty.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from made_up_errors import MISSING_SHARES, Hand, Style, draw_style, without_accents
from made_up_names import WORDS, Draw, Names

Record = dict[str, str]
# Tries for each thing before a kind counts as too small for the size that is asked for.
N_TRIES = 60
# Similar things have one key. Where many have it, each is compared with so many of them.
MOST_OF_A_KEY = 20


class MadeUpTable(NamedTuple):
    """Two tables, or one with duplicates, and what is the same in them."""

    kind: str
    left: list[Record]  # queries
    right: list[Record]  # reference
    matches: set[tuple[int, int]]  # rows of left and of right
    one_table: bool  # left is right, and matches are pairs i < j of duplicates


class Variant(NamedTuple):
    """What is made of a kind."""

    name: str
    share: float  # of queries with a counterpart, or of things with a duplicate
    one_table: bool


VARIANTS = [
    Variant("all have a counterpart", 1.0, False),
    Variant("half have a counterpart", 0.5, False),
    Variant("few have a counterpart", 0.1, False),
    Variant("none has a counterpart", 0.0, False),
    Variant("all different", 0.0, True),
    Variant("few duplicates", 0.1, True),
    Variant("many duplicates", 0.3, True),
]


class Kind(NamedTuple):
    """How the things of a kind are made and written."""

    make: Callable[[Names], Record]
    near: Callable[[Names, Record], Record]  # another thing that is similar
    cells: Mapping[str, Callable[[Hand, str, bool], str]]  # how each column is written
    core: list[str]  # columns that each table has, and that are not left empty
    telling: list[str]  # columns of which a difference makes two things
    # Things of one key may become alike by initials or words that are left out.
    key: Callable[[Record], Hashable] | None = None
    exchanged: tuple[str, str] | None = None  # columns that people mistake for each other
    merged: tuple[str, str] | None = None  # columns that others have as one
    changing: tuple[str, ...] = ()  # columns that may have another value on the other side


# Persons


def mail_name(names: Names, first: str, last: str) -> str:
    """Return an e-mail address made of a name."""
    first, last = (without_accents(x).lower().replace("'", "") for x in (first, last))
    form = names.pick(
        ["{f}.{l}", "{f}{l}", "{i}{l}", "{i}.{l}", "{l}.{f}", "{f}_{l}", "{f}.{l}{n}"]
    )
    local = form.format(f=first, l=last, i=first[0], n=names.integer(1, 99))
    return f"{local}@{names.pick(names.domains)}"


def person(names: Names) -> Record:
    """Return a person of all columns."""
    first, last = names.first_name(), names.surname()
    return {
        "first": first, "last": last, "born": names.date(1930, 2005), "city": names.town(),
        "phone": names.phone(), "email": mail_name(names, first, last),
    }  # fmt: skip


def near_person(names: Names, record: Record) -> Record:
    """Return a father or son, twin, namesake or colleague."""
    first, last = names.first_name(), record["last"]
    return record | names.pick(
        [
            {"born": names.date(1930, 2005), "email": mail_name(names, record["first"], last)},
            {"first": first, "email": mail_name(names, first, last)},
            person(names) | {"first": record["first"], "last": last},
            person(names) | {"city": record["city"], "phone": record["phone"]},
            person(names) | {"born": record["born"], "city": record["city"], "last": last},
        ]
    )


PERSON_CELLS = {
    "first": Hand.first_name, "last": Hand.typos, "born": Hand.date, "city": Hand.town,
    "phone": Hand.phone, "email": Hand.email,
}  # fmt: skip


def person_key(record: Record) -> Hashable:
    """Return what is left of first name and surname by initials."""
    return record["first"][0], record["last"]


def first_words(column: str) -> Callable[[Record], Hashable]:
    """Return a key of the first two words of a column: others may be left out."""
    return lambda record: tuple(record[column].split(" ")[:2])


def named_person(names: Names) -> Record:
    """Return a person whose name is in one column."""
    name = names.person()
    first, last = name.split(" ")[0], name.split(" ")[-1]
    return {"name": name, "city": names.town(), "email": mail_name(names, first, last)}


def near_named_person(names: Names, record: Record) -> Record:
    """Return someone of the same surname, first name or town."""
    last = record["name"].split(" ")[-1]
    first = names.pick([names.first_name(), near_first_name(names, record["name"].split(" ")[0])])
    other = names.surname()
    return record | names.pick(
        [
            {"name": f"{first} {last}", "email": mail_name(names, first, last)},
            {"city": names.town(), "email": mail_name(names, record["name"].split(" ")[0], last)},
            {"name": f"{first} {other}", "email": mail_name(names, first, other)},
        ]
    )


def near_first_name(names: Names, first: str) -> str:
    """Return another first name that starts alike, such as Joan for John."""
    alike = [
        name
        for name in [*WORDS["female"], *WORDS["male"]]
        if name[:2] == first[:2] and name != first
    ]
    return names.pick(alike) if alike else names.first_name()


def full_name_key(record: Record) -> Hashable:
    """Return initial and surname of a full name."""
    return record["name"][0], record["name"].split(" ")[-1]


def family_member(names: Names) -> Record:
    """Return the first member of a family."""
    return {
        "first": names.first_name(), "last": names.surname(), "born": names.date(1935, 2018),
        "address": names.address(), "city": names.town(), "phone": names.phone(),
    }  # fmt: skip


def near_family_member(names: Names, record: Record) -> Record:
    """Return another member of the family, at times a twin."""
    first = names.other([names.first_name() for _ in range(3)] + ["Ada"], record["first"])
    born = record["born"] if names.chance(0.1) else names.date(1935, 2018)
    return record | {"first": first, "born": born}


# Companies and places


def company(names: Names) -> Record:
    """Return a company."""
    name = names.company()
    site = without_accents("".join(x for x in name.split(" ")[0] if x.isalnum())).lower()
    end = names.pick(["com", "co.uk", "de", "net"])
    return {
        "name": name, "city": names.town(), "country": names.word("countries"),
        "website": f"www.{site}{names.integer(2, 99) if names.chance(0.2) else ''}.{end}",
    }  # fmt: skip


def near_company(names: Names, record: Record) -> Record:
    """Return a company of another trade, region or owner."""
    words = record["name"].split(" ")
    if words[0] in WORDS["points"]:
        words[0] = names.other(WORDS["points"], words[0])
    elif names.chance(0.6):
        words[1] = names.other(WORDS["trades"], words[1])
    else:
        # Another legal form alone would leave in doubt whether it is another company.
        words[0], words[-1] = names.stem(), names.word("legal forms")
    other = company(names)
    return record | {"name": " ".join(words), "website": other["website"]}


def branch(names: Names) -> Record:
    """Return the first branch of a company."""
    return {
        "name": names.company(), "address": names.address(), "city": names.town(),
        "zip": names.digits(5), "phone": names.phone(),
    }  # fmt: skip


def near_branch(names: Names, record: Record) -> Record:
    """Return another branch, at times of the same town."""
    other = branch(names) | {"name": record["name"]}
    return other | {"city": record["city"]} if names.chance(0.3) else other


def restaurant(names: Names) -> Record:
    """Return a restaurant or a hotel."""
    name = names.pick(
        [
            f"{names.pick(['Hotel', 'Chez', 'Café', 'Trattoria', 'The'])} {names.stem()}",
            f"{names.stem()}'s {names.pick(['Grill', 'Kitchen', 'Diner', 'Bar', 'Ramen House'])}",
            f"{names.stem()} {names.pick(['Restaurant', 'Hotel', 'Inn', 'Palace Hotel', 'Pub'])}",
            f"The {names.word('adjectives').capitalize()} {names.stem()}",
        ]
    )
    return {
        "name": name, "address": names.address(), "city": names.town(), "phone": names.phone(),
        "cuisine": ", ".join(names.words("cuisines", names.integer(1, 2))),
    }  # fmt: skip


def near_restaurant(names: Names, record: Record) -> Record:
    """Return another house of the chain, or the neighbour's."""
    other = restaurant(names)
    if names.chance(0.6):
        return other | {"name": record["name"], "cuisine": record["cuisine"]}
    return record | {"name": other["name"], "phone": other["phone"]}


def address_alone(names: Names) -> Record:
    """Return an address."""
    return {
        "street": names.street(), "no": str(names.integer(1, 300)), "zip": names.digits(5),
        "city": names.town(),
    }  # fmt: skip


def near_address(names: Names, record: Record) -> Record:
    """Return another number, or the street of that name elsewhere."""
    other = address_alone(names)
    elsewhere = {"zip": other["zip"], "city": other["city"]}
    return record | names.pick([{"no": other["no"]}, {"no": other["no"]}, elsewhere])


def school(names: Names) -> Record:
    """Return a school."""
    town = names.town()
    kind = names.pick(["Primary School", "High School", "Grammar School", "Academy", "College"])
    name = names.pick(
        [f"St. {names.word('saints')}'s {kind}", f"{town} {kind}", f"{names.stem()} {kind}"]
    )
    return {
        "name": name, "city": town, "type": names.pick(["state", "private"]),
        "pupils": names.digits(3), "phone": names.phone(),
    }  # fmt: skip


def near_school(names: Names, record: Record) -> Record:
    """Return the school of that name elsewhere, or another kind of school here."""
    other = school(names)
    if names.chance(0.5):
        return other | {"name": record["name"]}
    kind = names.pick(
        ["Primary School", "High School", "Grammar School", "Academy", "Girls' School"]
    )
    name = f"{record['name'].split(' School')[0].rsplit(' ', 1)[0]} {kind}"
    return other | {"name": name, "city": record["city"]}


# Works


def book(names: Names) -> Record:
    """Return a textbook or a novel."""
    textbook = f"{names.pick(['Introduction to', 'Principles of', 'Handbook of'])} "
    textbook += f"{names.word('subjects').capitalize()}"
    if names.chance(0.5):
        textbook = f"{names.word('qualities').capitalize()} {names.word('subjects').capitalize()}"
    return {
        "title": textbook if names.chance(0.3) else names.title(), "author": names.persons(1, 3),
        "publisher": f"{names.brand()} {names.word('publishers')}",
        "year": str(names.integer(1950, 2024)), "edition": names.pick(EDITIONS),
        "isbn": f"978-{names.digits(1)}-{names.digits(4)}-{names.digits(4)}-{names.digits(1)}",
    }  # fmt: skip


EDITIONS = ["1st edition", "2nd edition", "3rd edition", "4th edition", "5th edition"]


def near_book(names: Names, record: Record) -> Record:
    """Return another edition or volume, or another book of the author."""
    other = book(names)
    edition = names.other(EDITIONS, record["edition"])
    year = names.other([str(int(record["year"]) + i) for i in range(-6, 7)], record["year"])
    again = {"year": year, "edition": edition, "isbn": other["isbn"]}
    return record | names.pick(
        [
            again,
            again,
            {"title": f"{record['title']}, Volume {names.integer(2, 5)}", "isbn": other["isbn"]},
            {"title": other["title"], "isbn": other["isbn"]},
            {"author": other["author"], "publisher": other["publisher"], **again},
        ]
    )


def paper(names: Names) -> Record:
    """Return a scientific paper."""
    start = names.integer(1, 500)
    return {
        "title": names.paper(), "authors": names.persons(1, 5), "venue": names.word("venues"),
        "year": str(names.integer(1985, 2023)), "pages": f"{start}-{start + names.integer(4, 25)}",
    }  # fmt: skip


def near_paper(names: Names, record: Record) -> Record:
    """Return a second part, the journal's version, or another paper of the authors."""
    other = paper(names)
    venue = names.word("venues")
    topic = f"{record['title'].split(' in ')[0]} in {names.word('settings')}"
    return record | names.pick(
        [
            {"title": f"{record['title']}, part II", "pages": other["pages"]},
            {"venue": venue, "year": str(int(record["year"]) + 1), "pages": other["pages"]},
            {"title": other["title"], "pages": other["pages"]},
            {"title": topic, "pages": other["pages"]},
            {"title": record["title"], "authors": other["authors"], "year": other["year"]},
        ]
    )


def film(names: Names) -> Record:
    """Return a film."""
    return {
        "title": names.title(), "year": str(names.integer(1925, 2024)), "director": names.person(),
        "cast": names.persons(2, 4), "length": f"{names.integer(70, 190)} min",
        "genre": ", ".join(names.words("genres", names.integer(1, 3))),
    }  # fmt: skip


def near_film(names: Names, record: Record) -> Record:
    """Return a sequel, a film of the same title made later, or another film of the director."""
    other = film(names)
    start = record["title"].removesuffix(" II").removesuffix(" III").removesuffix(" IV")
    number = names.pick(["II", "III", "IV", ": The Return", ": The Beginning"])
    sequel = f"{start}{number}" if number.startswith(":") else f"{start} {number}"
    later = str(int(record["year"]) + names.integer(2, 9))
    return record | names.pick(
        [
            {"title": sequel, "year": later, "length": other["length"]},
            {"title": sequel, "year": later, "length": other["length"]},
            other | {"title": record["title"]},
            {"title": other["title"], "year": other["year"], "length": other["length"]},
        ]
    )


def song(names: Names) -> Record:
    """Return a song of an album."""
    album = names.title()
    return {
        "song": album if names.chance(0.1) else names.title(),
        "artist": names.pick([names.person(), f"The {names.stem()}s", names.brand()]),
        "album": album, "time": str(names.integer(90, 420)), "track": str(names.integer(1, 16)),
        "price": names.pick(["0.99", "1.29", "1.99"]), "released": names.date(1990, 2023),
        "genre": ", ".join(names.words("music", names.integer(1, 2))),
    }  # fmt: skip


VERSIONS = [
    "(Live)", "(Remix)", "(Acoustic Version)", "(Radio Edit)", "(Instrumental)",
    "[Deluxe Edition]", "(feat. {})", "(Extended Mix)", "- Single", "(Demo)",
]  # fmt: skip


def near_song(names: Names, record: Record) -> Record:
    """Return another version of the song, or another song of the album."""
    other = song(names)
    version = names.pick(VERSIONS).format(names.person())
    if names.chance(0.5):
        title = f"{record['song'].split(' (')[0].split(' [')[0]} {version}"
        return record | {"song": title, "time": other["time"], "track": other["track"]}
    return record | {"song": other["song"], "time": other["time"], "track": other["track"]}


# Things in shops


def options(names: Names) -> str:
    """Return what a variant of a product differs in."""
    return names.pick(
        [
            f"{names.pick([18, 12, 24, 36])} V", f"{names.pick([16, 32, 64, 128, 256, 512])} GB",
            f"{names.pick([1, 2, 4, 8])} TB", f"{names.integer(10, 65)} inch",
            f"{names.pick([100, 200, 250, 500, 750, 1000])} ml", f"size {names.integer(34, 47)}",
            f"{names.pick(['small', 'medium', 'large', 'extra large'])}",
            f"{names.pick([60, 100, 450, 800, 1200, 2000])} W",
            f"SPF {names.pick([15, 20, 30, 50])}",
            f"pack of {names.pick([2, 3, 4, 6, 10, 12])}", f"{names.integer(1, 25)} kg",
        ]
    )  # fmt: skip


def product(names: Names) -> Record:
    """The title has its parts between bars: brand, model, noun, variant, colour."""
    brand, model, noun = names.pick(names.brands), names.model(), names.word("goods")
    pieces = [brand, model, noun, options(names), names.word("colours")]
    return filled_product(names, pieces)


def filled_product(names: Names, pieces: list[str]) -> Record:
    """Return a product with a title of these parts."""
    features = names.words("features", 6)
    return {
        "title": "|".join(pieces), "brand": pieces[0], "model": pieces[1], "colour": pieces[4],
        "description": "|".join([pieces[2], pieces[4], *features]), "price": names.price(),
    }  # fmt: skip


def near_product(names: Names, record: Record) -> Record:
    """Return another colour, size or model, or another noun of the brand."""
    pieces = record["title"].split("|")
    place = names.pick([1, 1, 2, 3, 3, 4])
    if place == 1:
        pieces[1] = names.other_digit(pieces[1])
    elif place == 2:
        pieces[1:3] = [names.model(), names.word("goods")]
    elif place == 3:
        number, _, unit = pieces[3].partition(" ")
        pieces[3] = f"{int(number) * 2} {unit}" if number.isdigit() else options(names)
    else:
        pieces[4] = names.other(WORDS["colours"], pieces[4])
    other = filled_product(names, pieces)
    if names.chance(0.5):
        return other | {name: record[name] for name in ("description", "price")}
    return other


def product_in_columns(names: Names) -> Record:
    """A product whose variant is not in its title."""
    record = product(names)
    brand, model, noun, size, _ = record["title"].split("|")
    return record | {"title": f"{brand}||{noun}", "model": model, "size": size}


def near_product_in_columns(names: Names, record: Record) -> Record:
    """Return another colour, size or model of the same title."""
    colour = names.other(WORDS["colours"], record["colour"])
    number, _, unit = record["size"].partition(" ")
    size = f"{int(number) * 2} {unit}" if number.isdigit() else options(names)
    return record | names.pick(
        [
            {"colour": colour},
            {"size": size, "price": names.price()},
            {"model": names.other_digit(record["model"]), "price": names.price()},
        ]
    )


def product_key(record: Record) -> Hashable:
    """Return brand and noun: other parts may be left out."""
    brand, _, noun, *_ = record.get("title", record.get("name", "")).split("|")
    return brand, noun


def drink(names: Names) -> Record:
    """Return a beer or a cider."""
    style = names.word("drinks")
    brewery = names.pick([*names.brands, names.stem(), names.stem()])
    word = names.pick([*WORDS["adjectives"], *map(str.lower, WORDS["stems"])]).capitalize()
    name = names.pick([f"{brewery} {word} {style}", f"{brewery} {style}", f"{word} {style}"])
    end = names.pick(["Brewing Company", "Brewery", "Brewing"])
    return {
        "name": name, "brewery": f"{brewery} {end}",
        "style": style, "abv": f"{names.integer(40, 110) / 10} %",
    }  # fmt: skip


def near_drink(names: Names, record: Record) -> Record:
    """Return another style of the brewery, or a version from the barrel."""
    style = names.other(WORDS["drinks"], record["style"])
    abv = f"{names.integer(40, 110) / 10} %"
    name = record["name"].removesuffix(record["style"]) + style
    if names.chance(0.3):
        barrel = names.pick(["Barrel Aged", "Double", "Imperial", "Raspberry", "Coffee"])
        return record | {"name": f"{barrel} {record['name']}", "abv": abv}
    return record | {"name": name, "style": style, "abv": abv}


def software(names: Names) -> Record:
    """Return a program."""
    maker = names.pick(names.brands)
    version = f"{names.integer(1, 12)}.{names.integer(0, 5)}"
    if names.chance(0.4):
        version = str(names.integer(1998, 2022))
    system = names.pick(["Windows", "Mac", "Linux", "Windows/Mac"])
    name = f"{maker} {names.word('software')} {version}"
    ends = ["", "", "Professional", "Deluxe", "Home", "Upgrade", "(Academic)"]
    name = f"{name} {names.pick(ends)}".strip()
    return {"title": name, "manufacturer": maker, "platform": system, "price": names.price(15)}


def near_software(names: Names, record: Record) -> Record:
    """Return another version, package, platform or program."""
    title, price = record["title"], names.price(15)
    end = names.pick(["Professional", "Deluxe", "Home", "Upgrade", "(Academic)", "5 User License"])
    other = title.split(" ")
    other[1:3] = names.word("software").split(" ")
    system = names.other(["Windows", "Mac", "Linux"], record["platform"])
    return record | names.pick(
        [
            {"title": names.other_digit(title) if any(map(str.isdigit, title)) else title},
            {"title": names.other_digit(title) if any(map(str.isdigit, title)) else title},
            {"title": f"{title} {end}"},
            {"title": " ".join(other)},
            {"platform": system, "title": f"{title} for {system}"},
        ]
    ) | {"price": price}  # fmt: skip


def medicine(names: Names) -> Record:
    """Return a medicine."""
    dose = names.pick([5, 10, 20, 25, 40, 50, 75, 100, 200, 250, 400, 500, 850, 1000])
    return {
        "name": names.pick(names.brands) if names.chance(0.7) else names.brand(),
        "strength": f"{dose} mg", "form": names.word("forms"),
        "pack": str(names.pick([10, 20, 28, 30, 50, 56, 98, 100])),
        "maker": f"{names.brand()} {names.pick(['Pharma', 'Ltd', 'AG', 'Laboratories'])}",
    }  # fmt: skip


def near_medicine(names: Names, record: Record) -> Record:
    """Return another strength, form or pack."""
    other = medicine(names)
    column = names.pick(["strength", "strength", "form", "pack"])
    return record | {column: other[column]}


def part(names: Names) -> Record:
    """Return a spare part."""
    size = f"{names.integer(3, 60)} mm"
    return {
        "code": f"{names.pick('ABCDEKMPRSTX')}{names.digits(3)}-{names.digits(4)}",
        "description": f"{names.word('parts')} {size}", "brand": names.pick(names.brands),
        "price": names.price(0.5, 200),
    }  # fmt: skip


def near_part(names: Names, record: Record) -> Record:
    """Return a part of the same words and another number."""
    return record | {"code": names.other_digit(record["code"]), "price": names.price(0.5, 200)}


def described(names: Names) -> Record:
    """A thing with a long text, which each shop writes on its own."""
    record = product(names)
    brand, model, noun, *_ = record["title"].split("|")
    return {
        "name": f"{brand}|{model}|{noun}", "description": record["description"],
        "price": record["price"],
    }  # fmt: skip


def near_described(names: Names, record: Record) -> Record:
    """Return another model with the same features, or another thing of the brand."""
    brand, model, noun = record["name"].split("|")
    if names.chance(0.6):
        return record | {
            "name": f"{brand}|{names.other_digit(model)}|{noun}",
            "price": names.price(),
        }
    other = described(names)
    noun = other["name"].split("|")[2]
    return other | {"name": f"{brand}|{names.model()}|{noun}"}


# Events, cases, papers of an office


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, ..."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 < number % 100 < 14 else ends.get(number % 10, 'th')}"


def event(names: Names) -> Record:
    """Return an award, a contest or a conference."""
    award = f"{names.pick([names.stem(), names.town()])} {names.word('awards')}"
    number, start = names.integer(1, 50), names.integer(1920, 1955)
    return {
        "name": f"{ordinal(number)} {award}", "year": str(start + number), "city": names.town(),
        "winner": names.person(),
    }  # fmt: skip


def near_event(names: Names, record: Record) -> Record:
    """Return another year of the award, or another award of that number."""
    number, _, award = record["name"].partition(" ")
    other = int("".join(x for x in number if x.isdigit())) + names.pick([1, 1, 2, 3, 10])
    year = int(record["year"]) + other - int("".join(x for x in number if x.isdigit()))
    if names.chance(0.6):
        return record | {
            "name": f"{ordinal(other)} {award}", "year": str(year), "winner": names.person(),
        }  # fmt: skip
    different = event(names)
    return different | {
        "name": f"{number} {different['name'].split(' ', 1)[1]}",
        "year": record["year"],
    }


def case(names: Names) -> Record:
    """Return a case of a hospital or an insurer."""
    return {
        "code": f"{names.pick(['C', 'KV', 'SH', 'P'])}-{names.digits(2)}/{names.digits(5)}",
        "date": names.date(2012, 2024), "diagnosis": names.word("diagnoses"),
        "amount": names.price(20, 9000), "name": names.person(), "born": names.date(1930, 2015),
    }  # fmt: skip


def near_case(names: Names, record: Record) -> Record:
    """Return another case of the person, or the same case of another."""
    other = case(names)
    return record | names.pick(
        [
            {"code": other["code"], "date": other["date"], "amount": other["amount"]},
            {
                "code": names.other_digit(record["code"]),
                "name": other["name"],
                "born": other["born"],
            },
        ]
    )


def invoice(names: Names) -> Record:
    """Text of one template, with another number and date in each row."""
    service, customer = names.word("services"), names.company()
    template = names.pick(TEMPLATES)
    number = names.digits(6)
    text = template.format(number=number, service=service, customer=customer)
    return {
        "number": number, "text": text, "date": names.date(2015, 2024),
        "amount": names.price(20, 9000),
    }  # fmt: skip


TEMPLATES = [
    "Invoice {number} for {service}, payable within 30 days without deduction",
    "Invoice {number} to {customer} for {service}",
    "Reminder: invoice {number} for {service} has not been paid",
    "Credit note {number} for {customer}",
]


def near_invoice(names: Names, record: Record) -> Record:
    """Return the next invoice of the same words."""
    number = names.other_digit(record["number"])
    text = record["text"].replace(record["number"], number)
    return record | {
        "number": number, "text": text,
        "date": names.pick([record["date"], names.date(2015, 2024)]),
        "amount": names.pick([record["amount"], names.price(20, 9000)]),
    }  # fmt: skip


def person_or_title(names: Names) -> Record:
    """A person or a film: always one of two columns is empty."""
    year = str(names.integer(1925, 2024))
    if names.chance(0.5):
        return {"title": names.title(), "person": "", "year": year}
    return {"title": "", "person": names.person(), "year": ""}


def near_person_or_title(names: Names, record: Record) -> Record:
    """Return a film with the same title or a sequel, or a person of the same surname."""
    if record["person"]:
        last = record["person"].split(" ")[-1]
        return record | {"person": f"{names.first_name()} {last}"}
    year = str(names.integer(1925, 2024))
    return record | names.pick([{"year": year}, {"title": f"{record['title']} II", "year": year}])


def person_or_title_key(record: Record) -> Hashable:
    """Return the title, or initial and surname."""
    return record["title"] or full_name_key({"name": record["person"]})


KINDS = {
    "persons": Kind(
        person, near_person, PERSON_CELLS, ["first", "last"], ["first", "last", "born"],
        person_key, ("first", "last"), ("first", "last"), ("city", "phone"),
    ),
    "persons, few columns": Kind(
        person, near_person,
        {name: PERSON_CELLS[name] for name in ("first", "last", "born", "city")},
        ["first", "last", "born"], ["first", "last", "born"], person_key, ("first", "last"), None,
        ("city",),
    ),
    "persons, name and city": Kind(
        named_person, near_named_person, {"name": Hand.name, "city": Hand.town},
        ["name", "city"], ["name", "city"], full_name_key,
    ),
    "persons, name and e-mail": Kind(
        named_person, near_named_person, {"name": Hand.name, "email": Hand.email},
        ["name", "email"], ["name", "email"], full_name_key,
    ),
    "families": Kind(
        family_member, near_family_member,
        {"first": Hand.first_name, "last": Hand.typos, "born": Hand.date,
         "address": Hand.address, "city": Hand.town, "phone": Hand.phone},
        ["first", "last"], ["first", "last", "born"], person_key, ("first", "last"),
        ("address", "city"), ("phone",),
    ),
    "companies": Kind(
        company, near_company,
        {"name": Hand.company, "city": Hand.town, "country": Hand.town, "website": Hand.plain},
        ["name"], ["name"], first_words("name"), None, ("city", "country"), ("city",),
    ),
    "branches": Kind(
        branch, near_branch,
        {"name": Hand.company, "address": Hand.address, "city": Hand.town, "zip": Hand.plain,
         "phone": Hand.phone},
        ["name", "address"], ["name", "address", "city", "zip"], first_words("name"), None,
        ("address", "city"), ("phone",),
    ),
    "restaurants and hotels": Kind(
        restaurant, near_restaurant,
        {"name": Hand.text, "address": Hand.address, "city": Hand.town, "phone": Hand.phone,
         "cuisine": Hand.listed},
        ["name"], ["name", "address", "city"], first_words("name"), None, ("address", "city"),
        ("phone", "cuisine"),
    ),
    "addresses": Kind(
        address_alone, near_address,
        {"street": Hand.street, "no": Hand.plain, "zip": Hand.plain, "city": Hand.town},
        ["street", "no", "city"], ["street", "no", "city", "zip"],
        lambda x: (x["street"], x["no"]), None, ("no", "street"),
    ),
    "schools": Kind(
        school, near_school,
        {"name": Hand.text, "city": Hand.town, "type": Hand.plain, "pupils": Hand.plain,
         "phone": Hand.phone},
        ["name", "city"], ["name", "city"], first_words("name"), None, ("name", "city"),
        ("pupils", "phone"),
    ),
    "books": Kind(
        book, near_book,
        {"title": Hand.text, "author": Hand.persons, "publisher": Hand.term, "year": Hand.year,
         "edition": Hand.term, "isbn": Hand.code},
        ["title", "author"], ["title", "author", "year", "edition"],
        first_words("title"), None, ("title", "edition"),
    ),
    "papers": Kind(
        paper, near_paper,
        {"title": Hand.text, "authors": Hand.persons, "venue": Hand.venue, "year": Hand.year,
         "pages": Hand.plain},
        ["title"], ["title", "authors", "venue", "year"], first_words("title"), None,
        ("venue", "year"), ("pages",),
    ),
    "films": Kind(
        film, near_film,
        {"title": Hand.text, "year": Hand.year, "director": Hand.name, "cast": Hand.persons,
         "length": Hand.quantity, "genre": Hand.listed},
        ["title"], ["title", "year", "director"], first_words("title"), None,
        ("title", "year"), ("length", "genre"),
    ),
    "songs": Kind(
        song, near_song,
        {"song": Hand.text, "artist": Hand.text, "album": Hand.text, "time": Hand.duration,
         "track": Hand.plain, "price": Hand.price, "released": Hand.date, "genre": Hand.listed},
        ["song", "artist"], ["song", "artist"], first_words("song"), None,
        ("artist", "song"), ("track", "genre", "released"),
    ),
    "products": Kind(
        product, near_product,
        {"title": Hand.parts, "brand": Hand.typos, "model": Hand.code, "colour": Hand.term,
         "description": Hand.description, "price": Hand.price},
        ["title"], ["title"], product_key, None, ("brand", "title"),
    ),
    "products, variants in columns": Kind(
        product_in_columns, near_product_in_columns,
        {"title": Hand.parts, "model": Hand.code, "colour": Hand.term, "size": Hand.quantity,
         "price": Hand.price},
        ["title", "model"], ["model", "colour", "size", "title"], lambda x: x["title"],
    ),
    "products, long descriptions": Kind(
        described, near_described,
        {"name": Hand.parts, "description": Hand.description, "price": Hand.price},
        ["name"], ["name"], product_key,
    ),
    "drinks": Kind(
        drink, near_drink,
        {"name": Hand.text, "brewery": Hand.company, "style": Hand.term, "abv": Hand.quantity},
        ["name", "brewery"], ["name", "brewery"], first_words("name"), None,
        ("brewery", "name"),
    ),
    "software": Kind(
        software, near_software,
        {"title": Hand.text, "manufacturer": Hand.typos, "platform": Hand.term,
         "price": Hand.price},
        ["title"], ["title"], first_words("title"), None,
        ("title", "platform"),
    ),
    "medicines": Kind(
        medicine, near_medicine,
        {"name": Hand.typos, "strength": Hand.quantity, "form": Hand.term, "pack": Hand.plain,
         "maker": Hand.company},
        ["name", "strength", "form"], ["name", "strength", "form", "pack"], None, None,
        ("name", "strength"), ("maker",),
    ),
    "parts": Kind(
        part, near_part,
        {"code": Hand.code, "description": Hand.text, "brand": Hand.typos, "price": Hand.price},
        ["code"], ["code"],
    ),
    "events": Kind(
        event, near_event,
        {"name": Hand.text, "year": Hand.year, "city": Hand.town, "winner": Hand.name},
        ["name"], ["name"], lambda x: x["name"].split(" ")[1], None, ("name", "year"),
    ),
    "cases": Kind(
        case, near_case,
        {"code": Hand.code, "date": Hand.date, "diagnosis": Hand.term, "amount": Hand.amount,
         "name": Hand.name, "born": Hand.date},
        ["code"], ["code"],
    ),
    "invoices": Kind(
        invoice, near_invoice,
        {"text": Hand.text, "date": Hand.date, "amount": Hand.amount},
        ["text"], ["text"], lambda x: "all are alike",
    ),
    "persons and titles": Kind(
        person_or_title, near_person_or_title,
        {"title": Hand.text, "person": Hand.name, "year": Hand.year},
        ["title", "person"], ["title", "person", "year"], person_or_title_key,
    ),
}  # fmt: skip


class Thing(NamedTuple):
    """A thing, as it is in truth, and those that were made similar to it."""

    record: Record
    cluster: int


class Row(NamedTuple):
    """One row for a thing, and the columns that are empty in it."""

    thing: int
    empty: set[str]


def draw_columns(kind: Kind, draw: Names) -> list[str]:
    """Return all columns, or some of those that a table can do without."""
    share = draw.pick([0.0, 0.0, 0.3, 0.6, 1.0])
    return [name for name in kind.cells if name in kind.core or not draw.chance(share)]


def make_things(kind: Kind, telling: list[str], n: int, names: Names) -> list[Thing]:
    """Make ``n`` things that differ in a telling column, in random order."""
    similar = names.pick([0.0, 0.1, 0.3, 0.6])
    seen: set[Hashable] = set()
    things: list[Thing] = []
    for n_tries in range(N_TRIES * n):
        if len(things) == n:
            return names.shuffled(things)
        record, cluster = kind.make(names), n_tries
        if things and names.chance(similar):
            # Of the last things one, so that clusters have a few members.
            model = things[-names.integer(1, min(3, len(things)))]
            record, cluster = kind.near(names, model.record), model.cluster
        text = tuple(plain(record[name]) for name in telling)
        if text not in seen:
            seen.add(text)
            things.append(Thing(record, cluster))
    raise ValueError(f"cannot make {n} things that differ in {telling}; ask for fewer")


def plain(text: str) -> str:
    """Return letters and digits alone."""
    return re.sub(r"[\W_]+", "", without_accents(text).lower())


def rivals(kind: Kind, things: list[Thing]) -> Iterator[tuple[int, int]]:
    """Yield pairs of similar things."""
    key = kind.key or (lambda record: tuple(record[name] for name in kind.core))
    groups: dict[Hashable, list[int]] = {}
    for i, thing in enumerate(things):
        groups.setdefault(("cluster", thing.cluster), []).append(i)
        groups.setdefault(("key", key(thing.record)), []).append(i)
    for members in groups.values():
        for place, i in enumerate(members):
            for j in members[place + 1 : place + 1 + MOST_OF_A_KEY]:
                yield i, j


def take_care(
    kind: Kind, things: list[Thing], telling: list[str], rows: list[Row], draw: Draw
) -> list[set[str]]:
    """Return for each thing the columns that tell it from others.

    Of the columns in which two similar things differ, one is chosen that is filled in all their
    rows. Where there is none, one is filled.
    """
    care: list[set[str]] = [set() for _ in things]
    empty: list[set[str]] = [set() for _ in things]
    for row in rows:
        empty[row.thing] |= row.empty
    texts = [[plain(thing.record[name]) for name in telling] for thing in things]
    for i, j in rivals(kind, things):
        both = zip(telling, texts[i], texts[j], strict=True)
        differing = [name for name, a, b in both if a != b]
        if not care[i] & care[j] & set(differing):
            filled = [name for name in differing if name not in empty[i] | empty[j]]
            name = draw.pick(filled or differing)
            for thing in (i, j):
                care[thing].add(name)
                empty[thing].discard(name)
    for row in rows:
        row.empty.intersection_update(empty[row.thing])
    return care


def write_row(
    kind: Kind, columns: list[str], thing: Record, others: Callable[[], Record], empty: set[str],
    care: set[str], hand: Hand,
) -> Record:  # fmt: skip
    """Write a record; ``others`` draws another record, whose values a changed cell takes."""
    draw, style = hand.draw, hand.style
    row = {}
    for name in columns:
        text = thing[name]
        if name in kind.changing and name not in care and draw.chance(style.changed):
            text = others()[name]
        is_filled = text and name not in empty
        row[name] = hand.finish(kind.cells[name](hand, text, name in care)) if is_filled else ""
    if kind.exchanged and set(kind.exchanged) <= set(columns) and draw.chance(style.exchanged):
        first, second = kind.exchanged
        row[first], row[second] = row[second], row[first]
    if kind.merged and set(kind.merged) <= set(columns) and draw.chance(style.merged):
        first, second = kind.merged
        row[first], row[second] = f"{row[first]} {row[second]}".strip(), ""
    return row


def with_gaps(style: Style, kind: Kind, columns: list[str], draw: Names) -> Style:
    """Draw the shares of empty cells."""
    some = draw.pick([0.0, 0.0, 0.3, 0.7])
    for name in columns:
        if name not in kind.core and draw.chance(some):
            style.missing[name] = draw.pick(MISSING_SHARES)
    return style


def draw_row(thing: int, style: Style, draw: Names) -> Row:
    """Draw which cells of a row are empty."""
    return Row(thing, {name for name, share in style.missing.items() if draw.chance(share)})


def write_rows(
    kind: Kind, columns: list[str], telling: list[str], things: list[Thing], rows: list[Row],
    hands: list[Hand],
) -> list[Record]:  # fmt: skip
    """Write each row by its hand, so that no two rows of different things are equal."""
    draw = hands[0].draw
    care = take_care(kind, things, telling, rows, draw)
    written = []
    seen: dict[tuple[str, ...], int] = {}

    def others() -> Record:
        return draw.pick(things).record

    for row, hand in zip(rows, hands, strict=True):
        record = things[row.thing].record
        cells = write_row(kind, columns, record, others, row.empty, care[row.thing], hand)
        if seen.setdefault(text_of(cells), row.thing) != row.thing:
            # Errors have made it equal to another thing: written anew, without any.
            clean = Hand(draw, draw_style(draw, "none"))
            cells = write_row(kind, columns, record, others, set(), set(columns), clean)
            seen[text_of(cells)] = row.thing
        written.append(cells)
    return written


def draw_copies(size: int, variant: Variant, draw: Names) -> tuple[int, list[int], list[int]]:
    """Return the number of things, and the things of the originals and of the other rows.

    Originals are the reference, the other rows its queries, or duplicates in one table.
    """
    if variant.one_table:
        n_copies = round(variant.share * size)
        n_things = size - n_copies
        # Where few have duplicates, these are groups.
        n_copied = draw.pick([n_things, n_things, max(1, n_things // 10)])
        copies = [draw.integer(0, n_copied - 1) for _ in range(n_copies)]
        return n_things, list(range(n_things)), copies
    n_queries = max(1, round(size * draw.pick([0.5, 1.0])))
    n_known = round(variant.share * n_queries)
    known = draw.shuffled(range(size))[:n_known]
    if draw.chance(0.2):
        # Several queries may be of one thing.
        known = [draw.integer(0, size - 1) for _ in range(n_known)]
    n_things = size + n_queries - n_known
    return n_things, list(range(size)), draw.shuffled([*known, *range(size, n_things)])


def make_table(kind_name: str, size: int, variant: Variant, random_state: int) -> MadeUpTable:
    """Make one table, which depends on nothing but the arguments."""
    seed = zlib.crc32(f"{kind_name}, {variant.name}, {size}".encode())
    draw = Names(np.random.default_rng([random_state, seed]))
    kind = KINDS[kind_name]
    columns = draw_columns(kind, draw)
    telling = [name for name in kind.telling if name in columns]
    strength = draw.pick(["none", "light", "medium", "medium", "heavy", "heavy"])
    own = with_gaps(draw_style(draw, draw.pick(["none", "none", "light"])), kind, columns, draw)
    errors = with_gaps(draw_style(draw, strength), kind, columns, draw)
    if variant.one_table and draw.chance(0.6):
        # Copies mostly have the formats of their table.
        for name in ("case", "blanks", "surname_first", "dates", "phones", "prices", "years"):
            setattr(errors, name, getattr(own, name))
    n_things, originals, copies = draw_copies(size, variant, draw)
    things = make_things(kind, telling, n_things, draw)
    rows = [draw_row(thing, own, draw) for thing in originals]
    rows += [draw_row(thing, errors, draw) for thing in copies]
    hands = [Hand(draw, own)] * len(originals) + [Hand(draw, errors)] * len(copies)
    written = write_rows(kind, columns, telling, things, rows, hands)
    numbers = [*originals, *copies]
    if variant.one_table:
        order = draw.shuffled(range(size))
        written, numbers = [written[i] for i in order], [numbers[i] for i in order]
        return MadeUpTable(kind_name, written, written, equal_pairs(numbers), True)
    matches = {(row, thing) for row, thing in enumerate(copies) if thing < size}
    return MadeUpTable(kind_name, written[size:], written[:size], matches, False)


def text_of(row: Record) -> tuple[str, ...]:
    """Return the letters and digits of each cell."""
    return tuple(plain(text) for text in row.values())


def equal_pairs(numbers: list[int]) -> set[tuple[int, int]]:
    """Return the pairs of places that have the same number."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, []).append(place)
    return {pair for members in places.values() for pair in combinations(members, 2)}


def made_up_tables(
    random_state: int, sizes: Sequence[int] = (12, 50, 200, 1000, 3000)
) -> Iterator[MadeUpTable]:
    """Yield a table for each size (rows of the reference), kind and variant."""
    for size in sizes:
        for kind in KINDS:
            for variant in VARIANTS:
                yield make_table(kind, size, variant, random_state)
