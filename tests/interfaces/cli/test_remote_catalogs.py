"""Services answer from copies: a catalog that stays in its database is refused at the start."""

import duckdb
import pytest

from concede import Catalog
from concede.catalogs.errors import CatalogError
from concede.interfaces.http.app import create_app
from concede.interfaces.mcp.server import create_server


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lamps").mkdir()
    file = tmp_path / "lamps" / "all.parquet"
    duckdb.sql(f"COPY (SELECT range AS id, range * 2 AS watts FROM range(9)) TO '{file}'")
    return tmp_path / "lamps"


def test_a_service_does_not_start(folder):
    catalog = Catalog.open(folder, key="id")
    for start in (lambda: create_app({"lamps": catalog}), lambda: create_server(catalog)):
        with pytest.raises(CatalogError, match=r"'lamps' stays at .*: services answer from copies"):
            start()


def test_on_the_command_line_it_is_one_line(concede, folder):
    result = concede("serve", "--port", "0", "--catalog", str(folder), "--key", "id")
    assert result.code == 3
    assert len(result.err.strip().splitlines()) == 1
    assert "services answer from copies" in result.err
