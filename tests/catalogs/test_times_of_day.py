"""Times of day from CSV are compared as people write them."""

from __future__ import annotations

from datetime import time
from pathlib import Path

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.conversation.session import Session
from concede.dialogs.extraction.offline import extract

ROWS = "Class,Starts,Places\na,8:00,3\nb,09:30,5\nc,18:00,2\nd,18:30,9\n"


@pytest.fixture
def classes(tmp_path: Path) -> Catalog:
    path = tmp_path / "classes.csv"
    path.write_text(ROWS)
    return Catalog.open(path)


@pytest.mark.parametrize(
    ("op", "value", "count"),
    [
        *(("<=", "08:00", 1), ("<=", "8:00", 1), ("==", "18:00", 1), ("==", "09:30", 1)),
        *((">=", "18:00:00", 2), (">", "18:00", 1), ("<", "08:00", 0), ("in", ("8:00", "9:30"), 2)),
    ],
)
def test_a_time_matches_however_it_is_written(op: str, value: object, count: int, classes: Catalog):
    constraint = Constraint.model_validate({"column": "Starts", "op": op, "value": value})
    bound = classes.bind(constraint)
    assert classes.count([bound]) == count
    assert len(classes.rows(bound)) == count


def test_times_that_are_written_match_as_well(tmp_path: Path):
    path = tmp_path / "keyed.csv"
    path.write_text("t,n\n8:00,1\n9:30,2\n18:00:15,3\n")
    with Catalog.open(path, key="t") as catalog:
        assert catalog.schema.find("t").is_clock
        catalog.upsert([{"t": "8:00", "n": 7}, {"t": time(6, 5), "n": 8}])
        assert catalog.row_count == 4
        for text, count in (("8:00", 1), ("06:05", 1), ("18:00:15.0", 1), ("09:30:00", 1)):
            bound = catalog.bind(Constraint(column="t", op="==", value=text))
            assert (text, catalog.count([bound])) == (text, count)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_arrow_times_are_times_of_day(unit: str):
    kind = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
    table = pa.table({"t": pa.array([time(8), time(9, 30), time(18, 30, 15), None], kind)})
    catalog = Catalog.open(table)
    for op, value, count in (
        ("<=", "8:00", 1),
        ("between", ("8:00", "9:30"), 2),
        ("!=", "8:00", 2),
    ):
        bound = catalog.bind(Constraint.model_validate({"column": "t", "op": op, "value": value}))
        assert catalog.count([bound]) == len(catalog.rows(bound)) == count


def test_text_that_is_no_time_stays_as_it_is(classes: Catalog):
    bound = classes.bind(Constraint(column="Class", op="==", value="9:30"))
    assert "09:30" not in str(bound.parts)
    assert classes.count([classes.bind(Constraint(column="Starts", op="==", value="noon"))]) == 0


def test_as_early_as_possible_is_a_bound_that_gives_way(classes: Catalog):
    found = extract("Starting as early as possible, please.", classes)
    assert not found.leanings
    (objective,) = found.objectives
    assert (objective.column, objective.direction) == ("Starts", "min")
    assert objective.constraint is not None
    assert objective.constraint.value == "09:30"
    session = Session(classes)
    session.hear("Starting as early as possible, please.")
    query = session.propose().query
    assert not query.objectives
    assert [wish.column for wish in query.constraints] == ["Starts"]
