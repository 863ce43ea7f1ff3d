"""Pydantic's first complaint as one line."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from concede.catalogs.validation_fault import Fault, first_fault


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int

    @field_validator("size")
    @classmethod
    def _small(cls, size: int) -> int:
        if size > 9:
            raise ValueError("too large")
        return size


class Outer(BaseModel):
    parts: list[Inner]

    @model_validator(mode="after")
    def _some(self) -> Outer:
        if not self.parts:
            raise ValueError("nothing in it")
        return self


def fault_of(record: object, depth: int | None = None) -> Fault:
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(record)
    return first_fault(raised.value, depth)


@pytest.mark.parametrize(
    ("record", "place", "problem", "given"),
    [
        ({"parts": [{"size": 1}, {"size": 12}]}, "parts.1.size", "too large", 12),
        ({"parts": [{"size": 1, "hue": 2}]}, "parts.0.hue", "no such field", 2),
        ({}, "parts", "Field required", {}),
        ({"parts": []}, "", "nothing in it", {"parts": []}),
    ],
)
def test_the_first_complaint_names_place_problem_and_value(
    record: Any, place: str, problem: str, given: object
):
    fault = fault_of(record)
    assert (fault.place, fault.problem, fault.given) == (place, problem, given)
    assert fault.unknown == (problem == "no such field")


def test_a_place_is_cut_after_so_many_fields():
    assert fault_of({"parts": [{"size": 12}]}, 2).line() == "parts.0: too large"


def test_a_record_at_fault_as_a_whole_has_a_place_only_where_it_is_given_a_name():
    assert fault_of({"parts": []}).line() == "nothing in it"
    assert fault_of({"parts": []}).line("the record") == "the record: nothing in it"
    assert fault_of({"parts": [{}]}).line("the record") == "parts.0.size: Field required"
