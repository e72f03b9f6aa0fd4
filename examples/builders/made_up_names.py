"""Names that records are made of: persons, towns, streets, companies, brands, titles.

Parts of words are put together, so that thousands of different ones exist. All lists are our own.
``made_up_tables.py`` makes records of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

FEMALE = """
    Anna Maria Laura Sarah Emma Julia Lena Lisa Nina Clara Sophie Hannah Ruth Alice Helen Jane
    Joan Mary Susan Linda Karen Nancy Betty Carol Diane Janet Grace Rose Amy Kate Olivia Chloé
    Zoë Inés Sofía Lucía Elena Carmen Teresa Giulia Francesca Chiara Ingrid Astrid Karin Birgit
    Agnieszka Katarzyna Magda Zuzana Jana Petra Ivana Olga Irina Natasha Priya Anjali Deepa Meera
    Fatima Aisha Layla Yasmin Leila Noor Mei Yuki Hana Keiko Thuy Linh Amara Ngozi Zainab Renée
    Amélie Camille Élodie Margot Beatrice Charlotte Eleanor Florence Harriet Imogen Victoria
""".split()
MALE = """
    John James Robert Michael William David Richard Thomas Charles Daniel Matthew Mark Paul
    Steven Andrew Kenneth George Edward Brian Kevin Peter Frank Henry Walter Arthur Jack Oscar
    Hugo Felix Max Leo Simon Martin Stefan Jürgen Björn Søren Lars Nils Erik Henrik Jan Piotr
    Tomasz Marek Pavel Václav Jiří Ivan Dmitri Sergei Viktor José Juan Carlos Miguel Jesús Andrés
    Raúl Diego Luis Antonio Marco Luca Giovanni Paolo Matteo Pierre Jean François René Étienne
    Mathieu Rajesh Arjun Vikram Sanjay Omar Hassan Yusuf Karim Tariq Wei Jun Hiroshi Kenji Minh
    Duc Kwame Chidi Emeka Philip Geoffrey Jeffrey Stephen Alexander Christopher Nicholas Benjamin
""".split()
SHORT_NAMES = {
    "Robert": "Bob", "William": "Bill", "Michael": "Mike", "Richard": "Rick", "Thomas": "Tom",
    "Charles": "Charlie", "Daniel": "Dan", "Matthew": "Matt", "Steven": "Steve", "Andrew": "Andy",
    "Kenneth": "Ken", "Edward": "Ed", "Alexander": "Alex", "Christopher": "Chris",
    "Nicholas": "Nick", "Benjamin": "Ben", "Philip": "Phil", "James": "Jim", "John": "Jack",
    "Susan": "Sue", "Katarzyna": "Kasia", "Victoria": "Vicky", "Beatrice": "Bea",
    "Eleanor": "Ellie", "Harriet": "Hattie", "Margot": "Margie", "Stephen": "Steve",
    "Geoffrey": "Geoff", "Jeffrey": "Jeff", "Antonio": "Toni",
}  # fmt: skip
SURNAMES = """
    Smith Jones Taylor Brown Wilson Johnson Davies Robinson Wright Thompson Evans Walker White
    Roberts Green Hall Wood Jackson Clarke Clark Harris Lewis Young King Baker Cooper Carter Ward
    Morris Murphy Kelly Ryan O'Brien O'Neill MacDonald McKenzie Campbell Stewart Scott Reid
    Müller Schmidt Schneider Fischer Weber Meyer Maier Wagner Becker Schulz Hoffmann Koch Bauer
    García Martínez López Sánchez Pérez Gómez Fernández Ruiz Núñez Muñoz Rossi Russo Ferrari
    Bianchi Romano Ricci Dubois Durand Lefèvre Moreau Girard Hansen Johansen Olsen Larsen
    Nilsson Andersson Svensson Lindqvist Nowak Kowalski Wiśniewski Zieliński Novák Svoboda
    Dvořák Horváth Nagy Ivanov Petrov Volkov Patel Singh Sharma Kumar Gupta Reddy Khan Ahmed Ali
    Hussain Rahman Nguyen Tran Pham Chen Wang Zhang Liu Tanaka Suzuki Yamamoto Kim Park Lee Okafor
    Mensah Diallo Silva Santos Oliveira Souza Costa Pereira Almeida
