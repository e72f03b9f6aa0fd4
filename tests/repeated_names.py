"""Made-up names of persons, companies and streets, and copies with the errors that people make.

Two lists of words: one to choose numbers by, one to report.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable

WORDS = {
    "choose": {
        "first": "Ada Bruno Carla Dmitri Elena Felix Greta Hugo Ines Jonas Karin Leo Mira Nadia "
        "Otto Paula Quentin Rosa Stefan Tanja Ulrich Vera Walter Xenia Yusuf Zoë René Jürgen "
        "Björn Chloé Edgar Fiona Gordon Hazel Ivan Judith Kevin Laura Mason Nora Oscar Piet",
        "stem": "Ash Black Crom Dun East Fair Garr Had Ing Kil Lock Mer Nor Oak Pres Quim Rad "
        "Shel Thorn Under Vick Whit Yard Mül Gön Håk Lef Nov",
        "end": "worth well bury ley ton wick dale ström berg ford ner mont",
        "trade": "Timber Textiles Bakery Logistics Optics Steel Garden Travel Shipping Glass "
        "Music Cycles Roofing Farms Tools Wine",
    },
    "report": {
        "first": "Alba Boris Celia Dario Esther Florian Gloria Henrik Irma Joaquín Kirsten Lukas "
        "Marta Noah Olga Pedro Renata Simon Thea Umberto Viola Wanda Ximena Yann Zelda André "
        "Sören Inés Günther Aurélie Bertha Cedric Doris Emil Frieda George Hilda Isaac Jasper "
        "Katja Lionel Monica",
        "stem": "Alb Beck Carl Dahl Els Frie Good Hux Isa Jess Kam Lang Mar Neth Pem Rut Stan "
        "Tre Upp Vans Wex Zim Böh Núñ Sør Dvo Grün Pél",
        "end": "brook croft field gate hurst sen stad stein wood man rich holm",
        "trade": "Brewing Paper Chemicals Furniture Railways Ceramics Coffee Leather Seeds "
        "Printing Jewellers Aviation Metals Carpets Packaging Dairy",
    },
}
FORMS = {"Ltd": "Limited", "Inc": "Incorporated", "Corp": "Corporation", "Co": "Company"}
STREETS = {"St": "Street", "Rd": "Road", "Ave": "Avenue", "Ln": "Lane"}
ABBREVIATED = {long: short for short, long in (FORMS | STREETS).items()}
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
KINDS = ("persons", "companies", "addresses")


def names(kind: str, n: int, seed: int, words: str = "report") -> list[str]:
    """Return different names."""
    rng = random.Random(seed)
    lists = {name: text.split() for name, text in WORDS[words].items()}
    lists["last"] = [stem + end for stem in lists["stem"] for end in lists["end"]]
    found: dict[str, None] = {}
    while len(found) < n:
        first, last, trade = (rng.choice(lists[x]) for x in ("first", "last", "trade"))
        other = rng.choice(lists["last"])
        if kind == "persons":
            name = f"{first} {last}"
        elif kind == "companies":
            name = f"{last} {trade} {rng.choice([*FORMS.values(), *FORMS])}"
            name = name if rng.random() < 0.7 else f"{last} & {other} {trade}"
        else:
            name = f"{rng.randint(1, 250)} {last} {rng.choice([*STREETS.values()])}, {other}field"
        # Short and long form of one name are the same thing.
        if not any(with_forms(name, x) in found for x in (ABBREVIATED, FORMS | STREETS)):
            found[name] = None
    return list(found)


def with_forms(name: str, forms: dict[str, str]) -> str:
    return " ".join(forms.get(word.rstrip(","), word) for word in name.split())


def with_copies(
    kind: str, n: int, n_copies: int, seed: int, words: str = "report"
) -> tuple[list[str], list[int]]:
    """Return names and copies with errors, in random order, and the number of each one's name."""
    rng = random.Random(seed)
    rows = list(enumerate(names(kind, n, seed, words)))
    rows += [(number, corrupted(name, kind, rng)) for number, name in rng.sample(rows, n_copies)]
    rng.shuffle(rows)
    return [name for _, name in rows], [number for number, _ in rows]


def corrupted(name: str, kind: str, rng: random.Random) -> str:
    """Return the name with one error or two."""
    errors: list[Callable[[str, random.Random], str]] = [typo, typo, no_accents, other_case]
    errors += [turned] if kind == "persons" else [other_form, other_form, missing_end]
    changed = name
    while changed == name:
        for error in rng.sample(errors, rng.choice([1, 1, 2])):
            changed = error(changed, rng)
    return changed


def typo(name: str, rng: random.Random) -> str:
    places = [i for i in range(1, len(name) - 1) if name[i].isalpha() and name[i + 1].isalpha()]
    i = rng.choice(places)
    letter = rng.choice(ALPHABET)
    instead = rng.choice(["", letter, name[i] + letter, name[i + 1] + name[i]])
    return name[:i] + instead + name[i + 1 + (instead == name[i + 1] + name[i]) :]


def no_accents(name: str, rng: random.Random) -> str:
    decomposed = unicodedata.normalize("NFD", name)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def other_case(name: str, rng: random.Random) -> str:
    return rng.choice([name.upper(), name.lower()])


def turned(name: str, rng: random.Random) -> str:
    first, _, last = name.partition(" ")
    return f"{last}, {first}"


def other_form(name: str, rng: random.Random) -> str:
    return with_forms(name, ABBREVIATED | FORMS | STREETS)


def missing_end(name: str, rng: random.Random) -> str:
    return name.rpartition(" ")[0]
