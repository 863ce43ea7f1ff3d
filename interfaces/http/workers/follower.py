"""A follower: it answers questions from what the owner publishes, and sends it everything else.

A thread takes in what was published, some milliseconds after it was, or at once where somebody
waits for it. Where that fails the process ends, and another begins with what is published then.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
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


class Follower(Alone):
    """A process that answers from what another one writes."""

    def __init__(self, folder: SharedFolder, open_source: Opener) -> None:
        self.owner_socket = folder.socket
        self._folder = folder
        self._open_source = open_source
        self._offset = 0
        self._wake = threading.Event()
        self._ended = False
        self._catalogs: dict[str, Catalog] = {}

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
        self._catalogs = {name: self._opened(member) for name, member in members.items()}
        return dict(self._catalogs)

    def _changes(self) -> list[Member]:
        changes, self._offset = self._folder.changes(self._offset)
        return list(changes)

    def _opened(self, member: Member) -> Catalog:
        return self._open_source(member.source, follow=self._folder.publication(member.number))

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
                for member in self._changes():
                    self._take(member, state, loop)
                for catalog in self._catalogs.values():
                    catalog.catch_up()
                self._wake.wait(PAUSE)
                self._wake.clear()
        except Exception:
            LOG.exception("what was published cannot be followed; this process begins again")
            # The supervisor starts another.
            os._exit(1)

    def _take(self, member: Member, state: ServerState, loop: asyncio.AbstractEventLoop) -> None:
        if member.source is not None:
            catalog = self._opened(member)
            warm(catalog)
            self._catalogs[member.name] = catalog
            loop.call_soon_threadsafe(state.add, member.name, catalog)
        elif self._catalogs.pop(member.name, None) is not None:
            loop.call_soon_threadsafe(state.remove, member.name)
