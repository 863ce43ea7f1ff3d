"""What is finished: one file a stage, written whole or not at all, known by what it depends on.

A stage's fingerprint is a digest of its name, `--quick` where it then does less, the bytes of its
inputs and of this package, but for what only writes reports. A file of another fingerprint is as
good as none. Cost: reading inputs and package once.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...catalogs.errors import CatalogError, path_excerpt
from ..text_files import unwritable
from .stage import Context, Found, Stage

PACKAGE = Path(__file__).resolve().parents[2]
FLOORS = ("bench", "catalogs", "dialogs", "engine", "rendering", "solvers")
"""Folders of the package that a figure can depend on."""

WRITERS = (PACKAGE / "bench" / "reproduce", PACKAGE / "bench" / "reproduce" / "beside")
"""Folders whose files make rows and pages of what stages found."""

LEFT_OUT = {".pyc", ".nbi", ".nbc"}
BLOCK = 1 << 20


@cache
def package_digest() -> str:
    """Return a digest of every file of this package that a figure can depend on."""
    found = sha256()
    for floor in FLOORS:
        for path in sorted((PACKAGE / floor).rglob("*")):
            if path.is_file() and path.suffix not in LEFT_OUT and path.parent not in WRITERS:
                found.update(f"{path.relative_to(PACKAGE)}\0{_digest(path)}\n".encode())
    return found.hexdigest()


def _digest(path: Path) -> str:
    found = sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()


def fingerprint(stage: Stage, context: Context) -> str:
    """Return what a stage's result depends on; its inputs are there."""
    less = context.quick and stage.smaller
    parts: list[str] = [stage.name, str(less), package_digest()]
    for each in stage.inputs:
        path = context.data / each.path
        parts.append(f"{each.path} {_digest(path) if path.is_file() else 'missing'}")
    return sha256("\n".join(parts).encode()).hexdigest()


class Store:
    """The stages' files in a folder. Raises `CatalogError` for what cannot be written there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, stage: str) -> Path:
        """Return where a stage's result is kept."""
        return self.folder / "stages" / f"{stage}.json"

    def read(self, stage: str, mark: str) -> Mapping[str, Any] | None:
        """Return a finished stage's file; None where it is not there, of another mark, or torn."""
        try:
            text = self.path(stage).read_text(encoding="utf-8")
            record: dict[str, Any] = json.loads(text)
            return record if record["fingerprint"] == mark else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def write(self, stage: str, mark: str, found: Found, seconds: float) -> None:
        """Keep a stage's result."""
        record = {"stage": stage, "fingerprint": mark, "seconds": seconds, "found": found}
        write_whole(self.path(stage), json.dumps(record, ensure_ascii=False, allow_nan=False))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or as it was; raise `CatalogError` if that fails."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        _forget(beside)
        hint = "what was finished stays; the same command goes on from there"
        raise unwritable(path, error.strerror or str(error), hint) from None


def _forget(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold a folder for one run, and sweep what a killed one left half written.

    Raises `CatalogError` where another run holds it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("w", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error.strerror or str(error)) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            problem = f"another run writes to {path_excerpt(str(folder))}"
            raise CatalogError(problem, hint="wait for it, or name another folder") from None
        _sweep([folder, folder / "stages"])
        yield


def _sweep(folders: Sequence[Path]) -> None:
    for folder in folders:
        for left in folder.glob(".*.json.*"):
            _forget(left)
