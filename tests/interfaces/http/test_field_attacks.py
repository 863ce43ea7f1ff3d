"""A hundred hostile values in each field of each request: refused or answered, never a failure, and
nothing leaves that nobody may see: hidden columns, paths, keys, errors of the database.
"""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concede.catalogs.configuration.shop_config import ShopConfig
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import Limits, Secrets, ServeSettings
from configured_shop import CONFIG, ROWS, write_shop
from field_attacks import PATHS, TEXTS, VALUES, bodies_of

ROOT = Path(__file__).resolve().parents[3]

TOKEN = "token-of-the-attacks"
SECRET = 4_242_424_242.125
"""Its digits are more than a random identifier of an answer shows by chance."""
SECRETS = ("4242424242", "4,242,424,242")
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
GOOD = {
    "/v1/repair": {"where": "price >= 2 AND power >= 500"},
    "/v1/diagnose": {"where": "price >= 2"},
    "/v1/extract": {"text": "a red one"},
    "/v1/clarify": {"text": "a cheap one"},
    "/v1/batch": {"requests": [{"operation": "repair", "where": "price >= 2"}]},
    "/v1/chat": {"text": "a red one"},
    "/v1/events": {"events": []},
    "/v1/catalogs": {"name": "other", "source": "none.csv"},
    "/v1/catalogs/{name}/rows": {"rows": [], "key": "sku"},
    "/v1/catalogs/{name}/rows/delete": {"row_ids": []},
    "/v1/catalogs/{name}/swap": {},
}
ANSWERED = range(200, 500)
TOLD_BY_DATABASES = ("Binder Error", "Parser Error", "Catalog Error", "Conversion Error",
                     "Traceback", "duckdb.", "LINE 1", "INTERNAL")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("attacked")


@pytest.fixture(scope="module")
def attacked(folder):
    path = write_shop(folder, CONFIG.replace("shop.csv", "wares.csv"))
    (folder / "wares.csv").write_text(ROWS.replace(",5,", f",{SECRET},"), encoding="utf-8")
    config = ShopConfig.read(path)
    limits = Limits(conversations=100_000, deadline=3)
    settings = ServeSettings(limits=limits, catalog_folder=str(folder / "none"))
    app = create_app({"shop": config.open()}, settings, Secrets(admin_token=TOKEN))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def check(response, folder, sent):
    """Nothing failed, and nothing is told that nobody may know; the echo of what was sent aside."""
    assert response.status_code in ANSWERED, (response.status_code, sent)
    told = response.text
    for leak in (str(folder), "wares", TOKEN, *SECRETS, str(ROOT), "site-packages"):
        assert leak not in told or leak in sent, (leak, sent, told[:500])
    for words in TOLD_BY_DATABASES:
        assert words not in told, (words, sent, told[:500])
    if "margin" in told:
        assert "margin" in sent.casefold(), (sent, told[:500])
    if response.status_code >= 400 and not response.text.startswith("<!DOCTYPE html>"):
        assert response.headers["content-type"] == "application/problem+json"
        assert len(told) < 5_000


def fields_of(client, path):
    document = client.get("/openapi.json").json()
    schema = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]


def test_there_are_a_hundred_attacks_a_field(attacked):
    assert len(VALUES) >= 100
    described = attacked.get("/openapi.json").json()["paths"]
    posts = {path for path, operations in described.items() if "post" in operations}
    # The steps of a conversation have a test of their own below.
    assert {path for path in posts if not path.startswith("/v1/chat/")} == set(GOOD)


@pytest.mark.parametrize("path", GOOD)
def test_no_value_in_a_field_fails_the_server(attacked, folder, path):
    rows = attacked.app.state.concede.find("shop").catalog.row_count
    for _, body in bodies_of(fields_of(attacked, path), GOOD[path]):
        given = attacked.post(path.format(name="shop"), content=body, headers=HEADERS)
        check(given, folder, body.decode("latin-1"))
    if "rows" not in path and "swap" not in path:
        assert attacked.app.state.concede.find("shop").catalog.row_count == rows


@pytest.mark.parametrize("step", ["messages", "refuse", "forget", "reweigh", "undo", "accept"])
def test_no_value_in_a_step_of_a_conversation_fails_the_server(attacked, folder, step):
    path = f"/v1/chat/{{identity}}/{step}"
    good = {"messages": {"text": "red"}, "forget": {"position": 0}, "accept": {"place": 0},
            "reweigh": {"weights": {}}}.get(step, {})  # fmt: skip
    begun = attacked.post("/v1/chat", json={"text": "a red one"}, headers=HEADERS).json()
    for _, body in bodies_of(fields_of(attacked, path), good):
        given = attacked.post(path.format(identity=begun["id"]), content=body, headers=HEADERS)
        check(given, folder, body.decode("latin-1"))


@pytest.mark.parametrize("field", ["key", "where", "fields", "sort", "top", "offset", "other"])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_no_parameter_of_an_address_fails_the_server(attacked, folder, method, field):
    for value in TEXTS:
        for beside in ({}, {"where": "price >= 0"}, {"key": "zz"}):
            params = {**beside, field: value}
            given = attacked.request(
                method, "/v1/catalogs/shop/rows", params=params, headers=HEADERS
            )
            check(given, folder, json.dumps(params, ensure_ascii=False))


def test_no_name_in_a_path_and_no_header_fails_the_server(attacked, folder):
    for value in TEXTS:
        encoded = "".join(f"%{byte:02x}" for byte in value.encode())[:3_000]
        for path in (
            "/v1/catalogs/{}",
            "/v1/catalogs/{}/rows?key=a",
            "/v1/chat/{}",
            "/page/{}",
            "/{}",
        ):
            check(attacked.get(path.format(encoded), headers=HEADERS), folder, value)
        for name in ("If-None-Match", "X-API-Key", "Authorization", "Cache-Control", "Host",
                     "Accept-Encoding", "X-Request-ID", "Origin"):  # fmt: skip
            told = value.encode("utf-8").replace(b"\r", b"").replace(b"\n", b"").replace(b"\0", b"")
            given = attacked.post(
                "/v1/repair", json=GOOD["/v1/repair"], headers={name.encode(): told}
            )
            check(given, folder, value)


def test_a_page_holds_nothing_that_is_hidden(attacked, folder):
    for address in (
        "/",
        "/page/result",
        "/page/app",
        "/chat",
        "/docs",
        "/metrics",
        "/openapi.json",
    ):
        for query in (
            "",
            "?max.price=1",
            "?is.margin=1",
            "?say=the+lowest+margin",
            "?prefer=margin",
        ):
            check(attacked.get(address + query), folder, query)


def test_catalogs_and_extraction_know_nothing_of_hidden_columns(attacked, folder):
    for path in ("/v1/catalogs", "/v1/catalogs/shop"):
        check(attacked.get(path), folder, "")
    for text in ("the highest profit", "4242424242", "between 2 and 5"):
        check(attacked.post("/v1/extract", json={"text": text}), folder, text)
    assert len(PATHS) >= 10
