"""Publication: what a catalog writes, in a folder from which other processes follow it in order.

The folder holds segments, by number: a base, which is a copy of the catalog at one version, and the
log of the writes after it. A swap begins the next segment, and so does a log that has grown long;
`current` names the last one. Whoever has come to the end of a log goes on with the next segment.

A write is in the catalog's own file first, if it has one, then in the log, and only then seen by
anybody. One whose process ended in between is in the file alone: the process that opens it next
begins a segment. What has no file of its own is opened again from the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic_core import from_json, to_json

from ..errors import CatalogError, path_excerpt
from ..storage.stored_copies import copy_rows
from ..storage.write_log import WriteLog, whole_records
from .snapshot import Snapshot

Item = TypeVar("Item")

MOST_WRITTEN = 1_000_001
"""Of one write; less is refused already."""

CURRENT = "current"
LOG_BYTES = 64 * 2**20
"""A longer log is followed by a segment with a base of its own, so that it is not kept for ever."""


@dataclass(frozen=True)
class Upserted:
    """Rows that were upserted by a key; `version` is the one they made."""

    version: int
    rows: Sequence[Mapping[str, Any]]
    key: tuple[str, ...]


@dataclass(frozen=True)
class Deleted:
    """Rows that were deleted, by row id; `version` is the one without them."""

    version: int
    row_ids: Sequence[int]


@dataclass(frozen=True)
class Replaced:
    """The whole catalog, at a version, as a copy in a file."""

    version: int
    path: Path


Written = Upserted | Deleted | Replaced


class Publication:
    """The writing end: one process publishes each version of a catalog before anybody sees it.

    Used under the lock of the catalog's writer. Raises `CatalogError` for what cannot be written.
    """

    def __init__(self, folder: Path, now: Snapshot, log_bytes: int = LOG_BYTES) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"nothing can be published in {path_excerpt(str(folder))}: {error.strerror}"
            raise CatalogError(problem, hint="name a folder, or one that can be made") from None
        self._folder = folder
        self._log_bytes = log_bytes
        self._number = current_segment(folder) or 0
        if self._number and _last_version(folder, self._number) == now.version:
            self._log = WriteLog(_log(folder, self._number))
        else:
            self._log = self._begin(now)

    def upserted(
        self, following: Snapshot, rows: Iterable[Mapping[str, Any]], key: Sequence[str]
    ) -> None:
        """Publish a version that rows, upserted by a key, have made."""
        record = {"version": following.version, "rows": list(rows), "key": list(key)}
        self._append(record, following)

    def deleted(self, following: Snapshot, row_ids: Iterable[int]) -> None:
        """Publish a version from which rows are gone."""
        record = {"version": following.version, "row_ids": list(map(int, row_ids))}
        self._append(record, following)

    def replaced(self, following: Snapshot) -> None:
        """Publish a version as a whole: begin a segment."""
        try:
            self._log.close()
            self._log = self._begin(following)
        except OSError as error:
            raise _unlogged(error) from None

    def close(self) -> None:
        """Publish nothing more."""
        self._log.close()

    def _append(self, record: Mapping[str, Any], following: Snapshot) -> None:
        text = to_json(record, fallback=str)
        if self._log.size > self._log_bytes or from_json(text) != record:
            # Values that JSON does not tell exactly (decimals, moments) go this way as well.
            self.replaced(following)
            return
        try:
            self._log.append(text)
        except OSError as error:
            raise _unlogged(error) from None

    def _begin(self, now: Snapshot) -> WriteLog:
        number = self._number + 1
        base, log = _base(self._folder, number), _log(self._folder, number)
        for path in (base, log):
            # What a process left that ended before it had come so far.
            path.unlink(missing_ok=True)
        _copy(now, base)
        begun = WriteLog(log)
        begun.append(to_json({"version": now.version}))
        # Replaced whole, so that nobody reads half of it.
        draft = self._folder / f"{CURRENT}.draft"
        draft.write_text(str(number), encoding="ascii")
        draft.replace(self._folder / CURRENT)
        self._number = number
        for path in (_base(self._folder, number - 2), _log(self._folder, number - 2)):
            with suppress(OSError):
                path.unlink()
        return begun


class Subscription:
    """The reading end: what was published, from the last segment there was at the beginning on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number: int | None = None
        self._offset = 0

    def changes(self) -> Iterator[Written]:
        """Yield what was written since the last call, in order; the whole catalog at first.

        A base that is there no longer has been followed by another, which comes next.
        """
        while True:
            # Before the log is read: a segment that is not the last grows no more.
            last = current_segment(self._folder)
            if self._number is not None:
                yield from self._logged(self._number)
            if last == self._number or last is None:
                return
            self._number, self._offset = last, 0
            with suppress(FileNotFoundError):
                yield Replaced(_first_version(self._folder, last), _base(self._folder, last))

    def is_current(self) -> bool:
        """Whether the segment that is being read is the last one."""
        return current_segment(self._folder) == self._number

    def _logged(self, number: int) -> Iterator[Written]:
        try:
            records, end = whole_records(_log(self._folder, number), self._offset)
        except FileNotFoundError:
            return
        self._offset = end
        for text in records:
            record = from_json(text)
            if "rows" in record:
                yield Upserted(record["version"], record["rows"], tuple(record["key"]))
            elif "row_ids" in record:
                yield Deleted(record["version"], record["row_ids"])


def _copy(now: Snapshot, path: Path) -> None:
    state = (now.version, now.numbering.next_id)
    copy_rows(now.cursor(), now.rows_clause, now.table.loaded, state, path)


def repeatable(given: Iterable[Item]) -> Iterable[Item]:
    """Return what is written as it can be gone through twice; no more of it than may be."""
    if isinstance(given, Sequence | Mapping):
        return cast("Iterable[Item]", given)
    return list(islice(given, MOST_WRITTEN))


def current_segment(folder: Path) -> int | None:
    """Return the number of the last segment that a folder holds; None without one."""
    try:
        return int((folder / CURRENT).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def _base(folder: Path, number: int) -> Path:
    return folder / f"base-{number}.duckdb"


def _log(folder: Path, number: int) -> Path:
    return folder / f"writes-{number}.log"


def _first_version(folder: Path, number: int) -> int:
    records, _ = whole_records(_log(folder, number))
    return int(from_json(records[0])["version"])


def _last_version(folder: Path, number: int) -> int:
    records, _ = whole_records(_log(folder, number))
    return int(from_json(records[-1])["version"]) if records else 0


def _unlogged(error: OSError) -> CatalogError:
    reason = error.strerror or os.strerror(error.errno or 0)
    return CatalogError(f"the write cannot be logged: {reason}", hint="is the disk full?")
