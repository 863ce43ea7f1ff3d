"""Compression, tags, other origins, and the reference for people."""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from concede.interfaces.http.conditional import is_known, tag_of
from problems import problem_of

ASKED = {"where": "Year >= 2016 AND MSRP <= 20000", "top": 20}
ORIGIN = "https://shop.example"


def test_what_is_long_is_compressed_for_who_asks(client):
    plain = client.post("/v1/repair", json=ASKED, headers={"Accept-Encoding": "identity"})
    packed = client.post("/v1/repair", json=ASKED, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    short = client.get("/v1/catalogs", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in short.headers


def test_what_is_known_is_not_sent_again(client):
    for ask in (
        lambda **more: client.post("/v1/repair", json=ASKED, **more),
        lambda **more: client.get("/v1/catalogs/cars", **more),
        lambda **more: client.get("/", **more),
        lambda **more: client.get("/openapi.json", **more),
    ):
        first = ask()
        tag = first.headers["etag"]
        assert tag == tag_of(first.content)
        again = ask(headers={"If-None-Match": f'"other", {tag}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
        assert ask(headers={"If-None-Match": '"other"'}).content == first.content


def test_a_write_changes_the_tag_and_problems_have_none(client):
    bad = client.post("/v1/repair", json={"where": "prise < 1"}, headers={"If-None-Match": "*"})
    problem_of(bad, 422)
    assert "etag" not in bad.headers
    begun = client.post("/v1/chat", json={}, headers={"If-None-Match": "*"})
    assert begun.status_code == 201
    assert client.get("/healthz", headers={"If-None-Match": "*"}).status_code == 200


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_tags_are_equal_where_bytes_are(first, second):
    assert (tag_of(first) == tag_of(second)) is (first == second)
    assert is_known(tag_of(first), tag_of(first).removeprefix("W/"))
    assert not is_known(tag_of(first), "")


def test_refusals_can_be_read_by_a_named_site_and_nobody_else(service, cars):
    served = service({"cars": cars}, cors_origins=(ORIGIN,), api_key="key-of-the-tests")
    refused = served.post("/v1/repair", json=ASKED, headers={"Origin": ORIGIN})
    problem_of(refused, 401, "api-key")
    assert refused.headers["access-control-allow-origin"] == ORIGIN
    preflight = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization,content-type,if-none-match,x-api-key",
    }
    allowed = served.options("/v1/catalogs/cars/rows", headers=preflight)
    assert allowed.status_code == 200
    assert "DELETE" in allowed.headers["access-control-allow-methods"]
    for origin in (
        "null",
        "https://shop.example.evil",
        "http://shop.example",
        "https://SHOP.example",
    ):
        elsewhere = served.options("/v1/repair", headers=preflight | {"Origin": origin})
        assert "access-control-allow-origin" not in elsewhere.headers
        told = served.post("/v1/repair", json=ASKED, headers={"Origin": origin})
        assert "access-control-allow-origin" not in told.headers
    assert "etag" in allowed.headers.get("access-control-expose-headers", "etag").lower()


def test_the_reference_names_every_route_and_loads_nothing_from_elsewhere(client):
    page = client.get("/docs")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path in client.get("/openapi.json").json()["paths"]:
        assert path in page.text
    assert "<script" not in page.text
    assert "http" not in page.text.replace("http-equiv", "").replace("HTTP", "")
    assert client.get("/docs/style.css").headers["content-type"].startswith("text/css")


def test_the_reference_is_there_where_the_page_is_not(service, cars):
    served = service({"cars": cars}, api_key="key-of-the-tests")
    assert served.get("/docs").status_code == 200
    assert served.get("/").status_code == 404


def test_bytes_that_are_packed_are_gzip(client):
    with client.stream(
        "POST", "/v1/repair", json=ASKED, headers={"Accept-Encoding": "gzip"}
    ) as raw:
        packed = b"".join(raw.iter_raw())
    assert b'"status"' in gzip.decompress(packed)
