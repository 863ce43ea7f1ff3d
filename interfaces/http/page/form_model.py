"""Form model: a field for each column, its control chosen by what the column holds; and a cache.

Making one reads the profile of every column, so it is cached for each catalog; what it suggests
may be up to 30 seconds behind the rows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from threading import Lock
from typing import Literal
from weakref import ReferenceType, ref

from ....catalogs.query.column_roles import is_secondary, title_columns
from ....catalogs.query.constraint import spoken
from ....catalogs.query.dictionary import labels_of
from ....catalogs.query.places import PlaceColumns
from ....catalogs.query.schema import ColumnProfile, Desirable, Schema
from ....catalogs.versions.reader import CatalogReader
from ....catalogs.versions.snapshot import Snapshot

Control = Literal["boxes", "menu", "typed", "words", "range", "days", "yes_no"]

MOST_BOXES = 6
"""Values that stand beside each other as check boxes; more go into a menu."""

MOST_IN_MENU = 80
"""Values a menu holds; with more a person types, and the most frequent are suggested."""

MOST_SUGGESTED = 100
FIRST_FIELDS = 12
MOST_FIELDS = 40
"""Fields that are there without asking: the first ones in view, the rest one click away."""

MOST_TEXTS = 6
"""Columns in which words are looked for."""

LONGEST_OPTION = 200

STALE_AFTER = 30.0
"""Seconds for which a form may suggest values that a newer version of its catalog lacks."""


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
    said: str = ""

    @property
    def title(self) -> str:
        """What it is called: as somebody said, or else the column's name."""
        return self.said or self.column

    @property
    def ordered(self) -> bool:
        """Whether it is asked for by its ends."""
        return self.control in ("range", "days")


@dataclass(frozen=True)
class FormModel:
    """The fields of one catalog in its own order, and which of them to show first.

    `titles`, `link` and `image` are the columns that name, link and picture an item, the last two
    only where somebody named them; `texts` are those in which words are looked for.
    """

    catalog: str
    version: int
    rows: int
    columns: tuple[str, ...]
    fields: tuple[Field, ...]
    first: frozenset[str]
    titles: tuple[str, ...]
    cost_column: str | None
    places: PlaceColumns = field(default_factory=PlaceColumns)
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    link: str | None = None
    image: str | None = None
    texts: tuple[str, ...] = ()

    @cached_property
    def by_column(self) -> dict[str, Field]:
        """The fields by the names of their columns."""
        return {field.column: field for field in self.fields}

    @property
    def preferable(self) -> tuple[Field, ...]:
        """The fields of which more or less may be preferred, the clearest ones first."""
        bounds = [field for field in self.fields if field.ordered]
        bounds.sort(key=lambda field: (field.column not in self.first, field.desirable is None))
        return tuple(bounds[:MOST_FIELDS])


def form_model(catalog: CatalogReader, name: str | None = None) -> FormModel:
    """Return the form of a catalog; reads the profile of every column, so keep it."""
    shown = catalog.presentation
    addresses = {shown.image, shown.link}
    # An address of a picture is nothing to ask for.
    profiles = [profile for profile in catalog.profiles() if profile.name not in addresses]
    fields = tuple(_field(catalog, profile) for profile in profiles if is_askable(profile))
    titles = shown.title or title_columns(profiles)
    return FormModel(
        catalog=catalog.name if name is None else name,
        version=catalog.version,
        rows=catalog.row_count,
        columns=tuple(catalog.columns),
        fields=fields,
        first=frozenset(first_columns(profiles, catalog.cost_column)),
        titles=titles,
        cost_column=catalog.cost_column,
        places=catalog.schema.places,
        labels=labels_of(catalog.dictionary),
        units=_units(catalog),
        link=shown.link,
        image=shown.image,
        texts=_text_columns(catalog, fields, titles),
    )


def _units(catalog: CatalogReader) -> dict[str, str]:
    """Return what columns are counted in, where somebody said so."""
    return {name: words.unit for name, words in catalog.dictionary.items() if words.unit}


