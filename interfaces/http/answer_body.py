"""The body of an answer: its own members, fewer columns where fewer were asked for, and beside them
facets and what may have been meant by values that nothing has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any

import duckdb

from ...catalogs.errors import LimitError
from ...catalogs.json_values import json_bytes
from ...catalogs.query.query import Query
from ...catalogs.versions.snapshot import Snapshot
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Answer, Status, as_written
from ...engine.facets import facet_counts, repaired_constraints
from ...engine.repair_engine import RepairEngine
from ...engine.value_suggestions import meant_by
from .openapi import Schema, extended, object_of, or_null
from .request_models import RepairRequest

Row = Mapping[str, Any]

_FACET: Schema = object_of(value={}, count={"type": "integer"}, count_repaired={"type": "integer"})
_SUGGESTION = object_of(
    place={"type": "string", "enum": ["base", "constraints"]},
    position={"type": "integer"},
    column={"type": "string"},
    value={"type": "string"},
    nearest={"type": "array", "items": {"type": "string"}},
)
ANSWER = extended(
    Answer,
    {
        "facets": or_null(
            {
                "type": "object",
                "additionalProperties": {"type": "array", "items": _FACET},
                "description": "Where asked for: values by column, the most frequent first; null "
                "where there was no time to count them.",
            }
        ),
        "did_you_mean": {
            "type": "array",
            "items": _SUGGESTION,
            "description": "Where a text matches nothing: the nearest that there are.",
        },
    },
)


def repaired(
    body: RepairRequest,
    query: Query,
    engine: RepairEngine,
    deadline: float | None,
    told: Callable[[Answer], Answer] = lambda answer: answer,
) -> tuple[Answer, bytes]:
    """Return the answer to a request and its JSON, all of one version.

    `told` adds to the answer what is known besides.

    Raises what the engine raises, and `UnknownColumn` for columns to show, sort or count by.
    """
    now = engine.catalog.snapshot()
    pinned = copy(engine)
    pinned.catalog = now
    shown = None if body.fields is None else [now.schema.find(name).name for name in body.fields]
    counted = None if body.facets is None else [now.schema.find(name).name for name in body.facets]
    answer = pinned.repair(
        query,
        policy=body.policy,
        priority=body.priority,
        top=body.top,
        order=body.order,
        rank=body.rank,
        offset=body.offset,
        sort=[SortKey.parsed(text, now.schema) for text in body.sort],
        deadline=deadline,
    )
    answer = told(answer)
    more = _beside(answer, now, len(query.base), counted)
    if shown is None and not more:
        return answer, answer.to_json().encode()
    return answer, _written(answer, shown, more)


def _written(answer: Answer, shown: Iterable[str] | None, more: Row) -> bytes:
    members: dict[str, Any] = {**as_written(answer), "elapsed_ms": None}
    if shown is not None:
        columns = list(dict.fromkeys(shown))
        for name, part in (("repairs", "witness"), ("shifts", "witness"),
                           ("items", "row"), ("near_misses", "row")):  # fmt: skip
            members[name] = [{**each, part: _only(each[part], columns)} for each in members[name]]
    return json_bytes({**members, **more})


def _only(row: Row, columns: Iterable[str]) -> Row:
    return {column: row[column] for column in columns if column in row}


def _beside(answer: Answer, now: Snapshot, base: int, counted: list[str] | None) -> dict[str, Any]:
    """Return the members of a body beside an answer's own."""
    more: dict[str, Any] = {}
    if counted is not None:
        more["facets"] = _facets(answer, now, counted)
    meant = meant_by(answer, now, base)
    if meant:
        more["did_you_mean"] = [each.record() for each in meant]
    return more


def _facets(answer: Answer, now: Snapshot, columns: list[str]) -> dict[str, Any] | None:
    """Return counts under the present filters and under the repaired ones, exact or none.

    Nothing is present where something had to give way.
    """
    if answer.status is Status.UNKNOWN:
        return None
    if answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION:
        return {column: [] for column in columns}
    as_asked = answer.status is Status.SAT_NO_RELAXATION
    try:
        counts = facet_counts(now, repaired_constraints(answer), columns)
    except (duckdb.InterruptException, LimitError):
        return None
    return {
        column: [
            {"value": value, "count": count if as_asked else 0, "count_repaired": count}
            for value, count in values
        ]
        for column, values in counts.items()
    }
