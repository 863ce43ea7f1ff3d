"""Any endpoint that speaks OpenAI's chat completions, through the `openai` package.

Works with `openai` 1.66 to 3.x. The package's HTTP library differs between those, so none of
its types appears here: bodies are read as bytes, under a limit of size and of time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock, local
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from ...catalogs.errors import BadReply, ModelError, ModelRefused, ModelUnavailable, one_line
from .chat_model import Reply, Request
from .settings import NO_KEY, PUBLIC_ENDPOINT, ModelSettings
from .wire import fields_of, reply_of

if TYPE_CHECKING:
    from openai import OpenAI

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


class OpenAIModel:
    """One model of one endpoint; each `complete` is one attempt, never repeated here."""

    def __init__(self, settings: ModelSettings, *, clock: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._key = settings.api_key.get_secret_value() if settings.api_key else ""
        self._clock = clock
        self._client: OpenAI | None = None
        self._lock = Lock()
        self._of_thread = local()
        self._tokens_field = "max_tokens"
        if settings.base_url == PUBLIC_ENDPOINT and not self._key:
            raise ModelError(
                "no key for the public endpoint",
                hint="set CONCEDE_API_KEY, or CONCEDE_BASE_URL for a server of your own",
            )

    @property
    def name(self) -> str:
        """Model and host."""
        return f"{self._settings.model} at {self._settings.host}"

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r})"

    def complete(self, request: Request) -> Reply:
        """Return the model's reply.

        Raises `ModelUnavailable` for what may pass, `ModelRefused` where the endpoint will
        not answer this, `BadReply` for what is no reply; `ModelError` without `openai`.
        """
        body = self._body(request)
        if isinstance(body, ModelError) and self._renames_limit(request, body):
            body = self._body(request)
        if isinstance(body, ModelError):
            raise body
        return without_key(reply_of(body), self._key)

    def _body(self, request: Request) -> bytes | ModelError:
        """Return the body of a reply, or what went wrong.

        Returned, not raised: an error raised inside `except` would carry the request and with
        it the key as its context.
        """
        client = self._connected()
        try:
            return self._read(client, request)
        except Exception as error:
            return fault_of(error, self._settings, self._key)

    def _read(self, client: OpenAI, request: Request) -> bytes:
        self._of_thread.deadline = deadline = self._clock() + self._settings.timeout_s
        fields = fields_of(request)
        if "max_tokens" in fields:
            fields[self._tokens_field] = fields.pop("max_tokens")
        fields |= {"model": self._settings.model, "extra_body": self._settings.extra_body or None}
        # Untyped: its overloads want each field by name.
        create: Any = client.chat.completions.with_streaming_response.create
        with create(**fields) as response:
            return b"".join(self._bounded(response.iter_bytes(), deadline))

    def _read_refusal(self, response: Any) -> None:
        """Raise for a bad status before the package reads that body, which has no limit there."""
        if response.status_code < 400:
            return
        try:
            body = b"".join(self._bounded(response.iter_bytes(), self._of_thread.deadline))
        except BadReply:
            body = b""
        raise Refusal(response.status_code, body, dict(response.headers))

    def _bounded(self, chunks: Iterator[bytes], deadline: float) -> Iterator[bytes]:
        room = self._settings.max_reply_bytes
        for chunk in chunks:
            room -= len(chunk)
            if room < 0:
                raise BadReply(
                    f"the model's reply is longer than {self._settings.max_reply_bytes:,} bytes",
                    hint="limit max_tokens",
                )
            if self._clock() > deadline:
                raise ModelUnavailable(
                    f"{self._settings.host} took longer than {self._settings.timeout_s:g} s"
                )
            yield chunk

    def _renames_limit(self, request: Request, error: ModelError) -> bool:
        """Whether the server wants `max_tokens` under its newer name; remembered if so."""
        wanted = request.max_tokens is not None and "max_completion_tokens" in str(error)
        if not wanted or self._tokens_field != "max_tokens":
            return False
        self._tokens_field = "max_completion_tokens"
        return True

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
            return self._client

    def _new_client(self) -> OpenAI:
        try:
            from openai import DefaultHttpxClient, OpenAI
        except ImportError:
            raise ModelError(
                "asking a model needs the openai package", hint="pip install 'concede[llm]'"
            ) from None
        hooks: Any = {"response": [self._read_refusal]}
        return OpenAI(
            api_key=self._key or NO_KEY,
            base_url=self._settings.base_url,
            timeout=self._settings.timeout_s,
            # Attempts are repeated by RetryingModel, which counts, waits and stops as we want.
            max_retries=0,
            http_client=DefaultHttpxClient(event_hooks=hooks),
        )
