"""Long lists of numbers, read a few rows at a time from a table that is not in memory yet."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import NEVER, DeadlinePassed
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.predicate import Predicate, SlotList, ValueTest, is_comparison
from concede.catalogs.versions.predicate_evaluation import LONG
from example_counts import examples

ROWS = 3_000
NUMBERS = [None, 0.0, -0.0, 0.5, 1.5, 2.0, 2.0**53, -7.25, 100.0]
ODD = [*NUMBERS, nan, inf, -inf]


def opened(doubles: list[float | None]) -> Catalog:
    dice = np.random.default_rng(1)
    picked = [doubles[at] for at in dice.integers(0, len(doubles), ROWS)]
    table = pa.table(
        {
            "sku": range(ROWS),
            "x": pa.array(picked, pa.float64()),
            "n": pa.array(dice.integers(-3, 9, ROWS), pa.int32(), mask=dice.random(ROWS) < 0.1),
        }
    )
    return Catalog.open(table, key="sku")


@settings(max_examples=examples(40), deadline=None)
@given(
    doubles=st.sampled_from([NUMBERS, ODD]),
    column=st.sampled_from(["x", "n"]),
    op=st.sampled_from(["in", "not in"]),
    nulls=st.sampled_from([None, "match"]),
    some=st.lists(st.sampled_from([0.0, 0.5, 1.5, 2.0, 2.0**53, -7.25, 3.0]), max_size=4),
    deleted=st.sampled_from([[], [0, 70, ROWS - 1]]),
)
def test_pieces_hold_the_rows_that_duckdb_finds(
    doubles: list[float | None],
    column: str,
    op: str,
    nulls: str | None,
    some: list[float],
    deleted: list[int],
) -> None:
    far = [1e6 + at for at in range(LONG + 20)]
    wish = Constraint.model_validate(
        {"column": column, "op": op, "value": [*some, *far], **({"nulls": nulls} if nulls else {})}
    )
    with opened(doubles) as catalog:
        if deleted:
            catalog.delete(deleted)
        snapshot = catalog.snapshot()
        readings = [
            snapshot.piecewise([catalog.bind(wish)], in_duckdb=in_duckdb)
            for in_duckdb in (False, True)
        ]
        for reading in readings:
            assert reading.asked == [0]
            words = reading.words.shape[1]
            reading.read(0, words // 2, NEVER)
            reading.read(words // 2, words, NEVER)
        assert np.array_equal(readings[0].words, readings[1].words)


@pytest.mark.parametrize(("op", "nulls"), [("in", None), ("not in", None), ("not in", "match")])
def test_a_row_is_looked_for_by_one_list(op: str, nulls: str | None) -> None:
    with opened(NUMBERS) as catalog:
        for some in ((), (1.5,), (0.0, 0.5, 1.5, 2.0, 2.0**53, -7.25, 100.0)):
            values = (*some, *(1e6 + at for at in range(LONG + 1)))
            wish = Constraint.model_validate(
                {"column": "x", "op": op, "value": values, **({"nulls": nulls} if nulls else {})}
            )
            predicate = catalog.bind(wish)
            assert "unnest(?)" in predicate.fewest_marks[0]
            met = catalog.snapshot().evaluator.rows_in_duckdb(predicate).ids.tolist()
            found = catalog.snapshot().piecewise([predicate]).find(0, NEVER)
            assert found in met if met else found is None


@pytest.mark.parametrize("values", [[True, 2.0], [2**53 + 1, 2.5]])
def test_a_row_is_not_looked_for_by_a_plan_that_takes_longer_than_there_is_time(
    values: list[float],
) -> None:
    with opened(NUMBERS) as catalog:
        odd = (*values, *(1e6 + at for at in range(LONG)))
        predicate = Predicate(('"x" IN (', SlotList(odd), ")"), ("x",), test=ValueTest("in", odd))
        assert not is_comparison(predicate)
        with pytest.raises(DeadlinePassed):
            catalog.snapshot().piecewise([predicate]).find(0, NEVER)
