"""Fronts, probes and counts over many candidates: what NumPy finds by measuring every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query
from concede.engine.bound_query import BoundQuery, bind
from concede.engine.ranking import distance_kernels, front_kernels, front_ranking
from concede.engine.ranking.interface import RowProbe, Shift
from concede.engine.ranking.joined_pieces import as_groups
from concede.engine.ranking.near_ranking import NearRanker
from concede.engine.ranking.numpy_ranking import NumpyRanker
from concede.solvers.limits import Budget
from concede.solvers.masks import mask_of

ROWS = 70_000
"""More than a small slice has: its columns are indexed."""

BOUNDS = {
    "price": ("<=", (0.0, 1.0, 3.0, 20.0), 0.9),
    "stars": (">=", (5.0, 4.9, 6.0), 0.6),
    "size": ("<=", (-1.0, 0.0005, 0.4), 0.5),
    "year": (">=", (2025, 2026, 2030), 0.3),
    "shelf": ("<", (0, 1, 3), 0.2),
}
"""By column how it is bounded: by values that none, few or many rows meet."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    dice = np.random.default_rng(3)
    columns = {
        "price": dice.lognormal(3, 1, ROWS).round(1),
        "stars": dice.integers(0, 51, ROWS) / 10,
        "size": dice.random(ROWS),
        "year": dice.integers(1990, 2026, ROWS),
        "shelf": dice.integers(0, 200, ROWS),
    }
    missing = {name: dice.random(ROWS) < 0.05 for name in columns}
    table = {name: pa.array(values, mask=missing[name]) for name, values in columns.items()}
    made = Catalog.open(pa.table(table | {"kind": dice.choice(["a", "b", "c"], ROWS)}))
    made.warm()
    return made


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Return two to five bounds, some rows left by a text or none."""
    columns = draw(st.lists(st.sampled_from(sorted(BOUNDS)), min_size=2, max_size=5, unique=True))
    constraints: list[Constraint] = []
    for column in columns:
        op, values, weight = BOUNDS[column]
        weight = draw(st.sampled_from([weight, 0.5]))
        value, nulls = draw(st.sampled_from(values)), draw(st.sampled_from(["reject", "match"]))
        constraint = {"column": column, "op": op, "value": value, "nulls": nulls}
        constraints.append(Constraint.model_validate(constraint | {"weight": weight}))
    if draw(st.booleans()):
        constraints.append(Constraint(column="kind", op="==", value="b", weight=0.4))
    return Query(constraints=tuple(constraints))


def probes_of(bound: BoundQuery) -> list[RowProbe]:
    """Return a probe for each bound alone and for all together."""
    probes = [RowProbe(frozenset([position]), (position,)) for position in bound.movable]
    return [*probes, RowProbe(frozenset(bound.movable), bound.movable)]


def shifts_to(rows: NearRanker | NumpyRanker, places: list[int]) -> list[Shift]:
    """Return the bounds moved to some rows, and once more with all others dropped."""
    shifts: list[Shift] = []
    for place in places:
        distances = rows.distances(np.array([place]))[:, 0].tolist()
        moved = tuple([(at, distances[at]) for at in rows.bound.movable if distances[at]])
        others = frozenset(range(rows.bound.width)) - {at for at, _ in moved}
        shifts += [Shift.of(moved, frozenset(), 10.0, place), Shift.of(moved, others, 10.0, place)]
    return shifts


# 0 reads longer and longer radii, as far as there are any; 10⁹ whatever is left after the first.
@pytest.mark.parametrize(("fewer", "most"), [(4, 65_536), (0, 65_536), (0, 100), (10**9, 65_536)])
@pytest.mark.parametrize("threads", [1, 2])
def test_kernels_find_what_measuring_every_row_finds(catalog, monkeypatch, fewer, most, threads):
    monkeypatch.setattr(front_ranking, "FEWER", fewer)
    monkeypatch.setattr(front_ranking, "FEW_LEFT", most)

    @settings(max_examples=12)
    @given(queries(), st.integers(1, 12))
    def check(query: Query, top: int) -> None:
        bound = bind(catalog, query)
        kernels, slow = NearRanker(bound, Budget(None, threads=threads)), NumpyRanker(bound)
        assert kernels.probe(probes_of(bound)) == slow.probe(probes_of(bound))
        if slow.count_without(0).rows:
            # No bound needs to move, and nobody asks for a front.
            return
        front = kernels.front(bound.movable, top).tolist()
        assert front == slow.front(bound.movable, top).tolist()
        shifts = shifts_to(slow, front[:3])
        assert kernels.count_shifted(shifts) == slow.count_shifted(shifts)
        everything = mask_of(range(bound.width))
        assert kernels.count_without(everything) == slow.count_without(everything)

    check()


def test_few_rows_are_measured_where_all_are_candidates(catalog, monkeypatch):
    measured = 0

    def counted(kernel: Callable[..., Any]) -> Callable[..., Any]:
        def called(rows: np.ndarray, *others: Any) -> Any:
            nonlocal measured
            measured += len(rows)
            return kernel(rows, *others)

        return called

    for module, name in (
        (front_kernels, "keep_undominated"),
        (distance_kernels, "keep_near"),
        (distance_kernels, "write_distances"),
    ):
        monkeypatch.setattr(module, name, counted(getattr(module, name)))
    wishes = [("price", "<=", 0.0), ("stars", ">=", 6.0)]
    constraints = [
        Constraint(column=column, op=op, value=value, weight=0.5) for column, op, value in wishes
    ]
    bound = bind(catalog, Query(constraints=tuple(constraints)))
    rows = NearRanker(bound)
    rows.probe(probes_of(bound))
    # The front has fewer points than asked for, so no violation is far enough.
    front = rows.front(bound.movable, 50)
    assert 0 < len(front) < 50
    assert measured < ROWS / 4


def test_rows_as_far_as_the_one_known_are_not_left():
    dice = np.random.default_rng(5)
    years, prices = dice.integers(2000, 2010, ROWS), dice.random(ROWS)
    years[7], prices[7] = 2005, 0.0
    catalog = Catalog.open(pa.table({"year": years, "price": prices}))
    catalog.warm()
    bound = bind(
        catalog,
        Query(
            constraints=(
                Constraint(column="year", op=">=", value=2050, weight=0.5),
                Constraint(column="price", op="<=", value=0.0, weight=0.5),
            )
        ),
    )
    ranker = NearRanker(bound)
    ranker.probe(probes_of(bound))
    groups = as_groups(ranker._nearer_than(np.array([7])))
    left = ranker._rows_between(0, len(bound.base.words), 0, groups)
    assert left.tolist() == np.flatnonzero(years > 2005).tolist()


def test_a_point_is_kept_beside_its_equals_alone():
    rows = np.arange(3, dtype=np.uint32)
    bound = bind(
        Catalog.open(pa.table({"x": [2.0, 2.0, 3.0], "y": [5.0, 5.0, 5.0]})),
        Query(
            constraints=(
                Constraint(column="x", op="<=", value=1, weight=0.5),
                Constraint(column="y", op="<=", value=1, weight=0.5),
            )
        ),
    )
    ranker = NearRanker(bound)
    point = ranker.distances(np.array([0], dtype=np.intp)).T
    places, distances = ranker._undominated_among(rows, 0b11, point)
    assert places.tolist() == [0, 1]
    assert np.array_equal(distances.T, np.concatenate([point, point]))
