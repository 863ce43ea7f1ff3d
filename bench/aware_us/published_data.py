"""The folder of the published AWARE-US data: instances, recorded runs, and its catalog's labels.

Files are read record by record; a catalog with missing texts is copied once, with labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ...catalogs.catalog import Catalog
from ...catalogs.errors import BadConstraint, QueryError, UnreadableFile, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.predicate import quoted
from ..instances import MISSING, Instance, read_instances
from ..json_lines import read_records
from ..quiet_connection import quiet_connection
from .gold import Gold, gold_of

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


ConstraintField = Annotated[Constraint, BeforeValidator(_constraint)]


class RecordedMessage(Record):
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
    dialogue: list[RecordedMessage] | None
    parsed_base: dict[str, str | int | float | bool] | None = None
    parsed_additional_constraints: list[ConstraintField]
    constraint_weights: list[ConstraintField] = []
    status: Status
    relaxed_constraint: Annotated[Constraint | None, BeforeValidator(_repaired)]
    recommended_car: dict[str, Any] | None
    relaxed_matches_gold: bool | None = None
    car_matches_gold: bool | None = None

    @property
    def weighed(self) -> list[Constraint]:
        """The constraints with their weights where the run gave any."""
        return self.constraint_weights or self.parsed_additional_constraints


INSTANCES = "instances.jsonl"
RUNS = "agent_runs.jsonl.gz"


@dataclass(frozen=True)
class RecordedRun:
    """One recorded run and the instance it was about."""

    run: Run
    gold: Gold


def read_golds(folder: str | Path, split: str = "all") -> list[Gold]:
    """Return the published instances of a split, in the file's order.

    Raises `UnreadableFile` that names the line, or that an id occurs twice.
    """
    path = Path(folder) / INSTANCES
    golds = list(read_records(path, _gold))
    if len({gold.id for gold in golds}) < len(golds):
        raise UnreadableFile(str(path), "an id occurs twice")
    return [gold for gold in golds if split in ("all", gold.split)]


def _gold(record: object) -> Gold:
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no object", hint="see the README of the data")
    fields = cast("Mapping[str, Any]", record)
    if not fields.get("id"):
        raise QueryError("no id", hint="number the instances")
    return gold_of(fields, 0)


def read_runs(folder: str | Path, golds: Sequence[Gold]) -> Iterator[RecordedRun]:
    """Yield the recorded runs on these instances, in the file's order.

    Raises `UnreadableFile` that names the line of what is wrong.
    """
    by_id = {gold.id: gold for gold in golds}
    for run in read_records(Path(folder) / RUNS, Run.model_validate):
        if run.instance in by_id:
            yield RecordedRun(run, by_id[run.instance])


def read_instance_file(path: str | Path) -> list[Gold]:
    """Return the instances of a file of the published shape, as `read_instances` reads it."""
    return [_numbered(str(path), instance, at) for at, instance in enumerate(read_instances(path))]


def _numbered(path: str, instance: Instance, at: int) -> Gold:
    try:
        return gold_of(instance.record, at)
    except QueryError as error:
        raise UnreadableFile(path, f"record {at}: {error}") from None


def labelled(catalog: Catalog) -> Catalog:
    """Return the catalog with missing cells of its text columns read as `Unknown`.

    So the published instances were made (README of the data), and so one of their personas
    speaks (S3-09). Returned as it is where nothing is missing, or where it is read from no
    file. The rows keep their order.
    """
    columns = [
        profile.name
        for profile in catalog.profiles()
        if profile.nulls
        and profile.kind in ("categorical", "text")
        and MISSING not in profile.values
    ]
    if not columns or not catalog.from_clause.startswith("read_"):
        return catalog
    replaced = ", ".join(
        f"coalesce({quoted(column)}, '{MISSING}') AS {quoted(column)}" for column in columns
    )
    with quiet_connection() as connection:
        # The clause is the catalog's own, with its types.
        relation = connection.sql(f"SELECT * REPLACE ({replaced}) FROM {catalog.from_clause}")
        return Catalog.open(relation)
