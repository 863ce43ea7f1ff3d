"""`AsyncClient`: a running service asked from an event loop.

Each attempt waits in a thread of its own pool; pauses between attempts hold no thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

from . import calls
from .asking import FAILURES, Asking, Retries, default_name
from .calls import Call, Json, Row
from .sync_client import CONNECTIONS
from .transport import Reply


class AsyncClient:
    """A `Client` whose calls are awaited, up to `connections` at once; used from one event loop.

    A call that is cancelled leaves its thread waiting until the server answers, or `timeout`.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        catalog: str | None = None,
        timeout: float = 30.0,
        retries: Retries | None = None,
        connections: int = CONNECTIONS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._asking = Asking(
            url,
            key=key,
            catalog=catalog,
            timeout=timeout,
            retries=retries or Retries(),
            connections=connections,
        )
        self._sleep = sleep
        self._threads = ThreadPoolExecutor(connections, "concede-client")

    async def repair(self, query: object = None, **options: Any) -> Json:
        """Return what gives way and what to offer; `query` is a WHERE text, a `Query` or a body.

        Options are the members of the body of `/v1/repair`: `top`, `policy`, `facets`, …
        """
        return await self.ask(calls.question("repair", query, options))

    async def search(self, query: object = None, **options: Any) -> Json:
        """Return what meets everything asked: `count`, `items`; options as of `repair`."""
        return calls.found(await self.repair(query, **options))

    async def diagnose(self, query: object = None, **options: Any) -> Json:
        """Return all minimal conflicts and repairs."""
        return await self.ask(calls.question("diagnose", query, options))

    async def extract(self, text: str, **options: Any) -> Json:
        """Return what a text asks for."""
        return await self.ask(calls.text_question("extract", text, options))

    async def clarify(self, text: str, **options: Any) -> Json:
        """Return what a text leaves unclear."""
        return await self.ask(calls.text_question("clarify", text, options))

    async def batch(self, requests: Iterable[Mapping[str, Any]]) -> list[Json]:
        """Return `{"status", "body"}` for each of up to 100 `{"operation", …body}`, in order."""
        return (await self.ask(calls.batch(requests)))["responses"]

    async def chat(self, text: str | None = None, **options: Any) -> AsyncConversation:
        """Begin a conversation."""
        return AsyncConversation(self.ask, await self.ask(calls.chat(text, options)))

    async def upsert(
        self, rows: Iterable[Row], *, catalog: str | None = None, key: str | None = None
    ) -> Json:
        """Insert or replace rows, all or none; return the `version` that has them.

        Sent again after a lost connection only where `key` is named: rows without one are added.
        """
        return await self.ask(calls.upsert(await self._name(catalog), rows, key))

    async def delete(
        self,
        keys: Iterable[Any] | None = None,
        *,
        where: str | None = None,
        row_ids: Iterable[int] | None = None,
        catalog: str | None = None,
    ) -> Json:
        """Delete rows by their keys, a condition or their row ids; return the `version` without."""
        return await self.ask(calls.delete(await self._name(catalog), keys, where, row_ids))

    async def fetch(
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
        return await self.ask(calls.fetch(await self._name(catalog), keys, where, options))

    async def catalogs(self) -> list[Json]:
        """Return the catalogs, the default first."""
        return (await self.ask(calls.CATALOGS))["catalogs"]

    def forget_versions(self) -> None:
        """Ask without `min_version` until the next write: the catalogs have begun anew."""
        self._asking.versions.forget()

    async def close(self) -> None:
        """Close the connections; what is being asked still ends."""
        self._threads.shutdown(wait=False)
        self._asking.transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _name(self, catalog: str | None) -> str:
        name = catalog or self._asking.versions.default or await self._default()
        return name or ""

    async def _default(self) -> str | None:
        versions = self._asking.versions
        versions.default = default_name({"catalogs": await self.catalogs()})
        return versions.default

    async def ask(self, call: Call) -> Json:
        """Return the answer to any request."""
        if self._asking.needs_default(call):
            await self._default()
        call = self._asking.prepared(call)
        attempt = 1
        while True:
            outcome = await self._attempt(call)
            pause = self._asking.pause_after(call, outcome, attempt)
            if pause is None:
                return self._asking.finished(call, outcome)
            await self._sleep(pause)
            attempt += 1

    async def _attempt(self, call: Call) -> Reply | Exception:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._asking.send, call)
        except FAILURES as error:
            return error


class AsyncConversation:
    """A `Conversation` whose steps are awaited; `reply` is what was answered last."""

    def __init__(self, ask: Callable[[Call], Awaitable[Json]], reply: Json) -> None:
        self._ask = ask
        self.reply = reply
        self.id = str(reply["id"])

    async def say(self, text: str, *, propose: bool = False) -> Json:
        """Say something; with `propose` questions end."""
        return await self._step("messages", {"text": text, "propose": propose})

    async def refuse(self, positions: Sequence[int] | None = None) -> Json:
        """Let what the proposal relaxes, or the wishes at `positions`, never give way."""
        return await self._step(
            "refuse", {} if positions is None else {"positions": list(positions)}
        )

    async def forget(self, position: int) -> Json:
        """Forget a wish."""
        return await self._step("forget", {"position": position})

    async def reweigh(self, weights: Mapping[int, float]) -> Json:
        """Say how much wishes matter, by their positions."""
        return await self._step("reweigh", {"weights": {str(at): w for at, w in weights.items()}})

    async def undo(self) -> Json:
        """Take back what the last step changed."""
        return await self._step("undo", {})

    async def accept(self, place: int = 0) -> Json:
        """Take an item, and end."""
        return await self._step("accept", {"place": place})

    async def transcript(self) -> Json:
        """Return what was said."""
        return await self._ask(calls.transcript(self.id))

    async def end(self) -> Json:
        """Let the service forget it."""
        return await self._ask(calls.end(self.id))

    async def _step(self, name: str, body: Json) -> Json:
        self.reply = await self._ask(calls.step(self.id, name, body))
        return self.reply
