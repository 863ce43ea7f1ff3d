"""Columns, their schema and their profile: kind, range, values, and which way is better."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from ..errors import UnknownColumn
from .constraint import Checked
from .places import Measure, PlaceColumns, measure_named
from .travel_times import TravelTimes

Family = Literal["numeric", "text", "boolean", "date", "list", "unknown", "other"]
Kind = Literal["categorical", "numeric", "text", "boolean", "date", "list", "other"]
Desirable = Literal["low", "high"]

_FAMILIES: tuple[tuple[str, Family], ...] = (
    (r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL(\(\d+,\d+\))?", "numeric"),
    (r"VARCHAR", "text"),
    (r"VARCHAR\[\]", "list"),
    (r"BOOLEAN", "boolean"),
    (r"DATE|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?", "date"),
    (r'UNKNOWN|"NULL"', "unknown"),
)

_LOW_WORDS = frozenset(
    "msrp price cost costs fare fee fees rent premium distance latency delay emissions co2 noise "
    "mileage odometer weight defects".split()
)
_HIGH_WORDS = frozenset(
    "year mpg rating ratings score stars reviews hp horsepower power efficiency capacity range "
    "popularity speed memory ram storage battery warranty discount resolution".split()
)
_LIMIT_WORDS = frozenset("max maximum limit".split())


@cache
def _family(sql_type: str) -> Family:
    for pattern, family in _FAMILIES:
        if re.fullmatch(pattern, sql_type):
            return family
    return "other"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, DuckDB type, unit where its cells name one, and the family of operators.

    `is_clock`: its texts are times of day, `HH:MM`, with seconds where there are some, read from a
    source's own type for them.
    """

    name: str
    sql_type: str
    unit: str = field(default="", compare=False)
    is_clock: bool = field(default=False, compare=False)
    family: Family = field(init=False, repr=False, compare=False)
    """The kind of values, as far as the type alone tells."""
    is_integer: bool = field(init=False, repr=False, compare=False)
    """Whether it holds whole numbers exactly."""
    ordered: bool = field(init=False, repr=False, compare=False)
    """Whether a bound on it can be shifted: numbers and dates."""

    def __post_init__(self) -> None:
        # Looked at dozens of times a question.
        family, is_integer = _family(self.sql_type), self.sql_type.endswith(("INT", "INTEGER"))
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "is_integer", is_integer)
        object.__setattr__(self, "ordered", family in ("numeric", "date"))


@dataclass(frozen=True, slots=True)
class MeasuredColumn(Column):
    """What is measured of each row, as a column of numbers that no row of SQL has."""

    measure: Measure = field(default=Measure("within", ()), compare=False)


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What a column holds. `minimum`, `maximum` are None for a column of NULLs or no order.

    `values` lists the distinct values, most frequent first, of categorical and boolean
    columns, and of columns of lists the values in them, which `distinct` counts. `desirable`
    is the direction most people want, None where unclear; `unit` is what the source's cells
    were written with.
    """

    name: str
    sql_type: str
    kind: Kind
    rows: int
    nulls: int
    distinct: int
    minimum: int | float | Decimal | str | datetime | date | None = None
    maximum: int | float | Decimal | str | datetime | date | None = None
    desirable: Desirable | None = None
    values: tuple[str | bool, ...] = ()
    unit: str = ""

    def record(self) -> dict[str, Any]:
        """Return the profile as a JSON object.

        Dates are ISO text, decimals that no double stands for are text, an infinite end is None.
        """
        ends = {"minimum": _json_end(self.minimum), "maximum": _json_end(self.maximum)}
        return asdict(self) | ends | {"values": list(self.values)}


def _json_end(value: int | float | Decimal | str | date | None) -> int | float | str | None:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    return None if isinstance(value, float) and not math.isfinite(value) else value


class ColumnOverride(Checked):
    """What a user knows better about a column than its data shows.

    `kind` may turn digits into text (`"text"`, `"categorical"`) or text into numbers or dates.
    `nulls` are cells that stand for no value, such as `NA`. Raises `BadConstraint` for another
    kind or direction.
    """

    kind: Literal["categorical", "text", "numeric", "date", "boolean"] | None = None
    desirable: Desirable | Literal["none"] | None = None
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Schema:
    """The columns of one catalog, in order, found by name; `places` are those of places, hours."""

    columns: tuple[Column, ...]
    places: PlaceColumns = field(default=PlaceColumns(), compare=False)
    _by_name: Mapping[str, Column] = field(init=False, repr=False, compare=False)
    _by_folded: Mapping[str, Column] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {c.name: c for c in self.columns})
        object.__setattr__(self, "_by_folded", {c.name.casefold(): c for c in self.columns})

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in the catalog's order."""
        return tuple(column.name for column in self.columns)

    def find(self, name: str, *, hint: str = "") -> Column:
        """Return the column of that name, exactly or ignoring case; raise `UnknownColumn`."""
        column = self._by_name.get(name) or self._by_folded.get(name.casefold())
        if column is None and "(" in name:
            column = self._measured(name)
        if column is None:
            raise UnknownColumn(name, self.names, hint=hint)
        return column

    def _measured(self, name: str) -> Column | None:
        measure = measure_named(name, self.places)
        return None if measure is None else MeasuredColumn(measure.name, "DOUBLE", measure=measure)

    def with_places(
        self,
        location: tuple[str, str] | None = None,
        hours: str | None = None,
        travel: TravelTimes | None = None,
    ) -> Schema:
        """Return the schema with its columns of places and hours, guessed where none is named.

        `travel` are minutes that somebody measured.

        Raises `UnknownColumn`.
        """
        numeric = [column.name for column in self.columns if column.family == "numeric"]
        texts = [column.name for column in self.columns if column.family == "text"]
        guessed = PlaceColumns.guessed(numeric, texts)
        named = location and (self.find(location[0]).name, self.find(location[1]).name)
        own_hours = hours and self.find(hours).name
        own = travel and replace(travel, column=self.find(travel.column).name)
        places = PlaceColumns(named or guessed.location, own_hours or guessed.hours, own)
        return Schema(self.columns, places)


def name_words(name: str) -> list[str]:
    """Return a column name's words, lower case: `highway MPG`, `pricePerNight`, `unit_cost`.

    A small letter by itself before a capital is a unit's, and stays with it: `kW`, `mAh`.
    """
    spaced = re.sub(r"(?<=[a-z]{2})(?=[A-Z])|(?<=[a-z])(?=[A-Z][a-z]{2})", " ", name)
    return [word for word in re.split(r"[^0-9a-z]+", spaced.casefold()) if word]


def guess_desirable(name: str, family: Family) -> Desirable | None:
    """Return which way is better for a numeric or date column, judged by its name."""
    if family not in ("numeric", "date"):
        return None
    words = name_words(name)
    if "weight" in words and not _LIMIT_WORDS.isdisjoint(words):
        # What it carries: `max user weight`.
        return "high"
    if any(word in _LOW_WORDS for word in words):
        return "low"
    return "high" if any(word in _HIGH_WORDS for word in words) else None


def guess_kind(family: Family, distinct: int, rows: int) -> Kind:
    """Return a column's kind; text is categorical when its values repeat (4 rows a value)."""
    if family != "text":
        return "other" if family == "unknown" else family
    return "categorical" if distinct <= max(20, min(rows // 4, 10_000)) else "text"
