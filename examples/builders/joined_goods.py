"""Kinds of ``made_up_joins.py``: what is bought, sold, registered or collected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from joined_kinds import (
    WHOLE,
    Column,
    Kind,
    Thing,
    World,
    anew,
    by_percent,
    by_steps,
    part_of,
    parts,
    somebody,
    to_another,
)
from made_up_names import Draw
from made_up_writers import (
    CODES,
    FULL_NAMES,
    KILOGRAMS,
    LISTS,
    LOOSE_DATES,
    METRES,
    MONEY,
    MONTHS,
    NAMES,
    NUMBERS_WITH_ZEROS,
    PLAIN,
    ROMAN,
    SHORT_NAMES,
    TERMS,
    TEXTS,
    WORDS,
    YEARS,
    Writer,
    bare,
    joined,
    measure,
    said,
    said_plainly,
)

# Instruments: an inventory and a maintenance contract


def device(w: World) -> Thing:
    """Return a device of a laboratory."""
    return {
        "device": w.term("devices"),
        "maker": w.term("makers"),
        "model": f"{w.letters(2)}-{10 * w.integer(10, 99)}",
        "suffix": w.pick([" ", " ", "B", "S", "plus", "Mk II"]),
        "serial": f"{w.pick(['0', '00', '1', '7'])}{w.digits(3)}-{w.digits(4)}",
        "bought": w.date(1996, 2024),
        "price": w.between(150, 90000),
        "weight": w.between(0.4, 300),
        "power": w.pick([60, 150, 400, 1200, 2300]),
        "room": f"{w.integer(0, 4)}.{w.integer(1, 60):02}",
        "keeper": w.person(),
        "asset": f"{w.integer(1, 99999):07}",
    }


def like_device(w: World, thing: Thing) -> Thing:
    """Return another copy of the device, the twin model, or another device of the room."""
    new = device(w)
    own = part_of(new, "serial asset")
    stem, number = thing["serial"].split("-")
    letters, figures = thing["model"].split("-")
    return (
        thing
        | own
        | w.pick(
            [
                {
                    "serial": f"{stem}-{(int(number) + w.integer(1, 40)) % 9999:04}",
                    "room": new["room"],
                },
                {"bought": new["bought"], "keeper": new["keeper"]},
                {
                    "model": f"{letters}-{int(figures) + w.pick([5, 10, 20])}",
                    "price": thing["price"] * 1.15,
                },
                {"suffix": w.other([" ", "B", "S", "plus", "Mk II", "digital"], thing["suffix"])},
                part_of(new, "device maker model weight price power"),
            ]
        )
    )


MODELS = parts(
    "{maker} {model} {suffix}",
    "!{maker} {model}{suffix}",
    "{model} {suffix}",
    "{device} {maker} {model} {suffix}",
    "!{device}, {model} {suffix} ({maker})",
)
MODELS += [lambda d, v: f"{v['maker'][0]} {bare(d, v['model'])}{v['suffix']}".strip()]
SERIALS = [
    *CODES,
    lambda d, v: f"SN{v}",
    lambda d, v: f"S/N {bare(d, v)}",
    lambda d, v: bare(d, v).lstrip("0"),
]
DEVICES = Kind(
    device,
    like_device,
    [
        [Column("model", MODELS, WHOLE), Column("serial_no", SERIALS, "serial")],
        [
            Column("type", MODELS, WHOLE),
            Column("fabrication_no", SERIALS, "serial"),
            Column("item", TERMS, "device"),
        ],
    ],
    [
        Column("manufacturer", TERMS, "maker"),
        Column("bought", [*LOOSE_DATES, lambda d, v: str(v.year)]),
        Column("price", MONEY, changes=by_percent(2)),
        Column("weight", KILOGRAMS, changes=by_percent(2)),
        Column("power", [measure(1, " W"), measure(0.001, " kW", 2), measure(1, "")]),
        Column(
            "room", [*CODES[:3], lambda d, v: f"R {v}"], changes=anew(lambda d: f"5.{d.digits(2)}")
        ),
        Column("in_charge", NAMES, "keeper", anew(somebody)),
        Column("asset_no", NUMBERS_WITH_ZEROS, "asset"),
    ],
    lambda thing: [
        (thing["model"], bare(Draw(np.random.default_rng(0)), thing["serial"])[-6:]),
        thing["asset"],
    ],
)


# Plants: two check lists


def plant(w: World) -> Thing:
    """Return a taxon."""
    genus, family = w.word("genera").split("/")
    families = {x.split("|")[0]: tuple(x.split("|")) for x in WORDS["families"]}
    return {
        "genus": genus,
        "family": families.get(family, (family,)),
        "epithet": w.word("epithets"),
        "author": w.term("plant authors"),
        "first_author": w.pick([(" ",), w.term("plant authors")]),
        "rank": (" ",),
        "lower": " ",
        "lower_author": (" ",),
        "old": w.other(WORDS["genera"], f"{genus}/{family}").split("/")[0],
        "height": w.integer(5, 240),
        "flowers": (w.integer(3, 6), w.integer(7, 10)),
        "habitat": w.term("habitats"),
        "region": w.terms("regions of plants", 2, 5),
        "status": w.pick(
            [
                ("LC", "least concern"),
                ("NT", "near threatened"),
                ("VU", "vulnerable"),
                ("EN", "endangered"),
            ]
        ),
        "chromosomes": 2 * w.integer(6, 40),
    }


RANKS = [("subsp.", "ssp."), ("var.", "v."), ("f.", "forma"), ("subsp.", "subspecies")]


def like_plant(w: World, thing: Thing) -> Thing:
    """Return a subspecies, another species of the genus, or the epithet in another genus."""
    new = plant(w)
    lower = {
        "rank": w.pick(RANKS[:3]),
        "lower": w.other(WORDS["epithets"], thing["epithet"]),
        "lower_author": new["author"],
    }
    return (
        thing
        | part_of(new, "height habitat region status")
        | w.pick(
            [
                lower,
                lower,
                part_of(new, "epithet author first_author flowers"),
                part_of(new, "genus family author first_author"),
            ]
        )
    )


def plant_name(pattern: str, way: int = 0) -> Writer:
    """Return a writer of scientific names of the parts taxon, author, first and old."""

    def write(draw: Draw, thing: Thing) -> str:
        taxon = f"{thing['genus']} {thing['epithet']}"
        author, first = said(way)(draw, thing["author"]), said(way)(draw, thing["first_author"])
        if thing["lower"].strip():
            author = said(way)(draw, thing["lower_author"])
            taxon += f" {said(way)(draw, thing['rank'])} {thing['lower']}"
        first = f"({first}) " if first.strip() else ""
        text = pattern.format(
            taxon=taxon,
            author=first + author,
            bare=author,
            old=f"{thing['old']} {thing['epithet']}",
        )
        return text.replace(thing["genus"], f"{thing['genus'][0]}.") if "<" in pattern else text

    return write


PLANT_NAMES = [
    plant_name("{taxon} {author}"),
    plant_name("{taxon} {author}", 1),
    plant_name("{taxon}"),
    plant_name("{taxon}", 1),
    plant_name("{taxon} {bare}", 1),
    plant_name("{taxon} {author} [syn. {old}]"),
    plant_name("{taxon} {author} (= {old} auct.)", 1),
    lambda d, v: plant_name("{taxon}")(d, v).replace(v["genus"], v["genus"].upper()),
]
FLOWERING: list[Writer] = [
    lambda d, v: f"{MONTHS[v[0] - 1]}–{MONTHS[v[1] - 1]}",
    lambda d, v: f"{v[0]}-{v[1]}",
    lambda d, v: f"{ROMAN[v[0] - 1]}-{ROMAN[v[1] - 1]}",
    lambda d, v: f"{MONTHS[v[0] - 1][:3]} to {MONTHS[v[1] - 1][:3]}",
    lambda d, v: "spring" if v[0] < 5 else "summer",
]
PLANTS = Kind(
    plant,
    like_plant,
    [
        [Column("taxon", PLANT_NAMES, WHOLE), Column("family", TERMS)],
        [Column("name", PLANT_NAMES, WHOLE), Column("found_in", LISTS, "region")],
    ],
    [
        Column("author", TERMS),
        Column(
            "height",
            [
                measure(1, " cm"),
                measure(0.01, " m", 2),
                measure(1, ""),
                lambda d, v: f"{v // 20 * 10}–{v} cm",
                measure(1 / 2.54, '"'),
            ],
            changes=by_percent(15),
        ),
        Column("flowers", FLOWERING),
        Column("habitat", TERMS),
        Column(
            "red_list",
            TERMS,
            "status",
            lambda d, v: d.pick([("LC", "least concern"), ("NT", "near threatened")]),
        ),
        Column("distribution", LISTS, "region"),
        Column(
            "2n", [*PLAIN, lambda d, v: f"2n = {v}", lambda d, v: f"n={v // 2}"], "chromosomes"
        ),
    ],
    lambda thing: [tuple(thing[key] for key in ("genus", "epithet", "lower"))],
)


# Specimens: two herbaria


def specimen(w: World) -> Thing:
    """Return what was collected at a place."""
    return plant(w) | {
        "collector": w.person(),
        "number": w.integer(1, 9800),
        "collected": w.date(1890, 2015),
        "place": w.word("regions of plants"),
        "near": w.term("towns"),
        "altitude": 10 * w.integer(1, 290),
        "sheet": f"{w.integer(1, 999999):07}",
    }


def like_specimen(w: World, thing: Thing) -> Thing:
    """Return the next number of the day, or another find of the species."""
    new = specimen(w)
    species = part_of(new, "genus family epithet author first_author rank lower habitat")
    return (
        thing
        | {"sheet": new["sheet"]}
        | w.pick(
            [
                species | {"number": thing["number"] + w.integer(1, 9)},
                {"number": thing["number"] + w.integer(1, 30), "altitude": new["altitude"]},
                part_of(new, "collector number collected place near altitude"),
                {
                    "number": new["number"],
                    "collected": new["collected"],
                    "altitude": new["altitude"],
                },
            ]
        )
    )


COLLECTED_BY: list[Writer] = [
    lambda d, v: f"{FULL_NAMES[0](d, v['collector'])} {v['number']}",
    lambda d, v: f"{SHORT_NAMES[0](d, v['collector'])}, no. {v['number']}",
    lambda d, v: f"leg. {SHORT_NAMES[1](d, v['collector'])} #{v['number']}",
    lambda d, v: f"{v['collector'][1]} s.n. [{v['number']:05}]",
    lambda d, v: f"{v['collector'][1].upper()} {v['number']}",
]
SPECIMENS = Kind(
    specimen,
    like_specimen,
    [
        [Column("taxon", PLANT_NAMES, WHOLE), Column("collected_by", COLLECTED_BY, WHOLE)],
        [
            Column("species", PLANT_NAMES, WHOLE),
            Column("collector_and_number", COLLECTED_BY, WHOLE),
            Column("date", LOOSE_DATES, "collected"),
        ],
    ],
    [
        Column(
            "locality",
            parts(
                "{place}, near {near}",
                "!{near} ({place})",
                "{place}",
                "!{place}: {habitat} near {near}",
                "{habitat}, {place}",
            ),
            WHOLE,
        ),
        Column("altitude", METRES, changes=by_percent(1)),
        Column("day", LOOSE_DATES, "collected"),
        Column("habitat", TERMS),
        Column("family", TERMS),
        Column("barcode", [*NUMBERS_WITH_ZEROS, lambda d, v: f"W-{v}"], "sheet"),
        Column(
            "det",
            NAMES,
            "collector",
            anew(somebody),
        ),
    ],
    lambda thing: [(thing["collector"][1], thing["number"])],
)


# Vehicles: insurer and authority


CARS = [
    (tuple(brand.split("|")), models.split(", "))
    for brand, models in (entry.split(": ") for entry in WORDS["cars"])
]


def vehicle(w: World) -> Thing:
    """Return a vehicle."""
    brand, models = w.pick(CARS)
    return {
        "brand": brand,
        "model": w.pick(models),
        "plate": f"{w.letters(w.integer(1, 3))}-{w.letters(2)} {w.digits(w.integer(3, 4))}",
        "vin": f"{w.letters(3)}{w.digits(1)}{w.letters(2)}{w.digits(2)}{w.letters(1)}"
        + w.digits(8),
        "registered": w.date(2002, 2024),
        "kilowatts": w.integer(44, 240),
        "colour": w.term("colours"),
        "owner": w.person(),
        "mileage": w.integer(900, 250000),
        "premium": w.between(180, 1600),
        "town": w.term("towns"),
        "seats": w.pick([2, 4, 5, 5, 5, 7, 9]),
    }


def like_vehicle(w: World, thing: Thing) -> Thing:
    """Return the next vehicle of the fleet, or the owner's second one."""
    new = vehicle(w)
    series = f"{thing['vin'][:-4]}{(int(thing['vin'][-4:]) + w.integer(1, 60)) % 10000:04}"
    letters, number = thing["plate"].split(" ")
    plate = f"{letters} {int(number) + w.integer(1, 9)}"
    return new | w.pick(
        [
            part_of(thing, "brand model registered kilowatts colour owner town seats")
            | {"vin": series, "plate": plate},
            part_of(thing, "brand model kilowatts colour seats") | {"vin": series},
            {"owner": thing["owner"], "town": thing["town"], "plate": plate},
        ]
    )


