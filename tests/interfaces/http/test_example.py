"""The example of the embedding guide does what it says."""

import importlib.util
from pathlib import Path

import pytest
from starlette.testclient import TestClient

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "shop_search.py"


@pytest.fixture(scope="module")
def example():
    pytest.importorskip("pandas")
    specification = importlib.util.spec_from_file_location("shop_search", EXAMPLE)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def shop(example):
    with TestClient(example.app) as client:
        yield client


def test_what_the_shop_finds_itself_is_left_alone(shop):
    found = shop.get("/search", params={"room": "kitchen", "max_price": "30"}).json()
    assert found["items"]
    assert set(found) == {"items"}
    assert all(one["room"] == "kitchen" and one["price"] <= 30 for one in found["items"])


def test_where_nothing_matches_something_is_offered_and_the_reason_told(shop):
    asked = {"room": "kitchen", "max_price": "30", "min_watts": "20"}
    found = shop.get("/search", params=asked).json()
    assert found["gave_way"] == ["watts ≥ 20"]
    assert all(one["room"] == "kitchen" and one["price"] <= 30 for one in found["items"])
    assert 0 < len(found["items"]) <= 3
    assert "watts" in found["why"]
    assert found["complete"]


def test_an_engine_with_too_much_to_do_leaves_an_empty_page(shop, example):
    engine = shop.app.state.engine
    engine.close()
    asked = {"room": "kitchen", "max_price": "30", "min_watts": "20"}
    assert shop.get("/search", params=asked).json() == {"items": []}


def test_what_is_no_number_is_told(shop):
    assert shop.get("/search", params={"max_price": "cheap"}).status_code == 422
