"""The model of a query: base constraints that hold, others that may give way, and objectives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import Any, Self, cast

from pydantic import model_validator

from .constraint import Checked, Constraint, Objective
from .limits import MAX_CONSTRAINTS, check_count, check_query_values

_COUNTED = (
    ("base", "base constraints", MAX_CONSTRAINTS),
    ("constraints", "additional constraints", MAX_CONSTRAINTS),
    ("objectives", "objectives", MAX_CONSTRAINTS),
)
"""Fields of a query, what they hold in words, and how much of it they may hold."""


class Query(Checked):
    """Base constraints (hard; they define the base slice) and additional constraints (soft).

    `base` may also be given as `{column: value}`, meaning equality. A soft constraint's
    position in `constraints` is its name in diagnoses. Raises `BadConstraint`, or `QueryError`
    for more than 64 base or additional constraints, and for lists too
    long together (`query_limits`).
    """

    base: tuple[Constraint, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    objectives: tuple[Objective, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _base_as_mapping(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        fields = dict(cast("Mapping[str, Any]", data))
        if isinstance(fields.get("base"), Mapping):
            equal = cast("Mapping[str, Any]", fields["base"])
            check_count("base constraints", len(equal), MAX_CONSTRAINTS)
            fields["base"] = [{"column": c, "op": "==", "value": v} for c, v in equal.items()]
        for name, kind, most in _COUNTED:
            if isinstance(parts := fields.get(name), Sized):
                # Before each of them is looked at.
                check_count(kind, len(parts), most)
        return fields

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_query_values(
            sum(
                len(constraint.value)
                for constraint in (*self.base, *self.constraints)
                if isinstance(constraint.value, tuple)
            )
        )
        return self

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """What gives way together, as positions: named groups, and each other constraint alone."""
        if not any(constraint.group for constraint in self.constraints):
            return tuple((position,) for position in range(len(self.constraints)))
        units: dict[str, list[int]] = {}
        for position, constraint in enumerate(self.constraints):
            name = f"g {constraint.group}" if constraint.group else f"c {position}"
            units.setdefault(name, []).append(position)
        return tuple(tuple(unit) for unit in units.values())

    @property
    def hard_positions(self) -> frozenset[int]:
        """Positions of the additional constraints that may not give way.

        A group with one hard member is hard as a whole, since it gives way together.
        """
        hard = {i for i, constraint in enumerate(self.constraints) if constraint.hard}
        if not hard:
            return frozenset()
        return frozenset(i for unit in self.groups if hard.intersection(unit) for i in unit)

    def record(self) -> dict[str, Any]:
        """Return the query as the JSON object that builds it again."""
        return self.model_dump(mode="json", exclude_unset=True)

    def replace(self, constraints: Iterable[Constraint]) -> Query:
        """Return this query with other additional constraints."""
        return Query(base=self.base, constraints=tuple(constraints), objectives=self.objectives)
