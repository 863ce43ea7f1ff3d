"""`/healthz`: the process answers; `/readyz`: it answers questions."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ..openapi import TEXT, documented, object_of
from ..problem_details import HttpProblem
from ..state import state_of
from .repair import json_response

router = APIRouter(tags=["health"])

_STATUS = object_of(status=TEXT)


@router.get("/healthz", **documented(None, _STATUS, "The process answers."))
async def healthz(request: Request) -> Response:
    """Say that the process is alive."""
    return json_response(b'{"status":"ok"}')


@router.get("/readyz", **documented(None, _STATUS, "Catalogs are loaded and questions taken."))
async def readyz(request: Request) -> Response:
    """Say whether questions are taken: catalogs loaded, and not shutting down."""
    if not state_of(request).ready:
        raise HttpProblem(503, "not-ready", "the server is starting or shutting down")
    return json_response(b'{"status":"ready"}')
