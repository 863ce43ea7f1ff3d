"""The answer to a query, as frozen Pydantic models: one schema for Python, JSON and HTTP.

About a microsecond a part to validate; written as JSON with positions sorted and constraints as
they were given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    FieldSerializationInfo,
    Tag,
    field_serializer,
    model_validator,
)

from ..catalogs.json_values import json_bytes
from ..catalogs.query.constraint import JSON_TYPES, Constraint, condition, words
from ..solvers.limits import StoppedBy

SCHEMA_VERSION = 1

Rank = Literal["score", "near"]
"""The order of the items: by score, or nearest to the bounds that gave way first."""

ItemOrder = Literal["score", "near", "sort"]
"""The order that items stand in; `sort`: that of columns, as it was asked for."""


class Status(StrEnum):
    """How a query ended, in the terms of AWARE-US (table 6), and UNKNOWN."""

    SAT_NO_RELAXATION = "SAT_no_relaxation"
    SAT_AFTER_RELAXATION = "SAT_after_relaxation"
    UNSAT_EVEN_AFTER_RELAXATION = "UNSAT_even_after_relaxation"
    UNKNOWN = "UNKNOWN"


class Part(BaseModel):
    """A piece of an answer: frozen, and with its JSON names in Python's JSON."""

    model_config = ConfigDict(
        frozen=True, populate_by_name=True, serialize_by_alias=True, ser_json_bytes="base64"
    )


class ConstraintPart(Part):
    """A piece that holds constraints, written as they were given."""

    @field_serializer("relaxed", "kept", "hard", check_fields=False)
    def _as_given(self, constraints: tuple[Constraint, ...]) -> list[dict[str, Any]]:
        return [constraint.record() for constraint in constraints]

    @field_serializer("from_", "to", "constraint", check_fields=False)
    def _one_as_given(
        self, constraint: Constraint | None, info: FieldSerializationInfo
    ) -> dict[str, Any] | None:
        stands_once = info.field_name != "to" and getattr(self, "brief", False)
        return None if constraint is None or stands_once else constraint.record()


def _with_from(schema: dict[str, Any]) -> None:
    """Add to the schema what the JSON of a moved constraint has beside its fields."""
    schema["properties"]["from"] = schema["properties"]["to"]


class MovedConstraint(Constraint):
    """A constraint as it was asked, whose bound has been moved `to` where something matches."""

    model_config = ConfigDict(json_schema_extra=_with_from)

    to: Constraint

    @model_validator(mode="before")
    @classmethod
    def _leave_out_from(cls, data: object) -> object:
        # It says again what the constraint's own fields say.
        return {name: value for name, value in _fields(data).items() if name != "from"} or data

    @classmethod
    def of(cls, asked: Constraint, to: Constraint) -> MovedConstraint:
        """Return a constraint with what its bound has become."""
        return cls.model_validate(_given(asked) | {"to": to})

    @property
    def from_(self) -> Constraint:
        """The constraint as it was asked."""
        return Constraint.model_validate(
            {name: value for name, value in _given(self).items() if name != "to"}
        )

    def record(self) -> dict[str, Any]:
        """Return the constraint as it was given, with `from`, the same again, and `to`."""
        asked = self.from_.record()
        return asked | {"from": asked, "to": self.to.record()}

    def __str__(self) -> str:
        """Return the bound and where it moved, as a person would write it: `MSRP ≤ 500 → ≤ 549`."""
        return f"{words(self)} → {condition(self.to)}"


def _given(constraint: Constraint) -> dict[str, Any]:
    return {name: getattr(constraint, name) for name in constraint.model_fields_set}


def _kind(data: object) -> str:
    """Return which of the two a constraint that gave way is, read from JSON or made."""
    return "moved" if isinstance(data, MovedConstraint) or "to" in _fields(data) else "dropped"


def _fields(data: object) -> dict[str, Any]:
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


Relaxed = Annotated[
    Annotated[MovedConstraint, Tag("moved")] | Annotated[Constraint, Tag("dropped")],
    Discriminator(_kind),
]
"""What gave way: a constraint dropped, or one whose bound was moved."""


class Change(ConstraintPart):
    """What happens to one constraint: dropped (`to` is None), or its bound shifted.

    `distance` is how far the bound moved over the range of the base slice, 1 for a drop. In JSON
    `from` is null where it is long and would stand there often (`brief`): it stands once, at
    `position` of the answer's `constraints`.
    """

    position: int
    action: Literal["drop", "shift"]
    from_: Constraint = Field(
        validation_alias=AliasChoices("from", "from_"), serialization_alias="from"
    )
    to: Constraint | None = None
    distance: float = 1.0
    brief: bool = Field(default=False, exclude=True, repr=False)


