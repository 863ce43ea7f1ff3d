"""Conditions bound once: what is remembered is what binding would say again."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs import binder
from concede.catalogs.binder import Binder
from concede.catalogs.binding import bind
from concede.catalogs.catalog import Catalog
from concede.catalogs.columns import Column, Schema
from concede.catalogs.constraint import Constraint
from concede.catalogs.errors import BadConstraint, UnknownColumn
from concede.catalogs.predicate import Predicate

SCHEMA = Schema(
    (
        Column("n", "BIGINT"),
        Column("x", "DOUBLE"),
        Column("e", "DECIMAL(9,2)"),
        Column("t", "VARCHAR"),
        Column("b", "BOOLEAN"),
        Column("d", "TIMESTAMP"),
    )
)

ALIKE = [
    *(0, 0.0, -0.0, False, 1, 1.0, True, "1", "1.0", "true", 300, 300.0, "2024-01-31"),
    # One moment in two zones.
    *(datetime(2024, 1, 1, hour, tzinfo=timezone(timedelta(hours=hour))) for hour in (0, 2)),
]
"""Values that Python, or somebody in a hurry, takes for equal; a column does not."""

OPERATORS = ["==", "<", "in", "not in", "between"]


def bound(binding: Binder | None, constraint: Constraint) -> object:
    try:
        made = bind(constraint, SCHEMA) if binding is None else binding.bind(constraint)
    except BadConstraint as error:
        return str(error)
    return made, made.key, made.text, [type(one) for one in made.values]


@given(st.permutations(ALIKE), st.permutations(OPERATORS), st.sampled_from([7, 10_000]))
def test_what_is_remembered_is_what_binding_says(values, operators, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binder, "REMEMBERED", most)
        binding = Binder(SCHEMA)
        for value, op, column, nulls in product(
            values, operators[:2], "nxetbdN", ["reject", "match"]
        ):
            given = [value, value] if op in ("in", "not in", "between") else value
            one = Constraint(column=column, op=op, value=given, nulls=nulls)
            assert bound(binding, one) == bound(None, one)


@pytest.mark.parametrize(
    ("op", "value"), [("is null", None), ("contains", "1"), ("in", list(range(300)))]
)
def test_other_conditions(op, value):
    binding, one = Binder(SCHEMA), Constraint(column="t", op=op, value=value)
    assert [bound(binding, one) for _ in range(2)] == [bound(None, one)] * 2


def test_the_same_condition_is_bound_once(monkeypatch: pytest.MonkeyPatch):
    calls: list[Constraint] = []

    def counted(constraint: Constraint, schema: Schema) -> Predicate:
        calls.append(constraint)
        return bind(constraint, schema)

    monkeypatch.setattr(binder, "bind", counted)
    binding = Binder(SCHEMA)
    for weight in (0.1, 0.9):
        binding.bind(Constraint(column="n", op="in", value=[1, 2], weight=weight))
    assert len(calls) == 1


class Zone(tzinfo):
    """A zone that looks like every other."""

    def __init__(self, hours: int) -> None:
        self._offset = timedelta(hours=hours)

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return self._offset

    def __repr__(self) -> str:
        return "Zone()"


def test_zones_that_look_alike_are_told_apart():
    binding = Binder(SCHEMA)
    values = [
        binding.bind(
            Constraint(column="d", op="==", value=datetime(2024, 1, 1, 12, tzinfo=Zone(hours)))
        ).values
        for hours in (0, 2)
    ]
    assert values == [[datetime(2024, 1, 1, 12)], [datetime(2024, 1, 1, 10)]]


@pytest.mark.parametrize("value", ["x" * 300, list(range(300)), ["x" * 300, "y"]])
def test_what_is_long_is_not_remembered(value):
    binding = Binder(SCHEMA)
    op = "==" if isinstance(value, str) else "in"
    one = Constraint(column="t", op=op, value=value)
    assert binding.bind(one) is not binding.bind(one)


def test_a_refusal_is_not_remembered():
    binding = Binder(SCHEMA)
    for _ in range(2):
        with pytest.raises(UnknownColumn):
            binding.bind(Constraint(column="no", op="==", value=1))


def test_another_schema_binds_anew(tmp_path):
    (tmp_path / "a.csv").write_text("n\n1\n")
    (tmp_path / "b.csv").write_text("n\none\n")
    catalog = Catalog.open(tmp_path / "a.csv")
    one = Constraint(column="n", op="==", value=1)
    assert catalog.bind(one).values == [1]
    catalog.reload(tmp_path / "b.csv")
    assert catalog.bind(one).values == ["1"]
