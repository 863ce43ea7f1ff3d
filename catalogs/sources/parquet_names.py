"""Which files of a folder are its Parquet files, for whoever reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import UnreadableCatalog
from .duckdb_files import ParquetReader

HIDDEN = (".", "_")
"""What the names of files and folders begin with that are not read."""


def parquet_names(folder: Path) -> Iterator[str]:
    """Yield the names of Parquet files below a folder; hidden ones are somebody's half-written."""
    try:
        for place, folders, files in os.walk(folder, onerror=_raise):
            folders[:] = [each for each in folders if not each.startswith(HIDDEN)]
            for file in files:
                is_parquet = file.lower().endswith(ParquetReader.suffixes)
                if is_parquet and not file.startswith(HIDDEN):
                    yield Path(place, file).relative_to(folder).as_posix()
    except OSError as error:
        problem = "no such folder" if not folder.exists() else error.strerror or str(error)
        raise UnreadableCatalog(str(folder), problem, hint="check the path") from None


def _raise(error: OSError) -> None:
    raise error
