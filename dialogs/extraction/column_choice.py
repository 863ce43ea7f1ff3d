"""Score which column a number is about: by unit, columns named near it, question and range."""

from __future__ import annotations

from dataclasses import dataclass

from ...catalogs.query.schema import ColumnProfile, name_words
from ..language.column_phrases import column_topics
from .english import UNITS
from .quantities import Bound, Quantity
from .reading import Naming, Reading
from .value_index import spelling

ENOUGH = 0.45
"""A column with a lower score is not what a number is about."""

_DIMENSION_TOPICS = {
    "bytes": ("memory", "storage"),
    "mass": ("weight",),
    "length": ("distance", "odometer"),
    "span": ("screen", "size"),
    "time": ("duration", "battery"),
    "area": ("size",),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A column for a number, the number in the column's unit, and how sure that is."""

    column: str
    low: float
    high: float | None
    score: float


def choices(reading: Reading, quantity: Quantity, bound: Bound, cost: str | None) -> list[Choice]:
    """Return the columns a number may be about, best first."""
    fitting: list[Choice] = []
    for profile in reading.index.numeric.values():
        low, high = (
            _converted(value, quantity.unit, profile) for value in (quantity.value, quantity.high)
        )
        if low is None:
            continue
        score = _score(reading, quantity, bound, profile, cost, (low, high))
        if score >= ENOUGH:
            fitting.append(Choice(profile.name, low, high, min(1.0, score)))
    return sorted(fitting, key=lambda choice: -choice.score)


def _score(
    reading: Reading,
    quantity: Quantity,
    bound: Bound,
    profile: ColumnProfile,
    cost: str | None,
    ends: tuple[float, float | None],
) -> float:
    topics = column_topics(profile.name)
    named = named_strength(reading, quantity, profile.name)
    unit = _unit_fit(quantity, profile, topics)
    if unit < 0:
        return 0.0
    score = 0.8 * named + 0.7 * reading.asked_about.get(profile.name, 0.0) + unit
    score += _kind_fit(quantity, bound, profile, topics, cost)
    return score + _range_fit(ends[0], ends[1], profile) if score > 0 else 0.0


def named_strength(reading: Reading, quantity: Quantity, column: str) -> float:
    """Return how clearly the column is named beside a number, in [0, 1]."""
    near = [
        naming.strength * _nearness(reading, quantity, naming)
        for naming in reading.named_near(quantity.first)
        if naming.column == column
    ]
    best = sorted(near, reverse=True)[:2]
    return min(1.0, best[0] + 0.3 * best[1]) if len(best) > 1 else sum(best)


def _nearness(reading: Reading, quantity: Quantity, naming: Naming) -> float:
    """Return 1 for a name right beside the number, less for one further off or parted from it."""
    if naming.first > quantity.last:
        distance = naming.first - quantity.last - 1
        between = reading.text[quantity.end : reading.words[naming.first].start]
        factor = 1.0 - 0.12 * distance
        # A name that follows another number's start belongs to that number.
        words = range(quantity.last + 1, naming.first)
        parted = 0.4
    else:
        distance = quantity.first - naming.last - 1
        between = reading.text[reading.words[naming.last].end : quantity.start]
        factor = 0.95 - 0.05 * distance
        words = range(naming.last + 1, quantity.first)
        parted = 0.8
    # What directly follows another number is that number's unit.
    follows = naming.last < quantity.first and _is_digits(reading, naming.first - 1)
    if follows or any(_is_digits(reading, word) for word in words):
        factor *= 0.35
    if "," in between or " and " in between or " with " in between:
        factor *= parted
    return max(0.0, factor)


def _is_digits(reading: Reading, word: int) -> bool:
    return word >= 0 and reading.words[word].text[0].isdigit()


def _column_unit(name: str) -> str | None:
    words = name_words(name)
    if "per" in words[1:]:
        words = words[: words.index("per")]
    return next((word for word in map(spelling, reversed(words)) if word in UNITS), None)


def _converted(value: float | None, unit: str | None, profile: ColumnProfile) -> float | None:
    """Return a value in the column's unit; unchanged where one of the units is unknown."""
    own = _column_unit(profile.name)
    spelled = spelling(unit) if unit else None
    if value is None or spelled is None or own is None or spelled not in UNITS or spelled == own:
        return value
    dimension, size = UNITS[spelled]
    own_dimension, own_size = UNITS[own]
    if dimension != own_dimension:
        return value
    if dimension == "bytes":
        # Drives and memories are counted in powers of two where a column says 1024.
        binary = {"mb": 1, "gb": 2, "tb": 3}
        steps = binary.get(spelled, 2) - binary.get(own, 2)
        whole = isinstance(profile.maximum, int) and profile.maximum % 1024 == 0
        return value * (1024.0 if whole else 1000.0) ** steps
    return round(value * size / own_size, 6)


def _unit_fit(quantity: Quantity, profile: ColumnProfile, topics: tuple[str, ...]) -> float:
    """Return how well a number's unit fits a column, negative where it cannot."""
    if quantity.unit is None:
        return 0.0
    unit = spelling(quantity.unit)
    own = _column_unit(profile.name)
    if unit in UNITS:
        dimension = UNITS[unit][0]
        if own is not None:
            return 0.35 if UNITS[own][0] == dimension else -1.0
        if any(topic in topics for topic in _DIMENSION_TOPICS[dimension]):
            return 0.35
        return 0.0 if unit in ("m", "pound", "g") else -0.2 if "price" not in topics else -1.0
    return 0.6 if unit in map(spelling, name_words(profile.name)) else 0.0


def _kind_fit(
    quantity: Quantity,
    bound: Bound,
    profile: ColumnProfile,
    topics: tuple[str, ...],
    cost: str | None,
) -> float:
    """Return what currency, magnitude, comparison and the look of a year add."""
    is_price = "price" in topics or "rent" in topics or profile.name == cost
    is_year = is_calendar_year(profile)
    is_money = is_price or "salary" in topics
    score = 0.0
    if quantity.currency:
        score += 0.6 if is_money else -2.0
    elif quantity.scaled and quantity.unit is None and is_money:
        score += 0.45
    if is_year:
        score += 0.45 if quantity.year_like and _in_range(quantity.value, profile, 0.0) else 0.0
        score -= 1.0 if not quantity.year_like else 0.0
    elif quantity.year_like and 1900 <= quantity.value <= 2100 and bound.side in (">", ">=", None):
        score -= 0.15
    if bound.topic:
        wanted = bound.topic in topics or (bound.topic == "price" and is_price)
        wanted = wanted or (bound.topic == "year" and is_year)
        score += 0.5 if wanted else -0.5
    elif profile.name == cost and quantity.unit is None:
        score += 0.3 if quantity.high is not None or bound.side in ("<", "<=") else 0.0
    return score


def is_calendar_year(profile: ColumnProfile) -> bool:
    """Return whether a column holds years as dates do, not a number of years."""
    topics = column_topics(profile.name)
    low = profile.minimum
    named = "year" in topics or "built" in topics
    return named and isinstance(low, int | float) and 1_000 <= low <= 3_000


def _range_fit(low: float, high: float | None, profile: ColumnProfile) -> float:
    inside = _in_range(low, profile, 0.0) or (high is not None and _in_range(high, profile, 0.0))
    if inside:
        return 0.2
    return 0.0 if _in_range(low, profile, 1.0) else -0.25


def _in_range(value: float, profile: ColumnProfile, slack: float) -> bool:
    if not isinstance(profile.minimum, int | float) or not isinstance(profile.maximum, int | float):
        return False
    room = slack * (float(profile.maximum) - float(profile.minimum))
    return float(profile.minimum) - room <= value <= float(profile.maximum) + room
