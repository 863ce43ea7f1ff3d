"""The paths asked hundreds of times a second, past the framework.

Its layers and routes take as long as all else of an answer that is kept. A request that comes
here is guarded like any other; one under another root, or with another method, goes through the
framework, which has the same paths.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .catalogs.errors import ConcedeError
from .engine.logs import request_id
from .http_problems import problem_response

Endpoint = Callable[[Request], Awaitable[Response]]


class Service(FastAPI):
    """A FastAPI application with paths in front of it; `hot` takes POSTs to `hot_paths`."""

    hot: ASGIApp
    hot_paths: frozenset[str] = frozenset()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_hot = scope["type"] == "http" and scope["path"] in self.hot_paths
        if is_hot and scope["method"] == "POST":
            scope["app"] = self
            await self.hot(scope, receive, send)
            return
        await super().__call__(scope, receive, send)


def straight(endpoints: Mapping[str, Endpoint]) -> ASGIApp:
    """Return an application that answers these paths and knows no other."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await endpoints[scope["path"]](Request(scope, receive))
        except ConcedeError as error:
            response = problem_response(error, request_id.get())
        await response(scope, receive, send)

    return answer
