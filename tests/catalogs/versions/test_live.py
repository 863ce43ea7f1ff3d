"""A catalog that is written to answers as one opened afresh with the rows of its twin."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, RepairEngine
from concede.engine.answer import Answer
from example_counts import examples
from live_twin import CELLS, LiveTwin, first_rows, keyed_rows, padding, table_of

BOUNDS: dict[str, list[Any]] = {
    "price": [0, 2, 4, 900],
    "ratio": [0.05, 0.2],
    "money": [1.5, 2],
    "day": ["2024-02-29", dt.date(2024, 3, 1)],
    "at": ["2024-02-28"],
    "wide": [1],
}


@st.composite
def constraints(draw: st.DrawFn) -> Constraint:
    column = draw(st.sampled_from([*BOUNDS, "brand", "flag", "LIKE"]))
    nulls = draw(st.sampled_from(["reject", "reject", "match"]))
    weight = draw(st.sampled_from([None, 0.2, 0.7]))
    fields: dict[str, Any] = {"nulls": nulls} | ({} if weight is None else {"weight": weight})
    if column == "LIKE":
        return Constraint(op="sql", value="brand LIKE '%a%' OR price > 5", **fields)
    if draw(st.integers(0, 5)) == 0:
        return Constraint(column=column, op=draw(st.sampled_from(["is null", "is not null"])))
    if column in BOUNDS:
        op = draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
        return Constraint(
            column=column, op=op, value=draw(st.sampled_from(BOUNDS[column])), **fields
        )
    op = draw(st.sampled_from(["==", "!="]))
    return Constraint(column=column, op=op, value=draw(st.sampled_from(CELLS[column][1])), **fields)


queries = st.builds(
    Query,
    base=st.lists(constraints(), max_size=1).map(tuple),
    constraints=st.lists(constraints(), max_size=4).map(tuple),
)

Step = tuple[str, Any]
steps: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("upsert"), keyed_rows()),
    st.tuples(st.just("append"), keyed_rows(3)),
    st.tuples(st.just("delete"), st.lists(st.integers(0, 30), max_size=5)),
    st.tuples(st.just("reload"), first_rows()),
    st.tuples(st.just("compact"), st.none()),
    st.tuples(st.just("again"), keyed_rows(3)),
)


def take(step: Step, catalog: Catalog, twin: LiveTwin) -> int:
    kind, given_ = step
    if kind == "upsert":
        twin.upsert(given_, "sku")
        return catalog.upsert(given_, key="sku")
    if kind == "append":
        # Without a key, so that keys may repeat; those are told apart before the next upsert.
        fresh = [row | {"sku": f"n{twin.next_id + i}"} for i, row in enumerate(given_)]
        twin.upsert(fresh, None)
        return catalog.upsert(fresh)
    if kind == "delete":
        known = [entry for entry in given_ if entry < twin.next_id]
        twin.delete(known)
        return catalog.delete(known)
    if kind == "compact":
        catalog.compact()
        return catalog.version
    if kind == "again":
        # The rows there are, some of them changed: most of what is known still holds.
        fresh = [row for _, row in twin.rows]
        for place, row in enumerate(given_[: len(fresh)]):
            fresh[place] = fresh[place] | {n: cell for n, cell in row.items() if n != "sku"}
        given_ = fresh
    twin.load(given_)
    return catalog.reload(table_of(given_))


def outline(answer: Answer, ids: Sequence[int]) -> dict[str, Any]:
    """An answer without what tells catalogs with the same rows apart."""
    record = answer.model_dump(exclude={"catalog_version", "sql", "elapsed_ms", "solver"})
    for item in (*record["items"], *record["near_misses"]):
        item["row_id"] = ids.index(item["row_id"])
    for repair in (*record["repairs"], *record["shifts"]):
        del repair["sql"]
    return record


def in_any_order(rows: Sequence[dict[str, Any]]) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)


def assert_same(catalog: Catalog, twin: LiveTwin, query: Query) -> None:
    now, afresh = catalog.snapshot(), Catalog.open(table_of([row for _, row in twin.rows]))
    numbers = now.slice(()).ids
    assert now.fetch(numbers.tolist()) == twin.shown == afresh.fetch(range(afresh.row_count))
    assert now.row_ids(numbers) == twin.ids
    assert now.rows_by_id(twin.ids) == twin.shown
    assert in_any_order(now.query(f'SELECT * FROM "{now.name}"')) == in_any_order(twin.shown)
    assert now.profiles() == afresh.profiles()
    for name in CELLS:
        assert now.values(name) == afresh.values(name)
    for constraint in (*query.base, *query.constraints):
        predicate = now.bind(constraint)
        expected = [i for i, n in enumerate(numbers.tolist()) if n in now.rows(predicate)]
        assert expected == afresh.rows(afresh.bind(constraint)).ids.tolist()
        assert now.count([predicate]) == len(expected) == len(now.rows(predicate))
    expected_answer = RepairEngine(afresh, solver="brute").repair(query)
    for solver in ("bitset", "sql", "brute"):
        answer = RepairEngine(now, solver=solver).repair(query)
        assert answer.catalog_version == now.version
        assert (
            len(now.query(answer.sql)) == answer.count
            or answer.status == "UNKNOWN"
            or (not answer.items)
        )
        assert outline(answer, twin.ids) == outline(expected_answer, range(len(twin.rows)))


HISTORIES: dict[str, st.SearchStrategy[Any]] = {
    "rows": first_rows(),
    "taken": st.lists(steps, max_size=6),
    "query": queries,
    "warm": st.booleans(),
    "keyed": st.booleans(),
    "padded": st.booleans(),
}


@settings(max_examples=examples(50))
@given(**HISTORIES)
def test_a_catalog_written_to_is_its_twin(
    rows: list[dict[str, Any]],
    taken: list[Step],
    query: Query,
    warm: bool,
    keyed: bool,
    padded: bool,
) -> None:
    # A write that touches a small part is taken over by what is known of the rest.
    rows = [*padding(200), *rows] if padded else rows
    catalog = Catalog.open(table_of(rows), key="sku" if keyed else None)
    twin = LiveTwin(rows)
    held = [(catalog.snapshot(), list(twin.shown))]
    for step in taken:
        if warm:
            catalog.warm()
        before = catalog.version
        version = take(step, catalog, twin)
        assert version == catalog.version
        assert version in (before, before + 1)
        held.append((catalog.snapshot(), list(twin.shown)))
        # What is known before the next write is taken over.
        RepairEngine(catalog).repair(query)
        if warm:
            assert_same(catalog, twin, query)
    assert_same(catalog, twin, query)
    for snapshot, shown in held:
        assert snapshot.fetch(snapshot.slice(()).ids.tolist()) == shown
        assert len(snapshot.query(f'SELECT * FROM "{snapshot.name}"')) == len(shown)


@settings(max_examples=examples(50))
@given(first_rows(), st.lists(steps, max_size=8), queries)
def test_writes_that_nobody_read_in_between_are_all_there(
    rows: list[dict[str, Any]], taken: list[Step], query: Query
) -> None:
    catalog, twin = Catalog.open(table_of(rows)), LiveTwin(rows)
    catalog.warm()
    held = [(catalog.snapshot(), list(twin.shown))]
    for step in taken:
        take(step, catalog, twin)
        held.append((catalog.snapshot(), list(twin.shown)))
    # An earlier version first: what waits is put in when a version is read that has it.
    for snapshot, shown in held:
        found = snapshot.query(f'SELECT * FROM "{snapshot.name}"')
        assert in_any_order(found) == in_any_order(shown)
    assert_same(catalog, twin, query)
