"""Benchmark instances: AWARE-US records, and any file of the same shape, as queries.

A whole file is read into memory; published ones have some hundred records.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..catalogs.errors import QueryError, UnreadableFile, excerpt
from ..catalogs.query.constraint import Constraint
from ..catalogs.query.query import Query
from ..catalogs.versions.reader import CatalogReader
from .json_lines import read_values

BASE_COLUMNS = ("Make", "Vehicle Style", "Transmission Type", "Driven_Wheels")
"""The columns of an AWARE-US base slice (section 2.1), in the order its sentences name them."""

BASE_SENTENCE = re.compile(
    r"I am looking for an? (?P<make_and_style>.+) with an? (?P<transmission>.+) transmission "
    r"and (?P<wheels>.+?)\.?"
)
MISSING = "Unknown"
"""AWARE-US reads a missing cell as this text (README of its data); here it is NULL."""

_CONSTRAINT_KEYS = ("constraint_weights", "constraints", "additional_constraints")
_CONSTRAINT_FIELDS = ("column", "op", "value", "weight", "hard", "group", "nulls")


@dataclass(frozen=True)
class Instance:
    """One record as it is published, and the query it stands for.

    `additional_constraints` (or `constraints`) say what is asked, `constraint_weights` the
    same with weights; the base is `base`, `{column: value}` or a list of constraints, or else
    a `base_query_sentence` of the published form, or else all rows. Everything else is kept as it
    is.

    Raises `QueryError` for a record without constraints, `BadConstraint` for a bad one.
    """

    record: Mapping[str, Any]
    constraints: tuple[Constraint, ...] = field(init=False)

    def __post_init__(self) -> None:
        records = next((self.record[key] for key in _CONSTRAINT_KEYS if self.record.get(key)), None)
        if not isinstance(records, list):
            raise QueryError("no constraints", hint=f"give a list as {_CONSTRAINT_KEYS[-1]}")
        constraints = tuple(_constraint(constraint) for constraint in cast("list[object]", records))
        self._check_agreement(constraints)
        object.__setattr__(self, "constraints", constraints)

    def _check_agreement(self, constraints: Sequence[Constraint]) -> None:
        """Raise `QueryError` if the record asks one thing and weighs another."""
        other = self.record.get("additional_constraints")
        if not isinstance(other, list):
            return
        listed = [_constraint(fields) for fields in cast("list[object]", other)]
        if [(c.column, c.op, c.value) for c in listed] != [
            (c.column, c.op, c.value) for c in constraints
        ]:
            raise QueryError(
                "additional_constraints and constraint_weights differ",
                hint="list the same constraints in the same order",
            )

    def query(self, catalog: CatalogReader) -> Query:
        """Return the query over a catalog; raise `QueryError` for a base that is not understood."""
        base = self.record.get("base")
        if base is None:
            sentence = self.record.get("base_query_sentence")
            base = {} if sentence is None else base_of_sentence(str(sentence), catalog)
        constraints = [_missing_as_null(constraint, catalog) for constraint in self.constraints]
        return Query.model_validate({"base": base, "constraints": constraints})


def _constraint(record: object) -> Constraint:
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no constraint", hint="write {column, op, value}")
    fields = cast("Mapping[str, Any]", record)
    return Constraint.model_validate({k: fields[k] for k in _CONSTRAINT_FIELDS if k in fields})


def _missing_as_null(constraint: Constraint, catalog: CatalogReader) -> Constraint:
    """Let `== Unknown` mean NULL where the catalog has NULLs and no such value of its own."""
    if constraint.op != "==" or constraint.value != MISSING or constraint.column is None:
        return constraint
    profile = catalog.profile(constraint.column)
    if not profile.nulls or MISSING in catalog.values(profile.name):
        return constraint
    return constraint.model_copy(update={"nulls": "match"})


def base_of_sentence(sentence: str, catalog: CatalogReader) -> dict[str, str]:
    """Return the base slice that a published sentence names, `{column: value}`.

    Make and style stand side by side; the make is the longest of the catalog's that the words
    begin with. Raises `QueryError`.
    """
    match = BASE_SENTENCE.fullmatch(sentence.strip())
    if match is None:
        hint = 'add "base": {column: value, …} to the record'
        raise QueryError(f"no base in {excerpt(sentence)}", hint=hint)
    words = match["make_and_style"]
    makes = [str(make) for make in catalog.values("Make") if words.startswith(f"{make} ")]
    if not makes:
        raise QueryError(f"no make of the catalog in {excerpt(sentence)}", hint='add "base"')
    make = max(makes, key=len)
    style = words.removeprefix(make).strip()
    values = (make, style, match["transmission"], match["wheels"])
    return dict(zip(BASE_COLUMNS, values, strict=True))


def read_instances(path: str | Path) -> list[Instance]:
    """Read a JSON array, one JSON object, or JSON lines of records.

    Raises `UnreadableFile` with the place of what is wrong.
    """
    records = list(read_values(path))
    if not records:
        raise UnreadableFile(str(path), "no records", hint="give a JSON array of instances")
    return [_instance(str(path), index, record) for index, record in enumerate(records)]


def _instance(path: str, index: int, record: object) -> Instance:
    if not isinstance(record, Mapping):
        raise UnreadableFile(path, f"record {index} is not an object", hint="see the README")
    try:
        return Instance(cast("Mapping[str, Any]", record))
    except QueryError as error:
        raise UnreadableFile(path, f"record {index}: {error}") from None
