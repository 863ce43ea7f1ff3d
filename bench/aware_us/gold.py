"""Instances with their gold repair and item, and constraints in the form that metrics compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ..instances import Instance

ConstraintKey = tuple[str, str, str]
"""A constraint as the published metrics compare it: column, operator, value as text."""

IDENTITY = ("Make", "Model", "Year", "MSRP")
"""What the published metrics compare of two cars (README of the data)."""


@dataclass(frozen=True)
class Gold:
    """One instance: the query, the persona that stands behind it, the gold repair and item.

    `relaxed` and `item` are None where the record names none; `persona` is None where it is
    withheld. `slots` are the columns to be asked about, each once.
    """

    id: str
    setting: str | None
    split: str | None
    instance: Instance
    opening: str | None
    persona: str | None
    relaxed: ConstraintKey | None
    item: Mapping[str, Any] | None

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The additional constraints with their gold weights, in the record's order."""
        return self.instance.constraints

    @property
    def slots(self) -> tuple[str, ...]:
        """The columns of the additional constraints."""
        columns = (constraint.column for constraint in self.constraints)
        return tuple(dict.fromkeys(str(column) for column in columns if column))

    def query(self, catalog: CatalogReader) -> Query:
        """Return the query over a catalog; raises `QueryError` as `Instance.query` does."""
        return self.instance.query(catalog)


def gold_of(record: Mapping[str, Any], number: int) -> Gold:
    """Return a record of the published shape, or of `instances.jsonl`, as an instance.

    The gold relaxation is `chosen_relaxation`, the constraint at `gold_relaxed`, or else the
    one of least weight (the only `relaxation_policy` there is). Raises `QueryError`.
    """
    instance = Instance(record)
    return Gold(
        str(_text(record, "id") or number),
        _setting(record, instance),
        _text(record, "split"),
        instance,
        _text(record, "base_query_sentence"),
        _text(record, "persona"),
        _relaxed(record, instance.constraints),
        _item(record),
    )


def setting_of(gold: Gold) -> dict[str, str]:
    """Return the setting as a label, where the instance names one."""
    return {"setting": gold.setting} if gold.setting else {}


def _text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    if key == "id" and isinstance(value, int):
        return str(value)
    raise QueryError(f"{key} {excerpt(value)} is no text", hint="give a string or leave it out")


def _setting(record: Mapping[str, Any], instance: Instance) -> str | None:
    """Return the setting named; the published files name none and differ in their fields."""
    named = _text(record, "setting") or _text(record, "set")
    if named or "additional_constraints" not in record or "base" in record:
        return named
    if "unique_repair_constraint" in record:
        return "S1"
    return "S2" if len(instance.constraints) == 4 else "S3"


def _relaxed(record: Mapping[str, Any], constraints: Sequence[Constraint]) -> ConstraintKey | None:
    chosen = record.get("chosen_relaxation")
    if isinstance(chosen, Mapping):
        fields = cast("Mapping[str, Any]", chosen)
        kept = {key: fields[key] for key in ("column", "op", "value") if key in fields}
        return constraint_key(Constraint.model_validate(kept))
    place = record.get("gold_relaxed")
    if place is not None:
        if not isinstance(place, int) or not 0 <= place < len(constraints):
            raise QueryError(f"gold_relaxed {excerpt(place)}", hint="give a constraint's place")
        return constraint_key(constraints[place])
    weighed = (constraint for constraint in constraints if constraint.weight is not None)
    softest = min(weighed, key=lambda constraint: constraint.importance, default=None)
    return constraint_key(softest) if softest else None


def _item(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    item = record.get("recommended_car")
    if item is None or isinstance(item, Mapping):
        return cast("Mapping[str, Any] | None", item)
    raise QueryError(f"recommended_car {excerpt(item)} is no item", hint="give {column: value}")


def constraint_key(constraint: Constraint) -> ConstraintKey:
    """Return a constraint as the published metrics compare it."""
    return constraint.column or "", constraint.op, as_text(constraint.value)


def as_text(value: object) -> str:
    """Return a value as text, a whole number as such whatever its type."""
    if isinstance(value, tuple):
        return ", ".join(map(as_text, cast("tuple[object, ...]", value)))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def is_item(row: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> bool:
    """Return whether a row is the gold item: equal Make, Model, Year and MSRP.

    On another catalog than cars, equal in every column that the gold item has.
    """
    if row is None:
        return False
    columns = IDENTITY if all(column in gold for column in IDENTITY) else tuple(gold)
    return all(as_text(row.get(column)) == as_text(gold[column]) for column in columns)
