"""Rows and values as JSON can hold them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

Row = dict[str, Any]
"""A row by column name, its values as `plain` gives them."""


def plain(value: Any) -> Any:
    """Return a value JSON can hold: decimals as numbers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
