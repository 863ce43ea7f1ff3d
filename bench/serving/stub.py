"""A server that answers at once, always the same: what remains is the load generator's own."""

from __future__ import annotations

import asyncio

END = b"\r\n\r\n"


class Stub(asyncio.Protocol):
    """Answers each request it has read whole."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request."""
        self._buffer += data
        end = self._buffer.find(END)
        if end < 0 or self._transport is None:
            return
        length = bytes(self._buffer[:end]).lower().partition(b"content-length:")[2]
        needed = end + len(END) + int(length.split(b"\r\n", 1)[0] or 0)
        if len(self._buffer) >= needed:
            del self._buffer[:needed]
            self._transport.write(self._answer)


def main(size: int) -> None:
    """Serve on a free port of this machine, printed, with bodies of so many bytes."""
    answer = f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode() + b"x" * size

    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Stub(answer), "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(run())
