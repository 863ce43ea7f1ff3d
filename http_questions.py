"""`/v1/repair`, `/v1/diagnose`, `/v1/extract`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from .engine.answer import Answer
from .engine.answer_json import write_answer
from .engine.bounded_pool import Turn
from .engine.diagnosis import Diagnosis
from .http_answers import Asked, Kept
from .http_bodies import parsed, read_json, read_json_text
from .http_documents import DIAGNOSIS, EXTRACTION, answered
from .http_requests import DiagnoseRequest, ExtractRequest, Question, RepairRequest
from .http_state import Served, ServerState, state_of

router = APIRouter(prefix="/v1", tags=["questions"])


def json_response(
    body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return JSON that is written already."""
    return Response(body, status, headers, media_type="application/json")


def deadline_of(state: ServerState, milliseconds: float | None) -> float:
    """Return the seconds a question may take: what it asks for, within the server's own."""
    most = state.settings.limits.deadline
    return most if milliseconds is None else min(most, milliseconds / 1e3)


@router.post("/repair", **answered(RepairRequest, Answer, "What gives way, and what to offer."))
async def repair(request: Request) -> Response:
    """Say what gives way and what to offer instead."""
    return await _asked(request, RepairRequest, "repair", _repair)


def _repair(question: Question[RepairRequest], served: Served, turn: Turn) -> tuple[Answer, Kept]:
    engine, query, asked = served.engine.engine, question.query(served.catalog), question.request
    options: dict[str, Any] = {
        "policy": asked.policy,
        "priority": asked.priority,
        "top": asked.top,
        "order": asked.order,
        "deadline": turn.left,
    }
    if served.catalog.version == 1:
        # What nobody writes to needs nothing that outlasts a write.
        found = engine.repair(query, **options)
        return found, Kept(served, found.catalog_version, write_answer(found))
    found, standing = engine.repair_standing(query, **options)
    return found, Kept(served, found.catalog_version, write_answer(found), standing, question)


@router.post("/diagnose", **answered(DiagnoseRequest, DIAGNOSIS, "Why nothing matches."))
async def diagnose(request: Request) -> Response:
    """List the minimal conflicts and repairs, and the counts behind them."""
    return await _asked(request, DiagnoseRequest, "diagnose", _diagnose)


def _diagnose(
    question: Question[DiagnoseRequest], served: Served, turn: Turn
) -> tuple[Diagnosis, Kept]:
    query, limit = question.query(served.catalog), question.request.limit
    found = served.engine.engine.diagnose(query, deadline=turn.left, limit=limit)
    return found, Kept(served, found.catalog_version, to_json(found.record()))


async def _asked(
    request: Request,
    kind: type[Any],
    operation: str,
    ask: Callable[[Question[Any], Served, Turn], tuple[Answer | Diagnosis, Kept]],
) -> Response:
    state = state_of(request)
    body = await read_json_text(request, state.settings.limits.body)
    came = time.perf_counter()
    key = operation, body
    kept = state.answers.get(key)
    if kept is not None and kept.is_served_by(state):
        given = _given_before(state, key, kept, request, came)
        if given is not None:
            return given
    question = kept.question if kept is not None else None
    if question is None:
        question = Question(parsed(body, kind))
    asked = question.request
    served = state.find(asked.catalog)
    made: list[Kept] = []

    def call(turn: Turn) -> Answer | Diagnosis:
        # Written here, in the pool: the event loop has others.
        found, written = ask(question, served, turn)
        made.append(written)
        return found

    found = await served.engine.ask(operation, call, deadline_of(state, asked.deadline_ms))
    if found.complete:
        state.answers.keep(key, made[0])
    return _timed(made[0], came)


def _given_before(
    state: ServerState, asked: Asked, kept: Kept, request: Request, came: float
) -> Response | None:
    """Return the answer to a question asked before: that of the present version, or a late one."""
    operation, now = asked[0], kept.at_present()
    if now is None:
        return _late(state, operation, kept, request)
    if now is kept:
        state.reused(operation, "same")
    else:
        state.reused(operation, "renewed")
        state.answers.keep(asked, now)
    return _timed(now, came)


def _late(state: ServerState, operation: str, kept: Kept, request: Request) -> Response | None:
    """Return the answer of an earlier version, where others wait for one of the present."""
    longest = state.settings.limits.late
    if not longest or not state.pool.waiting:
        return None
    age = kept.served.catalog.age(kept.version)
    if age > longest or "no-cache" in request.headers.get("cache-control", ""):
        return None
    state.reused(operation, "late")
    return json_response(kept.body, headers={"Age": str(math.ceil(age))})


def _timed(answer: Kept, came: float) -> Response:
    milliseconds = (time.perf_counter() - came) * 1e3
    return json_response(answer.body, headers={"Server-Timing": f"total;dur={milliseconds:.2f}"})


@router.post("/extract", **answered(ExtractRequest, EXTRACTION, "What the text asks for."))
async def extract(request: Request) -> Response:
    """Find the constraints that a text states, in the catalog's own columns and values."""
    state = state_of(request)
    asked = await read_json(request, ExtractRequest)
    served = state.find(asked.catalog)

    def find(turn: Turn) -> bytes:
        from .dialogs.extraction import OfflineExtractor

        found = OfflineExtractor().extract(asked.text, served.catalog, slot=asked.slot)
        return to_json(found.record())

    return json_response(await served.engine.ask("extract", find, state.settings.limits.deadline))


HOT = {"/v1/repair": repair, "/v1/diagnose": diagnose}
"""The paths asked hundreds of times a second."""
