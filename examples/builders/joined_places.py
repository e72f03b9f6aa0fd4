"""Kinds of ``made_up_joins.py``: places where people live and do business, and what they pay."""

from __future__ import annotations

from datetime import timedelta

from joined_kinds import (
    ADDRESSES,
    FULL_ADDRESSES,
    WHOLE,
    Column,
    Kind,
    Thing,
    World,
    by_percent,
    later,
    part_of,
    parts,
)
from made_up_names import Draw
from made_up_writers import (
    CODES,
    DATES,
    LEDGER_MONEY,
    LISTS,
    LOOSE_DATES,
    MONEY,
    PHONES,
    PLAIN,
    SQUARE_METRES,
    TERMS,
    TEXTS,
    TITLED_NAMES,
    VAGUE_YEARS,
    Writer,
    measure,
    said_plainly,
)

# Transactions: the bank and the ledger


def payment(w: World) -> Thing:
    """Return a payment."""
    return {
        "date": w.date(2024, 2024),
        "payee": w.term("merchants"),
        "purpose": w.word("purposes"),
        "amount": round(w.between(3, 4000), 2) * w.pick([-1, -1, -1, 1]),
        "invoice": f"{w.pick(['INV', 'RE', 'F'])}-{w.pick([24, 2024])}-{w.integer(1, 9999):04}",
        "account": w.pick(["1200", "4930", "4920", "6815", "4670", "1800"]),
        "card": w.digits(4),
        "town": w.term("towns"),
        "terminal": w.digits(8),
        "cost_centre": w.integer(100, 140),
    }


def like_payment(w: World, thing: Thing) -> Thing:
    """Return the next instalment, another purchase of the day, or the money back."""
    new = payment(w)
    same = thing | {"invoice": new["invoice"], "terminal": new["terminal"]}
    # Months of 30 days, so that instalments of instalments do not fall on neighbouring days.
    month = timedelta(30 * w.integer(1, 4))
    return same | w.pick(
        [
            {"date": thing["date"] + month},
            {"date": thing["date"] + month},
            {"amount": new["amount"], "purpose": new["purpose"]},
            {"amount": thing["amount"] + w.pick([-40, -10, 10, 25, 100])},
        ]
    )


BOOKING_TEXTS = parts(
    "{payee} {terminal} {town} card {card}",
    "CARD PAYMENT {card} {payee} {town}",
    "!{payee}",
    "!{payee}, {purpose}",
    "!{purpose} ({payee})",
    "!{payee} {invoice}",
    "SEPA {payee} REF {invoice}",
)
TRANSACTIONS = Kind(
    payment,
    like_payment,
    [
        [
            Column("amount", LEDGER_MONEY),
            Column("date", DATES, changes=later(3)),
            Column("text", BOOKING_TEXTS, WHOLE),
        ],
        [
            Column("value", LEDGER_MONEY, "amount"),
            Column("booked", DATES, "date", later(3)),
            Column("payee", TERMS),
        ],
    ],
    [
        Column("reference", CODES, "invoice"),
        Column("account", [*PLAIN, lambda d, v: f"{v}00", lambda d, v: f"{v} {v[0]}xxx"]),
        Column("purpose", PLAIN),
        Column("card", [*PLAIN, lambda d, v: f"xxxx {v}", lambda d, v: f"**** **** **** {v}"]),
        Column("cost_centre", [*PLAIN, lambda d, v: f"CC{v}", lambda d, v: f"{v:06}"]),
        Column(
            "status",
            [lambda d, v: d.pick(["booked", "open"]), lambda d, v: d.pick(["OK", "Pending", "-"])],
            WHOLE,
        ),
        Column("currency", [lambda d, v: "EUR", lambda d, v: "€"], WHOLE),
    ],
    lambda thing: [(thing["payee"], round(thing["amount"]), thing["date"]), thing["invoice"]],
)


# Apartments: two portals


