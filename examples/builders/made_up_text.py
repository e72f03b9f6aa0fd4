"""Sentences in the style of captions and of headlines, put together from lists of words.

Text that people wrote in these styles is not at hand under an open license, and other text hardly
has them. ``build_default_vectors.py`` lets the teacher embed what this script makes up.
"""

from __future__ import annotations

import numpy as np

PEOPLE = """
    man woman boy girl child baby person teenager lady guy kid toddler couple player rider
    musician dancer worker chef cook farmer soldier policeman fireman student teacher singer
    athlete swimmer skater surfer climber cyclist runner hiker tourist vendor waiter painter
    barber doctor nurse bride groom crowd team family band
""".split()
ANIMALS = """
    dog cat horse cow bird duck puppy kitten sheep goat elephant monkey panda lion tiger bear
    rabbit squirrel fish turtle snake frog parrot owl hamster mouse pig chicken rooster zebra
    giraffe kangaroo deer fox wolf whale dolphin lizard butterfly bee
""".split()
ADJECTIVES = """
    young old small big tall little happy tired brown black white gray yellow spotted wet dirty
    blond elderly muscular smiling barefoot shirtless sleepy hungry fluffy thin excited bearded
    bald
""".split()
COLORS = """
    red blue green yellow white black orange purple pink brown gray striped plaid
""".split()
CLOTHES = """
    shirt jacket coat hat dress helmet sweater uniform suit shorts hoodie vest skirt scarf
    swimsuit cap apron
""".split()
# What people do with things.
ACTIONS = {
    "playing": (
        "guitar, piano, violin, flute, drums, trumpet, soccer, football, basketball, "
        "baseball, tennis, volleyball, chess, cards, video games, golf, hockey, rugby, "
        "cricket, the harp, the keyboard"
    ),
    "riding": (
        "bicycle, horse, motorcycle, skateboard, bike, scooter, wave, bus, train, "
        "elephant, unicycle, camel, roller coaster"
    ),
    "cutting": (
        "onion, tomato, potato, cake, meat, bread, carrot, paper, grass, tree, hair, "
        "pepper, cucumber, pizza, rope"
    ),
    "slicing": "onion, tomato, lemon, cucumber, garlic, mushroom, apple, shrimp, bun, carrot",
    "cooking": "eggs, rice, pasta, meat, soup, vegetables, pancakes, fish, dinner, an omelet",
    "eating": (
        "sandwich, apple, pizza, banana, ice cream, noodles, hamburger, cookie, lunch, a "
        "bowl of cereal, corn, watermelon"
    ),
    "drinking": "water, coffee, milk, beer, juice, tea, wine, soda",
    "reading": "book, newspaper, magazine, letter, map, menu, sign",
    "driving": "car, truck, bus, tractor, boat, taxi, van, race car",
    "throwing": "ball, frisbee, stone, stick, snowball, football, dart, knife",
    "catching": "ball, fish, frisbee, bus, butterfly",
    "kicking": "ball, soccer ball, door, sand, bag",
    "holding": (
        "baby, sign, camera, umbrella, microphone, flag, balloon, cup, gun, stick, "
        "flower, bag, rope, puppy"
    ),
    "carrying": "bag, box, basket, surfboard, backpack, child, ladder, tray, bucket, suitcase",
    "wearing": "hat, helmet, mask, costume, sunglasses, uniform, scarf, wig, life jacket",
    "chasing": "ball, cat, rabbit, bird, stick, thief, sheep, car",
    "watching": "movie, game, television, parade, birds, fireworks, show, sunset",
    "climbing": "mountain, tree, rope, ladder, wall, rock, stairs, fence",
    "painting": "picture, wall, fence, house, portrait, face",
    "washing": "dishes, car, hands, dog, clothes, window, hair",
    "feeding": "baby, ducks, horse, fish, birds, cat, giraffe",
    "petting": "dog, cat, horse, goat, rabbit",
    "fixing": "bicycle, car, roof, computer, sink, fence",
    "building": "sandcastle, house, snowman, fence, fire, tent, wall",
    "pushing": "stroller, cart, swing, wheelchair, car, lawn mower",
    "pulling": "rope, sled, cart, wagon, suitcase, boat",
    "opening": "door, box, gift, bottle, can, package, umbrella",
    "peeling": "potato, banana, orange, shrimp, apple",
    "mixing": "ingredients, dough, paint, salad, drinks, batter",
    "pouring": "water, milk, sauce, oil, coffee, wine",
    "writing": "letter, note, book, a list",
    "typing": "letter, message",
    "taking": "a picture, a photo, a nap, a bath, notes, a break",
    "selling": "fruit, flowers, newspapers, fish, tickets, ice cream",
    "lifting": "weights, box, barbell, child, stone",
    "shooting": "gun, arrow, basket, rifle",
}
ACTIVITIES = """
    running, walking, jumping, sleeping, sitting, standing, dancing, singing, swimming, smiling,
    laughing, crying, talking, waiting, working, fishing, surfing, skiing, skating, camping,
    hiking, shopping, praying, fighting, falling, crawling, yawning, resting, playing, eating,
    exercising, kissing, hugging, flying, barking, digging, rolling, posing, relaxing, jogging,
    snowboarding, wrestling, boxing, performing, celebrating, cheering, looking up, looking out,
    lying down
"""
PLACES = """
    in the park, on the beach, in a kitchen, on the street, in the snow, in the water, at a
    table, on a bench, in a field, near a lake, in front of a building, on a stage, in a pool,
    in the grass, on a sidewalk, in a garden, at the airport, on a couch, on the floor, in a
    restaurant, at a market, by the river, in a crowd, under a tree, on a boat, in a gym, on a
    mountain, near the ocean, in the mud, at a party, in a classroom, next to a car, on a train,
    beside the road, in a forest, at night, during a parade, over a fence, through the woods,
    down a hill, across the street, along a path, behind a wall, outside a store, inside a
    house, around a fire, on the roof, on a bed, in a stadium, at the zoo, on the ice, against a
    wall, with a ball, with a friend, with a dog, with children, for a crowd, into the water
"""
NUMBERS = "two, three, four, several, many, some, five, a few"
# Things that have no indefinite article.
WITHOUT_ARTICLE = """
    baseball basketball batter beer birds bread cards chess clothes coffee corn cricket dinner
    dishes dough drinks drums ducks eggs fireworks fish flowers football fruit garlic golf grass
    hair hands hockey ingredients juice lunch meat milk newspapers noodles notes oil paint
    pancakes paper pasta rice rugby salad sand sauce sheep shrimp soccer soda soup stairs
    sunglasses tea television tennis tickets vegetables volleyball water weights wine
""".split()
PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "lady": "ladies",
    "baby": "babies",
    "fireman": "firemen",
    "policeman": "policemen",
    "sheep": "sheep",
    "fish": "fish",
    "mouse": "mice",
    "puppy": "puppies",
    "wolf": "wolves",
    "deer": "deer",
    "butterfly": "butterflies",
    "family": "families",
    "monkey": "monkeys",
    "fox": "foxes",
}
PARTICIPLES = {
    "riding": "ridden",
    "cutting": "cut",
    "slicing": "sliced",
    "eating": "eaten",
    "drinking": "drunk",
    "reading": "read",
    "driving": "driven",
    "throwing": "thrown",
    "catching": "caught",
    "holding": "held",
    "carrying": "carried",
    "wearing": "worn",
    "chasing": "chased",
    "feeding": "fed",
    "petting": "petted",
    "building": "built",
    "writing": "written",
    "typing": "typed",
    "taking": "taken",
    "selling": "sold",
    "shooting": "shot",
}
COUNTRIES = """
    US, UK, China, Russia, Iran, Iraq, Syria, Israel, Egypt, Turkey, India, Pakistan, Afghanistan,
    France, Germany, Spain, Italy, Greece, Ukraine, Poland, Japan, South Korea, North Korea,
    Vietnam, Thailand, Indonesia, Malaysia, Philippines, Australia, Canada, Mexico, Brazil,
    Argentina, Chile, Colombia, Venezuela, Cuba, Haiti, Libya, Tunisia, Algeria, Morocco, Sudan,
    South Sudan, Somalia, Kenya, Nigeria, Mali, Ghana, South Africa, Zimbabwe, Congo, Yemen,
    Saudi Arabia, Lebanon, Jordan, Palestine, Qatar, Nepal, Bangladesh, Sri Lanka, Myanmar,
    Taiwan, Portugal, Ireland, Sweden, Norway, Denmark, Hungary, Romania, Bulgaria, Serbia
"""
CITIES = """
    Baghdad, Damascus, Aleppo, Kabul, Karachi, Cairo, Gaza, Jerusalem, Beirut, Tripoli, Moscow,
    Kiev, London, Paris, Berlin, Madrid, Rome, Athens, Istanbul, New York, Boston, Chicago,
    Texas, California, Florida, Washington, Mexico City, Rio, Delhi, Mumbai, Beijing, Shanghai,
    Hong Kong, Tokyo, Bangkok, Manila, Jakarta, Sydney, Nairobi, Lagos, Johannesburg
"""
EVENTS = """
    bombing, car bomb, suicide attack, attack, air strike, drone strike, shooting, clashes,
    protest, riot, blast, explosion, earthquake, flood, floods, storm, typhoon, hurricane,
    tornado, landslide, avalanche, wildfire, fire, plane crash, train crash, bus crash,
    helicopter crash, ferry accident, building collapse, mine accident, stampede, ambush, siege
"""
ACTORS = """
    president, prime minister, foreign minister, opposition, rebels, government, parliament,
    army, police, court, UN, NATO, EU, pope, king, protesters, Taliban, militants, troops,
    lawmakers, senator, mayor, union, workers, students, judge, central bank, finance minister
"""
DEEDS = """
    visits, rejects, accepts, condemns, backs, opposes, warns of, calls for, denies, welcomes,
    discusses, demands, delays, signs, approves, blocks, criticizes, defends, ends, resumes,
    threatens, suspends, plans, considers, urges, reviews, leads, joins, faces, announces
"""
MATTERS = """
    talks, peace talks, ceasefire, sanctions, reform, elections, election results, nuclear deal,
    missile test, military action, budget, bailout, austerity measures, tax plan, gun control,
    health care bill, trade deal, border crossing, rocket launch, aid, chemical weapons attack,
    coup, protests, arms sales, spying claims, immigration law, gay marriage bill, climate deal,
    vote, new constitution, state of emergency, prisoner release, election fraud, oil exports
"""
CRIMES = """
    murder, rape, corruption, fraud, spying, drug smuggling, terrorism, kidnapping, robbery,
    tax evasion, war crimes, bribery, hacking, theft, insider trading, assault
"""
MARKETS = """
    stocks, shares, oil prices, gold, the dollar, the euro, the rupee, house prices, profits,
    exports, unemployment, inflation, sales, car sales, crude oil futures, bond yields
"""


