"""`sample:cars`, a seeded generator of a believable catalog of cars.

The catalog has the sixteen columns and the value vocabularies of the public "Car Features and
MSRP" data, so that queries written for one run on the other, but every row is made here: from
the real models in sample_cars.jsonl and a few rules of thumb about what horsepower, size, age and
trim do to price and mileage.

Only `random.Random(seed).random()` and plain arithmetic decide anything, so a (rows, seed) gives
the same catalog under every Python version, platform and hash seed: `choice` and `shuffle` may
change between versions, and powers and logarithms between platforms.
"""

import json
import random
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

COLUMNS: tuple[str, ...] = tuple(
    "Make,Model,Year,Engine Fuel Type,Engine HP,Engine Cylinders,Transmission Type,Driven_Wheels,"
    "Number of Doors,Market Category,Vehicle Size,Vehicle Style,highway MPG,city mpg,Popularity,"
    "MSRP".split(",")
)

TABLE = Path(__file__).with_name("sample_cars.jsonl")
"""A line is one `Run`; a style is `[code, since, until]`, an engine `[cylinders, fuel, horsepower,
since, until]`. The figures are round ones from general knowledge of these cars, no price list."""

LABELS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("sample_cars_labels.json").read_text(encoding="utf-8")
)
"""What a cell says for the letters of the table, by kind."""

# A hybrid's fuel names what its engine burns; "Market Category" says that it is a hybrid.
HYBRIDS = "hqz"
FLEX_TO_PLAIN = {"f": "r", "y": "o", "x": "p"}
LAST_YEAR = 2017
PRICE_FLOOR = 2_000
TRIMS = 5
SUVS = ("suv", "su2", "suc")
PICKUPS = ("crew", "ext", "reg")
VANS = ("pmv", "cmv", "pvan", "cvan")

# What a style adds to the price of a run that also comes in other styles.
STYLE_PRICE = {"con": 1.12, "wag": 1.04, "hb2": 0.97, "su2": 0.95, "crew": 1.08, "reg": 0.92}
# Gallons per 100 miles in town, beyond a compact car of the same horsepower.
SIZE_THIRST = {"C": 0.0, "M": 0.35, "L": 0.7}
STYLE_THIRST = {
    **dict.fromkeys(SUVS, 0.4),
    **dict.fromkeys(PICKUPS, 0.6),
    **dict.fromkeys(("pmv", "cmv"), 0.5),
    **dict.fromkeys(("pvan", "cvan"), 1.4),
    "con": 0.1,
}
DRIVE_THIRST = {"f": 0.0, "r": 0.05, "a": 0.2, "4": 0.35}

Cell = str | int | None
Row = list[Cell]
Roll = Callable[[], float]


class Style(NamedTuple):
    """A body style, a key of the labels' `styles`, and the years of it."""

    code: str
    since: int
    until: int


class Engine(NamedTuple):
    """An engine of a run; `rank` grows from 0 (base) to 1 (top).

    `cylinders` is None for a rotary, `fuel` a key of the labels' `fuels`; `horsepower` is that of
    the engine's last year.
    """

    cylinders: int | None
    fuel: str
    horsepower: int
    since: int
    until: int
    rank: float


class Run(NamedTuple):
    """A model over years in which it changed little.

    `size`, `drives` and `gearboxes` hold keys of sample_cars_labels.json; a repeated style or
    letter is more common. `low` and `high` are the prices of base and top trim in thousands of
    dollars, in the last year of the run; engines begin with the base. `flags`: L luxury, X exotic,
    T factory tuner, C crossover. `weight` is how common the run is beside others of its length
    and breadth.
    """

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


class Offer(NamedTuple):
    """What a run comes with in one year of it."""

    run: Run
    year: int
    styles: tuple[str, ...]
    engines: tuple[Engine, ...]


class Car(NamedTuple):
    """One choice of style, engine, gearbox and drive from an offer."""

    run: Run
    year: int
    style: str
    engine: Engine
    fuel: str
    gearbox: str
    drive: str
    horsepower: int


def sample_cars(rows: int = 12_000, seed: int = 2017) -> dict[str, list[Cell]]:
    """Return a made-up catalog of cars: columns by name, each a list of length `rows`.

    The keys are `COLUMNS`, in that order. Years, horsepower, cylinders, doors, miles per gallon
    (MPGe for electric cars), popularity and MSRP (dollars) are integers, the rest is text. Rows
    are grouped by make, model and year. About one row in sixty repeats the row before it, and a
    few cells of fuel, horsepower, cylinders and doors are missing (None). "Market Category"
    holds labels joined by commas, or the text "N/A".

    Raises ValueError for a negative `rows`.
    """
    if rows < 0:
        raise ValueError(f"rows must be 0 or more, got {rows}")
    roll = random.Random(seed).random
    cars: list[Row] = []
    offers, bounds = _offers()
    # All are drawn before the first car, so that rows come in the order of the table.
    for pick in sorted(bisect_right(bounds, roll() * bounds[-1]) for _ in range(rows)):
        if cars and roll() < 0.015:
            cars.append(cars[-1][:])
        else:
            cars.append(_row(_draw_car(offers[pick], roll), roll))
    _blank_some(cars, roll)
    return {name: [car[i] for car in cars] for i, name in enumerate(COLUMNS)}


