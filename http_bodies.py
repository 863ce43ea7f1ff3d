"""Bodies of requests: read up to a size and a time, and parsed once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect, Request

from .http_problems import BadBody, HttpProblem, complaint
from .http_state import ServerState, state_of

DISCARDED = 32 * 2**20
"""How much of a body that is too large is read and dropped, so that the client, which sends
before it reads, sees the answer instead of a broken connection."""

CLOSING = {"Connection": "close"}


class Body(BaseModel):
    """The JSON object a path takes: no unknown fields, no value of another type."""

    # Unknown fields are refused by `parsed`: pydantic would write a complaint about each, and a
    # body holds a hundred thousand of them.
    model_config = ConfigDict(extra="allow", frozen=True, strict=True, allow_inf_nan=False)


Parsed = TypeVar("Parsed", bound=BaseModel)


async def read_json(request: Request, kind: type[Parsed], limit: int | None = None) -> Parsed:
    """Return the body as `kind`; `limit` is its greatest size in bytes.

    Raises what `read_json_text` and `parsed` raise.
    """
    return parsed(await read_json_text(request, limit), kind)


async def read_json_text(request: Request, limit: int | None = None) -> bytes:
    """Return the body of a request that says it is JSON; `limit` is its greatest size in bytes.

    Raises an `HttpProblem` for a body that has another content type, is too large or too slow.
    """
    _check_type(_headers(request))
    return await read_body(request, limit or state_of(request).settings.limits.body)


def parsed(body: bytes, kind: type[Parsed]) -> Parsed:
    """Return a body as `kind`.

    Raises an `HttpProblem` for one that is no JSON, and what validation raises: `BadBody` or a
    `QueryError`.
    """
    try:
        found = kind.model_validate_json(body)
    except ValidationError as error:
        raise _bad(error) from None
    for name, value in (found.model_extra or {}).items():
        raise BadBody([complaint((name,), "no such field", value)])
    return found


def _bad(error: ValidationError) -> HttpProblem:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] != "json_invalid":
        return BadBody([complaint(one["loc"], one["msg"], one["input"]) for one in error.errors()])
    reason = str(first.get("ctx", {}).get("error", "not JSON"))
    return HttpProblem(400, "not-json", f"the body is no JSON: {reason}", hint="send JSON")


def _check_type(headers: Mapping[bytes, bytes]) -> None:
    given = (headers.get(b"content-type") or b"application/json").decode("latin-1")
    kind = given.partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        hint = "send Content-Type: application/json"
        raise HttpProblem(415, "content-type", f"cannot read {kind[:80]}", hint=hint)
    encoding = headers.get(b"content-encoding", b"identity").decode("latin-1").strip().lower()
    if encoding != "identity":
        hint = "send it as it is"
        raise HttpProblem(415, "content-encoding", f"cannot read {encoding[:80]}", hint=hint)


def _headers(request: Request) -> Mapping[bytes, bytes]:
    """Return the first of each header; looking one up in the framework's takes longer."""
    return dict(reversed([*request.scope["headers"]]))


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body, at most `limit` bytes, held in memory once."""
    state = state_of(request)
    seconds = state.settings.limits.body_seconds
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, state, limit)
    except TimeoutError:
        raise HttpProblem(
            408, "too-slow", f"the body took more than {seconds:g} s", headers=CLOSING
        ) from None
    except ClientDisconnect:
        # Nobody reads this.
        raise HttpProblem(400, "gone", "the connection was closed", headers=CLOSING) from None


async def _read(request: Request, state: ServerState, limit: int) -> bytes:
    headers = _headers(request)
    announced = _announced(headers)
    if announced > limit and headers.get(b"expect"):
        raise _too_large(limit)
    chunks: list[bytes] = []
    size = held = 0
    try:
        more = True
        while more and size <= max(limit, DISCARDED):
            chunk, more = await _next_chunk(request)
            size += len(chunk)
            if max(size, announced) <= limit:
                chunks.append(chunk)
                held += len(chunk)
                state.hold_body(len(chunk))
    finally:
        state.held_bodies -= held
    if max(size, announced) > limit:
        raise _too_large(limit)
    return b"".join(chunks)


async def _next_chunk(request: Request) -> tuple[bytes, bool]:
    """Return the next bytes of a body, and whether more come."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def _announced(headers: Mapping[bytes, bytes]) -> int:
    text = headers.get(b"content-length", b"0")
    # A server has checked it; int() also takes signs, spaces and underscores.
    return int(text) if text.isdigit() and len(text) < 20 else 0


def _too_large(limit: int) -> HttpProblem:
    problem = f"the body is larger than {limit:,} bytes"
    return HttpProblem(413, "too-large", problem, hint="send less at once", headers=CLOSING)
