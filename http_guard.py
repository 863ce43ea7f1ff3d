"""Middleware around every request: its id, the API key, and errors as problem documents."""

from __future__ import annotations

import hmac
import random
import re
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .catalogs.errors import ConcedeError
from .engine.logs import LOG, request_id
from .http_problems import HttpProblem, problem_response
from .http_state import ServerState

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
KEYED = "/v1/"

Ended = Callable[[Scope, int, float], None]
"""Called with each request's scope, its status and the seconds it took."""


class RequestMiddleware:
    """ASGI middleware around everything else.

    `ended` is told of each request. A request without the key, where one is set, ends here,
    its body unread.
    """

    def __init__(self, app: ASGIApp, state: ServerState, ended: Ended) -> None:
        self.app = app
        self._state = state
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = _header(scope, b"x-request-id")
        identity = given if given and GIVEN_ID.fullmatch(given) else _made_id()
        token = request_id.set(identity)
        sending = _Sending(send, identity)
        started = time.perf_counter()
        try:
            await self._serve(scope, receive, sending, identity)
        finally:
            self._ended(scope, sending.status, time.perf_counter() - started)
            request_id.reset(token)

    async def _serve(
        self, scope: Scope, receive: Receive, sending: _Sending, identity: str
    ) -> None:
        try:
            self._check_key(scope)
            await self.app(scope, receive, sending)
        except ConcedeError as error:
            await problem_response(error, identity)(scope, receive, sending)
        except Exception:
            LOG.exception("a request failed")
            if sending.status:
                raise
            failure = HttpProblem(500, "internal", "the server failed", hint="see its log")
            await problem_response(failure, identity)(scope, receive, sending)

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


def is_secret(secret: str, given: str | None) -> bool:
    """Return whether what was given is the secret, in a time that tells nothing about it."""
    return given is not None and hmac.compare_digest(secret.encode(), given.encode())


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
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not is_secret(token, given.strip()):
        raise HttpProblem(
            401,
            "admin-token",
            "the admin token is missing or wrong",
            hint="send Authorization: Bearer TOKEN",
            headers={"WWW-Authenticate": "Bearer"},
        )


def _made_id() -> str:
    """Return an id for a request; it is to differ from others, not to be a secret."""
    return f"{random.getrandbits(64):016x}"


def _header(scope: Scope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return value.decode("latin-1")
    return None


class _Sending:
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
