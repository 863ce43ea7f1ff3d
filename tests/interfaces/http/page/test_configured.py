"""The page says what the configuration says, and guesses nothing there."""

import pytest

from concede.catalogs.configuration.shop_config import ShopConfig
from configured_shop import CONFIG, write_shop


@pytest.fixture
def page(service, tmp_path):
    told = CONFIG.replace('hidden = ["margin"]', 'hidden = ["margin", "code"]')
    return service({"shop": ShopConfig.read(write_shop(tmp_path, told)).open()})


def test_labels_stand_where_columns_are_named(page):
    shown = page.get("/", params={"min.power": "500", "prefer": "high.power"}).text
    assert "engine power" in shown
    assert "<dt><bdi>engine power</bdi></dt>" in shown
    assert "<bdi>power</bdi>" not in shown


def test_items_are_called_as_told_and_lead_to_their_pages(page):
    shown = page.get("/").text
    assert '<a href="https://shop.example/a1" rel="noopener"><bdi>Alpha</bdi></a>' in shown
    assert "<h3><bdi>Beta</bdi></h3>" in shown


def test_hidden_columns_have_no_filter_and_no_fact(page):
    for address in ("/", "/chat"):
        shown = page.get(address).text
        assert "margin" not in shown
        assert ">code<" not in shown
    # What was said is repeated, and that the word was not understood.
    shown = page.get("/?say=the+lowest+margin").text
    assert not [mark for mark in (".margin", "<bdi>margin</bdi>", ">code<") if mark in shown]


def test_a_link_that_is_none_on_the_web_is_none(service, tmp_path):
    path = write_shop(tmp_path)
    shop = ShopConfig.read(path).open()
    shop.upsert([{"sku": "a1", "page": "javascript:alert(1)"}, {"sku": "c3", "page": "//x"}])
    shown = service({"shop": shop}).get("/").text
    assert 'href="javascript' not in shown
    assert 'href="//x"' not in shown