class Repair(Part):
    """A relaxed query that has rows, and how to check that without trusting us.

    `witness` is a row that meets everything kept. `minimal` says that it is proven that no part
    of it would do; then `must_hit` holds, for each constraint of a repair that only drops, a
    conflict that only that one hits, unless the clock left no time for these. `cost` is the weight
    dropped, plus weight × distance of what is shifted.
    """

    changes: tuple[Change, ...]
    dropped: tuple[int, ...]
    cost: float
    count: int
    witness: dict[str, Any]
    minimal: bool
    must_hit: tuple[tuple[int, ...], ...] = ()
    sql: str
    explanation: str

    @property
    def changed(self) -> tuple[int, ...]:
        """The positions of what is dropped and of what is shifted, ascending."""
        return tuple(change.position for change in self.changes)


class Contribution(Part):
    """What one constraint or objective adds to an item's score: weight × satisfaction."""

    column: str
    position: int | None
    weight: float
    satisfaction: float
    contribution: float


class Item(Part):
    """A row offered: its score, the positions of the constraints it meets and misses, and why.

    `violation` is how far it is from what was asked: weight × distance, added up over `misses`.
    `pareto` says that no other candidate is at least as good in every respect and better in one.
    """

    row_id: int
    row: dict[str, Any]
    score: float
    violation: float = 0.0
    meets: tuple[int, ...]
    misses: tuple[int, ...]
    contributions: tuple[Contribution, ...]
    pareto: bool


class Violation(ConstraintPart):
    """A constraint a row misses: what the row has instead, and how far off in [0, 1].

    In JSON `constraint` is null where it is long and would stand there often, as in a `Change`. A
    long text in `actual` is cut; the row has the whole of it.
    """

    position: int
    constraint: Constraint
    actual: Any
    distance: float
    brief: bool = Field(default=False, exclude=True, repr=False)


class NearMiss(Part):
    """A row that meets everything hard, with the least weighted violation of the rest."""

    row_id: int
    row: dict[str, Any]
    violation: float
    violates: tuple[Violation, ...]


def _is_made_of_models(answer: dict[str, Any]) -> bool:
    parts = [*answer.get("repairs", ()), *answer.get("shifts", ()), *answer.get("near_misses", ())]
    return not all(
        isinstance(part, dict) and ("changes" in part or "violates" in part) for part in parts
    )


def with_constraints(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer's JSON with `constraints` put where null stands for one of them."""
    constraints = cast("Sequence[Any]", answer.get("constraints", ()))

    def filled(part: dict[str, Any], key: str) -> dict[str, Any]:
        if part.get(key, part) is not None:
            return part
        return part | {key: constraints[part["position"]], "brief": True}

    def each(listed: str, inner: str, key: str) -> list[Any]:
        parts = cast("Sequence[dict[str, Any]]", answer.get(listed, ()))
        return [part | {inner: [filled(entry, key) for entry in part[inner]]} for part in parts]

    lists = {name: each(name, "changes", "from") for name in ("repairs", "shifts")}
    return answer | lists | {"near_misses": each("near_misses", "violates", "constraint")}


class Answer(ConstraintPart):
    """What gives way and what to offer instead.

    `relaxed` and `kept` are the additional constraints; one whose bound was moved rather than
    dropped is a `MovedConstraint`, with `from` and `to` in JSON. `hard` is all that could not give
    way. `conflicts` are positions in `constraints`, `base_conflicts` in the query's base.
    `repairs` begins with the repair carried out, alternatives follow; `shifts` move bounds
    instead. `count` is the rows that `sql` returns; `rank` is the order of `items`: by score, by
    columns (`sort`), or nearest to the bounds that gave way first. `definitions` are statements of
    DuckDB to be run before the SQL of `repairs` and `shifts`: where conditions are too long to
    stand in each of them, they are called there by name; `sql` never needs them.
    `complete`: every conflict is listed and all rows
    were looked at; `counts_exact`: every count is, else the clock stopped the counting and what
    texts call “at least” is; `proven_minimal`: it is proven that no part of what was relaxed
    would have done; `stopped_by`: what ended a search early. `elapsed_ms` is left out of JSON
    unless asked for.
    """

    schema_version: int = SCHEMA_VERSION
    status: Status
    policy: str
    solver: str
    count: int
    constraints: tuple[Constraint, ...]
    conflicts: tuple[frozenset[int], ...]
    base_conflicts: tuple[frozenset[int], ...]
    drop_one_counts: tuple[int, ...]
    relaxed: tuple[Relaxed, ...]
    kept: tuple[Constraint, ...]
    hard: tuple[Constraint, ...]
    repairs: tuple[Repair, ...]
    shifts: tuple[Repair, ...]
    rank: ItemOrder = "score"
    items: tuple[Item, ...]
    near_misses: tuple[NearMiss, ...]
    definitions: tuple[str, ...] = ()
    sql: str
    explanation: str
    complete: bool
    counts_exact: bool = True
    proven_minimal: bool
    stopped_by: StoppedBy | None
    catalog_version: int | None
    elapsed_ms: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, data: object) -> object:
        """Return an answer read from JSON with each constraint back in its places."""
        if not isinstance(data, dict):
            return data
        answer = cast("dict[str, Any]", data)
        return answer if _is_made_of_models(answer) else with_constraints(answer)

    @field_serializer("conflicts", "base_conflicts")
    def _sorted(self, sets: tuple[frozenset[int], ...]) -> list[list[int]]:
        return [sorted(positions) for positions in sets]

    @field_serializer("constraints")
    def _constraints(self, constraints: tuple[Constraint, ...]) -> list[dict[str, Any]]:
        return [constraint.record() for constraint in constraints]

    @property
    def exit_code(self) -> int:
        """0 answered, 1 no repair exists, 4 a limit was hit before an answer."""
        codes = {Status.UNSAT_EVEN_AFTER_RELAXATION: 1, Status.UNKNOWN: 4}
        return codes.get(self.status, 0)

    def record(self, *, timing: bool = False) -> dict[str, Any]:
        """Return the answer as a JSON object; `elapsed_ms` is None without `timing`."""
        fields = self.model_dump(mode="json")
        return fields if timing else fields | {"elapsed_ms": None}

    def to_json(self, indent: int | None = None, *, timing: bool = False) -> str:
        """Return the answer as JSON text, without spaces unless `indent` is given.

        The same query on the same catalog gives the same bytes, unless `timing` is asked for.
        """
        if indent is not None:
            return json.dumps(self.record(timing=timing), ensure_ascii=False, indent=indent)
        fields = as_written(self)
        if not timing:
            fields["elapsed_ms"] = None
        # By pydantic's own writer, in a quarter of the time.
        return json_bytes(fields).decode()


