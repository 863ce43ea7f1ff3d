"""A hidden column is written and never read: no reader finds it, by whichever way."""

import json

import pytest

from concede import (
    BadConstraint,
    Catalog,
    Query,
    QueryError,
    RepairEngine,
    UnknownColumn,
    parse_where,
)
from configured_shop import ROWS as WITH_GAPS

ROWS = WITH_GAPS.replace("missing", "£5")
SECRET = 424_242


@pytest.fixture(params=[True, False])
def shop(tmp_path, request):
    path = tmp_path / "shop.csv"
    path.write_text(ROWS.replace(",5,", f",{SECRET},"), encoding="utf-8")
    key = "sku" if request.param else None
    return Catalog.open(str(path), key=key, hidden=["Margin"])


def test_it_is_no_column(shop):
    assert "margin" not in shop.columns
    assert [profile.name for profile in shop.profiles()] == list(shop.columns)
    for ask in (shop.profile, shop.values, shop.numbers):
        with pytest.raises(UnknownColumn) as told:
            ask("margin")
        assert "margin" not in told.value.columns
        assert "margin" not in (told.value.nearest or ())


def test_rows_come_without_it(shop):
    shop.warm()
    for _ in range(4):
        # From DuckDB, then from memory.
        assert "margin" not in shop.fetch([0, 1])[0]
    assert "margin" not in (shop.rows_by_id([0])[0] or {})
    table = shop.query(f'SELECT * FROM "{shop.name}"')
    assert "margin" not in table[0]
    with pytest.raises(QueryError):
        shop.query(f'SELECT margin FROM "{shop.name}"')


@pytest.mark.parametrize(
    "where",
    [
        "margin = 1",
        "Margin > 1",
        "concede_items.margin > 1",
        "length(margin) = 1",
        '"margin" IS NULL',
    ],
)
def test_nothing_can_be_asked_of_it(shop, where):
    with pytest.raises(QueryError):
        RepairEngine(shop).repair(Query(constraints=parse_where(where, shop.schema)))


def test_no_answer_holds_it(shop):
    engine = RepairEngine(shop)
    for where in ("price >= 0", "price >= 90000 AND colour = 'Red'", "code = 'none'"):
        answer = engine.repair(Query(constraints=parse_where(where, shop.schema)), top=100)
        text = answer.to_json() + json.dumps(engine.diagnose(answer_query(answer)).record())
        assert "margin" not in text
        assert str(SECRET) not in text


def answer_query(answer):
    return Query(constraints=answer.constraints)


def test_it_can_be_written(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text(ROWS, encoding="utf-8")
    shop = Catalog.open(str(path), key="sku", hidden=["margin"])
    assert shop.upsert([{"sku": "a1", "margin": 77, "price": 3}]) == 2
    assert shop.fetch([0])[0]["price"] == 3
    whole = Catalog.open(str(path), key="sku")
    whole.upsert([{"sku": "a1", "margin": 77, "price": 3}])
    assert whole.fetch([0])[0]["margin"] == 77
    shop.compact()
    assert "margin" not in shop.fetch([0])[0]
    assert shop.snapshot() is shop.snapshot()


def test_a_key_and_the_cheapest_are_not_hidden(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text(ROWS, encoding="utf-8")
    with pytest.raises(BadConstraint, match="the column is hidden"):
        Catalog.open(str(path), key="sku", hidden=["sku"])
    with pytest.raises(UnknownColumn):
        Catalog.open(str(path), hidden=["sko"])
    # What is cheapest is not told by a column that nobody sees.
    assert Catalog.open(str(path), hidden=["price", "margin"]).cost_column is None