""".split()
STEMS = """
    Ash Beck Birch Black Brad Bright Brook Car Chester Clay Cold Crow Dal Dun East Elm Fair Farn
    Ford Fox Glen Green Grim Hal Ham Har Haw Hazel Hol Horn Kirk Lang Lin Lock Long Mar Mer Mill
    Moor New North Oak Old Pen Pres Raven Red Rock Rush Shel Sher Stan Stock Stone Stough Sud Thorn
    Ux Wal War Wen West Whit Wick Win Wood Wyn
""".split()
PERSON_ENDS = "ford well by man son field low worth wood ley more croft gate land ton".split()
TOWN_ENDS = """
    ford ton bury ham field wick mouth bridge haven port worth stead burgh dale minster ville
""".split()
ONE_WORD_TOWNS = """
    London Leeds York Bristol Boston Chicago Denver Austin Dallas Seattle Portland Berlin Hamburg
    München Köln Zürich Genève Wien Paris Lyon Orléans Madrid Málaga Sevilla Roma Milano Torino
    Lisboa Porto Oslo Malmö København Århus Kraków Gdańsk Praha Brno Budapest Dublin Cork
    Edinburgh Glasgow Cardiff Toronto Montréal Québec Sydney Perth Auckland Springfield
    Greenville Salem Newport Georgetown Kingston
""".split()
TOWNS = [
    *ONE_WORD_TOWNS, "New York", "Los Angeles", "San Diego", "Santa Fe", "St. Louis", "São Paulo",
    "Fort Worth",
    "Salt Lake City", "West Palm Beach", "Mexico City", "Cape Town", "Las Vegas",
]  # fmt: skip
COUNTRIES = [
    "United Kingdom", "United States", "Germany", "France", "Spain", "Italy", "Poland", "Ireland",
    "Netherlands", "Sweden", "Norway", "Switzerland", "Austria", "Canada", "Australia", "India",
]  # fmt: skip
STREET_WORDS = [
    "Street", "Road", "Avenue", "Lane", "Drive", "Boulevard", "Court", "Place", "Square",
    "Terrace", "Parkway", "Highway",
]  # fmt: skip
STREET_NAMES = """
    Main High Church Park Station Mill Victoria King Queen Market Bridge School Maple Oak Cedar
    Pine Elm Chestnut Walnut Washington Lincoln Jefferson Franklin Madison Harbour River Lake Hill
    Spring Garden Union Sunset Ocean Mission College Castle Abbey Manor Orchard Meadow Forest
    Valley Windsor Albert George Prince Duke Grove Green London York Canal Railway
""".split()
LEGAL_FORMS = [
    "Ltd", "Inc", "Corporation", "LLC", "PLC", "GmbH", "AG", "Company", "S.A.", "Group",
    "Holdings", "& Sons", "BV",
]  # fmt: skip
TRADES = """
    Timber Steel Foods Textiles Logistics Insurance Bank Trust Energy Motors Electronics Software
    Pharma Chemicals Plastics Paper Glass Ceramics Bakery Brewery Dairy Farms Fisheries Mining
    Oil Gas Water Power Solar Rail Shipping Airlines Travel Hotels Media Publishing Press Records
    Pictures Games Toys Sports Fashion Shoes Jewellers Furniture Kitchens Tools Engineering
    Construction Homes Properties Capital Partners Consulting Security Cleaning Catering
    Printing Packaging Recycling Robotics Semiconductors Telecom Networks Systems Diagnostics
    Instruments Optics Aerospace Marine Tyres Batteries Paints Seeds Coffee Tea Wines
""".split()
POINTS = "Northern Southern Eastern Western Central Pacific Atlantic National Royal First".split()
SYLLABLES = """
    ba be bo bra ca cor da del do du fa fel fi ga gra ha hel ka kel ki ko la len li lo lu ma mar
    me mi mo na ne ni no nor o pa pel po qua ra re ri ro ru sa sel si so sta ta tel ti to tri u va
    ve vi vo wen xa xi ya ze zo
