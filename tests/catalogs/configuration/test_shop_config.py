"""A configuration says what data cannot tell; what is wrong with one is told with its place."""

from datetime import UTC, date, datetime

import pytest

from concede import Query, RepairEngine, UnreadableFile, parse_where
from concede.catalogs.configuration.config_models import KeyConfig, rate_of
from concede.catalogs.configuration.shop_config import ShopConfig
from concede.dialogs.extraction.offline import OfflineExtractor
from configured_shop import CONFIG, write_shop


@pytest.fixture
def shop(tmp_path):
    return ShopConfig.read(write_shop(tmp_path)).open()


def test_columns_are_what_was_said(shop):
    power = shop.profile("power")
    assert (power.kind, power.nulls, power.unit, power.desirable) == ("numeric", 1, "hp", "high")
    assert (shop.profile("price").sql_type, shop.profile("price").nulls) == ("BIGINT", 1)
    # Nothing was said of it, so that NA is a text like any other.
    assert shop.profile("year").kind == "categorical"
    assert shop.profile("code").kind == "categorical"
    assert shop.key == ("sku",)
    assert shop.cost_column == "price"
    assert (shop.presentation.title, shop.presentation.image) == (("name",), "photo")


def test_an_explanation_says_labels_and_items_are_ranked_as_told(shop):
    engine = RepairEngine(shop)
    answer = engine.repair(Query(constraints=parse_where("power >= 500", shop.schema)))
    assert "engine power ≥ 500" in answer.explanation
    assert "engine power ≥ 500" in answer.repairs[0].explanation
    assert (
        engine.diagnose(
            Query(constraints=parse_where("power >= 500", shop.schema))
        ).explanation.count("engine power")
        == 1
    )
    found = engine.repair(Query(constraints=parse_where("price >= 0", shop.schema)))
    ranked = [part.column for part in found.items[0].contributions if part.position is None]
    assert ranked == ["power", "price"]


def test_words_are_read_by_synonyms_and_units(shop):
    read = OfflineExtractor().extract("an emerald one with strength of at least 95", shop)
    found = {(each.constraint.column, each.constraint.value) for each in read.constraints}
    assert ("colour", "green") in found
    assert any(column == "power" for column, _ in found)


def test_case_counts_only_where_nothing_was_said(tmp_path):
    path = write_shop(tmp_path)
    query = Query(base={"colour": "red"})
    assert RepairEngine(ShopConfig.read(path).open()).check(query).count == 2
    path.write_text(CONFIG.replace("fold_case = true", ""), encoding="utf-8")
    assert RepairEngine(ShopConfig.read(path).open()).check(query).count == 0


MISTAKES = [
    ("label =", "lable =", "[catalogs.shop.columns.power] has no key 'lable'", "'label'"),
    ('"high"', '"hihg"', "[catalogs.shop.columns.power] better cannot be 'hihg'", "'high'"),
    ('["search"]', '["serach"]', "[[keys]] number 1: scopes cannot be 'serach'", "'search'"),
    ('"600/minute"', '"6/fortnight"', "[[keys]] number 1: rate '6/fortnight'", "600/minute"),
    ("2130-01-01", '"soon"', "[[keys]] number 1: expires 'soon'", ""),
    ("expires", "expire", "[[keys]] number 1: has no key 'expire'", "'expires'"),
    ('hidden = ["margin"]', 'hidden = "cost"', "[catalogs.shop] hidden 'cost'", "list"),
    ('["margin"]', '["magrin"]', "[catalogs.shop] hidden: unknown column 'magrin'", "'margin'"),
    ("columns.power", "columns.powr", "[catalogs.shop.columns.powr] unknown column", "'power'"),
    ("source =", "sauce =", "[catalogs.shop] has no key 'sauce'", "'source'"),
    ('title = "name"', "title = 3", "[catalogs.shop] title 3", "string"),
    (
        '["margin"]',
        '["sku"]',
        "[catalogs.shop] key: bad key 'sku': the column is hidden",
        "show it",
    ),
    ('["margin"]', '["power"]', "[catalogs.shop] rank: bad rank 'power'", "another column"),
    ('["power", "price"]', '["name"]', "[catalogs.shop] rank: bad rank 'name'", "better"),
    ('key = "sku"', 'key = "skew"', "[catalogs.shop] key: unknown column 'skew'", "'sku'"),
    ('key = "sku"', 'key = "sku', "line 3", "TOML"),
    ("sha256:0", "md5:0", "[[keys]] number 1: hash", "concede keys new"),
    ("[catalogs.shop]", "[catalogue.shop]", "has no key 'catalogue'", "'catalogs'"),
]


