"""The published agent runs, as typed records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ...catalogs.constraint import Constraint
from ...catalogs.errors import BadConstraint

Status = Literal["SAT_no_relaxation", "SAT_after_relaxation", "UNSAT_even_after_relaxation"]


def _repaired(value: object) -> object:
    """Return what a repair counts as: its `to` if it has one, else its `from` (README)."""
    if isinstance(value, Mapping) and "action" in value:
        fields = cast("Mapping[str, Any]", value)
        return _constraint(fields.get("to") or fields.get("from"))
    return None if value is None else _constraint(cast("object", value))


def _constraint(value: object) -> Constraint:
    if isinstance(value, Constraint):
        return value
    if not isinstance(value, Mapping):
        raise BadConstraint("constraint", value, "not an object", hint="write {column, op}")
    return Constraint.model_validate(value)


class Record(BaseModel):
    """A frozen record whose further fields are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


Asking = Annotated[Constraint, BeforeValidator(_constraint)]


class Said(Record):
    """One message of a recorded dialogue."""

    role: Literal["system", "user", "assistant"]
    content: str


class Run(Record):
    """One recorded conversation of a published agent, and what came of it.

    `dialogue` is None where it is withheld; `constraint_weights` is empty for the `formal`
    method, which has none. `setting` is `test25` for the runs of Table 5.
    """

    instance: str
    model: str
    method: str
    set: str
    run_id: int = 1
    base_query_sentence: str = ""
    slots_provided_to_agent: list[str]
    dialogue: list[Said] | None
    parsed_base: dict[str, str | int | float | bool] | None = None
    parsed_additional_constraints: list[Asking]
    constraint_weights: list[Asking] = []
    status: Status
    relaxed_constraint: Annotated[Constraint | None, BeforeValidator(_repaired)]
    recommended_car: dict[str, Any] | None
    relaxed_matches_gold: bool | None = None
    car_matches_gold: bool | None = None

    @property
    def weighed(self) -> list[Constraint]:
        """The constraints with their weights where the run gave any."""
        return self.constraint_weights or self.parsed_additional_constraints
