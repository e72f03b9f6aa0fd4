"""Kinds of ``made_up_joins.py``: people, in lists that two institutions keep."""

from __future__ import annotations

from joined_kinds import (
    ADDRESSES,
    WHOLE,
    Column,
    Kind,
    Thing,
    World,
    anew,
    by_percent,
    by_steps,
    later,
    married,
    part_of,
    parts,
    to_another,
)
from made_up_names import Draw
from made_up_writers import (
    BODY_WEIGHTS,
    CODES,
    DATES,
    FULL_NAMES,
    HEIGHTS,
    LISTS,
    LOOSE_DATES,
    MONEY,
    NAMES,
    NUMBERS_WITH_ZEROS,
    PHONES,
    PLAIN,
    TERMS,
    TEXTS,
    TITLED_NAMES,
    WORDS,
    YEARS,
    Term,
    Writer,
    latin,
    said,
    said_plainly,
    without_marks,
)

# Staff: the directory of an institute and its payroll


def employee(w: World) -> Thing:
    """Return somebody on the staff."""
    given, last = w.person()
    return {
        "name": (given, last),
        "job": w.term("jobs"),
        "department": w.term("departments"),
        "start": w.date(1988, 2024),
        "extension": w.digits(4),
        "room": f"{w.letters(1)}{w.digits(3)}",
        "staff_no": f"{w.integer(1, 99999):06}",
        "pay": w.between(1800, 9000),
        "grade": w.integer(5, 15),
        "town": w.term("towns"),
        "hours": w.pick([20, 30, 38, 40]),
    }


def like_employee(w: World, thing: Thing) -> Thing:
    """Return a namesake, a sibling in the firm, or the colleague of the same room and job."""
    given, last = thing["name"]
    new = employee(w)
    return new | w.pick(
        [
            {"name": (given, last), "town": thing["town"]},
            {"name": (w.other_given(given), last), "department": thing["department"]},
            part_of(thing, "job department room grade town"),
        ]
    )


def staff_mail(draw: Draw, person: tuple[Term, str]) -> str:
    """Write the address that a firm makes of a name."""
    given, last = (without_marks(part).lower() for part in (person[0][0], person[1]))
    return f"{given[0]}.{last}@firm.example".replace(" ", "")


STAFF = Kind(
    employee,
    like_employee,
    [
        [Column("name", NAMES), Column("start", DATES)],
        [Column("name", NAMES), Column("staff_no", NUMBERS_WITH_ZEROS)],
        [
            Column("given", FULL_NAMES[:1], "given_only"),
            Column("surname", PLAIN, "last_only"),
            Column("since", DATES, "start"),
        ],
    ],
    [
        Column("job", TERMS),
        Column("department", TERMS),
        Column("room", CODES, changes=anew(lambda draw: f"E{draw.digits(3)}")),
        Column("extension", [*PLAIN, lambda d, v: f"-{v}", lambda d, v: f"0761 203 {v}"]),
        Column("pay", MONEY, changes=by_percent(5)),
        Column("grade", [*PLAIN, lambda d, v: f"E{v}", lambda d, v: f"Gr. {v:02}"]),
        Column("mail", [staff_mail], "name"),
        Column("hours", [*PLAIN, lambda d, v: "full time" if v > 37 else f"{v / 40:.0%}"]),
    ],
    lambda thing: [(thing["name"], thing["start"]), thing["staff_no"], thing["start"]],
)


# Patients of two clinics


def patient(w: World) -> Thing:
    """Return a patient."""
    title = w.pick(["given f", "given m"])
    return {
        "name": (w.term(title), w.word("surnames")),
        "sex": title == "given f",
        "born": w.date(1930, 2020),
        "insurance": f"{w.letters(1)}{w.digits(3)}-{w.digits(3)}-{w.digits(3)}",
        "street": w.word("streets"),
        "way": w.term("ways"),
        "house": w.integer(1, 140),
        "town": w.term("towns"),
        "diagnosis": w.term("diagnoses"),
        "phone": w.phone(),
        "weight": w.integer(45, 120),
        "height": w.integer(150, 200),
        "seen": w.date(2022, 2024),
        "blood": w.pick(["A+", "0+", "B+", "AB+", "A-", "0-"]),
    }


