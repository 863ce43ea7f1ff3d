"""Agents at a URL: each turn is a POST of the task and the turns so far, answered with JSON.

    POST {"task": {"id", "lang", "role", …}, "turns": [{"speaker", "text"}, …]}
    200  {"text": "…"}, from a provider also {"released": ["1", …]}

A provider's `task` also has `responses`. Nothing is kept between calls. Body, time and length
of a text are limited, and no redirect is followed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from time import monotonic
from typing import IO, Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from ...catalogs.errors import AgentError, QueryError, excerpt
from ..models.wire import clean
from .task import ClarificationTask, ProviderReply, SeekerTask, SpokenTurn
from .telling import newly_told

MAX_BODY = 200_000
"""Bytes of an answer; a turn of the published dialogues has fewer than 4,000."""

MAX_TEXT = 20_000
"""Characters of one turn."""

TIMEOUT_S = 60.0
"""For one answer, from its first byte to its last: a model may be behind the URL."""

PIECE = 16_384


def is_url(name: str) -> bool:
    """Return whether an agent's name is meant as a URL."""
    return "://" in name


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any
    ) -> None:
        """Refuse: a 3xx becomes an `HTTPError`."""


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects())


@dataclass(frozen=True)
class Endpoint:
    """A URL that takes JSON and answers JSON. Raises `QueryError` for what is no such URL."""

    url: str
    timeout_s: float = TIMEOUT_S
    clock: Callable[[], float] = monotonic
    opener: OpenerDirector = field(default_factory=_opener)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            fits, parts = False, urlsplit("")
        # Visible ASCII alone: what else a request line may not hold.
        visible = all("!" <= character <= "~" for character in self.url)
        if not fits or not visible or "@" in parts.netloc:
            raise QueryError(
                f"agent {excerpt(self.url)}", hint="write http://HOST[:PORT]/PATH or https://…"
            )

    def post(self, value: object) -> dict[str, Any]:
        """Return the JSON object that the URL answers; raise `AgentError` for anything else."""
        body = json.dumps(value).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        try:
            answer: object = json.loads(self._body(Request(self.url, body, headers)))
        except HTTPError as error:
            error.close()
            raise self.fault(
                f"answered {error.code}", "its answer is 200, at this very URL"
            ) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise self.fault(
                f"gave no answer ({excerpt(str(reason))})", "check that it runs"
            ) from None
        except (ValueError, RecursionError):
            raise self.fault("sent no JSON", 'its answer is {"text": "…"}') from None
        if not isinstance(answer, dict):
            raise self.fault(f"sent {excerpt(answer)}", 'its answer is {"text": "…"}')
        return cast("dict[str, Any]", answer)

    def _body(self, request: Request) -> bytes:
        ends = self.clock() + self.timeout_s
        with self.opener.open(request, timeout=self.timeout_s) as response:
            return b"".join(self._pieces(response, ends))

    def _pieces(self, response: IO[bytes], ends: float) -> Any:
        room = MAX_BODY
        while piece := cast("Any", response).read1(PIECE):
            room -= len(piece)
            if room < 0:
                raise self.fault(f"sent more than {MAX_BODY:,} bytes", "its answer is one turn")
            if self.clock() > ends:
                raise self.fault(f"took longer than {self.timeout_s:g} s", "it is too slow")
            yield piece

    def fault(self, problem: str, hint: str) -> AgentError:
        """Return an error of this URL, without the cause, which may repeat a whole page."""
        return AgentError(f"agent {excerpt(self.url)} {problem}", hint=hint)

    def text(self, answer: dict[str, Any]) -> str:
        """Return the turn in an answer; raise `AgentError` where there is none."""
        text = answer.get("text")
        if not isinstance(text, str) or not text.strip():
            raise self.fault(f"sent text {excerpt(text)}", "say something in every turn")
        if len(text) > MAX_TEXT:
            raise self.fault(f"sent a text of {len(text):,} characters", f"{MAX_TEXT:,} at most")
        return clean(text)


@dataclass(frozen=True)
class HTTPSeeker:
    """A seeker at a URL."""

    endpoint: Endpoint

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`. Raises `AgentError`."""
        return self.endpoint.text(self.endpoint.post(_question(seeker_record(task), turns)))


@dataclass(frozen=True)
class HTTPProvider:
    """A provider at a URL. What counts as released is what its text tells."""

    endpoint: Endpoint

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`. Raises `AgentError`, also for a node that the task has not."""
        record = {
            **seeker_record(task),
            "responses": [asdict(node) for node in task.responses],
        }
        answer = self.endpoint.post(_question(record, turns))
        text = self.endpoint.text(answer)
        self._check_nodes(task, answer.get("released"))
        return ProviderReply(text, newly_told(task, turns, text) if turns else ())

    def _check_nodes(self, task: ClarificationTask, released: object) -> None:
        if released is None:
            return
        if not isinstance(released, list):
            raise self.endpoint.fault(f"sent released {excerpt(released)}", "give a list of nodes")
        known = [node.node for node in task.responses]
        for node in cast("list[object]", released):
            if node not in known:
                hint = f"task {task.id} has {', '.join(known)}"
                raise self.endpoint.fault(f"released node {excerpt(node)}", hint)


def seeker_record(task: SeekerTask) -> dict[str, Any]:
    """Return what a seeker may know of a task as a JSON object."""
    return {
        "id": task.id,
        "lang": task.lang,
        "role": task.role,
        "goal": task.goal,
        "items": list(task.items),
        "skills": list(task.skills),
        "scenes": list(task.scenes),
        "background": task.background,
    }


def _question(task: dict[str, Any], turns: Sequence[SpokenTurn]) -> dict[str, Any]:
    return {"task": task, "turns": [asdict(turn) for turn in turns]}
