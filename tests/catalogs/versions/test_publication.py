"""Catalogs that follow one that is written to, however its writer ends."""

from datetime import date
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, Query, RepairEngine, parse_where
from concede.catalogs.errors import CatalogError, UnreadableCatalog
from concede.catalogs.versions import publication
from concede.catalogs.versions.publication import current_segment
from example_counts import examples

LAMPS = "sku,price,room\n" + "".join(f"L{n},{10 + n},{'hall' if n % 3 else ''}\n" for n in range(9))
OTHERS = "sku,price,room\n" + "".join(f"L{n},{90 + n},attic\n" for n in range(4, 16))

ROW = st.fixed_dictionaries(
    {"sku": st.sampled_from([f"L{n}" for n in range(14)])},
    optional={"price": st.integers(0, 99) | st.none(), "room": st.sampled_from(["hall", "é"])},
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("upsert"), st.lists(ROW, max_size=3)),
        st.tuples(st.just("delete"), st.lists(st.integers(0, 8), max_size=3)),
        st.tuples(st.sampled_from(["swap", "follow", "kill", "cut", "compact"]), st.none()),
    ),
    max_size=12,
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lamps.csv").write_text(LAMPS, encoding="utf-8")
    (tmp_path / "others.csv").write_text(OTHERS, encoding="utf-8")
    return tmp_path


def state(catalog: Catalog) -> tuple:
    """Return all that a catalog holds, and what it answers."""
    rows = catalog.query(f'SELECT * FROM "{catalog.name}" ORDER BY ALL')
    numbers = catalog.slice([]).ids
    asked = Query(constraints=parse_where("price >= 95 AND room = 'hall'"))
    answer = RepairEngine(catalog, threads=1).repair(asked).to_json()
    shown = catalog.fetch(list(numbers)), catalog.row_ids(numbers)
    return catalog.version, catalog.schema, rows, shown, answer


def opened(folder, **more) -> Catalog:
    return Catalog.open(folder / "lamps.csv", key="sku", **more)


@settings(max_examples=examples(12), deadline=None)
@given(steps=STEPS, log_bytes=st.sampled_from([1, 300, 10**6]))
def test_followers_hold_what_was_acknowledged(tmp_path_factory, steps, log_bytes):
    """Twins: a catalog of one process that takes the same writes."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "lamps.csv").write_text(LAMPS, encoding="utf-8")
    (folder / "others.csv").write_text(OTHERS, encoding="utf-8")
    shared = folder / "published"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publication, "LOG_BYTES", log_bytes)
        twin, owner = opened(folder), opened(folder, publish_to=shared)
        early = opened(folder, follow=shared)
        for step, told in steps:
            if step == "upsert":
                assert owner.upsert(told) == twin.upsert(told)
            elif step == "delete":
                assert owner.delete(told) == twin.delete(told)
            elif step == "swap":
                others = folder / "others.csv"
                assert owner.reload(others) == twin.reload(others)
            elif step == "compact":
                owner.compact()
            elif step == "follow":
                assert early.catch_up() == twin.version
            else:
                if step == "cut":
                    log = shared / f"writes-{current_segment(shared)}.log"
                    log.write_bytes(log.read_bytes() + b"\x20\0\0\0half a record")
                # Nobody closed the one before: it was killed.
                owner = opened(folder, publish_to=shared)
        late = opened(folder, follow=shared)
        early.catch_up()
    assert state(owner) == state(twin) == state(early) == state(late)
    assert len(list(shared.glob("base-*"))) <= 2


def test_what_is_in_the_file_alone_is_followed_too(tmp_path):
    """The writer was killed when its file had the write and the log had not."""
    path, shared = tmp_path / "shop.duckdb", tmp_path / "published"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE lamps AS SELECT range AS sku, 10 AS price FROM range(9)")
    owner = Catalog.open(path, key="sku", writable=True, publish_to=shared)
    follower = Catalog.open(path, key="sku", follow=shared)
    owner.upsert([{"sku": 1, "price": 20}])
    owner.close()
    with Catalog.open(path, key="sku", writable=True) as alone:
        version = alone.upsert([{"sku": 2, "price": 30}])
    owner = Catalog.open(path, key="sku", writable=True, publish_to=shared)
    assert follower.catch_up() == owner.version == version
    assert owner.upsert([{"sku": 3, "price": 40}]) == follower.catch_up()
    assert follower.query("SELECT price FROM lamps ORDER BY ALL") == owner.query(
        "SELECT price FROM lamps ORDER BY ALL"
    )
    owner.close()


def test_values_that_json_does_not_tell_are_followed(tmp_path):
    path, shared = tmp_path / "shop.duckdb", tmp_path / "published"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE l (sku INT, price DECIMAL(9,2), since DATE)")
        connection.execute("INSERT INTO l VALUES (1, 1.25, '2024-01-01')")
    owner = Catalog.open(path, key="sku", publish_to=shared)
    follower = Catalog.open(path, key="sku", follow=shared)
    owner.upsert([{"sku": 1, "price": Decimal("9.75"), "since": date(2025, 2, 3)}])
    owner.upsert({"sku": n, "price": n / 4} for n in range(2, 4))
    follower.catch_up()
    assert follower.query("FROM l") == owner.query("FROM l")
    assert len(follower.query("FROM l")) == 3


def test_units_of_cells_are_followed(tmp_path):
    (tmp_path / "l.csv").write_text("sku,weight\n1,5 kg\n2,7 kg\n", encoding="utf-8")
    owner = Catalog.open(tmp_path / "l.csv", key="sku", publish_to=tmp_path / "p")
    follower = Catalog.open(tmp_path / "l.csv", key="sku", follow=tmp_path / "p")
    units = [[column.unit for column in each.schema.columns] for each in (owner, follower)]
    assert units == [["", "kg"], ["", "kg"]]


def test_only_one_writes(folder):
    opened(folder, publish_to=folder / "p")
    follower = opened(folder, follow=folder / "p")
    for write in (
        lambda: follower.upsert([{"sku": "L1"}]),
        lambda: follower.delete([1]),
        follower.reload,
    ):
        with pytest.raises(CatalogError, match="another process writes"):
            write()
    with pytest.raises(CatalogError, match="follows no other"):
        opened(folder).catch_up()


def test_nothing_published_is_told(folder):
    with pytest.raises(UnreadableCatalog, match="nothing was published"):
        opened(folder, follow=folder / "nowhere")


def test_folders_may_be_text(folder):
    owner = opened(folder, publish_to=str(folder / "p"))
    follower = opened(folder, follow=str(folder / "p"))
    owner.upsert([{"sku": "L1", "price": 7}])
    assert follower.catch_up() == 2
    assert state(follower) == state(owner)


def test_a_file_is_no_folder_to_publish_in(folder):
    lamps = str(folder / "lamps.csv")
    with pytest.raises(CatalogError, match="nothing can be published"):
        opened(folder, publish_to=lamps)
    with pytest.raises(UnreadableCatalog, match="nothing was published"):
        opened(folder, follow=lamps)


def test_a_follower_reaches_no_files(folder):
    owner = opened(folder, publish_to=folder / "p")
    for sql in (f"FROM read_csv('{folder}/lamps.csv')", "FROM read_text('/etc/hostname')"):
        with pytest.raises(Exception, match=r"(?i)cannot|permission|not"):
            owner.query(sql)
