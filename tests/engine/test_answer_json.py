"""The bytes of an answer are those pydantic writes, whatever its rows hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Answer, Constraint, Query, RepairEngine
from concede.engine.answer_json import write_answer
from shops import shop, wish

STORE = shop(3, 60)

VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text()
    | st.binary(max_size=5)
    | st.dates()
    | st.datetimes(timezones=st.sampled_from([None, UTC]))
    | st.times()
    | st.timedeltas()
    | st.decimals(allow_nan=False)
    | st.uuids()
)
ROWS = st.dictionaries(st.text(max_size=3), VALUES | st.lists(VALUES, max_size=2), max_size=3)
HOSTILE = {
    "a": [float("nan"), float("inf"), -0.0, 1e-9, 1e22, 2**70],
    "b": {"c": (date(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), time(0, 0))},
    "d": [b"\xff\xfe", Decimal("1.10"), timedelta(days=-1), UUID(int=7), '\u2028\x7f"\\'],
}


def as_pydantic_writes_it(answer: Answer) -> bytes:
    """Return the JSON that `write_answer` stands for, through every field's own serializer."""
    timeless = answer.model_copy(update={"elapsed_ms": None})
    return timeless.model_dump_json().encode()


def with_rows(answer: Answer, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Answer:
    """Return an answer whose rows are others."""
    answer.written()
    return answer.model_copy(
        update={
            "repairs": tuple(
                one.model_copy(update={"witness": change(one.witness)}) for one in answer.repairs
            ),
            "items": tuple(one.model_copy(update={"row": change(one.row)}) for one in answer.items),
            "near_misses": tuple(
                one.model_copy(
                    update={
                        "row": change(one.row),
                        "violates": tuple(
                            v.model_copy(update={"actual": change(one.row)}) for v in one.violates
                        ),
                    }
                )
                for one in answer.near_misses
            ),
        }
    )


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([0.0, 0.4]))
def test_every_answer(seed: int, count: int, hard: float) -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(seed, count, hard=hard), top=3)
    written = write_answer(answer)
    assert written == as_pydantic_writes_it(answer)
    assert json.loads(written) == answer.record()


@settings(max_examples=40)
@given(st.integers(0, 50), st.data())
def test_any_row(seed: int, data: st.DataObject) -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(seed, 5), top=2)
    odd = with_rows(answer, lambda _: data.draw(ROWS))
    assert write_answer(odd) == as_pydantic_writes_it(odd)


def test_a_row_of_everything_odd() -> None:
    answer = with_rows(RepairEngine(STORE.catalog).repair(wish(3, 5)), lambda _: HOSTILE)
    assert write_answer(answer) == as_pydantic_writes_it(answer)


@pytest.mark.parametrize(
    "constraint",
    [
        {"column": "brand", "op": "in", "value": ["x", 2, 1.5]},
        {"column": "price", "op": "between", "value": [1e-9, 2**100]},
        {"column": "fanless", "op": "is null", "nulls": "match", "weight": 0},
        {"column": "brand", "op": "==", "value": '\u2028 "é" \\', "hard": True},
    ],
)
def test_every_shape_of_constraint(constraint: dict[str, Any]) -> None:
    query = Query(base=[Constraint(column="price", op=">", value=0)], constraints=[constraint])
    answer = RepairEngine(STORE.catalog).repair(query)
    assert write_answer(answer) == as_pydantic_writes_it(answer)


def test_an_answer_that_was_never_the_engines() -> None:
    found = RepairEngine(STORE.catalog).repair(wish(3, 5)).written()
    fields = {name: getattr(found, name) for name in Answer.model_fields}
    made = Answer(**dict(reversed(fields.items())))
    assert write_answer(made) == as_pydantic_writes_it(made) == write_answer(found)
