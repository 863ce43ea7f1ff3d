"""Requests over connections that stay open, by the standard library alone; from any thread.

A connection carries one request at a time, and idle ones are used again, the last first.
"""

from __future__ import annotations

import http.client
import selectors
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...catalogs.errors import QueryError, excerpt


@dataclass(frozen=True)
class Reply:
    """A response: its status, headers by lower-case names, and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Connections to one server; `timeout` bounds each wait for it, in seconds."""

    def __init__(
        self, url: str, timeout: float, idle: int = 8, context: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            hint = "write http://HOST:PORT"
            raise QueryError(f"{excerpt(url)} is no address of a service", hint=hint)
        self._parts, self._timeout, self._most = parts, timeout, idle
        self._context = context
        self._prefix = parts.path.rstrip("/")
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def send(
        self, method: str, target: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Reply:
        """Return the response to one request.

        Raises `OSError` or `HTTPException` where there is none.
        """
        connection = self._take()
        try:
            connection.request(method, self._prefix + target, body, dict(headers))
            response = connection.getresponse()
            content = response.read()
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._keep(connection)
        found = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, found, content)

    def _take(self) -> http.client.HTTPConnection:
        """Return an open connection that waits for nothing, or a new one."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._new()
            if connection.sock is not None and not _has_ended(connection):
                return connection
            connection.close()

    def _new(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(
                host, port, timeout=self._timeout, context=self._context
            )
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < self._most:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _has_ended(connection: http.client.HTTPConnection) -> bool:
    """Return whether the server has closed a connection, or sent what nobody asked for."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))
