"""The owner: the one process that writes, holds conversations and what is known of people.

It publishes each write before anybody sees it, and takes what the other processes are asked to
change at a socket of its own, where the very same application answers.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from uvicorn import Config, Server

from ....catalogs.catalog import Catalog
from ....catalogs.errors import ConcedeError
from ....catalogs.storage.write_log import WriteLog
from ....engine.runtime.json_logging import LOG
from ..process_role import Alone, Folders
from ..uvicorn_protocol import TimeoutProtocol
from .shared_folder import MEMBER, Member, SharedFolder

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ..settings import CatalogSource, Limits, ServeSettings

BACKLOG = 256
"""Connections of other processes that may wait to be accepted."""

Opener = Callable[..., Catalog]
"""Opens a `CatalogSource` with what `folders` says."""


class Owner(Alone):
    """The process that writes."""

    def __init__(self, folder: SharedFolder) -> None:
        self.rates = folder.path
        self._folder = folder
        changes, _ = folder.changes(0)
        self._known = list(changes)
        self._log = WriteLog(folder.members)
        self._numbers: dict[str, int] = {}
        self._next = 1 + max((member.number for member in self._known), default=-1)

    def open_all(self, settings: ServeSettings, open_source: Opener) -> dict[str, Catalog]:
        """Return the catalogs by name: those of the owner before this one, as it left them, or
        else those of the settings. Raises what opening raises."""
        catalogs: dict[str, Catalog] = {}
        if any(member.started for member in self._known):
            for source in self._served():
                publication = self._folder.publication(self._numbers[source.name])
                catalogs[source.name] = open_source(source, publish_to=publication)
            self._read_again(catalogs)
            return catalogs
        for source in settings.catalogs:
            folders = self.folders()
            catalogs[source.name] = open_source(source, **folders)
            self.opened(source, folders)
        self._log.append(MEMBER.dump_json(Member(started=True)))
        self._note_reloads()
        return catalogs

    def _served(self) -> list[CatalogSource]:
        served: dict[str, CatalogSource] = {}
        for member in self._known:
            if member.source is not None:
                served[member.name], self._numbers[member.name] = member.source, member.number
            elif not member.started:
                del served[member.name], self._numbers[member.name]
        return list(served.values())

    def _read_again(self, catalogs: Mapping[str, Catalog]) -> None:
        """Read the sources again where somebody asked for that since the last owner did."""
        if self._folder.reloads == self._reloads_done():
            return
        for name, catalog in catalogs.items():
            try:
                catalog.reload()
            except ConcedeError:
                LOG.exception("a source cannot be read again", extra={"catalog": name})
        self._note_reloads()

    def _reloads_done(self) -> int:
        with suppress(OSError, ValueError):
            return int((self._folder.path / "reloaded").read_text())
        return 0

    def _note_reloads(self) -> None:
        (self._folder.path / "reloaded").write_text(str(self._folder.reloads))

    def folders(self) -> Folders:
        """Return where another catalog is published: an empty folder of its own."""
        publication = self._folder.publication(self._next)
        self._next += 1
        # An owner may have been killed before anybody was told what it had begun there.
        shutil.rmtree(publication, ignore_errors=True)
        return {"publish_to": publication}

    def opened(self, source: CatalogSource, folders: Folders) -> None:
        """Have the others follow a catalog."""
        assert "publish_to" in folders
        number = self._numbers[source.name] = int(folders["publish_to"].name)
        self._log.append(MEMBER.dump_json(Member(source.name, number, source)))

    def unloaded(self, name: str) -> Path | None:
        """Have the others serve a catalog no longer; return the folder that it was published in.

        They may be reading there, and are told before it goes.
        """
        number = self._numbers.pop(name)
        self._log.append(MEMBER.dump_json(Member(name, number)))
        return self._folder.publication(number)

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncGenerator[None]:
        """Answer at the inner socket, too."""
        server = _InnerServer(_config(app, app.state.concede.settings.limits))
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            # The one before may have been killed.
            self._folder.socket.unlink(missing_ok=True)
            listener.bind(str(self._folder.socket))
            listener.listen(BACKLOG)
            serving = asyncio.create_task(server.serve([listener]))
            try:
                yield
            finally:
                self._folder.socket.unlink(missing_ok=True)
                server.should_exit = True
                await serving


class _InnerServer(Server):
    """A server beside another one, which has the signals."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle no signals."""
        yield


def _config(app: FastAPI, limits: Limits) -> Config:
    return Config(
        app,
        http=TimeoutProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=int(limits.shutdown_seconds),
    )