def captions(n_captions: int, seed: int = 3) -> list[str]:
    """Return different sentences such as "Two young women are riding bicycles in the park."."""
    writer = Writer(seed)
    found: dict[str, None] = {}
    while len(found) < n_captions:
        found[writer.caption()] = None
    return list(found)


def headlines(n_headlines: int, seed: int = 4) -> list[str]:
    """Return different headlines such as "12 killed in Baghdad car bomb"."""
    rng = np.random.default_rng(seed)
    countries, cities, events, actors, deeds, matters, crimes, markets = map(
        comma_separated, (COUNTRIES, CITIES, EVENTS, ACTORS, DEEDS, MATTERS, CRIMES, MARKETS)
    )
    found: dict[str, None] = {}
    while len(found) < n_headlines:
        (first, second), city, event, actor, deed, matter, crime, market = (
            rng.choice(countries, 2, replace=False),
            *map(rng.choice, (cities, events, actors, deeds, matters, crimes, markets)),
        )
        n = int(rng.integers(2, 90))
        place = rng.choice([first, city])
        harm = rng.choice(["killed", "dead", "injured", "wounded", "arrested", "missing"])
        change = rng.choice(["rise", "fall", "drop", "slip", "surge", "jump", "edge higher"])
        reason = rng.choice([matter, crime])
        game = rng.choice(["final", "opener", "friendly", "semi-final"])
        sentences = [
            f"{first} {actor} {deed} {matter}",
            f"{first} {actor} {deed} {second} {matter}",
            f"{first} {deed} {matter}",
            f"{first} {deed} {second} {matter}",
            f"{first} and {second} agree on {matter}",
            f"{n} {harm} in {place} {event}",
            f"{place} {event} kills at least {n}",
            f"{event} hits {place}, {n} {harm}",
            f"{event} in {place} leaves {n} {harm}",
            f"{first} {actor} arrested for {crime}",
            f"{first} court jails man for {crime}",
            f"{first} {actor} goes on trial for {crime}",
            f"{first} {actor} killed in {city} {event}",
            f"{first} {actor} resigns over {reason}",
            f"{first} {market} {change} on {matter}",
            f"{market} {change} amid {second} {matter}",
            f"{first} beat {second} in {game}",
            f"thousands protest in {place} against {matter}",
            f"{first} {actor}: {second} {deed} {matter}",
        ]
        headline = str(rng.choice(sentences))
        found[headline[0].upper() + headline[1:]] = None
    return list(found)


