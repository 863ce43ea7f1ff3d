"""A server that answers what it is told to, and takes down what it was asked."""

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], Any]
"""A status (0: the connection is closed without an answer), headers, and the JSON of a body."""


class StubService:
    """Answers one after another; the last one again and again."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        left = list(answers)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(handler) -> None:
                length = int(handler.headers.get("Content-Length") or 0)
                text = handler.rfile.read(length)
                headers = {name.lower(): value for name, value in handler.headers.items()}
                body = json.loads(text) if text else None
                self.asked.append((handler.command, handler.path, headers, body))
                status, headers, body = left.pop(0) if len(left) > 1 else left[0]
                if not status:
                    handler.close_connection = True
                    return
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                handler.send_response(status)
                for name, value in headers.items():
                    handler.send_header(name, value)
                handler.send_header("Content-Length", str(len(content)))
                handler.end_headers()
                handler.wfile.write(content)

            do_GET = do_POST = do_DELETE = answer

            def log_message(handler, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> "StubService":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
