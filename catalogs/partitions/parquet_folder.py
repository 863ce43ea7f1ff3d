"""A folder of Parquet files as one table that stays where it is, a partition a file.

A file is told from what it was before by its size, the time it was written, and its footer, where
Parquet keeps what each column chunk holds and where: one `stat` and two small reads a file.
Folders called `hour=7` are a column, as Spark and Hive write them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import duckdb

from ..cached_attribute import cached_attribute
from ..errors import UnreadableCatalog, excerpt
from ..keyboard_interrupt import WATCHER
from ..query.predicate import literal, quoted
from ..query.schema import Column, Schema
from ..sources.file_reader import file_argument, first_line
from ..sources.loading import CLOCK_TYPES, described
from ..sources.parquet_names import parquet_names
from .reading import connected, read_as

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH_BYTES = 32 * 2**20
"""Bytes of files read by one statement: a quarter of a second, lost where a run is killed."""

MOST_IN_A_BATCH = 256

FILE = "concede file"
"""The column that numbers the files of a batch."""

MAGIC = b"PAR1"
FOOTER_END = 8
"""Bytes behind a footer: its length in four, and the format's name."""

HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"
WHOLE_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})")


@dataclass(frozen=True, order=True)
class Part:
    """One partition: a file's name below the folder, and what changes when it is replaced.

    `size` is in bytes, `modified` in nanoseconds, `tag` the hash of its footer.
    """

    name: str
    size: int
    modified: int
    tag: str


