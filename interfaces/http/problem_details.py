"""Errors as problem documents: RFC 9457, `application/problem+json`.

| status | when |
|---|---|
| 400 | the body is not JSON |
| 401 | the key or the token is missing or wrong |
| 403 | the server is set up not to do this |
| 404 | no such path, catalog or conversation |
| 405, 408, 411, 413, 415, 431 | method; too slow; length; too large; content type; too much head |
| 409 | something else is the case: a busy conversation, a name taken, no such version yet |
| 422 | the body is JSON and cannot be answered: field, column, operator, SQL |
| 502 | the model that reads texts gave no usable reply |
| 503 | too much is asked at once, or the deadline passed before an answer; try again |
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ...catalogs.errors import (
    CatalogError,
    ConcedeError,
    LimitError,
    ModelError,
    Overloaded,
    QueryError,
    SandboxError,
    excerpt,
)

MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 10
RETRY_SECONDS = 1

MEMBERS = ("field", "value", "name", "nearest", "position", "text", "source", "reason")
"""Attributes of errors that a client may use, beside the sentence."""

_STATUSES: tuple[tuple[type[ConcedeError], int], ...] = (
    (Overloaded, 503),
    (LimitError, 503),
    (QueryError, 422),
    (CatalogError, 422),
    (ModelError, 502),
    (SandboxError, 422),
)


class HttpProblem(ConcedeError):
    """Something only the service says no to; `kind` ends the problem's type, `members` are told."""

    def __init__(
        self,
        status: int,
        kind: str,
        problem: str,
        *,
        hint: str = "",
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        self.status = status
        self.members = dict(members or {})
        self.kind = kind
        self.headers = dict(headers or {})
        super().__init__(problem, hint=hint)


class BadBody(HttpProblem):
    """A body of another shape than the path takes; `errors` are pointers and complaints."""

    def __init__(self, errors: Sequence[dict[str, str]]) -> None:
        self.errors = [*errors[:MOST_ERRORS]]
        first = self.errors[0]
        problem = f"{first['pointer'] or 'the body'}: {first['detail']}"
        super().__init__(422, "bad-body", problem, hint="see /openapi.json")


class Problem(BaseModel):
    """An error (RFC 9457), with the way out; further members depend on the type."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:concede:problem:unknown-column"])
    title: str
    status: int
    detail: str = Field(examples=["unknown column 'prise'; did you mean 'price'?"])
    hint: str = ""
    request_id: str | None = None


def complaint(place: Sequence[int | str], problem: str, value: object) -> dict[str, str]:
    """Return what is wrong at a place of a body, as a JSON pointer and words."""
    # The alternatives of a union are no part of the body.
    parts = [str(part) for part in place if not (isinstance(part, str) and "[" in part)]
    pointer = "".join(f"/{_escaped(part)}" for part in parts)
    return {"pointer": pointer[:200], "detail": f"{problem}, not {excerpt(value)}"}


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def problem_of(error: ConcedeError) -> dict[str, Any]:
    """Return an error as the members of a problem."""
    return {
        "type": f"urn:concede:problem:{_kind(error)}",
        "title": _kind(error).replace("-", " ").capitalize(),
        "status": status_of(error),
        "detail": str(error),
        "hint": error.hint,
        # The name it had, for clients that read it.
        "way_out": error.hint,
        **_members(error),
    }


def status_of(error: ConcedeError) -> int:
    """Return the status an error is answered with."""
    if isinstance(error, HttpProblem):
        return error.status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def _kind(error: ConcedeError) -> str:
    if isinstance(error, HttpProblem):
        return error.kind
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()


def _members(error: ConcedeError) -> dict[str, Any]:
    if isinstance(error, BadBody):
        return {"errors": error.errors}
    if isinstance(error, HttpProblem):
        return error.members
    return {name: _short(getattr(error, name)) for name in MEMBERS if hasattr(error, name)}


def _short(value: object) -> object:
    """Return a value that goes into a problem whole, or else as it is shown."""
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    if isinstance(value, tuple):
        return [_short(part) for part in cast("tuple[object, ...]", value)[:MOST_ERRORS]]
    is_plain = isinstance(value, str) and len(value) <= 80 and value.isprintable()
    return value if is_plain else excerpt(value)


def problem_response(error: ConcedeError, request_id: str | None = None) -> Response:
    """Return an error as a response."""
    members = problem_of(error)
    headers = dict(error.headers) if isinstance(error, HttpProblem) else {}
    if members["status"] == 503:
        headers.setdefault("Retry-After", str(RETRY_SECONDS))
    if request_id is not None:
        members["request_id"] = request_id
    body = json.dumps(members, ensure_ascii=True, allow_nan=False).encode()
    return Response(body, members["status"], headers, media_type=MEDIA_TYPE)
