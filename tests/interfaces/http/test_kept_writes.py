"""What is acknowledged is in the file, however the server ends."""

import os
import signal

import duckdb
import pytest

from running_server import running

TOKEN = "token-of-the-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE lamps AS SELECT range AS sku, 10 AS price FROM range(50)")
    return path


def started(folder, shop, *more: str):
    arguments = ("--catalog", str(shop), "--key", "sku", *more)
    return running(folder, *arguments, CONCEDE_ADMIN_TOKEN=TOKEN)


def write(server, sku: int) -> int:
    rows = {"rows": [{"sku": sku, "price": 20}]}
    given = server.client.post("/v1/catalogs/shop/rows", json=rows, headers=HEADERS)
    assert given.status_code == 200, given.text
    return given.json()["version"]


def written(server) -> dict:
    return server.client.post("/v1/repair", json={"where": "price = 20", "top": 100}).json()


@pytest.mark.slow
def test_acknowledged_rows_survive_a_killed_server(tmp_path, shop):
    with started(tmp_path, shop) as server:
        version = [write(server, sku) for sku in range(40, 60)][-1]
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
    with started(tmp_path, shop) as server:
        answer = written(server)
        assert answer["catalog_version"] == version
        assert sorted(one["row"]["sku"] for one in answer["items"]) == [*range(40, 60)]
        assert write(server, 77) > version
        assert server.stop() == 0
    with started(tmp_path, shop) as server:
        assert written(server)["count"] == 21


@pytest.mark.slow
def test_writes_that_are_not_to_be_kept_leave_the_file_alone(tmp_path, shop):
    before = shop.read_bytes()
    with started(tmp_path, shop, "--forget-writes") as server:
        write(server, 99)
        assert written(server)["count"] == 1
        assert server.stop() == 0
    assert shop.read_bytes() == before
