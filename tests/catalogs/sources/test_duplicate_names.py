"""Columns that differ only by case are refused; columns that merely look renamed are not."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from concede import Catalog, UnreadableCatalog

TWINS = pl.DataFrame({"a": [1], "A": [2]})
LOOKALIKES = pl.DataFrame({"a": [1], "a_1": [2]})


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_files(tmp_path: Path, ending: str) -> None:
    for name, frame in (("twins", TWINS), ("lookalikes", LOOKALIKES)):
        writers = {
            "csv": frame.write_csv,
            "parquet": frame.write_parquet,
            "jsonl": frame.write_ndjson,
        }
        writers[ending](tmp_path / f"{name}.{ending}")
    with pytest.raises(UnreadableCatalog, match=r"'a'.*the same name.*rename one"):
        Catalog.open(tmp_path / f"twins.{ending}")
    assert Catalog.open(tmp_path / f"lookalikes.{ending}").columns == ("a", "a_1")


@pytest.mark.parametrize(
    "twins",
    [TWINS, TWINS.to_arrow(), pd.DataFrame([[1, 2]], columns=["a", "A"])],
    ids=["polars", "arrow", "pandas"],
)
def test_frames(twins: object) -> None:
    with pytest.raises(UnreadableCatalog, match="'a' and 'A'"):
        Catalog.open(twins)
    assert Catalog.open(pa.table({"a": [1], "a_1": [2]})).columns == ("a", "a_1")


def test_a_header_that_names_a_column_twice(tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text('x,"b, c",x\n1,2,3\n')
    with pytest.raises(UnreadableCatalog, match="'x' and 'x'"):
        Catalog.open(path)