class Sample(Part):
    """What was looked at of a table too large: the `share` asked for, and the `rows` it had."""

    share: float
    rows: int


class SampledAnswer(Answer):
    """An answer that looked at a `sample` of the rows only for what could give way."""

    sample: Sample


def _record_beside(made: Constraint, asked: Constraint, record: dict[str, Any]) -> dict[str, Any]:
    """Return `made.record()`, in half the time where `changed` made it of one with a record."""
    is_changed = made.__pydantic_fields_set__ is asked.__pydantic_fields_set__
    if not is_changed or type(made.value) not in JSON_TYPES:
        return made.record()
    return {**record, "op": made.op, "value": made.value}


def as_written(answer: Answer) -> dict[str, Any]:
    """Return what `model_dump_json` writes, as plain values; half its time is calls from Rust.

    A constraint that is named often becomes a record once.
    """
    records: dict[int, dict[str, Any]] = {}

    def record(constraint: Constraint) -> dict[str, Any]:
        known = records.get(id(constraint))
        if known is None:
            known = records[id(constraint)] = constraint.record()
        return known

    def of_repair(repair: Repair) -> dict[str, Any]:
        changes: list[dict[str, Any]] = []
        for change in repair.changes:
            to, asked = change.to, record(change.from_)
            changes.append(
                {
                    "position": change.position,
                    "action": change.action,
                    "from": None if change.brief else asked,
                    "to": None if to is None else _record_beside(to, change.from_, asked),
                    "distance": change.distance,
                }
            )
        return {**repair.__dict__, "changes": changes}

    def of_near_miss(near: NearMiss) -> dict[str, Any]:
        violates = [
            {
                "position": violation.position,
                "constraint": None if violation.brief else record(violation.constraint),
                "actual": violation.actual,
                "distance": violation.distance,
            }
            for violation in near.violates
        ]
        return {**near.__dict__, "violates": violates}

    sampled = {"sample": answer.sample.__dict__} if isinstance(answer, SampledAnswer) else {}
    return {
        **answer.__dict__,
        **sampled,
        **{
            name: [record(constraint) for constraint in getattr(answer, name)]
            for name in ("constraints", "relaxed", "kept", "hard")
        },
        **{
            name: [sorted(positions) for positions in getattr(answer, name)]
            for name in ("conflicts", "base_conflicts")
        },
        "repairs": list(map(of_repair, answer.repairs)),
        "shifts": list(map(of_repair, answer.shifts)),
        "items": [
            {**item.__dict__, "contributions": [each.__dict__ for each in item.contributions]}
            for item in answer.items
        ],
        "near_misses": list(map(of_near_miss, answer.near_misses)),
    }
