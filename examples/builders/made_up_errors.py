"""How another hand writes the cells of a record: its formats, its habits and its errors.

A ``Style`` is drawn for each side of a table. A ``Hand`` writes cells in a style, with one method
for each kind of cell. Cells are given in one form (dates as 1980-03-12, phones as ten digits,
prices as 12.90). A cell that alone tells two things of the table apart is written with ``care``:
the format may be another, but nothing that tells is lost.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from made_up_names import SMALL_WORDS, WORDS, Draw, forms_by_name

# How quantities are written: factor, decimals and unit of each form.
UNITS: dict[str, list[tuple[float, str]]] = {
    "ml": [(1, "ml"), (1, " ml"), (1, " mL"), (0.001, " l"), (0.1, "cl")],
    "TB": [(1, "TB"), (1, " TB"), (1000, "GB"), (1000, " GB")],
    "GB": [(1, "GB"), (1, " GB"), (1, " gb"), (1, "-GB")],
    "V": [(1, "V"), (1, " V"), (1, "-volt"), (1, " Volt")],
    "W": [(1, "W"), (1, " W"), (1, " watts"), (1, "-Watt")],
    "inch": [(1, '"'), (1, " inch"), (1, "-inch"), (1, "in."), (1, "''")],
    "mg": [(1, "mg"), (1, " mg"), (1, " MG"), (0.001, " g")],
    "kg": [(1, "kg"), (1, " kg"), (1000, " g"), (1, " kilos")],
    "mm": [(1, "mm"), (1, " mm"), (0.1, " cm"), (0.1, "cm")],
    "min": [(1, " min"), (1, "min"), (1, " mins"), (1, " minutes")],
    "%": [(1, "%"), (1, " %"), (1, " percent")],
}
QUANTITY = re.compile(r"\b(\d+(?:\.\d+)?) (ml|TB|GB|V|W|inch|mg|kg|mm|min|%)(?![\w])")
SOUNDS = [tuple(entry.split("|")) for entry in WORDS["sounds"]]
ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
NEIGHBOURS = {
    letter: row[max(i - 1, 0) : i] + row[i + 1 : i + 2]
    for row in ROWS
    for i, letter in enumerate(row)
}
MONTHS = """
    January February March April May June July August September October November December
