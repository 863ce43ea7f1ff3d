"""A follower beside an owner, in one process: what is unloaded while the follower reads it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from concede import Catalog
from concede.catalogs.errors import UnreadableCatalog
from concede.interfaces.http.routes.catalogs import open_source
from concede.interfaces.http.settings import CatalogSource, ServeSettings
from concede.interfaces.http.workers.follower import Follower
from concede.interfaces.http.workers.owner import Owner
from concede.interfaces.http.workers.shared_folder import SharedFolder


class Pair:
    """An owner that serves lamps, and the folder that it shares."""

    def __init__(self, path: Path) -> None:
        self.folder = SharedFolder(path)
        file = path / "lamps.csv"
        file.write_text("sku,price\nL1,10\nL2,20\n", encoding="utf-8")
        self.source = CatalogSource("lamps", str(file), None, (), "sku")
        self.few = CatalogSource("few", str(file), None, (), "sku")
        self.owner = Owner(self.folder)
        self.catalogs = self.owner.open_all(ServeSettings((self.source,)), open_source)

    def load_few(self) -> None:
        folders = self.owner.folders()
        self.catalogs["few"] = open_source(self.few, **folders)
        self.owner.opened(self.few, folders)

    def unload_few(self) -> None:
        """Unload it as the route does: others are told first, then its folder goes."""
        left = self.owner.unloaded("few")
        self.catalogs.pop("few").close()
        assert left is not None
        shutil.rmtree(left)


@pytest.fixture
def pair(tmp_path):
    return Pair(tmp_path)


def test_a_catalog_unloaded_while_it_is_opened_is_not_served(pair):
    """A follower that ended here took the whole service with it: it had not started yet."""
    pair.load_few()

    def slow(source: CatalogSource, **folders: Path) -> Catalog:
        if source.name == "few":
            pair.unload_few()
        return open_source(source, **folders)

    assert set(Follower(pair.folder, slow).open_all()) == {"lamps"}


class Served:
    """The names that a follower serves."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def add(self, name: str, catalog: Catalog) -> None:
        self.names.add(name)

    def remove(self, name: str) -> None:
        self.names.discard(name)


def at_once(call: Callable[..., object], *arguments: object) -> None:
    call(*arguments)


def test_a_follower_goes_on_where_a_catalog_is_unloaded_while_it_is_taken_in(pair):
    unloads = []

    def slow(source: CatalogSource, **folders: Path) -> Catalog:
        if unloads:
            unloads.pop()()
        return open_source(source, **folders)

    follower, served = Follower(pair.folder, slow), Served()
    follower.open_all()
    pair.load_few()
    unloads.append(pair.unload_few)
    follower.take_in(served, at_once)
    assert not served.names
    pair.load_few()
    follower.take_in(served, at_once)
    assert served.names == {"few"}
    pair.unload_few()
    follower.take_in(served, at_once)
    assert not served.names


def test_a_catalog_that_cannot_be_opened_and_is_served_still_is_an_error(pair):
    pair.load_few()
    shutil.rmtree(pair.folder.publication(1))
    with pytest.raises(UnreadableCatalog):
        Follower(pair.folder, open_source).open_all()


def test_each_catalog_has_a_folder_of_its_own_also_under_a_name_that_another_had(pair):
    pair.load_few()
    pair.unload_few()
    pair.load_few()
    names = sorted(path.name for path in pair.folder.path.iterdir() if path.is_dir())
    assert names == ["0", "2"]
    followed = Follower(pair.folder, open_source).open_all()
    pair.catalogs["few"].upsert([{"sku": "L3", "price": 30}])
    followed["few"].catch_up()
    assert (followed["few"].row_count, followed["lamps"].row_count) == (3, 2)


def test_what_an_owner_began_before_it_was_killed_is_not_taken_for_another(pair):
    begun = open_source(pair.few, **pair.owner.folders())
    begun.upsert([{"sku": "L9", "price": 90}])
    # Nobody was told of it; the next owner begins where this one left.
    heir = Owner(pair.folder)
    heir.open_all(ServeSettings((pair.source,)), open_source)
    assert open_source(pair.few, **heir.folders()).row_count == 2