VINS: list[Writer] = [
    *PLAIN,
    *PLAIN,
    lambda d, v: v[-8:],
    lambda d, v: f"{v[:3]} {v[3:9]} {v[9:]}",
    CODES[5],
    lambda d, v: v.lower(),
]
POWERS: list[Writer] = [
    *PLAIN,
    lambda d, v: f"{v} kW",
    lambda d, v: f"{v * 1.3596:.0f} PS",
    lambda d, v: f"{v * 1.341:.0f} hp",
    lambda d, v: f"{v} kW ({v * 1.3596:.0f} PS)",
]
VEHICLES = Kind(
    vehicle,
    like_vehicle,
    [
        [
            Column("plate", CODES),
            Column(
                "vehicle",
                parts("{brand} {model}", "!{brand} {model}", "{model} ({brand})", "{brand}"),
                WHOLE,
            ),
        ],
        [Column("vin", VINS), Column("make", TERMS, "brand")],
        [Column("registration", CODES, "plate"), Column("chassis", VINS, "vin")],
    ],
    [
        Column("model", PLAIN),
        Column("first_registered", LOOSE_DATES, "registered"),
        Column("power", POWERS, "kilowatts"),
        Column("colour", TERMS),
        Column("holder", NAMES, "owner"),
        Column(
            "mileage",
            [
                measure(1, " km"),
                measure(0.6214, " mi"),
                measure(1, " km", 0, ".,"),
                measure(0.001, "k"),
            ],
            changes=by_percent(5),
        ),
        Column("premium", MONEY, changes=by_percent(20)),
        Column("town", TERMS, changes=to_another("towns")),
    ],
    lambda thing: [thing["plate"], thing["vin"][-8:]],
)