def like_patient(w: World, thing: Thing) -> Thing:
    """Return a twin, a parent of the same name, somebody of the household, or a namesake."""
    given, last = thing["name"]
    home = part_of(thing, "street way house town phone")
    new = patient(w)
    return new | w.pick(
        [
            home | {"name": (w.other_given(given), last), "born": thing["born"]},
            home | {"name": (given, last)},
            home | {"name": (w.other_given(given), last)},
            {"name": (given, last), "diagnosis": thing["diagnosis"]},
        ]
    )


SEXES: list[Writer] = [
    lambda d, v: "F" if v else "M",
    lambda d, v: "female" if v else "male",
    lambda d, v: "2" if v else "1",
    lambda d, v: "w" if v else "m",
    lambda d, v: "Ms" if v else "Mr",
]
BLOOD: list[Writer] = [
    said_plainly,
    lambda d, v: v.replace("+", " pos.").replace("-", " neg."),
    lambda d, v: v.replace("+", " Rh+").replace("-", " Rh-").replace("0", "O"),
]
PATIENTS = Kind(
    patient,
    like_patient,
    [
        [Column("name", FULL_NAMES), Column("born", DATES)],
        [Column("patient", FULL_NAMES, "name", married), Column("insured_as", CODES, "insurance")],
        [
            Column("name", FULL_NAMES),
            Column("dob", DATES, "born"),
            Column("insured_as", CODES, "insurance"),
        ],
    ],
    [
        Column("sex", SEXES),
        Column("address", ADDRESSES, WHOLE),
        Column("town", TERMS, changes=to_another("towns")),
        Column("diagnosis", TERMS),
        Column("phone", PHONES, changes=anew(lambda d: ("49", d.digits(3), d.digits(6)))),
        Column("weight", BODY_WEIGHTS, changes=by_percent(5)),
        Column("height", HEIGHTS, changes=by_percent(0.5)),
        Column("last_seen", LOOSE_DATES, "seen", later(300)),
        Column("blood", BLOOD),
    ],
    lambda thing: [(thing["name"], thing["born"]), thing["insurance"]],
)


# Jobs: two boards


def vacancy(w: World) -> Thing:
    """Return a job advertisement."""
    return {
        "job": w.term("jobs"),
        "level": w.pick([(" ",), (" ",), ("Senior", "Sr"), ("Junior", "Jr"), ("Head",)]),
        "employer": w.word("employer words"),
        "trade": w.term("trades"),
        "legal": w.term("legal"),
        "town": w.term("towns"),
        "pay": 500.0 * w.integer(48, 200),
        "contract": w.term("contracts"),
        "wants": w.terms("job wants", 3, 7),
        "posted": w.date(2024, 2024),
        "ref": f"{w.letters(2)}-{w.digits(5)}",
        "contact": w.person(),
    }


def like_vacancy(w: World, thing: Thing) -> Thing:
    """Return the same job elsewhere, another job there, or the same at another level."""
    new = vacancy(w)
    levels = [("Senior", "Sr"), ("Junior", "Jr"), ("Trainee",), ("Deputy",)]
    return (
        thing
        | {"ref": new["ref"], "posted": new["posted"]}
        | w.pick(
            [
                {"town": w.other_term("towns", thing["town"])},
                {"job": w.other_term("jobs", thing["job"]), "pay": new["pay"]},
                {"level": w.other(levels, thing["level"]), "pay": thing["pay"] * 1.2},
                part_of(new, "employer trade legal contact wants"),
            ]
        )
    )


