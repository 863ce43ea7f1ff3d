"""`concede mcp`: a catalog as tools for agents, over standard input and output or HTTP."""

from __future__ import annotations

import socket
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError, excerpt
from ....catalogs.vectors.kernel_use import kernels_need_no_compiler
from ..options import (
    ABOVE_ZERO,
    PORT,
    POSITIVE,
    catalog_options,
    dictionary_option,
    panel_options,
)
from ..output import complain
from ..query_options import CatalogOptions, open_catalog
from ..reader_options import chosen_reader, reader_options

if TYPE_CHECKING:
    from ....dialogs.extraction.extracted import Extractor
    from ...mcp.server import CatalogServer

LOOPBACK = ("127.0.0.1", "localhost", "::1")

_transport, _limits = panel_options("Transport"), panel_options("Limits")


@click.command("mcp")
@catalog_options
@dictionary_option
@_transport("--http", None, "Serve streamable HTTP at /mcp.", is_flag=True)
@_transport("--host", "ADDRESS", "For --http: the address to listen on.", default="127.0.0.1")
@_transport("--port", "P", "For --http: the port; 0 takes a free one.", type=PORT, default=8765)
@_transport(
    "--allowed-host",
    "NAME",
    "For --http: a name clients may call this server by, beside loopback.",
    "hosts",
    multiple=True,
)
@_limits(
    "--deadline",
    "SECONDS",
    "How long one call may take; then comes what was found.",
    type=ABOVE_ZERO,
    default=10.0,
)
@_limits("--threads", "N", "Calls answered at once (default: one a core).", type=POSITIVE)
@reader_options
def mcp(
    http: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    deadline: float,
    threads: int | None,
    **given: Any,
) -> int:
    """Offer a catalog to agents: understand, search, diagnose, repair, catalog_schema, talk.

    Over standard input and output, as agents start it themselves; with --http for many at once.
    """
    if http and host not in LOOPBACK and not hosts:
        hint = "name what clients call it by: --allowed-host shop.example"
        raise QueryError(f"--host {excerpt(host)} is not this machine alone", hint=hint)
    named: dict[str, Any] = {
        field.name: given[field.name] for field in fields(CatalogOptions) if field.name in given
    }
    named["form"] = ""
    options = CatalogOptions(**named)
    server = _server(options, chosen_reader(given), deadline, threads)
    if not http:
        server.run("stdio")
        return 0
    from ...mcp.server import serve_http

    with _listening(host, port) as listening:
        place = f"[{host}]" if ":" in host else host
        complain(f"listening on http://{place}:{listening.getsockname()[1]}/mcp")
        serve_http(server, listening, hosts)
    return 0


def _server(
    options: CatalogOptions, reader: Extractor, deadline: float, threads: int | None
) -> CatalogServer:
    try:
        from ...mcp.server import create_server
    except ImportError:
        hint = "pip install 'concede[mcp]'"
        raise QueryError("serving agents needs the mcp package", hint=hint) from None
    catalog = open_catalog(options)
    # An agent waits for its tools: what has to be compiled first is made ready by the questions.
    if kernels_need_no_compiler(catalog.row_count):
        catalog.warm()
    return create_server(catalog, deadline=deadline, threads=threads, reader=reader)


def _listening(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `QueryError` for an address that cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        problem = f"cannot listen on {excerpt(host)} port {port}: {error.strerror or error}"
        raise QueryError(problem, hint="choose another --port or --host") from None
    return listening
