"""The source template reads a format of its own, found through its entry point."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from concede import Catalog, Query, RepairEngine, parse_where
from concede.catalogs.errors import UnknownTable, UnreadableCatalog
from concede.catalogs.sources import registry

TEMPLATES = Path(__file__).resolve().parents[2] / "docs" / "templates"
CARS = """\
[DEFAULT]
doors = 4

[Corolla]
price = 22000
maker = Toyota

[O'Hara; DROP TABLE cars]
price = 9500.5
maker = Nobody's
doors = 2

[Cart]
maker = Toyota
"""


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(TEMPLATES)
    points = [
        EntryPoint("ini", "source:IniReader", registry.ENTRY_POINTS),
        # A built-in name is not given away.
        EntryPoint("csv", "source:IniReader", registry.ENTRY_POINTS),
    ]
    monkeypatch.setattr(
        "concede.catalogs.registry.entry_points",
        lambda **wanted: EntryPoints(points).select(**wanted),
    )


@pytest.fixture
def cars(tmp_path: Path) -> Path:
    path = tmp_path / "cars.ini"
    path.write_text(CARS)
    return path


def test_a_query_over_the_file_is_repaired(offered, cars):
    catalog = Catalog.open(cars)
    assert catalog.columns == ("name", "price", "maker", "doors")
    assert catalog.row_count == 3
    asked = parse_where("price < 10000 AND maker = 'Toyota' AND doors = 4", catalog.schema)
    answer = RepairEngine(catalog).repair(Query(constraints=asked), policy="fewest")
    assert [constraint.column for constraint in answer.relaxed] == ["price"]
    assert [item.row for item in answer.items] == [
        {"name": "Corolla", "price": 22000.0, "maker": "Toyota", "doors": 4.0},
        {"name": "Cart", "price": None, "maker": "Toyota", "doors": 4.0},
    ]


def test_columns_take_the_types_they_are_given(offered, cars):
    catalog = Catalog.open(cars, columns={"doors": {"kind": "text"}})
    assert catalog.profile("doors").kind == "text"


def test_the_command_line_reads_it(offered, cars, capfd):
    from concede.interfaces.cli.main import run

    assert run(["catalog", "info", str(cars), "--format", "json"]) == 0
    assert '"name": "cars"' in capfd.readouterr().out


def test_messages_name_its_endings_and_its_files(offered, cars, tmp_path):
    other = tmp_path / "cars.toml"
    other.write_text(CARS)
    with pytest.raises(UnreadableCatalog, match=r"known endings: \.csv, .*\.db, \.ini"):
        Catalog.open(other)
    cars.write_text("price = 1")
    with pytest.raises(UnreadableCatalog, match=r"cars\.ini.*no section"):
        Catalog.open(cars)
    with pytest.raises(UnknownTable):
        Catalog.open(cars, table="cars")


def test_built_in_endings_are_read_as_before(offered, tmp_path):
    path = tmp_path / "cars.csv"
    path.write_text("price,maker\n1,Toyota\n")
    assert registry.reader_names() == ("csv", "parquet", "json", "duckdb", "ini")
    assert Catalog.open(path).row_count == 1


def test_an_ending_belongs_to_one_reader(offered):
    suffixes = registry.known_suffixes()
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in suffixes)
