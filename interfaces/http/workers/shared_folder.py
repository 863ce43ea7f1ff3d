"""The folder that the processes of one service share: who writes, where, and what is served.

| file | |
|---|---|
| `owner.lock` | locked by the process that writes; the system drops the lock with the process |
| `owner.pid`, `owner.sock` | its id, and where it takes what others are asked to write |
| `members` | a log: which catalog was loaded or unloaded, and the number of its folder |
| `0`, `1`, … | what each catalog's writer publishes |
| `reload` | how often the sources were to be read again |
| `rate-…` | when each key may ask as much as it ever may |
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from ....catalogs.storage.write_log import whole_records
from ..settings import CatalogSource

FOLDER_VARIABLE = "CONCEDE_WORKERS_FOLDER"


@dataclass(frozen=True)
class Member:
    """A catalog that is served, from a folder of that number; without a source no longer.

    The first processes follow once `started` was said: then every catalog is there.
    """

    name: str = ""
    number: int = 0
    source: CatalogSource | None = None
    started: bool = False

    def ends(self, number: int) -> bool:
        """Whether it says that the catalog in the folder of that number is served no longer."""
        return self.source is None and not self.started and self.number == number


MEMBER = TypeAdapter(Member)


@dataclass(frozen=True)
class SharedFolder:
    """Names in the folder."""

    path: Path

    @property
    def socket(self) -> Path:
        """Where the owner listens."""
        return self.path / "owner.sock"

    @property
    def members(self) -> Path:
        """The log of loaded and unloaded catalogs."""
        return self.path / "members"

    def publication(self, number: int) -> Path:
        """Return the folder that a catalog is published in."""
        return self.path / str(number)

    @property
    def owner(self) -> int:
        """The id of the process that writes; 0 before there is one."""
        with suppress(OSError, ValueError):
            return int((self.path / "owner.pid").read_text())
        return 0

    @property
    def reloads(self) -> int:
        """How often the sources were to be read again."""
        with suppress(OSError, ValueError):
            return int((self.path / "reload").read_text())
        return 0

    def ask_to_reload(self) -> None:
        """Have the next owner read the sources again."""
        (self.path / "reload").write_text(str(self.reloads + 1))

    def take_ownership(self) -> bool:
        """Become the process that writes, until it ends; return whether nobody else was."""
        import fcntl

        lock = os.open(self.path / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        # Never closed: the lock goes with the process.
        (self.path / "owner.pid").write_text(str(os.getpid()))
        return True

    def changes(self, offset: int) -> tuple[Iterator[Member], int]:
        """Return what was loaded and unloaded after an offset of the log, and where it ends."""
        try:
            records, end = whole_records(self.members, offset)
        except FileNotFoundError:
            return iter(()), offset
        return map(MEMBER.validate_json, records), end
