"""Parts of an answer are made unvalidated, and would have been valid."""

import pickle
from datetime import date, datetime

import pytest

from concede import Catalog, Constraint, Query, RepairEngine
from concede.engine.answer import Part

ASKED = {
    "base": {"Make": "Toyota"},
    "constraints": [
        {"column": "Year", "op": ">=", "value": 2017, "weight": 0.3},
        {"column": "MSRP", "op": "between", "value": [9_000, 9_500], "weight": 0.9},
        {"column": "Vehicle Size", "op": "in", "value": ["Large", "Midsize"]},
        {"column": None, "op": "sql", "value": '"city mpg" > 40 OR Year < 1995'},
    ],
    "objectives": [{"column": "MSRP", "direction": "min"}],
}


def parts_of(value):
    """Yield every part inside of a value."""
    if isinstance(value, Part):
        yield value
        for name in type(value).model_fields:
            yield from parts_of(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from parts_of(one)


def test_every_part_is_as_validation_would_have_made_it():
    engine = RepairEngine(Catalog.open("sample:cars"))
    answer = engine.repair(Query.model_validate(ASKED), top=10).written()
    found = [*parts_of(answer)]
    assert {type(one).__name__ for one in found} == {
        *("Answer", "Change", "Contribution", "Item", "NearMiss", "Repair", "Violation"),
    }
    for one in found[1:]:
        fields = {name: getattr(one, name) for name in type(one).model_fields}
        valid = type(one)(**fields)
        assert valid == one
        assert [*valid.__dict__] == [*one.__dict__]
        assert [type(value) for value in valid.__dict__.values()] == [
            type(value) for value in one.__dict__.values()
        ]
        assert valid.model_dump_json() == one.model_dump_json()


@pytest.mark.parametrize(
    "fields",
    [
        {"column": "a", "op": "==", "value": 1},
        {"column": "a", "op": "==", "value": True, "hard": True},
        {"column": "a", "op": "<", "value": 1.5, "weight": 1},
        {"value": "x", "op": "==", "column": "a", "group": "g", "nulls": "match"},
        {"column": "a", "op": "is null"},
        {"column": "a", "op": "is null", "value": None},
        {"column": "a", "op": "in", "value": ["x", 2, 3.5]},
        {"column": "a", "op": ">=", "value": date(2020, 1, 2)},
        {"column": "a", "op": "between", "value": [datetime(2020, 1, 2, 3), date(2021, 1, 1)]},
        {"op": "sql", "value": "a > 1"},
    ],
)
def test_a_constraints_record_is_what_pydantic_writes(fields):
    one = Constraint.model_validate(fields)
    for changed in (one, one.model_copy(update={"weight": 0.25}), one.model_copy()):
        written = changed.model_dump(mode="json", exclude_unset=True)
        assert changed.record() == written
        assert [*changed.record()] == [*written]


@pytest.mark.parametrize("more", [{}, {"weight": 0.5, "hard": True}, {"nulls": "match"}])
def test_a_changed_constraint_is_a_copy_with_other_fields(more):
    given = Constraint.model_validate({"column": "a", "op": "==", "value": 3} | more)
    change = {"op": "between", "value": (3, 4.5)}
    made, copied = given.changed(**change), given.model_copy(update=change)
    assert made == copied
    assert made.record() == copied.record()
    assert [*made.__dict__] == [*copied.__dict__]
    assert made.model_fields_set == copied.model_fields_set
    assert given == Constraint.model_validate({"column": "a", "op": "==", "value": 3} | more)
    assert pickle.loads(pickle.dumps(made)) == made


def test_pieces_share_no_set_that_a_copy_could_change():
    answer = RepairEngine(Catalog.open("sample:cars")).repair(Query.model_validate(ASKED))
    one, other = answer.near_misses[:2]
    given = one.model_fields_set
    one.model_copy(update={"nothing": 1})
    assert other.model_fields_set == given == set(type(one).model_fields)