""".split()
BRAND_ENDS = ["", "", "n", "x", "ra", "tec", "on", "ix", "us", "lo", "va", "ne", "co", "tron"]
COLOURS = """
    black white red blue green grey silver gold pink purple yellow orange brown beige navy
    turquoise
""".split()
ADJECTIVES = """
    silent broken golden hidden last first lost long dark bright burning frozen distant empty
    secret quiet wild crimson silver hollow endless gentle bitter sweet midnight little great
    ancient modern forgotten perfect strange simple fallen rising northern invisible paper
    iron glass wooden electric blind deep tender cruel patient hungry restless
""".split()
NOUNS = """
    river house garden mountain winter summer night morning road city island forest ocean letter
    stranger daughter brother mother king queen soldier captain teacher doctor thief widow child
    dream memory shadow mirror window door key clock bell tower bridge castle train ship horse
    wolf raven swan bird rose tree leaf stone fire storm rain snow wind star moon sun song dance
    game war peace promise secret silence journey return harvest kingdom empire station harbour
    border orchard valley desert circus theatre market library kitchen hotel
""".split()
PLURALS = """
    rivers houses gardens mountains winters summers nights roads islands letters strangers
    daughters brothers soldiers thieves children dreams memories shadows mirrors windows clocks
    bells towers bridges wolves ravens swans birds roses leaves stones storms stars songs games
    promises secrets journeys kingdoms stations harbours borders orchards deserts
""".split()
SUBJECTS = """
    chemistry biology physics algebra statistics economics accounting marketing psychology
    sociology philosophy history geography linguistics astronomy geology botany zoology anatomy
    nursing pharmacology law ethics logic programming databases networks cooking gardening
    photography painting carpentry sailing chess bookkeeping
""".split()
# Words of titles of scientific papers.
METHODS = """
    indexing, query optimization, entity resolution, clustering, caching, schema matching, view
    maintenance, stream processing, data integration, duplicate detection, nearest neighbor
    search, replication, concurrency control, access control, data mining, graph partitioning,
    topic modelling, information extraction, load balancing, similarity joins, sampling,
    outlier detection, association rules, time series forecasting, active learning, transaction
    recovery, text classification, image retrieval, record linkage, crowdsourcing
"""
SETTINGS = """
    relational databases, sensor networks, large graphs, XML documents, distributed systems, data
    warehouses, the semantic web, mobile devices, peer-to-peer networks, spatial data, main
    memory, scientific workflows, moving objects, digital libraries, heterogeneous sources,
    multimedia collections, social networks, parallel machines, web services, high dimensions,
    uncertain data, temporal data, medical records, electronic commerce
"""
QUALITIES = """
    efficient scalable adaptive incremental approximate robust optimal distributed parallel
    interactive probabilistic declarative secure automatic fast dynamic online lightweight
""".split()
# Things in shops, each in different words.
GOODS = [
    ("cordless drill", "battery drill"), ("laptop", "notebook computer"),
    ("headphones", "headset"),
    ("television", "TV"), ("digital camera", "camera"), ("vacuum cleaner", "hoover"),
    ("refrigerator", "fridge"), ("washing machine", "washer"), ("coffee maker", "coffee machine"),
    ("kettle", "water kettle"), ("microwave oven", "microwave"), ("mobile phone", "smartphone"),
    ("hard drive", "HDD"), ("memory card", "flash card"), ("printer", "inkjet printer"),
    ("ink cartridge", "printer ink"), ("toner cartridge", "toner"), ("keyboard", "PC keyboard"),
    ("wireless mouse", "cordless mouse"), ("monitor", "display"), ("speaker", "loudspeaker"),
    ("car stereo", "car radio"), ("turntable", "record player"), ("desk lamp", "table lamp"),
    ("running shoes", "trainers"), ("rucksack", "backpack"), ("tent", "camping tent"),
    ("sleeping bag", "bag"), ("bicycle helmet", "bike helmet"), ("office chair", "desk chair"),
    ("bookcase", "book shelf"), ("mattress", "foam mattress"), ("sun cream", "sunscreen"),
    ("shampoo", "hair wash"), ("toothbrush", "tooth brush"), ("watch", "wristwatch"),
    ("router", "wireless router"), ("cable", "lead"), ("power adapter", "charger"),
    ("blender", "mixer"), ("projector", "beamer"), ("game console", "video game system"),
    ("hedge trimmer", "hedge cutter"), ("lawn mower", "mower"), ("safety boots", "work boots"),
]  # fmt: skip
FEATURES = """
    rechargeable battery, two year warranty, stainless steel, easy to clean, energy saving, remote
    control, water resistant, adjustable height, quiet motor, touch screen, carrying case, wall
    mount, travel size, wireless connection, soft grip, double insulated, child lock, LED display,
    built-in timer, foldable design, low weight, high contrast, dishwasher safe, scratch proof
    surface, automatic shutdown, spare parts included, non-slip feet, USB port, fast charging,
    large capacity, anti-glare coating, shock absorber, quick release, removable filter
