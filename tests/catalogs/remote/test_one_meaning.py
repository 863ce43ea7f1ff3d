"""A constraint finds on every engine the rows that it finds in a file of the same data."""

import pytest

import edge_rows
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint
from concede.catalogs.query.constraint import Constraint
from edge_constraints import VALUES, constraints_on


@pytest.mark.parametrize("column", sorted(VALUES))
def test_a_constraint_finds_the_rows_of_a_file(as_file: Catalog, remote: Catalog, column: str):
    edge_rows.check_rows_of_a_file(as_file, remote, constraints_on(column))


def test_truths_find_the_rows_of_a_file(as_file: Catalog, remote: Catalog):
    constraints = [
        Constraint(column="OK", op=op, value=value, nulls=nulls)
        for op, value in (("==", True), ("==", "no"), ("!=", True), ("in", [True]), ("in", [0 > 1]))
        for nulls in ("reject", "match")
    ]  # fmt: skip
    assert edge_rows.remote_keys(remote, constraints) == edge_rows.keys_of(as_file, constraints)


def test_a_where_counts_what_the_condition_finds(remote: Catalog):
    snapshot = remote.snapshot()
    for constraint in constraints_on("double")[::7] + constraints_on("Name")[::7]:
        predicate = snapshot.bind(constraint)
        (keys,) = edge_rows.remote_keys(remote, [constraint])
        assert snapshot.count([predicate]) == len(keys)


@pytest.mark.parametrize(
    ("column", "op", "value"),
    [("Name", "<", 5), ("price", "like", "1%"), ("ok", "<", True), ("day", "==", "soon")],
)
def test_what_does_not_fit_a_column_is_refused_as_for_a_file(
    as_file: Catalog, remote: Catalog, column: str, op: str, value: object
):
    constraint = Constraint(column=column, op=op, value=value)
    with pytest.raises(BadConstraint) as of_file:
        as_file.bind(constraint)
    with pytest.raises(BadConstraint) as of_engine:
        remote.bind(constraint)
    assert str(of_engine.value) == str(of_file.value)


def test_places_and_hours_are_not_asked(remote: Catalog):
    constraint = Constraint(op="within", value=[40.75, -73.98, 1])
    with pytest.raises(BadConstraint):
        remote.bind(constraint)