def flat(w: World) -> Thing:
    """Return an apartment."""
    rooms = w.integer(1, 6)
    return {
        "kind": w.term("flat kinds"),
        "street": w.word("streets"),
        "way": w.term("ways"),
        "house": w.integer(1, 120),
        "flat": w.integer(1, 30),
        "floor": w.integer(0, 8),
        "rooms": rooms,
        "area": 14 + 19 * rooms + w.integer(0, 9),
        "rent": 10.0 * w.integer(40, 260),
        "town": w.term("towns"),
        "free": w.date(2024, 2025),
        "text": w.terms("flat features", 3, 7),
        "built": w.integer(1880, 2022),
    }


def like_flat(w: World, thing: Thing) -> Thing:
    """Return another flat of the house, or of the house next door."""
    # Steps of 5 m² within a house: rounding and other units leave them apart.
    steps = w.pick([-2, -1, 1, 2, 3])
    return thing | {
        "flat": w.integer(1, 40),
        "area": max(12, thing["area"] + 5 * steps),
        "floor": w.integer(0, 8),
        "rent": max(300.0, thing["rent"] + 60 * steps),
        "free": w.date(2024, 2025),
        "house": thing["house"] + w.pick([0, 0, 0, 2]),
        "text": w.pick([thing["text"], w.terms("flat features", 3, 7)]),
    }


FLAT_ADDRESSES = parts(
    "Flat {flat}, {house} {street} {way}",
    "!{street} {way} {house}/{flat}",
    "!{house} {street} {way}, Apt {flat}",
    "{street} {way} {house}, flat no. {flat}",
    "Apartment {flat}, {house} {street} {way}, {town}",
    "!{town}, {street} {way} {house} #{flat}",
)
FLAT_TITLES = parts(
    "{rooms}-room {kind} in {town}",
    "!Lovely {kind}, {rooms} rooms",
    "{kind} {street} {way}",
    "!{town}: {rooms} rm {kind} to let",
    "{rooms} bed {kind}, {street} {way}",
)
FLOORS: list[Writer] = [
    said_plainly,
    lambda d, v: (
        ["ground floor", "1st floor", "2nd floor", "3rd floor"][v] if v < 4 else f"{v}th floor"
    ),
    lambda d, v: "GF" if v == 0 else str(v),
    lambda d, v: f"{v}. OG" if v else "EG",
]
FLATS = Kind(
    flat,
    like_flat,
    [
        [Column("address", FLAT_ADDRESSES, WHOLE), Column("area", SQUARE_METRES)],
        [
            Column("street", ADDRESSES, WHOLE),
            Column("title", FLAT_TITLES, WHOLE),
            Column("size", SQUARE_METRES, "area"),
        ],
    ],
    [
        Column(
            "rooms",
            [
                *PLAIN,
                lambda d, v: f"{v}.0",
                lambda d, v: f"{v} rooms",
                lambda d, v: f"{v - 1} bed" if v > 1 else "studio",
            ],
        ),
        Column("floor", FLOORS),
        Column("rent", MONEY, changes=by_percent(5)),
        Column("available", [*LOOSE_DATES, lambda d, v: "now"], "free"),
        Column("description", TEXTS, "text"),
        Column("features", LISTS, "text"),
        Column("town", TERMS),
        Column("built", VAGUE_YEARS),
    ],
    lambda thing: [
        (thing["street"], thing["way"], thing["house"], thing["flat"]),
        (thing["street"], thing["way"], thing["house"], thing["area"]),
    ],
    4,
)


# Hotels: two portals


def hotel(w: World) -> Thing:
    """Return a hotel."""
    chained = w.chance(0.4)
    named: Thing = (
        {"head": (" ",), "name": w.term("chains"), "at": w.term("chain places")}
        if chained
        else {"head": w.term("hotel heads"), "name": w.term("hotel names"), "at": (" ",)}
    )
    return named | {
        "street": w.word("streets"),
        "way": w.term("ways"),
        "house": w.integer(1, 150),
        "town": w.term("towns"),
        "where": (w.random() * 14 + 41, w.random() * 20 + 1),
        "stars": w.integer(1, 5),
        "price": w.between(38, 400),
        "rooms": w.integer(6, 320),
        "extras": w.terms("hotel extras", 2, 7),
        "postcode": w.digits(5),
        "phone": w.phone(),
    }


