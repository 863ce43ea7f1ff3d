"""The real server: slow, endless and broken clients, and how it ends."""

import json
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NoReturn

import pytest

from running_server import COMMAND, running

ASKED = {"where": "Year >= 2017 AND MSRP <= 100"}
BODY = json.dumps(ASKED).encode()
HEAD = b"POST /v1/repair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serve")
    with running(folder, "--catalog", "sample:cars", "--patience", "1") as running_server:
        yield running_server


def received(connection: socket.socket) -> bytes:
    """Return everything until the server closes."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def answer_to(server, *parts: bytes) -> bytes:
    """Return what comes of a request sent in parts, to the end of the connection."""
    with server.connect() as connection:
        for part in parts:
            connection.sendall(part)
        return received(connection)


def send_for_ever(connection: socket.socket, request: bytes) -> NoReturn:
    while True:
        connection.sendall(request)


def wait_until_nobody_listens(server) -> None:
    with suppress(ConnectionRefusedError):
        while True:
            # One that waits to be accepted when the listener closes is reset.
            with suppress(ConnectionResetError):
                server.connect().close()


def is_alive(server) -> bool:
    return server.client.post("/v1/repair", json=ASKED).status_code == 200


def test_it_answers_as_the_page_says(server):
    given = server.client.post("/v1/repair", json=ASKED)
    assert given.json()["status"] == "SAT_after_relaxation"


def test_a_connection_that_says_nothing_is_closed(server):
    assert answer_to(server) == b""
    assert is_alive(server)


def test_a_head_that_never_ends_is_refused_in_time(server):
    assert answer_to(server, HEAD, b"X-Slow: ").startswith(b"HTTP/1.1 408")
    assert is_alive(server)


def test_a_body_that_never_ends_is_refused_in_time(server):
    given = answer_to(server, HEAD, LENGTH % 1_000, b"\r\n", BODY)
    assert given.startswith(b"HTTP/1.1 408")
    assert b"application/problem+json" in given
    assert is_alive(server)


def test_a_second_request_on_a_connection_has_to_end_its_head_too(server):
    whole = HEAD + LENGTH % len(BODY) + b"\r\n" + BODY
    given = answer_to(server, whole, HEAD)
    assert given.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" in given


@pytest.mark.slow
def test_a_fresh_connection_is_answered_while_it_ends(tmp_path):
    with running(tmp_path, "--catalog", "sample:cars") as server, server.connect() as connection:
        assert is_alive(server)
        server.process.send_signal(signal.SIGTERM)
        wait_until_nobody_listens(server)
        connection.sendall(HEAD + LENGTH % len(BODY) + b"\r\n" + BODY)
        assert received(connection).startswith(b"HTTP/1.1 200")
        assert server.process.wait(timeout=30) == 0


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * 1_000_000,
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(60_000)),
        b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\n",
    ],
)
def test_a_head_without_end_is_cut(server, head):
    try:
        given = answer_to(server, head)
    except ConnectionError:
        # It was closed while we were still sending.
        given = b"HTTP/1.1 431"
    assert given.startswith(b"HTTP/1.1 431")
    assert is_alive(server)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"NOT HTTP AT ALL\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /%00%ff%2e%2e/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(server, request_bytes):
    given = answer_to(server, request_bytes)
    assert given.startswith(b"HTTP/1.1 4")
    assert b"application/problem+json" in given
    assert is_alive(server)


def test_a_client_that_does_not_read_is_dropped_in_time(server):
    """It asks for megabytes, reads nothing, and finds the connection closed after a second."""
    request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with server.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(30)
        with pytest.raises((ConnectionError, TimeoutError)) as ended:
            send_for_ever(connection, request)
        assert not isinstance(ended.value, TimeoutError)
    assert is_alive(server)


def test_a_client_that_leaves_is_no_failure(server):
    for part in (HEAD, HEAD + LENGTH % 1_000 + b"\r\n", HEAD + LENGTH % len(BODY) + b"\r\n" + BODY):
        with server.connect() as connection:
            connection.sendall(part)
    assert is_alive(server)


def test_large_bodies_take_no_memory(server):
    is_alive(server)
    before = server.memory()

    def send(_: int) -> int:
        return server.client.post(
            "/v1/repair", content=b" " * 10_000_000, headers={"Content-Type": "application/json"}
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(send, range(16))) == {413}
    assert server.memory() - before < 40 * 2**20


def test_whoever_asks_first_is_not_sent_for(server):
    with server.connect() as connection:
        connection.sendall(HEAD + LENGTH % 50_000_000 + b"Expect: 100-continue\r\n\r\n")
        given = received(connection)
    assert given.startswith(b"HTTP/1.1 413")


def test_the_log_is_json_lines_with_the_id_of_the_request(server):
    server.client.get("/healthz", headers={"X-Request-ID": "look-for-me"})
    # A request is logged when it has ended, and on this connection before the next begins.
    server.client.get("/healthz")
    lines = [line for line in server.log() if line.get("request_id") == "look-for-me"]
    assert [(line["path"], line["status"]) for line in lines] == [("/healthz", 200)]
    assert not [line for line in server.log() if line["level"] == "error"]


@pytest.mark.slow
def test_it_ends_when_told_and_answers_what_it_began(tmp_path):
    with running(tmp_path, "--catalog", "sample:cars") as server, ThreadPoolExecutor(4) as pool:
        requests = [pool.submit(server.client.post, "/v1/repair", json=ASKED) for _ in range(40)]
        assert requests[0].result().status_code == 200
        assert server.stop() == 0
        outcomes = [
            request.result().status_code for request in requests if request.exception() is None
        ]
    assert set(outcomes) == {200}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "no catalog"),
        (["--catalog", "none.csv"], 3, "cannot read catalog"),
        (["--catalog", "sample:cars", "--catalog", "sample:cars"], 2, "one name"),
        (["--catalog", "sample:cars", "--admin-token-file", "none"], 3, "cannot read 'none'"),
        (["--catalog", "none.csv", "--workers", "2"], 3, "cannot read catalog"),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(tmp_path, arguments, code, said):
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_told(server):
    command = [*COMMAND[:-1], str(server.port), "--catalog", "sample:cars"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "cannot listen" in done.stderr


@pytest.mark.slow
def test_interrupting_ends_it_too(tmp_path):
    with running(tmp_path, "--catalog", "sample:cars") as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
