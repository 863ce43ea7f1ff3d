"""The tables of a shop's configuration as strict models: no unknown key, no other type."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from .scopes import Scope

NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"
HASH = r"^sha256:[0-9a-f]{64}$"
ENDED_BY = {"s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600,
            "d": 86_400, "day": 86_400}  # fmt: skip
_RATE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*/\s*([a-z]+)\s*")

Text = Annotated[str, Field(max_length=200)]


class Table(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ColumnConfig(Table):
    """What is said of one column.

    `better` is the direction most people want. `synonyms` are other words for the column; as a
    table, for its values, which `values` says beside a list.
    """

    label: Text = ""
    unit: Text = ""
    kind: Literal["categorical", "text", "numeric", "date", "boolean"] | None = None
    nulls: list[Text] = []
    better: Literal["low", "high", "none"] | None = None
    synonyms: list[Text] | dict[str, list[Text]] = []
    values: dict[str, list[Text]] = {}

    @property
    def words(self) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """Other words for the column, and for its values."""
        own = tuple(self.synonyms) if isinstance(self.synonyms, list) else ()
        told = self.synonyms if isinstance(self.synonyms, dict) else {}
        return own, {value: tuple(words) for value, words in (told | self.values).items()}


class CatalogConfig(Table):
    """What is said of one catalog.

    `rank` is `"score"`, `"near"`, or columns by whose better direction items are scored.
    `fold_case` says that `toyota` means `Toyota`.
    """

    source: str = Field(min_length=1)
    table: str | None = None
    key: str | list[str] | None = None
    title: str | list[str] = []
    price: str | None = None
    image: str | None = None
    link: str | None = None
    hidden: list[str] = []
    rank: str | list[str] = []
    fold_case: bool = False
    location: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None
    hours: str | None = None
    travel_times: str | None = None
    columns: dict[str, ColumnConfig] = {}

    @property
    def titles(self) -> tuple[str, ...]:
        """The columns that name an item."""
        return (self.title,) if isinstance(self.title, str) else tuple(self.title)

    @property
    def ranks(self) -> tuple[str, ...]:
        """The order of items, or the columns it goes by."""
        return (self.rank,) if isinstance(self.rank, str) else tuple(self.rank)


class KeyConfig(Table):
    """A key that may ask, write or do everything; only its hash is known.

    `expires` is the last day, or the moment, it is good for, in UTC unless it says otherwise.
    `rate` is how many requests it may make: `"600/minute"`, or a number a second.
    """

    name: str = Field(pattern=NAME)
    hash: str = Field(pattern=HASH)
    scopes: list[Scope] = Field(min_length=1)
    expires: datetime | date | None = None
    rate: str | int | float | None = None

    @field_validator("rate")
    @classmethod
    def _check_rate(cls, rate: str | float | None) -> str | float | None:
        if rate is not None and rate_of(rate)[0] < 1:
            raise ValueError("allows no request")
        return rate

    @property
    def expires_at(self) -> datetime | None:
        """When it is no longer good."""
        if self.expires is None:
            return None
        if isinstance(self.expires, datetime):
            aware = self.expires.tzinfo is not None
            return self.expires if aware else self.expires.replace(tzinfo=UTC)
        return datetime.combine(self.expires, time.max, UTC)

    @property
    def may_write(self) -> bool:
        """Whether it may change catalogs."""
        return not {"write", "admin"}.isdisjoint(self.scopes)

    @property
    def allowed(self) -> tuple[float, float] | None:
        """How many requests in how many seconds; None for any number."""
        return None if self.rate is None else rate_of(self.rate)


class ConfigFile(Table):
    """The whole file."""

    catalogs: dict[Annotated[str, Field(pattern=NAME)], CatalogConfig] = {}
    keys: list[KeyConfig] = []


def rate_of(rate: str | float) -> tuple[float, float]:
    """Return a rate as a number of requests and seconds; raise `ValueError` for none."""
    if isinstance(rate, str):
        match = _RATE.fullmatch(rate)
        if match is None or match[2] not in ENDED_BY:
            raise ValueError('is no rate: write "600/minute", or a number a second')
        return float(match[1]), float(ENDED_BY[match[2]])
    if not 0 < rate < 1e9:
        raise ValueError("is no rate: a number a second above 0")
    return (float(rate), 1.0) if rate >= 1 else (1.0, 1.0 / rate)
