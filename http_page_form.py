"""What a catalog's search form asks: one field a column, by what the column holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Literal

from .catalogs.columns import ColumnProfile, Desirable, name_words
from .catalogs.constraint import spoken
from .catalogs.reader import CatalogReader

Control = Literal["boxes", "menu", "typed", "words", "range", "days", "yes_no"]

MOST_BOXES = 6
"""Values that stand beside each other as check boxes; more go into a menu."""

MOST_IN_MENU = 80
"""Values a menu holds; with more a person types, and the most frequent are suggested."""

MOST_SUGGESTED = 100
FIRST_FIELDS = 12
MOST_FIELDS = 40
"""Fields that are there without asking: the first ones in view, the rest one click away."""

LONGEST_OPTION = 200
MOSTLY_EMPTY = 0.9
IDENTIFIERS = frozenset("id uuid guid sku ean upc isbn url uri link href image photo hash".split())
TITLES = frozenset("name title label headline".split())


@dataclass(frozen=True)
class Field:
    """A column as a field: which control asks for it, and what the control offers.

    `options` are the values offered, most frequent first, and `known` those that a word given
    is looked up among. `low` and `high` are the ends of a column with an order as a person
    reads them, days as ISO text.
    """

    column: str
    control: Control
    options: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    desirable: Desirable | None = None
    has_time: bool = False

    @property
    def ordered(self) -> bool:
        """Whether it is asked for by its ends."""
        return self.control in ("range", "days")


@dataclass(frozen=True)
class FormModel:
    """The fields of one catalog in its own order, and which of them to show first."""

    catalog: str
    version: int
    rows: int
    columns: tuple[str, ...]
    fields: tuple[Field, ...]
    first: frozenset[str]
    titles: tuple[str, ...]
    cost_column: str | None

    @cached_property
    def by_column(self) -> dict[str, Field]:
        """The fields by the names of their columns."""
        return {field.column: field for field in self.fields}

    @property
    def preferable(self) -> tuple[Field, ...]:
        """The fields of which more or less may be preferred, the clearest ones first."""
        bounds = [field for field in self.fields if field.ordered]
        bounds.sort(key=lambda one: (one.column not in self.first, one.desirable is None))
        return tuple(bounds[:MOST_FIELDS])


def form_model(catalog: CatalogReader, name: str | None = None) -> FormModel:
    """Return the form of a catalog; reads the profile of every column, so keep it."""
    profiles = catalog.profiles()
    fields = tuple(_field(catalog, one) for one in profiles if is_askable(one))
    return FormModel(
        catalog=catalog.name if name is None else name,
        version=catalog.version,
        rows=catalog.row_count,
        columns=tuple(catalog.columns),
        fields=fields,
        first=frozenset(first_columns(profiles, catalog.cost_column)),
        titles=title_columns(profiles),
        cost_column=catalog.cost_column,
    )


def is_askable(profile: ColumnProfile) -> bool:
    """Whether a column divides the items at all, so that asking for it means something."""
    return profile.kind != "other" and profile.distinct > 1


def _field(catalog: CatalogReader, profile: ColumnProfile) -> Field:
    control = _control(profile)
    low, high = _ends(profile)
    options: Sequence[object] = () if control == "yes_no" else profile.values
    if control == "words":
        options = catalog.values(profile.name, MOST_SUGGESTED)
    known = _fitting(options)
    return Field(
        column=profile.name,
        control=control,
        options=known[: MOST_IN_MENU if control == "menu" else MOST_SUGGESTED],
        known=known,
        low=low,
        high=high,
        desirable=profile.desirable,
        has_time="TIMESTAMP" in profile.sql_type,
    )


def _control(profile: ColumnProfile) -> Control:
    if profile.kind == "categorical":
        if profile.distinct <= MOST_BOXES:
            return "boxes"
        return "menu" if profile.distinct <= MOST_IN_MENU else "typed"
    by_kind: dict[str, Control] = {"numeric": "range", "date": "days", "boolean": "yes_no"}
    return by_kind.get(profile.kind, "words")


def _fitting(values: Iterable[object]) -> tuple[str, ...]:
    """Return the values that fit on a line, as text."""
    return tuple(str(one) for one in values if 0 < len(str(one)) <= LONGEST_OPTION)


def _ends(profile: ColumnProfile) -> tuple[str, str]:
    """Return the ends of a column with an order as a person reads them; days as ISO text."""
    if profile.kind not in ("numeric", "date"):
        return "", ""
    low, high = (_end(one, profile.name) for one in (profile.minimum, profile.maximum))
    return low, high


def _end(value: float | str | date | None, column: str) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return spoken(value, column)


def first_columns(profiles: Sequence[ColumnProfile], cost_column: str | None) -> list[str]:
    """Return the columns worth asking for first: half of them bounds, half of them choices.

    Bounds with a clear better direction come before others, choices with few values before
    those with many; the catalog's own order decides among equals. Columns of identifiers, and
    such that hardly any item has, wait.
    """
    usable = [one for one in profiles if is_askable(one) and not _waits(one)]
    bounds = [one for one in usable if one.kind in ("numeric", "date")]
    choices = [one for one in usable if one.kind in ("categorical", "boolean", "text")]
    bounds.sort(key=lambda one: (one.name != cost_column, one.desirable is None))
    choices.sort(key=lambda one: (one.kind == "text", one.distinct > MOST_IN_MENU))
    half = FIRST_FIELDS // 2
    bounded = min(len(bounds), max(half, FIRST_FIELDS - len(choices)))
    return [one.name for one in (*bounds[:bounded], *choices[: FIRST_FIELDS - bounded])]


def _waits(profile: ColumnProfile) -> bool:
    empty = profile.nulls > MOSTLY_EMPTY * profile.rows
    return empty or bool(IDENTIFIERS.intersection(name_words(profile.name)))


def title_columns(profiles: Sequence[ColumnProfile]) -> tuple[str, ...]:
    """Return the columns that name an item: one called a name, or the first two of text."""
    texts = [
        one
        for one in profiles
        if one.kind in ("text", "categorical") and one.distinct > 1 and not _waits(one)
    ]
    named = [one.name for one in texts if TITLES.intersection(name_words(one.name))]
    return tuple(named[:1] or [one.name for one in texts[:2]])
