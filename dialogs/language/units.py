"""Units of measure: the kind of quantity they measure, their size, and conversion between them."""

from __future__ import annotations

import re
from functools import lru_cache

from ...catalogs.query.schema import name_words
from .column_phrases import TOPICS, column_topics, stem

CURRENCY_SIGNS = "$€£¥₹"
CURRENCY_WORDS = frozenset(
    "dollar dollars usd euro euros eur bucks buck gbp chf quid franc francs yen jpy rupee rupees "
    "inr cad aud nzd sterling".split()
)
HUNDREDTHS = frozenset("cent cents pence penny pennies p ct cts paise".split())
"""A hundredth of whatever currency a column is in."""


_SIZES: dict[str, dict[str, float]] = {
    "bytes": {"kb": 1e3, "mb": 1e6, "gb": 1e9, "gig": 1e9, "gigabyte": 1e9, "megabyte": 1e6}
    | {"tb": 1e12, "terabyte": 1e12, "tera": 1e12},
    "mass": {"mg": 1e-3, "g": 1.0, "gram": 1.0, "kg": 1e3, "kilo": 1e3, "kilogram": 1e3}
    | {"kgs": 1e3, "lb": 453.59237, "pound": 453.59237, "oz": 28.349523, "ounce": 28.349523}
    | {"t": 1e6, "ton": 1e6, "tonne": 1e6, "stone": 6350.29318},
    "length": {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "meter": 1.0, "km": 1e3, "kilometer": 1e3}
    | {"mile": 1609.344, "mi": 1609.344, "inch": 0.0254, "in": 0.0254, "feet": 0.3048}
    | {"foot": 0.3048, "ft": 0.3048, "yard": 0.9144, "centimeter": 0.01, "millimeter": 1e-3},
    "time": {"s": 1 / 60, "sec": 1 / 60, "second": 1 / 60, "min": 1.0, "minute": 1.0, "h": 60.0}
    | {"hr": 60.0, "hour": 60.0, "day": 1440.0, "night": 1440.0, "week": 10080.0}
    | {"wk": 10080.0, "fortnight": 20160.0, "month": 43800.0, "mth": 43800.0, "year": 525600.0}
    | {"yr": 525600.0, "decade": 5256000.0},
    "area": {"sqm": 1.0, "m2": 1.0, "sqft": 0.09290304, "acre": 4046.8564, "hectare": 1e4}
    | {"ha": 1e4},
    "volume": {"ml": 1e-3, "cl": 1e-2, "l": 1.0, "liter": 1.0, "gallon": 3.785411784},
    "speed": {"kmh": 1.0, "kph": 1.0, "mph": 1.609344},
    "power": {"w": 1.0, "watt": 1.0, "kw": 1e3, "kilowatt": 1e3, "hp": 745.7, "bhp": 745.7}
    | {"horsepower": 745.7},
    "energy": {"wh": 1.0, "kwh": 1e3},
    "charge": {"mah": 1.0, "ah": 1e3},
    "sound": {"db": 1.0, "dba": 1.0, "decibel": 1.0},
    "temperature": {"c": 1.0, "celsius": 1.0, "degree": 1.0},
}
UNITS = {unit: (kind, size) for kind, sizes in _SIZES.items() for unit, size in sizes.items()}
"""A unit, singular and American, with the kind of quantity it measures and its size there."""

_AE = re.compile("ae|^oe")
"""As British words from Greek have it: `paediatrics`, `orthopaedic`."""

_PAIRS = (
    "grey~gray metre~meter litre~liter centre~center theatre~theater fibre~fiber "
    "kilometre~kilometer centimetre~centimeter millimetre~millimeter aluminium~aluminum "
    "tyre~tire cheque~check programme~program storey~story kerb~curb plough~plow "
    "draught~draft mould~mold moulded~molded mouldy~moldy doughnut~donut yoghurt~yogurt "
    "whiskey~whisky jewellery~jewelry licence~license defence~defense catalogue~catalog "
    "dialogue~dialog pyjama~pajama moustache~mustache aeroplane~airplane speciality~specialty "
    "woollen~woolen travelling~traveling cancelled~canceled cancelling~canceling "
    "snorkelling~snorkeling labelled~labeled modelling~modeling panelled~paneled "
    "colour~color coloured~colored odour~odor flavoured~flavored favourite~favorite "
    "cosy~cozy sceptic~skeptic gramme~gram tonne~ton lbs~lb hrs~hr yrs~yr wks~wk"
)
_SPELLINGS = {pair.partition("~")[0]: pair.partition("~")[2] for pair in _PAIRS.split()}
"""British spellings, folded and singular, with the American."""

_CONTRACTED = frozenset(
    "it that what who there here he she let how where when why i you we they this which".split()
)
"""Words that are drawn together with a verb, as in `it's` and `I'll`; behind others, as in
`satin'll do`, the word alone is compared."""

