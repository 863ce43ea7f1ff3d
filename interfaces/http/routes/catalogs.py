"""`/v1/catalogs`: list and describe catalogs; with the admin token, load, write, swap and unload.

Writes of rows run one at a time on a thread of their own, swaps and loads on another, with less
weight than questions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

from fastapi import APIRouter
from pydantic import ConfigDict, FailFast, Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.catalog import Catalog
from ..body_reader import Body, parsed
from ..configured import open_configured
from ..middleware import check_admin
from ..openapi import BOOLEAN, INTEGER, OBJECTS, TEXT, documented, object_of, or_null
from ..problem_details import HttpProblem
from ..process_role import Folders
from ..settings import CatalogSource
from ..state import ServedCatalog, ServerState, state_of
from ..warm_up import warm
from .repair import json_response

router = APIRouter(prefix="/v1/catalogs", tags=["catalogs"])

MOST_ROWS = 100_000
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"

_SUMMARY = object_of(name=TEXT, rows=INTEGER, version=INTEGER, default=BOOLEAN)
CATALOGS = object_of(catalogs={"type": "array", "items": _SUMMARY})
CATALOG = object_of(
    name=TEXT, rows=INTEGER, version=INTEGER, cost_column=or_null(TEXT), columns=OBJECTS
)
WRITTEN = object_of(name=TEXT, version=INTEGER, rows=INTEGER)
UNLOADED = object_of(unloaded=TEXT, version=INTEGER)


class LoadRequest(Body):
    """A catalog to serve, from a file in the server's catalog folder."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "shop", "source": "shop.csv", "key": "sku"}]}
    )

    name: str = Field(pattern=NAME)
    source: str = Field(min_length=1, max_length=500, description="A path below that folder.")
    table: str | None = Field(default=None, max_length=200)
    as_text: Annotated[tuple[str, ...], FailFast()] = Field(default=(), max_length=1_000)
    key: str | None = Field(default=None, description="The column that tells rows apart.")
    writable: bool = Field(
        default=False, description="Keep what is written in the file, a .duckdb file."
    )


class SwapRequest(Body):
    """What a catalog is replaced by; without a source, what it was read from, read again."""

    source: str | None = Field(default=None, min_length=1, max_length=500)


class UpsertRequest(Body):
    """Rows to insert, or to put in the place of those with the same key."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rows": [{"sku": "A-1", "price": 9.5}], "key": "sku"}]}
    )

    rows: Annotated[tuple[dict[str, Any], ...], FailFast()] = Field(max_length=MOST_ROWS)
    key: str | None = Field(default=None, description="Another column than the catalog's own key.")


@router.get("", **documented(None, CATALOGS, "The catalogs, the default first."))
async def catalogs(request: Request) -> Response:
    """List the catalogs."""
    state = state_of(request)
    listed = [_summary(state, state.find(name)) for name in state.names]
    return json_response(to_json({"catalogs": listed}))


def _summary(state: ServerState, served: ServedCatalog) -> dict[str, Any]:
    now = served.catalog.snapshot()
    return {
        "name": served.name,
        "rows": now.row_count,
        "version": now.version,
        "default": served.name == state.names[0],
    }


@router.get("/{name}", **documented(None, CATALOG, "What the catalog's columns hold."))
async def catalog(request: Request, name: str) -> Response:
    """Say what a catalog's columns hold."""
    state = state_of(request)
    served = state.find(name)
    deadline = state.settings.limits.deadline
    body = await served.engine.ask("profile", lambda _: _profile(served), deadline)
    return json_response(body)


def _profile(served: ServedCatalog) -> bytes:
    now = served.catalog.snapshot()
    return to_json(
        {
            "name": served.name,
            "rows": now.row_count,
            "version": now.version,
            "cost_column": now.cost_column,
            "columns": [now.profile(column).record() for column in now.columns],
        }
    )


@router.post("", **documented(LoadRequest, WRITTEN, "The catalog is served.", status=201))
async def load(request: Request) -> Response:
    """Serve another catalog (admin token)."""
    state = writable(request)
    body = await _read(request, state, LoadRequest)
    _check_name(state, body.name)
    if len(state.names) >= state.settings.limits.catalogs:
        most = state.settings.limits.catalogs
        raise HttpProblem(409, "too-many", f"{most} catalogs are loaded", hint="unload one")
    path = _path(state, body.source)
    source = CatalogSource(body.name, path, body.table, body.as_text, body.key, body.writable)
    folders = state.role.folders()
    catalog = await state.swaps.run(lambda _: _warmed(open_source(source, **folders)))
    try:
        # Somebody else may have loaded one of that name meanwhile.
        _check_name(state, body.name)
    except HttpProblem:
        await state.writes.run(lambda _: _closed(catalog, folders.get("publish_to")))
        raise
    served = state.add(body.name, catalog)
    state.role.opened(source, folders)
    return json_response(written(served), status=201)


