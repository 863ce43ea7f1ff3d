"""uvicorn's HTTP/1.1 protocol with head-size, head-read and write timeouts (slow-loris protection).

uvicorn closes connections that idle between requests. It waits for ever for the first byte of a
connection, for the end of a head, and for a client that does not read its answer; and it takes
heads of any size. Here a head that is too slow is answered with 408, one too large with 431, a
connection that sends nothing is closed, and one whose client does not read is aborted. Costs a
timer for each head. A connection that is open when the process ends is given half a second to send
its first request.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .problem_details import HttpProblem, problem_response
from .settings import Limits

FIRST_REQUEST_SECONDS = 0.5
"""How long a process that ends waits for what a fresh connection was opened for."""

_REASONS = {400: b"Bad Request", 408: b"Request Timeout", 431: b"Request Header Fields Too Large"}


class TimeoutProtocol(HttpToolsProtocol):
    """One connection; `limits` are set once a process, before it serves."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_head = False
        self._head_size = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._had_request = self._shutting_down = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first head."""
        super().connection_made(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._cancel_head_timer()
        self._cancel_write_timer()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close after the present request, or when a fresh connection has sent none in time."""
        if self._had_request or self._shutting_down:
            super().shutdown()
            return
        self._shutting_down = True
        self.loop.call_later(FIRST_REQUEST_SECONDS, self._close_if_unused)

    def _close_if_unused(self) -> None:
        """Close a connection on which nothing was asked."""
        if not self._had_request and not self.transport.is_closing():
            self.transport.close()

    def pause_writing(self) -> None:
        """Start the timer after which a client that does not read is dropped."""
        super().pause_writing()
        if self._write_timer is None:
            seconds = self.limits.write_seconds
            self._write_timer = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the timer: the client reads."""
        self._cancel_write_timer()
        super().resume_writing()

    def on_message_begin(self) -> None:
        """Start counting the bytes of a head."""
        super().on_message_begin()
        self._in_head, self._head_size = True, 0
        if self._head_timer is None:
            self._start_head_timer()

    def on_headers_complete(self) -> None:
        """Cancel the timer of the head."""
        self._in_head = False
        self._cancel_head_timer()
        super().on_headers_complete()
        self._had_request = True
        if self._shutting_down:
            self.cycle.keep_alive = False

    def data_received(self, data: bytes) -> None:
        """Parse bytes; refuse a head that is too large."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > self.limits.head:
                most = f"{self.limits.head:,} bytes"
                self._refuse(431, "head-too-large", f"the head is larger than {most}")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(400, "not-http", "this is no HTTP request")

    def _start_head_timer(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self._head_timed_out)

    def _cancel_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _cancel_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _head_timed_out(self) -> None:
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
