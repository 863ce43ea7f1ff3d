"""Request bodies: read up to a size and a time, then parsed once by a pydantic model, in a thread.

A body that is too large is read past and dropped, so that it costs no memory.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request

from ...catalogs.errors import Overloaded
from ...engine.runtime.thread_pool import BoundedPool
from .problem_details import BadBody, HttpProblem, complaint

DISCARDED = 32 * 2**20
"""How much of a body that is too large is read and dropped, so that the client, which sends
before it reads, sees the answer instead of a broken connection."""

SMALL = 8 * 1024
"""Bytes of a body that is parsed where it came, in less time than handing it to a thread saves."""

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
CLOSING = {"Connection": "close"}


class Body(BaseModel):
    """The JSON object a path takes: no unknown fields, no value of another type."""

    # Unknown fields are refused by `parsed`: pydantic would write a complaint about each, and a
    # body holds a hundred thousand of them.
    model_config = ConfigDict(extra="allow", frozen=True, strict=True, allow_inf_nan=False)


Parsed = TypeVar("Parsed", bound=BaseModel)


def parsed(body: bytes, kind: type[Parsed]) -> Parsed:
    """Return a body as `kind`.

    Raises an `HttpProblem` for one that is no JSON, and what validation raises: `BadBody` or a
    `QueryError`.
    """
    try:
        model = kind.model_validate_json(body)
    except ValidationError as error:
        raise _bad_body(error) from None
    for name, value in (model.model_extra or {}).items():
        raise BadBody([complaint((name,), "no such field", value)])
    return model


def _bad_body(error: ValidationError) -> HttpProblem:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] != "json_invalid":
        return BadBody(
            [complaint(fault["loc"], fault["msg"], fault["input"]) for fault in error.errors()]
        )
    reason = str(first.get("ctx", {}).get("error", "not JSON"))
    return HttpProblem(400, "not-json", f"the body is no JSON: {reason}", hint="send JSON")


def _check_type(headers: Headers, expected: str) -> None:
    content_type = headers.get("content-type") or expected
    kind = content_type.partition(";")[0].strip().lower()
    if kind != expected and not (expected == JSON and kind.endswith("+json")):
        hint = f"send Content-Type: {expected}"
        raise HttpProblem(415, "content-type", f"cannot read {kind[:80]}", hint=hint)
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        hint = "send it as it is"
        raise HttpProblem(415, "content-encoding", f"cannot read {encoding[:80]}", hint=hint)


class BodyReader:
    """Reads bodies, each up to a size and a time, and all together up to `max_together` bytes.

    A body is in memory once. Used from one event loop. `nbytes` is what is being read now. At most
    `queue` bodies wait to be parsed.
    """

    def __init__(self, max_bytes: int, seconds: float, max_together: int, queue: int) -> None:
        self.max_bytes = max_bytes
        self.seconds = seconds
        self.max_together = max_together
        self.nbytes = 0
        # A thread of its own: questions that run for seconds are not waited for.
        self._queue = queue
        self._parsing = BoundedPool(1, queue)

    async def read_json(
        self, request: Request, kind: type[Parsed], max_bytes: int | None = None
    ) -> Parsed:
        """Return the body as `kind`; raises what `read_json_text` and `parsed` raise."""
        return await self.parse(await self.read_json_text(request, max_bytes), kind)

    async def parse(self, body: bytes, kind: type[Parsed]) -> Parsed:
        """Return a body as `kind`: in a thread unless it is small, since others wait for the loop.

        Raises what `parsed` raises, and `Overloaded` where many bodies wait to be parsed.
        """
        if len(body) <= SMALL:
            return parsed(body, kind)
        return await self._parsing.run(lambda _: parsed(body, kind))

    def open(self) -> None:
        """Parse bodies, also after `close`."""
        if self._parsing.closed:
            self._parsing = BoundedPool(1, self._queue)

    def close(self) -> None:
        """Parse no more bodies, and wait for those taken."""
        self._parsing.close()

    async def read_json_text(self, request: Request, max_bytes: int | None = None) -> bytes:
        """Return the body of a request that says it is JSON.

        Raises an `HttpProblem` for a body that has another content type, is too large or too
        slow, and `Overloaded` where all together are too large.
        """
        _check_type(request.headers, JSON)
        return await self._read_in_time(request, max_bytes)

    async def read(self, request: Request, max_bytes: int) -> bytes:
        """Return the body of a request, whatever it holds; raises as `read_json_text`."""
        return await self._read_in_time(request, max_bytes)

    async def read_form(self, request: Request, max_bytes: int) -> bytes:
        """Return the body of a request that says it is a form; raises as `read_json_text`."""
        _check_type(request.headers, FORM)
        return await self._read_in_time(request, max_bytes)

    async def _read_in_time(self, request: Request, max_bytes: int | None) -> bytes:
        try:
            async with asyncio.timeout(self.seconds):
                return await self._read(request, max_bytes or self.max_bytes)
        except TimeoutError:
            raise HttpProblem(
                408, "too-slow", f"the body took more than {self.seconds:g} s", headers=CLOSING
            ) from None
        except ClientDisconnect:
            # Nobody reads this.
            raise HttpProblem(400, "gone", "the connection was closed", headers=CLOSING) from None

    async def _read(self, request: Request, max_bytes: int) -> bytes:
        announced = _announced(request.headers)
        if announced > max_bytes and request.headers.get("expect"):
            raise _too_large(max_bytes)
        chunks: list[bytes] = []
        size = in_memory = 0
        try:
            more = True
            while more and size <= max(max_bytes, DISCARDED):
                chunk, more = await _next_chunk(request)
                size += len(chunk)
                if max(size, announced) <= max_bytes:
                    chunks.append(chunk)
                    in_memory += len(chunk)
                    self._reserve(len(chunk))
        finally:
            self.nbytes -= in_memory
        if max(size, announced) > max_bytes:
            raise _too_large(max_bytes)
        return b"".join(chunks)

    def _reserve(self, size: int) -> None:
        self.nbytes += size
        if self.nbytes > self.max_together:
            raise Overloaded("too many bodies are being read", hint="send it again in a moment")


async def _next_chunk(request: Request) -> tuple[bytes, bool]:
    """Return the next bytes of a body, and whether more come."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def _announced(headers: Headers) -> int:
    text = headers.get("content-length", "0")
    # A server has checked it; int() also takes signs, spaces and underscores.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _too_large(limit: int) -> HttpProblem:
    problem = f"the body is larger than {limit:,} bytes"
    return HttpProblem(413, "too-large", problem, hint="send less at once", headers=CLOSING)
