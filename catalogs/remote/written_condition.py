"""A node for Ibis that stands for a condition written by us in the engine's own SQL.

Ibis has no expression for SQL text. This one holds the text in pieces with columns between them,
which Ibis names as the statement around it needs.
"""

from __future__ import annotations

# pyright: basic
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from sqlglot import exp

from .library_types import Truth, Value

VarTuple: Any = import_module("ibis.common.typing").VarTuple
dt: Any = import_module("ibis.expr.datatypes")
ops: Any = import_module("ibis.expr.operations")
rlz: Any = import_module("ibis.expr.rules")


class ConcedeCondition(ops.Value):
    """`pieces` of SQL with a column between each two of them."""

    pieces: VarTuple[str]  # pyright: ignore[reportInvalidTypeForm]
    operands: VarTuple[ops.Value]  # pyright: ignore[reportInvalidTypeForm]

    dtype = dt.boolean
    shape = rlz.shape_like("operands")


def visit_condition(compiler: Any, op: Any, *, pieces: Sequence[str], operands: Any) -> exp.Expr:
    """Return the SQL of a condition, as a compiler of Ibis asks for it."""
    written = [pieces[0]]
    for operand, piece in zip(operands, pieces[1:], strict=True):
        written += [operand.sql(dialect=compiler.dialect), piece]
    # A variable is written as it is.
    return exp.Paren(this=exp.Var(this="".join(written)))


def written_condition(parts: Sequence[str | Value], backend_compiler: type[Any]) -> Truth:
    """Return SQL text and columns, in their order, as one Ibis expression that may be NULL."""
    # Compilers look for the method that is called like the node; no other node is.
    backend_compiler.visit_ConcedeCondition = visit_condition
    pieces, operands = [""], list[Any]()
    for part in parts:
        if isinstance(part, str):
            pieces[-1] += part
        else:
            operands.append(part.op())
            pieces.append("")
    node: Any = ConcedeCondition(tuple(pieces), tuple(operands))
    return node.to_expr()
