"""Columns whose names differ only by case: DuckDB renames the second, so they are refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import UnreadableCatalog, shown
from ..query.predicate import literal
from .csv_files import header_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAMES_IN = {
    "read_parquet": "split_part(path_in_schema, ', ', 1) FROM parquet_metadata({})",
    "read_json": "unnest(json_keys(json)) FROM read_json_objects({})",
}


def check_names(
    connection: DuckDBPyConnection, source: object, from_clause: str, read_names: Sequence[str]
) -> None:
    """Raise `UnreadableCatalog` if two columns of the source share a name, case aside.

    `read_names` are the columns as DuckDB calls them: `A` beside `a` has become `A_1` there, and
    asking for `A` would silently mean `a`.
    """
    folded = {name.casefold() for name in read_names}
    numbered = (re.fullmatch(r"(.*)_\d+", name) for name in read_names)
    if not any(match and match[1].casefold() in folded for match in numbered):
        return
    first: dict[str, str] = {}
    for name in _own_names(connection, source, from_clause):
        if name.casefold() in first:
            pair = f"{shown(first[name.casefold()])} and {shown(name)}"
            problem = f"columns {pair} have the same name, case aside"
            raise UnreadableCatalog(_called(source), problem, hint="rename one of them")
        first[name.casefold()] = name


def _called(source: object) -> str:
    is_path = isinstance(source, str | os.PathLike)
    return str(cast("object", source)) if is_path else type(source).__name__


def _own_names(connection: DuckDBPyConnection, source: object, from_clause: str) -> Iterable[str]:
    """Return the names the source itself gives its columns; none where that cannot be told."""
    if not isinstance(source, str | os.PathLike):
        names = getattr(source, "column_names", None) or getattr(source, "columns", ())
        return [str(name) for name in cast("Iterable[Any]", names)]
    path = Path(os.fsdecode(cast("str | os.PathLike[str]", source)))
    for reader, names in _NAMES_IN.items():
        if reader in from_clause:
            statement = f"SELECT DISTINCT {names} ORDER BY 1".format(literal(str(path)))
            header = connection.execute(statement).fetchall()
            return [str(row[0]) for row in header]
    return header_of(path) if "read_csv" in from_clause else ()
