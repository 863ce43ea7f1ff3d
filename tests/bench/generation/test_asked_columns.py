"""What is asked about: by profile, as published, and as a user says."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.bench.generation.columns import AskedColumn, asked_columns
from concede.bench.generation.slices import ADDITIONAL_COLUMNS
from concede.bench.instances import BASE_COLUMNS
from concede.catalogs.errors import QueryError, UnknownColumn
from shops import shop


@pytest.fixture(scope="module")
def laptops():
    return shop(3, 80).catalog


def told(columns):
    return {column.name: " ".join(column.operators) for column in columns}


def test_operators_follow_kind_and_desirable_direction(laptops):
    assert told(asked_columns(laptops)) == {
        "brand": "==",
        "price": "<=",
        "weight": "<=",
        "rating": ">=",
        "released": ">=",
        "fanless": "==",
    }
    assert "brand" not in told(asked_columns(laptops, base=["brand"]))


def test_numbers_without_a_better_end_get_both_and_come_last():
    table = "size,city,price,code,note\n" + "".join(
        f"{row % 7},{'ab'[row % 2]},{row % 9},{row},note {row}\n" for row in range(60)
    )
    catalog = catalog_of(table)
    assert [
        (asked_column.name, asked_column.operators) for asked_column in asked_columns(catalog)
    ] == [
        ("city", ("==",)),
        ("price", ("<=",)),
        ("size", (">=", "<=")),
    ]


def catalog_of(text):
    import io

    import pyarrow.csv

    return Catalog.open(pyarrow.csv.read_csv(io.BytesIO(text.encode())))


def test_a_user_names_columns_and_operators(laptops):
    assert asked_columns(laptops, ["Weight >=", "price", "released<="]) == (
        AskedColumn("weight", (">=",)),
        AskedColumn("price", ("<=",)),
        AskedColumn("released", ("<=",)),
    )


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (["brand >="], "does not fit"),
        (["price", "PRICE <="], "named twice"),
        (["fanless"], "in the base"),
    ],
)
def test_what_does_not_fit_is_refused(wanted, told, laptops):
    with pytest.raises(QueryError, match=told):
        asked_columns(laptops, wanted, base=["fanless"])


def test_a_column_that_is_not_there(laptops):
    with pytest.raises(UnknownColumn, match="price"):
        asked_columns(laptops, ["pirce"])


def test_the_published_columns_where_the_catalog_has_them(shared_data):
    cars = Catalog.open(shared_data / "cooperunion_cars" / "data.csv")
    assert told(asked_columns(cars, base=BASE_COLUMNS)) == dict(ADDITIONAL_COLUMNS)
