"""A draft says what the data shows, can be read as it stands, and is the same for the same rows."""

from concede.catalogs.configuration.first_draft import comment, draft_of, text
from concede.catalogs.configuration.shop_config import ShopConfig
from configured_shop import ROWS, write_shop


def test_a_draft_opens_what_it_was_made_of(tmp_path):
    write_shop(tmp_path)
    draft = draft_of(str(tmp_path / "shop.csv"))
    assert draft == draft_of(str(tmp_path / "shop.csv"))
    path = tmp_path / "draft.toml"
    path.write_text(draft, encoding="utf-8")
    catalog = ShopConfig.read(path).open()
    assert catalog.key == ("sku",)
    assert catalog.presentation.title == ("name",)
    assert (catalog.presentation.image, catalog.presentation.link) == ("photo", "page")
    kinds = {name: catalog.profile(name).kind for name in ("power", "price", "year", "code")}
    # A code keeps its leading zeros.
    assert kinds == {
        "power": "numeric",
        "price": "numeric",
        "year": "numeric",
        "code": "categorical",
    }


def test_the_sample_has_a_draft(tmp_path):
    path = tmp_path / "cars.toml"
    path.write_text(draft_of("sample:cars"), encoding="utf-8")
    assert ShopConfig.read(path).open().row_count == 12_000


def test_hostile_names_stay_data(tmp_path):
    hostile = 'a"]\n[[keys]]\nname = "x\x7f'
    (tmp_path / "odd.csv").write_text(
        ROWS.replace("colour", '"' + hostile.replace('"', '""') + '"'), encoding="utf-8"
    )
    path = tmp_path / "odd.toml"
    path.write_text(draft_of(str(tmp_path / "odd.csv")), encoding="utf-8")
    config = ShopConfig.read(path)
    assert config.keys == ()
    assert hostile in config.open().columns


def test_texts_and_comments_stay_on_their_lines():
    assert "\n" not in text("a\nb\x7f")
    assert "\n" not in comment("a\nb\r\u2028c")