# Second hand: chatty advertisements and a catalogue


def second_hand(w: World) -> Thing:
    """Return a product that somebody sells."""
    return {
        "brand": w.coined(),
        "model": w.letters(w.integer(1, 3)) + w.pick(["", " ", "-"]) + w.digits(w.integer(1, 4)),
        "suffix": w.pick([" ", " ", "S", "Pro", "E", "RCE", "Plus", "Mini"]),
        "goods": w.term("goods"),
        "measure": w.pick(
            [
                " ",
                f"{w.integer(2, 40)} L",
                f"{w.pick([64, 128, 256, 512])} GB",
                f"{w.integer(4, 36)} V",
                f"{w.integer(10, 65)} inch",
            ]
        ),
        "colour": w.term("colours"),
        "price": w.between(8, 1200),
        "condition": w.term("conditions"),
        "chat": w.terms("chatter", 3, 8),
        "year": w.integer(2008, 2024),
        "town": w.term("towns"),
        "ean": w.digits(8) + w.digits(5),
        "weight": w.between(0.2, 70),
    }


def like_second_hand(w: World, thing: Thing) -> Thing:
    """Return the twin model, another suffix or size, or another product of the brand."""
    new = second_hand(w)
    head = thing["model"].rstrip("0123456789")
    figures = int(thing["model"][len(head) :])
    number, unit = thing["measure"].split(" ", 1) if thing["measure"].strip() else ("", "")
    options: list[Thing] = [
        {"model": f"{head}{figures + w.pick([1, 5, 10, 50, 100])}"},
        {"suffix": w.other(["S", "Pro", "E", "RCE", "Plus", "Mini", "Max"], thing["suffix"])},
        {"goods": w.other_term("goods", thing["goods"]), "model": new["model"]},
    ]
    if number:
        options.append({"measure": f"{int(number) * 2} {unit}"})
    return thing | part_of(new, "price ean chat condition year") | w.pick(options)