@cache
def _offers() -> tuple[list[Offer], list[float]]:
    """Return the offers of all runs, with the running total of how common they are.

    A year without an engine is a pause between two generations, without an offer.
    """
    offers = [_offer(run, year) for run in _runs() for year in range(run.since, run.until + 1)]
    offers = [offer for offer in offers if offer.engines]
    return offers, list(accumulate(_commonness(offer.run, offer.year) for offer in offers))


@cache
def _runs() -> tuple[Run, ...]:
    """Return the runs of the table, in its order."""
    return tuple(map(_run, TABLE.read_text(encoding="utf-8").splitlines()))


def _run(line: str) -> Run:
    fields: dict[str, Any] = json.loads(line)
    engines, top = fields["engines"], max(len(fields["engines"]) - 1, 1)
    fields["styles"] = tuple(map(Style._make, fields["styles"]))
    fields["engines"] = tuple(Engine._make([*engine, i / top]) for i, engine in enumerate(engines))
    return Run(**fields)


def _offer(run: Run, year: int) -> Offer:
    styles = tuple(style.code for style in run.styles if style.since <= year <= style.until)
    engines = tuple(engine for engine in run.engines if engine.since <= year <= engine.until)
    return Offer(run, year, styles, engines)


def _commonness(run: Run, year: int) -> float:
    if year <= 2000:
        recency = 1.0
    elif year <= 2013:
        recency = 1.4
    else:
        recency = 2.5 if year == 2014 else 8.0
    breadth = len(run.styles) * len(run.engines) * len(set(run.drives)) * len(set(run.gearboxes))
    return recency * run.weight * sqrt(breadth)


def _draw_car(offer: Offer, roll: Roll) -> Car:
    run, year, styles, engines = offer
    # The product leans towards the first, the base engine.
    engine = engines[int(len(engines) * roll() * (0.6 + 0.4 * roll()))]
    return Car(
        run,
        year,
        styles[int(len(styles) * roll())],
        engine,
        _fuel(engine, year, roll),
        _gearbox(run, engine, year, roll),
        run.drives[int(len(run.drives) * roll())],
        _horsepower(engine, year),
    )


def _fuel(engine: Engine, year: int, roll: Roll) -> str:
    """Return the key of the fuel; flexible fuel came around 2000 and in a part of the cars."""
    if engine.fuel in FLEX_TO_PLAIN and (year < 2000 or roll() < 0.4):
        return FLEX_TO_PLAIN[engine.fuel]
    return engine.fuel


def _gearbox(run: Run, engine: Engine, year: int, roll: Roll) -> str:
    if engine.fuel == "e":
        return "E"
    if engine.fuel in HYBRIDS + "d" and "A" in run.gearboxes:
        return "A"
    gearbox = run.gearboxes[int(len(run.gearboxes) * roll())]
    if gearbox == "S" and year < 2003:
        return "M" if "M" in run.gearboxes else "A"
    return gearbox


def _horsepower(engine: Engine, year: int) -> int:
    """Return the horsepower in a year: about 5 % less for every generation back."""
    generations = 0 if engine.fuel == "e" else (engine.until - year) // 4
    return int(engine.horsepower * (1 - 0.05 * generations) + 0.5)


def _row(car: Car, roll: Roll) -> Row:
    highway, city = _mileage(car, roll)
    electric = car.fuel == "e"
    return [
        car.run.make,
        car.run.model,
        car.year,
        LABELS["fuels"][car.fuel],
        # Makers of electric cars often state the power in kilowatts only.
        None if electric and roll() < 0.5 else car.horsepower,
        0 if electric else car.engine.cylinders,
        LABELS["gearboxes"][car.gearbox],
        LABELS["drives"][car.drive],
        _doors(car.style, car.year),
        _market(car.run.flags, car.style, car.fuel, _performance(car)),
        LABELS["sizes"][car.run.size],
        LABELS["styles"][car.style],
        highway,
        city,
        car.run.popularity,
        _price(car, roll),
    ]


def _doors(style: str, year: int) -> int:
    if style in ("pvan", "cvan"):
        return 3
    if style in ("pmv", "cmv"):
        return 3 if year < 1997 else 4
    if style == "ext":
        return 2 if year < 1998 else 3 if year < 2001 else 4
    return 2 if style in ("cou", "con", "hb2", "su2", "suc", "reg") else 4


