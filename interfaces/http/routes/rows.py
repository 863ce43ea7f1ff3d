"""`/v1/catalogs/{name}/rows`: fetch and delete rows by their keys, or by a filter.

Rows of keys are looked up in one pass over the key's columns; those of a filter as a query's are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from fastapi import APIRouter
from pydantic import ConfigDict, Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.catalog import Catalog
from ....catalogs.json_values import json_bytes
from ....catalogs.query.constraint import Scalar
from ....catalogs.query.query import Query
from ....catalogs.query.where_clause import parse_where
from ....catalogs.vectors.row_set import intersection
from ....catalogs.versions.rows_by_key import Key, numbers_by_key
from ....catalogs.versions.snapshot import Snapshot
from ....catalogs.versions.sorted_rows import SortKey, sorted_numbers
from ....engine.runtime.thread_pool import QueueSlot
from ....engine.said_query import as_said
from ..body_reader import Body
from ..consistency import reach
from ..openapi import INTEGER, OBJECT, TEXT, Schema, documented, object_of
from ..problem_details import BadBody, HttpProblem, complaint
from ..request_models import LONGEST_TEXT, MOST_LISTED
from ..state import ServedCatalog, state_of
from .catalogs import WRITTEN, writable, written
from .repair import json_response

router = APIRouter(prefix="/v1/catalogs", tags=["catalogs"])

MOST_KEYS = 1_000
MOST_OFFSET = 10_000
MOST_VERSION = 2**53
KEYS: Schema = {"type": "array", "items": {}}

FETCHED = object_of(
    name=TEXT,
    catalog_version=INTEGER,
    count=INTEGER,
    rows={"type": "array", "items": object_of(row_id=INTEGER, row=OBJECT)},
    missing=KEYS,
)
DELETED: Schema = {**WRITTEN, "properties": {**WRITTEN["properties"], "deleted": INTEGER}}
"""`deleted` is there where rows were named by keys or a condition."""


class DeleteRequest(Body):
    """Rows to delete: by their row ids, by their keys, or those that a condition matches."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"row_ids": [17, 4]}]})

    row_ids: list[int] | None = Field(default=None, max_length=100_000)
    keys: list[Any] | None = Field(
        default=None,
        max_length=MOST_KEYS,
        description="A value each; a list of values where the key is of several columns.",
    )
    where: str | None = Field(
        default=None, max_length=LONGEST_TEXT, description="A condition in SQL."
    )


@dataclass(frozen=True)
class Selection:
    """Which rows: those of some keys, or those that a condition matches; exactly one is given."""

    keys: Sequence[Key] | None
    where: str | None

    def numbers(self, now: Snapshot, key: Sequence[str]) -> list[int | None]:
        """Return the numbers of the rows, None for each key that no row has."""
        if self.keys is not None:
            if not key:
                hint = "start it with --key COLUMN, or give where"
                raise HttpProblem(409, "no-key", "the catalog has no key", hint=hint)
            return numbers_by_key(now, key, self.keys)
        return list(_matching(now, self.where or ""))


def _matching(now: Snapshot, where: str) -> list[int]:
    query = as_said(Query(constraints=tuple(parse_where(where, now.schema))), now)
    sets = [now.rows(now.bind(constraint)) for constraint in query.constraints]
    return intersection(sets, now.universe).ids.tolist()


_SELECTING = (
    ("key", TEXT, "A row's key, any number of times; a JSON array for several columns."),
    ("where", TEXT, "Instead: a condition in SQL."),
)
_LISTING = (
    ("fields", TEXT, "A column to answer with, any number of times; all without it."),
    ("sort", TEXT, "With where: a column to order by, `-price` or `price desc`."),
    ("top", INTEGER, "With where: the most rows, 1 to 100 (10)."),
    ("offset", INTEGER, "With where: rows to leave out first, up to 10,000."),
    ("min_version", INTEGER, "The least version to answer from; it is waited for."),
)


def _documented(
    answer: Schema, description: str, parameters: Sequence[tuple[str, Schema, str]]
) -> dict[str, Any]:
    route = documented(None, answer, description)
    route["openapi_extra"]["parameters"] = [
        {"name": name, "in": "query", "schema": schema, "description": words}
        for name, schema, words in parameters
    ]
    return route


@router.get("/{name}/rows", **_documented(FETCHED, "The rows.", (*_SELECTING, *_LISTING)))
async def fetch(request: Request, name: str) -> Response:
    """Return rows by their keys, or those that a condition matches."""
    state = state_of(request)
    served = state.find(name)
    given = _parameters(request, [each for each, _, _ in (*_SELECTING, *_LISTING)])
    selection = _selection(given, MOST_LISTED)
    top = _number(given, "top", 10, 1, MOST_LISTED)
    offset = _number(given, "offset", 0, 0, MOST_OFFSET)
    least = _number(given, "min_version", 0, 1, MOST_VERSION) or None
    seconds = await reach(state, served, least, state.settings.limits.deadline)

    def find(slot: QueueSlot) -> bytes:
        now = served.catalog.snapshot()
        sort = [SortKey.parsed(text, now.schema) for text in given.get("sort", ())]
        shown = [now.schema.find(column).name for column in given.get("fields", ())]
        numbers, count = _page(now, served.catalog, selection, sort, top, offset)
        return json_bytes(
            {
                "name": served.name,
                "catalog_version": now.version,
                "count": count,
                "rows": _rows(now, [number for number in numbers if number is not None], shown),
                "missing": [
                    list(key) if len(key) > 1 else next(iter(key), None)
                    for key, number in zip(selection.keys or (), numbers, strict=False)
                    if number is None
                ],
            }
        )

    return json_response(await served.engine.ask("fetch", find, seconds))


