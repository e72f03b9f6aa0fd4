"""Kinds of ``made_up_joins.py``: what has a title, a version or a maker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from joined_kinds import (
    WHOLE,
    Column,
    Kind,
    Thing,
    World,
    anew,
    by_percent,
    by_steps,
    later,
    part_of,
    parts,
    somebody,
    tidy,
)
from made_up_names import Draw
from made_up_writers import (
    DATES,
    LISTS,
    LOOSE_DATES,
    MINUTES,
    NAMES,
    PLAIN,
    SIZES,
    TERMS,
    TEXTS,
    VAGUE_YEARS,
    WORDS,
    YEARS,
    Term,
    Writer,
    measure,
    name,
    said,
    said_plainly,
)

# Objects: a museum and a survey of collections


def museum_object(w: World) -> Thing:
    """Return an object of a museum."""
    height = round(w.between(4, 180), 1)
    return {
        "object": w.term("objects"),
        "motif": w.term("motifs"),
        "part": (" ",),
        "school": w.term("schools"),
        "material": w.term("materials"),
        "size": (height, round(height * w.between(0.4, 2), 1)),
        "year": w.integer(1250, 1920),
        "maker": w.person(),
        "place": w.term("towns"),
        "inventory": f"{w.integer(1868, 2015)}.{w.integer(1, 60)}.{w.integer(1, 99)}",
        "room": w.integer(1, 40),
        "given_by": w.word("surnames"),
    }


PARTS_OF_OBJECTS = [
    (("left wing", "left shutter"), ("right wing", "right shutter")),
    (("front", "recto"), ("back", "verso")),
    (("I",), ("II",), ("III",), ("IV",)),
    (("No. 1", "first of a series"), ("No. 2", "second of a series")),
    (("lid",), ("base",)),
    (("upper part", "top"), ("lower part", "bottom")),
]


def like_object(w: World, thing: Thing) -> Thing:
    """Return the other wing, a version of another size, or another work of the same hand."""
    new = museum_object(w)
    found = [row for row in PARTS_OF_OBJECTS if thing["part"] in row]
    part = w.other(found[0] if found else w.pick(PARTS_OF_OBJECTS), thing["part"])
    scale = w.pick([0.5, 0.7, 1.4, 1.9])
    other = {
        "inventory": new["inventory"],
        "size": tuple(round(x * scale, 1) for x in thing["size"]),
    }
    stem, number = thing["inventory"].rsplit(".", 1)
    return thing | w.pick(
        [
            {"part": part, "inventory": f"{stem}.{int(number) + 1}"},
            {"part": part, "inventory": new["inventory"]},
            other,
            other | {"motif": w.other_term("motifs", thing["motif"])},
        ]
    )


OBJECT_TITLES = parts(
    "{object}: {motif} {part}",
    "!{object} with {motif} {part}",
    "{motif} ({object}) {part}",
    "!{motif} {part}",
    "{object}, {part}, {motif}",
    "{school} {object} {part}: {motif}",
)
MAKERS_OF_OBJECTS = [
    *NAMES,
    lambda d, v: f"workshop of {v[1]}",
    lambda d, v: f"{v[1]}, attributed to",
    lambda d, v: d.pick(["unknown", "anonymous"]),
]
INVENTORY_NUMBERS: list[Writer] = [
    said_plainly,
    said_plainly,
    lambda d, v: v.replace(".", "/"),
    lambda d, v: v.replace(".", "-"),
    lambda d, v: f"Inv. {v}",
    lambda d, v: f"KGM {v.replace('.', ',')}",
    lambda d, v: f"acc. no. {v}",
    lambda d, v: f"{v.split('.')[0][2:]}.{v.split('.', 1)[1]}",
]
OBJECTS = Kind(
    museum_object,
    like_object,
    [
        [Column("title", OBJECT_TITLES, WHOLE), Column("dimensions", SIZES, "size")],
        [
            Column("title", OBJECT_TITLES, WHOLE),
            Column("inventory_no", INVENTORY_NUMBERS, "inventory"),
        ],
        [
            Column("what", OBJECT_TITLES, WHOLE),
            Column("size", SIZES),
            Column("old_number", INVENTORY_NUMBERS, "inventory"),
        ],
    ],
    [
        Column("dated", VAGUE_YEARS, "year"),
        Column("dating", VAGUE_YEARS, "year"),
        Column("maker", MAKERS_OF_OBJECTS),
        Column("material", TERMS),
        Column("origin", parts("{place}", "!{place}", "{school}", "{school} ({place}?)"), WHOLE),
        Column(
            "room", [*PLAIN, lambda d, v: f"Room {v}", lambda d, v: d.pick(["store", "on loan"])]
        ),
        Column(
            "provenance",
            parts(
                "gift of {given_by}", "{given_by} bequest", "purchased from {given_by}, {place}"
            ),
            WHOLE,
        ),
    ],
    lambda thing: [
        thing["inventory"],
        tuple(thing[key] for key in ("object", "motif", "part", "size")),
    ],
)


# References: two styles of citing


def reference(w: World) -> Thing:
    """Return a publication."""
    first = w.integer(1, 900)
    head, field = w.word("journal heads"), w.word("journal words")
    return {
        "authors": tuple(w.person() for _ in range(w.integer(1, 5))),
        "year": w.integer(1968, 2024),
        "finding": w.word("findings"),
        "matter": w.word("matters"),
        "region": w.pick([" ", w.word("regions")]),
        "opening": " ",
        "part": " ",
        "journal": tuple(
            f"{a} {b}" for a, b in zip(head.split(" = "), field.split(" = "), strict=True)
        ),
        "volume": w.integer(1, 140),
        "issue": w.integer(1, 12),
        "pages": (first, first + w.integer(3, 28)),
        "doi": f"10.{w.digits(4)}/{w.letters(3).lower()}.{w.digits(6)}",
        "cited": w.integer(0, 400),
    }


def like_reference(w: World, thing: Thing) -> Thing:
    """Return a reply, part II, the conference paper before, or the next paper of the group."""
    new = reference(w)
    place = part_of(new, "volume issue pages doi cited")
    openings = ["Reply to:", "Comment on", "Erratum:", "Towards", "Supplement to"]
    return (
        thing
        | place
        | w.pick(
            [
                {"opening": w.other(openings, thing["opening"])},
                {"part": w.other(["I", "II", "III"], thing["part"])},
                {
                    "journal": new["journal"],
                    "year": thing["year"] - w.integer(2, 4),
                    "part": "(extended abstract)",
                },
                {"matter": new["matter"], "year": thing["year"] + w.integer(1, 3)},
                {"region": w.other([" ", *WORDS["regions"]], thing["region"])},
            ]
        )
    )


def authors(pattern: str, separator: str, last: str, most: int = 9) -> Writer:
    """Return a writer of authors, of whom those after the most are "et al."."""

    def write(draw: Draw, persons: Sequence[tuple[Term, str]]) -> str:
        named = [name(pattern)(draw, person) for person in persons[:most]]
        if len(persons) > most:
            return f"{separator.join(named)} et al."
        return last.join(filter(None, [separator.join(named[:-1]), named[-1]]))

    return write


AUTHORS = [
    authors("{last}, {g}.", ", ", " & "),
    authors("{g}. {last}", ", ", " and "),
    authors("{given} {last}", ", ", " and "),
    authors("{last} {g}", ", ", ", "),
    authors("{last}, {given}", "; ", "; "),
    authors("{last}, {g}.", ", ", ", ", 1),
    authors("{LAST}, {given}", " / ", " / ", 2),
]
PAPER_TITLES = parts(
    "{opening} {finding} of {matter} {region} {part}",
    "{opening} {finding} of {matter} {region}. {part}",
    "{opening} {finding} of {matter} {region}: {part}",
)
PAPER_TITLES += [
    lambda d, v: PAPER_TITLES[0](d, v).title(),
    lambda d, v: PAPER_TITLES[1](d, v).strip(". ").capitalize(),
]
# Pages as 865–893, 865-93, 865-893 and 29 p.
PAGES: list[Writer] = [
    lambda d, v: f"{v[0]}–{v[1]}",
    lambda d, v: f"{v[0]}-{v[1] % 100:02}",
    lambda d, v: f"pp. {v[0]}-{v[1]}",
    lambda d, v: f"{v[1] - v[0] + 1} p.",
]


def source(pattern: str, way: int, pages: int) -> Writer:
    """Return a writer of where something was published."""

    def write(draw: Draw, thing: Thing) -> str:
        named = thing | {
            "journal": said(way)(draw, thing["journal"]),
            "pages": PAGES[pages](draw, thing["pages"]),
        }
        return pattern.format(**named)

    return write


SOURCES = [
    source("{journal}, {volume}({issue}), {pages}", 0, 0),
    source("{journal} {volume}:{pages}", 1, 1),
    source("{journal} vol. {volume}, no. {issue}, {pages}", 1, 2),
    source("{journal}", 0, 0),
    source("in: {journal} {volume}, {year}, {pages}", 0, 2),
]


def citation(pattern: str, author: int, title: int, place: int) -> Writer:
    """Return a writer of a whole reference."""

    def write(draw: Draw, thing: Thing) -> str:
        return pattern.format(
            year=thing["year"],
            authors=AUTHORS[author](draw, thing["authors"]),
            title=PAPER_TITLES[title](draw, thing),
            source=SOURCES[place](draw, thing),
        )

    return write


CITATIONS = [
    citation("{authors} ({year}). {title}. {source}.", 0, 0, 0),
    citation('{authors}, "{title}," {source}, {year}.', 1, 3, 2),
    citation("{authors}. {title}. {source}, {year}", 3, 4, 1),
    citation("{authors} {year}: {title}", 5, 2, 3),
    citation("{title} / {authors}. {source}", 6, 0, 4),
]
REFERENCES = Kind(
    reference,
    like_reference,
    [
        [Column("authors", AUTHORS), Column("title", PAPER_TITLES, WHOLE), Column("year", PLAIN)],
        [
            Column("reference", CITATIONS, WHOLE),
            Column(
                "type",
                [lambda d, v: "article", lambda d, v: "journal article", lambda d, v: "A"],
                WHOLE,
            ),
        ],
        [
            Column("title", PAPER_TITLES, WHOLE),
            Column("in", SOURCES, WHOLE),
            Column("year", YEARS),
        ],
    ],
    [
        Column("first_author", NAMES),
        Column(
            "doi", [*PLAIN, lambda d, v: f"https://doi.org/{v}", lambda d, v: f"doi:{v.upper()}"]
        ),
        Column("published_in", SOURCES, WHOLE),
        Column("pages", PAGES),
        Column("cited", PLAIN, changes=lambda d, v: v + d.integer(0, 60)),
        Column("volume", [*PLAIN, lambda d, v: f"Vol. {v}", lambda d, v: f"{v:03}"]),
    ],
    lambda thing: [
        tuple(thing[key] for key in ("opening", "finding", "matter", "region", "part"))
    ],
)


# Recipes: two collections


def recipe(w: World) -> Thing:
    """Return a recipe."""
    mains = w.terms("mains", 2, 2)
    pantry = w.terms("pantry", 3, 9)
    return {
        "main": mains[0],
        "second": mains[1],
        "dish": w.term("dishes"),
        "way": w.term("ways of cooking"),
        "pantry": pantry,
        "grams": [25 * w.integer(1, 30) for _ in range(12)],
        "minutes": 5 * w.integer(2, 40),
        "serves": w.integer(2, 8),
        "author": w.person(),
        "steps": w.terms("steps", 2, 5),
        "calories": w.integer(120, 900),
        "level": w.pick(
            [
                ("easy", "beginner", "*"),
                ("medium", "intermediate", "**"),
                ("hard", "expert", "***"),
            ]
        ),
    }


def like_recipe(w: World, thing: Thing) -> Thing:
    """Return the dish with something else in it, or by somebody else, or in another way."""
    new = recipe(w)
    made = part_of(new, "grams minutes steps calories")
    used = (thing["main"], thing["second"])
    return (
        thing
        | made
        | w.pick(
            [
                {"main": w.pick([x for x in w.section("mains") if x not in used])},
                {"dish": w.other_term("dishes", thing["dish"]), "pantry": new["pantry"]},
                {
                    "author": new["author"],
                    "pantry": new["pantry"],
                    "serves": new["serves"],
                },
                {"way": w.other_term("ways of cooking", thing["way"])},
            ]
        )
    )


RECIPE_TITLES = parts(
    "{way} {main} {dish}",
    "!{way} {main} {dish}",
    "{dish} with {main} and {second} ({way})",
    "!{main} {dish}, {way}",
    "{way} {dish} of {main} & {second}",
    "!{way} {dish} with {main}",
)


def ingredients(way: int, factor: float, unit: str, separator: str) -> Writer:
    """Return a writer of ingredients with amounts, or without any where there is no unit."""

    def write(draw: Draw, thing: Thing) -> str:
        items = [thing["main"], thing["second"], *thing["pantry"]]
        texts = [said(way)(draw, item) for item in items]
        if unit:
            amounts = zip(texts, thing["grams"], strict=False)
            texts = [
                f"{grams * factor:.{int(factor < 1)}f}{unit} {text}" for text, grams in amounts
            ]
        return separator.join(draw.shuffled(texts) if way else texts)

    return write


INGREDIENTS = [
    ingredients(0, 1, " g", ", "),
    ingredients(0, 1, "", ", "),
    ingredients(1, 0.0353, " oz", "; "),
    ingredients(1, 1, "", " / "),
    ingredients(1, 1, "g", "\n"),
]
RECIPES = Kind(
    recipe,
    like_recipe,
    [
        [
            Column("title", RECIPE_TITLES, WHOLE),
            Column("ingredients", INGREDIENTS, WHOLE),
            Column("time", MINUTES, "minutes"),
        ],
        [
            Column("dish", RECIPE_TITLES, WHOLE),
            Column("by", NAMES, "author"),
            Column("you_need", INGREDIENTS, WHOLE),
        ],
    ],
    [
        Column("serves", [*PLAIN, lambda d, v: f"for {v}", lambda d, v: f"{v}-{v + 1} portions"]),
        Column(
            "energy",
            [*PLAIN, lambda d, v: f"{v} kcal", lambda d, v: f"{v * 4.184:.0f} kJ"],
            "calories",
            by_percent(3),
        ),
        Column("method", TEXTS, "steps"),
        Column("level", TERMS),
        Column(
            "rating",
            [lambda d, v: f"{d.integer(30, 50) / 10}", lambda d, v: f"{d.integer(3, 5)}/5"],
            WHOLE,
        ),
        Column("total_time", MINUTES, "minutes"),
    ],
    lambda thing: [tuple(thing[key] for key in ("main", "dish", "way", "author"))],
)


# Packages: two distributions


def package(w: World) -> Thing:
    """Return a software package, of whatever version."""
    root, end = w.word("package roots"), w.word("package ends")
    return {
        "root": root + end,
        "part": (" ",),
        "does": w.term("package jobs"),
        "what": w.term("package things"),
        "licence": w.term("licences"),
        "version": (w.integer(0, 9), w.integer(0, 30), w.integer(0, 12)),
        "keeper": w.person(),
        "site": w.pick(["github.com/{0}/{1}", "gitlab.com/{0}/{1}", "{1}.dev", "www.{1}.org"]),
        "owner": w.coined().lower(),
        "size": w.between(20, 90000),
        "released": w.date(2018, 2024),
        "depends": w.terms("package roots", 2, 5),
    }


def like_package(w: World, thing: Thing) -> Thing:
    """Return another package of the project, or another project of a name or purpose alike."""
    new = package(w)
    own = part_of(new, "size released depends")
    return (
        thing
        | own
        | w.pick(
            [
                {"part": w.other_term("package parts", thing["part"])},
                {"part": w.other_term("package parts", thing["part"])},
                {
                    "root": thing["root"] + w.pick(["2", "3", "-ng", "x"]),
                    "version": new["version"],
                },
                new | {"does": thing["does"], "what": thing["what"], "root": new["root"]},
            ]
        )
    )


PACKAGE_NAMES: list[Writer] = [
    lambda d, v: f"{v['root']}-{v['part'][0]}".rstrip("- "),
    lambda d, v: f"{v['root']}_{v['part'][0]}".rstrip("_ "),
    lambda d, v: f"{v['root']} {said(1)(d, v['part'])}".strip(),
    lambda d, v: f"lib{v['root']}-{v['part'][0]}".rstrip("- "),
    lambda d, v: f"{v['root'].capitalize()} ({v['part'][0]})".replace(" ( )", ""),
    lambda d, v: f"{v['root']}-{said(1)(d, v['part'])}".rstrip("- "),
    lambda d, v: f"app-misc/{v['root']}-{v['part'][0]}".rstrip("- "),
]
VERSIONS: list[Writer] = [
    lambda d, v: "{}.{}.{}".format(*v),
    lambda d, v: "v{}.{}.{}".format(*v),
    lambda d, v: "{}.{}.{}-1ubuntu2".format(*v),
    lambda d, v: "{}.{}.{}-r0".format(*v),
    lambda d, v: "{}.{}".format(*v[:2]) if v[2] == 0 else "{}.{}.{}".format(*v),
    lambda d, v: "1:{}.{}.{}+dfsg-3".format(*v),
]
SUMMARIES = parts(
    "{root} {does} {what}",
    "!{what}: {does} them",
    "{does} {what}",
    "!a {does} {what}",
    "!fast {does} {what} ({part})",
)


def home_page(secure: str, end: str) -> Writer:
    """Return a writer of the address of a project."""
    return lambda d, v: secure + v["site"].format(v["owner"], v["root"]) + end


def newer(draw: Draw, version: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a version that another distribution may have."""
    major, minor, patch = version
    return draw.pick(
        [(major, minor, patch + 1), (major, minor + draw.integer(1, 4), 0), (major + 1, 0, 0)]
    )


