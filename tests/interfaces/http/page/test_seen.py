"""What the page says of a list for somebody's log: nothing unless its address names them."""

import json

import pytest

from concede import Catalog
from concede.dialogs.weighters.evidence.events import Event, of_record
from concede.interfaces.http.settings import CatalogSource
from parsed_html import Markup

THINGS = "id,price,brand,name\na,10,Ada,one\nb,20,Bo,two\nb,30,Ada,three\n,40,Bo,four\n"
CLASH = "is.brand=Ada&max.price=5&weight.is.brand=90"


@pytest.fixture
def shop(service, tmp_path):
    path = tmp_path / "things.csv"
    path.write_text(THINGS)
    source = CatalogSource("things", str(path), key="id")
    plain = CatalogSource("plain", str(path))
    opened = {"things": Catalog.open(path), "plain": Catalog.open(path)}
    return service(opened, catalogs=(source, plain))


def test_where_events_need_a_key_that_no_script_has_nothing_is_logged(service, tmp_path):
    path = tmp_path / "things.csv"
    path.write_text(THINGS)
    source = CatalogSource("things", str(path), key="id")
    catalogs = {"things": Catalog.open(path)}
    keyed = service(catalogs, catalogs=(source,), api_key="a-long-secret")
    assert "data-seen" not in keyed.get("/?user=ann").text


def page(shop, query):
    answer = shop.get(f"/?{query}")
    assert answer.status_code == 200
    return Markup(answer.text)


def test_nobody_is_logged_unless_named(shop):
    for query in ("", CLASH, f"{CLASH}&user=", f"{CLASH}&catalog=plain&user=ann"):
        text = shop.get(f"/?{query}").text
        for mark in ("data-seen", "data-key", "data-position", "Keep nothing"):
            assert mark not in text


def test_what_is_seen_is_an_event(shop):
    found = page(shop, f"{CLASH}&user=ann")
    (result,) = found.all("main")
    seen = json.loads(result.attributes["data-seen"])
    assert seen == {
        "catalog": "things",
        "user": "ann",
        "constraints": [
            {"column": "brand", "op": "==", "value": "Ada"},
            {"column": "price", "op": "<=", "value": 5},
        ],
        "shown": ["a", "b"],
    }
    keys = [
        item.attributes.get("data-key") for item in found.all("li") if "data-key" in item.attributes
    ]
    assert keys == ["a", "b"]
    event = {name: given for name, given in seen.items() if name != "catalog"}
    of_record(Event, event | {"id": "1", "time": 0, "clicked": ["b"], "put_back": [1]})
    taken = shop.post("/v1/events", json=seen | {"id": "1", "time": 0, "put_back": [1]})
    assert taken.json() == {"added": 1, "known": 1, "skipped": 0}


def test_what_is_put_back_has_its_position(shop):
    found = page(shop, "is.brand=Bo&max.price=15&weight.is.brand=90&user=ann")
    (link,) = [each for each in found.all("a") if "data-position" in each.attributes]
    assert link.attributes["data-position"] == "1"
    assert "must=max.price" in link.attributes["href"]


def test_links_and_the_form_stay_with_the_person_until_they_end_it(shop):
    found = page(shop, f"{CLASH}&user=ann+b")
    inputs = [each.attributes for each in found.all("input")]
    assert {"type": "hidden", "name": "user", "value": "ann b"}.items() <= next(
        given for given in inputs if given.get("name") == "user"
    ).items()
    links = [each.attributes for each in found.all("a") if each.attributes["href"].startswith("?")]
    for given in links:
        assert ("user=ann+b" in given["href"]) is (given.get("id") != "keep-nothing")


def test_a_name_is_cut_and_harmless(shop):
    text = shop.get("/", params={"user": "<b>" * 100}).text
    assert "<b>" not in text
    assert "user" in text
