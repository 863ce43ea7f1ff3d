"""The replay sandbox as an MCP server: any agent calls the recorded tools of one case.

The tools and what they take come from their schemas; a recorded tool without one takes anything.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import anyio
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from ...catalogs.errors import ConcedeError
from ...dialogs.tools.calls import ToolCall
from ...dialogs.tools.sandbox import ReplaySandbox

INSTRUCTIONS = """\
The tools of a map, replayed: the same call always gets the same reply. `stage` says how it was \
found: exact and nearest were recorded, simulated was not, and a miss has no result.\
"""

ANNOTATIONS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

ANYTHING: dict[str, Any] = {"type": "object", "properties": {}}


def create_sandbox_server(sandbox: ReplaySandbox, case: str = "") -> Server[Any]:
    """Return a server with the tools of a sandbox, all called in one case."""

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(sandbox, name) for name in sandbox.tools])

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        call = ToolCall(params.name, params.arguments or {})
        return await run_sync(_reply, sandbox, call, case)

    return Server(
        "concede-sandbox",
        title="Recorded tools of a map, replayed",
        instructions=INSTRUCTIONS,
        version=version("concede"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _tool(sandbox: ReplaySandbox, name: str) -> Tool:
    schema = sandbox.schemas.get(name)
    return Tool(
        name=name,
        description="" if schema is None else schema.description,
        input_schema=ANYTHING if schema is None else dict(schema.parameters),
        annotations=ANNOTATIONS,
    )


def _reply(sandbox: ReplaySandbox, call: ToolCall, case: str) -> CallToolResult:
    try:
        record = sandbox.reply(call, case).record()
    except ConcedeError as error:
        return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
    text = json.dumps(record, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=record)


def serve_stdio(server: Server[Any]) -> None:
    """Serve over standard input and output until the client takes leave."""

    async def serve() -> None:
        async with stdio_server() as (receiving, sending):
            await server.run(receiving, sending, server.create_initialization_options())

    anyio.run(serve)
