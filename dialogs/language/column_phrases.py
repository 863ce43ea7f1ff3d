"""Phrases by which people name a column, generated from its name and the lexicon's topics.

Phrases are generated once a column and cached. Finding them in a text costs its words times
the words of the longest phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ...catalogs.query.schema import name_words
from .tokens import tokens

TOPICS: dict[str, tuple[str, str]] = {
    # topic: (words of a column's name that mean it, phrases by which people speak of it)
    "price": (
        "msrp price prices cost costs fare fee fees rent budget amount charge pricing usd eur",
        "price|prices|priced|pricing|price tag|sticker price|price range|price point|cost|costs"
        "|budget|spend|spending|pay|paying|afford|affordable|cheap|cheaper|cheapest|expensive"
        "|pricey|pricier|dollars|bucks|usd|euros|money|msrp|inexpensive|a night|per night|nightly"
        "|nightly rate|a day|per day|per person|a head",
    ),
    "salary": (
        "salary wage wages income compensation",
        "salary|salaries|wage|wages|pay|pays|paid|paying|earn|earning|earnings|income|compensation",
    ),
    "rent": ("rent rental", "rent|monthly rent|a month|per month|monthly|per week"),
    "year": (
        "year years vintage",
        "year|years|model year|newer|older|recent|vintage|made in|brand new|newest|latest",
    ),
    "built": ("built construction", "built|construction|newly built|new build"),
    "date": ("date released release", "date|released|release|release date|came out"),
    "rating": (
        "rating ratings rate score scores stars star",
        "rating|ratings|rated|stars|star|score|scores|scored|scoring|review|reviews|reviewed"
        "|review score|user rating|highly rated|star rating",
    ),
    "height": ("height", "height|tall|taller|high"),
    "reviews": ("review reviews", "reviews|review|reviewed|opinions|ratings"),
    "distance": (
        "distance distances km kilometers kilometres",
        "distance|away|near|nearby|close|closer|far|kilometers|kilometres|km|within|walk",
    ),
    "size": (
        "size area sqm sqft m2 square footage surface",
        "size|sized|area|big|bigger|large|larger|small|smaller|spacious|roomy|space|square meters"
        "|square metres|square feet|sqm|sqft|sq ft|m2|square footage",
    ),
    "fuel economy": (
        "mpg economy consumption",
        "mpg|miles per gallon|miles to the gallon|fuel economy|gas mileage|mileage"
        "|fuel efficiency|fuel efficient|economy|fuel consumption|to the gallon|a gallon",
    ),
    "odometer": (
        "mileage odometer miles",
        "mileage|miles|odometer|miles on the clock|miles on it|kilometers|km",
    ),
    "bedrooms": ("bedrooms bedroom beds bed br", "bedrooms|bedroom|bed|beds|bdrm|bdrms|br"),
    "rooms": ("rooms room", "rooms|room|roomed"),
    "bathrooms": ("bathrooms bathroom baths bath", "bathrooms|bathroom|baths|bath"),
    "floor": ("floor storey story level", "floor|storey|level|upstairs|ground floor"),
    "power": (
        "hp horsepower power bhp kw watts watt",
        "horsepower|hp|power|powerful|bhp|horses|watts|kw",
    ),
    "cylinders": ("cylinders cylinder", "cylinders|cylinder|cyl"),
    "doors": ("doors door", "doors|door"),
    "people": (
        "occupancy guests people persons capacity sleeps seats seating accommodates",
        "people|persons|guests|sleeps|seats|seating|capacity|occupancy|occupants|adults|of us"
        "|accommodate|accommodates|party of|travelers|travellers|friends|seater",
    ),
    "nights": ("nights stay", "nights|night stay|minimum stay|stay|night minimum"),
    "fuel": ("fuel", "fuel|gas|petrol|runs on|run on|takes|gasoline|fuel type"),
    "transmission": ("transmission gearbox", "transmission|gearbox|gears|shift|shifter|stick"),
    "drive": (
        "driven wheels drivetrain drive wheel",
        "drivetrain|drive|drive train|driven wheels|wheel drive|driving wheels",
    ),
    "brand": (
        "make brand manufacturer maker marque vendor",
        "make|brand|manufacturer|maker|marque|made by",
    ),
    "model": ("model", "model"),
    "style": ("style body", "body style|style|body|body type|styling"),
    "colour": ("color colour", "color|colour|coloured|colored|paint"),
    "weight": (
        "weight kg grams lbs",
        "weight|weigh|weighs|weighing|light|lighter|lightweight|heavy|heavier|kg|kilos|kilo"
        "|kilograms|grams|lbs|pounds|lb",
    ),
    "memory": ("ram memory", "ram|memory|gb of ram|gigs of ram"),
    "storage": (
        "storage ssd disk hdd",
        "storage|ssd|disk|hard drive|drive|disk space|gb of storage|tb",
    ),
    "screen": ("screen display inches inch", "screen|display|inch|inches|screen size|diagonal"),
    "battery": (
        "battery",
        "battery|battery life|hours of battery|on a charge|per charge|hours|lasts|run time",
    ),
    "processor": ("cpu processor chip", "cpu|processor|chip"),
    "duration": (
        "duration time minutes hours length runtime",
        "duration|long|longer|shorter|takes|hours|minutes|length|time|mins|runtime",
    ),
    "speed": ("speed", "speed|fast|faster|quick|quicker"),
    "cuisine": ("cuisine cuisines food", "cuisine|cuisines|food|dishes|kitchen|cooking"),
    "place": (
        "city town location place neighborhood neighbourhood district region state country area",
        "city|town|location|located|neighborhood|neighbourhood|district|region|country"
        "|part of town",
    ),
    "popularity": ("popularity", "popular|popularity|sought after"),
    "pets": ("pets pet dogs animals", "pets|pet|dog|dogs|cat|cats|animals|pet friendly"),
    "smoking": ("smoking smoke smokers", "smoking|smoke|smoker|smokers|smoke free"),
    "parking": ("parking garage", "parking|garage|parking space|parking spot|park"),
    "internet": ("wifi internet", "wifi|wi fi|internet|wireless"),
    "balcony": ("balcony terrace", "balcony|terrace|balconies"),
    "garden": ("garden yard", "garden|yard|backyard|gardens"),
    "furnished": ("furnished furniture", "furnished|furniture|unfurnished"),
    "elevator": ("elevator lift", "elevator|lift"),
    "pool": ("pool swimming", "pool|swimming pool|swim"),
    "breakfast": ("breakfast", "breakfast"),
    "warranty": ("warranty", "warranty|guarantee|guaranteed"),
    "touch": ("touchscreen touch", "touchscreen|touch screen|touch"),
    "rules": ("rules rule policy", "rules|house rules|policy|allowed"),
    "title": ("name title", "called|named|name|titled"),
}
"""Topic, the words of a name that lead to it, and its phrases, split at `|`."""

OTHER_WORDS = {
    "city": ("town", "urban"),
    "highway": ("motorway", "freeway", "interstate"),
    "screen": ("display",),
    "guest": ("visitor",),
    "smoking": ("smoke",),
}
"""Other words for a word of a column's name."""