def _text_columns(
    catalog: CatalogReader, fields: Sequence[Field], titles: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns in which words are looked for: those that name items, free texts, others.

    Each word costs a pass over each of them, so there are few.
    """
    free = [field.column for field in fields if field.control in ("words", "typed")]
    listed = [field.column for field in fields if field.control in ("menu", "boxes")]
    columns = dict.fromkeys((*titles, *free, *listed))
    texts = [name for name in columns if catalog.schema.find(name).family == "text"]
    return tuple(texts[:MOST_TEXTS])


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
        said=words.label if (words := catalog.dictionary.get(profile.name)) else "",
    )


def _control(profile: ColumnProfile) -> Control:
    if profile.kind in ("categorical", "list"):
        if profile.distinct <= MOST_BOXES:
            return "boxes"
        return "menu" if profile.distinct <= MOST_IN_MENU else "typed"
    by_kind: dict[str, Control] = {"numeric": "range", "date": "days", "boolean": "yes_no"}
    return by_kind.get(profile.kind, "words")


def _fitting(values: Iterable[object]) -> tuple[str, ...]:
    """Return the values that fit on a line, as text."""
    return tuple(str(value) for value in values if 0 < len(str(value)) <= LONGEST_OPTION)


def _ends(profile: ColumnProfile) -> tuple[str, str]:
    """Return the ends of a column with an order as a person reads them; days as ISO text."""
    if profile.kind not in ("numeric", "date"):
        return "", ""
    low, high = (_end(end, profile.name) for end in (profile.minimum, profile.maximum))
    return low, high


def _end(value: float | Decimal | str | date | None, column: str) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return spoken(value, column)


_CHOICES = ("categorical", "boolean", "list", "text")


def first_columns(profiles: Sequence[ColumnProfile], cost_column: str | None) -> list[str]:
    """Return the columns worth asking for first: half of them bounds, half of them choices.

    Bounds with a clear better direction come before others, choices with few values before
    those with many; the catalog's own order decides among equals. Columns of identifiers, and
    such that hardly any item has, wait.
    """
    usable = [profile for profile in profiles if is_askable(profile) and not is_secondary(profile)]
    bounds = [profile for profile in usable if profile.kind in ("numeric", "date")]
    choices = [profile for profile in usable if profile.kind in _CHOICES]
    bounds.sort(key=lambda profile: (profile.name != cost_column, profile.desirable is None))
    choices.sort(key=lambda profile: (profile.kind == "text", profile.distinct > MOST_IN_MENU))
    half = FIRST_FIELDS // 2
    bounded = min(len(bounds), max(half, FIRST_FIELDS - len(choices)))
    return [profile.name for profile in (*bounds[:bounded], *choices[: FIRST_FIELDS - bounded])]


@dataclass(frozen=True)
class _CachedForm:
    form: FormModel
    schema: Schema
    # Weak, so that a version nobody asks any more is not kept for the sake of its form.
    catalog: ReferenceType[Snapshot]
    built: float


class FormCache:
    """Forms by the catalog's name; safe across threads, one of which builds a form anew.

    A catalog whose columns have changed gets a new form at once; one whose rows have changed
    gets one after a while, and until then the suggestions of the version before.
    """

    def __init__(self) -> None:
        self._forms: dict[str, _CachedForm] = {}
        self._building = Lock()

    def get(self, name: str, catalog: Snapshot) -> FormModel:
        """Return the form of a version of the catalog of that name."""
        cached = self._forms.get(name)
        if cached is None or cached.schema != catalog.schema:
            with self._building:
                cached = self._fresh(name, catalog)
        # Whoever can go on with the form before does not wait for the new one.
        elif not _is_fresh(cached, catalog) and self._building.acquire(blocking=False):
            try:
                cached = self._fresh(name, catalog)
            finally:
                self._building.release()
        return _with_rows_of(cached.form, catalog)

    def _fresh(self, name: str, catalog: Snapshot) -> _CachedForm:
        cached = self._forms.get(name)
        # Another thread may have made it meanwhile.
        if cached is None or not _is_fresh(cached, catalog):
            form = form_model(catalog, name)
            cached = _CachedForm(form, catalog.schema, ref(catalog), time.monotonic())
            self._forms = {**self._forms, name: cached}
        return cached


def _is_fresh(cached: _CachedForm, catalog: Snapshot) -> bool:
    if cached.catalog() is catalog:
        return True
    return cached.schema == catalog.schema and time.monotonic() - cached.built < STALE_AFTER


def _with_rows_of(form: FormModel, catalog: Snapshot) -> FormModel:
    """Return the form with the count of rows that the catalog has now."""
    if form.version == catalog.version and form.rows == catalog.row_count:
        return form
    return replace(form, version=catalog.version, rows=catalog.row_count)
