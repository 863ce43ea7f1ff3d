"""No test reaches anything but this machine, and none can hide that it tried."""

import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable

import pytest

from loopback_chat import LoopbackChat, says
from loopback_only import is_loopback

# TEST-NET-1 (RFC 5737) belongs to nobody; .invalid (RFC 2606) never resolves.
ELSEWHERE = ("192.0.2.1", 80)


def _socket() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM)


ATTEMPTS: dict[str, Callable[[], object]] = {
    "connect": lambda: _socket().connect(ELSEWHERE),
    "connect_ex": lambda: _socket().connect_ex(ELSEWHERE),
    "create_connection": lambda: socket.create_connection(ELSEWHERE, timeout=1),
    "getaddrinfo": lambda: socket.getaddrinfo("models.invalid", 443),
    "gethostbyname": lambda: socket.gethostbyname("models.invalid"),
    "sendto": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ELSEWHERE),
    "IPv6": lambda: socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80, 0, 0)),
}


@pytest.mark.parametrize("way", ATTEMPTS)
def test_every_way_out_fails_the_test(way: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"tests reach only 127\.0\.0\.1"):
        ATTEMPTS[way]()


def test_code_that_swallows_errors_cannot_hide_it() -> None:
    def careless() -> None:
        try:
            socket.create_connection(ELSEWHERE, timeout=1)
        except Exception:
            return

    with pytest.raises(pytest.fail.Exception):
        careless()


def test_a_client_is_stopped_before_it_asks() -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(pytest.fail.Exception, match=r"models\.invalid"):
        opener.open("http://models.invalid/", timeout=1)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.9.9", b"127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", None]
)
def test_this_machine_may_be_reached(host: object) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "0.0.0.1", "127.0.0.1.invalid", "::2", "localhost.invalid", "192.0.2.1"]
)
def test_no_other_may(host: str) -> None:
    assert not is_loopback(host)


def test_a_process_of_a_test_finds_its_own_server_and_no_way_out() -> None:
    program = (
        "import sys, urllib.request, urllib.error\n"
        "request = urllib.request.Request(sys.argv[1], data=b'{}')\n"
        "print(urllib.request.urlopen(request, timeout=20).status)\n"
        "try: urllib.request.urlopen('http://models.invalid/', timeout=20)\n"
        "except urllib.error.URLError as error: print(error.reason)\n"
    )
    with LoopbackChat([says("yes")]) as server:
        command = [sys.executable, "-c", program, server.url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    # Refused by the proxy's port; a look-up of the name would have failed otherwise.
    assert done.stdout.split("\n")[:2] == ["200", "[Errno 111] Connection refused"], done.stderr