FILE_SIZES: list[Writer] = [
    lambda d, v: f"{v:.0f} kB",
    lambda d, v: f"{v / 1024:.1f} MiB",
    lambda d, v: f"{v * 1000:.0f}",
    lambda d, v: f"{v:,.0f}K",
]
PACKAGES = Kind(
    package,
    like_package,
    [
        [Column("package", PACKAGE_NAMES, WHOLE), Column("summary", SUMMARIES, WHOLE)],
        [
            Column("name", PACKAGE_NAMES, WHOLE),
            Column(
                "home",
                [home_page("https://", ""), home_page("http://", "/"), home_page("", "")],
                WHOLE,
            ),
        ],
    ],
    [
        Column("version", VERSIONS, changes=newer),
        Column("licence", TERMS),
        Column(
            "maintainer",
            NAMES,
            "keeper",
            anew(somebody),
        ),
        Column("size", FILE_SIZES, changes=by_percent(8)),
        Column("updated", LOOSE_DATES, "released", later(200)),
        Column("depends", LISTS),
        Column("what_for", parts("{what}", "!{what}", "{does} {what}"), WHOLE),
    ],
    lambda thing: [(thing["root"], thing["part"])],
)


# Releases: files of a mirror and a list of builds


def build(w: World) -> Thing:
    """Return one build of a release of a program."""
    return package(w) | {
        "platform": w.term("platforms"),
        "hash": w.rng.bytes(20).hex(),
        "downloads": w.integer(3, 90000),
    }