def like_hotel(w: World, thing: Thing) -> Thing:
    """Return another house of the chain, the annex, or the same name in another town."""
    new = hotel(w)
    moved = part_of(new, "street way house where phone rooms price")
    near = tuple(x + w.pick([-1, 1]) * (0.004 + 0.05 * w.random()) for x in thing["where"])
    head, own_name = w.other_term("hotel heads", thing["head"]), thing["name"]
    return thing | w.pick(
        [
            moved | {"at": w.other_term("chain places", thing["at"]), "where": near},
            moved | {"town": w.other_term("towns", thing["town"]), "postcode": new["postcode"]},
            moved | {"head": head, "where": near},
            {
                "at": w.other(
                    [("Annex", "Dépendance"), ("II",), ("Apartments", "Suites")], thing["at"]
                ),
                "house": thing["house"] + 2,
                "where": near,
                "rooms": new["rooms"],
                "name": own_name,
            },
        ]
    )


def degrees(pattern: str, digits: int, jitter: float) -> Writer:
    """Return a writer of (latitude, longitude) as far as it was measured."""

    def write(draw: Draw, where: tuple[float, float]) -> str:
        north, east = (x + (2 * draw.random() - 1) * jitter for x in where)
        return pattern.format(n=f"{north:.{digits}f}", e=f"{east:.{digits}f}")

    return write


def sexagesimal(draw: Draw, where: tuple[float, float]) -> str:
    """Write degrees, minutes and seconds."""
    north, east = (f"{int(x)}°{int(x * 60 % 60):02}'{x * 3600 % 60:04.1f}\"" for x in where)
    return f"{north}N {east}E"


PLACES = [
    degrees("{n}, {e}", 5, 0.0001),
    degrees("{n},{e}", 3, 0),
    degrees("{n} N, {e} E", 4, 0.0003),
    degrees("POINT({e} {n})", 6, 0.0002),
    degrees("{e}; {n}", 4, 0),
    sexagesimal,
]
HOTEL_NAMES = parts(
    "{head} {name} {at}",
    "!{head} {name} {at}",
    "{name} {at} {head}",
    "{head} {name} {at}, {town}",
    "!{name} {at} - {head}",
    "{town} {head} {name} {at}",
)
HOTELS = Kind(
    hotel,
    like_hotel,
    [
        [Column("name", HOTEL_NAMES, WHOLE), Column("address", FULL_ADDRESSES, WHOLE)],
        [
            Column("hotel", HOTEL_NAMES, WHOLE),
            Column("coordinates", PLACES, "where"),
            Column("town", TERMS),
        ],
        [
            Column("hotel", HOTEL_NAMES, WHOLE),
            Column("lat", [degrees("{n}", n, 0) for n in (3, 4, 6)], "where"),
            Column("lon", [degrees("{e}", n, 0) for n in (3, 4, 6)], "where"),
        ],
    ],
    [
        Column(
            "stars",
            [
                *PLAIN,
                lambda d, v: "*" * v,
                lambda d, v: f"{v}.0",
                lambda d, v: f"{v} stars",
                lambda d, v: f"{v} S" if v > 3 else str(v),
            ],
        ),
        Column("price_from", MONEY, "price", by_percent(5)),
        Column("rooms", [*PLAIN, lambda d, v: f"{v} rooms"], changes=by_percent(1)),
        Column("offers", LISTS, "extras"),
        Column(
            "rated",
            [
                lambda d, v: f"{d.integer(60, 98) / 10}",
                lambda d, v: f"{d.integer(30, 50) / 10} of 5",
                lambda d, v: d.pick(["good", "superb", "okay"]),
            ],
            WHOLE,
        ),
        Column("postcode", [*PLAIN, lambda d, v: f"{v[:3]} {v[3:]}", lambda d, v: f"A-{v}"]),
        Column("phone", PHONES),
    ],
    lambda thing: [
        tuple(thing[key] for key in ("head", "name", "at", "town")),
        (thing["street"], thing["way"], thing["house"], thing["town"]),
    ],
)


