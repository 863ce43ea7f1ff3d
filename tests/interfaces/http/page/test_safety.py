"""What catalogs and addresses hold is shown, never obeyed."""

import threading
from urllib.parse import quote, urlencode

import pytest

from concede.interfaces.http.app import create_app
from concede.interfaces.http.page.query_string import MAX_QUERY_BYTES
from concede.interfaces.http.settings import Limits, Secrets, ServeSettings
from harmless_markup import check_harmless
from hostile_markup import PAYLOADS
from page_server import app_server, get
from parsed_html import Markup
from shop_window import shop_window

PATHS = ("", "page/app", "page/result")


def parsed(address: str, status: int = 200) -> Markup:
    response, text = get(address)
    assert response.status == status, text[:300]
    return Markup(text)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_addresses_that_hold_markup(address: str, payload: str):
    hostile = {
        "is.maker": payload,
        "has.name": payload,
        "min.price_eur": payload,
        "max.released": payload,
        f"is.{payload}": payload,
        f"weight.{payload}": payload,
        "must": f"is.{payload}",
        "give": payload,
        "prefer": f"low.{payload}",
        "show": payload,
        "policy": payload,
        "top": payload,
        payload: payload,
    }
    page = parsed(f"{address}?{urlencode(hostile)}")
    check_harmless(page)
    if "\x00" not in payload:
        assert payload.strip() in page.all("main")[0].text


@pytest.mark.parametrize("path", PATHS)
def test_a_catalog_that_holds_markup(address: str, path: str):
    written = [payload for payload in PAYLOADS if "\x00" not in payload]
    columns = [f"{payload} {i}" for i, payload in enumerate(written)]
    wishes = [("catalog", "hostile"), ("prefer", "low.price"), ("min.price", "99")]
    wishes += [(f"is.{column}", f"{column.rpartition(' ')[0]} 1") for column in columns[:12]]
    wishes += [("show", column) for column in columns[12:]]
    page = parsed(f"{address}{path}?{urlencode(wishes)}")
    check_harmless(page)
    shown = page.all("main")[0].text
    assert all(column.replace("_", " ").strip()[:40] in shown for column in columns)


def test_the_name_of_a_catalog_may_be_markup(address: str):
    check_harmless(parsed(f"{address}?{urlencode({'catalog': PAYLOADS[0]})}"))


@pytest.mark.parametrize("path", PATHS)
def test_a_catalog_that_is_not_there(address: str, path: str):
    for payload in PAYLOADS:
        wanted = urlencode({"catalog": f"{payload}?"})
        check_harmless(parsed(f"{address}{path}?{wanted}", 404))


@pytest.mark.parametrize("path", [*PATHS, "page/style.css", "page/page.js", "page/icon.svg"])
def test_every_response_is_locked_down(address: str, path: str):
    response, _ = get(address + path)
    policy = dict(
        part.strip().split(" ", 1)
        for part in response.headers["content-security-policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers
    assert "location" not in response.headers


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("x" * (MAX_QUERY_BYTES + 1), 414),
        ("a=1&" * 500, 414),
        ("%", 200),
        ("%ff%fe=%c0%80&is.%00=%00&is.maker=%fe", 200),
        ("is.maker=%F0%9F%92%A9&has.name=%E2%80%AE", 200),
        ("&".join(f"min.price_eur={i}" for i in range(200)), 200),
        ("&".join(f"is.maker={i}" for i in range(200)), 200),
        ("&".join(f"max.c{i}=1" for i in range(200)), 200),
        ("min.price_eur=" + "9" * 4000, 200),
        ("min.weight=1e308&max.weight=-1e308", 200),
        ("min.price_eur=99999999999999999999999999999999999999", 200),
        ("min.released=0001-01-01&max.released=9999-12-31&max.checked=9999-12-31", 200),
        ("has.name=%25_%25_%25_%25&has.note=%5C", 200),
        ("top=99999999999999999999&policy=rm", 200),
        ("is.maker=Birch&max.price_eur=1&weight.is.maker=0&weight.max.price_eur=0", 200),
    ],
)
def test_hostile_addresses_have_an_answer(address: str, query: str, status: int):
    for path in PATHS:
        check_harmless(parsed(f"{address}{path}?{query}", status))


def test_bytes_that_are_no_address_do_no_harm(address: str):
    for query in ("\xff=\xfe", "is.maker=\xc3\xa9", "a=\x7f"):
        assert get(f"{address}?{query}")[0].status in (200, 400)


def test_there_is_no_way_to_another_file(address: str):
    for name in (
        "../page.py",
        "%2e%2e%2fpage.py",
        "page.css",
        "page.js%00",
        "x/y",
    ):
        response, text = get(f"{address}page/{name}")
        assert response.status == 404
        assert "import" not in text


def test_other_methods_are_refused_and_head_has_no_body(address: str):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert get(address, method=method)[0].status == 405
    response, text = get(address, method="HEAD")
    assert (response.status, text) == (200, "")


def test_the_page_is_not_part_of_the_programming_interface(address: str):
    _, text = get(f"{address}openapi.json")
    assert "page/" not in text


def test_a_host_name_does_not_reach_the_page(address: str):
    _, text = get(f"{address}?{quote('catalog')}=shop")
    assert "127.0.0.1" not in text


def test_a_busy_service_says_so_and_recovers():
    app = create_app(
        {"shop": shop_window()}, ServeSettings(limits=Limits(threads=1, queue=0, deadline=5))
    )
    done = threading.Event()
    with app_server(app) as address:
        assert get(address)[0].status == 200
        running = app.state.concede.pool.submit(lambda slot: done.wait(30))
        try:
            response, text = get(f"{address}?is.maker=Birch")
            assert response.status == 503
            assert response.headers["retry-after"]
            assert Markup(text).one("h1").text == "Just a moment"
        finally:
            done.set()
            running.result(timeout=30)
        assert get(address)[0].status == 200


def test_a_service_with_a_key_has_no_page():
    with app_server(create_app({"shop": shop_window()}, secrets=Secrets(api_key="x" * 20))) as one:
        assert get(one)[0].status == 404
