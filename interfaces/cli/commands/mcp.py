"""`concede mcp`: a catalog as tools for agents, over standard input and output or HTTP."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError, shown
from ..options import any_option as _option
from ..options import catalog_options
from ..output import complain
from ..query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from ...mcp.server import CatalogServer

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("mcp")
@catalog_options
@_option("--http", is_flag=True, panel="Transport", help="Serve streamable HTTP at /mcp.")
@_option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    panel="Transport",
    metavar="ADDRESS",
    help="For --http: the address to listen on.",
)
@_option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8765,
    show_default=True,
    panel="Transport",
    metavar="P",
    help="For --http: the port; 0 takes a free one.",
)
@_option(
    "--allowed-host",
    "hosts",
    multiple=True,
    panel="Transport",
    metavar="NAME",
    help="For --http: a name clients may call this server by, beside loopback.",
)
@_option(
    "--deadline",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    panel="Limits",
    metavar="SECONDS",
    help="How long one call may take; then comes what was found.",
)
@_option(
    "--threads",
    type=click.IntRange(min=1),
    panel="Limits",
    metavar="N",
    help="Calls answered at once (default: one a core).",
)
def mcp(
    http: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    deadline: float,
    threads: int | None,
    **given: Any,
) -> int:
    """Offer a catalog to agents: search, diagnose, repair, catalog_schema.

    Over standard input and output, as agents start it themselves; with --http for many at once.
    """
    if http and host not in LOOPBACK and not hosts:
        hint = "name what clients call it by: --allowed-host shop.example"
        raise QueryError(f"--host {shown(host)} is not this machine alone", hint=hint)
    server = _server(CatalogOptions(form="", **given), deadline, threads)
    if not http:
        server.run("stdio")
        return 0
    from ...mcp.server import serve_http

    with _listening(host, port) as listening:
        place = f"[{host}]" if ":" in host else host
        complain(f"listening on http://{place}:{listening.getsockname()[1]}/mcp")
        serve_http(server, listening, hosts)
    return 0


def _server(options: CatalogOptions, deadline: float, threads: int | None) -> CatalogServer:
    try:
        from ...mcp.server import create_server
    except ImportError:
        hint = "pip install 'concede[mcp]'"
        raise QueryError("serving agents needs the mcp package", hint=hint) from None
    catalog = open_catalog(options)
    catalog.warm()
    return create_server(catalog, deadline=deadline, threads=threads)


def _listening(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `QueryError` for an address that cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        problem = f"cannot listen on {shown(host)} port {port}: {error.strerror or error}"
        raise QueryError(problem, hint="choose another --port or --host") from None
    return listening
