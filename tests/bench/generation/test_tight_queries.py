"""Hits run as queries against the published cars, and the published hits are found."""

from __future__ import annotations

import pytest

from concede import Catalog, RepairEngine
from concede.bench.generation.records import tight_queries
from concede.bench.generation.slices import base_slices, build_slice, slice_with
from concede.bench.instances import read_instances
from concede.bench.throughput.rivals.python_int_search import integers, python_int_search
from concede.solvers.enumeration.candidates import Hits
from concede.solvers.enumeration.search import SIZES, search
from concede.solvers.limits import Verdict

EVERYTHING = sorted(SIZES)
SAMPLED = range(0, 95, 12)
"""Every twelfth of the 95 slices."""


@pytest.fixture(scope="module")
def cars(shared_data):
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


@pytest.fixture(scope="module")
def parts(cars):
    """Sampled slices with every value as a bound: the widest search there is."""
    bases = base_slices(cars)
    return [build_slice(cars, bases[i], strictness="every value", support=1) for i in SAMPLED]


def found(part, sought, **arguments):
    return Hits.joined(search(part.candidates, sought, **arguments), SIZES[sought])


@pytest.mark.slow
@pytest.mark.parametrize("sought", EVERYTHING)
def test_the_published_search_finds_the_same(sought, parts):
    hits = 0
    for part in parts[:4]:
        bits, columns = integers(part.candidates), part.candidates.columns.tolist()
        expected = list(python_int_search(bits, columns, sought))
        assert [tuple(m) for m in found(part, sought).members.tolist()] == expected
        hits += len(expected)
    assert hits


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_minimal_conflict_is_the_one_conflict_of_its_query(size, cars, parts):
    engine, sought = RepairEngine(cars), f"MUS-{size}"
    run = 0
    for part in parts:
        hits = found(part, sought, order="random", seed=5, limit=4)
        for tight_query in tight_queries(part, hits, sought):
            diagnosis = engine.diagnose(tight_query.query)
            assert diagnosis.verdict is Verdict.UNSAT
            assert [sorted(c) for c in diagnosis.conflicts] == [list(range(size))]
            assert counts_of(cars, tight_query.query) == list(tight_query.drop_counts)
            assert all(tight_query.drop_counts)
            assert tight_query.tightness == sum(tight_query.drop_counts)
            assert tight_query.unique_repair is None
            run += 1
    assert run >= 10


def test_a_unique_repair_quad_has_one_single_repair_and_smaller_conflicts(cars, parts):
    engine = RepairEngine(cars)
    run = 0
    for part in parts:
        hits = found(part, "unique-repair", order="random", seed=5, limit=4)
        for tight_query in tight_queries(part, hits, "unique-repair"):
            diagnosis = engine.diagnose(tight_query.query)
            assert diagnosis.verdict is Verdict.UNSAT
            single = [sorted(repair) for repair in diagnosis.repairs if len(repair) == 1]
            assert single == [[tight_query.unique_repair]]
            assert all(len(conflict) < 4 for conflict in diagnosis.conflicts)
            assert counts_of(cars, tight_query.query) == list(tight_query.drop_counts)
            run += 1
    assert run >= 10


def counts_of(cars, query):
    """Drop-one counts as DuckDB counts them."""
    constraints = list(query.constraints)
    without = [constraints[:j] + constraints[j + 1 :] for j in range(len(constraints))]
    return [cars.count([cars.bind(c) for c in (*query.base, *kept)]) for kept in without]


@pytest.mark.parametrize(
    ("name", "sought"), [("MUS-4_unique.json", "unique-repair"), ("MUS-2_any.json", "MUS-2")]
)
def test_published_hits_are_among_those_found(name, sought, cars, shared_data):
    for read_instance in read_instances(shared_data / "aware_us" / name):
        query = read_instance.query(cars)
        part = build_slice(cars, query.base)
        known = [(c.column, c.op, c.value) for c in part.constraints]
        members = {known.index((c.column, c.op, c.value)) for c in query.constraints}
        assert members in [set(m) for m in found(part, sought).members.tolist()]


def test_published_minimal_conflicts_of_four_have_the_published_counts(cars, shared_data):
    for read_instance in read_instances(shared_data / "aware_us" / "MUS-4_any.json"):
        query = read_instance.query(cars)
        part = slice_with(cars, query.base, query.constraints)
        (hit,) = tight_queries(part, found(part, "MUS-4"), "MUS-4")
        meta = read_instance.record["meta"]
        assert len(part.rows) == meta["U_size"]
        assert list(hit.drop_counts) == meta["drop_counts"]
        assert hit.tightness == meta["tight_score"]