def advertised(patterns: Sequence[str], most_words: int) -> Writer:
    """Return a writer of titles of advertisements, with talk around the product."""
    bases = parts(*patterns)

    def write(draw: Draw, thing: Thing) -> str:
        talk = [
            draw.pick(term) for term in draw.shuffled(thing["chat"])[: draw.integer(0, most_words)]
        ]
        before = [talk.pop()] if talk and draw.chance(0.3) else []
        text = draw.pick(bases)(draw, thing)
        text = text.upper() if draw.chance(0.15) else text
        return draw.pick([" ", ", ", " - ", " !! "]).join([*before, text, *talk])

    return write


GOODS_NAMES = [
    *parts(
        "{brand} {model} {suffix} {goods} {measure}",
        "!{goods} {brand} {model}{suffix}, {measure}",
        "{brand} {goods} {model} {suffix} ({measure})",
    ),
    lambda d, v: f"{v['brand']} {bare(d, v['model'])} {v['suffix']} {v['measure']}".strip(),
]
GOODS_TITLES = [
    *GOODS_NAMES,
    advertised(
        [
            "{brand} {model} {suffix} {goods} {measure}",
            "{goods} {brand} {model} {suffix} {measure} {colour}",
        ],
        3,
    ),
    advertised(
        [
            "!{goods} from {brand}, model {model} {suffix}, {measure}",
            "!{brand} {model}{suffix} {measure}",
        ],
        5,
    ),
    advertised(
        [
            "{brand} {goods} {measure} {model} {suffix}",
            "!{measure} {goods} ({brand} {model} {suffix})",
        ],
        6,
    ),
]
SECOND_HAND = Kind(
    second_hand,
    like_second_hand,
    [
        [Column("title", GOODS_TITLES, WHOLE)],
        [Column("article", GOODS_TITLES, WHOLE), Column("colour", TERMS)],
    ],
    [
        Column("brand", PLAIN),
        Column("kind", TERMS, "goods"),
        Column("price", MONEY, changes=by_percent(40)),
        Column("condition", TERMS, changes=to_another("conditions")),
        Column("details", [*TEXTS, joined(". ", 0), joined(" ** ", 0, shuffled=True)], "chat"),
        Column("year", [*YEARS, lambda d, v: f"approx. {v}"], changes=by_steps(1, 2000, 2024)),
        Column("where", TERMS, "town"),
        Column("weight", KILOGRAMS, changes=by_percent(3)),
        Column(
            "ean", [*PLAIN, lambda d, v: f"{v[0]} {v[1:7]} {v[7:]}", lambda d, v: v.lstrip("0")]
        ),
    ],
    lambda thing: [
        tuple(
            str(thing[key]).replace(" ", "").replace("-", "")
            for key in ("brand", "model", "suffix", "measure")
        )
    ],
)


