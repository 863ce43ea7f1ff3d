"""A constraint finds in Spark the rows that it finds in a file of the same data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ibis
import pytest

import edge_rows
from concede.catalogs.catalog import Catalog
from edge_constraints import VALUES, constraints_on
from spark_cluster import spark_cluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def on_spark(edge_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """Give the edge rows as a table of Spark, in a session of another zone."""
    with spark_cluster(tmp_path_factory.mktemp("spark"), master="local[2]") as session:
        folder = tmp_path_factory.mktemp("parts")
        edge_rows.parquet_folder(edge_file, folder)
        session.read.parquet(str(folder)).createOrReplaceTempView("items")
        table: Any = ibis.pyspark.connect(session).table("items")
        yield Catalog.open(table, key="id")


@pytest.mark.parametrize("column", sorted(VALUES))
def test_a_constraint_finds_the_rows_of_a_file(as_file: Catalog, on_spark: Catalog, column: str):
    edge_rows.check_rows_of_a_file(as_file, on_spark, constraints_on(column))