"""
DRINKS = """
    Pale Ale, India Pale Ale, Stout, Imperial Stout, Porter, Lager, Pilsner, Amber Ale, Brown Ale,
    Wheat Beer, Saison, Tripel, Cider, Barley Wine, Red Ale, Kölsch, Bock, Sour Ale
"""
SOFTWARE = """
    Photo Studio, Office Suite, Antivirus, Tax Planner, Video Editor, Music Maker, Font Manager,
    Backup Manager, Firewall, Web Designer, Spanish Tutor, Typing Tutor, Home Architect, Genealogy,
    Accounting, Disk Doctor, Map Navigator, Chess Master, PDF Creator, Database Server, Invoice
    Writer, Greeting Cards, Project Planner, Sound Recorder
"""
CUISINES = """
    Italian, French, Chinese, Mexican, Indian, Thai, Japanese, American, Steakhouses, Seafood,
    Greek, Spanish, Vegetarian, Barbecue, Pizza, Coffee Shops, Delicatessen, Korean
"""
GENRES = """
    Drama, Comedy, Thriller, Horror, Romance, Adventure, Crime, Western, Documentary, Fantasy,
    Science Fiction, Mystery, Musical, Biography
"""
MUSIC = "Pop, Rock, Jazz, Country, Hip-Hop/Rap, Classical, Electronic, Folk, Soul, Soundtrack"
AWARDS = """
    Film Awards, Music Awards, Book Prize, Science Prize, Marathon, Film Festival, Jazz Festival,
    Chess Open, Tennis Open, Sailing Cup, Football Cup, Trade Fair, Conference on Databases,
    Conference on Linguistics, Congress of Surgeons, Grand Prix, Cycling Tour, Book Fair
"""
DIAGNOSES = """
    fracture of the wrist, fracture of the ankle, acute appendicitis, chronic bronchitis, acute
    bronchitis, type 1 diabetes, type 2 diabetes, high blood pressure, migraine, concussion,
    pneumonia, kidney stones, hernia, cataract, water damage, fire damage, storm damage, theft of
    a bicycle, theft of a car, rear-end collision, broken windscreen, loss of luggage
"""
SERVICES = """
    cleaning services, office supplies, server hosting, consulting, translation services, catering,
    transport of goods, repair of the lift, monthly rent, electricity, maintenance of the heating,
    printing of leaflets, legal advice, security services, telephone charges
"""
FORMS = "tablets, capsules, syrup, drops, cream, ointment, solution for injection, nasal spray"
PARTS = """
    ball bearing, hex bolt, oil filter, air filter, brake pad, brake disc, spark plug, drive belt,
    gasket, relay, fuse, ceramic capacitor, resistor, pressure sensor, hose clamp, coil spring,
    valve, O-ring, circuit breaker, water pump
