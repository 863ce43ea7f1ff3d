"""The wire: uvicorn's protocol with an end to slow and endless heads, and to slow readers.

uvicorn ends connections that idle between requests. It waits for ever for the first byte of a
connection, for the end of a head and for a client that does not read its answer, and takes
heads of any size.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .http_problems import HttpProblem, problem_response
from .http_settings import Limits

FIRST_REQUEST_SECONDS = 0.5
"""How long a process that ends waits for what a fresh connection was opened for."""

_REASONS = {400: b"Bad Request", 408: b"Request Timeout", 431: b"Request Header Fields Too Large"}


class GuardedProtocol(HttpToolsProtocol):
    """One connection; `limits` are set once a process, before it serves."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_head = False
        self._head_size = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._asked = self._leaving = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait only so long for a head."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_waiting()
        self._stop_writing_timer()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Leave: what is asked is answered, also on a connection that is only just there."""
        if self._asked or self._leaving:
            super().shutdown()
            return
        self._leaving = True
        self.loop.call_later(FIRST_REQUEST_SECONDS, self._leave)

    def _leave(self) -> None:
        """Close a connection on which nothing was asked."""
        if not self._asked and not self.transport.is_closing():
            self.transport.close()

    def pause_writing(self) -> None:
        """Wait for a client that does not read, but only so long."""
        super().pause_writing()
        if self._write_timer is None:
            seconds = self.limits.write_seconds
            self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_writing_timer()
        super().resume_writing()

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._in_head, self._head_size = True, 0
        if self._head_timer is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        """End a head."""
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()
        self._asked = True
        if self._leaving:
            self.cycle.keep_alive = False

    def data_received(self, data: bytes) -> None:
        """Take bytes in; those of a head are counted."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > self.limits.head:
                most = f"{self.limits.head:,} bytes"
                self._refuse(431, "head-too-large", f"the head is larger than {most}")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(400, "not-http", "this is no HTTP request")

    def _expect_head(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self._head_is_late)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_writing_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _head_is_late(self) -> None:
        self._head_timer = None
        if self.transport.is_closing():
            return
        if self._in_head:
            self._refuse(408, "too-slow", f"no whole head in {self.limits.head_seconds:g} s")
        else:
            self.transport.close()

    def _refuse(self, status: int, kind: str, problem: str) -> None:
        """Answer without the application, and close."""
        answer = problem_response(HttpProblem(status, kind, problem))
        lines = [b"HTTP/1.1 %d %s" % (status, _REASONS[status]), b"connection: close"]
        lines += [name + b": " + value for name, value in answer.raw_headers]
        self.transport.write(b"\r\n".join([*lines, b"", bytes(answer.body)]))
        self.transport.close()
