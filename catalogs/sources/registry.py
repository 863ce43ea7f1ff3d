"""File readers by name: the built-in ones, and those that other packages offer.

To add a format, write one file with a class derived from `FileReader` (see `file_reader.py`):
give it its `suffixes` and a `read` that returns a `Source`. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.sources`, under
  the format's name.

Packages are looked through only for an ending that no built-in reader knows.
"""

from __future__ import annotations

from pathlib import Path

from ..registry import Registry
from .file_reader import FileReader

ENTRY_POINTS = "concede.sources"
COMPRESSIONS = (".gz", ".zst")

BUILT_IN = {
    "csv": ("csv_files", "CsvReader"),
    "parquet": ("duckdb_files", "ParquetReader"),
    "json": ("duckdb_files", "JsonReader"),
    "duckdb": ("duckdb_files", "DatabaseReader"),
}

_readers: Registry[FileReader] = Registry(
    "file reader", ENTRY_POINTS, FileReader, __name__.rpartition(".")[0], BUILT_IN
)


def reader_names() -> tuple[str, ...]:
    """Return the names of all readers, built-in ones first; nobody else can take those."""
    return _readers.names()


def find_reader(path: Path) -> FileReader | None:
    """Return the reader of a file by its ending, if any; raise `QueryError` if one cannot load."""
    suffix = suffix_of(path)
    for names in (lambda: tuple(BUILT_IN), reader_names):
        for reader in map(_readers.get, names()):
            if suffix in reader.suffixes:
                return reader
    return None


def known_suffixes() -> tuple[str, ...]:
    """Return the endings of all readers, in the order of their names."""
    return tuple(suffix for name in reader_names() for suffix in _readers.get(name).suffixes)


def suffix_of(path: Path) -> str:
    """Return a path's ending in lower case, leaving out that of a compression; may be empty."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