# Firms and their branches: a register and a supplier list


def firm(w: World) -> Thing:
    """Return a branch of a company."""
    return {
        "firm": w.word("employer words"),
        "trade": w.term("trades"),
        "legal": w.term("legal"),
        "unit": (" ",),
        "street": w.word("streets"),
        "way": w.term("ways"),
        "house": w.integer(1, 180),
        "town": w.term("towns"),
        "postcode": w.digits(5),
        "phone": w.phone(),
        "vat": f"{w.pick(['DE', 'GB', 'PL', 'FR'])}{w.digits(9)}",
        "staff": round(w.between(2, 4000)),
        "turnover": w.between(1e5, 9e8),
        "head": w.person(),
        "founded": w.integer(1830, 2021),
    }


def like_firm(w: World, thing: Thing) -> Thing:
    """Return another branch, a sister company at the address, or another firm of the name."""
    new = firm(w)
    place = part_of(new, "street way house phone staff postcode")
    units = [
        ("Holding",),
        ("Services", "Service"),
        ("International", "Int'l"),
        ("Real Estate", "Property"),
        ("Verwaltung", "Management"),
    ]
    return thing | w.pick(
        [
            place | {"town": w.other_term("towns", thing["town"])},
            place,
            {
                "unit": w.other(units, thing["unit"]),
                "vat": new["vat"],
                "staff": new["staff"],
                "legal": new["legal"],
            },
            {
                "trade": w.other_term("trades", thing["trade"]),
                "vat": new["vat"],
                "turnover": new["turnover"],
                "staff": new["staff"],
            },
            new | {"firm": thing["firm"]},
        ]
    )


FIRM_NAMES = parts(
    "{firm} {trade} {unit} {legal}",
    "!{firm} {trade} {unit} {legal}",
    "{firm} {trade} {unit}",
    "!{firm} {trade} {unit}",
    "{legal} {firm} {trade} {unit}",
    "{firm} {trade} {unit} {legal} ({town})",
    "The {firm} {trade} {unit} Co.",
)
FIRMS = Kind(
    firm,
    like_firm,
    [
        [
            Column("company", FIRM_NAMES, WHOLE),
            Column("street", ADDRESSES, WHOLE),
            Column("town", TERMS),
        ],
        [Column("supplier", FIRM_NAMES, WHOLE), Column("address", FULL_ADDRESSES, WHOLE)],
    ],
    [
        Column("postcode", [*PLAIN, lambda d, v: f"D-{v}", lambda d, v: v.lstrip("0")]),
        Column("phone", PHONES),
        Column("vat_id", [*CODES, lambda d, v: v[2:]], "vat"),
        Column(
            "employees",
            [
                *PLAIN,
                lambda d, v: (
                    "1-9" if v < 10 else "10-49" if v < 50 else "50-249" if v < 250 else "250+"
                ),
                lambda d, v: f"approx. {round(v, -1)}",
            ],
            "staff",
            by_percent(25),
        ),
        Column(
            "turnover",
            [
                measure(1e-6, " m", 1),
                measure(1, ""),
                measure(1e-3, "k"),
                measure(1e-6, " Mio. €", 1, ".,"),
            ],
            changes=by_percent(10),
        ),
        Column("managed_by", TITLED_NAMES, "head"),
        Column("founded", VAGUE_YEARS[:3]),
    ],
    lambda thing: [
        tuple(thing[key] for key in ("firm", "trade", "unit", "street", "house", "town"))
    ],
)
