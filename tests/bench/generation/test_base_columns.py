"""What cuts a catalog into base slices where nobody says."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.bench.generation.columns import base_columns
from concede.bench.instances import BASE_COLUMNS
from concede.catalogs.errors import QueryError, UnknownColumn


@pytest.fixture(scope="module")
def rooms():
    """240 rows: 3 kinds of 80, 24 towns of 10; two numbers, a text."""
    rows = range(240)
    return Catalog.open(
        pa.table(
            {
                "kind": [f"kind {row % 3}" for row in rows],
                "town": [f"town {row // 10}" for row in rows],
                "price": [row % 17 for row in rows],
                "rating": [row % 5 for row in rows],
                "title": [f"room {row}" for row in rows],
            }
        )
    )


def chosen(catalog, wanted=None, asked=None, size=2, fewest=35, most=350):
    return base_columns(catalog, wanted, asked, size, fewest=fewest, most=most)


def test_the_columns_whose_values_give_slices_of_the_right_size(rooms):
    assert chosen(rooms) == ("kind",)
    assert chosen(rooms, fewest=5, most=20) == ("town",)
    assert chosen(rooms, fewest=3, most=4) == ("kind", "town")


def test_enough_columns_are_left_to_ask_about(rooms):
    assert chosen(rooms, size=3, fewest=5, most=20) == ("town",)
    with pytest.raises(QueryError, match="beside any base there are 3"):
        chosen(rooms, size=4)


def test_what_is_asked_about_is_no_base(rooms):
    assert chosen(rooms, asked=["town", "price"]) == ("kind",)
    with pytest.raises(QueryError, match="no categorical columns"):
        chosen(rooms, asked=["kind", "price"])


def test_a_user_says_so(rooms):
    assert chosen(rooms, wanted=["Town", "price", "town"]) == ("town", "price")
    with pytest.raises(UnknownColumn):
        chosen(rooms, wanted=["twon"])


def test_the_published_columns_where_the_catalog_has_them(shared_data):
    cars = Catalog.open(shared_data / "cooperunion_cars" / "data.csv")
    assert chosen(cars, size=4) == BASE_COLUMNS
    assert set(chosen(cars, asked=["Make", "MSRP", "Year"])).isdisjoint({"Make", "MSRP", "Year"})