def _check_name(state: ServerState, name: str) -> None:
    if name in state.names:
        problem = f"there is a catalog {name!r} already"
        raise HttpProblem(409, "name-taken", problem, hint="swap it, or choose another name")


@router.delete("/{name}", **documented(None, UNLOADED, "It is served no longer."))
async def unload(request: Request, name: str) -> Response:
    """Serve a catalog no longer (admin token)."""
    state = writable(request)
    served = state.find(name)
    state.remove(name)
    publication = state.role.unloaded(name)
    # Writes that were taken come first.
    await state.writes.run(lambda _: _closed(served.catalog, publication))
    return json_response(to_json({"unloaded": name, "version": served.catalog.version}))


@router.post("/{name}/rows", **documented(UpsertRequest, WRITTEN, "The version that has them."))
async def upsert(request: Request, name: str) -> Response:
    """Insert or replace rows, all or none (admin token)."""
    state = writable(request, "write")
    served = state.find(name)
    text = await state.bodies.read_json_text(request, state.settings.limits.admin_body)

    def write() -> int:
        # Not on the event loop: a thousand rows take milliseconds to read.
        request_model = parsed(text, UpsertRequest)
        return served.catalog.upsert(request_model.rows, request_model.key)

    return await _write(state, served, write)


@router.post("/{name}/swap", **documented(SwapRequest, WRITTEN, "The version that is served."))
async def swap(request: Request, name: str) -> Response:
    """Replace a catalog's rows by a file's, at once and whole (admin token)."""
    state = writable(request)
    served = state.find(name)
    body = await _read(request, state, SwapRequest)
    source = None if body.source is None else _path(state, body.source)
    version = await state.swaps.run(lambda _: served.catalog.reload(source))
    return json_response(written(served, version))


async def _write(state: ServerState, served: ServedCatalog, write: Callable[[], int]) -> Response:
    version = await state.writes.run(lambda _: write())
    return json_response(written(served, version))


def written(served: ServedCatalog, version: int | None = None) -> bytes:
    now = served.catalog.snapshot()
    written = now.version if version is None else version
    return to_json({"name": served.name, "version": written, "rows": now.row_count})


async def _read(request: Request, state: ServerState, kind: type[Any]) -> Any:
    return await state.bodies.read_json(request, kind, state.settings.limits.admin_body)


def writable(request: Request, scope: Literal["write", "admin"] = "admin") -> ServerState:
    """Return the state if this request may change catalogs; raise an `HttpProblem` if not."""
    check_admin(request, scope)
    return state_of(request)


def _path(state: ServerState, source: str) -> str:
    """Return a path below the catalog folder; raise an `HttpProblem` for any other."""
    folder = state.settings.catalog_folder
    if folder is None:
        hint = "start it with --catalog-folder"
        problem = "nothing can be loaded: the server has no catalog folder"
        raise HttpProblem(403, "no-folder", problem, hint=hint)
    root = Path(folder).resolve()
    path = root
    with suppress(OSError, ValueError):
        path = (root / source).resolve()
    if not (path.is_relative_to(root) and os.path.isfile(path)):
        problem = f"no file {source[:80]!r} in the catalog folder"
        raise HttpProblem(404, "no-such-file", problem, hint="name a file in that folder")
    return str(path)


def _closed(catalog: Catalog, publication: Path | None) -> None:
    catalog.close()
    if publication is not None:
        shutil.rmtree(publication, ignore_errors=True)


def _warmed(catalog: Catalog) -> Catalog:
    warm(catalog)
    return catalog


def open_source(source: CatalogSource, **folders: Unpack[Folders]) -> Catalog:
    """Open a catalog, with the folder it is published in.

    Raises what `Catalog.open` and `ShopConfig.open` raise.
    """
    if source.config is not None:
        return open_configured(source, **folders)
    columns = {name: {"kind": "categorical"} for name in source.as_text}
    return Catalog.open(
        source.source,
        table=source.table,
        columns=columns,
        key=source.key,
        writable=source.writable,
        dictionary=source.dictionary,
        location=source.location,
        hours=source.hours,
        travel_times=source.travel_times,
        # Where no key has it named already: no answer tells where a file lies.
        name=source.name if source.key is None else None,
        **folders,
    )