def like_build(w: World, thing: Thing) -> Thing:
    """Return the next version, or the build for another platform."""
    new = build(w)
    major, minor, patch = thing["version"]
    version = w.pick([(major, minor, patch + 1), (major, minor + 1, patch), (major + 1, minor, 0)])
    return (
        thing
        | {
            "hash": new["hash"],
            "size": thing["size"] * w.between(0.8, 1.25),
            "downloads": new["downloads"],
        }
        | w.pick(
            [
                {"version": version, "released": thing["released"] + timedelta(w.integer(5, 200))},
                {"platform": w.other_term("platforms", thing["platform"])},
            ]
        )
    )


def file_name(pattern: str, version: int, way: int) -> Writer:
    """Return a writer of the name of a file."""

    def write(draw: Draw, thing: Thing) -> str:
        return pattern.format(
            root=thing["root"],
            Root=thing["root"].capitalize(),
            version=VERSIONS[version](draw, thing["version"]),
            platform=said(way)(draw, thing["platform"]),
        )

    return write


FILES: list[Writer] = [
    file_name("{root}-{version}-{platform}.tar.gz", 0, 0),
    file_name("{Root}_{version}_{platform}.zip", 1, 1),
    file_name("{root} {version} for {platform}", 0, 2),
    file_name("releases/{version}/{root}-{platform}.pkg", 1, 0),
    file_name("{root} ({platform}), version {version}", 4, 1),
]
BUILDS = Kind(
    build,
    like_build,
    [
        [Column("file", FILES, WHOLE)],
        [Column("program", PLAIN, "root"), Column("version", VERSIONS), Column("platform", TERMS)],
        [Column("name", FILES, WHOLE), Column("bytes", FILE_SIZES, "size")],
    ],
    [
        Column(
            "checksum",
            [lambda d, v: v[:40], lambda d, v: v[:12], lambda d, v: f"sha1:{v[:40]}"],
            "hash",
        ),
        Column("date", LOOSE_DATES, "released", later(2)),
        Column(
            "downloads",
            [measure(1, "", 0), measure(1, "", 0, ",."), measure(0.001, "k", 1)],
            changes=by_percent(30),
        ),
        Column("licence", TERMS),
        Column("about", SUMMARIES, WHOLE),
        Column("by", NAMES, "keeper"),
    ],
    lambda thing: [(thing["root"], thing["version"], thing["platform"])],
    5,
)


