"""`catalog init`, `keys new` and `--config` on the command line."""

import tomllib

import pytest

from concede.catalogs.configuration.key_hashes import hash_of
from concede.catalogs.configuration.shop_config import ShopConfig
from concede.interfaces.cli.main import run
from configured_shop import write_shop


def test_a_draft_goes_to_standard_output(concede):
    shown = concede("catalog", "init", "cars.csv")
    assert shown.code == 0
    assert tomllib.loads(shown.out)["catalogs"]["cars"]["source"] == "cars.csv"
    assert concede("catalog", "init", "cars.csv").out == shown.out


def test_a_draft_beside_another_folder_names_its_source_from_there(folder):
    (folder / "etc").mkdir()
    assert run(["catalog", "init", "cars.csv", "--out", "etc/shop.toml"]) == 0
    assert ShopConfig.read("etc/shop.toml").open().row_count == 8


def test_a_file_that_is_there_is_left_alone(folder, capsys):
    (folder / "shop.toml").write_text("# mine", encoding="utf-8")
    assert run(["catalog", "init", "cars.csv", "--out", "shop.toml"]) == 3
    assert "move it away" in capsys.readouterr().err
    assert (folder / "shop.toml").read_text(encoding="utf-8") == "# mine"


def test_a_key_is_shown_once_and_its_entry_lets_it_in(concede):
    made = concede("keys", "new", "--name", "front", "--scopes", "search,write", "--rate", "9/s",
                   "--expires", "2130-01-02")  # fmt: skip
    key = made.out.splitlines()[1].removeprefix("# ")
    entry = tomllib.loads(made.out)["keys"][0]
    assert entry["hash"] == hash_of(key)
    assert key not in made.out.splitlines()[3:]
    assert (entry["scopes"], entry["rate"]) == (["search", "write"], "9/s")
    assert concede("keys", "new", "--name", "front").out != made.out


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [("--scopes", "serch", "'search'"), ("--rate", "9", "600/minute"), ("--scopes", ",", "scopes")],
)
def test_a_key_that_cannot_be_is_told(concede, option, value, told):
    made = concede("keys", "new", "--name", "front", option, value)
    assert (made.code, made.out) == (2, "")
    assert told in made.err


def test_options_that_the_file_says_are_refused_beside_it(folder, capsys):
    write_shop(folder)
    assert run(["mcp", "--config", "shop.toml", "--as-text", "sku"]) == 2
    assert "say it in the file" in capsys.readouterr().err
    assert run(["mcp", "--config", "shop.toml", "--catalog", "shp"]) == 3
    assert "there: shop" in capsys.readouterr().err