""".split()
DATES = {
    "iso": "{y}-{m}-{d}", "dots": "{d}.{m}.{y}", "us": "{m}/{d}/{y}", "uk": "{d}/{m}/{y}",
    "long": "{d} {month} {y}", "american": "{mon} {d}, {y}", "plain": "{y}{m}{d}",
    "short": "{d}-{mon}-{yy}", "year first": "{y}/{m}/{d}", "brackets": "{d} {month} {y} (USA)",
}  # fmt: skip
# Dates in these forms can stand in one column, as none reads like another.
MIXED_DATES = ["iso", "dots", "long", "american"]
PHONES = [
    "({a}) {b}-{c}", "{a}-{b}-{c}", "{a} {b} {c}", "{a}/{b}-{c}", "+1 {a} {b} {c}", "{a}{b}{c}",
    "{a}.{b}.{c}", "001-{a}-{b}-{c}", "{a}/ {b}-{c}",
]  # fmt: skip
PRICES = ["{p}", "${p}", "$ {p}", "{p} USD", "USD {p}", "{comma}", "{comma} €", "€{p}", "{short}"]
PRAISE = [
    "This {noun} offers {x} and {y}.", "Features: {x}, {y}.",
    "With {x}, it makes daily work easier.",
    "Thanks to {x} and {y} this is the right {noun} for everyone.", "{x} / {y}",
    "The {colour} {noun} comes with {x}.", "Includes {x}; {y}.",
]  # fmt: skip
SYNONYMS = {
    name.lower(): forms
    for title in ("legal forms", "streets", "words")
    for name, forms in forms_by_name(WORDS[f"written {title}"]).items()
}
LONGEST_SYNONYM = 2  # words
GOODS_WORDS, OTHER_VENUES = (
    {name: other for pair in pairs for name, other in (pair, pair[::-1])}
    for pairs in ([entry.split("|") for entry in WORDS[title]] for title in ("goods", "venues"))
)
SHORT_NAMES = {name: short for name, (short,) in forms_by_name(WORDS["short names"]).items()}
LONG_NAMES = {short: name for name, short in SHORT_NAMES.items()}
# Of people who never err, of careful ones, and of hasty ones.
RATES = {
    "none": [0.0],
    "light": [0.0, 0.0, 0.02, 0.05, 0.1],
    "medium": [0.0, 0.05, 0.1, 0.2, 0.3],
    "heavy": [0.0, 0.1, 0.3, 0.5, 0.7],
}
MISSING_SHARES = [0.1, 0.2, 0.4, 0.6]


@dataclass
class Style:
    """How one side of a table is written. Rates are shares of cells."""

    typos: float
    dropped: float  # words
    added: float
    moved: float
    synonyms: float
    initials: float
    short_names: float
    abbreviated: float
    truncated: float
    changed: float  # another value, as after a removal or at another price
    exchanged: float  # two columns
    merged: float
    units: float
    length: int  # of what is truncated
    case: str
    accents: bool
    blanks: bool  # around punctuation
    surname_first: bool
    dates: str
    phones: str
    prices: str
    codes: str
    years: str
    order: list[int]  # of the parts of titles
    missing: dict[str, float] = field(default_factory=dict)


def draw_style(draw: Draw, strength: str) -> Style:
    """Draw a style; ``strength`` is a key of ``RATES``."""
    rates = RATES[strength]
    errs = strength != "none"
    dates = draw.pick([*DATES, "mixed"])
    return Style(
        typos=draw.pick(rates),
        dropped=draw.pick(rates),
        added=draw.pick(rates),
        moved=draw.pick(rates),
        synonyms=draw.pick(rates),
        initials=draw.pick(rates),
        short_names=draw.pick(rates),
        abbreviated=draw.pick(rates),
        truncated=draw.pick(rates),
        changed=draw.pick(rates),
        exchanged=draw.pick(rates),
        merged=draw.pick(rates),
        units=draw.pick(rates),
        length=draw.pick([15, 20, 30, 50]),
        case=draw.pick(["", "", "", "lower", "lower", "upper", "mixed"]) if errs else "",
        accents=not draw.chance(0.4),
        blanks=errs and draw.chance(0.15),
        surname_first=draw.chance(0.2),
        dates=dates if errs or dates != "short" else "iso",
        phones=draw.pick([*PHONES, "mixed"]),
        prices=draw.pick(PRICES),
        codes=draw.pick(["", "", "hyphens dropped", "blanks", "lower"]) if errs else "",
        years=draw.pick(["{y}", "{y}", "{y}", "({y})", "{y}.0", "'{yy}"]) if errs else "{y}",
        order=draw.shuffled(range(8)) if draw.chance(0.4) else list(range(8)),
    )


class Hand:
    """Writes cells in a style."""

    def __init__(self, draw: Draw, style: Style) -> None:
        self.draw = draw
        self.style = style

    # Kinds of cells

    def text(self, text: str, care: bool = False) -> str:
        """Words of any kind, such as titles."""
        draw, style = self.draw, self.style
        words = self.quantity(self._synonyms(text)).split(" ")
        if not care and len(words) > 2:
            # A small word or the last one: titles that share the others are written with care.
            if draw.chance(style.dropped):
                small = [i for i, word in enumerate(words) if word.lower() in SMALL_WORDS]
                del words[draw.pick([*small, len(words) - 1])]
            if draw.chance(style.abbreviated):
                place = draw.integer(1, len(words) - 1)
                if words[place].isalpha() and len(words[place]) > 5:
                    words[place] = words[place][:4] + "."
        if draw.chance(style.moved) and words[0] in ("The", "A"):
            words = [*words[1:-1], words[-1] + ",", words[0]]
        if draw.chance(style.added):
            words.append(draw.word("remarks"))
        return self._cut(self.typos(" ".join(words), care), care)

    def term(self, text: str, care: bool = False) -> str:
        """Words that are used again and again, such as colours and diagnoses."""
        return self.typos(self.quantity(self._synonyms(text)), care)

    def name(self, text: str, care: bool = False) -> str:
        """First name and surname."""
        first, _, last = text.rpartition(" ")
        first = self.first_name(first, care)
        if self.style.surname_first:
            return f"{self.typos(last, care)}, {first}"
        return f"{first} {self.typos(last, care)}"

    def first_name(self, text: str, care: bool = False) -> str:
        """First name, at times with the initial of a middle name."""
        name, _, middle = text.partition(" ")
        if not care:
            if self.draw.chance(self.style.initials):
                return name[0] + self.draw.pick([".", ""])
            if self.draw.chance(self.style.short_names):
                name = SHORT_NAMES.get(name, LONG_NAMES.get(name, name))
            if self.draw.chance(self.style.dropped):
                middle = ""
        return self.typos(name, care) + (f" {middle}" if middle else "")

    def persons(self, text: str, care: bool = False) -> str:
        """List of names, which commas separate."""
        people = text.split(", ")
        if self.draw.chance(self.style.moved):
            people = self.draw.shuffled(people)
        if not care and len(people) > 2 and self.draw.chance(self.style.dropped):
            people = [*people[: self.draw.integer(1, 2)], "et al."]
        initials = self.draw.chance(self.style.initials)
        written = []
        for person in people:
            first, _, last = person.rpartition(" ")
            if initials and first and first != "et":
                person = " ".join([word[0] + "." for word in first.split(" ")] + [last])
            if self.style.surname_first and first and first != "et":
                first, _, last = person.rpartition(" ")
                person = f"{last} {first}"
            written.append(self.typos(person, care))
        separator = "; " if self.style.surname_first else ", "
        if len(written) > 1 and self.style.order[0] % 3 == 1:
            return separator.join(written[:-1]) + " and " + written[-1]
        return separator.join(written)

    def company(self, text: str, care: bool = False) -> str:
        """Name of a company, with its legal form at the end."""
        words = self._synonyms(text).split(" ")
        if not care and len(words) > 2 and self.draw.chance(self.style.dropped):
            words.pop()
            if words[-1] in ("&", "and"):
                words.pop()
        if self.draw.chance(self.style.added):
            words = ["The", *words]
        return self._cut(self.typos(" ".join(words), care), care)

    def address(self, text: str, care: bool = False) -> str:
        """Number and street."""
        text = self._synonyms(text)
        number, _, street = text.partition(" ")
        if not care and self.draw.chance(self.style.dropped):
            text = text.split(", ")[0]
        elif self.style.surname_first and "," not in street:
            text = f"{street} {number}"
        return self.typos(text, care)

    def street(self, text: str, care: bool = False) -> str:
        """Street without a number."""
        return self.typos(self._synonyms(text), care)

    def venue(self, text: str, care: bool = False) -> str:
        """Conference or journal, which has a short name."""
        if self.draw.chance(self.style.abbreviated):
            text = OTHER_VENUES[text]
        return self.term(text, care)

    def town(self, text: str, care: bool = False) -> str:
        """Town or country."""
        return self.typos(self._synonyms(text), care)

    def date(self, text: str, care: bool = False) -> str:
        """Date."""
        year, month, day = text.split("-")
        form = self.style.dates
        if form == "mixed":
            form = self.draw.pick(MIXED_DATES)
        if not care and self.draw.chance(self.style.abbreviated / 4):
            return year
        if not care and self.draw.chance(self.style.typos / 4):
            month, day = (
                (day, month) if int(day) <= 12 else (month, f"{self.draw.integer(1, 28):02}")
            )
        name = MONTHS[int(month) - 1]
        return DATES[form].format(y=year, m=month, d=day, yy=year[2:], month=name, mon=name[:3])

    def year(self, text: str, care: bool = False) -> str:
        """Year."""
        year = int(text)
        if not care and self.draw.chance(self.style.changed / 4):
            year += self.draw.pick([-1, 1])
        return self.style.years.format(y=year, yy=f"{year % 100:02}")

    def phone(self, text: str, care: bool = False) -> str:
        """Phone of ten digits."""
        if not care and self.draw.chance(self.style.typos / 4):
            place = self.draw.integer(4, 9)
            text = text[:place] + self.draw.pick("0123456789") + text[place + 1 :]
        form = self.draw.pick(PHONES) if self.style.phones == "mixed" else self.style.phones
        return form.format(a=text[:3], b=text[3:6], c=text[6:])

    def price(self, text: str, care: bool = False) -> str:
        """Price, which shops set as they like."""
        price = float(text)
        if not care and self.draw.chance(2 * self.style.changed):
            price *= 0.75 + 0.5 * self.draw.random()
        return self.amount(f"{price:.2f}", care)

    def amount(self, text: str, care: bool = False) -> str:
        """Amount of money, the same on both sides."""
        short = text if care else str(round(float(text)))
        return self.style.prices.format(p=text, comma=text.replace(".", ","), short=short)

    def code(self, text: str, care: bool = False) -> str:
        """Number of a model, a part or a book; ``care`` changes nothing, as digits stay."""
        form = self.style.codes
        if form == "hyphens dropped":
            return re.sub(r"[-/ ]", "", text)
        if form == "blanks":
            return text.replace("-", " ")
        return text.lower() if form == "lower" else text

    def email(self, text: str, care: bool = False) -> str:
        """E-mail address."""
        if not care and self.draw.chance(self.style.changed):
            return text.split("@")[0] + "@home.net"
        return text

    def duration(self, text: str, care: bool = False) -> str:
        """Length of a song in seconds."""
        seconds = int(text)
        if not care and self.draw.chance(self.style.changed):
            seconds += self.draw.integer(-2, 2)
        form = self.style.order[1] % 4
        if form == 3:
            return f"{seconds} sec"
        return (
            f"{seconds // 60}:{seconds % 60:02}"
            if form
            else f"0:{seconds // 60:02}:{seconds % 60:02}"
        )

    def parts(self, text: str, care: bool = False) -> str:
        """Title of a thing in a shop: brand, model, noun and more, separated by bars.

        Without care one of brand and model may be left out, and what comes after the noun.
        """
        draw, style = self.draw, self.style
        pieces = text.split("|")
        brand, model, noun, *more = pieces
        if draw.chance(style.synonyms):
            noun = GOODS_WORDS.get(noun, noun)
        if not care:
            more = [piece for piece in more if not draw.chance(style.dropped)]
            if draw.chance(style.dropped / 2):
                brand, model = draw.pick([("", model), (brand, "")])
        pieces = [brand, self.code(model, care), noun, *(self.quantity(piece) for piece in more)]
        if draw.chance(style.moved):
            pieces = draw.shuffled(pieces)
        else:
            pieces = [x for _, x in sorted(zip(style.order, pieces, strict=False))]
        if draw.chance(style.added):
            pieces.append(draw.word("added"))
        separator = draw.pick([" ", " ", ", ", " - "]) if draw.chance(style.added) else " "
        title = separator.join(piece for piece in pieces if piece)
        return self._cut(self.typos(self._synonyms(title), care), care)

    def description(self, text: str, care: bool = False) -> str:
        """Long text about a thing; ``text`` has its noun, its colour and features."""
        noun, colour, *features = text.split("|")
        sentences = []
        for _ in range(self.draw.integer(1, 4)):
            x, y = self.draw.shuffled(features)[:2]
            praise = self.draw.pick(PRAISE).format(noun=noun, colour=colour, x=x, y=y)
            sentences.append(praise[0].upper() + praise[1:])
        for _ in range(self.draw.integer(0, 3)):
            sentences.append(self.draw.word("chatter"))
        return self.typos(" ".join(self.draw.shuffled(sentences)), care)

    def listed(self, text: str, care: bool = False) -> str:
        """List of words, such as genres."""
        words = text.split(", ")
        if not care and len(words) > 1 and self.draw.chance(self.style.dropped):
            words.pop()
        if self.draw.chance(self.style.moved):
            words = self.draw.shuffled(words)
        return self.draw.pick([", ", ", ", " / ", ","]).join(words)

    def plain(self, text: str, care: bool = False) -> str:
        """Cell that is the same everywhere."""
        return text

    # What cells have in common

    def typos(self, text: str, care: bool = False) -> str:
        """Make typing errors in words of letters, with care at most one."""
        for _ in range(1 if care else 2):
            if self.draw.chance(self.style.typos):
                text = self._typo(text)
        return text

    def _typo(self, text: str) -> str:
        """Make one error in a word of four letters or more, which is no colour and no number."""
        draw = self.draw
        words = text.split(" ")
        place = draw.integer(0, len(words) - 1)
        word = words[place]
        if len(word) < 4 or not word.isalpha() or word.lower() in WORDS["colours"]:
            return text
        i = draw.integer(1, len(word) - 2)
        kind = draw.integer(0, 5)
        if kind == 0:
            word = word[:i] + word[i + 1 :]
        elif kind == 1:
            word = word[:i] + draw.pick("aeiounrst") + word[i:]
        elif kind == 2:
            word = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        elif kind == 3:
            word = word[:i] + draw.pick(NEIGHBOURS.get(word[i].lower()) or "e") + word[i + 1 :]
        elif kind == 4:
            word = word[:i] + word[i] + word[i:]
        else:
            sounds = [pair for pair in SOUNDS if pair[0] in word[1:]]
            if sounds:
                sound, other = draw.pick(sounds)
                word = word[0] + word[1:].replace(sound, other, 1)
        words[place] = word
        return " ".join(words)

    def quantity(self, text: str, care: bool = False) -> str:
        """Text with quantities, in other units or with other blanks."""
        if not self.draw.chance(self.style.units) or not QUANTITY.search(text):
            return text

        def other(match: re.Match[str]) -> str:
            factor, unit = self.draw.pick(UNITS[match[2]])
            return f"{round(float(match[1]) * factor, 4):g}{unit}"

        return QUANTITY.sub(other, text)

    def _synonyms(self, text: str) -> str:
        """Replace each word that has another form, or none of them."""
        if not self.draw.chance(self.style.synonyms):
            return text
        words, written = text.split(" "), []
        while words:
            for n in range(min(LONGEST_SYNONYM, len(words)), 0, -1):
                phrase = " ".join(words[:n])
                if n == 1 or phrase.lower() in SYNONYMS:
                    forms = SYNONYMS.get(phrase.lower())
                    written.append(self.draw.pick(forms) if forms else phrase)
                    words = words[n:]
                    break
        return " ".join(written).replace(" ,", ",")

    def _cut(self, text: str, care: bool) -> str:
        if care or not self.draw.chance(self.style.truncated / 3):
            return text
        return text[: self.style.length].rstrip()

    def finish(self, text: str) -> str:
        """Apply the habits that concern every cell."""
        style = self.style
        if not style.accents:
            text = without_accents(text)
        case = style.case
        if case == "mixed":
            case = self.draw.pick(["", "lower", "upper"])
        if case and "@" not in text:
            text = text.lower() if case == "lower" else text.upper()
        if style.blanks:
            text = " ".join(re.sub(r"([^\w\s])", r" \1 ", text).split())
        return text


def without_accents(text: str) -> str:
    """Drop the accents of letters."""
    if text.isascii():
        return text
    text = text.translate({ord("ø"): "o", ord("Ø"): "O", ord("ł"): "l", ord("Ł"): "L"})
    return "".join(x for x in unicodedata.normalize("NFD", text) if not unicodedata.combining(x))
