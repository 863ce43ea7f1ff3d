"""A switch that lets this process reach itself and nothing else.

It raises what pytest raises for a failed test, which is no `Exception`: code that swallows
errors, or tries again, cannot hide that it wanted out.
"""

import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

LOCAL_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost")
NOWHERE = "http://127.0.0.1:9"
"""The discard port, which nobody serves: where processes of tests find a proxy."""

ENVIRONMENT = {
    "HTTP_PROXY": NOWHERE,
    "HTTPS_PROXY": NOWHERE,
    "ALL_PROXY": NOWHERE,
    "http_proxy": NOWHERE,
    "https_proxy": NOWHERE,
    "all_proxy": NOWHERE,
    "NO_PROXY": "127.0.0.1,localhost,::1",
    "no_proxy": "127.0.0.1,localhost,::1",
}
SECRET_PREFIXES = ("CONCEDE_", "OPENAI_")
KEPT = ("CONCEDE_SHARED_DATA", "CONCEDE_KERNELS")


def is_loopback(host: object) -> bool:
    """Whether a host, as the functions of `socket` take it, is this machine itself."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in LOCAL_NAMES or name == "":
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _refuse(host: object) -> None:
    if not is_loopback(host):
        pytest.fail(f"a test wanted to reach {str(host)[:80]!r}; tests reach only 127.0.0.1")


def _guarded_method(original: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        # The address stands last in connect, connect_ex and sendto. Unix sockets have a path.
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse(arguments[-1][0] if isinstance(arguments[-1], tuple) else None)
        return original(self, *arguments)

    return guarded


def _guarded_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(host: Any, *arguments: Any, **options: Any) -> Any:
        _refuse(host)
        return original(host, *arguments, **options)

    return guarded


def _guarded_dial(original: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(address: Any, *arguments: Any, **options: Any) -> Any:
        _refuse(address[0])
        return original(address, *arguments, **options)

    return guarded


@contextmanager
def loopback_only() -> Iterator[None]:
    """Keep this process to itself, and point the processes it starts at no proxy and no model."""
    methods = ("connect", "connect_ex", "sendto")
    lookups = ("getaddrinfo", "gethostbyname", "gethostbyname_ex")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        for name in methods:
            patch.setattr(socket.socket, name, _guarded_method(getattr(socket.socket, name)))
        for name in lookups:
            patch.setattr(socket, name, _guarded_lookup(getattr(socket, name)))
        patch.setattr(socket, "create_connection", _guarded_dial(socket.create_connection))
        for name in [variable for variable in os.environ if variable.startswith(SECRET_PREFIXES)]:
            if name not in KEPT:
                patch.delenv(name)
        yield
