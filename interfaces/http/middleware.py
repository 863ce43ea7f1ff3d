"""Middleware around every request: its id, its key, and errors as problem documents."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import Literal

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...catalogs.errors import ConcedeError
from ...engine.runtime.json_logging import LOG, request_id
from .host_names import HostNames
from .problem_details import HttpProblem, problem_response
from .state import ServerState

CLIENT_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
KEYED = "/v1/"
CATALOGS = "/v1/catalogs"
KEY = "concede.key"
"""Where a request's scope holds the key that let it in."""

OnEnd = Callable[[Scope, int, float], None]
"""Called with each request's scope, its status and the seconds it took."""


class RequestMiddleware:
    """ASGI middleware around everything else; calls `on_end` after each request.

    A request without the key, where one is set, ends here, its body unread.
    """

    def __init__(self, app: ASGIApp, state: ServerState, on_end: OnEnd) -> None:
        self.app = app
        self._state = state
        self._on_end = on_end
        settings = state.settings
        named = settings.hosts
        self._hosts = None if named is None else HostNames(settings.host, named)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client_id = Headers(scope=scope).get("x-request-id")
        identity = client_id if client_id and CLIENT_ID.fullmatch(client_id) else _new_id()
        token = request_id.set(identity)
        tagged = _TaggedSend(send, identity)
        started = time.perf_counter()
        try:
            await self._serve(scope, receive, tagged, identity)
        finally:
            self._on_end(scope, tagged.status, time.perf_counter() - started)
            request_id.reset(token)

    async def _serve(
        self, scope: Scope, receive: Receive, send: _TaggedSend, identity: str
    ) -> None:
        try:
            self._check(scope)
            await self.app(scope, receive, send)
        except ConcedeError as error:
            await problem_response(error, identity)(scope, receive, send)
        except Exception:
            LOG.exception("a request failed")
            if send.status:
                raise
            failure = HttpProblem(500, "internal", "the server failed", hint="see its log")
            await problem_response(failure, identity)(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raise a problem for a request that may not ask; remember the key of one that may."""
        headers, access = Headers(scope=scope), self._state.access
        if self._hosts is not None and not access.has_keys:
            self._hosts.check(scope["path"], headers.get("host"))
        # Browsers ask whether they may (OPTIONS) before they send the key.
        if scope["path"].startswith(KEYED) and not (
            scope["method"] == "OPTIONS" or _changes_catalogs(scope)
        ):
            scope[KEY] = access.check_search(headers)


def _changes_catalogs(scope: Scope) -> bool:
    """Return whether a request changes catalogs, for which `check_change` asks another key."""
    return scope["method"] in ("POST", "DELETE") and scope["path"].startswith(CATALOGS)


def check_admin(request: Request, scope: Literal["write", "admin"] = "admin") -> None:
    """Raise a problem unless the request carries a key that may change catalogs so."""
    state: ServerState = request.app.state.concede
    request.scope[KEY] = state.access.check_change(request.headers, scope)


def _new_id() -> str:
    """Return an id for a request; it is to differ from others, not to be a secret."""
    return f"{random.getrandbits(64):016x}"


class _TaggedSend:
    """`send` with the request's id in the head."""

    def __init__(self, send: Send, identity: str) -> None:
        self.status = 0
        self._send = send
        self._headers = [
            (b"x-request-id", identity.encode()),
            (b"x-content-type-options", b"nosniff"),
        ]

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._headers]
        await self._send(message)
