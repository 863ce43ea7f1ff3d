"""A file format of your own: copy, rename, and offer it as an entry point.

    [project.entry-points."concede.sources"]
    ini = "my_package.source:IniReader"

`concede repair --catalog cars.ini` and `Catalog.open("cars.ini")` then read it. A built-in one is
a file in `catalogs/sources/` and a line in `catalogs/sources/registry.py`.
"""

from __future__ import annotations

import configparser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from concede.catalogs.errors import UnreadableCatalog
from concede.catalogs.sources.file_reader import (
    FileReader,
    ReadOptions,
    Source,
    first_line,
    table_name,
)


class IniReader(FileReader):
    """INI files: a section is an item, its keys are columns, and `name` is the section's name."""

    suffixes = (".ini",)

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the sections as rows; types are found here, or cast later where one is given."""
        parser = configparser.ConfigParser(interpolation=None)
        try:
            parser.read_string(path.read_text(encoding="utf-8"))
        except configparser.Error as error:
            raise UnreadableCatalog(
                str(path), first_line(error), hint="begin each item with a line [its name]"
            ) from None
        items = [{"name": name, **parser[name]} for name in parser.sections()]
        names = dict.fromkeys(name for item in items for name in item)
        columns = {name: _column([item.get(name) for item in items]) for name in names}
        # As arrays no value is ever part of a statement. The view lives until `close`, so nobody
        # else can run the clause. A clause that names the file, such as `read_json(…)`, is
        # runnable; write it with `file_argument(path)`, which quotes the path.
        connection.register("ini_source", columns)
        return Source(
            table_name(path), "ini_source", runnable=False, close=lambda: _close(connection)
        )


def _column(values: Sequence[str | None]) -> Any:
    """Return numbers where all values are, else text; a missing value becomes NULL either way."""
    try:
        return np.array([np.nan if value is None else float(value) for value in values])
    except ValueError:
        return np.array(values, dtype=object)


def _close(connection: DuckDBPyConnection) -> None:
    connection.unregister("ini_source")
