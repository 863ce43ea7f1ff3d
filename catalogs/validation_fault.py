"""Pydantic's first complaint about a record, as one line of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record. `given`: the value at fault.

    `place`: the fields that lead to it, with dots between them; empty for the whole record.
    `unknown`: the record has a field that nobody asked for.
    """

    place: str
    problem: str
    given: Any
    unknown: bool

    def line(self, whole: str = "") -> str:
        """Return place and problem; `whole` stands for an empty place, if given."""
        place = self.place or whole
        return f"{place}: {self.problem}" if place else self.problem


def first_fault(error: ValidationError, depth: int | None = None) -> Fault:
    """Return the first complaint, its place cut after `depth` fields."""
    first = error.errors(include_url=False)[0]
    unknown = first["type"] == "extra_forbidden"
    problem = "no such field" if unknown else first["msg"].removeprefix("Value error, ")
    place = ".".join(str(part) for part in first["loc"][:depth])
    return Fault(place, problem, first["input"], unknown)
