"""`concede serve`: options into `ServeSettings`, and the HTTP service run with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError, excerpt
from ..completion import complete_catalog
from ..options import (
    ABOVE_ZERO,
    NOT_NEGATIVE,
    PORT,
    POSITIVE,
    panel_options,
    place_options,
    table_options,
)
from ..query_options import location_columns
from ..reader_options import reader_options

if TYPE_CHECKING:
    from ...http.settings import CatalogSource

LEVELS = ("debug", "info", "warning", "error")

_catalogs, _network = panel_options("Catalogs"), panel_options("Network")
_behaviour = panel_options("Behaviour")
_load, _access = panel_options("Load"), panel_options("Access")


@click.command("serve")
@_catalogs(
    "--catalog",
    "[NAME=]FILE|sample:cars",
    "What is served, any number of times; the first answers where none is named.",
    "catalogs",
    multiple=True,
    shell_complete=complete_catalog,
)
@_catalogs(
    "--config",
    "FILE",
    "Catalogs, columns and keys as a TOML file says them (catalog init); --catalog NAME=FILE "
    "reads one of them from elsewhere, or adds one.",
)
@table_options("Catalogs")
@place_options("Catalogs")
@_catalogs(
    "--dictionary",
    "[NAME=]FILE",
    "What people call a catalog's columns and values (the first's, unless named).",
    "dictionaries",
    multiple=True,
)
@_catalogs("--key", "COLUMN", "The column that tells rows apart, for changing them while it runs.")
@_behaviour(
    "--events",
    "[NAME=]FILE",
    "The log of what people did with what they were shown, written on; in memory without it. "
    "Needs --key.",
    "events",
    multiple=True,
)
@_behaviour(
    "--retention",
    "DAYS",
    "How long events are kept.",
    "retention_days",
    type=ABOVE_ZERO,
    default=365.0,
)
@_catalogs(
    "--keep-writes/--forget-writes",
    None,
    "Whether rows written over HTTP go into the .duckdb file, which gets a column of row "
    "ids; by default where there is an admin token.",
    "keep_writes",
    default=None,
)
@_network("--host", None, "Where to listen.", default="127.0.0.1")
@_network("--port", None, "The port; 0 takes a free one.", type=PORT, default=8000)
@_network(
    "--cors-origin",
    "ORIGIN",
    "A site whose pages may ask; none unless named.",
    "cors_origins",
    multiple=True,
)
@_network(
    "--allowed-host",
    "NAME",
    "A name clients may call a server without keys by, beside its address and localhost.",
    "hosts",
    multiple=True,
)
@_load(
    "--workers",
    "N",
    "Processes that answer; the first one writes and holds conversations, the others follow it.",
    type=POSITIVE,
    default=1,
)
@_load("--threads", "N", "Questions answered at once in a process (one a core).", type=POSITIVE)
@_load(
    "--queue",
    "N",
    "Questions that may wait; more are refused with 503.",
    type=NOT_NEGATIVE,
    default=64,
)
@_load(
    "--deadline",
    "SECONDS",
    "The most one question takes, waiting included.",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=10.0,
)
@_load(
    "--answer-cache",
    "BYTES",
    "Answers kept for who asks the same again; 0 keeps none.",
    type=NOT_NEGATIVE,
    default=64 * 2**20,
)
@_load(
    "--stale-while-revalidate",
    "SECONDS",
    "While others wait, a question asked before may be given its answer of a version that "
    "was replaced no longer ago (RFC 5861); 0: never.",
    type=click.IntRange(min=0, max=3600),
    default=0,
)
@_load("--late", None, None, type=click.FloatRange(min=0, max=3600), hidden=True)
@_load(
    "--patience",
    "SECONDS",
    "How long a client may take to send a head, a body, and to read.",
    type=click.FloatRange(min=0.1, max=3600),
    default=10.0,
)
@_load(
    "--max-body",
    "BYTES",
    "The largest body of a question.",
    type=click.IntRange(min=1_000),
    default=2**20,
)
@_access(
    "--admin-token-file",
    "FILE",
    "The token that may change catalogs (or CONCEDE_ADMIN_TOKEN); without it nobody may.",
)
@_access(
    "--api-key-file", "FILE", "The key that may ask (or CONCEDE_API_KEY); without it anybody may."
)
@_access(
    "--catalog-folder",
    "FOLDER",
    "Where catalogs may be loaded from while it runs; nowhere unless named.",
)
@reader_options
@panel_options("Output")(
    "--log-level",
    None,
    "What is logged to standard error, as JSON lines.",
    type=click.Choice(LEVELS),
    default="info",
)
def serve(
    catalogs: Sequence[str],
    table: str | None,
    as_text: tuple[str, ...],
    location: str | None,
    hours: str | None,
    travel_times: str | None,
    dictionaries: Sequence[str],
    key: str | None,
    events: Sequence[str],
    keep_writes: bool | None,
    threads: int | None,
    queue: int,
    deadline: float,
    max_body: int,
    patience: float,
    answer_cache: int,
    config: str | None,
    stale_while_revalidate: int,
    late: float | None,
    **network_and_access: Any,
) -> int:
    """Answer questions over HTTP; needs pip install 'concede[server]'."""
    if not catalogs and config is None:
        raise QueryError("no catalog", hint="give --catalog FILE or --catalog sample:cars")
    _check_installed()
    from ...http.configured import with_config
    from ...http.server import named_source
    from ...http.server import serve as run
    from ...http.settings import Limits, ServeSettings

    places = {"location": location_columns(location), "hours": hours, "travel_times": travel_times}
    named = (named_source(text, table, as_text, key) for text in catalogs)
    sources = tuple(replace(source, **places) for source in named)
    if config is not None:
        sources = with_config(sources, config)
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise QueryError("two catalogs have one name", hint="write --catalog NAME=FILE")
    sources = _with_files(sources, "dictionary", dictionaries)
    sources = _with_files(sources, "events", events)
    _check_events(events, sources)
    limits = Limits(
        threads=threads,
        queue=queue,
        deadline=deadline,
        body=max_body,
        answers=answer_cache,
        stale_while_revalidate=_stale_seconds(stale_while_revalidate, late),
        head_seconds=patience,
        body_seconds=patience,
        write_seconds=patience,
    )
    settings = ServeSettings(catalogs=sources, limits=limits, config=config, **network_and_access)
    return run(settings.keeping_writes(keep_writes))


def _check_events(events: Sequence[str], sources: Sequence[CatalogSource]) -> None:
    """Raise `QueryError` for events that nothing tells the items of."""
    if events and not any(source.key for source in sources):
        raise QueryError("--events without --key", hint="give --key")


def _with_files(
    sources: Sequence[CatalogSource], option: str, given: Sequence[str]
) -> tuple[CatalogSource, ...]:
    """Return the catalogs with their files of a kind; raise `QueryError` for a name of none."""
    names = [source.name for source in sources]
    files: dict[str, str] = {}
    for text in given:
        name, named, file = text.partition("=")
        if named and name not in names:
            hint = f"catalogs: {', '.join(names)}"
            raise QueryError(f"--{option} {excerpt(text)}: no such catalog", hint=hint)
        files[name if named else names[0]] = file if named else text
    return tuple(replace(source, **{option: files.get(source.name)}) for source in sources)


def _stale_seconds(seconds: int, late: float | None) -> int:
    """Return how old an answer may be; `--late` is the option's name until this release."""
    if seconds and late is not None:
        raise QueryError("--late and --stale-while-revalidate", hint="leave --late out")
    return seconds if late is None else math.ceil(late)


def _check_installed() -> None:
    from importlib.util import find_spec

    missing = [
        name
        for name in ("fastapi", "httptools", "prometheus_client", "uvicorn")
        if find_spec(name) is None
    ]
    if missing:
        raise QueryError(
            f"{', '.join(missing)} not installed", hint="pip install 'concede[server]'"
        )