NAME_FILLERS = frozenset(
    "the of a an per in on at to for by from until till since is has with type name number "
    "num no count category class value id total aggregate average avg mean vehicle item unit "
    "product column col and".split()
)
"""Words of a column's name that say nothing by themselves."""


FULL, NARROWED, SYNONYM, HEAD, WORD = 1.0, 0.95, 0.8, 0.7, 0.5
"""Strength of the whole name, of a topic's phrase with the name's other words, of that phrase, of
the last word of a longer name, and of any other word of it."""

MAX_PHRASES = 400

MEASURED = frozenset({"price", "fuel economy", "odometer", "weight", "duration", "people"})
"""Topics that only a number answers."""

NAMED = frozenset({"place", "brand", "model", "colour", "cuisine", "title", "rules", "drive"})
"""Topics that no number answers."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `start` to `end` (excluded) that name a column, and how surely, in [0, 1]."""

    start: int
    end: int
    strength: float


def stem(word: str) -> str:
    """Return a folded word without its plural ending, roughly: `stars` and `star` agree."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4_096)
def column_topics(name: str) -> tuple[str, ...]:
    """Return the topics of the lexicon that a column's name leads to."""
    words = {stem(word) for word in name_words(name)}
    return tuple(
        topic for topic, (leads, _) in TOPICS.items() if words & {stem(w) for w in leads.split()}
    )


