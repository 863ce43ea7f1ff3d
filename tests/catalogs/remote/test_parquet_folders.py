"""A folder of Parquet is read alike in place and file by file: which files, and their folders."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.partitions.parquet_folder import ParquetFolder

FOLDERS = {
    "whole numbers": ("7", "8"),
    "whole numbers and NULL": ("7", "__HIVE_DEFAULT_PARTITION__"),
    "numbers with zeros": ("007", "008"),
    "days": ("2024-01-31", "2024-02-01"),
    "no days": ("2024-02-30", "2024-02-01"),
    "words": ("a%20b", "c%3Dd"),
    "fractions": ("1.5", "2"),
}


def written(path: Path, first: int) -> None:
    """Write a file of three rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": range(first, first + 3), "price": [1.5, 2.5, 3.5]}), path)


@pytest.mark.parametrize("kind", FOLDERS)
def test_folders_called_by_values_are_a_column(kind: str, tmp_path: Path) -> None:
    """Of the same type, whoever reads it."""
    for number, value in enumerate(FOLDERS[kind]):
        written(tmp_path / f"p={value}" / "a.parquet", 3 * number)
    with Catalog.open(tmp_path, key="id") as catalog:
        in_place = {each.name: each.sql_type for each in catalog.snapshot().schema.columns}
    by_file = {each.name: each.sql_type for each in ParquetFolder(tmp_path).schema.columns}
    assert in_place == by_file
    assert "p" in in_place


def test_hidden_files_are_not_read(tmp_path: Path) -> None:
    """What is written as long as a job runs counts for nobody; the folder itself may be hidden."""
    folder = tmp_path / ".lake" / "_rows"
    hidden = (".b.parquet", "_c.parquet", "_temporary/0/d.parquet", ".e/f.parquet")
    for number, name in enumerate(("a.parquet", "x/y/B.PARQUET", *hidden)):
        written(folder / name, 3 * number)
    with Catalog.open(folder, key="id") as catalog:
        assert catalog.snapshot().row_count == 6
        written(folder / "later.parquet", 90)
        assert catalog.count(()) == 9
    assert len(ParquetFolder(folder).parts) == 3
