"""Search requests relaxed, judged by an evaluator of their clauses that is slow and obvious."""

import copy

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, Query, QueryError, RepairEngine, Status
from concede.interfaces.search_engines import relax_elasticsearch
from concede.interfaces.search_engines.elasticsearch import _Reader, clause_of

ROWS = [
    {"id": n, "colour": (None, "red", "green", "blue")[n % 4],
     "price": None if n % 7 == 3 else n * 10, "new": n % 3 == 0}
    for n in range(24)
]  # fmt: skip
COMPARED = {
    "gt": lambda a, b: a > b,
    "gte": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "lte": lambda a, b: a <= b,
}


@pytest.fixture(scope="module")
def engine():
    return RepairEngine(Catalog.open(pa.Table.from_pylist(ROWS)))


def matches(clause, row) -> bool:
    """Say whether a row matches a clause, as the documentation of `bool` has it."""
    ((kind, body),) = clause.items()
    if kind == "match_all":
        return True
    if kind == "constant_score":
        return matches(body["filter"], row)
    if kind == "exists":
        return row[body["field"]] is not None
    if kind == "bool":
        must = [*listed(body, "must"), *listed(body, "filter")]
        should = listed(body, "should")
        least = body.get("minimum_should_match", 1 if should and not must else 0)
        return (
            all(matches(each, row) for each in must)
            and not any(matches(each, row) for each in listed(body, "must_not"))
            and sum(matches(each, row) for each in should) >= least
        )
    ((field, value),) = body.items()
    if row[field] is None:
        return False
    if kind == "range":
        return all(COMPARED[key](row[field], bound) for key, bound in value.items())
    return row[field] in (value if kind == "terms" else [value])


def listed(body, name):
    given = body.get(name, [])
    return given if isinstance(given, list) else [given]


colours = st.sampled_from(["red", "green", "blue", "black"])
prices = st.integers(-5, 300)
leaves = st.one_of(
    colours.map(lambda c: {"term": {"colour": c}}),
    st.lists(colours, min_size=1, max_size=3).map(lambda c: {"terms": {"colour": c}}),
    st.booleans().map(lambda b: {"term": {"new": b}}),
    st.sampled_from(["colour", "price"]).map(lambda f: {"exists": {"field": f}}),
    st.dictionaries(st.sampled_from([*COMPARED]), prices, min_size=1, max_size=2).map(
        lambda b: {"range": {"price": b}}
    ),
)


def bools(inner):
    some = st.lists(inner, min_size=1, max_size=2)
    parts = st.fixed_dictionaries(
        {}, optional={"must": some, "filter": some | inner, "must_not": some, "should": some}
    )
    least = st.sampled_from([None, 0, 1])
    return st.builds(
        lambda body, n: {
            "bool": body if n is None or "should" not in body
            else body | {"minimum_should_match": n}
        },
        parts,
        least,
    )  # fmt: skip


clauses = st.recursive(leaves, bools, max_leaves=5)


@given(clauses, st.sampled_from(["least-weight", "closest"]))
@settings(max_examples=60, deadline=None)
def test_what_is_read_and_written_matches_what_the_clauses_do(engine, clause, policy):
    before = copy.deepcopy(clause)
    expected = sum(matches(clause, row) for row in ROWS)
    try:
        found = relax_elasticsearch({"query": clause, "size": 3}, engine, policy=policy)
    except QueryError:
        # Nothing of it asks for anything.
        assert expected == len(ROWS)
        return
    assert found.unsupported == ()
    assert clause == before
    assert found.query["size"] == 3
    assert (found.answer.status == Status.SAT_NO_RELAXATION) == (expected > 0)
    assert found.answer.count == sum(matches(found.query["query"], row) for row in ROWS)
    if expected:
        assert found.query["query"] == clause


@given(leaves)
@settings(max_examples=40, deadline=None)
def test_clauses_come_back_from_constraints(engine, clause):
    reader = _Reader(engine, {}, keywords=())
    rebuild = reader.read(clause, "")
    assert rebuild({}) == clause or "range" in clause
    moved = dict(enumerate(reader.constraints))
    assert rebuild(moved) == clause
    if len(moved) == 1:
        field = next(iter(clause.values())).get("field") or next(iter(next(iter(clause.values()))))
        assert clause_of(field, moved[0]) == clause


def test_the_rest_stays_and_what_is_not_understood_is_named(engine):
    scored = {"match": {"title": "lamp"}}
    query = {
        "query": {
            "bool": {
                "must": [scored],
                "filter": [
                    {"term": {"colour.keyword": {"value": "red", "boost": 2}}},
                    {"range": {"price": {"gte": 1_000, "lte": 2_000, "boost": 1}}},
                    {"geo_distance": {"distance": "5km"}},
                ],
                "boost": 2,
            }
        },
        "aggs": {"a": {}},
        "from": 10,
    }
    found = relax_elasticsearch(query, engine, policy="closest", hard=["colour"])
    inside = found.query["query"]["bool"]
    assert inside["must"] == [scored]
    assert inside["boost"] == 2
    assert inside["filter"] == [
        query["query"]["bool"]["filter"][0],
        {"range": {"price": {"gte": 210, "lte": 2_000, "boost": 1}}},
        {"geo_distance": {"distance": "5km"}},
    ]
    assert {**found.query, "query": 0} == {**query, "query": 0}
    assert [each.place for each in found.unsupported] == [
        "query.bool.must[0]",
        "query.bool.filter[2]",
    ]
    assert found.changes


@pytest.mark.parametrize(
    "clause",
    [
        {"term": {"nothing": 1}},
        {"term": {"price": "cheap"}},
        {"term": {"colour": {"value": "red", "case_insensitive": True}}},
        {"terms": {"colour": {"index": "x"}}},
        {"terms": {"colour": []}},
        {"range": {"price": {"gte": 1, "format": "x"}}},
        {"range": {"price": 3}},
        {"match": {"colour": "red"}},
        {"wildcard": {"colour": "r*"}},
        {"term": {"colour": "red"}, "exists": {"field": "price"}},
        {"bool": 3},
        {"bool": {"should": [{"term": {"colour": "red"}}], "minimum_should_match": "75%"}},
        {},
        7,
    ],
)
def test_what_is_not_understood_is_kept(engine, clause):
    query = {"bool": {"filter": [clause, {"range": {"price": {"gt": 1_000}}}]}}
    found = relax_elasticsearch(query, engine)
    assert found.query == {"bool": {"filter": [clause]}}
    assert [each.place for each in found.unsupported] == [".bool.filter[0]"] or clause == {
        "bool": 3
    }
    with pytest.raises(QueryError, match="no filter to relax"):
        relax_elasticsearch({"query": clause}, engine)


def test_a_match_on_a_keyword_is_an_equality(engine):
    query = {"match": {"colour": {"query": "black"}}}
    assert relax_elasticsearch(query, engine, keywords=["colour"]).query == {"match_all": {}}
    fields = {"hue": "colour"}
    found = relax_elasticsearch({"term": {"hue": "red"}}, engine, fields=fields)
    assert found.answer.count == 6


def test_queries_of_constraints_are_the_same_questions(engine):
    query = {"bool": {"filter": [{"term": {"colour": "red"}}, {"range": {"price": {"gt": 500}}}]}}
    constraints = [
        {"column": "colour", "op": "==", "value": "red"},
        {"column": "price", "op": ">", "value": 500},
    ]
    answer = engine.repair(Query(constraints=constraints))
    assert relax_elasticsearch(query, engine).answer.to_json() == answer.to_json()
