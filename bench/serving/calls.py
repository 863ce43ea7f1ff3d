"""Blocking calls of the service, each over a connection of its own, which any process may take."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection, HTTPException
from typing import Any

from .server import Server

CALL_SECONDS = 30.0
PATIENCE_SECONDS = 400.0
PAUSE = 0.02
BUSY = 503


def call(server: Server, method: str, path: str, body: object = None) -> tuple[int, Any]:
    """Return the status and the JSON of one answer; raises `OSError` where the connection breaks.

    `HTTPException` is told as one.
    """
    connection = HTTPConnection(server.host, server.port, timeout=CALL_SECONDS)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"}
    text = None if body is None else json.dumps(body)
    try:
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    except HTTPException as error:
        raise ConnectionError(str(error)) from None
    finally:
        connection.close()


def answered(server: Server, method: str, path: str, body: object = None) -> tuple[int, Any]:
    """Return the first answer that is not 503, asking again where the connection breaks.

    Raises `TimeoutError` where none comes within minutes.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            status, told = call(server, method, path, body)
            if status != BUSY:
                return status, told
        except OSError:
            pass
        time.sleep(PAUSE)
    raise TimeoutError(f"nobody answers {method} {path}")
