"""What the adapters share: a query's filters as constraints, and what a repair makes of each.

A filter of another engine holds or does not: NULL is “does not”, and its negation then holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...catalogs.errors import QueryError, UnknownColumn
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...engine.answer import Answer, Status
from ...engine.repair_engine import RepairEngine

_PAIRS = {"==": "!=", "in": "not in", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
           "is null": "is not null"}  # fmt: skip
NEGATED = _PAIRS | {other: op for op, other in _PAIRS.items()}

Changes = Mapping[int, Constraint | None]
"""What a repair makes of constraints by position: another bound, or None where one is dropped."""

Written = TypeVar("Written")


@dataclass(frozen=True)
class Unsupported:
    """A part of a query that was kept as it is: where it stands, and why it is no filter here."""

    place: str
    reason: str


@dataclass(frozen=True)
class Relaxed(Generic[Written]):
    """A query with what gave way relaxed, in the syntax it came in.

    `answer` is the repair over the catalog; where it found none, `query` is as it was given.
    `changes` says in words what was relaxed, `unsupported` what was kept without being understood:
    the answer knows nothing of it, so that the relaxed query may match less than `answer.count`.
    """

    query: Written
    answer: Answer
    changes: tuple[str, ...]
    unsupported: tuple[Unsupported, ...]

    @property
    def is_changed(self) -> bool:
        """Whether anything gave way."""
        return bool(self.changes)


class NotSupported(Exception):
    """A part of a query says what no constraint says; the message is why."""


def negated(constraint: Constraint) -> Constraint | None:
    """Return what holds exactly where a constraint does not, if one constraint says so."""
    if constraint.op not in NEGATED:
        return None
    members = constraint.record() | {"op": NEGATED[constraint.op]}
    members.pop("nulls", None)
    if constraint.nulls == "reject" and constraint.op not in ("is null", "is not null"):
        members["nulls"] = "match"
    return Constraint.model_validate(members)


@dataclass
class FilterReader:
    """Takes filters in as constraints over an engine's catalog, in their order.

    `fields` says which column a field is, where their names differ.
    """

    engine: RepairEngine
    fields: Mapping[str, str]
    constraints: list[Constraint] = field(default_factory=list[Constraint])
    unsupported: list[Unsupported] = field(default_factory=list[Unsupported])

    def column(self, name: str) -> str:
        """Return the column of a field; raise `NotSupported` where there is none."""
        for spelled in (self.fields.get(name), name, name.removesuffix(".keyword")):
            if spelled is not None:
                try:
                    return self.engine.catalog.schema.find(spelled).name
                except UnknownColumn:
                    continue
        raise NotSupported(f"the catalog has no column {name!r}")

    def is_text(self, column: str) -> bool:
        """Return whether a column holds text."""
        return self.engine.catalog.schema.find(column).family in ("text", "list")

    def made(self, column: str, op: str, value: object = None) -> Constraint:
        """Return a constraint that fits the catalog; raise `NotSupported` for none."""
        members = {"column": column, "op": op} | ({} if value is None else {"value": value})
        try:
            constraint = Constraint.model_validate(members)
            self.engine.catalog.bind(constraint)
        except QueryError as error:
            raise NotSupported(str(error)) from None
        return constraint

    def sql(self, constraint: Constraint) -> str:
        """Return a constraint as SQL that is true or false, never NULL."""
        text = self.engine.catalog.bind(constraint).text
        return f"({text})" if constraint.nulls == "match" else f"coalesce({text}, FALSE)"

    def denied(self, constraint: Constraint) -> Constraint:
        """Return what holds exactly where a constraint does not."""
        return negated(constraint) or self.expression(f"NOT {self.sql(constraint)}")

    def expression(self, sql: str) -> Constraint:
        """Return a SQL expression as a constraint; raise `NotSupported` for what is none."""
        try:
            constraint = Constraint(op="sql", value=sql)
            self.engine.catalog.bind(constraint)
        except QueryError as error:
            raise NotSupported(str(error)) from None
        return constraint

    def take(self, constraint: Constraint) -> int:
        """Take a constraint in; return its position."""
        self.constraints.append(constraint)
        return len(self.constraints) - 1

    def keep(self, place: str, error: NotSupported) -> None:
        """Take down a part that stays as it is."""
        self.unsupported.append(Unsupported(place, str(error)))


def relaxed(
    reader: FilterReader,
    query: Written,
    rebuild: Callable[[Changes], Written],
    *,
    hard: Collection[str],
    weights: Mapping[str, float],
    options: Mapping[str, Any],
) -> Relaxed[Written]:
    """Repair what was read, and write the query again.

    Raises a `QueryError` where nothing was read, and what `RepairEngine.repair` raises.
    """
    if not reader.constraints:
        first = reader.unsupported[0].reason if reader.unsupported else "it has none"
        raise QueryError(f"no filter to relax: {first}", hint="give a query with filters")
    for name in (*hard, *weights):
        reader.engine.catalog.schema.find(name)
    asked = [_weighed(constraint, hard, weights) for constraint in reader.constraints]
    answer = reader.engine.repair(Query(constraints=tuple(asked)), **options)
    changes = _changes(answer)
    words = tuple(str(part) for part in answer.relaxed) if changes else ()
    written = rebuild(changes) if changes else query
    return Relaxed(written, answer, words, tuple(reader.unsupported))


def _weighed(
    constraint: Constraint, hard: Collection[str], weights: Mapping[str, float]
) -> Constraint:
    column = constraint.column or ""
    more: dict[str, Any] = {"hard": True} if column in hard else {}
    if column in weights:
        more["weight"] = weights[column]
    return Constraint.model_validate(constraint.record() | more) if more else constraint


def _changes(answer: Answer) -> Changes:
    if answer.status != Status.SAT_AFTER_RELAXATION or not answer.repairs:
        return {}
    return {change.position: change.to for change in answer.repairs[0].changes}


def json_value(constraint: Constraint) -> Any:
    """Return a constraint's value as JSON holds it."""
    return constraint.model_dump(mode="json")["value"]


def bounds_of(constraint: Constraint) -> Sequence[tuple[str, Any]]:
    """Return the bounds that a comparison or a range sets: (operator, value)."""
    value = json_value(constraint)
    if constraint.op == "between":
        return [(">=", value[0]), ("<=", value[1])]
    return [(constraint.op, value)]
