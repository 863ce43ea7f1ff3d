"""SQL of a caller only reads the catalog: no write, no file, no setting, no second statement."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.catalogs.sources.loading import TABLE
from where_attacks import SECRET

ROWS = [{"row_id": 0, "Make": "Audi", "MSRP": 1}, {"row_id": 1, "Make": None, "MSRP": None}]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("read") / "cars.csv"
    path.write_text("Make,MSRP\nAudi,1\n,\n")
    return Catalog.open(path)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE items",
        "SELECT 1; DROP TABLE items",
        "COMMIT; DROP TABLE items",
        "WITH x AS (INSERT INTO items SELECT * FROM items RETURNING *) SELECT * FROM x",
        "WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x",
        "EXPLAIN ANALYZE DELETE FROM items",
        "COPY items TO 'SECRET'",
        "SELECT * FROM read_csv('SECRET')",
        "SELECT * FROM 'SECRET'",
        "SELECT * FROM read_text('SECRET')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM tmp_path",
        "ATTACH 'SECRET' AS s",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "INSTALL httpfs",
        "LOAD httpfs",
        "EXPORT DATABASE 'SECRET'",
        "CREATE TEMP TABLE y AS SELECT 1",
        "SELEC 1",
        "",
    ],
)
def test_query_only_reads_the_catalog(catalog: Catalog, secret: Path, sql: str) -> None:
    sql = sql.replace("items", TABLE)
    before = sorted(secret.parent.iterdir())
    with pytest.raises(QueryError) as caught:
        catalog.query(sql.replace("SECRET", str(secret)))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600
    assert SECRET not in str(caught.value)
    assert caught.value.exit_code == 2
    assert catalog.query(f"SELECT * FROM {TABLE} ORDER BY ALL") == ROWS
    assert secret.read_text() == f"a\n{SECRET}\n"
    assert sorted(secret.parent.iterdir()) == before


def test_no_variable_of_a_caller_passes_for_a_table(catalog: Catalog) -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": [1]})
    assert len(frame) == 1
    with pytest.raises(QueryError, match="frame"):
        catalog.query("SELECT * FROM frame")
    with pytest.raises(QueryError):
        catalog.query("SELECT * FROM sql")


def test_settings_are_locked(catalog: Catalog) -> None:
    settings = catalog.query(
        "SELECT current_setting('enable_external_access') AS e, "
        "current_setting('lock_configuration') AS l"
    )
    assert settings == [{"e": False, "l": True}]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted on Linux")
def test_an_open_catalog_keeps_no_thread_that_waits_for_files(tmp_path: Path) -> None:
    path, many = Path("/proc/self/task"), 4
    cars = tmp_path / "cars.csv"
    cars.write_text("Make,MSRP\nAudi,1\n")
    before = len(list(path.iterdir()))
    opened = [Catalog.open(cars) for _ in range(many)]
    # DuckDB has a thread a core for each; 8 more would wait for files.
    cores = opened[0].query("SELECT current_setting('threads') AS n")[0]["n"]
    assert len(list(path.iterdir())) <= before + many * cores + 1
    for catalog in opened:
        catalog.close()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "duckdb", "frame"])
def test_no_connection_reads_files_once_the_data_are_loaded(
    tmp_path: Path, secret: Path, suffix: str
) -> None:
    import pandas as pd

    path = tmp_path / f"cars.{suffix}"
    with duckdb.connect(str(path) if suffix == "duckdb" else ":memory:") as connection:
        connection.execute("CREATE TABLE cars AS SELECT 'Audi' AS Make, 1 AS MSRP")
        if suffix in ("csv", "parquet"):
            connection.execute(f"COPY cars TO '{path}'")
    source = pd.DataFrame({"Make": ["Audi"], "MSRP": [1]}) if suffix == "frame" else path
    catalog = Catalog.open(source)
    for sql in (
        f"SELECT * FROM read_text('{secret}')",
        f"SELECT * FROM '{secret}'",
        f"SELECT * FROM glob('{secret.parent}/*')",
        f"ATTACH '{secret.parent}/new.duckdb'",
        f"COPY {TABLE} TO '{secret.parent}/copy.csv'",
        "SET enable_external_access = true",
        "LOAD httpfs",
    ):
        with pytest.raises(duckdb.Error):
            catalog.cursor().execute(sql)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        {secret.name} | ({path.name} if path.exists() else set())
    )
