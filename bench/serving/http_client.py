"""A minimal HTTP client: requests built beforehand, one at a time on each connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

OnReply = Callable[["Connection", int, bytes], None]
"""Called with the connection, the status (0: it broke) and the body."""


def post_request(path: str, body: bytes, *, token: str | None = None) -> bytes:
    """Return the bytes of a POST of JSON."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
    return head.encode() + body


class Connection(asyncio.Protocol):
    """One connection; it stays open, and is idle or waits for one answer."""

    def __init__(self, done: OnReply) -> None:
        self._done = done
        self._buffer = bytearray()
        self._needed = 0
        self._head = 0
        self._status = 0
        self._busy = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def send(self, message: bytes) -> None:
        """Ask; the answer goes to `done`."""
        self._busy = True
        if self._transport is None or self._transport.is_closing():
            self._end(0, b"")
            return
        self._transport.write(message)

    def data_received(self, data: bytes) -> None:
        """Take a piece of the answer."""
        self._buffer += data
        if not self._needed and not self._read_head():
            return
        if len(self._buffer) >= self._needed:
            body = bytes(self._buffer[self._head : self._needed])
            self._end(self._status, body)

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end]).lower()
        self._status = int(head[9:12])
        length = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        self._head = end + 4
        self._needed = self._head + int(length or 0)
        return True

    def _end(self, status: int, body: bytes) -> None:
        self._buffer.clear()
        self._needed = 0
        self._busy = False
        self._done(self, status, body)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; an answer that was waited for is lost."""
        self._transport = None
        if self._busy:
            self._end(0, b"")

    @property
    def open(self) -> bool:
        """Whether it can be used again."""
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        """Close it."""
        if self._transport is not None:
            self._transport.close()
