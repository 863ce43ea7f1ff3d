"""The page at `/`: a product search that says which filters give way when nothing matches.

Everything a visitor asks is in the address, so a result can be kept and sent on. The page works
without a script; with one, the same parts of it are fetched as filters change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.errors import ConcedeError, LimitError
from ....engine.repair_engine import RepairEngine
from ....engine.runtime.thread_pool import QueueSlot
from ....rendering.html import Html, tag
from ..state import ServedCatalog, ServerState
from .assets import ASSETS
from .chat import serve_chat
from .constraints import question_of
from .form_model import FormCache, FormModel
from .heard import hear
from .layout import app, page, problem_page, result
from .query_string import Search, parse_query_string
from .responses import HEADERS, PATIENCE, html_response, problem_response
from .view_model import Outcome, ask_engine

DEADLINE = 3.0
"""Seconds the engine may take in all for a page; then comes the best answer so far."""

FOR_EVER = "public, max-age=31536000, immutable"
TOO_LONG = 414

Part = Callable[[Outcome, FormModel], Html]


def page_router(state: ServerState) -> APIRouter:
    """Return the routes of the page over the catalogs that the service holds."""
    router = APIRouter(include_in_schema=False)
    forms = FormCache()

    def serve(path: str, part: Part) -> None:
        async def answer(request: Request) -> Response:
            return await _respond(request, part, forms, state)

        router.add_api_route(path, answer, methods=["GET", "HEAD"])

    def whole(outcome: Outcome, form: FormModel) -> Html:
        return page(outcome, form, state.names)

    serve("/", whole)
    serve("/page/app", app)
    serve("/page/result", result)
    serve_chat(router, forms, state)
    router.add_api_route("/page/{name}", _asset, methods=["GET", "HEAD"])
    return router


async def _respond(request: Request, part: Part, forms: FormCache, state: ServerState) -> Response:
    """Return a part of the page, or a page that says what went wrong."""
    query: bytes = request.scope["query_string"]
    try:
        search = parse_query_string(query)
    except LimitError as error:
        return problem_response(error, TOO_LONG)
    try:
        served = state.find(search.catalog or None)
        ask = partial(_render, search, served, part, forms, state)
        seconds = min(PATIENCE, state.settings.limits.deadline)
        return html_response(await served.engine.ask("page", ask, seconds))
    except ConcedeError as error:
        return problem_response(error)


def _render(
    search: Search,
    served: ServedCatalog,
    part: Part,
    forms: FormCache,
    state: ServerState,
    slot: QueueSlot,
) -> Html:
    """Ask the engine and render a part of the page, in the pool; all of it of one version."""
    catalog = served.catalog.snapshot()
    form = forms.get(served.name, catalog)
    engine = RepairEngine(catalog, threads=served.engine.engine.threads)
    search, heard = hear(search, catalog, state.reader) if search.said else (search, None)
    deadline = DEADLINE if slot.left is None else min(DEADLINE, slot.left)
    outcome = ask_engine(engine, search, question_of(search, form, catalog), deadline)
    # The script has no key to send with an event.
    may_log = search.user and state.secrets.api_key is None
    behaviour = served.behaviour if may_log else None
    key = None if behaviour is None else behaviour.key
    return part(replace(outcome, heard=heard, catalog=served.name, log_key=key), form)


async def _asset(name: str) -> Response:
    asset = ASSETS.get(name)
    if asset is None:
        missing = problem_page("Not found", tag("p", "There is no such file here."))
        return html_response(missing, 404)
    headers = HEADERS | {"Cache-Control": FOR_EVER}
    return Response(asset.content, 200, headers, media_type=asset.media_type)
