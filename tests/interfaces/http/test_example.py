"""The example of the embedding guide does what it says."""

import importlib.util
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "shop_search.py"


@pytest.fixture(scope="module")
def example():
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


@pytest.mark.parametrize("name", ["max_price", "min_watts"])
@pytest.mark.parametrize(
    "text", ["cheap", "nan", "NaN", "inf", "-inf", "1e999", "-1", "-1e300", "9" * 5_000, "1\n2"]
)
def test_what_is_no_number_is_told_in_one_line(shop, name, text):
    answer = shop.get("/search", params={"room": "kitchen", name: text})
    assert answer.status_code == 422
    problem = answer.json()["problem"]
    assert name in problem
    assert len(problem.splitlines()) == 1
    assert len(problem) < 100


@pytest.mark.parametrize("text", ["0", "-0", "1e-320", "1e300", "9" * 300])
def test_numbers_however_large_or_small_are_answered(shop, text):
    """Each bound also beside one that nothing meets, so that the engine is asked as well."""
    for name in ("max_price", "min_watts"):
        for room in ("kitchen", "cellar", "'"):
            answer = shop.get("/search", params={"room": room, name: text})
            assert answer.status_code == 200
            assert isinstance(answer.json()["items"], list)


def test_what_no_text_may_hold_is_told(shop):
    assert shop.get("/search", params={"room": "a\0b"}).status_code == 422


def test_the_example_needs_nothing_but_the_extra_it_names(example):
    """Whatever it imports comes with Python or with `concede[server]`."""
    imported = {
        line.split()[1].partition(".")[0]
        for line in EXAMPLE.read_text().splitlines()
        if line.lstrip().startswith(("import ", "from "))
    }
    assert imported - sys.stdlib_module_names == {"fastapi", "concede"}
