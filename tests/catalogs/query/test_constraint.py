"""One constraint: what may be, what may not, and that its JSON comes back unchanged."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import BadConstraint
from concede.catalogs.query.constraint import (
    NO_COLUMN,
    NULL_TESTS,
    OPERATORS,
    Constraint,
    Objective,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**120), 2**120),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
WEIGHTS = st.none() | st.floats(0, 1) | st.sampled_from([0, 1])


@st.composite
def published(draw: st.DrawFn) -> dict[str, Any]:
    op = draw(st.sampled_from([operator for operator in OPERATORS if operator not in NO_COLUMN]))
    value: Any = draw(TEXT if op in ("like", "ilike", "contains") else SCALARS)
    if op in ("in", "not in"):
        value = draw(st.lists(SCALARS, min_size=1, max_size=4))
    if op == "contains any":
        value = draw(st.lists(TEXT, min_size=1, max_size=4))
    if op == "between":
        value = draw(st.lists(SCALARS, min_size=2, max_size=2))
    record: dict[str, Any] = {"column": draw(TEXT.filter(bool)), "op": op}
    if op not in NULL_TESTS:
        record["value"] = value
    weight = draw(WEIGHTS)
    return record if weight is None else {**record, "weight": weight}


@given(record=published())
def test_loads_and_saves_unchanged(record: dict[str, Any]) -> None:
    constraint = Constraint(**record)
    saved = constraint.record()
    assert saved == record
    assert repr(saved.get("value")) == repr(record.get("value"))
    assert Constraint(**json.loads(json.dumps(saved))) == constraint
    assert Constraint(**json.loads(constraint.model_dump_json())) == constraint
    assert pickle.loads(pickle.dumps(constraint)) == constraint
    assert copy.deepcopy(constraint).record() == saved


def test_published_instances_load_and_save_unchanged(shared_data: Path) -> None:
    seen = 0
    for path in sorted((shared_data / "aware_us").glob("MUS-*.json")):
        pending: list[Any] = [json.loads(path.read_text(encoding="utf-8"))]
        while pending:
            one = pending.pop()
            if isinstance(one, dict) and {"column", "op", "value"} <= one.keys() <= {
                "column",
                "op",
                "value",
                "weight",
            }:
                assert Constraint(**one).record() == one
                seen += 1
            elif isinstance(one, dict | list):
                pending += one.values() if isinstance(one, dict) else one
    assert seen > 100


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(5), 5),
        (np.float32(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (np.datetime64("2024-01-31"), date(2024, 1, 31)),
        (np.datetime64("2024-01-31T10:00", "ns"), datetime(2024, 1, 31, 10)),
        (pd.Timestamp("2024-01-31"), datetime(2024, 1, 31)),
        (Decimal("5"), 5),
        (Decimal("0.5"), 0.5),
    ],
)
def test_other_scalars_become_python_values(value: object, expected: object) -> None:
    held = Constraint(column="a", op="==", value=value).value
    assert held == expected
    listed = Constraint(column="a", op="in", value=[value]).value
    assert listed == (expected,)
    assert isinstance(held, bool) == isinstance(expected, bool)


@pytest.mark.parametrize(
    "value", [np.array([1, 2]), {2, 1}, (1, 2), range(1, 3), pd.Series([1, 2])]
)
def test_other_lists_become_lists(value: object) -> None:
    assert Constraint(column="a", op="in", value=value).record()["value"] == [1, 2]


@pytest.mark.parametrize(
    ("op", "canonical"),
    [
        ("=", "=="),
        ("<>", "!="),
        ("NOT IN", "not in"),
        (" Is  Not Null ", "is not null"),
        ("not_in", "not in"),
    ],
)
def test_synonyms(op: str, canonical: str) -> None:
    value = {"not in": [1], "is not null": None}.get(canonical, 1)
    assert Constraint(column="a", op=op, value=value).op == canonical


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"op": "=>", "value": 1}, "bad op '=>': not an operator"),
        ({"op": "betwen", "value": [1, 2]}, "did you mean 'between'?"),
        ({"op": None, "value": 1}, "bad op None"),
        ({"op": "x" * 100_000, "value": 1}, "not an operator"),
        ({"value": 1}, "bad op"),
        ({"op": "=="}, "needs a value"),
        ({"op": "==", "value": None}, 'use op "is null"'),
        ({"op": "==", "value": [1]}, 'use "in"'),
        ({"op": "in", "value": 1}, "needs a list"),
        ({"op": "in", "value": []}, "at least one value"),
        ({"op": "in", "value": [1, None]}, "bad value"),
        ({"op": "in", "value": [[1]]}, "bad value"),
        ({"op": "between", "value": [1]}, "two ends"),
        ({"op": "between", "value": 1}, "two ends"),
        ({"op": "like", "value": 1}, "compares text"),
        ({"op": "is null", "value": 1}, "takes no value"),
        ({"op": "==", "value": float("nan")}, "not a finite number"),
        ({"op": "<", "value": float("inf")}, "not a finite number"),
        ({"op": "in", "value": [1, float("-inf")]}, "not a finite number"),
        ({"op": "==", "value": Decimal("NaN")}, "not a finite number"),
        ({"op": "==", "value": Decimal("1e999999")}, "not a finite number"),
        ({"op": "==", "value": pd.NaT}, "not a finite number"),
        ({"op": "==", "value": 2**128}, "128 bits"),
        ({"op": "==", "value": "a\0b"}, "NUL"),
        ({"op": "==", "value": "\ud800"}, "half a character"),
        ({"op": "==", "value": {"a": 1}}, "nothing a column can be compared with"),
        ({"op": "==", "value": object()}, "bad value"),
        ({"op": "==", "value": 1, "weight": float("nan")}, "not a finite number"),
        ({"op": "==", "value": 1, "weight": float("inf")}, "not a finite number"),
        ({"op": "==", "value": 1, "weight": -0.1}, "outside 0..1"),
        ({"op": "==", "value": 1, "weight": 1.01}, "outside 0..1"),
        ({"op": "==", "value": 1, "weight": "heavy"}, "bad weight 'heavy'"),
        ({"op": "==", "value": 1, "weight": True}, "bad weight True: no number"),
        ({"op": "==", "value": 1, "hard": "perhaps"}, "bad hard"),
        ({"op": "==", "value": 1, "nulls": "maybe"}, "bad nulls"),
        ({"op": "==", "value": 1, "colour": "red"}, "bad colour 'red': no such field"),
        ({"op": "==", "value": 1, "column": None}, "bad column"),
        ({"op": "==", "value": 1, "column": ""}, "bad column"),
        ({"op": "sql", "value": "a = 1"}, "takes no column"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadConstraint) as caught:
        Constraint(**{"column": "a", **fields})
    message = str(caught.value)
    assert words in message
    assert message.isprintable()
    assert len(message) < 400
    assert caught.value.exit_code == 2


def test_is_immutable() -> None:
    constraint = Constraint(column="a", op="==", value=1)
    with pytest.raises((BadConstraint, ValueError)):
        constraint.value = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"column": "MSRP", "op": "<=", "value": 24515}, "MSRP ≤ 24,515"),
        ({"column": "Year", "op": ">=", "value": 2016}, "Year ≥ 2016"),
        ({"column": "Make", "op": "==", "value": "Audi"}, "Make = Audi"),
        ({"column": "x", "op": "!=", "value": 0.5}, "x ≠ 0.5"),
        ({"column": "x", "op": "between", "value": [1000, 2000]}, "x between 1,000 and 2,000"),
        ({"column": "x", "op": "in", "value": ["a", "b"]}, "x in a, b"),
        ({"column": "x", "op": "is null"}, "x is null"),
        ({"op": "sql", "value": "a = 1"}, "a = 1"),
        ({"op": "sql", "value": "a = 1; "}, "a = 1"),
    ],
)
def test_words(fields: dict[str, Any], words: str) -> None:
    assert str(Constraint(**fields)) == words


@pytest.mark.parametrize("weight", [float("nan"), -1, 2])
def test_objectives_check_their_weight(weight: float) -> None:
    with pytest.raises(BadConstraint, match="bad weight"):
        Objective(column="a", direction="min", weight=weight)


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
