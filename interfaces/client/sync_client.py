"""`Client`: a running service asked from a program, one call at a time in each thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from . import calls
from .asking import FAILURES, Asking, Retries, default_name
from .calls import Call, Json, Row
from .transport import Reply

CONNECTIONS = 32
"""Connections that stay open at most."""


class Client:
    """A client of a service at `url`; used from any thread.

    `key` may ask, write or administer, as the server says; `catalog` is the one that is asked (the
    server's default without it); each wait for the server ends after `timeout` seconds. What is
    refused for a moment (429, 503) is sent again (`Retries`), and so is what got no answer where
    asking twice does no more than once.

    A client that wrote to a catalog reads that version of it, or a later one (`min_version`).
    Answers are the server's JSON: `Answer.model_validate(client.repair(…))` makes models of them.

    Raises the library's own errors with the server's words (`UnknownColumn`, `Overloaded`, …), and
    `ServiceError` for what only a service says, or where there is none.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        catalog: str | None = None,
        timeout: float = 30.0,
        retries: Retries | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._asking = Asking(
            url,
            key=key,
            catalog=catalog,
            timeout=timeout,
            retries=retries or Retries(),
            connections=CONNECTIONS,
        )
        self._sleep = sleep

    def repair(self, query: object = None, **options: Any) -> Json:
        """Return what gives way and what to offer; `query` is a WHERE text, a `Query` or a body.

        Options are the members of the body of `/v1/repair`: `top`, `policy`, `facets`, …
        """
        return self.ask(calls.question("repair", query, options))

    def search(self, query: object = None, **options: Any) -> Json:
        """Return what meets everything asked: `count`, `items`; options as of `repair`."""
        return calls.found(self.repair(query, **options))

    def diagnose(self, query: object = None, **options: Any) -> Json:
        """Return all minimal conflicts and repairs."""
        return self.ask(calls.question("diagnose", query, options))

    def extract(self, text: str, **options: Any) -> Json:
        """Return what a text asks for."""
        return self.ask(calls.text_question("extract", text, options))

    def clarify(self, text: str, **options: Any) -> Json:
        """Return what a text leaves unclear."""
        return self.ask(calls.text_question("clarify", text, options))

    def batch(self, requests: Iterable[Mapping[str, Any]]) -> list[Json]:
        """Return `{"status", "body"}` for each of up to 100 `{"operation", …body}`, in order."""
        return self.ask(calls.batch(requests))["responses"]

    def chat(self, text: str | None = None, **options: Any) -> Conversation:
        """Begin a conversation."""
        return Conversation(self.ask, self.ask(calls.chat(text, options)))

    def upsert(
        self, rows: Iterable[Row], *, catalog: str | None = None, key: str | None = None
    ) -> Json:
        """Insert or replace rows, all or none; return the `version` that has them.

        Sent again after a lost connection only where `key` is named: rows without one are added.
        """
        return self.ask(calls.upsert(self._name(catalog), rows, key))

    def delete(
        self,
        keys: Iterable[Any] | None = None,
        *,
        where: str | None = None,
        row_ids: Iterable[int] | None = None,
        catalog: str | None = None,
    ) -> Json:
        """Delete rows by their keys, a condition or their row ids; return the `version` without."""
        return self.ask(calls.delete(self._name(catalog), keys, where, row_ids))

    def fetch(
        self,
        keys: Iterable[Any] | None = None,
        *,
        where: str | None = None,
        fields: Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        top: int | None = None,
        offset: int | None = None,
        catalog: str | None = None,
    ) -> Json:
        """Return rows by their keys, or those that a condition matches."""
        options = {"fields": fields, "sort": sort, "top": top, "offset": offset}
        return self.ask(calls.fetch(self._name(catalog), keys, where, options))

    def catalogs(self) -> list[Json]:
        """Return the catalogs, the default first."""
        return self.ask(calls.CATALOGS)["catalogs"]

    def forget_versions(self) -> None:
        """Ask without `min_version` until the next write: the catalogs have begun anew."""
        self._asking.versions.forget()

    def close(self) -> None:
        """Close the connections."""
        self._asking.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _name(self, catalog: str | None) -> str:
        return catalog or self._asking.versions.default or self._default() or ""

    def _default(self) -> str | None:
        versions = self._asking.versions
        versions.default = default_name({"catalogs": self.catalogs()})
        return versions.default

    def ask(self, call: Call) -> Json:
        """Return the answer to any request."""
        if self._asking.needs_default(call):
            self._default()
        call = self._asking.prepared(call)
        attempt = 1
        while True:
            outcome = self._attempt(call)
            pause = self._asking.pause_after(call, outcome, attempt)
            if pause is None:
                return self._asking.finished(call, outcome)
            self._sleep(pause)
            attempt += 1

    def _attempt(self, call: Call) -> Reply | Exception:
        try:
            return self._asking.send(call)
        except FAILURES as error:
            return error


class Conversation:
    """A conversation with a service; `reply` is what was answered last."""

    def __init__(self, ask: Callable[[Call], Json], reply: Json) -> None:
        self._ask = ask
        self.reply = reply
        self.id = str(reply["id"])

    def say(self, text: str, *, propose: bool = False) -> Json:
        """Say something; with `propose` questions end."""
        return self._step("messages", {"text": text, "propose": propose})

    def refuse(self, positions: Sequence[int] | None = None) -> Json:
        """Let what the proposal relaxes, or the wishes at `positions`, never give way."""
        return self._step("refuse", {} if positions is None else {"positions": list(positions)})

    def forget(self, position: int) -> Json:
        """Forget a wish."""
        return self._step("forget", {"position": position})

    def reweigh(self, weights: Mapping[int, float]) -> Json:
        """Say how much wishes matter, by their positions."""
        return self._step("reweigh", {"weights": {str(at): w for at, w in weights.items()}})

    def undo(self) -> Json:
        """Take back what the last step changed."""
        return self._step("undo", {})

    def accept(self, place: int = 0) -> Json:
        """Take an item, and end."""
        return self._step("accept", {"place": place})

    def transcript(self) -> Json:
        """Return what was said."""
        return self._ask(calls.transcript(self.id))

    def end(self) -> Json:
        """Let the service forget it."""
        return self._ask(calls.end(self.id))

    def _step(self, name: str, body: Json) -> Json:
        self.reply = self._ask(calls.step(self.id, name, body))
        return self.reply