class Writer:
    """Draws the parts of captions."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._lists = {verb: objects.split(", ") for verb, objects in ACTIONS.items()} | {
            name: comma_separated(text)
            for name, text in (("alone", ACTIVITIES), ("place", PLACES), ("number", NUMBERS))
        }

    def caption(self) -> str:
        """Return one sentence; most say what someone does, some that nobody does it."""
        is_person = self._happens(0.75)
        noun = self._one(PEOPLE if is_person else ANIMALS)
        adjective = self._one(ADJECTIVES) + " " if self._happens(0.3) else ""
        is_plural = self._happens(0.22)
        be = "are" if is_plural else "is"
        subject = self._subject(noun, adjective, is_plural, is_person)
        verb, thing = self._one([*ACTIONS]), ""
        if self._happens(0.7 if is_person else 0.15):
            thing = self._thing(verb)
            what = f"{verb} {thing}"
        else:
            what = self._one(self._lists["alone"])
        place = " " + self._one(self._lists["place"]) if self._happens(0.5) else ""
        also = self._one(self._lists["alone"])
        kinds = {
            f"{subject} {be} {what}": 62,
            f"{subject} {what}": 10,
            f"there is no {adjective}{noun} {what}": 7,
            f"{subject} {be} not {what}": 3,
            f"nobody is {what}": 3,
            f"{subject} {be} {what} and {with_article(self._one(PEOPLE))} is {also}": 5,
            f"{subject} who {be} {what} {be} {also}": 4,
        }
        if thing:
            done = PARTICIPLES.get(verb, verb.removesuffix("ing") + "ed")
            kinds[f"{thing} is being {done} by {subject}"] = 6
        shares = np.array([*kinds.values()]) / sum(kinds.values())
        sentence = [*kinds][self._rng.choice(len(kinds), p=shares)] + place
        return sentence[0].upper() + sentence[1:] + ("." if self._happens(0.7) else "")

    def _subject(self, noun: str, adjective: str, is_plural: bool, is_person: bool) -> str:
        wearing = ""
        if is_person and self._happens(0.15):
            clothes = f"{self._one(COLORS)} {self._one(CLOTHES)}"
            wearing = f" {self._one(['in', 'wearing'])} {with_article(clothes)}"
        if is_plural:
            number = self._one(self._lists["number"])
            return f"{number} {adjective}{PLURALS.get(noun, noun + 's')}{wearing}"
        if self._happens(0.2):
            return f"the {adjective}{noun}{wearing}"
        return with_article(adjective + noun) + wearing

    def _thing(self, verb: str) -> str:
        thing = self._one(self._lists[verb])
        if thing.split()[0] in ("a", "an", "the") or thing.split()[-1] in WITHOUT_ARTICLE:
            return thing
        return with_article(thing) if self._happens(0.75) else f"the {thing}"

    def _one(self, choices: list[str]) -> str:
        return choices[self._rng.integers(len(choices))]

    def _happens(self, probability: float) -> bool:
        return bool(self._rng.random() < probability)


def with_article(phrase: str) -> str:
    """Return a phrase behind its indefinite article."""
    is_vowel = phrase[0] in "aeiou" and not phrase.startswith("uni")
    return f"an {phrase}" if is_vowel else f"a {phrase}"


def comma_separated(text: str) -> list[str]:
    """Return the parts of a list, which may go over several lines."""
    return [" ".join(part.split()) for part in text.split(",")]
