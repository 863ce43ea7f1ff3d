"""Who may do what: keys by their hashes, with scopes, an end and a rate.

A request is let in by a key it carries as `X-API-Key` or `Authorization: Bearer`. Looking one up
costs a SHA-256 of it. Used from one event loop.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from starlette.datastructures import Headers

from ...catalogs.configuration.config_models import KeyConfig
from ...catalogs.configuration.key_hashes import hash_of
from ...catalogs.configuration.scopes import Scope
from ...catalogs.errors import excerpt
from .problem_details import HttpProblem
from .rate_limit import Clock, RateLimit, SharedBucket
from .settings import Secrets


@dataclass(frozen=True)
class Key:
    """A key that is known: its name, what it may do, until when, and how often."""

    name: str
    scopes: frozenset[str]
    expires: datetime | None = None
    rate: RateLimit | None = field(default=None, compare=False)

    def may(self, scope: Scope) -> bool:
        """Whether it may do what a scope says; an admin may do everything."""
        return scope in self.scopes or "admin" in self.scopes


class Access:
    """The keys of a service.

    Asking needs a key where one that may ask is set, also one that has expired; changing
    catalogs always does. `rates` is the folder where several processes count for each key
    together; each counts for itself without one.
    """

    def __init__(
        self,
        secrets: Secrets,
        clock: Clock = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
        rates: Path | None = None,
    ) -> None:
        self._today = today
        self._keys: dict[str, Key] = {}
        self._names = {"search": "the API key", "write": "the admin token"}
        if secrets.api_key is not None:
            self._keys[hash_of(secrets.api_key)] = Key("api-key", frozenset({"search"}))
        if secrets.admin_token is not None:
            self._keys[hash_of(secrets.admin_token)] = Key("admin-token", frozenset({"admin"}))
        for config in secrets.keys:
            self._keys[config.hash] = _key(config, clock, rates)
        scopes = {scope for key in self._keys.values() for scope in key.scopes}
        self.is_open = "search" not in scopes
        """Whether anybody may ask."""
        self.is_read_only = scopes.isdisjoint(("write", "admin"))
        """Whether nobody may change catalogs."""

    @property
    def has_keys(self) -> bool:
        """Whether there is any key."""
        return bool(self._keys)

    def check_search(self, headers: Headers) -> Key | None:
        """Return the key by which a request may ask, None for anybody's; raise an `HttpProblem`."""
        if not self.is_open:
            return self._checked(headers, "search")
        known = [key for key in self._given(headers) if key.may("search")]
        return _taken(known[0]) if known else None

    def check_change(self, headers: Headers, scope: Scope) -> Key:
        """Return the key by which a request may change catalogs; raise an `HttpProblem`."""
        if self.is_read_only:
            raise HttpProblem(
                403,
                "admin-off",
                "catalogs cannot be changed here: the server has no admin token",
                hint="start it with --admin-token-file, or with a key that may write",
            )
        return self._checked(headers, scope)

    def _given(self, headers: Headers) -> list[Key]:
        """Return the keys that a request carries, those that are known."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        told = bearer.strip() if scheme.lower() == "bearer" else ""
        candidates = (told, headers.get("x-api-key", ""))
        hashes = dict.fromkeys(hash_of(text) for text in candidates if text)
        return [self._keys[each] for each in hashes if each in self._keys]

    def _checked(self, headers: Headers, scope: Scope) -> Key:
        given = self._given(headers)
        if not given:
            raise _unknown(scope)
        now = self._today()
        able = [key for key in given if key.may(scope)]
        for key in able:
            if key.expires is None or now <= key.expires:
                return _taken(key)
        if able:
            problem = f"the key {excerpt(able[0].name)} has expired"
            raise HttpProblem(401, "key-expired", problem, hint="ask for a new one")
        if scope != "search" and all(key.name == "api-key" for key in given):
            raise _unknown(scope)
        may = ", ".join(sorted(given[0].scopes))
        problem = f"the key {excerpt(given[0].name)} is for {may}, not for {scope}"
        raise HttpProblem(403, "scope", problem, hint=f"send a key for {scope}")


def charge(key: Key | None, requests: int) -> None:
    """Count further requests against the rate of a key; raise a 429 `HttpProblem` beyond it."""
    if key is not None and key.rate is not None and requests > 0:
        wait = key.rate.wait(requests)
        if wait:
            raise _too_many(key, wait)


def _taken(key: Key) -> Key:
    charge(key, 1)
    return key


def _too_many(key: Key, wait: float) -> HttpProblem:
    seconds = max(1, math.ceil(wait))
    problem = f"the key {excerpt(key.name)} asks more often than it may"
    headers = {"Retry-After": str(seconds)}
    return HttpProblem(429, "rate", problem, hint=f"wait {seconds} s", headers=headers)


def _key(config: KeyConfig, clock: Clock, rates: Path | None) -> Key:
    rate = None
    if config.allowed is not None:
        bucket = None if rates is None else SharedBucket(rates / f"rate-{config.hash[-16:]}")
        rate = RateLimit(*config.allowed, clock, bucket)
    return Key(config.name, frozenset(config.scopes), config.expires_at, rate)


def _unknown(scope: Scope) -> HttpProblem:
    if scope == "search":
        return HttpProblem(
            401,
            "api-key",
            "the API key is missing or wrong",
            hint="send it as X-API-Key",
            headers={"WWW-Authenticate": "ApiKey"},
        )
    return HttpProblem(
        401,
        "admin-token",
        "the admin token is missing or wrong",
        hint="send Authorization: Bearer TOKEN",
        headers={"WWW-Authenticate": "Bearer"},
    )
