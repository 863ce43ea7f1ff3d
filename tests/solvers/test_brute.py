"""The meaning of constraints, spelled out in Python, is the one DuckDB has."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.solvers.brute import BruteSolver, row_test
from concede.solvers.limits import Budget
from histograms import histogram_of, random_masks

# Letters whose case is not one to one: long s, dotted and dotless i, final sigma, Kelvin.
LETTERS = ["\u017f", "\u0130", "\u0131", "\u03c3", "\u03c2", "\u212a"]
TEXTS = ["", "s", "i", "k", "ß", "ẞ", "SS", "ΟΔΟΣ", "οδος", "a\nb", "a%b", "a\\b", *LETTERS, None]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    rows = len(TEXTS)
    return Catalog.open(
        pa.table(
            {
                "text": TEXTS,
                "single": pa.array([0.1 * row for row in range(rows)], pa.float32()),
                "exact": [Decimal(row * 10) / 4 for row in range(rows)],
                "moment": [datetime(2024, 1, 1, row) for row in range(rows)],
                "day": [date(2024, 1, 1 + row) for row in range(rows)],
                "large": [2**53 + row for row in range(rows)],
            }
        )
    )


def same(catalog: Catalog, constraint: Constraint) -> None:
    test = row_test(catalog, constraint)
    rows = catalog.fetch(range(catalog.row_count))
    by_python = [index for index, row in enumerate(rows) if test(row)]
    assert by_python == catalog.rows(catalog.bind(constraint)).ids.tolist()


@pytest.mark.parametrize("op", ["like", "ilike", "contains", "==", "<", ">="])
def test_text(catalog: Catalog, op: str):
    for value in [*filter(None, TEXTS), "%", "_", "%s", "%S%", "a%b", "a_b", "%\u03c2", "%Σ"]:
        same(catalog, Constraint(column="text", op=op, value=value))


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">="])
def test_numbers_and_moments(catalog: Catalog, op: str):
    same(catalog, Constraint(column="single", op=op, value=0.1))
    same(catalog, Constraint(column="exact", op=op, value=30.0))
    same(catalog, Constraint(column="exact", op=op, value=30))
    same(catalog, Constraint(column="large", op=op, value=2**53 + 1))
    same(catalog, Constraint(column="moment", op=op, value="2024-01-01T03:00:00"))
    same(catalog, Constraint(column="moment", op=op, value="2024-01-01"))
    same(catalog, Constraint(column="day", op=op, value="2024-01-03"))
    same(catalog, Constraint(column="day", op=op, value="2024-01-03T12:00:00"))


def test_subsets_not_looked_at_in_time_are_not_guessed(monkeypatch: pytest.MonkeyPatch):
    histogram = histogram_of(random_masks(1, 20, 8, 0.5), 8)
    looks = iter([False] * 100)
    monkeypatch.setattr(Budget, "expired", property(lambda self: next(looks, True)))
    found = BruteSolver().minimal_sets(histogram, Budget())
    assert (found.conflicts, found.repairs, found.maximal) == ((), (), ())
    assert found.stopped_by == "deadline"


def test_a_short_list_of_sets_leaves_the_cheapest_repair_alone():
    histogram = histogram_of([0b011, 0b101, 0b110], 3)
    found = BruteSolver().cheapest_repairs(histogram, [0.3, 0.2, 0.1], 1, Budget(max_sets=1))
    assert [set(repair.dropped) for repair in found.repairs] == [{2}]
    assert found.stopped_by is None
