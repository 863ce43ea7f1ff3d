"""The runs of models that `sample:cars` draws from, read from sample_cars.jsonl beside this module.

A line of it is one `Run` as a JSON object; a style is written `[code, since, until]`, an engine
`[cylinders, fuel, horsepower, since, until]`. The figures are round ones from general knowledge
of these cars, not a price list. Reading all 347 lines happens once, at the first use.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TABLE = Path(__file__).with_name("sample_cars.jsonl")


class Style(NamedTuple):
    """A body style, a key of `sample_cars.STYLES`, and the years of it."""

    code: str
    since: int
    until: int


class Engine(NamedTuple):
    """An engine of a run; `rank` grows from 0 (base) to 1 (top).

    `cylinders` is None for a rotary, `fuel` a key of `sample_cars.FUELS`; `horsepower` is that of
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

    `size`, `drives` and `gearboxes` hold keys of the tables in `sample_cars`; a repeated style or
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


@cache
def runs() -> tuple[Run, ...]:
    """Return the runs of the table, in its order."""
    return tuple(map(_run, TABLE.read_text(encoding="utf-8").splitlines()))


def _run(line: str) -> Run:
    fields: dict[str, Any] = json.loads(line)
    engines, top = fields["engines"], max(len(fields["engines"]) - 1, 1)
    fields["styles"] = tuple(map(Style._make, fields["styles"]))
    fields["engines"] = tuple(Engine._make([*engine, i / top]) for i, engine in enumerate(engines))
    return Run(**fields)