JOB_TITLES = parts(
    "{level} {job}",
    "!{level} {job}",
    "{level} {job} (m/f/d)",
    "!{level} {job} - {contract}",
    "{level} {job} wanted!",
    "!{level} {job} at {employer}",
    "{level} {job} ({contract})",
)
EMPLOYERS = parts(
    "{employer} {trade} {legal}",
    "!{employer} {trade} {legal}",
    "{employer} {trade}",
    "!{employer} {trade}",
)
PAY: list[Writer] = [
    *MONEY[:7],
    lambda d, v: f"{v / 1000:.0f}k",
    lambda d, v: f"{v / 12:,.0f} per month",
    lambda d, v: f"€{v * 0.95:,.0f} - €{v * 1.05:,.0f} p.a.",
    lambda d, v: f"{v / 1720:.2f} €/h",
]
JOBS = Kind(
    vacancy,
    like_vacancy,
    [
        [
            Column("title", JOB_TITLES, WHOLE),
            Column("employer", EMPLOYERS, WHOLE),
            Column("place", TERMS, "town"),
        ],
        [
            Column("position", JOB_TITLES, WHOLE),
            Column("company", EMPLOYERS, WHOLE),
            Column("town", TERMS),
            Column("text", TEXTS, "wants"),
        ],
    ],
    [
        Column("salary", PAY, "pay", by_percent(3)),
        Column("contract", TERMS),
        Column("posted", LOOSE_DATES, changes=later(20)),
        Column("we_want", LISTS, "wants"),
        Column("ref", CODES),
        Column("contact", TITLED_NAMES),
    ],
    lambda thing: [tuple(thing[key] for key in ("job", "level", "employer", "trade", "town"))],
)


# Athletes: federations that transliterate differently


# Of the sections of given names: what surnames go with them, if they are not part of the entry.
SCRIPTS = {
    "cyrillic given m": "cyrillic surnames",
    "cyrillic given f": "cyrillic surnames",
    "pinyin given": "pinyin",
    "arabic given": "arabic surnames",
    "nordic names": None,
}


def athlete(w: World) -> Thing:
    """Return a sportsperson."""
    script = w.pick(list(SCRIPTS))
    surnames = SCRIPTS[script]
    return {
        "name": (script, w.term(script), w.term(surnames) if surnames else ("",)),
        "born": w.date(1970, 2008),
        "country": w.term("countries"),
        "event": w.term("events"),
        "height": w.integer(152, 208),
        "weight": w.integer(44, 118),
        "club": w.term("clubs"),
        "coach": w.person(),
        "best": w.integer(2012, 2024),
        "rank": w.integer(1, 200),
        "bib": w.integer(1, 2000),
    }


def like_athlete(w: World, thing: Thing) -> Thing:
    """Return a sibling, a twin, a namesake, or the team mate of the same event."""
    new = athlete(w)
    script, given, last = thing["name"]
    others = [term for term in w.section(script) if term[0][:2] != given[0][:2]]
    other = (script, w.pick(others), last)
    return (
        new
        | {"country": thing["country"]}
        | w.pick(
            [
                {"name": other, "event": thing["event"], "club": thing["club"]},
                {
                    "name": other,
                    "born": thing["born"],
                    "event": thing["event"],
                    "height": thing["height"],
                },
                {"name": thing["name"], "event": w.other_term("events", thing["event"])},
                {"event": thing["event"], "club": thing["club"], "coach": thing["coach"]},
            ]
        )
    )


def athlete_name(pattern: str, scheme: int) -> Writer:
    """Return a writer of names in Latin letters."""

    def write(draw: Draw, value: tuple[str, Term, Term]) -> str:
        script, given, last = value
        if script.startswith("cyrillic"):
            female = script.endswith("f") and last[0].endswith(("в", "н"))
            first, second = latin(given[0], scheme), latin(last[0] + "а" * female, scheme)
        elif script.startswith("nordic"):
            first, second = said(scheme)(draw, given).split(" ", 1)
        else:
            first, second = said(scheme)(draw, given), said(scheme)(draw, last)
        if script.startswith("pinyin"):
            # "Xiaoming", "Xiao-ming", "Xiao Ming"
            first = [first.replace("-", "").capitalize(), first, first.replace("-", " ").title()][
                scheme % 3
            ]
        return pattern.format(given=first, last=second, LAST=second.upper())

    return write


