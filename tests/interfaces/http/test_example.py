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
    answer = shop.get("/search", params={"room": "kitchen", "max_price": "30"}).json()
    assert answer["items"]
    assert set(answer) == {"items"}
    assert all(item["room"] == "kitchen" and item["price"] <= 30 for item in answer["items"])


def test_where_nothing_matches_something_is_offered_and_the_reason_told(shop):
    wishes = {"room": "kitchen", "max_price": "30", "min_watts": "20"}
    answer = shop.get("/search", params=wishes).json()
    assert answer["gave_way"] == ["watts ≥ 20"]
    assert all(item["room"] == "kitchen" and item["price"] <= 30 for item in answer["items"])
    assert 0 < len(answer["items"]) <= 3
    assert "watts" in answer["why"]
    assert answer["complete"]


def test_an_engine_with_too_much_to_do_leaves_an_empty_page(shop, example):
    engine = shop.app.state.engine
    engine.close()
    wishes = {"room": "kitchen", "max_price": "30", "min_watts": "20"}
    assert shop.get("/search", params=wishes).json() == {"items": []}


def test_what_is_no_number_is_told(shop):
    assert shop.get("/search", params={"max_price": "cheap"}).status_code == 422