@lru_cache(maxsize=4_096)
def phrase_strengths(name: str, family: str | None = None) -> dict[str, float]:
    """Return the lower-case phrases for a column with their strengths in [0, 1].

    `family` ("numeric", "text", …) leaves out topics that such a column cannot measure.
    """
    strengths: dict[str, float] = {}
    for phrase, strength in _phrases(name, family):
        strengths[phrase] = max(strength, strengths.get(phrase, 0.0))
    best = sorted(strengths.items(), key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))
    return dict(best[:MAX_PHRASES])


def column_phrases(name: str, family: str | None = None) -> tuple[str, ...]:
    """Return the phrases by which people name a column, lower case, most specific first."""
    return tuple(phrase_strengths(name, family))


def mentions(text: str, name: str, family: str | None = None) -> tuple[Mention, ...]:
    """Return where a text names the column, in order; of overlapping phrases the best.

    Work grows with the text's length times the longest phrase, never with the phrases.
    """
    by_words = _by_words(name, family)
    if not by_words:
        return ()
    words = tokens(text)
    stems = [stem(word.folded) for word in words]
    longest = max(map(len, by_words))
    spans: list[Mention] = []
    place = 0
    while place < len(words):
        taken, strength = _best_at(stems, place, by_words, longest)
        if taken:
            spans.append(Mention(words[place].start, words[place + taken - 1].end, strength))
        place += max(taken, 1)
    return tuple(spans)


def _best_at(
    stems: list[str], place: int, by_words: dict[tuple[str, ...], float], longest: int
) -> tuple[int, float]:
    """Return the number of words of the longest phrase that begins here, and its strength."""
    for length in range(min(longest, len(stems) - place), 0, -1):
        strength = by_words.get(tuple(stems[place : place + length]))
        if strength is not None:
            return length, strength
    return 0, 0.0


@lru_cache(maxsize=4_096)
def _by_words(name: str, family: str | None) -> dict[tuple[str, ...], float]:
    strengths: dict[tuple[str, ...], float] = {}
    for phrase, strength in phrase_strengths(name, family).items():
        key = tuple(stem(word.folded) for word in tokens(phrase))
        strengths[key] = max(strength, strengths.get(key, 0.0))
    strengths.pop((), None)
    return strengths


def _phrases(name: str, family: str | None) -> Iterator[tuple[str, float]]:
    words = name_words(name)
    if not words:
        return
    yield " ".join(words), FULL
    telling = [word for word in words if word not in NAME_FILLERS] or words
    if telling != words:
        yield " ".join(telling), NARROWED
    if "per" in words:
        yield " ".join("a" if word == "per" else word for word in words), FULL
    for word in telling:
        strength = (HEAD if word == telling[-1] else WORD) if len(telling) > 1 else NARROWED
        yield word, strength
        yield from ((other, strength - 0.1) for other in OTHER_WORDS.get(word, ()))
    topics = column_topics(name)
    family = family or ("numeric" if MEASURED.intersection(topics) else None)
    for topic in topics:
        if not _is_about_other_things(topic, family):
            yield from _topic_phrases(topic, telling)


def _is_about_other_things(topic: str, family: str | None) -> bool:
    """Return whether a column of this family cannot be meant: a text holds no price."""
    if family == "numeric":
        return topic in NAMED
    return topic in MEASURED and family in ("text", "boolean")


def _topic_phrases(topic: str, telling: list[str]) -> Iterator[tuple[str, float]]:
    leads, phrases = TOPICS[topic]
    led = {stem(word) for word in leads.split()}
    others = " ".join(word for word in telling if stem(word) not in led)
    for phrase in phrases.split("|"):
        yield phrase, SYNONYM if not others else SYNONYM - 0.2
        if others and not re.search(r"\d", phrase):
            yield f"{others} {phrase}", NARROWED
            yield f"{phrase} {others}", SYNONYM
            yield f"{phrase} in the {others}", SYNONYM
            yield f"{phrase} on the {others}", SYNONYM
