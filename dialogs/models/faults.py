"""Turn the errors of the HTTP client into our own, with the API key taken out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

from ...catalogs.errors import ModelError, ModelRefused, ModelUnavailable, one_line
from .chat_model import Reply
from .settings import ModelSettings

PASSING = frozenset({408, 409, 425, 429})
"""HTTP statuses below 500 after which the same request may succeed."""

NOT_IMPLEMENTED = 501

LONGEST_COMPLAINT = 300
SHORTEST_SECRET = 16
"""Keys shorter than this ("EMPTY", "none") are plain words that a reply may well hold."""


class Refusal(Exception):
    """A response with a bad status, as far as its body was read. Not shown: it may hold the key."""

    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        super().__init__(status)
        self.status = status
        self.body = body
        self.headers = headers


def fault_of(error: Exception, settings: ModelSettings, key: str) -> ModelError:
    """Return any exception of the openai package or its HTTP library as ours."""
    # What is raised while a response is read, some releases wrap.
    for cause in (error, error.__cause__):
        if isinstance(cause, ModelError):
            return cause.with_traceback(None)
        if isinstance(cause, Refusal):
            return _refusal(cause, settings, key)
    kind = type(error.__cause__ or error).__name__
    if "Timeout" in type(error).__name__ or "Timeout" in kind:
        return ModelUnavailable(f"no reply from {settings.host} within {settings.timeout_s:g} s")
    if type(error).__name__ == "APIConnectionError":
        return ModelUnavailable(
            f"cannot reach {settings.host} ({kind})", hint="check base_url and the server"
        )
    return ModelUnavailable(f"the reply from {settings.host} broke off ({kind})")


def _refusal(refusal: Refusal, settings: ModelSettings, key: str) -> ModelError:
    status = refusal.status
    # Hidden before it is cut: half a key is a leak, too.
    complaint = _cut(hidden(_complaint(refusal.body), key))
    problem = f"{settings.host} answered {status}{': ' if complaint else ''}{complaint}"
    if status in PASSING or (status >= 500 and status != NOT_IMPLEMENTED):
        seconds = retry_after(refusal.headers)
        return ModelUnavailable(problem, status=status, retry_after=seconds)
    hints = {401: "check the key", 403: "check the key", 404: "check base_url and model"}
    return ModelRefused(problem, status=status, hint=hints.get(status, ""))


def _complaint(body: bytes) -> str:
    """Return what the body of an error says: its message where it is JSON, or all of it."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
    for _ in range(3):
        if not isinstance(value, dict):
            break
        fields = cast("dict[str, Any]", value)
        value = fields.get("error") or fields.get("message") or fields.get("detail")
    return value if isinstance(value, str) else ""


def _cut(text: str) -> str:
    line = one_line(text[: 4 * LONGEST_COMPLAINT])
    return line if len(line) <= LONGEST_COMPLAINT else line[:LONGEST_COMPLAINT] + "…"


def hidden(text: str, key: str) -> str:
    """Return text without the key."""
    return text.replace(key, "[key]") if key else text


def without_key(reply: Reply, key: str) -> Reply:
    """Return a reply without the key, should the server have echoed it."""
    if len(key) < SHORTEST_SECRET:
        return reply
    return replace(
        reply,
        text=hidden(reply.text, key),
        finish_reason=hidden(reply.finish_reason, key),
        model=hidden(reply.model, key),
        top_logprobs=tuple((hidden(token, key), logprob) for token, logprob in reply.top_logprobs),
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a server asks to wait: a number or a date (RFC 9110, 10.2.3)."""
    header = headers.get("retry-after", "")
    try:
        seconds = float(header)
    except ValueError:
        seconds = _seconds_until(header)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _seconds_until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    # "-0000" gives a moment without a zone, which is UTC too.
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime.now(UTC)).total_seconds()
