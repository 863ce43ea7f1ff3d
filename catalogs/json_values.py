"""Rows and values as JSON can hold them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pydantic_core import to_json, to_jsonable_python

from .query.exact_numbers import is_double

Row = dict[str, Any]
"""A row by column name, its values as `plain` gives them: a decimal that no double stands for is a
`Decimal`, and text in JSON."""


def plain(value: Any) -> Any:
    """Return a value as rows hold it: decimals as numbers, where these stand for them exactly."""
    if not isinstance(value, Decimal):
        return value
    if value == value.to_integral_value():
        return int(value)
    return float(value) if is_double(value) else value


def json_row(row: Row) -> dict[str, Any]:
    """Return a row as `json_bytes` writes it, still as Python values."""
    return to_jsonable_python(row, bytes_mode="base64", inf_nan_mode="null")


def json_bytes(value: object) -> bytes:
    """Return what holds rows as JSON: binary cells in base64, infinities as null."""
    return to_json(value, bytes_mode="base64", inf_nan_mode="null")
