"""What a process is among those that answer: the only one, the owner, or a follower.

This one is alone: it holds everything, nobody follows it, and nothing is sent elsewhere.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from fastapi import FastAPI

    from .settings import CatalogSource


class Folders(TypedDict, total=False):
    """The arguments of `Catalog.open` that say who writes."""

    publish_to: Path
    follow: Path


class Alone:
    """The only process; the base of what a process may be beside others.

    `owner_socket` is where the process that writes listens; None where this one is it. `rates` is
    the folder where all count how much each key asked; None where nobody else does.
    """

    owner_socket: Path | None = None
    rates: Path | None = None

    @asynccontextmanager
    async def running(self, app: FastAPI) -> AsyncGenerator[None]:
        """Do what the role asks for while the service runs."""
        yield

    def hurry(self) -> None:
        """Take in what was written elsewhere now; somebody waits for it."""

    def folders(self) -> Folders:
        """Return how another catalog is opened here: arguments of `Catalog.open`."""
        return Folders()

    def opened(self, source: CatalogSource, folders: Folders) -> None:
        """Tell others that a catalog, opened so, is served from now on."""

    def unloaded(self, name: str) -> Path | None:
        """Tell others that a catalog is served no longer; return the folder that it leaves."""
        return None
