"""`/v1/repair`, `diagnose`, `extract`, `clarify`: questions to the engine of one catalog.

A body is looked up in the response cache before it is parsed. Else it becomes a query, which the
engine answers in its pool of threads, and a complete answer is cached as it was sent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from fastapi import APIRouter
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from ....engine.answer import Answer
from ....engine.diagnosis import Diagnosis
from ....engine.runtime.thread_pool import QueueSlot
from ..answer_body import ANSWER, repaired
from ..behaviours import implicit_factors_for, reasoned, weighed_for
from ..consistency import reach
from ..openapi import CLARIFICATION, DIAGNOSIS, EXTRACTION, documented
from ..request_models import (
    ClarifyRequest,
    DiagnoseRequest,
    ExtractRequest,
    QueryRequest,
    RepairRequest,
)
from ..response_cache import CachedResponse, Question
from ..state import ServedCatalog, ServerState, state_of
from ..workers.forwarding import forwarded

router = APIRouter(prefix="/v1", tags=["questions"])

RequestModel = TypeVar("RequestModel", bound=QueryRequest)
NO_HEADERS: Mapping[str, str] = {}


def json_response(
    body: bytes, *, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Return JSON that is written already."""
    return Response(body, status, headers, media_type="application/json")


def deadline_of(state: ServerState, milliseconds: float | None) -> float:
    """Return the seconds a question may take: what it asks for, within the server's own."""
    most = state.settings.limits.deadline
    return most if milliseconds is None else min(most, milliseconds / 1e3)


@router.post("/repair", **documented(RepairRequest, ANSWER, "What gives way, and what to offer."))
async def repair(request: Request) -> Response:
    """Say what gives way and what to offer instead."""
    return await _answer(request, RepairRequest, "repair", _repair)


def _repair(body: RepairRequest, served: ServedCatalog, slot: QueueSlot) -> tuple[Answer, bytes]:
    query = body.query(served.catalog)
    if body.user is not None:
        query = weighed_for(query, served.known_behaviour, body.user)
    if not body.implicit:
        return repaired(body, query, served.engine.engine, slot.left)
    query, factors = implicit_factors_for(query, served.known_behaviour, body)

    def told(answer: Answer) -> Answer:
        return reasoned(answer, factors)

    return repaired(body, query, served.engine.engine, slot.left, told)


@router.post("/diagnose", **documented(DiagnoseRequest, DIAGNOSIS, "Why nothing matches."))
async def diagnose(request: Request) -> Response:
    """List the minimal conflicts and repairs, and the counts behind them."""
    return await _answer(request, DiagnoseRequest, "diagnose", _diagnose)


def _diagnose(
    body: DiagnoseRequest, served: ServedCatalog, slot: QueueSlot
) -> tuple[Diagnosis, bytes]:
    query = body.query(served.catalog)
    diagnosis = served.engine.engine.diagnose(query, deadline=slot.left, limit=body.limit)
    return diagnosis, to_json(diagnosis.record())


async def _answer(
    request: Request,
    kind: type[RequestModel],
    operation: str,
    ask: Callable[[RequestModel, ServedCatalog, QueueSlot], tuple[Answer | Diagnosis, bytes]],
) -> Response:
    """Answer from the cache, or else ask the engine in its pool."""
    state = state_of(request)
    body = await state.bodies.read_json_text(request)
    arrived = time.perf_counter()
    question = operation, body
    cached = _cached(state, question, request, arrived)
    if cached is not None:
        return cached
    model = await state.bodies.parse(body, kind)
    if state.role.owner_socket is not None and _is_of_owner(state, model):
        return await forwarded(state, request, body)
    served = state.find(model.catalog)
    answer_json = b""

    def call(slot: QueueSlot) -> Answer | Diagnosis:
        # Written in the pool as well: other requests wait for the event loop.
        nonlocal answer_json
        answer, answer_json = ask(model, served, slot)
        return answer

    # From the arrival of the body: parsing it is part of the question.
    deadline = deadline_of(state, model.deadline_ms) - (time.perf_counter() - arrived)
    deadline = await reach(state, served, model.min_version, deadline)
    answer = await served.engine.ask(operation, call, deadline)
    response = CachedResponse(served.name, answer.catalog_version or 0, answer_json)
    # The name may stand for another catalog by now, and a person may do something else.
    if answer.complete and state.is_served(served) and model.is_lasting:
        state.responses.put(question, response)
    return _timed(response, arrived)


def _is_of_owner(state: ServerState, model: QueryRequest) -> bool:
    """Return whether only the owner may know: a person, or a catalog that was loaded just now."""
    return not model.is_lasting or (model.catalog or "") not in ("", *state.names)


def _cached(
    state: ServerState, question: Question, request: Request, arrived: float
) -> Response | None:
    """Return a cached answer that may be given."""
    cached = state.responses.get(question)
    if cached is None:
        return None
    catalog = state.find(cached.catalog).catalog
    if cached.version == catalog.version:
        state.on_cached(question[0], "same")
        return _timed(cached, arrived)
    seconds = state.settings.limits.stale_while_revalidate
    if not seconds or not state.pool.waiting or _wants_fresh(request):
        return None
    age = catalog.age(cached.version)
    if age > seconds:
        return None
    state.on_cached(question[0], "stale")
    freshness = f"max-age=0, stale-while-revalidate={seconds}"
    return _timed(cached, arrived, {"Age": str(math.ceil(age)), "Cache-Control": freshness})


def _wants_fresh(request: Request) -> bool:
    return "no-cache" in request.headers.get("cache-control", "").lower()


def _timed(
    response: CachedResponse, arrived: float, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    milliseconds = (time.perf_counter() - arrived) * 1e3
    timing = {"Server-Timing": f"total;dur={milliseconds:.2f}"}
    return json_response(response.body, headers={**timing, **headers})


@router.post("/extract", **documented(ExtractRequest, EXTRACTION, "What the text asks for."))
async def extract(request: Request) -> Response:
    """Find what a text asks for, in the catalog's own words, and the query it makes."""
    state = state_of(request)
    body = await state.bodies.read_json(request, ExtractRequest)
    served = state.find(body.catalog)

    def find(slot: QueueSlot) -> bytes:
        from ....dialogs.extraction.to_query import answer_record

        found = state.reader.extract(body.text, served.catalog, slot=body.slot, today=body.today)
        return to_json(answer_record(found))

    seconds = await reach(state, served, body.min_version, state.settings.limits.deadline)
    return json_response(await served.engine.ask("extract", find, seconds))


@router.post("/clarify", **documented(ClarifyRequest, CLARIFICATION, "What to ask about a text."))
async def clarify(request: Request) -> Response:
    """Find what a text leaves unclear: each spot with a question and counted answers."""
    state = state_of(request)
    body = await state.bodies.read_json(request, ClarifyRequest)
    served = state.find(body.catalog)

    def find(slot: QueueSlot) -> bytes:
        from ....dialogs.clarification.clarify import clarify as clarified

        read = state.reader.extract(body.text, served.catalog, today=body.today)
        found = clarified(body.text, served.catalog, extraction=read, today=body.today)
        return to_json(found.record())

    seconds = await reach(state, served, body.min_version, state.settings.limits.deadline)
    return json_response(await served.engine.ask("clarify", find, seconds))