# Episodes: two broadcasters


def episode(w: World) -> Thing:
    """Return an episode of a series."""
    return {
        "series": w.term("series"),
        "season": w.integer(1, 12),
        "number": w.integer(1, 24),
        "title": w.word("episode words"),
        "part": " ",
        "aired": w.date(1985, 2024),
        "minutes": w.pick([24, 28, 42, 45, 58, 88, 90]) + w.integer(0, 4),
        "director": w.person(),
        "writer": w.person(),
        "plot": [
            (f"{who} {what[0]}", f"{who} {what[-1]}")
            for who, what in zip(plot_names(w), w.terms("plot what", 2, 3), strict=False)
        ],
        "cast": [(" ".join((given[0], last)),) for given, last in (w.person() for _ in range(3))],
    }


def plot_names(w: World) -> list[str]:
    """Return who does something in an episode."""
    return [w.word("plot who") for _ in range(3)]


def like_episode(w: World, thing: Thing) -> Thing:
    """Return the next episode, the same number of another season, or the second part."""
    new = episode(w)
    week = timedelta(7 * w.integer(1, 12))
    own = part_of(new, "title plot minutes writer")
    return (
        thing
        | {"plot": new["plot"]}
        | w.pick(
            [
                own
                | {"number": thing["number"] + w.integer(1, 3), "aired": thing["aired"] + week},
                own
                | {
                    "season": thing["season"] + w.integer(1, 3),
                    "aired": thing["aired"] + timedelta(364 * w.integer(1, 3)),
                    "director": new["director"],
                },
                {
                    "number": thing["number"] + 1,
                    "aired": thing["aired"] + timedelta(7),
                    "part": w.other(["(Part 1)", "(Part 2)", "(Part 3)"], thing["part"]),
                },
                {
                    "season": thing["season"] + 2,
                    "number": new["number"],
                    "aired": thing["aired"] + timedelta(728),
                },
            ]
        )
    )


