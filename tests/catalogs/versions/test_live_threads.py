"""Readers beside a writer: every answer is true of the version it names, none is a mix."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.catalogs.versions.snapshot import Snapshot

ROWS = 2_000
WRITES = 15
KINDS = 8


def shop(stamp: int, dice: np.random.Generator) -> pa.Table:
    """Rows of which each says in `stamp` and `mark` which write made it, and must say the same."""
    return pa.table(
        {
            "sku": np.arange(ROWS),
            "price": dice.integers(1, 100, ROWS),
            "kind": [f"k{integer}" for integer in dice.integers(0, KINDS, ROWS)],
            "stamp": np.full(ROWS, stamp),
            "mark": [f"m{stamp}"] * ROWS,
        }
    )


QUERY = Query(
    base=(Constraint(column="kind", op="==", value="k1"),),
    constraints=(
        Constraint(column="price", op="<=", value=3, weight=0.4),
        Constraint(column="price", op=">=", value=97, weight=0.6),
        Constraint(op="sql", value="mark LIKE 'm%'", weight=0.9),
    ),
)


def write(catalog: Catalog, dice: np.random.Generator) -> None:
    """Upsert, delete and reload, as often as said."""
    for number in range(1, WRITES + 1):
        if number % 9 == 0:
            catalog.reload(shop(number, dice))
        elif number % 4 == 0:
            ids = catalog.row_ids(catalog.slice(()).ids)
            catalog.delete(dice.choice(ids, 20, replace=False).tolist())
        else:
            chosen = dice.choice(ROWS + 50, 60, replace=False).tolist()
            catalog.upsert(
                {
                    "sku": sku,
                    "price": int(dice.integers(1, 100)),
                    "kind": f"k{dice.integers(0, KINDS)}",
                    "stamp": number,
                    "mark": f"m{number}",
                }
                for sku in chosen
            )


def check(answer: Answer, snapshot: Snapshot) -> None:
    """Check an answer against the version it names, asked by SQL."""
    assert answer.catalog_version == snapshot.version
    assert len(snapshot.query(answer.sql)) == answer.count
    rows = {row["sku"]: row for row in snapshot.query(f'SELECT * FROM "{snapshot.name}"')}
    assert len(rows) == snapshot.row_count
    for item in (*answer.items, *answer.near_misses):
        assert rows[item.row["sku"]] == item.row
        assert item.row["mark"] == f"m{item.row['stamp']}"
        assert snapshot.rows_by_id([item.row_id]) == [item.row]
    for repair in (*answer.repairs, *answer.shifts):
        assert rows[repair.witness["sku"]] == repair.witness
        assert len(snapshot.query(repair.sql)) == repair.count


@pytest.mark.parametrize("warm", [False, True])
def test_every_answer_is_true_of_the_version_it_names(warm: bool) -> None:
    dice = np.random.default_rng(7)
    catalog = Catalog.open(shop(0, dice), key="sku")
    engine = RepairEngine(catalog, threads=1)
    done, failures = threading.Event(), list[BaseException]()
    seen: list[tuple[Answer, Snapshot]] = []

    def guarded(work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                failures.append(error)

        return run

    def read() -> None:
        while not done.is_set():
            if warm:
                catalog.warm()
            before = catalog.version
            # The engine pins a version by itself, and here we do, to ask the same one again.
            assert before <= engine.repair(QUERY).catalog_version <= catalog.version
            snapshot = catalog.snapshot()
            answer = RepairEngine(snapshot, threads=1).repair(QUERY)
            seen.append((answer, snapshot))
            if len(seen) % 5 == 0:
                check(answer, snapshot)

    readers = [threading.Thread(target=guarded(read)) for _ in range(3)]
    for reader in readers:
        reader.start()
    guarded(lambda: write(catalog, dice))()
    done.set()
    for other_reader in readers:
        other_reader.join()
    assert not failures, failures[0]
    assert catalog.version == WRITES + 1
    # Answers are judged now, long after their versions were followed by others.
    for answer, snapshot in seen[:: max(1, len(seen) // 40)]:
        check(answer, snapshot)


def test_writers_take_turns() -> None:
    catalog = Catalog.open(pa.table({"sku": [0], "n": [0]}), key="sku")
    versions: list[int] = []

    def work(mine: int) -> None:
        rows = ({"sku": 100 * mine + number, "n": mine} for number in range(10))
        versions.extend(catalog.upsert([row]) for row in rows)

    writers = [threading.Thread(target=work, args=(mine,)) for mine in range(1, 5)]
    for writer in writers:
        writer.start()
    for other_writer in writers:
        other_writer.join()
    assert sorted(versions) == list(range(2, 42))
    assert catalog.row_count == 41
    assert sorted(catalog.row_ids(catalog.slice(()).ids)) == list(range(41))


def test_a_version_nobody_reads_is_freed_at_once() -> None:
    import gc
    import weakref

    catalog = Catalog.open(shop(0, np.random.default_rng(1)), key="sku")
    engine = RepairEngine(catalog)
    gc.collect()
    # A collector that comes by now and then would leave many versions standing.
    gc.disable()
    try:
        engine.repair(QUERY)
        first = weakref.ref(catalog.snapshot())
        answer = engine.repair(QUERY)
        catalog.upsert([{"sku": 1, "price": 1}])
        engine.repair(QUERY)
        assert first() is None
        assert answer.catalog_version == 1
    finally:
        gc.enable()