ATHLETE_NAMES = [
    athlete_name("{given} {last}", 0),
    athlete_name("{LAST} {given}", 1),
    athlete_name("{given} {last}", 2),
    athlete_name("{given} {LAST}", 3),
    athlete_name("{last}, {given}", 4),
    athlete_name("{last} {given}", 5),
    athlete_name("{LAST}, {given}", 0),
]
ATHLETES = Kind(
    athlete,
    like_athlete,
    [
        [Column("name", ATHLETE_NAMES), Column("born", DATES)],
        [
            Column("athlete", ATHLETE_NAMES, "name"),
            Column("event", TERMS),
            Column(
                "year_of_birth",
                [lambda d, v: str(v.year), lambda d, v: f"'{v.year % 100:02}"],
                "born",
            ),
        ],
    ],
    [
        Column("country", TERMS),
        Column("discipline", TERMS, "event"),
        Column("height", HEIGHTS, changes=by_percent(0.6)),
        Column("weight", BODY_WEIGHTS, changes=by_percent(4)),
        Column("club", TERMS, changes=to_another("clubs")),
        Column("coach", NAMES),
        Column("best_in", YEARS, "best"),
        Column(
            "world_rank",
            [*PLAIN, lambda d, v: f"#{v}", lambda d, v: f"{v}."],
            "rank",
            by_steps(9, 1, 300),
        ),
        Column("bib", PLAIN, changes=anew(lambda d: d.integer(1, 2000))),
    ],
    lambda thing: [(thing["name"], thing["born"].year), (thing["name"], thing["event"])],
)


# A survey: the same persons in two waves


def respondent(w: World) -> Thing:
    """Return a person who answers."""
    answers = {question: w.integer(0, 4) for question in WORDS["questions"]}
    return answers | {
        "code": f"{w.letters(2)}{w.integer(1, 31):02}{w.letters(2)}{w.integer(0, 99):02}",
        "born": w.date(1935, 2004),
        "sex": w.chance(0.5),
        "postcode": w.pick([w.digits(5), "79" + w.digits(3)]),
        "occupation": w.term("occupations"),
        "education": w.term("education"),
        "household": w.integer(1, 6),
        "height": w.integer(150, 200),
        "given": w.given(),
        "income": 100.0 * w.integer(8, 70),
    }


def like_respondent(w: World, thing: Thing) -> Thing:
    """Return the partner, somebody of the same answers, or of the same birthday."""
    new = respondent(w)
    answers = {question: thing[question] for question in WORDS["questions"]}
    return w.pick(
        [
            new | part_of(thing, "postcode household") | {"sex": not thing["sex"]},
            new | answers | {"occupation": thing["occupation"], "postcode": thing["postcode"]},
            new | {"born": thing["born"], "sex": thing["sex"], "education": thing["education"]},
            new | {"code": thing["code"][:-2] + new["code"][-2:], "postcode": thing["postcode"]},
        ]
    )


ANSWERS: list[Writer] = [
    lambda d, v: WORDS["likert"][v].split("|")[0],
    lambda d, v: WORDS["likert"][v].split("|")[0].title(),
    lambda d, v: str(v + 1),
    lambda d, v: f"{v + 1}.0",
    lambda d, v: f"{v * 2.5:.1f}",
    lambda d, v: WORDS["likert"][v].split("|")[2],
    lambda d, v: f"{v + 1} - {WORDS['likert'][v].split('|')[0]}",
]
BANDS: list[Writer] = [
    *MONEY[:6],
    lambda d, v: f"{v // 500 * 500:.0f}-{v // 500 * 500 + 499:.0f}",
    lambda d, v: f"under {v // 1000 * 1000 + 1000:.0f} €",
]
SURVEY = Kind(
    respondent,
    like_respondent,
    [
        [
            Column("code", [*CODES[:5], CODES[6]]),
            Column(
                "year_of_birth",
                [lambda d, v: str(v.year), lambda d, v: f"'{v.year % 100:02}"],
                "born",
            ),
            Column("sex", SEXES),
        ],
        [
            Column("birthday", DATES, "born"),
            Column("postcode", PLAIN),
            Column("gender", SEXES, "sex"),
        ],
    ],
    [
        *(Column(question, ANSWERS, changes=by_steps(1, 0, 4)) for question in WORDS["questions"]),
        Column("occupation", TERMS, changes=to_another("occupations")),
        Column("education", TERMS),
        Column(
            "household_size",
            [
                *PLAIN,
                lambda d, v: f"{v} persons" if v > 1 else "lives alone",
                lambda d, v: str(v) if v < 5 else "5+",
            ],
            "household",
            by_steps(1, 1, 7),
        ),
        Column("height", HEIGHTS, changes=by_percent(0.6)),
        Column("income", BANDS, changes=by_percent(10)),
        Column("first_name", TERMS, "given"),
    ],
    lambda thing: [
        (thing["code"], thing["born"].year),
        (thing["born"], thing["postcode"], thing["sex"]),
        thing["code"],
    ],
)
