"""A client that writes and reads beside others: what is told where the others are slow."""

import json
import os
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from concede.bench.serving.own_writes import own_writes
from concede.bench.serving.server import Server

SLOW = 2.0


class SlowToStrangers(BaseHTTPRequestHandler):
    """Answers a client that names its version at once, and the others slowly."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "rows" not in asked and "min_version" not in asked:
            time.sleep(SLOW)
        told = {"status": "SAT_no_relaxation", "count": 1, "catalog_version": 7, "version": 7}
        content = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextmanager
def listening():
    with ThreadingHTTPServer(("127.0.0.1", 0), SlowToStrangers) as service:
        service.daemon_threads, service.block_on_close = True, False
        threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield Server("127.0.0.1", service.server_address[1], "token", os.getpid(), False)
        finally:
            service.shutdown()


def test_others_slower_than_the_reader_are_waited_for():
    with listening() as server:
        seen = own_writes(server, workers=1, others=2, rows=9, times=3)
    assert (seen.stale, seen.failed) == (0, 0)
    assert seen.read_p50 < seen.others_p50
    assert seen.others_p50 >= SLOW * 1e3 / 2


def test_what_ended_the_others_is_raised(monkeypatch):
    def none(_seed):
        yield from ()

    monkeypatch.setattr("concede.bench.serving.own_writes.distinct", none)
    with listening() as server, pytest.raises(RuntimeError, match="StopIteration"):
        own_writes(server, workers=1, others=1, rows=9, times=1)
