"""Names for what Ibis and Arrow give, which have no types of their own."""

from __future__ import annotations

from typing import Any, TypeAlias

Table: TypeAlias = Any
"""A table, or any expression that gives rows: `ibis.expr.types.Table`."""

Truth: TypeAlias = Any
"""A condition on rows: `ibis.expr.types.BooleanValue`."""

Value: TypeAlias = Any
"""Any expression over columns."""

DataType: TypeAlias = Any
"""A type of Ibis."""

ArrowTable: TypeAlias = Any
ArrowSchema: TypeAlias = Any