_CONTRACTIONS = ("m", "re", "ve", "ll", "d", "t")
"""What follows the apostrophe where two words are drawn together: `I'm` is no `iM`."""


@lru_cache(maxsize=65_536)
def spelling(folded_word: str) -> str:
    """Return a folded word as words are compared: singular, American, owning nothing."""
    bare, _, ending = folded_word.partition("'")
    if ending in _CONTRACTIONS or (ending == "s" and bare in _CONTRACTED):
        if ending not in ("ll", "d") or bare in _CONTRACTED:
            return folded_word
        return spelling(bare)
    bare = folded_word.removesuffix("'s")
    singular = stem(bare.replace("'", ""))
    if len(singular) > 5 and singular.endswith("our"):
        return f"{singular[:-3]}or"
    if len(singular) > 7:
        singular = _AE.sub("e", singular)
    return _SPELLINGS.get(singular, singular)


_PERIODS = {"y": "year", "m": "month", "mo": "month", "mon": "month", "w": "week", "d": "day"}
"""What a column's name ends in where it holds a time."""

_RATES = frozenset(("per", "a", "an", "each"))
"""Words of a column's name with which what follows is no unit of its numbers: `visits a day`."""

_PRICED = frozenset("price prc prices cost fee fare tariff pay wage salary".split())
"""Words of a column's name behind which a unit is what is paid for: `prc_kwh`."""


@lru_cache(maxsize=4_096)
def column_unit(name: str, unit: str = "") -> str | None:
    """Return a column's unit: the one it is known to have, or its name ends in (`wt_kg`)."""
    if spelling(unit.casefold()) in UNITS:
        return spelling(unit.casefold())
    words = name_words(re.sub(r"(?i)\bkm/h", "kmh", name).partition("/")[0] or name)
    # A rate has no unit of its own behind it: `visits a day`, `drop per day (mm)`.
    rates = [at for at, word in enumerate(words) if at and word in _RATES]
    rates = [at for at in rates if words[at] == "per" or _is_period(words[at + 1 :])]
    if rates:
        words = [*words[: rates[0]], *words[rates[0] + 2 :]]
    if not words or _is_paid(words):
        return None
    last = spelling(words[-1])
    kinds = {kind for topic in column_topics(name) for kind in TOPICS[topic].kinds}
    if last in _PERIODS and len(words) > 1 and "time" in kinds and "length" not in kinds:
        return _PERIODS[last]
    found = (word for word in map(spelling, reversed(words)) if word in UNITS)
    # In front, `min` is the least: `min_stay_months`, but `walk_min_to_metro`.
    inner = ("in",) if spelling(words[0]) != "min" else ("in", "min")
    found = (word for word in found if word == last or word not in inner)
    return next((word for word in found if len(words) > 1 or len(word) > 2), None)


def _is_paid(words: list[str]) -> bool:
    """Return whether a name says what is paid: `fee`, or by a currency, `night_eur`, `gbp_hr`."""
    if not _PRICED.isdisjoint(words):
        return True
    words = [word for word in words if word not in _RATES]
    behind = [words[at + 1 :] for at, word in enumerate(words) if word in CURRENCY_WORDS]
    return any(not rest or (len(rest) == 1 and _is_period(rest)) for rest in behind)


def _is_period(words: list[str]) -> bool:
    return bool(words) and UNITS.get(spelling(words[0]), ("", 0.0))[0] == "time"


@lru_cache(maxsize=4_096)
def unit_kinds(name: str, unit: str = "") -> frozenset[str]:
    """Return the kinds of quantity that a column may measure, by its unit and its name."""
    signed = any(sign in name or unit.startswith(sign) for sign in CURRENCY_SIGNS)
    if signed or unit.casefold() in CURRENCY_WORDS or _is_paid(name_words(name)):
        return frozenset(("money",))
    own = column_unit(name, unit)
    if own is not None:
        return frozenset((UNITS[own][0],))
    return frozenset(kind for topic in column_topics(name) for kind in TOPICS[topic].kinds)


@lru_cache(maxsize=4_096)
def graded_topics(name: str, unit: str = "") -> tuple[str, ...]:
    """Return what much or little of a column is said by: its topics, else its kinds of unit."""
    topics = column_topics(name)
    told = any(TOPICS[topic].much or TOPICS[topic].little for topic in topics)
    return topics if told else (*topics, *unit_kinds(name, unit))


def converted(value: float, unit: str, own: str, *, binary: bool = False) -> float | None:
    """Return a value in another unit, None between kinds; `binary` counts bytes by 1024."""
    (kind, size), (own_kind, own_size) = UNITS[unit], UNITS[own]
    if kind != own_kind:
        return None
    # A month's notice is one of 30 days.
    ratio = 30.0 if (size, own_size) == (43800.0, 1440.0) else size / own_size
    if binary and kind == "bytes":
        steps = {1e3: 1, 1e6: 2, 1e9: 3, 1e12: 4}
        ratio = 1024.0 ** (steps[size] - steps[own_size])
    return round(value * ratio, 6)