class ParquetFolder:
    """The partitions that a folder holds now, and the columns that all of them have.

    `besides` is a file that may lie there and is no partition. Raises `UnreadableCatalog` for a
    folder that holds no Parquet file and for a file that is none.
    """

    def __init__(
        self, folder: str | os.PathLike[str], besides: str | os.PathLike[str] | None = None
    ) -> None:
        self.path = Path(folder).absolute()
        other = None if besides is None else Path(besides).resolve()
        names = [name for name in parquet_names(self.path) if (self.path / name).resolve() != other]
        self.parts = tuple(_part(self.path, name) for name in sorted(names))
        if not self.parts:
            raise UnreadableCatalog(str(folder), "no Parquet file in it", hint="check the path")
        self._types_by_part: dict[Part, dict[str, str]] = {}

    @cached_attribute
    def connection(self) -> DuckDBPyConnection:
        """A DuckDB connection that reads files."""
        connection = connected()
        WATCHER.watch(connection)
        return connection

    @cached_attribute
    def schema(self) -> Schema:
        """The columns of the first file and of the folders' names; others are read as usual."""
        first = self.parts[0]
        types = self._described(f"SELECT * FROM {self.clause(first)}", first)
        own = self._own_types(first)
        return Schema(
            tuple(
                Column(name, kind, is_clock=own.get(name) in CLOCK_TYPES)
                for name, kind in types.items()
            )
        )

    def check(self, part: Part) -> None:
        """Raise `UnreadableCatalog` for a file whose columns are others than the first's."""
        expected, found = self._own_types(self.parts[0]), self._own_types(part)
        for name in [*expected, *found]:
            if expected.get(name) != found.get(name):
                said = f"column {excerpt(name)} is {found.get(name, 'missing')} there"
                first = f"{expected.get(name, 'missing')} in {excerpt(self.parts[0].name)}"
                place = str(self.path / part.name)
                hint = "write the partitions with the same columns"
                raise UnreadableCatalog(place, f"{said}, and {first}", hint=hint)

    def unchanged(self, part: Part) -> bool:
        """Return whether the file still is what it was when it was listed."""
        return _part(self.path, part.name) == part

    def clause(self, part: Part) -> str:
        """Return a FROM clause of one partition's rows: moments in UTC, NaN as NULL."""
        return self._reading([part])

    def clause_of(self, parts: Sequence[Part]) -> str:
        """Return a FROM clause of the rows of a batch; `FILE` numbers its partitions from 0."""
        return self._reading(parts, f", file_index AS {quoted(FILE)}")

    @property
    def every_clause(self) -> str:
        """A FROM clause of the rows of all partitions, for one pass over them."""
        groups = [self._reading(list(group)) for _, group in groupby(self.parts, _hive)]
        return groups[0] if len(groups) == 1 else f"(FROM {' UNION ALL FROM '.join(groups)})"

    def batches(self, parts: Iterable[Part]) -> Iterator[list[Part]]:
        """Yield partitions in batches of `BATCH_BYTES` or a little more.

        One statement reads a batch, since planning one takes as long as reading some 30,000 rows.
        """
        shadowed = any(name.casefold() == "file_index" for name in self.schema.names)
        batch: list[Part] = []
        for part in parts:
            full = sum(each.size for each in batch) >= BATCH_BYTES or len(batch) == MOST_IN_A_BATCH
            if batch and (full or shadowed or _hive(part) != _hive(batch[0])):
                yield batch
                batch = []
            batch.append(part)
        if batch:
            yield batch

    def _reading(self, parts: Sequence[Part], more: str = "") -> str:
        """Return a FROM clause of files below folders of the same values."""
        # DuckDB shares the files out among its threads.
        places = ", ".join(_place(self.path / part.name) for part in parts)
        clause = f"read_parquet([{places}], hive_partitioning=false)"
        hive = [f"{self._hive_cell(parts[0], name)} AS {quoted(name)}" for name in self._hive_types]
        # A folder's name counts where the file has a column of the same name, too.
        own = {name.casefold() for name in self._hive_types}
        read = [
            f"{read_as(quoted(name), kind)} AS {quoted(name)}"
            for name, kind in self._own_types(parts[0]).items()
            if name.casefold() not in own
        ]
        return f"(SELECT {', '.join([*read, *hive])}{more} FROM {clause})"

    def _own_types(self, part: Part) -> Mapping[str, str]:
        """Return the columns of a file and their types as Parquet has them."""
        if part not in self._types_by_part:
            clause = f"read_parquet({file_argument(self.path / part.name)})"
            found = self._described(f"SELECT * FROM {clause}", part)
            self._types_by_part[part] = found
        return self._types_by_part[part]

    def _described(self, select: str, part: Part) -> dict[str, str]:
        try:
            return described(self.connection, select)
        except duckdb.Error as error:
            raise UnreadableCatalog(str(self.path / part.name), first_line(error)) from None

    @cached_attribute
    def _hive_types(self) -> Mapping[str, str]:
        """The columns that folders' names give, with their types, as DuckDB infers them."""
        values: dict[str, list[str]] = {}
        for part in self.parts:
            for name, value in _hive(part).items():
                values.setdefault(name, []).append(value)
        return {name: _hive_type(found) for name, found in values.items()}

    def _hive_cell(self, part: Part, name: str) -> str:
        value = _hive(part).get(name, HIVE_NULL)
        cell = "NULL" if value == HIVE_NULL else literal(value)
        return f"CAST({cell} AS {self._hive_types[name]})"


def _hive_type(values: Sequence[str]) -> str:
    """Return the type of values in folders' names: whole numbers, days, or text."""
    known = [value for value in values if value != HIVE_NULL]
    if all(map(WHOLE_NUMBER.fullmatch, known)):
        return "BIGINT"
    return "DATE" if all(map(_is_day, known)) else "VARCHAR"


def _is_day(text: str) -> bool:
    try:
        return len(text) == len("2024-01-31") and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _place(path: Path) -> str:
    return file_argument(path).rpartition(",")[0]


def _part(folder: Path, name: str) -> Part:
    path = folder / name
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            file.seek(max(0, status.st_size - FOOTER_END))
            end = file.read(FOOTER_END)
            length = int.from_bytes(end[:4], "little")
            if end[4:] != MAGIC or length + FOOTER_END > status.st_size:
                raise UnreadableCatalog(str(path), "no Parquet file", hint="is it half-written?")
            file.seek(status.st_size - FOOTER_END - length)
            tag = blake2b(file.read(length), digest_size=16).hexdigest()
    except OSError as error:
        raise UnreadableCatalog(str(path), error.strerror or str(error)) from None
    return Part(name, status.st_size, status.st_mtime_ns, tag)


def _hive(part: Part) -> dict[str, str]:
    pairs = [folder.partition("=") for folder in part.name.split("/")[:-1] if "=" in folder]
    return {unquote(name): unquote(value) for name, _, value in pairs}
