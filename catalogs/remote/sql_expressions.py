"""Conditions in SQL as Ibis expressions: the allow-listed tree of a text, node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import BadConstraint
from ..query.predicate import Predicate
from ..query.schema import Schema
from .engines import Engine

if TYPE_CHECKING:
    import ibis.expr.types as ir


def written_expression(
    predicate: Predicate, table: ir.Table, schema: Schema, engine: Engine
) -> Any:
    """Return a condition in SQL as an Ibis expression, never NULL."""
    problem = "is not asked of remote catalogs"
    raise BadConstraint("value", predicate.author_sql, problem, hint="open a copy of the rows")
