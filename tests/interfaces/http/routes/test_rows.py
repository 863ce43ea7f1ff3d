"""Rows fetched and deleted by key and by filter, judged by a plain dictionary of rows."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from concede import Catalog
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import Secrets
from example_counts import examples
from problems import problem_of
from wild_cells import WILD, WILD_AS_JSON

TOKEN = {"Authorization": "Bearer token-of-the-tests"}
ROWS = "/v1/catalogs/shop/rows"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rows")


def open_shop(folder, rows=40):
    path = folder / "shop.csv"
    lines = [f"k{n:02},{n % 7},{'red' if n % 3 else ''},{n}" for n in range(rows)]
    path.write_text("sku,size,colour,margin\n" + "\n".join(lines), encoding="utf-8")
    catalog = Catalog.open(str(path), key="sku", hidden=["margin"])
    secrets = Secrets(admin_token="token-of-the-tests")
    return TestClient(create_app({"shop": catalog}, secrets=secrets), raise_server_exceptions=False)


def twin():
    return {f"k{n:02}": {"sku": f"k{n:02}", "size": n % 7, "colour": "red" if n % 3 else None}
            for n in range(40)}  # fmt: skip


KEYS = st.lists(st.integers(0, 50).map(lambda n: f"k{n:02}"), min_size=1, max_size=12)


@settings(max_examples=examples(30))
@given(keys=KEYS, size=st.integers(-1, 8), fields=st.sets(st.sampled_from(["sku", "size"])))
def test_what_is_fetched_is_there_and_the_rest_is_missing(folder, keys, size, fields):
    with open_shop(folder) as served:
        rows = twin()
        shown = [("fields", name) for name in sorted(fields)]
        given = served.get(ROWS, params=[*(("key", key) for key in keys), *shown]).json()
        columns = sorted(fields) or ["sku", "size", "colour"]
        assert [row["row"] for row in given["rows"]] == [
            {name: rows[key][name] for name in columns} for key in keys if key in rows
        ]
        assert given["missing"] == [key for key in keys if key not in rows]
        told = served.get(
            ROWS, params={"where": f"size >= {size}", "top": 7, "sort": "-sku"}
        ).json()
        matching = [key for key, row in rows.items() if row["size"] >= size]
        assert told["count"] == len(matching)
        assert [row["row"]["sku"] for row in told["rows"]] == sorted(matching, reverse=True)[:7]
        assert "margin" not in json.dumps([given, told])


@settings(max_examples=examples(30))
@given(keys=KEYS, size=st.integers(0, 8), by_body=st.booleans())
def test_what_is_deleted_is_gone_and_nothing_else(folder, keys, size, by_body):
    with open_shop(folder) as served:
        rows = twin()
        for wanted in ({"key": keys}, {"where": f"size = {size}"}, {"key": keys}):
            gone = [
                key for key, row in rows.items()
                if (key in wanted["key"] if "key" in wanted else row["size"] == size)
            ]  # fmt: skip
            if by_body:
                body = {"keys": keys} if "key" in wanted else wanted
                given = served.post(f"{ROWS}/delete", json=body, headers=TOKEN).json()
            else:
                given = served.delete(ROWS, params=wanted, headers=TOKEN).json()
            for key in gone:
                del rows[key]
            assert (given["deleted"], given["rows"]) == (len(gone), len(rows))
        left = served.get(ROWS, params={"where": "sku >= ''", "top": 100}).json()
        assert [row["row"] for row in left["rows"]] == list(rows.values())


@pytest.mark.parametrize(
    "params",
    [{}, {"key": "k01", "where": "size = 1"}, {"kye": "k01"}, {"key": "k01", "top": "0"},
     {"where": "size = 1", "top": "101"}, {"where": "margin > 1"}, {"where": ""},
     {"key": "k01", "fields": "margin"}, {"where": "size = 1", "sort": "margin"},
     {"key": '["k01", 2]'}, {"key": "[[]]"}, {"where": "size = 1", "offset": "-1"},
     {"key": ["k01"] * 101}, {"where": "x" * 20_000}],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(folder, params):
    with open_shop(folder) as served:
        told = problem_of(served.get(ROWS, params=params), 422)
        assert "'margin'" not in told["detail"].replace("unknown column 'margin'", "")
        assert served.get(ROWS, params={"where": "sku >= ''"}).json()["count"] == 40


@pytest.mark.parametrize(
    ("name", "value", "detail"),
    [
        ("sise", "1", "/sise: the parameters are key, where, fields, sort, top, offset, "
         "min_version, not 'sise'; see /openapi.json"),
        ("top", "0", "/top: 1 to 100 is needed, not '0'; see /openapi.json"),
    ],
)  # fmt: skip
def test_a_parameter_is_refused_by_name_and_value(folder, name, value, detail):
    with open_shop(folder) as served:
        told = served.get(ROWS, params={"where": "size > 1", name: value})
        assert problem_of(told, 422)["detail"] == detail


def test_rows_are_written_as_those_of_a_repair_are(service):
    served = service({"shop": Catalog.open(WILD, key="id")})
    item = served.post("/v1/repair", json={"where": "id = 1"}).json()["items"][0]
    for params in ({"key": "1"}, {"where": "id = 1"}):
        assert served.get(ROWS, params=params).json()["rows"][0]["row"] == item["row"]
    assert item["row"] == WILD_AS_JSON


def test_nothing_named_deletes_nothing(folder):
    with open_shop(folder) as served:
        for params in ({}, {"where": ""}, {"where": " "}, {"key": []}):
            problem_of(served.delete(ROWS, params=params, headers=TOKEN), 422)
        for body in (
            {},
            {"row_ids": [1], "keys": ["k01"]},
            {"keys": [None]},
            {"keys": [["k01", 2]]},
        ):
            problem_of(served.post(f"{ROWS}/delete", json=body, headers=TOKEN), 422)
        assert served.get(ROWS, params={"where": "sku >= ''"}).json()["count"] == 40
        problem_of(served.delete(ROWS, params={"key": "k01"}), 401, "admin-token")


def test_keys_of_several_columns_and_of_numbers(service):
    import pyarrow as pa

    catalog = Catalog.open(
        pa.table({"a": [1, 1, 2], "b": ["x", "y", "x"], "n": [1.5, 2.5, 3.5]}), key=["a", "b"]
    )
    numbers = Catalog.open(pa.table({"n": [1, 2, 3]}), key="n")
    served = service(
        {"pairs": catalog, "numbers": numbers, "none": Catalog.open(pa.table({"n": [1]}))}
    )
    given = served.get(
        "/v1/catalogs/pairs/rows", params={"key": ['[1,"y"]', '["2","x"]', '[2,"y"]']}
    )
    assert [row["row"]["n"] for row in given.json()["rows"]] == [2.5, 3.5]
    assert given.json()["missing"] == [[2, "y"]]
    told = served.get("/v1/catalogs/numbers/rows", params={"key": ["2", "02", "9"]}).json()
    assert [row["row"]["n"] for row in told["rows"]] == [2, 2]
    problem_of(served.get("/v1/catalogs/numbers/rows", params={"key": "two"}), 422)
    problem_of(served.get("/v1/catalogs/none/rows", params={"key": "1"}), 409, "no-key")
