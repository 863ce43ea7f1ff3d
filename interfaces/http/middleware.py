"""Middleware around every request: its id, the API key, and errors as problem documents."""

from __future__ import annotations

import hmac
import random
import re
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...catalogs.errors import ConcedeError
from ...engine.runtime.json_logging import LOG, request_id
from .problem_details import HttpProblem, problem_response
from .state import ServerState

CLIENT_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
KEYED = "/v1/"

OnEnd = Callable[[Scope, int, float], None]
"""Called with each request's scope, its status and the seconds it took."""


class RequestMiddleware:
    """ASGI middleware around everything else; calls `on_end` after each request.

    A request without the key, where one is set, ends here,
    its body unread.
    """

    def __init__(self, app: ASGIApp, state: ServerState, on_end: OnEnd) -> None:
        self.app = app
        self._state = state
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client_id = _header(scope, b"x-request-id")
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
            self._check_key(scope)
            await self.app(scope, receive, send)
        except ConcedeError as error:
            await problem_response(error, identity)(scope, receive, send)
        except Exception:
            LOG.exception("a request failed")
            if send.status:
                raise
            failure = HttpProblem(500, "internal", "the server failed", hint="see its log")
            await problem_response(failure, identity)(scope, receive, send)

    def _check_key(self, scope: Scope) -> None:
        key = self._state.secrets.api_key
        if key is None or not scope["path"].startswith(KEYED):
            return
        if scope["method"] == "OPTIONS":
            # Browsers ask whether they may before they send the key.
            return
        if not is_secret(key, _header(scope, b"x-api-key")):
            hint = "send it as X-API-Key"
            problem = "the API key is missing or wrong"
            raise HttpProblem(
                401, "api-key", problem, hint=hint, headers={"WWW-Authenticate": "ApiKey"}
            )


def is_secret(secret: str, candidate: str | None) -> bool:
    """Compare with a secret, in a time that tells nothing about it."""
    return candidate is not None and hmac.compare_digest(secret.encode(), candidate.encode())


def check_admin(request: Request) -> None:
    """Raise a problem unless the request carries the admin token, or there is none."""
    state: ServerState = request.app.state.concede
    token = state.secrets.admin_token
    if token is None:
        raise HttpProblem(
            403,
            "admin-off",
            "catalogs cannot be changed here: the server has no admin token",
            hint="start it with --admin-token-file",
        )
    scheme, _, candidate = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not is_secret(token, candidate.strip()):
        raise HttpProblem(
            401,
            "admin-token",
            "the admin token is missing or wrong",
            hint="send Authorization: Bearer TOKEN",
            headers={"WWW-Authenticate": "Bearer"},
        )


def _new_id() -> str:
    """Return an id for a request; it is to differ from others, not to be a secret."""
    return f"{random.getrandbits(64):016x}"


def _header(scope: Scope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return value.decode("latin-1")
    return None


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