@pytest.mark.parametrize(("was", "becomes", "place", "hint"), MISTAKES)
def test_a_mistake_is_told_with_file_table_and_key(tmp_path, was, becomes, place, hint):
    path = write_shop(tmp_path, CONFIG.replace(was, becomes, 1))
    with pytest.raises(UnreadableFile) as told:
        ShopConfig.read(path).open()
    assert place in str(told.value)
    assert "shop.toml" in str(told.value)
    assert hint in str(told.value)


def test_two_keys_of_one_name_are_refused(tmp_path):
    twice = CONFIG + CONFIG[CONFIG.index("[[keys]]") :]
    with pytest.raises(UnreadableFile, match="two are called 'front'"):
        ShopConfig.read(write_shop(tmp_path, twice))


def test_a_catalog_that_is_none_is_told_the_nearest(tmp_path):
    config = ShopConfig.read(write_shop(tmp_path))
    with pytest.raises(UnreadableFile, match="there: shop"):
        config.open("shoop")


def test_no_file_and_no_utf_8_are_told(tmp_path):
    with pytest.raises(UnreadableFile, match="No such file"):
        ShopConfig.read(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableFile, match=r"odd\.toml"):
        ShopConfig.read(tmp_path / "odd.toml")


@pytest.mark.parametrize(
    ("rate", "requests", "seconds"),
    [("600/minute", 600, 60), ("5/s", 5, 1), (" 2.5 / hour ", 2.5, 3600), (4, 4, 1), (0.1, 1, 10)],
)
def test_rates_are_requests_in_seconds(rate, requests, seconds):
    assert rate_of(rate) == (requests, pytest.approx(seconds))


@pytest.mark.parametrize("rate", ["0/s", "600", "-3/s", "1/0", 0, -1, float("nan"), float("inf")])
def test_a_rate_that_is_none_is_refused(rate):
    fields = {"name": "a", "hash": "sha256:" + "0" * 64, "scopes": ["search"], "rate": rate}
    with pytest.raises(ValueError, match="rate"):
        KeyConfig.model_validate(fields)


def test_a_day_is_good_to_its_end_and_a_moment_without_a_zone_is_utc():
    fields = {"name": "a", "hash": "sha256:" + "0" * 64, "scopes": ["search"]}
    day = KeyConfig.model_validate(fields | {"expires": date(2030, 1, 2)})
    assert day.expires_at == datetime(2030, 1, 2, 23, 59, 59, 999999, tzinfo=UTC)
    moment = KeyConfig.model_validate(fields | {"expires": datetime(2030, 1, 2, 3)})
    assert moment.expires_at == datetime(2030, 1, 2, 3, tzinfo=UTC)


def test_travel_times_are_a_file_beside_the_configuration(tmp_path):
    (tmp_path / "cafes.csv").write_text(
        "name,lat,lon\nTea House,40.7,-73.9\nNight Owl,40.8,-73.9\n"
    )
    (tmp_path / "times.csv").write_text("origin,name,mode,minutes\nhome,Tea House,walk,9\n")
    config = tmp_path / "shop.toml"
    config.write_text('[catalogs.cafes]\nsource = "cafes.csv"\ntravel_times = "times.csv"\n')
    cafes = ShopConfig.read(config).open()
    asked = Query(constraints=parse_where("travel_minutes('home', 'walk') <= 10", cafes.schema))
    assert [item.row["name"] for item in RepairEngine(cafes).repair(asked).items] == ["Tea House"]
