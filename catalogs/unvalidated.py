"""Instances of pydantic models made of fields known to be valid: validation takes longer."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

# What a model's own `__setattr__` ends in, without the checks on the way there.
_set_fields = BaseModel.__dict__["__dict__"].__set__
_set_given = BaseModel.__dict__["__pydantic_fields_set__"].__set__
_set_extra = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_private = BaseModel.__dict__["__pydantic_private__"].__set__


def unvalidated(
    kind: type[Model],
    fields: dict[str, Any],
    given: set[str],
    private: dict[str, Any] | None = None,
) -> Model:
    """Return a model with these fields, of which those `given` were set; nothing is checked.

    The fields must be all fields of the model, of the right types, in the order of its schema.
    Both containers are kept; frozen models may share `given`, since their copies copy it.
    """
    made = object.__new__(kind)
    _set_fields(made, fields)
    _set_given(made, given)
    _set_extra(made, None)
    _set_private(made, private)
    return made
