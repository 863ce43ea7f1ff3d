"""Pictures of items: only where a column is named for them, only from safe addresses."""

import pyarrow as pa
import pytest

from concede import Catalog
from concede.catalogs.query.presentation import Presentation
from concede.interfaces.http.page.pictures import picture, safe_address
from hostile_markup import PAYLOADS
from lamp_shop import lamp_shop
from parsed_html import Markup

SAFE = (
    "https://shop.example/a.jpg",
    "http://shop.example:8080/a%20b.png?size=2&x=1#y",
    "HTTPS://shop.example/A.JPG",
    "/photos/a.jpg",
    " https://shop.example/a.jpg ",
)
UNSAFE = (
    *PAYLOADS,
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "//evil.example/a.jpg",
    "/\\evil.example/a.jpg",
    "\\\\evil.example\\a.jpg",
    "https:evil.example",
    "https://",
    "https://user:secret@evil.example/a.jpg",
    "https://evil.example/a b.jpg",
    "https://evil.example/\x00",
    "https://[::1",
    "file:///etc/passwd",
    "blob:https://x/1",
    "a.jpg",
    "https://x/" + "a" * 3_000,
    None,
    7,
    "",
)


@pytest.mark.parametrize("address", SAFE)
def test_addresses_on_the_web_and_on_this_server_are_pictures(address):
    assert safe_address(address) == address.strip()


@pytest.mark.parametrize("address", UNSAFE)
def test_anything_else_is_none(address):
    assert safe_address(address) is None
    assert picture({"photo": address}, "photo", "a lamp") is None


def shown(service, catalog: Catalog, path: str = "/"):
    return service({"things": catalog}).get(path)


def test_an_item_has_its_picture_with_its_name_and_the_page_may_load_it(service):
    answer = shown(service, lamp_shop("https://pictures.example/"))
    (first, *_) = Markup(answer.text).all("img")
    assert first.attributes["src"].startswith("https://pictures.example/")
    assert first.attributes["alt"]
    assert first.attributes["loading"] == "lazy"
    assert first.attributes["referrerpolicy"] == "no-referrer"
    assert "img-src 'self' https: http:;" in answer.headers["content-security-policy"]
    assert "script-src 'self';" in answer.headers["content-security-policy"]


def test_addresses_of_pictures_are_no_facts_and_no_filters(service):
    page = Markup(shown(service, lamp_shop("https://pictures.example/")).text)
    assert "pictures.example" not in page.one("main").text
    assert not [each for each in page.all("input") if "photo" in each.attributes.get("name", "")]


def test_no_column_is_guessed_and_nothing_may_be_loaded_then(service):
    table = pa.table({"name": ["a", "b"], "image": ["https://x/1.jpg", "https://x/2.jpg"]})
    answer = shown(service, Catalog.open(table))
    assert Markup(answer.text).all("img") == []
    assert "img-src 'self';" in answer.headers["content-security-policy"]


def test_a_conversation_shows_pictures_too(service):
    served = service({"things": lamp_shop("https://pictures.example/")})
    answer = served.post("/chat", data={"text": "a red table lamp", "catalog": "things"})
    assert "img-src 'self' https: http:;" in answer.headers["content-security-policy"]


def test_names_in_pictures_are_escaped(service):
    table = pa.table({"name": list(PAYLOADS[:8]), "photo": [f"/{i}.jpg" for i in range(8)]})
    catalog = Catalog.open(table, presentation=Presentation(title=("name",), image="photo"))
    page = Markup(shown(service, catalog).text)
    assert [each.attributes["alt"] for each in page.all("img")] == [
        each.replace("\x00", "\ufffd") for each in PAYLOADS[:8]
    ]
    assert page.all("svg") == []
    assert all(set(each.attributes) <= ALLOWED for each in page.all("img"))


ALLOWED = frozenset("src alt loading decoding referrerpolicy width height class".split())
