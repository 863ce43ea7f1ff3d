"""Numbers, money, durations, dates and times as people say them, and what is nice to say."""

from __future__ import annotations

import math
from datetime import date, timedelta
from random import Random

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()

CURRENCIES = (
    ("£", ("pounds", "quid", "GBP", "pound")),
    ("$", ("dollars", "bucks", "USD", "dollar")),
    ("€", ("euros", "EUR", "euro", "eur")),
)

_SPELLINGS: dict[str, dict[float, tuple[str, ...]]] = {
    "minutes": {
        30: ("half an hour", "half hour", "30 minutes"),
        45: ("three quarters of an hour", "45 min"),
        60: ("an hour", "one hour", "1 hour", "1h", "60 minutes"),
        90: ("an hour and a half", "1.5 hours", "one and a half hours", "90 min"),
        120: ("two hours", "2 hours", "2h", "a couple of hours"),
        180: ("three hours", "3 hours", "3h"),
        240: ("four hours", "4 hours", "4 h"),
        300: ("five hours", "5 hours"),
    },
    "days": {
        7: ("a week", "one week", "7 days"),
        14: ("two weeks", "2 weeks", "a fortnight"),
        21: ("three weeks", "3 weeks"),
    },
    "months": {
        12: ("a year", "one year", "1 year", "12 months"),
        24: ("two years", "2 years", "24 months"),
        36: ("three years", "3 years"),
        60: ("five years", "5 years"),
    },
    "gigabytes": {1000: ("1 TB", "a terabyte", "1TB"), 2000: ("2 TB", "2TB", "two terabytes")},
}


