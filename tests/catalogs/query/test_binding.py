"""Binding: values take the column's type, or are refused with the way out."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone, tzinfo
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, UnknownColumn
from concede.catalogs.query.binding import bind, bind_to, text_to, typed
from concede.catalogs.query.constraint import Constraint, Scalar
from concede.catalogs.query.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("n", "BIGINT"),
        Column("x", "DOUBLE"),
        Column("f", "FLOAT"),
        Column("t", "VARCHAR"),
        Column("b", "BOOLEAN"),
        Column("d", "DATE"),
        Column("s", "STRUCT(A INTEGER)"),
    )
)
PLUS_TWO = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("n", "30000", 30000),
        ("n", " -5 ", -5),
        ("n", "1e3", 1000),
        ("n", 5.0, 5),
        ("n", 5.5, 5.5),
        ("x", "0.1", 0.1),
        ("x", 2**53 + 1, float(2**53)),
        ("f", 0.1, 0.10000000149011612),
        ("t", 300, "300"),
        ("t", 300.0, "300"),
        ("t", 0.5, "0.5"),
        ("t", date(2024, 1, 1), "2024-01-01"),
        ("b", "TRUE", True),
        ("d", "2024-01-31", date(2024, 1, 31)),
        ("d", "2024-01-31 10:00", datetime(2024, 1, 31, 10)),
        ("d", datetime(2024, 1, 31, 1, tzinfo=PLUS_TWO), datetime(2024, 1, 30, 23)),
        ("d", "2024-01-31T01:00:00+02:00", datetime(2024, 1, 30, 23)),
    ],
)
def test_values_take_the_columns_type(column: str, value: Scalar, expected: Scalar) -> None:
    found = typed(value, SCHEMA.find(column))
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("column", "op", "value", "words"),
    [
        ("n", "==", "abc", "'n' is a number column; give a number"),
        ("n", "==", True, "give a number"),
        ("n", "==", date(2024, 1, 1), "give a number"),
        ("n", "like", "1%", "use ==, !="),
        ("f", "<", 1e300, "32 bits"),
        ("t", "==", True, "give text"),
        ("t", "<", 5, "text in quotes"),
        ("t", "between", [1, 2], "text in quotes"),
        ("b", "==", 1, "true or false"),
        ("b", "<", True, "== true"),
        ("d", "==", "tomorrow", "such as '2024-05-31'"),
        ("d", "==", "2024-02-30", "such as '2024-05-31'"),
        ("d", "==", 2024, "such as '2024-05-31'"),
        ("d", "==", "0001-01-01T00:00:00+14:00", "such as '2024-05-31'"),
        ("s", "==", 1, "only is null"),
    ],
)
def test_wrong_types_are_refused_with_the_hint(
    column: str, op: str, value: object, words: str
) -> None:
    with pytest.raises(BadConstraint) as caught:
        bind(Constraint(column=column, op=op, value=value), SCHEMA)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_unknown_columns_name_the_nearest() -> None:
    schema = Schema((Column("Engine HP", "BIGINT"), Column("Make", "VARCHAR")))
    with pytest.raises(UnknownColumn, match="did you mean 'Engine HP'"):
        bind(Constraint(column="engine_hp", op="==", value=1), schema)


def test_columns_are_found_in_any_case_but_exactly_first() -> None:
    schema = Schema((Column("É", "BIGINT"), Column("é", "VARCHAR")))
    assert (schema.find("é").sql_type, schema.find("É").sql_type) == ("VARCHAR", "BIGINT")
    assert bind(Constraint(column="N", op="==", value=1), SCHEMA).columns == ("n",)


NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.sampled_from(
        ["BIGINT", "DOUBLE", "FLOAT", "HUGEINT", "UHUGEINT", "DECIMAL(18,3)", "VARCHAR"]
    ),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "between", "in", "not in", "is null"]),
    st.lists(NUMBERS, min_size=2, max_size=2),
    st.sampled_from(["reject", "match"]),
)
def test_a_text_alone_is_the_text_of_the_predicate(sql_type, op, ends, nulls):
    column = Column('a "b', sql_type)
    listed = op in ("between", "in", "not in")
    value = None if op == "is null" else ends if listed else ends[0]
    if sql_type == "VARCHAR" and value is not None:
        value = [str(end) for end in ends] if listed else str(value)
    constraint = Constraint(column='a "b', op=op, value=value, nulls=nulls)
    try:
        expected = bind_to(column, constraint).text
    except BadConstraint:
        # Too much for 32 bits.
        assert sql_type == "FLOAT"
        return
    assert text_to(column, constraint) == expected
    assert bind(constraint, Schema((column,))) == bind_to(column, constraint)


class Zone(tzinfo):
    """A zone that looks like every other."""

    def __init__(self, hours: int) -> None:
        self._offset = timedelta(hours=hours)

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return self._offset

    def __repr__(self) -> str:
        return "Zone()"


def test_zones_that_look_alike_are_told_apart():
    schema = Schema((Column("d", "TIMESTAMP"),))
    moments = [datetime(2024, 1, 1, 12, tzinfo=Zone(hours)) for hours in (0, 2)]
    bound = [bind(Constraint(column="d", op="==", value=moment), schema) for moment in moments]
    assert [predicate.values for predicate in bound] == [
        [datetime(2024, 1, 1, 12)],
        [datetime(2024, 1, 1, 10)],
    ]


def test_another_schema_binds_anew(tmp_path: Path):
    (tmp_path / "a.csv").write_text("n\n1\n")
    (tmp_path / "b.csv").write_text("n\none\n")
    catalog = Catalog.open(tmp_path / "a.csv")
    constraint = Constraint(column="n", op="==", value=1)
    assert catalog.bind(constraint).values == [1]
    catalog.reload(tmp_path / "b.csv")
    assert catalog.bind(constraint).values == ["1"]
