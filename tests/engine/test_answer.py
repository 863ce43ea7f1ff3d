"""The answer as a whole: statuses, certificates, near misses, JSON, limits."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from concede import Answer, Catalog, Constraint, Query, QueryError, RepairEngine, Status
from concede.engine import repair_engine
from shops import met, number, shop, wish

SHOPS = {size: shop(3, size) for size in (1, 20, 60)}


@given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(1, 7))
def test_certificates_prove_repairs_minimal_and_cheapest(size, seed, count):
    answer = RepairEngine(SHOPS[size].catalog).repair(wish(seed, count), top=3)
    for repair in answer.repairs:
        dropped = set(repair.dropped)
        assert repair.minimal
        for position, conflict in zip(repair.dropped, repair.must_hit, strict=True):
            assert dropped.intersection(conflict) == {position}
            assert frozenset(conflict) in answer.conflicts
    if answer.repairs:
        hitting = _hitting_sets(answer.conflicts, count)
        least = min(sum(answer.constraints[i].importance for i in entry) for entry in hitting)
        assert answer.repairs[0].cost == pytest.approx(least)


def _hitting_sets(conflicts, count):
    every = (set(c) for n in range(count + 1) for c in combinations(range(count), n))
    return [subset for subset in every if all(subset & conflict for conflict in conflicts)]


@given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(1, 5))
def test_near_misses_have_the_least_violation(size, seed, count):
    store, query = SHOPS[size], wish(seed, count, hard=0.15)
    answer = RepairEngine(store.catalog).repair(query, top=4)
    base = [row for row in store.rows if all(met(row, constraint) for constraint in query.base)]
    if any(all(met(row, constraint) for constraint in query.constraints) for row in base):
        assert answer.near_misses == ()
        return
    held = [one for i, one in enumerate(query.constraints) if i in query.hard_positions]
    allowed = [row for row in base if all(met(row, entry) for entry in held)]
    least = sorted(_violation(row, query, base) for row in allowed)[:4]
    assert [near.violation for near in answer.near_misses] == pytest.approx(least)
    for near in answer.near_misses:
        missed = [i for i, one in enumerate(query.constraints) if not met(near.row, one)]
        assert [violation.position for violation in near.violates] == missed


def _violation(row, query, base) -> float:
    return sum(
        constraint.importance * _distance(row, constraint, base)
        for constraint in query.constraints
        if not met(row, constraint)
    )


def _distance(row, constraint, base) -> float:
    column, value = str(constraint.column), constraint.value
    if column in ("brand", "fanless") or constraint.op == "!=" or row[column] is None:
        return 1.0
    ends = value if isinstance(value, tuple) else (value,)
    low, high = number(ends[0]), number(ends[-1])
    known = [number(constraint[column]) for constraint in base if constraint[column] is not None]
    spread = [*known, low, high]
    gap = max(low - number(row[column]), number(row[column]) - high, 0.0)
    return max(gap / ((max(spread) - min(spread)) or 1.0), 1e-9)


def engine() -> RepairEngine:
    """Return an engine over three rows."""
    return RepairEngine(Catalog.open(pa.table({"a": [1, 2, 3], "b": ["x", "y", "z"]})))


def test_statuses_and_exit_codes():
    ask = lambda *ones: engine().repair(Query(constraints=list(ones)))  # noqa: E731
    low = Constraint(column="a", op="<=", value=1)
    other = Constraint(column="b", op="==", value="z")
    assert ask(low).status is Status.SAT_NO_RELAXATION
    assert ask(low, other).status is Status.SAT_AFTER_RELAXATION
    hard = [Constraint.model_validate(entry.record() | {"hard": True}) for entry in (low, other)]
    refused = ask(*hard)
    assert refused.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    assert (refused.exit_code, refused.items, refused.repairs) == (1, (), ())
    assert refused.conflicts == (frozenset({0, 1}),)
    assert "hard" in refused.explanation
    assert len(refused.hard) == 2


def test_no_constraints_and_empty_tables():
    assert engine().repair(Query()).count == 3
    nothing = RepairEngine(Catalog.open(pa.table({"a": pa.array([], pa.int64())})))
    answer = nothing.repair(Query(constraints=[Constraint(column="a", op="==", value=1)]))
    assert answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    assert answer.conflicts == (frozenset(),)
    assert "no rows" in answer.explanation


def test_an_empty_base_slice_names_its_conflict():
    query = Query(base={"a": 1, "b": "z"}, constraints=[Constraint(column="a", op="<", value=9)])
    answer = engine().repair(query)
    assert answer.base_conflicts == (frozenset({0, 1}),)
    assert "a = 1 and b = z" in answer.explanation
    assert answer.exit_code == 1


def test_json_holds_the_agreed_keys_and_is_the_same_every_time():
    query = Query(
        constraints=[
            Constraint(column="a", op="<=", value=1, weight=0.25),
            Constraint(column="b", op="==", value="z", weight=0.5),
        ]
    )
    answer = engine().repair(query)
    record = json.loads(answer.to_json())
    assert set(record) >= {
        *("status", "conflicts", "repairs", "relaxed", "kept", "hard", "items", "sql"),
        *("explanation", "complete", "proven_minimal", "stopped_by", "catalog_version"),
        "elapsed_ms",
    }
    assert record["relaxed"] == [{"column": "a", "op": "<=", "value": 1, "weight": 0.25}]
    assert record["conflicts"] == [[0, 1]]
    assert record["repairs"][0]["changes"][0]["from"]["column"] == "a"
    assert answer.to_json() == engine().repair(query).to_json()
    assert answer.elapsed_ms is not None
    assert json.loads(answer.to_json(timing=True))["elapsed_ms"] == answer.elapsed_ms


def test_an_answer_loads_from_its_own_json():
    query = Query(constraints=[Constraint(column="a", op=">", value=7)])
    answer = engine().repair(query)
    again = Answer.model_validate_json(answer.to_json())
    assert again.to_json() == answer.to_json()


def test_a_deadline_of_nothing_is_unknown():
    for solver in ("bitset", "sql", "z3", "brute"):
        query = Query(constraints=[Constraint(column="a", op="==", value=1)])
        answer = engine().repair(query, deadline=0.0, solver=solver)
        assert answer.status is Status.UNKNOWN
        assert (answer.complete, answer.stopped_by, answer.exit_code) == (False, "deadline", 4)
        assert not answer.proven_minimal


def test_a_check_is_no_truth_value():
    found = engine().check(Query(constraints=[Constraint(column="a", op="==", value=1)]))
    assert (found.verdict, found.count) == ("SAT", 1)
    with pytest.raises(TypeError, match=r"\.verdict"):
        bool(found)


def test_diverse_repairs_share_less():
    rows = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [1, 0, 0, 1], "d": [1, 1, 1, 0]}
    query = Query(
        constraints=[
            Constraint(column=name, op="==", value=1, weight=weight)
            for name, weight in {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.9}.items()
        ]
    )
    over = RepairEngine(Catalog.open(pa.table(rows)))
    cheap = over.repair(query, top=2).repairs
    diverse = over.repair(query, top=2, order="diverse").repairs
    assert [entry.dropped for entry in cheap] == [(0, 1), (0, 2)]
    assert [entry.dropped for entry in diverse] == [(0, 1), (3,)]
    with pytest.raises(QueryError, match="diverse"):
        over.repair(query, order="random")


def test_top_must_be_positive():
    with pytest.raises(QueryError, match="at least 1"):
        engine().repair(Query(), top=0)


def test_impossible_requests_are_refused():
    catalog = engine().catalog
    with pytest.raises(QueryError, match="deadline is -1"):
        engine().repair(Query(), deadline=-1)
    with pytest.raises(QueryError, match="limit is 0"):
        engine().diagnose(Query(), limit=0)
    with pytest.raises(QueryError, match="solvers: bitset"):
        RepairEngine(catalog, solver="nope")


def test_a_constraint_given_twice_is_named_once():
    twice = Query(constraints=[Constraint(column="a", op="<", value=0)] * 2)
    answer = engine().repair(twice)
    assert answer.conflicts == (frozenset({0}), frozenset({1}))
    assert answer.explanation.count("No row meets a < 0.") == 1


def answered(**options) -> Answer:
    return RepairEngine(SHOPS[60].catalog).repair(wish(3, 5), **options)


def test_an_answer_is_the_same_copied_pickled_and_compared():
    whole = answered().to_json()
    assert copy.copy(answered()).to_json() == whole
    assert copy.deepcopy(answered()).to_json() == whole
    assert pickle.loads(pickle.dumps(answered())).to_json() == whole
    assert TypeAdapter(Answer).dump_json(
        answered(), exclude={"elapsed_ms"}
    ) == answered().model_dump_json(exclude={"elapsed_ms"}).encode("utf-8")
    assert answered().model_copy(update={"elapsed_ms": None}).to_json() == whole
    assert "near_misses=" in repr(answered())
    assert answered() != answered(top=1)
    assert dict(answered()).keys() == Answer.model_fields.keys()
    one, other = (
        answer.model_copy(update={"elapsed_ms": None}) for answer in (answered(), answered())
    )
    assert one == other


def test_a_field_that_no_answer_has_is_an_attribute_error():
    with pytest.raises(AttributeError):
        answered().nothing  # noqa: B018


def test_the_schema_names_every_field():
    fields = set(Answer.model_json_schema(mode="serialization")["properties"])
    assert fields == set(json.loads(answered().to_json()))


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_many_answers_are_those_given_one_by_one(threads):
    engine = RepairEngine(SHOPS[60].catalog)
    queries = [wish(seed, 1 + seed % 6) for seed in range(30)]
    many = engine.repair_many(queries, threads=threads, top=3, policy="fewest")
    expected = [engine.repair(query, top=3, policy="fewest").to_json() for query in queries]
    assert [answer.to_json() for answer in many] == expected


@pytest.mark.parametrize(
    ("threads", "rows", "used"), [(None, 10**9, []), (None, 0, [7]), (2, 10**9, [2])]
)
def test_many_are_shared_by_threads_where_kernels_take_the_time(monkeypatch, threads, rows, used):
    asked: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, count: int) -> None:
            asked.append(count)
            super().__init__(count)

    monkeypatch.setattr(repair_engine, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(repair_engine, "available_threads", lambda: 7)
    monkeypatch.setattr(repair_engine, "PARALLEL_ROWS", rows)
    assert len(RepairEngine(SHOPS[60].catalog).repair_many([wish(1, 2)], threads=threads)) == 1
    assert asked == used


def test_many_needs_a_thread():
    with pytest.raises(QueryError, match="threads is 0"):
        RepairEngine(SHOPS[60].catalog).repair_many([], threads=0)


def test_threads_may_read_one_answer_at_once():
    engine = RepairEngine(SHOPS[60].catalog)
    with ThreadPoolExecutor(8) as pool:
        for seed in range(20):
            answer = engine.repair(wish(seed, 5))
            texts = set(pool.map(lambda _, one=answer: one.to_json(), range(8)))
            assert len(texts) == 1
