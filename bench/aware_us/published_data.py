"""The folder of the published data: instances, and the recorded runs on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, UnreadableFile, shown
from ..instances import Instance, read_instances
from ..json_lines import read_records
from .gold import Gold, gold_of
from .runs import Run

INSTANCES = "instances.jsonl"
RUNS = "agent_runs.jsonl.gz"
SPLITS = ("all", "train", "test")


@dataclass(frozen=True)
class Recorded:
    """One recorded run and the instance it was about."""

    run: Run
    gold: Gold


def read_golds(folder: str | Path, split: str = "all") -> list[Gold]:
    """Return the published instances of a split, in the file's order.

    Raises `UnreadableFile` that names the line, or that an id occurs twice.
    """
    path = Path(folder) / INSTANCES
    golds = list(read_records(path, _gold))
    if len({one.id for one in golds}) < len(golds):
        raise UnreadableFile(str(path), "an id occurs twice")
    return [one for one in golds if split in ("all", one.split)]


def _gold(record: object) -> Gold:
    if not isinstance(record, Mapping):
        raise QueryError(f"{shown(record)} is no object", hint="see the README of the data")
    fields = cast("Mapping[str, Any]", record)
    if not fields.get("id"):
        raise QueryError("no id", hint="number the instances")
    return gold_of(fields, 0)


def read_runs(folder: str | Path, golds: Sequence[Gold]) -> Iterator[Recorded]:
    """Yield the recorded runs on these instances, in the file's order.

    Raises `UnreadableFile` that names the line of what is wrong.
    """
    by_id = {one.id: one for one in golds}
    for run in read_records(Path(folder) / RUNS, Run.model_validate):
        if run.instance in by_id:
            yield Recorded(run, by_id[run.instance])


def read_instance_file(path: str | Path) -> list[Gold]:
    """Return the instances of a file of the published shape, as `read_instances` reads it."""
    return [_numbered(str(path), one, at) for at, one in enumerate(read_instances(path))]


def _numbered(path: str, instance: Instance, at: int) -> Gold:
    try:
        return gold_of(instance.record, at)
    except QueryError as error:
        raise UnreadableFile(path, f"record {at}: {error}") from None
