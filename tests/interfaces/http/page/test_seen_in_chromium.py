"""The log of somebody named in the address, as a browser writes it; without a script nothing."""

from collections.abc import Iterator

import pytest

from chromium import Browser
from concede.dialogs.weighters.evidence.behaviour import Behaviour
from concede.interfaces.http.app import create_app
from concede.interfaces.http.settings import CatalogSource, ServeSettings
from page_server import app_server
from shop_window import shop_window

pytestmark = pytest.mark.slow

CLASH = "?is.maker=Birch&is.fanless=true&max.price_eur=600&min.released=2020-01-01"


@pytest.fixture
def logged() -> Iterator[tuple[str, Behaviour]]:
    """The page over a shop whose items have names, and what is known of people there."""
    source = CatalogSource("shop", "shop.parquet", key="name")
    app = create_app({"shop": shop_window()}, ServeSettings(catalogs=(source,)))
    with app_server(app) as address:
        yield address, app.state.concede.behaviours["shop"]


def test_what_is_shown_opened_and_put_back_is_kept(
    browser: Browser, logged: tuple[str, Behaviour]
) -> None:
    address, behaviour = logged
    browser.open(f"{address}{CLASH}&user=ann")
    browser.until(lambda: len(behaviour.stored()) == 1)
    keys = browser.script(
        "return [...document.querySelectorAll('.item')].map((i) => i.dataset.key)"
    )
    (first,) = behaviour.stored()
    assert (first.user, first.shown, first.clicked) == ("ann", tuple(keys), ())
    assert [each.column for each in first.constraints] == [
        "maker",
        "fanless",
        "price_eur",
        "released",
    ]
    browser.click(".item:nth-child(2) summary")
    browser.click(".item:nth-child(2) summary")
    browser.until(lambda: len(behaviour.stored()) == 2)
    assert behaviour.stored()[1].clicked == (keys[1],)
    browser.click(".chip.gone .put-back")
    browser.until(lambda: len(behaviour.stored()) >= 3)
    back = behaviour.stored()[2]
    assert [back.constraints[at].column for at in back.put_back] == ["fanless"]
    assert back.shown == first.shown
    browser.until(lambda: len(behaviour.stored()) == 4)
    assert behaviour.stored()[3].shown != first.shown
    assert browser.log() == []


def test_a_list_that_is_left_at_once_is_kept_once_something_is_done_in_it(
    browser: Browser, logged: tuple[str, Behaviour]
) -> None:
    address, behaviour = logged
    browser.open(f"{address}{CLASH}&user=ann")
    browser.click(".item summary")
    browser.until(lambda: bool(behaviour.stored()))
    assert len(behaviour.stored()[0].clicked) == 1
    browser.click(".item:nth-child(2) summary")
    browser.until(lambda: len(behaviour.stored()) == 2)
    assert len(behaviour.stored()[1].clicked) == 1


def test_nothing_is_kept_of_nobody_nor_without_a_script(
    browser: Browser, logged: tuple[str, Behaviour]
) -> None:
    address, behaviour = logged
    browser.open(f"{address}{CLASH}")
    browser.click(".item summary")
    browser.click(".chip.gone .put-back")
    browser.wait("location.search.includes('must=')")
    browser.scripts(allowed=False)
    browser.open(f"{address}{CLASH}&user=ann")
    browser.click(".chip.gone .put-back")
    browser.until(lambda: "must=is.fanless" in browser.address)
    assert "user=ann" in browser.address
    browser.click("#keep-nothing")
    browser.until(lambda: "user=" not in browser.address)
    assert list(behaviour.stored()) == []
