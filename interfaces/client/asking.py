"""What both clients share: headers, retries, the versions that were written."""

from __future__ import annotations

import gzip
import json
import random
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from ssl import SSLError
from typing import Any, cast

from ...catalogs.errors import excerpt
from .calls import Call, Json
from .service_errors import ServiceError, error_of, unreachable
from .transport import Reply, Transport

FAILURES = (OSError, HTTPException)
RETRIED = (429, 503)


@dataclass(frozen=True)
class Retries:
    """When a request is sent again: at most `most` times, after pauses that double.

    A pause is `first` seconds and more, up to as much again by chance, and at least what
    `Retry-After` asks for; where that is more than `longest`, nothing is sent again.
    """

    most: int = 4
    first: float = 0.1
    longest: float = 20.0

    def pause(self, attempt: int, asked: float) -> float | None:
        """Return the seconds to wait before attempt `attempt` (the first again is 1), or None."""
        if attempt > self.most or asked > self.longest:
            return None
        backoff = self.first * 2 ** (attempt - 1) * (1 + random.random())
        return max(asked, min(backoff, self.longest))


class Versions:
    """The version of each catalog that was written last, and which catalog is the default."""

    def __init__(self, default: str | None) -> None:
        self.default = default
        self._written: dict[str, int] = {}
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._written)

    def of(self, catalog: str | None) -> int | None:
        """Return the version that was written, if any."""
        return self._written.get(catalog or self.default or "")

    def note(self, catalog: str | None, answer: Mapping[str, Any]) -> None:
        """Take down what a write was told."""
        name, version = str(answer.get("name", catalog)), answer.get("version")
        if isinstance(version, int):
            with self._lock:
                self._written[name] = max(version, self._written.get(name, 0))

    def forget(self) -> None:
        """Read whatever there is, as a client that wrote nothing."""
        with self._lock:
            self._written.clear()


class Asking:
    """One service: how it is asked, and what was written to it by this client."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None,
        catalog: str | None,
        timeout: float,
        retries: Retries,
        connections: int,
    ) -> None:
        self.url = url
        self.retries = retries
        self.versions = Versions(catalog)
        self.transport = Transport(url, timeout, connections)
        self._headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"

    def needs_default(self, call: Call) -> bool:
        """Return whether the default catalog's name is needed for a call."""
        return self.versions.default is None and call.reads and bool(self.versions)

    def prepared(self, call: Call) -> Call:
        """Return a call as it is sent: of the client's catalog, from the version it wrote."""
        default = self.versions.default
        if call.path == "/v1/chat" and default is not None:
            return replace(call, body={"catalog": default, **(call.body or {})})
        if not call.reads:
            return call
        if call.path == "/v1/batch":
            body = cast("Json", call.body)
            return replace(call, body={"requests": [self._of_batch(r) for r in body["requests"]]})
        name = call.catalog or default
        if call.body is not None and name is not None:
            call = replace(call, body={"catalog": name, **call.body})
        return call.from_version(name, self.versions.of(name))

    def _of_batch(self, request: Json) -> Json:
        call = Call("POST", "/v1/repair", request, reads=True, catalog=request.get("catalog"))
        return cast("Json", self.prepared(call).body)

    def send(self, call: Call) -> Reply:
        """Return the response to one attempt; raises one of `FAILURES` where there is none."""
        content = call.content
        headers = self._headers
        if content is not None:
            headers = headers | {"Content-Type": "application/json"}
        return self.transport.send(call.method, call.target, content, headers)

    def answer(self, call: Call, reply: Reply) -> Json:
        """Return what a response says; raise what it says went wrong."""
        body = _read(reply)
        if reply.status >= 400:
            raise error_of(reply.status, body)
        if call.writes:
            self.versions.note(call.catalog, body)
        return body

    def pause_after(self, call: Call, outcome: Reply | Exception, attempt: int) -> float | None:
        """Return how long to wait before a call is sent again, None where it is not."""
        if isinstance(outcome, Reply):
            is_passing = outcome.status in RETRIED
            return self.retries.pause(attempt, _seconds(outcome)) if is_passing else None
        # Where nobody listened, nothing was asked.
        may_repeat = call.repeatable or isinstance(outcome, ConnectionRefusedError)
        is_passing = may_repeat and not isinstance(outcome, TimeoutError | SSLError)
        return self.retries.pause(attempt, 0.0) if is_passing else None

    def finished(self, call: Call, outcome: Reply | Exception) -> Json:
        """Return the answer to the last attempt, or raise its error."""
        if isinstance(outcome, Exception):
            raise unreachable(self.url, outcome) from outcome
        return self.answer(call, outcome)


def default_name(catalogs: Mapping[str, Any]) -> str | None:
    """Return the name of the default catalog."""
    listed = cast("list[Json]", catalogs["catalogs"])
    return next((str(each["name"]) for each in listed if each["default"]), None)


def _seconds(reply: Reply) -> float:
    text = reply.headers.get("retry-after", "0").strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0


def _read(reply: Reply) -> Json:
    """Return a body as a JSON object; of what is none, a problem's."""
    try:
        is_packed = reply.headers.get("content-encoding") == "gzip"
        text = gzip.decompress(reply.body) if is_packed else reply.body
        body = json.loads(text)
    except (OSError, EOFError, ValueError):
        body = None
    if isinstance(body, dict):
        return cast("Json", body)
    if reply.status < 400:
        problem = f"the answer is no JSON object: {excerpt(reply.body[:80])}"
        raise ServiceError(reply.status, "no-json", problem, hint="see that it is concede's")
    return {"detail": f"status {reply.status}: {excerpt(reply.body[:80])}"}
