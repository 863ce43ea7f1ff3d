"""Requests that only the owner can answer, sent to it: writes, events, conversations.

A follower reads the body, within its limits, and sends it whole over a connection of its own, so
that a slow client never holds the owner. While a new owner starts it is waited for.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ..problem_details import HttpProblem

if TYPE_CHECKING:
    from ..state import ServerState

CATALOGS = "/v1/catalogs"
HELD = ("/v1/chat", "/v1/events", "/v1/users", "/chat")
"""What is held by the owner alone: it answers whatever is asked there."""

BESIDE = b"conversation="
"""What the address of a page says that shows a conversation beside its result."""

PAGES = frozenset(("/", "/page/app", "/page/result"))

READING = frozenset(("GET", "HEAD"))

OWN_REQUEST_HEADERS = frozenset(
    b"connection content-length expect transfer-encoding accept-encoding origin".split()
)
"""Of the client's connection; how an answer is compressed and who may read it is settled there."""

OWN_ANSWER_HEADERS = frozenset(
    b"connection content-length date server x-request-id x-content-type-options".split()
)

PAUSE = 0.05
"""Seconds between two attempts to reach the owner."""


FORWARDED = "concede.forwarded"
"""Where a request's scope says that the owner has answered it, and counted it."""


class ForwardingMiddleware:
    """ASGI middleware that has the owner answer what it alone can, where this process is not it."""

    def __init__(self, app: ASGIApp, state: ServerState) -> None:
        self.app = app
        self._state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or not (self._state.role.owner_socket and is_owned(scope)):
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await self._state.bodies.read(request, self._state.settings.limits.admin_body)
        response = await forwarded(self._state, request, body)
        await response(scope, receive, send)


def is_owned(scope: Scope) -> bool:
    """Return whether a request writes, or asks for what the owner alone holds."""
    path, reads = scope["path"], scope["method"] in READING
    if scope["method"] == "OPTIONS":
        return False
    if path in PAGES and BESIDE in scope["query_string"]:
        return True
    return path.startswith(HELD) or (path.startswith(CATALOGS) and not reads)


async def forwarded(state: ServerState, request: Request, body: bytes) -> Response:
    """Return what the owner answers to a request; the version that it tells is followed soon.

    Raises a 503 `HttpProblem` where there is no owner in time, or it ends before it has answered.
    """
    socket = state.role.owner_socket
    assert socket is not None
    reader, writer = await _connected(socket, state.settings.limits.deadline)
    try:
        writer.write(_head(request.scope, len(body)) + body)
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        content = await reader.read()
        response = _response(head, content)
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise HttpProblem(
            503,
            "writer-ended",
            "the process that writes ended before it had answered",
            hint="send it again: it may have been taken in, or not",
        ) from None
    finally:
        writer.close()
    request.scope[FORWARDED] = True
    state.role.hurry()
    return response


async def _connected(
    socket: Path, seconds: float
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    until = time.monotonic() + seconds
    while True:
        try:
            return await asyncio.open_unix_connection(str(socket))
        except OSError:
            if time.monotonic() > until:
                raise HttpProblem(
                    503, "no-writer", "the process that writes is starting", hint="try again soon"
                ) from None
        await asyncio.sleep(PAUSE)


def _head(scope: Scope, length: int) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    target = path.partition(b"?")[0] + (b"?" + query if query else b"")
    # HTTP/1.0: the answer ends with the connection.
    lines = [b"%s %s HTTP/1.0" % (scope["method"].encode(), target)]
    for name, value in scope["headers"]:
        if name.lower() not in OWN_REQUEST_HEADERS:
            lines.append(name + b": " + value)
    return b"\r\n".join([*lines, b"content-length: %d" % length, b"", b""])


def _response(head: bytes, content: bytes) -> Response:
    first, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    response = Response(content, int(first.split(b" ", 2)[1]))
    headers = [tuple(line.split(b": ", 1)) for line in lines]
    kept = [(name, value) for name, value in headers if name.lower() not in OWN_ANSWER_HEADERS]
    response.raw_headers = [*kept, (b"content-length", b"%d" % len(content))]
    return response
