"""`concede mcp --http`: the same tools for many clients, and for nobody else."""

import socket
import subprocess
import sys

import httpx2
import pytest

from agents import MODES, TIED, call, choosing, over_http
from command_line import PROGRAM
from concede.interfaces.mcp.server import MAX_BODY

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


@pytest.fixture(scope="module")
def address(lamps_file):
    arguments = ("--catalog", lamps_file.name, "--allowed-host", "lamps.example")
    with over_http(lamps_file.parent, *arguments) as content:
        yield content


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("said", "dropped"), [("colour", [0]), ("price", [1])])
def test_a_client_asks_and_is_asked(address, mode, said, dropped):
    content = call(address, "repair", TIED, mode, choosing(said)).structured_content
    assert content["repairs"][0]["dropped"] == dropped
    assert content["tie_broken_by"] == "user"


def test_a_client_without_questions_gets_the_choices(address):
    content = call(address, "repair", TIED).structured_content
    assert [choice["gives_way"] for choice in content["choices"]] == [[0], [1]]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "lamps.example", "Origin": "https://evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_pages_of_other_sites_are_kept_out(address, headers, status):
    reply = httpx2.post(address, content=PING, headers=HEADERS | headers)
    assert reply.status_code == status


@pytest.mark.parametrize(
    "headers", [{"Host": "lamps.example"}, {"Origin": "http://localhost:3000"}]
)
def test_named_hosts_and_local_pages_are_let_in(address, headers):
    reply = httpx2.post(address, content=PING, headers=HEADERS | headers)
    assert reply.status_code not in (403, 421)


@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, "\0", '{"jsonrpc": 2}', "7"])
def test_bad_bodies_are_client_errors(address, body):
    reply = httpx2.post(address, content=body, headers=HEADERS)
    assert 400 <= reply.status_code < 500
    assert "Traceback" not in reply.text


def test_large_bodies_are_refused(address):
    reply = httpx2.post(address, content="x" * (MAX_BODY + 1), headers=HEADERS)
    assert reply.status_code == 413
    assert call(address, "search", {}).structured_content["count"] == 6


@pytest.mark.slow
def test_it_listens_on_this_machine_only(address):
    port = int(address.rpartition(":")[2].partition("/")[0])
    with socket.socket() as other:
        other.settimeout(2)
        # Another address of the loopback network: only 127.0.0.1 is served.
        assert other.connect_ex(("127.0.0.2", port)) != 0


def ended(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "mcp", "--catalog", "lamps.csv", "--http", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_line(lamps_file):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = ended(lamps_file.parent, "--port", str(port))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"port {port}" in err


@pytest.mark.slow
def test_other_machines_need_a_named_host(lamps_file):
    code, out, err = ended(lamps_file.parent, "--host", "0.0.0.0")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--allowed-host" in err
