"""Catalogs changed over HTTP while they are asked."""

import json
import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from concede import Catalog
from problems import problem_of

TOKEN = "token-of-the-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
LAMPS = "sku,watts,price,room\n" + "".join(
    f"L{n},{3 + n % 12},{10 + n},{'kitchen' if n % 3 else 'hall'}\n" for n in range(60)
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lamps.csv").write_text(LAMPS, encoding="utf-8")
    (tmp_path / "fewer.csv").write_text("".join(LAMPS.splitlines(True)[:11]), encoding="utf-8")
    (tmp_path / "broken.csv").write_text("", encoding="utf-8")
    return tmp_path


@pytest.fixture
def served(service, folder):
    lamps = Catalog.open(folder / "lamps.csv", key="sku")
    client = service({"lamps": lamps}, admin_token=TOKEN, catalog_folder=str(folder))
    client.headers.update(HEADERS)
    return client


def found(served, where: str) -> tuple[int, int]:
    """Return how many rows meet a condition, and the version that says so."""
    answer = served.post("/v1/repair", json={"where": where}).json()
    count = answer["count"] if answer["status"] == "SAT_no_relaxation" else 0
    return count, answer["catalog_version"]


def test_catalogs_are_listed_with_their_versions(served):
    listed = served.get("/v1/catalogs").json()["catalogs"]
    assert listed == [{"name": "lamps", "rows": 60, "version": 1, "default": True}]


def test_a_catalog_tells_what_its_columns_hold(served):
    described = served.get("/v1/catalogs/lamps").json()
    assert [column["name"] for column in described["columns"]] == ["sku", "watts", "price", "room"]
    problem_of(served.get("/v1/catalogs/lmps"), 404, "unknown-catalog")


def test_an_acknowledged_row_is_in_the_next_answer(served):
    assert found(served, "price > 1000") == (0, 1)
    rows = [
        {"sku": "L1", "price": 1001},
        {"sku": "new", "watts": 4, "price": 2000, "room": "attic"},
    ]
    written = served.post("/v1/catalogs/lamps/rows", json={"rows": rows}).json()
    assert written["rows"] == 61
    assert found(served, "price > 1000") == (2, written["version"])
    # Columns that were not given stay as they were.
    assert found(served, "price = 1001 AND watts = 4") == (1, written["version"])


def test_a_bad_row_changes_nothing(served):
    rows = [{"sku": "L2", "price": 5}, {"sku": "L3", "price": "dear"}]
    problem_of(served.post("/v1/catalogs/lamps/rows", json={"rows": rows}), 422)
    assert found(served, "price = 5") == (0, 1)


@pytest.mark.parametrize("bad", [{"prise": 3}, {"price": [1]}, {"price": 10**60}, {"price": {}}])
def test_rows_that_cannot_be_are_refused(served, bad):
    rows = [{"sku": "L2"} | bad]
    problem_of(served.post("/v1/catalogs/lamps/rows", json={"rows": rows}), 422)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_no_number_is_no_row(served, number):
    body = json.dumps({"rows": [{"sku": "L2", "price": number}]})
    given = served.post(
        "/v1/catalogs/lamps/rows", content=body, headers={"Content-Type": "application/json"}
    )
    assert given.status_code in (400, 422)


def test_deleted_rows_are_gone_and_stay_gone(served):
    items = served.post("/v1/repair", json={"where": "price = 10"}).json()["items"]
    ids = {"row_ids": [item["row_id"] for item in items]}
    first = served.post("/v1/catalogs/lamps/rows/delete", json=ids).json()
    again = served.post("/v1/catalogs/lamps/rows/delete", json=ids).json()
    assert first == again == {"name": "lamps", "version": first["version"], "rows": 59}
    assert found(served, "price = 10") == (0, first["version"])


def test_a_swap_replaces_everything_at_once(served):
    swapped = served.post("/v1/catalogs/lamps/swap", json={"source": "fewer.csv"}).json()
    assert swapped["rows"] == 10
    assert found(served, "price > 0") == (10, swapped["version"])


def test_a_swap_without_a_source_reads_the_same_again(served, folder):
    (folder / "lamps.csv").write_text(LAMPS + "L99,5,77,cellar\n", encoding="utf-8")
    swapped = served.post("/v1/catalogs/lamps/swap", json={}).json()
    assert found(served, "room = 'cellar'") == (1, swapped["version"])


def test_a_swap_that_fails_changes_nothing(served):
    problem_of(served.post("/v1/catalogs/lamps/swap", json={"source": "broken.csv"}), 422)
    assert found(served, "price > 0") == (60, 1)


def test_a_catalog_is_loaded_asked_and_unloaded(served):
    load = {"name": "few", "source": "fewer.csv", "key": "sku"}
    assert served.post("/v1/catalogs", json=load).status_code == 201
    problem_of(served.post("/v1/catalogs", json=load), 409, "name-taken")
    body = {"where": "price > 0", "catalog": "few"}
    assert served.post("/v1/repair", json=body).json()["count"] == 10
    assert served.delete("/v1/catalogs/few").json() == {"unloaded": "few", "version": 1}
    problem_of(served.post("/v1/repair", json=body), 404, "unknown-catalog")


@pytest.mark.parametrize(
    "source", ["../outside.csv", "/etc/passwd", "none.csv", ".", "a\0b", "x" * 400, "link.csv"]
)
def test_nothing_outside_the_folder_is_loaded(served, folder, source):
    outside = folder.parent / "outside.csv"
    outside.write_text("a\n1\n", encoding="utf-8")
    (folder / "link.csv").symlink_to(outside)
    given = served.post("/v1/catalogs", json={"name": "other", "source": source})
    problem_of(given, 404, "no-such-file")


def test_without_a_folder_nothing_is_loaded(service, cars):
    served = service({"cars": cars}, admin_token=TOKEN)
    given = served.post("/v1/catalogs", json={"name": "x", "source": "x.csv"}, headers=HEADERS)
    problem_of(given, 403, "no-folder")


@pytest.mark.parametrize("name", ["", "a/b", "../x", "a b", "x" * 200, "-"])
def test_names_are_plain(served, name):
    given = served.post("/v1/catalogs", json={"name": name, "source": "lamps.csv"})
    problem_of(given, 422, "bad-body")


def test_every_answer_names_a_version_it_is_right_for(served):
    """Each write doubles as its own check: version v has v − 1 rows above the rest."""
    writes = 30

    def ask(_: int) -> tuple[int, int]:
        return found(served, "price >= 5000")

    def write(n: int) -> int:
        rows = [{"sku": f"W{n}", "watts": 1, "price": 5000 + n, "room": "hall"}]
        return served.post("/v1/catalogs/lamps/rows", json={"rows": rows}).json()["version"]

    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(ask, range(2 * writes))
        versions = [write(n) for n in range(writes)]
        so_far = list(answers)
    assert versions == list(range(2, writes + 2))
    assert all(count == version - 1 for count, version in so_far)
    assert found(served, "price >= 5000") == (writes, writes + 1)
