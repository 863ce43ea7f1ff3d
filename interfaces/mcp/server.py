"""The MCP server: six tools over one catalog, and which hosts may reach it over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from importlib.metadata import version
from inspect import cleandoc
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import first_complaint
from ...catalogs.versions.copies import check_copied
from ...dialogs.extraction.extracted import Extractor
from .requests import check_arguments
from .talk import TalkTool
from .tools import CatalogTools

DEFAULT_DEADLINE = 10.0
MAX_BODY = 2**20
MAX_SESSIONS = 1_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

INSTRUCTIONS = """\
A catalog of items and what people want of them. Call catalog_schema once to learn the columns; \
understand turns a user's own words into wishes, and says what it does not understand; clarify \
says what to ask about them; search for items that meet every wish. When nothing matches, repair \
says which wishes should give way, with what is left then; diagnose says why. Put what was settled \
for good in base, what the user insists on in hard, and how much the rest matters in weights. Or \
pass on what the user says, word for word, with talk.\
"""

ANNOTATIONS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

A_TURN = ANNOTATIONS.model_copy(update={"idempotent_hint": False})


class CatalogServer(MCPServer[Any]):
    """An MCP server that refuses bad arguments in one line, with a hint."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool; raise `ToolError` for arguments it does not take."""
        schema = self._tool_input_schema(name)
        try:
            if schema is not None:
                check_arguments(arguments, list(schema["properties"]))
            return await super().call_tool(name, arguments, context)
        except QueryError as error:
            raise ToolError(str(error)) from None
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(str(first_complaint(error.__cause__, name))) from None
            raise


def create_server(
    catalog: Catalog,
    *,
    deadline: float = DEFAULT_DEADLINE,
    threads: int | None = None,
    reader: Extractor | None = None,
) -> CatalogServer:
    """Return a server with the six tools over a catalog.

    A call ends after `deadline` seconds with what it has; `threads` calls run at once. `reader`
    reads what users say, without a model unless it has one. Raises `CatalogError` for a catalog
    whose rows stay in their database.
    """
    check_copied(catalog)
    server = CatalogServer(
        "concede",
        title="Product search that says what to give up",
        instructions=INSTRUCTIONS,
        version=version("concede"),
        log_level="WARNING",
    )
    tools = CatalogTools(catalog, deadline=deadline, threads=threads, reader=reader)
    offered = (
        tools.understand, tools.clarify, tools.search, tools.diagnose, tools.repair,
        tools.catalog_schema,
    )  # fmt: skip
    for tool in offered:
        server.add_tool(tool, description=cleandoc(tool.__doc__ or ""), annotations=ANNOTATIONS)
    talk = TalkTool(tools).talk
    server.add_tool(talk, description=cleandoc(talk.__doc__ or ""), annotations=A_TURN)
    return server


def security(hosts: Sequence[str]) -> TransportSecuritySettings:
    """Return which Host and Origin headers are let in: of this machine, and of named hosts.

    A page in a browser could otherwise reach a server on its user's machine (DNS rebinding).
    """
    named = [*LOOPBACK, *hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*(f"{host}:*" for host in named), *hosts],
        allowed_origins=[
            *(f"{scheme}://{host}{port}" for scheme in ("http", "https") for host in named
              for port in ("", ":*")),
        ],
    )  # fmt: skip


def serve_http(server: MCPServer[Any], listening: socket.socket, hosts: Sequence[str] = ()) -> None:
    """Serve streamable HTTP at `/mcp` on a listening socket until the process is told to end."""
    import uvicorn

    app = server.streamable_http_app(
        max_request_body_size=MAX_BODY,
        max_sessions=MAX_SESSIONS,
        transport_security=security(hosts),
    )
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
    uvicorn.Server(config).run(sockets=[listening])