EPISODE_NUMBERS: list[Writer] = [
    lambda d, v: f"S{v['season']:02}E{v['number']:02}",
    lambda d, v: f"{v['season']}x{v['number']:02}",
    lambda d, v: f"Season {v['season']}, Episode {v['number']}",
    lambda d, v: f"{v['season']}.{v['number']}",
    lambda d, v: f"Series {v['season']} ep. {v['number']}",
    lambda d, v: f"{v['season']:d}{v['number']:02}",
]
EPISODE_TITLES = parts(
    "{title} {part}",
    "{title} {part}",
    "{series}: {title} {part}",
    "!{series} - {title} {part}",
    '{series} - "{title}" {part}',
)
WHOLE_EPISODES: list[Writer] = [
    lambda d, v: tidy(f"{v['series'][0]} {EPISODE_NUMBERS[0](d, v)} {v['title']} {v['part']}"),
    lambda d, v: f"{said(1)(d, v['series'])}, {EPISODE_NUMBERS[2](d, v)}",
    lambda d, v: tidy(f"{v['title']} {v['part']}, {v['series'][0]} {EPISODE_NUMBERS[1](d, v)}"),
    lambda d, v: f"{v['series'][0].replace(' ', '.')}.{EPISODE_NUMBERS[0](d, v)}",
    lambda d, v: tidy(f"{v['series'][0]}: {v['title']} {v['part']} ({EPISODE_NUMBERS[1](d, v)})"),
]
EPISODES = Kind(
    episode,
    like_episode,
    [
        [Column("series", TERMS), Column("episode", EPISODE_NUMBERS, WHOLE)],
        [
            Column("series", TERMS),
            Column("episode", EPISODE_NUMBERS, WHOLE),
            Column("title", EPISODE_TITLES, WHOLE),
        ],
        [
            Column("series", TERMS),
            Column("title", EPISODE_TITLES, WHOLE),
            Column("first_shown", DATES, "aired"),
        ],
        [Column("programme", WHOLE_EPISODES, WHOLE)],
    ],
    [
        Column("aired", LOOSE_DATES, changes=later(400)),
        Column("length", MINUTES, "minutes", by_steps(2, 10, 99)),
        Column("director", NAMES),
        Column("synopsis", TEXTS, "plot"),
        Column("script", NAMES, "writer"),
        Column("with", LISTS, "cast"),
        Column(
            "rating",
            [
                lambda d, v: f"{d.integer(50, 97) / 10}",
                lambda d, v: f"{d.integer(20, 50) / 10}/5",
                lambda d, v: "PG",
            ],
            WHOLE,
        ),
    ],
    lambda thing: [
        (thing["series"], thing["season"], thing["number"]),
        (thing["series"], thing["title"], thing["part"], thing["aired"]),
    ],
    5,
)