# Variants: a wholesaler and a shop, with a reference full of near-duplicates


def variant(w: World) -> Thing:
    """Return an article in a colour, size and pack."""
    title = w.pick(["garments", "household", "consumables"])
    amounts = WORDS[f"sizes of {title}"]
    return {
        "brand": w.coined(),
        "line": w.word("lines"),
        "article": w.term(title),
        "hues": "flavours" if title == "consumables" else "colours",
        "colour": w.term("flavours" if title == "consumables" else "colours"),
        "amounts": amounts,
        "amount": w.pick(amounts),
        "pack": w.pick([1, 1, 1, 2, 4, 6, 12, 24]),
        "price": w.between(2, 90),
        "ean": f"40{w.digits(5)}{w.digits(6)}",
        "stock": w.integer(0, 900),
        "article_no": f"{w.letters(2)}{w.digits(4)}-{w.digits(2)}",
        "origin": w.term("countries"),
    }


def like_variant(w: World, thing: Thing) -> Thing:
    """Return the article in another colour, size or pack, or of another line."""
    new = variant(w)
    own = {
        "ean": f"{thing['ean'][:-4]}{w.digits(4)}",
        "stock": new["stock"],
        "article_no": f"{thing['article_no'][:-2]}{w.digits(2)}",
    }
    return (
        thing
        | own
        | w.pick(
            [
                {"colour": w.other_term(thing["hues"], thing["colour"])},
                {"colour": w.other_term(thing["hues"], thing["colour"])},
                {
                    "amount": w.other(thing["amounts"], thing["amount"]),
                    "price": thing["price"] * 1.1,
                },
                {
                    "pack": w.other([1, 2, 4, 6, 12, 24], thing["pack"]),
                    "price": thing["price"] * 1.8,
                },
                {"line": w.other(WORDS["lines"], thing["line"])},
            ]
        )
    )


