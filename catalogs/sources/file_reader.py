"""The base class of file readers: a reader turns one format into a FROM clause for DuckDB.

To add a format, write one file with a class derived from `FileReader` (docs/templates/source.py
is one); `registry.py` says where to name it.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ..query.predicate import literal
from ..query.schema import ColumnOverride

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class Source:
    """A source made readable on a connection.

    `from_clause` reads it there. `runnable` says that the same clause reads it on any DuckDB
    connection; otherwise it only does on this one, until `close`. `types` are the columns'
    types where finding the clause has told them already. `has_row_ids` says that one of the
    columns, `ROW_IDS`, is none of the items'. `units` are those that cells were written with.
    `qualified` are the schema and the name by which SQL names a database's table outside `main`.
    """

    name: str
    from_clause: str
    runnable: bool = True
    close: Callable[[], object] = field(default=lambda: None, repr=False)
    types: Mapping[str, str] | None = None
    has_row_ids: bool = False
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    qualified: tuple[str, str] | None = None

    @property
    def types_are_guessed(self) -> bool:
        """Whether the types come from the rows, so that without rows there are none."""
        return "read_csv(" in self.from_clause


@dataclass(frozen=True)
class ReadOptions:
    """How a file is read: the table that was asked for, and columns whose types are given."""

    table: str | None
    overrides: Mapping[str, ColumnOverride]


class FileReader(ABC):
    """A format of files, known by their endings.

    `suffixes` are lower case, with the dot; messages list them. `has_tables` says that a file
    holds several tables; a reader without them is never given one.
    """

    suffixes: ClassVar[tuple[str, ...]]
    has_tables: ClassVar[bool] = False

    @abstractmethod
    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the file's rows as a source on the connection.

        The file is there, readable and not empty. Raises `UnreadableCatalog`; a DuckDB error, an
        `OSError` or a `ValueError` is reported with the file's name and what `problem` finds.
        """

    def problem(self, path: Path) -> tuple[str, str]:
        """Return what is wrong with a file that was not read, and a hint; empty if unknown."""
        return "", ""


def file_argument(path: Path) -> str:
    """Return the arguments that name a file in DuckDB's `read_…` functions, quoted."""
    # Wildcards are taken literally; a folder called `year=2020` would add a column to the file.
    place = re.sub(r"([\[*?])", r"[\1]", os.path.abspath(path))
    return f"{literal(place)}, hive_partitioning=false"


def table_name(path: Path) -> str:
    """Return what a file's rows are called in SQL: its name up to the first dot."""
    return path.name.split(".")[0] or "catalog"


def first_line(error: Exception) -> str:
    """Return the first line of an error's message; the name of its class if there is none."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
