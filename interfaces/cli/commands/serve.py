"""`concede serve`: the engine behind HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import rich_click as click

from ....catalogs.errors import QueryError
from ..completion import complete_catalog, complete_file
from ..options import any_option, table_options

LEVELS = ("debug", "info", "warning", "error")

_catalogs = partial(any_option, panel="Catalogs")
_network = partial(any_option, panel="Network", show_default=True)
_load = partial(any_option, panel="Load", show_default=True)
_file = partial(any_option, panel="Access", shell_complete=complete_file)


@click.command("serve")
@_catalogs(
    "--catalog",
    "catalogs",
    metavar="[NAME=]FILE|sample:cars",
    multiple=True,
    shell_complete=complete_catalog,
    help="What is served, any number of times; the first answers where none is named.",
)
@table_options("Catalogs")
@_catalogs(
    "--key",
    metavar="COLUMN",
    help="The column that tells rows apart, for changing them while it runs.",
)
@_catalogs(
    "--keep-writes/--forget-writes",
    "keep_writes",
    default=None,
    help="Whether rows written over HTTP go into the .duckdb file, which gets a column of row "
    "ids; by default where there is an admin token and one worker.",
)
@_network("--host", default="127.0.0.1", help="Where to listen.")
@_network(
    "--port", type=click.IntRange(0, 65_535), default=8000, help="The port; 0 takes a free one."
)
@_network(
    "--cors-origin",
    "cors_origins",
    metavar="ORIGIN",
    multiple=True,
    help="A site whose pages may ask; none unless named.",
)
@_load(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Processes; with more than one, catalogs cannot be changed and there is no chat.",
)
@_load(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Questions answered at once in a process (one a core).",
)
@_load(
    "--queue",
    type=click.IntRange(min=0),
    default=64,
    metavar="N",
    help="Questions that may wait; more are refused with 503.",
)
@_load(
    "--deadline",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=10.0,
    metavar="SECONDS",
    help="The most one question takes, waiting included.",
)
@_load(
    "--answer-cache",
    type=click.IntRange(min=0),
    default=64 * 2**20,
    metavar="BYTES",
    help="Answers kept for who asks the same again; 0 keeps none.",
)
@_load(
    "--stale-while-revalidate",
    type=click.IntRange(min=0, max=3600),
    default=0,
    metavar="SECONDS",
    help="While others wait, a question asked before may be given its answer of a version that "
    "was replaced no longer ago (RFC 5861); 0: never.",
)
@_load("--late", type=click.FloatRange(min=0, max=3600), hidden=True)
@_load(
    "--patience",
    type=click.FloatRange(min=0.1, max=3600),
    default=10.0,
    metavar="SECONDS",
    help="How long a client may take to send a head, a body, and to read.",
)
@_load(
    "--max-body",
    type=click.IntRange(min=1_000),
    default=2**20,
    metavar="BYTES",
    help="The largest body of a question.",
)
@_file(
    "--admin-token-file",
    metavar="FILE",
    help="The token that may change catalogs (or CONCEDE_ADMIN_TOKEN); without it nobody may.",
)
@_file(
    "--api-key-file",
    metavar="FILE",
    help="The key that may ask (or CONCEDE_API_KEY); without it anybody may.",
)
@_file(
    "--catalog-folder",
    metavar="FOLDER",
    help="Where catalogs may be loaded from while it runs; nowhere unless named.",
)
@any_option(
    "--log-level",
    type=click.Choice(LEVELS),
    default="info",
    show_default=True,
    panel="Output",
    help="What is logged to standard error, as JSON lines.",
)
def serve(
    catalogs: Sequence[str],
    table: str | None,
    as_text: tuple[str, ...],
    key: str | None,
    keep_writes: bool | None,
    threads: int | None,
    queue: int,
    deadline: float,
    max_body: int,
    patience: float,
    answer_cache: int,
    stale_while_revalidate: int,
    late: float | None,
    **network_and_access: Any,
) -> int:
    """Answer questions over HTTP; needs pip install 'concede[server]'."""
    if not catalogs:
        raise QueryError("no catalog", hint="give --catalog FILE or --catalog sample:cars")
    _check_installed()
    from ...http.server import named_source
    from ...http.server import serve as run
    from ...http.settings import Limits, ServeSettings

    sources = tuple(named_source(text, table, as_text, key) for text in catalogs)
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise QueryError("two catalogs have one name", hint="write --catalog NAME=FILE")
    limits = Limits(
        threads=threads,
        queue=queue,
        deadline=deadline,
        body=max_body,
        answers=answer_cache,
        # The option of this name before 0.2.
        stale_while_revalidate=stale_while_revalidate if late is None else int(late),
        head_seconds=patience,
        body_seconds=patience,
        write_seconds=patience,
    )
    settings = ServeSettings(catalogs=sources, limits=limits, **network_and_access)
    return run(settings.keeping_writes(keep_writes))


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
