"""Questions go from the middleware to their function without the router of all paths.

FastAPI's own way to it, matching, dependencies and stacks, costs a third of a millisecond, a tenth
of what an answer costs; it does nothing for a function of the request alone. Where somebody traces
requests they go that way all the same, since FastAPI's spans begin there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import cast

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

TRACED = "fastapi.telemetry"
"""Where a request's scope holds FastAPI's spans, if there are any."""

Endpoint = Callable[[Request], Awaitable[Response]]


class DirectRoutes:
    """ASGI middleware that answers POSTs to paths without parameters by their functions.

    What these raise reaches the middleware around this one.
    """

    def __init__(self, app: ASGIApp, routers: Iterable[APIRouter]) -> None:
        self.app = app
        self._routes = {
            route.path: route
            for router in routers
            for route in router.routes
            if isinstance(route, APIRoute) and route.methods == {"POST"} and "{" not in route.path
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        route = self._routes.get(scope["path"]) if scope["type"] == "http" else None
        if route is None or scope["method"] != "POST" or scope.get(TRACED):
            await self.app(scope, receive, send)
            return
        scope["route"] = route
        response = await cast("Endpoint", route.endpoint)(Request(scope, receive))
        await response(scope, receive, send)
