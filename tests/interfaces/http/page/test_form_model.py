"""The form is made from what the columns hold, and knows nothing about what they are about."""

import pyarrow as pa
import pytest

from concede import Catalog
from concede.interfaces.http.page.form_model import (
    FIRST_FIELDS,
    MOST_BOXES,
    MOST_IN_MENU,
    Field,
    form_model,
)
from shop_window import shop_window


@pytest.fixture(scope="module")
def fields() -> dict[str, Field]:
    return form_model(shop_window()).by_column


def test_each_kind_has_its_control(fields: dict[str, Field]):
    assert {name: one.control for name, one in fields.items()} == {
        "name": "words",
        "maker": "boxes",
        "price_eur": "range",
        "weight": "range",
        "fanless": "yes_no",
        "released": "days",
        "checked": "days",
        "note": "menu",
        "sku_id": "words",
    }


def test_ends_are_written_for_people(fields: dict[str, Field]):
    assert (fields["price_eur"].low, fields["price_eur"].high) == ("400", "1,590")
    assert (fields["released"].low, fields["released"].high) == ("2020-01-01", "2022-03-01")
    assert (fields["checked"].low, fields["checked"].high) == ("2024-05-01", "2024-05-03")
    assert fields["checked"].has_time
    assert not fields["released"].has_time


@pytest.mark.parametrize(
    ("distinct", "control"),
    [(MOST_BOXES, "boxes"), (MOST_BOXES + 1, "menu"), (MOST_IN_MENU, "menu"),
     (MOST_IN_MENU + 1, "typed")],
)  # fmt: skip
def test_few_values_are_boxes_many_a_menu_more_are_typed(distinct: int, control: str):
    values = [f"value {i % distinct}" for i in range(distinct * 5)]
    form = form_model(Catalog.open(pa.table({"a": values})))
    assert form.fields[0].control == control
    assert set(form.fields[0].options) == set(values)


def test_more_values_are_known_than_offered():
    form = form_model(Catalog.open(pa.table({"a": [f"value {i % 300}" for i in range(1500)]})))
    assert (len(form.fields[0].options), len(form.fields[0].known)) == (100, 300)


def test_what_divides_nothing_is_not_asked():
    columns = {"same": ["x"] * 9, "nothing": pa.nulls(9), "price": range(9), "lists": [[1]] * 9}
    form = form_model(Catalog.open(pa.table(columns)))
    assert [one.column for one in form.fields] == ["price"]


def test_first_come_bounds_and_choices_and_no_identifiers():
    columns: dict[str, object] = {f"size {i}": range(40) for i in range(20)}
    columns |= {f"kind {i}": ["a", "b", "c", "d"] * 10 for i in range(20)}
    columns |= {
        "price": range(40),
        "item_id": range(40),
        "picture_url": [str(i) for i in range(40)],
    }
    form = form_model(Catalog.open(pa.table(columns)))
    assert len(form.first) == FIRST_FIELDS
    assert len([one for one in form.first if one.startswith("kind")]) == FIRST_FIELDS // 2
    assert "price" in form.first
    assert not {"item_id", "picture_url"} & form.first


def test_a_catalog_of_bounds_alone_fills_the_form():
    form = form_model(Catalog.open(pa.table({f"size {i}": range(40) for i in range(20)})))
    assert len(form.first) == FIRST_FIELDS


def test_items_are_called_by_their_name_or_the_first_texts():
    texts = [f"t{i}" for i in range(9)]
    named = {"code": texts, "kind": texts, "product_title": texts, "price": range(9)}
    assert form_model(Catalog.open(pa.table(named))).titles == ("product_title",)
    unnamed = {"uuid": texts, "maker": texts, "model": texts, "colour": texts}
    assert form_model(Catalog.open(pa.table(unnamed))).titles == ("maker", "model")
    assert form_model(Catalog.open(pa.table({"price": range(9)}))).titles == ()


def test_an_empty_catalog_has_an_empty_form():
    form = form_model(Catalog.open(pa.table({"a": pa.array([], pa.int64())})), "name")
    assert (form.catalog, form.rows, form.fields) == ("name", 0, ())


def test_values_too_long_for_a_line_are_not_offered():
    form = form_model(Catalog.open(pa.table({"a": ["x" * 5000, "short", "brief"] * 9})))
    assert form.fields[0].options == ("brief", "short")
    assert form.fields[0].known == ("brief", "short")