def number_words(number: float) -> str:
    """Return a number in words: `twelve hundred` is left to whoever likes it."""
    if number < 0:
        return f"minus {number_words(-number)}"
    whole = int(number)
    if number != whole:
        tenths = round((number - whole) * 10)
        if tenths == 5 and whole:
            return f"{number_words(whole)} and a half"
        return f"{number_words(whole)} point {number_words(tenths)}"
    if whole < 20:
        return _ONES[whole]
    if whole < 100:
        return _TENS[whole // 10] + (f" {_ONES[whole % 10]}" if whole % 10 else "")
    if whole < 1000:
        return _with_rest(_ONES[whole // 100] + " hundred", whole % 100, " and ")
    if whole < 1_000_000:
        return _with_rest(number_words(whole // 1000) + " thousand", whole % 1000, " ")
    return _with_rest(number_words(whole // 1_000_000) + " million", whole % 1_000_000, " ")


def _with_rest(head: str, rest: int, link: str) -> str:
    return head + (link + number_words(rest) if rest else "")


def digits(number: float) -> str:
    """Return a number in digits, no more decimals than it has."""
    return f"{number:.10g}"


def grouped(number: float) -> str:
    """Return a number with its thousands separated."""
    return f"{int(number):,}" if number == int(number) else f"{number:,.10g}"


def nice(number: float, step: float) -> float:
    """Return a number near, as people would say it: at most two significant digits, on the step."""
    if step < 1:
        return round(round(number / step) * step, 3)
    if abs(number) < 100:
        return float(round(number / step) * step)
    scale = 10 ** (int(math.log10(abs(number))) - 1)
    half = scale * 5 if scale >= 10 else scale
    unit = half if number > 20 * scale else scale
    return float(round(number / unit) * unit)


def say_number(number: float, random: Random, *, voice: bool = False) -> str:
    """Return a number as digits, grouped digits, or words."""
    small = number == int(number) and 0 <= number <= 12
    tens = 10 if number < 100 else 100
    is_round = number == int(number) and number >= 20 and number % tens == 0
    if random.random() < (0.8 if voice else 0.3 if small else 0.15 if is_round else 0.03):
        return number_words(number)
    if number >= 1000 and random.random() < 0.5:
        return grouped(number)
    return digits(number)


def say_money(amount: float, random: Random, *, voice: bool = False) -> str:
    """Return an amount of money: `£1,200`, `25k`, `300 bucks`, `a grand`, `1.2k euros`."""
    sign, names = random.choice(CURRENCIES)
    if voice:
        words = _money_words(amount, random)
        return words if random.random() < 0.5 else f"{words} {random.choice(names[:2])}"
    if amount % 10 == 0 and 0 < amount < 30_000 and random.random() < 0.12:
        words = _money_words(amount, random)
        return words if random.random() < 0.3 else f"{words} {random.choice(names[:2])}"
    if amount in (500, 1000) and random.random() < 0.15:
        return "a grand" if amount == 1000 else "half a grand"
    if amount >= 1000 and amount % 100 == 0 and random.random() < 0.4:
        short = digits(amount / 1000) + random.choice(("k", "k", "K", " k", " grand", " thousand"))
        return random.choice((short, short, f"{sign}{short}", f"{short} {random.choice(names)}"))
    number = grouped(amount) if amount >= 1000 and random.random() < 0.5 else digits(amount)
    name = random.choice(names)
    forms = (number, number, number, f"{sign}{number}", f"{sign}{number}", f"{number} {name}")
    return random.choice(
        (*forms, f"{number}{sign}", f"{name.upper()} {number}" if len(name) == 3 else number)
    )


def _money_words(amount: float, random: Random) -> str:
    if 1100 <= amount <= 1900 and amount % 100 == 0 and random.random() < 0.4:
        return f"{number_words(amount // 100)} hundred"
    return number_words(amount)


def say_amount(
    number: float, kind: str, units: tuple[str, ...], random: Random, *, voice: bool = False
) -> str:
    """Return an amount with its unit, now and then in another unit that means the same."""
    spellings = _SPELLINGS.get(kind, {}).get(number)
    if spellings and random.random() < 0.5:
        return random.choice(spellings)
    converted = _converted(number, kind)
    if converted and random.random() < 0.35:
        return converted
    said = say_number(number, random, voice=voice)
    if not units:
        return said
    unit = random.choice(units)
    glued = said[-1].isdigit() and len(unit) <= 3 and random.random() < 0.4
    return f"{said}{unit}" if glued else f"{said} {unit}"


def _converted(number: float, kind: str) -> str:
    if kind == "kilos" and number < 1:
        return f"{digits(round(number * 1000))} g"
    if kind == "centimetres" and number >= 100:
        return f"{digits(number / 100)} m"
    if kind == "length_km" and number < 1:
        return f"{digits(round(number * 1000))} metres"
    if kind == "kilometres" and number >= 10_000:
        return f"{digits(number / 1000)}k km"
    return ""


def say_date(day: date, today: date, random: Random, *, voice: bool = False) -> str:
    """Return a date as people write it; near ones by weekday or as `tomorrow`."""
    ahead = (day - today).days
    if ahead == 1 and random.random() < 0.7:
        return "tomorrow"
    if 2 <= ahead <= 6 and random.random() < 0.5:
        return random.choice((f"{day:%A}", f"this {day:%A}", f"on {day:%A}"[3:]))
    month = f"{day:%B}" if random.random() < 0.7 else f"{day:%b}"
    ordinal = f"{day.day}{_suffix(day.day)}"
    forms = [f"{day.day} {month}", f"{month} {day.day}", f"{ordinal} {month}", f"{month} {ordinal}"]
    forms += [f"the {ordinal} of {month}", f"{ordinal} of {month}"]
    if voice:
        return random.choice(forms[2:])
    if day.day > 12:
        forms += [f"{day.day}/{day.month}/{day.year}", f"{day.day}.{day.month}.{day.year}"]
    forms += [day.isoformat(), f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}"]
    return random.choice(forms)


def _suffix(day: int) -> str:
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def say_time(clock: str, random: Random, *, voice: bool = False) -> str:
    """Return a time of day: `19:30`, `7.30pm`, `half past seven in the evening`, `noon`."""
    hour, minute = (int(part) for part in clock.split(":"))
    if (hour, minute) == (12, 0) and random.random() < 0.5:
        return random.choice(("noon", "midday"))
    half = "am" if hour < 12 else "pm"
    short = (hour - 1) % 12 + 1
    if voice:
        tail = "in the morning" if hour < 12 else "in the evening" if hour >= 18 else "pm"
        past = {0: "", 30: " thirty", 15: " fifteen", 45: " forty five"}.get(minute, "")
        return f"{number_words(short)}{past} {tail}"
    mark = random.choice((half, f" {half}", half.upper(), f" {half[0]}.m."))
    twelve = f"{short}{mark}" if not minute else f"{short}{random.choice(':.')}{minute:02}{mark}"
    forms = [clock, twelve, twelve, f"{hour}:{minute:02}"]
    if minute == 30 and hour >= 13:
        forms.append(f"half past {number_words(short)} {'in the evening' if hour >= 18 else 'pm'}")
    if not minute:
        forms.append(f"{hour}h")
    return random.choice(forms)


def days_after(start: date, ahead: int) -> date:
    """Return the date so many days later."""
    return start + timedelta(days=ahead)
