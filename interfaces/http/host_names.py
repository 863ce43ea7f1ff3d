"""By which names a service may be called that lets anybody in: none but its own.

A page in a browser could otherwise reach a server on its visitor's machine under a name of the
page's own (DNS rebinding).
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address

from ...catalogs.errors import excerpt
from .problem_details import HttpProblem

ANY_ADDRESS = ("0.0.0.0", "::", "")
"""What listens on every address of the machine, whichever those are."""

HEALTH = ("/healthz", "/readyz")
"""Asked by balancers, some without a name; they tell nothing."""


class HostNames:
    """The names of a service that listens at `host`; `names` are further ones."""

    def __init__(self, host: str, names: Sequence[str]) -> None:
        self.listens_everywhere = host in ANY_ADDRESS
        self.names = {"localhost", host.casefold(), *(name.casefold() for name in names)}
        if self.listens_everywhere:
            self.names.add(socket.gethostname().casefold())

    def check(self, path: str, header: str | None) -> None:
        """Raise a 421 `HttpProblem` for a Host that is none of the service's names."""
        if path in HEALTH or self._is_own(header or ""):
            return
        hint = "call it by its own name, or start it with --allowed-host NAME"
        problem = f"this server is not called {excerpt(header or '')}"
        raise HttpProblem(421, "foreign-host", problem, hint=hint)

    def _is_own(self, header: str) -> bool:
        name = _without_port(header).casefold()
        if name.rstrip(".") in self.names or name.endswith(".localhost"):
            return True
        with suppress(ValueError):
            address = ip_address(name)
            # No name resolves to what is an address already.
            return self.listens_everywhere or address.is_loopback
        return False


def _without_port(header: str) -> str:
    """Return the name of a Host header; an address of version 6 without its brackets."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.rpartition(":")[0] if header.count(":") == 1 else header