PACKS: list[Writer] = [
    lambda d, v: str(v),
    lambda d, v: f"{v} pcs",
    lambda d, v: f"pack of {v}" if v > 1 else "single",
    lambda d, v: f"x{v}",
    lambda d, v: f"{v}-pack",
]
AMOUNTS: list[Writer] = [
    said_plainly,
    said_plainly,
    lambda d, v: v.replace(" ", ""),
    lambda d, v: v.replace(".", ","),
    lambda d, v: v.replace(" l", " L").replace(" cm", "cm"),
    lambda d, v: {
        "250 ml": "0.25 l",
        "330 ml": "0.33 l",
        "500 ml": "0.5 l",
        "1 kg": "1000 g",
        "1 l": "1000 ml",
        "20 cm": "200 mm",
        "2.5 kg": "2500 g",
    }.get(v, v),
]


def variant_name(pattern: str, amount: int, pack: int, way: int) -> Writer:
    """Return a writer of the whole article."""

    def write(draw: Draw, thing: Thing) -> str:
        text = pattern.format(
            brand=thing["brand"],
            line=thing["line"],
            article=said(way)(draw, thing["article"]),
            colour=said(way)(draw, thing["colour"]),
            amount=AMOUNTS[amount](draw, thing["amount"]),
            pack=PACKS[pack](draw, thing["pack"]),
        )
        return text

    return write


VARIANT_NAMES = [
    variant_name("{brand} {line} {article} {colour} {amount}, {pack}", 0, 1, 0),
    variant_name("{article} {brand} {line} {amount} {colour} {pack}", 2, 3, 1),
    variant_name('{brand} {article} "{line}" - {colour} - {amount} - {pack}', 5, 2, 1),
    variant_name("{brand} {line} {article}, {pack}, {amount} ({colour})", 3, 4, 2),
]
VARIANTS = Kind(
    variant,
    like_variant,
    [
        [Column("article", VARIANT_NAMES, WHOLE)],
        [
            Column(
                "name",
                parts(
                    "{brand} {line} {article}",
                    "!{article} {brand} {line}",
                    "{line} {article} by {brand}",
                ),
                WHOLE,
            ),
            Column("colour", TERMS),
            Column("size", AMOUNTS, "amount"),
            Column("pack", PACKS),
        ],
        [
            Column("product", VARIANT_NAMES, WHOLE),
            Column("ean", [*PLAIN, lambda d, v: f"{v[0]} {v[1:7]} {v[7:]}", lambda d, v: f"0{v}"]),
        ],
    ],
    [
        Column("brand", PLAIN),
        Column("price", MONEY, changes=by_percent(5)),
        Column(
            "stock",
            [*PLAIN, lambda d, v: "in stock" if v else "sold out"],
            changes=anew(lambda d: d.integer(0, 900)),
        ),
        Column("article_no", CODES),
        Column("made_in", TERMS, "origin"),
        Column("group", TERMS, "article"),
    ],
    lambda thing: [
        tuple(thing[key] for key in ("brand", "line", "article", "colour", "amount", "pack"))
    ],
    8,
)
