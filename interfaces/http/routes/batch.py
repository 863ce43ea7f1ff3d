"""`/v1/batch`: up to 100 questions in one request, each answered as if it had come alone.

As many at once as there are threads, so that others have their turns between. Answers are put
together as they were written.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field, JsonValue
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from ....catalogs.errors import ConcedeError, LimitError, excerpt, nearest
from ....engine.runtime.json_logging import LOG, request_id
from ..access import charge
from ..body_reader import Body
from ..middleware import KEY
from ..openapi import INTEGER, OBJECT, documented, object_of
from ..problem_details import HttpProblem, problem_response
from ..request_models import EXAMPLE_QUERY
from ..state import state_of
from .repair import clarify, diagnose, extract, json_response, repair

router = APIRouter(prefix="/v1", tags=["questions"])

MOST_REQUESTS = 100
OPERATIONS: Mapping[str, Callable[[Request], Awaitable[Response]]] = {
    "repair": repair,
    "diagnose": diagnose,
    "extract": extract,
    "clarify": clarify,
}
OWN_HEADERS = (b"content-length", b"content-type", b"content-encoding", b"transfer-encoding",
               b"expect")  # fmt: skip
"""Headers that say something of the batch's own body."""

EXAMPLE: dict[str, JsonValue] = {
    "requests": [
        {"operation": "repair", **EXAMPLE_QUERY},
        {"operation": "extract", "text": "a Lexus under 40,000"},
    ]
}
BATCH = object_of(responses={"type": "array", "items": object_of(status=INTEGER, body=OBJECT)})


class BatchRequest(Body):
    """Questions, each with its `operation` beside the members of its body."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    requests: Annotated[tuple[dict[str, Any], ...], Field(max_length=MOST_REQUESTS)] = Field(
        description=f"`operation` ({', '.join(OPERATIONS)}) and the members of its body."
    )


@router.post("/batch", **documented(BatchRequest, BATCH, "An answer or a problem each, in order."))
async def batch(request: Request) -> Response:
    """Answer several questions, each as if it had come alone."""
    state = state_of(request)
    body = await state.bodies.read_json(request, BatchRequest)
    charge(request.scope.get(KEY), len(body.requests) - 1)
    turns = asyncio.Semaphore(state.settings.limits.threads or os.cpu_count() or 1)
    loop = asyncio.get_running_loop()
    until = loop.time() + state.settings.limits.deadline

    async def answer(asked: Mapping[str, Any]) -> bytes:
        async with turns:
            response = await _answered(request, asked, is_late=loop.time() > until)
        return b'{"status":%d,"body":%s}' % (response.status_code, bytes(response.body))

    answers = await asyncio.gather(*map(answer, body.requests))
    return json_response(b'{"responses":[%s]}' % b",".join(answers))


async def _answered(request: Request, asked: Mapping[str, Any], *, is_late: bool) -> Response:
    """Return the response to one question, a problem where it has none."""
    try:
        if is_late:
            raise LimitError("the deadline passed before its turn", hint="ask for less at once")
        operation = asked.get("operation")
        if not isinstance(operation, str) or operation not in OPERATIONS:
            near = nearest(operation, OPERATIONS, 1) if isinstance(operation, str) else ()
            hint = f"operations: {', '.join(near or OPERATIONS)}"
            problem = f"no operation {excerpt(operation)}"
            raise HttpProblem(422, "unknown-operation", problem, hint=hint)
        members = {name: value for name, value in asked.items() if name != "operation"}
        return await OPERATIONS[operation](_alone(request, operation, to_json(members)))
    except ConcedeError as error:
        return problem_response(error, request_id.get())
    except Exception:
        LOG.exception("a question of a batch failed")
        failure = HttpProblem(500, "internal", "the server failed", hint="see its log")
        return problem_response(failure, request_id.get())


def _alone(request: Request, operation: str, body: bytes) -> Request:
    """Return one question as a request of its own."""
    headers = [pair for pair in request.scope["headers"] if pair[0].lower() not in OWN_HEADERS]
    path = f"/v1/{operation}"
    scope = {**request.scope, "path": path, "raw_path": path.encode(), "headers": headers}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(scope, receive)
