"""Every link of the page is followed: each shows items, no error, and as many as it promises."""

import re
from collections import deque
from urllib.parse import urlencode

import pytest

from page_server import get
from parsed_html import Element, Markup

MOST_PAGES = 90
STARTS = {
    "lamps": "?catalog=lamps&is.kind=floor&is.colour=brass&max.price=45",
    "musts": "?catalog=lamps&is.kind=floor&max.price=45&must=is.kind&must=max.price",
    "mistyped": "?catalog=lamps&is.kind=flor&max.price=60",
    "nobody has it": "?catalog=lamps&is.kind=zeppelin&max.price=1",
    "said": f"?{urlencode({'catalog': 'lamps', 'say': 'a red table lamp under 30'})}",
    "nothing understood": f"?{urlencode({'catalog': 'lamps', 'say': 'lantern flimflam'})}",
    "shop": "?catalog=shop&is.maker=Birch&is.fanless=true&max.price_eur=600&is.weight=3",
    "days": "?catalog=shop&is.maker=Birch&min.released=2022-06-01&over.checked=2024-05-03",
    "cars": "?catalog=cars&is.Make=Toyota&min.Year=2016&max.MSRP=9000&min.highway+MPG=38",
    "corrected": "?catalog=lamps&is.kind=floor&max.price=45&edit=max.price",
    "preferred": "?catalog=lamps&is.kind=floor&max.price=45&prefer=low.watts&policy=closest",
}


def shown(address: str) -> Markup:
    response, text = get(address)
    while response.status == 303:
        response, text = get(address.partition("?")[0] + response.headers["location"])
    assert response.status == 200, (address, text[:300])
    return Markup(text)


def links(page: Markup) -> list[Element]:
    """Return the links to other searches, in order; the way back to a dead end is none."""
    found = [link for link in page.all("a") if link.attributes["href"].startswith("?")]
    return [link for link in found if link.attributes.get("id") not in ("undo", "fix-leave")]


def promised(link: Element) -> int | None:
    """Return how many items a link says it leads to."""
    count = re.search(r"(?:^|\s)([\d,]+) items?$", " ".join(link.text.split()))
    way = link.attributes.get("id", "").startswith(("a-", "o-"))
    return int(count[1].replace(",", "")) if count and way else None


@pytest.mark.parametrize("start", STARTS)
def test_every_link_shows_what_it_says(address: str, start: str):
    waiting, seen = deque([(STARTS[start], None)]), set[str]()
    while waiting and len(seen) < MOST_PAGES // (1 if start == "lamps" else 3):
        place, count = waiting.popleft()
        if place in seen:
            continue
        seen.add(place)
        page = shown(address + place)
        # Whoever corrects a dead end has it before their eyes still.
        is_offer = place != STARTS[start] and not page.all("form", id="fix")
        assert page.all("li", class_="item") or not is_offer, place
        assert not page.all("section", class_="faults"), place
        if count is not None:
            (heading,) = page.all("h2", id="items")
            assert re.match(r"[\d,]+", heading.text)[0].replace(",", "") == str(count), place
        waiting += [(link.attributes["href"], promised(link)) for link in links(page)]
    assert len(seen) > 5


def test_stretches_come_before_drops(address: str):
    page = shown(address + STARTS["lamps"])
    ways = [link.text.split()[0] for link in links(page) if promised(link) is not None]
    assert ways == ["Stretch", "Give"]


def test_a_catalog_without_items_is_not_linked(service, cars):
    import pyarrow as pa

    from concede import Catalog

    empty = Catalog.open(pa.table({"a": pa.array([], pa.int64())}))
    page = Markup(service({"cars": cars, "empty": empty, "more": cars}).get("/").text)
    named = [link.text for link in page.all("a") if "catalog=" in link.attributes["href"]]
    assert "more" in named
    assert "empty" not in named


def test_a_stretch_far_away_comes_after(address: str):
    page = shown(f"{address}?catalog=cars&is.Make=Toyota&max.MSRP=15000&min.Engine+HP=300")
    ways = [" ".join(link.text.split()) for link in links(page) if promised(link) is not None]
    assert ways
    assert ways[0].startswith("Stretch")
