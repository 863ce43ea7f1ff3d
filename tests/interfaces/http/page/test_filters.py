"""The form as it is served: what is asked first, what rides along, how wide it may get."""

import itertools

import pyarrow as pa

from concede import Catalog, RepairEngine
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.filters import FilledForm, filters
from concede.interfaces.http.page.form_model import MOST_FIELDS, FormCache, form_model
from concede.interfaces.http.page.layout import app
from concede.interfaces.http.page.query_string import MAX_CRITERIA, parse_query_string
from concede.interfaces.http.page.view_model import ask_engine
from page_server import get
from parsed_html import Element, Markup
from shop_window import SCHEMA, rows, shop_window


def form(query: str, catalog: Catalog | None = None) -> Markup:
    opened = catalog or shop_window()
    model = form_model(opened)
    search = parse_query_string(query.encode())
    return Markup(filters(FilledForm(model, search, question_of(search, model, opened).faults)))


def pairs(page: Markup) -> list[tuple[str | None, str | None]]:
    """What a browser without a script would send, as far as the form alone says."""
    sent = [
        (element.attributes["name"], element.attributes.get("value") or "")
        for element in page.all("input")
        if element.attributes.get("type") != "checkbox" or "checked" in element.attributes
    ]
    for menu, options in _menus(page):
        chosen = [
            option.attributes["value"] for option in options if "selected" in option.attributes
        ]
        sent.append((menu.attributes["name"], chosen[0] if chosen else ""))
    return sorted(pair for pair in sent if pair[1])


def _menus(page: Markup) -> list[tuple[Element, list[Element]]]:
    menus: list[tuple[Element, list[Element]]] = []
    for element in page.elements:
        if element.name == "select":
            menus.append((element, []))
        elif element.name == "option" and "select" in element.parents:
            menus[-1][1].append(element)
    return menus


def test_the_form_sends_what_was_wished_for():
    sent = pairs(
        form(
            "catalog=shop&is.maker=Birch&is.maker=Cedar&max.price_eur=900&has.name=boo"
            "&is.fanless=true&min.checked=2024-05-02&give=is.maker&show=note"
        )
    )
    assert sent == sorted(
        [
            ("catalog", "shop"),
            ("give", "is.maker"),
            ("has.name", "boo"),
            ("is.fanless", "true"),
            ("is.maker", "Birch"),
            ("is.maker", "Cedar"),
            ("max.price_eur", "900"),
            ("min.checked", "2024-05-02"),
            ("show", "note"),
        ]
    )


def test_what_no_control_can_say_rides_along():
    query = "is.price_eur=900&is.name=Birch+book+0&is.maker=Oak&is.Nope=1&has.maker=B"
    assert pairs(form(query)) == sorted(
        [
            ("is.price_eur", "900"),
            ("is.name", "Birch book 0"),
            ("is.maker", "Oak"),
            ("is.Nope", "1"),
            ("has.maker", "B"),
        ]
    )


def test_a_menu_keeps_every_value_and_offers_one_more():
    values = [f"v{i}" for i in range(40)] * 5
    page = form("is.kind=v3&is.kind=v7&is.kind=strange", Catalog.open(pa.table({"kind": values})))
    assert pairs(page) == [("is.kind", "strange"), ("is.kind", "v3"), ("is.kind", "v7")]
    assert len(page.all("select", name="is.kind")) == 4


def test_a_wide_catalog_is_asked_in_part_and_every_column_can_be_had():
    columns = {f"column {i}": list(range(30)) for i in range(300)}
    catalog = Catalog.open(pa.table(columns))
    page = form("show=column+250&min.column+299=4", catalog)
    asked_for = {element.attributes["name"] for element in page.all("input")}
    assert {"min.column 250", "min.column 299"} <= asked_for
    assert len([name for name in asked_for if name and name.startswith("min.")]) == MOST_FIELDS
    (menu, options) = _menus(page)[-1]
    assert menu.attributes["name"] == "show"
    assert len(options) == 1 + 300 - MOST_FIELDS


def test_every_label_belongs_to_a_control():
    page = form("is.maker=Oak&min.price_eur=x&has.name=a")
    identities = [
        element.attributes["id"] for element in page.elements if "id" in element.attributes
    ]
    assert len(identities) == len(set(identities))
    targets = {element.attributes[name] for element in page.elements for name in ("for", "list",
               "aria-describedby") if name in element.attributes}  # fmt: skip
    assert targets <= set(identities)


def test_the_most_there_can_be_is_answered_in_bounds():
    catalog = shop_window()
    model = form_model(catalog)
    kinds = itertools.cycle(["is.maker", "max.price_eur", "min.price_eur", "max.weight"])
    query = "&".join(f"{next(kinds)}=1" for _ in range(4)) + "".join(
        f"&is.{name}={i}" for i, name in enumerate(["name", "sku_id", "weight", "price_eur"])
    )
    query += "&has.name=zz&has.sku_id=zz&min.weight=9&min.released=2030-01-01&top=96"
    search = parse_query_string(query.encode())
    assert len(search.criteria) <= MAX_CRITERIA
    outcome = ask_engine(RepairEngine(catalog), search, question_of(search, model, catalog), 10)
    page = Markup(app(outcome, model))
    assert len(page.all("li", class_="chip gone")) == len(outcome.relaxed_positions) > 3
    assert len(app(outcome, model)) < 2_000_000


def test_a_form_follows_its_catalog():
    catalog = Catalog.open(pa.Table.from_pylist(rows(30), schema=SCHEMA))
    forms = FormCache()
    before = forms.get("shop", catalog.snapshot())
    assert forms.get("shop", catalog.snapshot()) is before
    catalog.reload(pa.Table.from_pylist(rows(33), schema=SCHEMA))
    after = forms.get("shop", catalog.snapshot())
    assert (after.rows, after.version) == (33, catalog.version)
    assert after.fields is before.fields, "made anew, though only rows have changed"
    catalog.reload(pa.table({"colour": ["red", "green"] * 5}))
    assert forms.get("shop", catalog.snapshot()).columns == ("colour",)


def test_another_catalog_of_the_same_name_gets_its_own_form(address: str):
    forms = FormCache()
    one, other = Catalog.open(pa.table({"a": [1, 2]})), Catalog.open(pa.table({"b": [1, 2]}))
    assert forms.get("x", one.snapshot()).columns == ("a",)
    assert forms.get("x", other.snapshot()).columns == ("b",)


def test_a_catalog_without_rows_says_so():
    catalog = Catalog.open(pa.table({"a": pa.array([], pa.int64())}))
    model = form_model(catalog)
    for query in (b"", b"min.a=1"):
        search = parse_query_string(query)
        outcome = ask_engine(RepairEngine(catalog), search, question_of(search, model, catalog), 10)
        shown = Markup(app(outcome, model)).one("main").text
        assert "This catalog has no items" in shown
        assert "No item at all" not in shown


def test_assets_may_be_kept_for_ever_and_pages_not(address: str):
    response, text = get(address)
    assert response.headers["cache-control"] == "private, no-cache"
    for link in Markup(text).all("link"):
        asset, _ = get(address + str(link.attributes["href"]))
        assert asset.status == 200
        assert "immutable" in asset.headers["cache-control"]
