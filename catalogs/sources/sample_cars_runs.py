"""Parse the table of models that `sample:cars` draws from: each line a run of one model."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from .sample_cars_models import MODELS


class Style(NamedTuple):
    """A body style that a run comes in, and the years of it."""

    code: str
    since: int
    until: int


class Engine(NamedTuple):
    """An engine of a run; `rank` grows from 0 (base) to 1 (top)."""

    cylinders: int | None
    fuel: str
    horsepower: int
    since: int
    until: int
    rank: float


class Run(NamedTuple):
    """One line of the table: a model over years in which it changed little."""

    make: str
    popularity: int
    model: str
    since: int
    until: int
    size: str
    styles: tuple[Style, ...]
    drives: str
    gearboxes: str
    low: float
    high: float
    engines: tuple[Engine, ...]
    flags: str
    weight: float


@cache
def runs() -> tuple[Run, ...]:
    """Return the runs of the table, in its order."""
    parsed: list[Run] = []
    make, popularity, make_flags = "", 0, ""
    for line in MODELS.strip().splitlines():
        name, _, rest = line.partition(" | ")
        if name.startswith("= "):
            count, _, make_flags = rest.partition(" ")
            make, popularity = name[2:], int(count)
        else:
            parsed.append(_run(make, popularity, make_flags, name, rest.split()))
    return tuple(parsed)


def _run(make: str, popularity: int, flags: str, model: str, words: Sequence[str]) -> Run:
    years, size, styles, drives, gearboxes, price, *more = words
    since, until = _years(years)
    low, _, high = price.partition("-")
    engines = [word for word in more if word[0] not in "!*"]
    weights = [float(word[1:]) for word in more if word[0] == "*"]
    return Run(
        make=make,
        popularity=popularity,
        model=model,
        since=since,
        until=until,
        size=size,
        styles=tuple(_style(word, since, until) for word in styles.split(",")),
        drives=drives,
        gearboxes=gearboxes,
        low=float(low),
        high=float(high),
        engines=tuple(
            _engine(word, since, until, rank / max(len(engines) - 1, 1))
            for rank, word in enumerate(engines)
        ),
        flags=flags + "".join(word[1:] for word in more if word[0] == "!"),
        weight=weights[0] if weights else 1.0,
    )


def _style(word: str, since: int, until: int) -> Style:
    code, _, years = word.partition("@")
    return Style(code, *_part_years(years, since, until))


def _engine(word: str, since: int, until: int, rank: float) -> Engine:
    figures, _, years = word.partition("@")
    fuel = next(letter for letter in figures if letter.isalpha())
    cylinders, _, horsepower = figures.partition(fuel)
    return Engine(
        None if cylinders == "?" else int(cylinders),
        fuel,
        int(horsepower),
        *_part_years(years, since, until),
        rank,
    )


def _part_years(text: str, since: int, until: int) -> tuple[int, int]:
    """Return the years of a style or an engine: `07` lasts until the run ends."""
    if not text:
        return since, until
    first, last = _years(text)
    return first, last if "-" in text else until


def _years(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return _year(first), _year(last or first)


def _year(digits: str) -> int:
    return int(digits) + (1900 if int(digits) >= 90 else 2000)
