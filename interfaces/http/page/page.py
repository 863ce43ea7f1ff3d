"""The page at `/`: a product search that says which filters give way when nothing matches.

Everything a visitor asks is in the address, so a result can be kept and sent on. The page works
without a script; with one, the same parts of it are fetched as filters change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ....catalogs.deadline import Deadline
from ....catalogs.errors import ConcedeError, LimitError
from ....engine.repair_engine import RepairEngine
from ....engine.runtime.thread_pool import QueueSlot
from ....rendering.html import Html, tag
from ..conversation_steps import StoredConversation
from ..state import ServedCatalog, ServerState
from .assets import ASSETS
from .beside import shown_talk, talk_of
from .chat import serve_chat
from .constraints import question_of
from .corrections import corrected, is_correction
from .form_model import FormCache, FormModel
from .heard import hear
from .layout import app, page, problem_page, result
from .query_string import Search, decoded, last_of, search_of
from .responses import HEADERS, PATIENCE, html_response, problem_response, redirect
from .tried import with_offers
from .view_model import BesideTalk, Outcome, ask_engine

DEADLINE = 3.0
"""Seconds the engine may take in all for a page; then comes the best answer so far."""

BEFORE_TRIALS = 0.8
"""The part of the time for the answer itself; the rest is for trying the links it offers."""

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
        return page(outcome, form, _with_items(state))

    serve("/", whole)
    serve("/page/app", app)
    serve("/page/result", result)
    serve_chat(router, forms, state)
    router.add_api_route("/page/{name}", _asset, methods=["GET", "HEAD"])
    return router


def _with_items(state: ServerState) -> tuple[str, ...]:
    """Return the names of the catalogs that have anything to show."""
    return tuple(name for name in state.names if state.find(name).catalog.row_count)


async def _respond(request: Request, part: Part, forms: FormCache, state: ServerState) -> Response:
    """Return a part of the page, or a page that says what went wrong."""
    query: bytes = request.scope["query_string"]
    try:
        parameters = decoded(query)
    except LimitError as error:
        return problem_response(error, TOO_LONG)
    search = search_of(parameters)
    try:
        served = state.find(search.catalog or None)
        if is_correction(parameters) or last_of(parameters, "as") == "find":
            form = forms.get(served.name, served.catalog.snapshot())
            return redirect(_settled(search, parameters, form).address)
        stored = talk_of(search, served, state)
        visit = _Visit(search, served, forms, state, stored)
        ask = partial(_render, visit, part)
        seconds = min(PATIENCE, state.settings.limits.deadline)
        pictures = served.catalog.presentation.image is not None
        async with stored.lock if stored else nullcontext():
            return html_response(await served.engine.ask("page", ask, seconds), pictures=pictures)
    except ConcedeError as error:
        return problem_response(error)


def _settled(search: Search, parameters: Mapping[str, list[str]], form: FormModel) -> Search:
    """Return the search that an address stands for which says what to do with another."""
    if is_correction(parameters):
        return corrected(search, parameters, form)
    words = " ".join(search.said.split())
    return search.finding(words).undone_by(search) if words else search.settled()


@dataclass(frozen=True)
class _Visit:
    """What is asked for, of which catalog, and the conversation beside it, if there is one."""

    search: Search
    served: ServedCatalog
    forms: FormCache
    state: ServerState
    stored: StoredConversation | None


def _render(visit: _Visit, part: Part, slot: QueueSlot) -> Html:
    """Ask the engine and render a part of the page, in the pool; all of it of one version."""
    served, asked = visit.served, visit.search
    catalog = served.catalog.snapshot()
    form = visit.forms.get(served.name, catalog)
    engine = RepairEngine(catalog, threads=served.engine.engine.threads)
    # A conversation that is forgotten is in no further link.
    known = asked if visit.stored else replace(asked, conversation="")
    search, heard = hear(known, catalog, visit.state.reader) if asked.said else (known, None)
    search = search.settled()
    until = Deadline(DEADLINE if slot.left is None else min(DEADLINE, slot.left))
    question = question_of(search, form, catalog)
    outcome = ask_engine(engine, search, question, until.share(BEFORE_TRIALS).remaining)
    outcome = replace(
        outcome,
        heard=heard,
        before_words=known.settled() if heard else None,
        talk=_talk(visit),
        undo=asked.undo,
        edit=asked.edit,
        edit_column=asked.edit_column,
        catalog=served.name,
        log_key=_log_key(visit),
    )
    return part(with_offers(outcome, form, catalog, engine, until), form)


def _talk(visit: _Visit) -> BesideTalk | None:
    if visit.stored is not None:
        return shown_talk(visit.stored)
    return BesideTalk("", is_lost=True) if visit.search.conversation else None


def _log_key(visit: _Visit) -> str | None:
    """Return the column that names items in a person's log; None where nothing is logged."""
    # The script has no key to send with an event.
    may_log = visit.search.user and visit.state.secrets.api_key is None
    behaviour = visit.served.behaviour if may_log else None
    return None if behaviour is None else behaviour.key


async def _asset(name: str) -> Response:
    asset = ASSETS.get(name)
    if asset is None:
        missing = problem_page("Not found", tag("p", "There is no such file here."))
        return html_response(missing, 404)
    headers = HEADERS | {"Cache-Control": FOR_EVER}
    return Response(asset.content, 200, headers, media_type=asset.media_type)
