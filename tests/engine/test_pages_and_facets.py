"""Pages of items, plain orders and facet counts, judged by SQL over the whole table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, QueryError, RepairEngine, UnknownColumn
from concede.catalogs.query.predicate import quoted
from concede.catalogs.versions.sorted_rows import SortKey
from concede.engine.bound_query import bind
from concede.engine.facets import MOST_VALUES, facet_counts, repaired_constraints
from concede.engine.ranking.near_ranking import NearRanker
from concede.engine.ranking.numpy_ranking import NumpyRanker
from concede.solvers.masks import mask_of
from random_problems import VALUES, problems, table
from shops import shop, wish

STORE = shop(5, 1_000).catalog
bound_queries = st.builds(
    lambda seed, width: bind(STORE, wish(seed, width, hard=0.2)),
    st.integers(0, 10_000),
    st.integers(1, 7),
)


@pytest.mark.parametrize("kind", [NearRanker, NumpyRanker])
@given(bound_queries, st.integers(1, 12), st.integers(0, 30))
def test_a_page_is_a_part_of_the_whole(kind, bound, top, skip):
    rows = kind(bound)
    for dropped in (frozenset[int](), frozenset(bound.soft)):
        count = rows.count_without(mask_of(dropped)).rows
        for rank in (rows.rank, rows.rank_near):
            whole = rank(dropped, count, top + skip)
            page = rank(dropped, count, top + skip, 0, skip)
            assert page.places.tolist() == whole.places.tolist()[skip:]
            assert page.scores.tolist() == whole.scores.tolist()[skip:]
            assert page.pareto.tolist() == whole.pareto.tolist()[skip:]
            assert np.array_equal(page.satisfaction, whole.satisfaction[:, skip:])


@given(problems(4), st.integers(1, 6), st.integers(0, 12), st.sampled_from([None, "score", "near"]))
def test_an_answer_from_an_offset_on_goes_on_where_the_one_before_ended(problem, top, offset, rank):
    engine = RepairEngine(table(problem.number)[0])
    whole = engine.repair(problem.query, top=top + offset, rank=rank)
    page = engine.repair(problem.query, top=top, offset=offset, rank=rank)
    if page.status == whole.status:
        assert page.items == whole.items[offset : offset + top]
        assert page.count == whole.count


def in_sql(catalog, constraints, tail):
    """Rows by their ids, of what constraints let in, read by DuckDB alone."""
    predicates = [catalog.bind(constraint) for constraint in constraints]
    where = " AND ".join(f"({each.text})" for each in predicates) or "TRUE"
    return (
        catalog.cursor()
        .execute(tail.format(rows=f"{catalog.rows_clause}", where=where, id=catalog.table.row_id))
        .fetchall()
    )


@given(
    problems(3),
    st.lists(st.tuples(st.sampled_from([*VALUES]), st.booleans()), min_size=1, max_size=3),
    st.integers(1, 6),
    st.integers(0, 6),
)
def test_a_plain_order_is_that_of_sql(problem, keys, top, offset):
    catalog = table(problem.number)[0].snapshot()
    sort = [SortKey(name, descending) for name, descending in keys]
    answer = RepairEngine(catalog).repair(problem.query, top=top, offset=offset, sort=sort)
    if not answer.items and not answer.count:
        return
    order = ", ".join(f"{quoted(n)} {'DESC' if d else 'ASC'} NULLS LAST" for n, d in keys)
    tail = f"SELECT {{id}} FROM {{rows}} WHERE {{where}} ORDER BY {order}, {{id}} "
    told = in_sql(catalog, repaired_constraints(answer), tail + f"LIMIT {top} OFFSET {offset}")
    assert [item.row_id for item in answer.items] == [row[0] for row in told]
    assert answer.rank == "sort"
    alike = RepairEngine(catalog).repair(problem.query, top=100, rank="score")
    scores = {item.row_id: (item.score, item.misses) for item in alike.items}
    if answer.repairs[:1] == alike.repairs[:1] and answer.count <= 100:
        assert all(scores[item.row_id] == (item.score, item.misses) for item in answer.items)


@given(problems(3), st.lists(st.sampled_from([*VALUES]), min_size=1, unique=True), st.booleans())
def test_facets_are_those_of_sql(problem, columns, warm):
    """Counted in memory and by DuckDB alike; NULL is no value."""
    catalog = table(problem.number)[0].snapshot()
    if warm:
        catalog.warm(columns)
    constraints = [*problem.query.base, *problem.query.constraints][:2]
    found = facet_counts(catalog, constraints, columns)
    for name in columns:
        is_list = catalog.schema.find(name).family == "list"
        value = f"unnest(list_distinct({quoted(name)}))" if is_list else quoted(name)
        tail = f"SELECT v, count(*) FROM (SELECT {value} AS v FROM {{rows}} WHERE {{where}}) " \
               "WHERE v IS NOT NULL GROUP BY v"  # fmt: skip
        told = {plain_key(value): count for value, count in in_sql(catalog, constraints, tail)}
        assert {plain_key(value): count for value, count in found[name]} == told
        counts = [count for _, count in found[name]]
        assert counts == sorted(counts, reverse=True)


def plain_key(value):
    return value.isoformat() if hasattr(value, "isoformat") else value


def test_facets_of_a_page_are_of_all_that_matches_and_at_most_a_hundred():
    catalog = Catalog.open("sample:cars").snapshot()
    recent = Constraint(column="Year", op=">=", value=2010)
    found = facet_counts(catalog, [recent], ["MSRP", "Make"])
    assert len(found["MSRP"]) == MOST_VALUES
    assert sum(count for _, count in found["Make"]) == catalog.count([catalog.bind(recent)])
    assert facet_counts(catalog, [], ["Make"])["Make"][0][0] == "Ford"
    with pytest.raises(UnknownColumn):
        facet_counts(catalog, [], ["Maker"])


def test_how_an_order_is_written():
    schema = Catalog.open("sample:cars").schema
    assert SortKey.parsed("MSRP", schema) == SortKey("MSRP")
    assert SortKey.parsed("-msrp", schema) == SortKey("MSRP", True)
    assert SortKey.parsed("city mpg", schema) == SortKey("city mpg")
    assert SortKey.parsed("city mpg DESC", schema) == SortKey("city mpg", True)
    for bad in ("", "-", "prise asc", " desc", "--MSRP", "distance_km(1, 2)"):
        with pytest.raises(QueryError):
            SortKey.parsed(bad, schema)
    engine = RepairEngine(Catalog.open("sample:cars"))
    query = Query(constraints=[Constraint(column="Year", op=">=", value=2010)])
    for wrong in ({"offset": 1_001}, {"offset": -1}, {"sort": [SortKey("MSRP")] * 17}):
        with pytest.raises(QueryError):
            engine.repair(query, **wrong)