@cache
def _market(flags: str, style: str, fuel: str, performance: str) -> str:
    """Return the marketing labels of a car, joined by commas, or "N/A"."""
    labels = (
        ("Crossover", "C" in flags and style in (*SUVS, "wag")),
        ("Hatchback", style in ("hb4", "hb2")),
        ("Exotic", "X" in flags),
        ("Flex Fuel", fuel in "fxyb"),
        ("Diesel", fuel == "d"),
        ("Factory Tuner", "T" in flags),
        ("Luxury", "L" in flags),
        (performance, performance != ""),
        ("Hybrid", fuel in HYBRIDS),
    )
    return ",".join(label for label, holds in labels if holds) or "N/A"


def _performance(car: Car) -> str:
    """Return the label that a car's horsepower earns, for its kind and its time, or ""."""
    if car.fuel == "e" or car.style in PICKUPS or car.style in VANS:
        return ""
    earlier = (LAST_YEAR - car.year) * 3
    needed = (360 if car.style in SUVS else 250) - earlier
    if car.horsepower < needed:
        return ""
    return "High-Performance" if car.horsepower >= needed + 90 else "Performance"


def _mileage(car: Car, roll: Roll) -> tuple[int, int]:
    """Return highway and city mileage, in miles per gallon (MPGe for electric cars)."""
    if car.fuel == "e":
        city = 130 - 0.06 * car.horsepower - 8 * SIZE_THIRST[car.run.size]
        highway = city * (1.03 if car.run.size == "L" else 0.85)
    else:
        in_town, on_road = _thirst(car)
        city, highway = 100 / in_town, 100 / on_road
    # Wheels and weight differ from trim to trim.
    nudge = 0.97 + 0.06 * roll()
    return int(highway * nudge + 0.5), int(city * nudge + 0.5)


def _thirst(car: Car) -> tuple[float, float]:
    """Return gallons per 100 miles in town and on the road.

    A linear rule in horsepower, set by eye to well-known figures, city/highway: about 25/34 for
    a family sedan of 178 hp, 15/20 for a large pickup with a V8, 14/20 for a sports car of
    570 hp, 46/47 for a small hybrid. It adds 1.5 % for every year back.
    """
    power = car.horsepower
    town = 2.4 + 0.0072 * min(power, 500) + 0.005 * max(power - 500, 0)
    town += SIZE_THIRST[car.run.size] + STYLE_THIRST.get(car.style, 0.0) + DRIVE_THIRST[car.drive]
    town += 0.5 if "X" in car.run.flags else 0.0
    town *= 1 + 0.015 * (LAST_YEAR - car.year)
    if car.gearbox == "M":
        town *= 1.02 if car.year > 2010 else 0.97
    road = town * (0.77 if car.style in SUVS + PICKUPS + VANS else 0.73)
    if car.fuel in HYBRIDS:
        # Small hybrids save most in town, strong ones drive on their engine.
        return (town * 0.62, road * 0.86) if power < 230 else (town * 0.8, road * 0.92)
    return (town * 0.9, road * 0.88) if car.fuel == "d" else (town, road)


def _price(car: Car, roll: Roll) -> int:
    """Return the MSRP in dollars; cars of the last century are listed at what is left of it."""
    run = car.run
    trim = int(TRIMS * roll()) / (TRIMS - 1)
    position = trim if len(run.engines) == 1 else 0.55 * trim + 0.45 * car.engine.rank
    price = 1_000 * (run.low + (run.high - run.low) * position)
    if len(run.styles) > 1:
        price *= STYLE_PRICE.get(car.style, 1.0)
    if car.drive in "a4" and ("f" in run.drives or "r" in run.drives):
        price *= 1.05
    if car.gearbox != "M" and "M" in run.gearboxes:
        price += 950
    price *= 1 - 0.0125 * (run.until - car.year)
    # Options and packages.
    price *= 0.98 + 0.05 * roll()
    if car.year > 2000:
        return _sticker(price, roll)
    left = 0.25 if "X" in run.flags else 0.06 + 0.004 * (car.year - 1990)
    return max(PRICE_FLOOR, int(price * left))


def _sticker(price: float, roll: Roll) -> int:
    """Return a price that ends the way asking prices do."""
    if price > 150_000:
        return int(price / 100) * 100
    endings = (0, 50, 95, 95, 20, 30, 45, 70, 80, 90)
    return int(price / 100) * 100 + endings[int(len(endings) * roll())]


def _blank_some(cars: list[Row], roll: Roll) -> None:
    """Lose a few cells, as catalogs typed by hand do; a lost gearbox reads UNKNOWN."""
    losses: tuple[tuple[str, Cell, int], ...] = (
        ("Engine Fuel Type", None, 4_000),
        ("Engine HP", None, 500),
        ("Engine Cylinders", None, 800),
        ("Number of Doors", None, 2_000),
        ("Transmission Type", "UNKNOWN", 600),
    )
    for name, blank, one_in in losses:
        for _ in range(len(cars) // one_in):
            cars[int(len(cars) * roll())][COLUMNS.index(name)] = blank