"""
SAINTS = "Mary John Peter Paul Andrew Joseph Anne Patrick George Michael Thomas Luke".split()
MAIL = ["gmail.com", "mail.com", "yahoo.com", "outlook.com", "web.net"]
PUBLISHERS = ["Press", "Books", "Publishing", "Verlag", "House", "University Press"]
VENUES = [
    ("SIGMOD Conference", "ACM SIGMOD International Conference on Management of Data"),
    ("VLDB", "Proceedings of the International Conference on Very Large Data Bases"),
    ("ICDE", "IEEE International Conference on Data Engineering"),
    ("TODS", "ACM Transactions on Database Systems"),
    ("SIGIR", "Conference on Research and Development in Information Retrieval"),
    ("KDD", "Knowledge Discovery and Data Mining"),
    ("ACL", "Annual Meeting of the Association for Computational Linguistics"),
    ("AAAI", "AAAI Conference on Artificial Intelligence"),
    ("JMLR", "Journal of Machine Learning Research"),
    ("TKDE", "IEEE Transactions on Knowledge and Data Engineering"),
]


def listed(text: str) -> list[str]:
    """Read a list of phrases, which commas separate."""
    return [" ".join(phrase.split()) for phrase in text.split(",")]


class Draw:
    """Random choices, from a store of random numbers: single calls of NumPy are slow."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._store: list[float] = []

    def random(self) -> float:
        """Return a number from 0 to 1."""
        if not self._store:
            self._store = self.rng.random(4096).tolist()
        return self._store.pop()

    def chance(self, p: float) -> bool:
        """Return True with probability ``p``."""
        return p > 0 and self.random() < p

    def integer(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[int(self.random() * len(options))]

    def other(self, options: Sequence[T], than: T) -> T:
        """Return one of the options that is not ``than``."""
        return self.pick([option for option in options if option != than])

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order."""
        return sorted(items, key=lambda _: self.random())

    def digits(self, n: int) -> str:
        """Return ``n`` digits, of which the first is not zero."""
        return str(self.integer(10 ** (n - 1), 10**n - 1))


class Names(Draw):
    """The names of one table, which share a limited number of towns, surnames and brands."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self.towns = [self._town() for _ in range(self.pick([3, 8, 30, 200]))]
        self.surnames = [self._surname() for _ in range(self.pick([60, 300, 1500]))]
        self.brands = [self.brand() for _ in range(self.pick([5, 20, 80, 300]))]
        self.domains = [f"{self.brand().lower()}.{self.pick(['com', 'org', 'net'])}"]
        self.domains += MAIL

    def _town(self) -> str:
        if self.chance(0.4):
            return self.pick(TOWNS)
        return self.pick(STEMS) + self.pick(TOWN_ENDS)

    def _surname(self) -> str:
        if self.chance(0.4):
            return self.pick(SURNAMES)
        name = self.pick(STEMS) + self.pick(PERSON_ENDS)
        return f"{name}-{self.pick(SURNAMES)}" if self.chance(0.03) else name

    def brand(self) -> str:
        """Return a made-up word, which may be new to the table."""
        syllables = [self.pick(SYLLABLES) for _ in range(self.integer(2, 3))]
        return ("".join(syllables) + self.pick(BRAND_ENDS)).capitalize()

    def town(self) -> str:
        """Return a town of the table."""
        return self.pick(self.towns)

    def surname(self) -> str:
        """Return a surname of the table."""
        return self.pick(self.surnames)

    def first_name(self) -> str:
        """Return the first name of a woman or a man."""
        return self.pick(FEMALE if self.chance(0.5) else MALE)

    def person(self) -> str:
        """Return first name and surname, at times with a middle initial."""
        middle = f" {chr(65 + self.integer(0, 25))}." if self.chance(0.1) else ""
        return f"{self.first_name()}{middle} {self.surname()}"

    def persons(self, low: int, high: int) -> str:
        """Return a list of persons, which commas separate."""
        return ", ".join(self.person() for _ in range(self.integer(low, high)))

    def date(self, first_year: int, last_year: int) -> str:
        """Return a date as 1980-03-12."""
        year, month = self.integer(first_year, last_year), self.integer(1, 12)
        return f"{year}-{month:02}-{self.integer(1, 28):02}"

    def phone(self) -> str:
        """Return a number of ten digits."""
        return self.digits(3) + self.digits(3) + self.digits(4)

    def price(self, low: float = 3, high: float = 900) -> str:
        """Return a price; small ones are more frequent."""
        return f"{low * (high / low) ** self.random():.2f}"

    def street(self) -> str:
        """Return a street."""
        name = self.pick(STREET_NAMES)
        if self.chance(0.5):
            name = self.pick(STEMS) + self.pick(TOWN_ENDS)
        elif self.chance(0.2):
            name = f"{self.pick('NSEW')}. {name}"
        return f"{name} {self.pick(STREET_WORDS)}"

    def address(self) -> str:
        """Return a number and a street."""
        flat = f", Apt {self.integer(1, 40)}" if self.chance(0.1) else ""
        return f"{self.integer(1, 400)} {self.street()}{flat}"

    def stem(self) -> str:
        """Return the word that tells a company from the others of its trade."""
        maker = self.pick([self.brand, self._surname, self._town])
        return maker()

    def company(self) -> str:
        """Return a company with its trade and legal form."""
        trade = self.pick(TRADES)
        if self.chance(0.2):
            trade = f"{trade} & {self.other(TRADES, trade)}"
        if self.chance(0.1):
            return f"{self.pick(POINTS)} {self.stem()} {trade} {self.pick(LEGAL_FORMS)}"
        return f"{self.stem()} {trade} {self.pick(LEGAL_FORMS)}"

    def title(self) -> str:
        """Return the title of a novel, a film or a song."""
        pattern = self.pick(
            [
                "The {a} {n}", "The {a} {n} of {t}", "{a} {p}", "The {n} and the {m}",
                "{n} in the {m}",
                "One {n} for {f}", "{f} and the {n}", "{p} of the {a} {n}", "The {n} of {t}",
                "{p} without {q}",
                "When the {n} meets the {m}", "No {n} for {p}", "{t} {p}",
            ]
        )  # fmt: skip
        title = pattern.format(
            a=self.pick(ADJECTIVES), n=self.pick(NOUNS), m=self.pick(NOUNS), p=self.pick(PLURALS),
            q=self.pick(PLURALS), f=self.first_name(), t=self.town(),
        )  # fmt: skip
        return " ".join(
            word if word in SMALL_WORDS else word[0].upper() + word[1:] for word in title.split()
        )

    def paper(self) -> str:
        """Return the title of a scientific paper."""
        pattern = self.pick(
            ["{q} {m} in {s}", "{b}: {q} {m} for {s}", "{m} for {s}", "on the {m} of {s}",
             "towards {q} {m} in {s}", "{q} {m} and {n} over {s}", "a survey of {m} in {s}"]
        )  # fmt: skip
        title = pattern.format(
            q=self.pick(QUALITIES), m=self.pick(METHOD_LIST), n=self.pick(METHOD_LIST),
            s=self.pick(SETTING_LIST), b=self.brand(),
        )  # fmt: skip
        return title[0].upper() + title[1:]

    def model(self) -> str:
        """Return the number of a model, with letters and digits."""
        letters = "".join(self.pick("ABCDEFGHKLMNPRSTVWX") for _ in range(self.integer(1, 3)))
        end = self.pick(["", "", "", "", "B", "S", "X", "/2", "-E"])
        return f"{letters}{self.pick(['', '-', '-', ' '])}{self.digits(self.integer(2, 5))}{end}"

    def other_digit(self, text: str) -> str:
        """Return the text with one of its digits changed, never to a zero in front."""
        places = [i for i, letter in enumerate(text) if letter.isdigit()]
        place = self.pick(places)
        return text[:place] + self.other("123456789", text[place]) + text[place + 1 :]

    def phrases(self, text: str, n: int) -> list[str]:
        """Return ``n`` different phrases of a list."""
        return self.shuffled(listed(text))[:n]


SMALL_WORDS = {"of", "and", "the", "in", "for", "without", "a"}
METHOD_LIST, SETTING_LIST = listed(METHODS), listed(SETTINGS)
