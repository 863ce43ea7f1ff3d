"""Talking to the tools as an agent does, with the protocol's official client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, ElicitResult

from command_line import PROGRAM

Result = TypeVar("Result")

LAMPS = """\
name,colour,price,watts,room
Arc,red,40,9,hall
Bow,red,60,7,hall
Cup,blue,35,5,bath
Dot,blue,80,12,hall
Elm,green,20,,bath
Fir,green,25,4,
"""
"""A small catalog; no red lamp costs 30 or less, none is both red and for the bath."""

TIED = {"where": "colour = 'red' AND price <= 30"}
"""Dropping either wish would do, and each costs the same."""

MODES = ("auto", "legacy")
"""The protocol of 2026-07-28, and the handshake of the one before."""


def choosing(text: str, questions: list[Any] | None = None) -> Any:
    """Return what a client does when asked: it takes the choice that begins with `text`."""

    async def answer(_: Any, question: Any) -> ElicitResult:
        if questions is not None:
            questions.append(question)
        options = question.requested_schema["properties"]["gives_way"]["enum"]
        chosen = next(option for option in options if option.startswith(text))
        return ElicitResult(action="accept", content={"gives_way": chosen})

    return answer


def refusing(action: Any, content: Any = None) -> Any:
    """Return what a client does when asked: it ends the question in this way."""

    async def answer(_: Any, __: Any) -> ElicitResult:
        return ElicitResult(action=action, content=content)

    return answer


def talk(
    server: Any, do: Callable[[Client], Awaitable[Result]], mode: str = "auto", answer: Any = None
) -> Result:
    """Connect to a server (object, URL or program), do something, and take leave."""

    async def connected() -> Result:
        async with asyncio.timeout(60):
            async with Client(server, mode=mode, elicitation_callback=answer) as client:
                return await do(client)

    return asyncio.run(connected())


def call(
    server: Any, tool: str, arguments: dict[str, Any], mode: str = "auto", answer: Any = None
) -> CallToolResult:
    """Call one tool of a server."""

    async def once(client: Client) -> CallToolResult:
        return await client.call_tool(tool, arguments)

    return talk(server, once, mode, answer)


def complaint(result: CallToolResult) -> str:
    """Return the one line that a failed call says."""
    assert result.is_error
    [content] = result.content
    assert content.type == "text"
    assert content.text.isprintable()
    assert len(content.text) < 700
    assert "Traceback" not in content.text
    return content.text


def over_stdio(folder: Path, *arguments: str) -> StdioServerParameters:
    """Return `concede mcp` as a program that a client starts, in a folder."""
    return StdioServerParameters(
        command=sys.executable, args=["-c", PROGRAM, "mcp", *arguments], cwd=folder
    )


@contextmanager
def over_http(folder: Path, *arguments: str) -> Iterator[str]:
    """Run `concede mcp --http` on a free port, and give its address."""
    command = [sys.executable, "-c", PROGRAM, "mcp", "--http", "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "listening on " in line, line + process.stderr.read()
            yield line.partition("listening on ")[2].strip()
        finally:
            process.terminate()
            out, err = process.communicate(timeout=20)
            assert out == ""
            assert "Traceback" not in err, err


def length(value: Any) -> int:
    """Return the characters of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False))