def _page(
    now: Snapshot,
    catalog: Catalog,
    selection: Selection,
    sort: Sequence[SortKey],
    top: int,
    offset: int,
) -> tuple[list[int | None], int]:
    """Return the numbers of the rows to answer with, and how many there are in all."""
    found = selection.numbers(now, catalog.key)
    if selection.where is None:
        return found, sum(number is not None for number in found)
    if not sort:
        return found[offset : offset + top], len(found)
    query = as_said(Query(constraints=tuple(parse_where(selection.where, now.schema))), now)
    predicates = [now.bind(constraint) for constraint in query.constraints]
    return list(sorted_numbers(now, predicates, sort, top, offset).tolist()), len(found)


def _rows(now: Snapshot, numbers: Sequence[int], shown: Sequence[str]) -> list[dict[str, Any]]:
    pairs = zip(now.row_ids(np.array(numbers, dtype=np.int64)), now.fetch(numbers), strict=True)
    return [
        {"row_id": row_id, "row": {name: row[name] for name in shown} if shown else row}
        for row_id, row in pairs
    ]


@router.delete("/{name}/rows", **_documented(DELETED, "The version without them.", _SELECTING))
async def delete(request: Request, name: str) -> Response:
    """Delete rows by their keys, or those that a condition matches (a key that may write)."""
    state = writable(request, "write")
    served = state.find(name)
    given = _parameters(request, [each for each, _, _ in _SELECTING])
    selection = _selection(given, MOST_KEYS)
    return json_response(await state.writes.run(lambda _: _deleted(served, selection)))


@router.post(
    "/{name}/rows/delete", **documented(DeleteRequest, DELETED, "The version without them.")
)
async def delete_many(request: Request, name: str) -> Response:
    """Delete rows by their row ids, keys, or a condition (a key that may write)."""
    state = writable(request, "write")
    served = state.find(name)
    most = state.settings.limits.admin_body
    body = await state.bodies.read_json(request, DeleteRequest, most)
    given = [each for each in ("row_ids", "keys", "where") if getattr(body, each) is not None]
    if len(given) != 1:
        raise BadBody([complaint((), "one of row_ids, keys and where is needed", given)])
    if body.row_ids is not None:
        row_ids = body.row_ids
        version = await state.writes.run(lambda _: served.catalog.delete(row_ids))
        return json_response(written(served, version))
    selection = Selection(None if body.keys is None else list(map(_key, body.keys)), body.where)
    return json_response(await state.writes.run(lambda _: _deleted(served, selection)))


def _deleted(served: ServedCatalog, selection: Selection) -> bytes:
    """Delete what is selected now: writes take turns, so that nothing comes between."""
    before = served.catalog.snapshot()
    numbers = selection.numbers(before, served.catalog.key)
    row_ids = before.row_ids([number for number in numbers if number is not None])
    version = served.catalog.delete(row_ids)
    now = served.catalog.snapshot()
    deleted = before.row_count - now.row_count
    members = {"name": served.name, "version": version, "rows": now.row_count, "deleted": deleted}
    return to_json(members)


def _parameters(request: Request, known: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the parameters of an address; raise `BadBody` for one there is not."""
    given: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            problem = f"the parameters are {', '.join(known)}"
            raise BadBody([complaint((name[:100],), problem, name)])
        given.setdefault(name, []).append(value)
    return given


def _selection(given: Mapping[str, list[str]], most: int) -> Selection:
    """Return which rows an address names; raise `BadBody` unless by keys or by a condition."""
    keys, where = given.get("key"), given.get("where")
    if (keys is None) == (where is None):
        raise BadBody([complaint(("key",), "one of key and where is needed", keys)])
    if keys is not None and len(keys) > most:
        raise BadBody([complaint(("key",), f"{most} is the most", len(keys))])
    if where is not None and (len(where) > 1 or len(where[0]) > LONGEST_TEXT):
        raise BadBody([complaint(("where",), "one condition is taken", where[-1])])
    told = None if keys is None else [_key(_parsed(text)) for text in keys]
    return Selection(told, where[0] if where else None)


def _parsed(text: str) -> object:
    """Return a key of an address: a JSON array is several values, all else is text."""
    if text.startswith("["):
        try:
            return cast("object", json.loads(text))
        except (ValueError, RecursionError):
            return text
    return text


def _key(given: object) -> Key:
    """Return a key as a value for each column; raise `BadBody` for what is none."""
    values = cast("list[object]", given) if isinstance(given, list) else [given]
    for value in values:
        if not isinstance(value, bool | int | float | str):
            raise BadBody([complaint(("key",), "no value that a row has", value)])
    return tuple(cast("list[Scalar]", values))


def _number(given: Mapping[str, list[str]], name: str, default: int, low: int, high: int) -> int:
    if name not in given:
        return default
    text = given[name][-1]
    is_number = text.isascii() and text.isdigit() and len(text) < 17
    if not is_number or not low <= int(text) <= high:
        raise BadBody([complaint((name,), f"{low} to {high:,} is needed", text)])
    return int(text)
