"""A follower: it answers questions from what the owner publishes, and sends it everything else.

A thread takes in what was published, some milliseconds after it was, or at once where somebody
waits for it. Where that fails the process ends, and another begins with what is published then; not
for a catalog that was unloaded meanwhile, whose folder is gone.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....catalogs.catalog import Catalog
from ....catalogs.errors import LimitError
from ....engine.runtime.json_logging import LOG
from ..process_role import Alone
from ..warm_up import warm
from .shared_folder import Member, SharedFolder

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ..state import ServerState

PAUSE = 0.02
"""Seconds between two looks at what was published, where nobody waits for it."""

START_SECONDS = 290.0
"""How long the owner may take to read its catalogs."""

Opener = Callable[..., Catalog]


@dataclass(frozen=True)
class Followed:
    """A catalog, and the number of the folder that it is published in."""

    number: int
    catalog: Catalog


class Follower(Alone):
    """A process that answers from what another one writes."""

    def __init__(self, folder: SharedFolder, open_source: Opener) -> None:
        self.owner_socket, self.rates = folder.socket, folder.path
        self._folder = folder
        self._open_source = open_source
        self._offset = 0
        self._wake = threading.Event()
        self._ended = False
        self._pending: deque[Member] = deque()
        self._followed: dict[str, Followed] = {}

    def open_all(self) -> dict[str, Catalog]:
        """Return the catalogs by name, once the owner has them.

        Raises `LimitError` where it takes too long, and what opening raises.
        """
        until, is_started = time.monotonic() + START_SECONDS, False
        members: dict[str, Member] = {}
        while not is_started:
            for member in self._changes():
                is_started |= member.started
                if member.source is not None:
                    members[member.name] = member
                elif not member.started:
                    members.pop(member.name, None)
            if time.monotonic() > until:
                raise LimitError("the process that writes has not started", hint="see its log")
            time.sleep(0 if is_started else PAUSE)
        for member in members.values():
            self._open(member)
        return {name: followed.catalog for name, followed in self._followed.items()}

    def _changes(self) -> Iterator[Member]:
        """Yield what was loaded and unloaded, each once."""
        self._look()
        while self._pending:
            yield self._pending.popleft()

    def _look(self) -> None:
        changes, self._offset = self._folder.changes(self._offset)
        self._pending.extend(changes)

    def _open(self, member: Member) -> Catalog | None:
        """Follow a catalog; return it, or None where it has been unloaded meanwhile."""
        publication = self._folder.publication(member.number)
        with self._unless_gone(member.number):
            catalog = self._open_source(member.source, follow=publication)
            self._followed[member.name] = Followed(member.number, catalog)
            return catalog
        return None

    @contextmanager
    def _unless_gone(self, number: int) -> Generator[None]:
        """Pass over what fails as a catalog was unloaded: its folder goes once that is told."""
        try:
            yield
        except Exception:
            self._look()
            if not any(later.ends(number) for later in self._pending):
                raise

    def hurry(self) -> None:
        """Look at what was published now."""
        self._wake.set()

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncGenerator[None]:
        """Take in what is published while the service runs."""
        loop = asyncio.get_running_loop()
        thread = threading.Thread(target=self._follow, args=(app.state.concede, loop), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended = True
            self._wake.set()
            await asyncio.to_thread(thread.join)

    def _follow(self, state: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while not self._ended:
                self.take_in(state, loop.call_soon_threadsafe)
                self._wake.wait(PAUSE)
                self._wake.clear()
        except Exception:
            LOG.exception("what was published cannot be followed; this process begins again")
            # The supervisor starts another.
            os._exit(1)

    def take_in(self, state: ServerState, soon: Callable[..., object]) -> None:
        """Take in what was published since the last call; `soon` calls where requests are taken.

        Raises what opening and catching up raise for a catalog that is served still.
        """
        for member in self._changes():
            self._take(member, state, soon)
        for followed in self._followed.values():
            with self._unless_gone(followed.number):
                followed.catalog.catch_up()

    def _take(self, member: Member, state: ServerState, soon: Callable[..., object]) -> None:
        if member.source is not None:
            if (catalog := self._open(member)) is not None:
                warm(catalog)
                soon(state.add, member.name, catalog)
        elif self._followed.pop(member.name, None) is not None:
            soon(state.remove, member.name)
