"""The page at `/`: a product search that says which filters give way when nothing matches.

Everything a visitor asks is in the address, so a result can be kept and sent on. The page works
without a script; with one, the same parts of it are fetched as filters change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from .catalogs.errors import ConcedeError, LimitError
from .engine.bounded_pool import Turn
from .engine.markup import Html, tag
from .engine.repair_engine import RepairEngine
from .http_page_assets import ASSETS
from .http_page_constraints import asked, in_words
from .http_page_form import FormModel, Forms
from .http_page_layout import app, page, result, trouble
from .http_page_outcome import Outcome, outcome
from .http_page_wishes import Wishes, read_wishes
from .http_problems import RETRY_SECONDS, status_of
from .http_state import ServedCatalog, ServerState

PATIENCE = 10.0
"""Seconds a visitor is kept waiting where many ask at once."""

DEADLINE = 3.0
"""Seconds the engine may take; then comes the best answer so far."""

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRESH = "private, no-cache"
FOR_EVER = "public, max-age=31536000, immutable"
TOO_LONG, BUSY = 414, 503

Part = Callable[[Outcome, FormModel], Html]


def page_router(state: ServerState) -> APIRouter:
    """Return the routes of the page over the catalogs that the service holds."""
    router = APIRouter(include_in_schema=False)
    forms = Forms()

    def serve(path: str, part: Part) -> None:
        async def answer(request: Request) -> Response:
            return await _respond(request, part, forms, state)

        router.add_api_route(path, answer, methods=["GET", "HEAD"])

    serve("/", lambda found, form: page(found, form, state.names))
    serve("/page/app", app)
    serve("/page/result", result)
    router.add_api_route("/page/{name}", _asset, methods=["GET", "HEAD"])
    return router


async def _respond(request: Request, part: Part, forms: Forms, state: ServerState) -> Response:
    """Return a part of the page, or a page that says what went wrong."""
    query: bytes = request.scope["query_string"]
    try:
        wishes = read_wishes(query)
    except LimitError as error:
        return _trouble(error, TOO_LONG)
    try:
        served = state.find(wishes.catalog or None)
        ask = partial(_written, wishes, served, part, forms)
        seconds = min(PATIENCE, state.settings.limits.deadline)
        return _html(await served.engine.ask("page", ask, seconds))
    except ConcedeError as error:
        return _trouble(error, status_of(error))


def _written(wishes: Wishes, served: ServedCatalog, part: Part, forms: Forms, turn: Turn) -> Html:
    """Return a part of the page, asked and written in the pool: the event loop has others.

    All of it is of one version of the catalog.
    """
    catalog = served.catalog.snapshot()
    form = forms.of(served.name, catalog)
    engine = RepairEngine(catalog, threads=served.engine.engine.threads)
    deadline = DEADLINE if turn.left is None else min(DEADLINE, turn.left)
    found = outcome(engine, wishes, asked(wishes, form, catalog), deadline)
    return part(found, form)


def _trouble(error: ConcedeError, status: int) -> Response:
    """Return a page that says what went wrong."""
    title = "Just a moment" if status == BUSY else "That did not work"
    return _html(trouble(title, tag("p", in_words(error))), status)


def _html(body: Html, status: int = 200) -> Response:
    headers = HEADERS | {"Cache-Control": FRESH}
    if status == BUSY:
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(body.encode(), status, headers, media_type="text/html")


async def _asset(name: str) -> Response:
    asset = ASSETS.get(name)
    if asset is None:
        missing = trouble("Not found", tag("p", "There is no such file here."))
        return _html(missing, 404)
    headers = HEADERS | {"Cache-Control": FOR_EVER}
    return Response(asset.content, 200, headers, media_type=asset.media_type)
