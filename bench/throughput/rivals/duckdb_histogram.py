"""DuckDB: one GROUP BY over a mask column, computed or stored; and one count(*) a subset."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, cast

from ....catalogs.sources.loading import TABLE
from ..comparison import Answer, Runner, method, too_long
from ..data import Question

MASK_TABLE = "throughput_masks"


def mask_type(width: int) -> str:
    """Return DuckDB's smallest unsigned integer of at least so many bits."""
    sizes = {8: "UTINYINT", 16: "USMALLINT", 32: "UINTEGER", 64: "UBIGINT"}
    return next(name for bits, name in sizes.items() if width <= bits)


def mask_of(conditions: Sequence[str], kind: str = "") -> str:
    """Return the mask of some conditions as a SQL expression, of the smallest type or of `kind`.

    Of the ways to write it (sums, shifts, products of casts, CASE) this one ran fastest.
    """
    kind = kind or mask_type(len(conditions))
    terms = (
        f"if({condition}, {1 << j}::{kind}, 0::{kind})" for j, condition in enumerate(conditions)
    )
    return " | ".join(terms)


@method("DuckDB, computed mask")
def computed_mask(stack: ExitStack, question: Question) -> Runner:
    """Return the GROUP BY over a mask computed from the columns as it runs."""
    cursor = stack.enter_context(question.catalog.cursor().cursor())
    sql = (
        f"SELECT {mask_of(question.conditions)} AS mask, count(*) AS n "
        f"FROM {TABLE}{question.where} GROUP BY 1"
    )
    return _grouped(cursor, sql, question.columns_bytes)


@method("DuckDB, stored mask")
def stored_mask(stack: ExitStack, question: Question) -> Runner:
    """Return the GROUP BY over a mask column stored beforehand for this very question."""
    cursor = stack.enter_context(question.catalog.cursor().cursor())
    kept = "" if question.base is None else ", b"
    cursor.execute(
        f"CREATE TEMP TABLE {MASK_TABLE} AS "
        f"SELECT {mask_of(question.conditions)} AS mask{kept} FROM {TABLE}"
    )
    stack.callback(lambda: cursor.execute(f"DROP TABLE {MASK_TABLE}"))
    sql = f"SELECT mask, count(*) AS n FROM {MASK_TABLE}{question.where} GROUP BY 1"
    width = -(-question.width // 8) + (8 if question.base is not None else 0)
    return _grouped(cursor, sql, question.table.rows * width)


def _grouped(cursor: Any, sql: str, size: int) -> Runner:
    return Runner(lambda: cursor.execute(sql).fetchnumpy(), _answer, bytes=size)


def _answer(fetched: Any) -> Answer:
    columns = cast("dict[str, Any]", fetched)
    pairs = zip(columns["mask"].tolist(), columns["n"].tolist(), strict=True)
    return {"histogram": dict(pairs)}


SECONDS_A_STATEMENT = 2.5e-3
SECONDS_A_ROW = 1.5e-8
"""What a statement took here, at least and for each row: enough to foresee what takes too long."""


def _too_many(question: Question, seconds: float) -> str:
    statements = 1 << question.width
    foreseen = statements * (SECONDS_A_STATEMENT + question.table.rows * SECONDS_A_ROW)
    return too_long(foreseen, seconds, f"2^{question.width} statements")


@method("DuckDB, a count a subset", skip=_too_many)
def one_count_a_subset(stack: ExitStack, question: Question, seconds: float) -> Runner:
    """Return 2^k statements, each the count of one subset of the constraints."""
    cursor = stack.enter_context(question.catalog.cursor().cursor())
    conditions = question.conditions
    statements = [
        f"SELECT count(*) FROM (FROM {TABLE}{question.where})"
        + _where([condition for j, condition in enumerate(conditions) if subset >> j & 1])
        for subset in range(1 << question.width)
    ]

    def call() -> list[int]:
        return [cursor.execute(sql).fetchall()[0][0] for sql in statements]

    return Runner(call, lambda counts: {"subset counts": counts}, bytes=question.columns_bytes)


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
