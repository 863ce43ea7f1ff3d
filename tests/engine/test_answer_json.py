"""The JSON of an answer loads as the answer they are of, whatever its rows hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from concede import Answer, Constraint, Query, RepairEngine
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


def loaded(answer: Answer) -> Answer:
    """Return an answer read from the JSON of another."""
    return Answer.model_validate_json(answer.model_dump_json())


def written_by_pydantic(answer: Answer) -> bool:
    """Return whether the answer's own writer writes what pydantic does, field by field."""
    return answer.to_json(timing=True) == answer.model_dump_json()


def parts_of(value: object) -> Iterator[BaseModel]:
    """Yield the models inside a value, those inside them first."""
    if isinstance(value, tuple):
        for entry in cast("tuple[object, ...]", value):
            yield from parts_of(entry)
    if isinstance(value, BaseModel):
        for inner in vars(value).values():
            yield from parts_of(inner)
        yield value


def with_rows(answer: Answer, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Answer:
    """Return an answer whose rows are others."""
    return answer.model_copy(
        update={
            "repairs": tuple(
                repair.model_copy(update={"witness": change(repair.witness)})
                for repair in answer.repairs
            ),
            "items": tuple(
                item.model_copy(update={"row": change(item.row)}) for item in answer.items
            ),
            "near_misses": tuple(
                near_miss.model_copy(
                    update={
                        "row": change(near_miss.row),
                        "violates": tuple(
                            v.model_copy(update={"actual": change(near_miss.row)})
                            for v in near_miss.violates
                        ),
                    }
                )
                for near_miss in answer.near_misses
            ),
        }
    )


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([0.0, 0.4]))
def test_every_answer(seed: int, count: int, hard: float) -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(seed, count, hard=hard), top=3)
    assert json.loads(answer.model_dump_json()) == answer.record(timing=True)
    assert list(answer.record()) == list(Answer.model_fields)
    assert loaded(answer).model_dump_json() == answer.model_dump_json()
    assert written_by_pydantic(answer)


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from(["least-weight", "closest"]))
def test_every_part_is_as_valid_as_one_that_was_validated(
    seed: int, count: int, policy: str
) -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(seed, count), top=3, policy=policy)
    for part in parts_of(tuple(vars(answer).values())):
        kind, fields = type(part), dict(vars(part))
        again = kind.model_validate(fields, strict=True)
        assert again == part
        assert list(fields) == list(vars(again)) == list(kind.model_fields)
        assert part.model_copy() == part


@given(st.integers(0, 50), st.data())
def test_any_row(seed: int, data: st.DataObject) -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(seed, 5), top=2)
    odd = with_rows(answer, lambda _: data.draw(ROWS))
    assert loaded(odd).model_dump_json() == odd.model_dump_json()
    assert written_by_pydantic(odd)


def test_a_row_of_everything_odd() -> None:
    answer = with_rows(RepairEngine(STORE.catalog).repair(wish(3, 5)), lambda _: HOSTILE)
    assert loaded(answer).model_dump_json() == answer.model_dump_json()
    assert written_by_pydantic(answer)


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
    assert loaded(answer).model_dump_json() == answer.model_dump_json()
    assert written_by_pydantic(answer)


def test_an_answer_that_was_never_the_engines() -> None:
    answer = RepairEngine(STORE.catalog).repair(wish(3, 5))
    fields = {name: getattr(answer, name) for name in Answer.model_fields}
    assert Answer(**dict(reversed(fields.items()))).model_dump_json() == answer.model_dump_json()
