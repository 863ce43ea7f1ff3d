"""ETag and If-None-Match (RFC 9110): an answer that the client has is not sent again.

The tag is a hash of the answer's bytes, weak because compression changes them: 10 µs for 10 KB.
Questions are POSTs that change nothing, and are treated like GETs.
"""

from __future__ import annotations

from hashlib import blake2b

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

QUESTIONS = frozenset(f"/v1/{name}" for name in ("repair", "diagnose", "extract", "clarify"))
TAGGED = ("application/json", "text/html")
DROPPED = ("content-length", "content-type")
UNTAGGED = ("/healthz", "/readyz", "/metrics")


class ConditionalRequests:
    """ASGI middleware that tags answers, and answers 304 where the client has them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and _is_taggable(scope):
            known = Headers(scope=scope).get("if-none-match", "")
            send = _TaggedSend(send, known)
        await self.app(scope, receive, send)


def _is_taggable(scope: Scope) -> bool:
    if scope["method"] == "POST":
        return scope["path"] in QUESTIONS
    return scope["method"] == "GET" and scope["path"] not in UNTAGGED


class _TaggedSend:
    """`send` that holds the head back until it has the whole body, of which the tag is made."""

    def __init__(self, send: Send, known: str) -> None:
        self._send, self._known = send, known
        self._head: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_tagged(message):
            self._head = message
            return
        if self._head is not None:
            head, self._head = self._head, None
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                message = self._tag(head, message)
            await self._send(head)
        await self._send(message)

    def _tag(self, head: Message, body: Message) -> Message:
        """Put the tag into the head; return the body, empty where the client has it."""
        tag = tag_of(body.get("body", b""))
        headers = MutableHeaders(raw=head["headers"])
        headers["ETag"] = tag
        if not is_known(tag, self._known):
            return body
        head["status"] = 304
        for name in DROPPED:
            if name in headers:
                del headers[name]
        return {"type": "http.response.body", "body": b""}


def _is_tagged(head: Message) -> bool:
    headers = MutableHeaders(raw=head.setdefault("headers", []))
    kind = headers.get("content-type", "").partition(";")[0]
    return head["status"] == 200 and kind in TAGGED and "etag" not in headers


def tag_of(body: bytes) -> str:
    """Return the tag of an answer's bytes."""
    return f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def is_known(tag: str, known: str) -> bool:
    """Return whether an If-None-Match header names a tag, by the weak comparison."""
    named = (part.strip() for part in known.split(","))
    return any(part == "*" or part.removeprefix("W/") == tag.removeprefix("W/") for part in named)
