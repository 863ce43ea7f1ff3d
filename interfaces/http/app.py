"""The ASGI application: routes over catalogs, middleware around them, and the page where it may be.

    app = create_app({"cars": Catalog.open("cars.csv")})

`concede serve` runs it; any ASGI server does.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import cast

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ... import __version__
from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError
from ...engine.runtime.json_logging import LOG, request_id
from .conditional import ConditionalRequests
from .direct_routes import DirectRoutes
from .middleware import KEY, RequestMiddleware
from .openapi import openapi_document
from .page.page import page_router
from .problem_details import HttpProblem, problem_response
from .process_role import Alone
from .routes import batch, catalogs, chat, documentation, events, health, metrics, repair, rows
from .routes.metrics import Metrics, path_of
from .settings import Secrets, ServeSettings
from .state import ServerState
from .workers.forwarding import FORWARDED, ForwardingMiddleware

ROUTES = (repair, batch, chat, events, catalogs, rows, health, metrics, documentation)
ACCESS = LOG.getChild("access")
OWN_HEADERS = ("X-API-Key", "X-Request-ID")
COMPRESSED = 4_096
"""Bytes of an answer that is compressed for who asks so: of a shorter one little is saved."""

DESCRIPTION = "Which constraints of an empty query should give way, and what to offer instead."


def create_app(
    catalogs: Mapping[str, Catalog],
    settings: ServeSettings | None = None,
    secrets: Secrets | None = None,
    prepare: Callable[[], None] | None = None,
    role: Alone | None = None,
) -> FastAPI:
    """Return the service over catalogs by name; the first answers where none is named.

    It is ready once `prepare` has returned, which a thread calls when the service starts; by
    default that loads the kernels where a catalog is large. Questions are answered meanwhile.
    `role` is what this process is among several that answer; by default it is alone.
    """
    counters = Metrics()
    state = ServerState(
        catalogs,
        settings or ServeSettings(),
        secrets or Secrets(),
        observer=counters,
        on_cached=counters.count_cached,
        role=role,
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        state.begin(prepare)
        async with state.role.running(app):
            yield
        state.close()

    app = FastAPI(
        title="concede",
        version=__version__,
        description=DESCRIPTION,
        # Their pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.concede = state
    app.state.metrics = counters
    app.openapi = lambda: openapi_document(app)
    app.add_exception_handler(ConcedeError, _problem)
    app.add_exception_handler(HTTPException, _no_such_path)
    for module in ROUTES:
        app.include_router(module.router)
    _add_page(app, state)
    _add_middleware(app, state, counters)
    return app


def _add_page(app: FastAPI, state: ServerState) -> None:
    """Serve the page at `/`, unless a key is asked for, which a browser has no place for."""
    if state.access.is_open:
        app.include_router(page_router(state))


def _add_middleware(app: FastAPI, state: ServerState, counters: Metrics) -> None:
    """Wrap every route: tags; ids, keys, metrics and the access log; compression; other origins.

    What is added last is outermost.
    """
    app.add_middleware(DirectRoutes, routers=[repair.router])
    app.add_middleware(ForwardingMiddleware, state=state)
    app.add_middleware(ConditionalRequests)

    def on_end(scope: Scope, status: int, seconds: float) -> None:
        if FORWARDED in scope:
            return
        counters.count_request(scope, status, seconds)
        counters.measure(state)
        if ACCESS.isEnabledFor(logging.INFO):
            ACCESS.info("request", extra=_access_fields(scope, status, seconds))

    app.add_middleware(RequestMiddleware, state=state, on_end=on_end)
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESSED, compresslevel=1)
    origins = state.settings.cors_origins
    if origins:
        # Around all others, so that pages of those origins can read refusals as well.
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "If-None-Match", *OWN_HEADERS],
            expose_headers=["ETag", "Retry-After", "Server-Timing", "X-Request-ID"],
        )


def _access_fields(scope: Scope, status: int, seconds: float) -> dict[str, object]:
    return {
        "method": scope["method"],
        "path": path_of(scope),
        "status": status,
        "ms": round(seconds * 1e3, 2),
        "client": (scope.get("client") or ("",))[0],
        "key": key.name if (key := scope.get(KEY)) is not None else None,
    }


async def _problem(request: Request, error: Exception) -> Response:
    return problem_response(cast("ConcedeError", error), request_id.get())


async def _no_such_path(request: Request, error: Exception) -> Response:
    """Answer what the router itself refuses."""
    refused = cast("HTTPException", error)
    kinds = {404: "no-such-path", 405: "no-such-method"}
    kind = kinds.get(refused.status_code, "refused")
    problem = HttpProblem(
        refused.status_code,
        kind,
        str(refused.detail),
        hint="see /openapi.json",
        headers=dict(refused.headers or {}),
    )
    return problem_response(problem, request_id.get())
