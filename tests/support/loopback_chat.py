"""A chat-completions server on 127.0.0.1 that answers as told: well, badly, or not at all."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

LONGEST_SILENCE_S = 30.0


@dataclass(frozen=True)
class Answer:
    """One HTTP response. `promised`: a length to announce other than the body's."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int | None = None
    silent: bool = False


@dataclass(frozen=True)
class Asked:
    """One request as it arrived; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def completion(content: Any, **choice: Any) -> dict[str, Any]:
    """A chat completion as servers write it; further fields go into its only choice."""
    message = {"role": "assistant", "content": content}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "loopback-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message, **choice}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


def sends(value: Any, **fields: Any) -> Answer:
    """Any JSON value, as it is."""
    return Answer(json.dumps(value).encode(), **fields)


def says(content: Any, **choice: Any) -> Answer:
    """A reply."""
    return sends(completion(content, **choice))


def says_with_logprobs(content: str, first: Mapping[str, float]) -> Answer:
    """A reply with log-probabilities of its first token."""
    top = [{"token": token, "logprob": value, "bytes": None} for token, value in first.items()]
    return says(content, logprobs={"content": [{**top[0], "top_logprobs": top}], "refusal": None})


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    """An error of the API; `retry_after="2"` becomes the header Retry-After."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return sends({"error": {"message": message, "type": "x"}}, status=status, headers=named)


def breaks_off(content: str) -> Answer:
    """A reply whose second half never comes."""
    body = says(content).body
    return Answer(body[: len(body) // 2], promised=len(body))


SILENCE = Answer(silent=True)
"""No byte until the server closes."""


class LoopbackChat:
    """A server for a `with` block: answers from a list in order, or from a function.

    Keeps what was `asked`, and the `peak` of requests that were being answered at once.
    """

    def __init__(self, answers: Iterable[Answer] | Callable[[Asked], Answer]) -> None:
        self._function = answers if callable(answers) else None
        self._answers = iter(()) if callable(answers) else iter(answers)
        self._lock = Lock()
        self._active = 0
        self._closing = Event()
        self.asked: list[Asked] = []
        self.peak = 0

    @property
    def url(self) -> str:
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(LONGEST_SILENCE_S)

    def answer(self, request: Asked) -> Answer:
        """The answer to a request; 410 when the list has run out."""
        with self._lock:
            self._active += 1
            self.peak = max(self.peak, self._active)
            self.asked.append(request)
        try:
            if self._function is not None:
                answer = self._function(request)
            else:
                with self._lock:
                    answer = next(self._answers, refuses(410, "the test has no further answer"))
            if answer.silent:
                self._closing.wait(LONGEST_SILENCE_S)
            return answer
        finally:
            with self._lock:
                self._active -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        # HTTPServer looks up the host's full name here, which may ask a name server.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients under test hang up on purpose."""


def _handler(chat: LoopbackChat) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = LONGEST_SILENCE_S

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = chat.answer(Asked(self.path, headers, json.loads(sent)))
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            length = len(answer.body) if answer.promised is None else answer.promised
            self.send_header("Content-Length", str(length))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)
            self.close_connection = self.close_connection or answer.promised is not None

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler
