"""DuckDB: one count a subset of the constraints, as somebody would ask by hand."""

from __future__ import annotations

from contextlib import ExitStack

from ....catalogs.catalog import TABLE
from ..data import Question
from ..race import Answer, Method, Runner, too_long

SECONDS_A_STATEMENT = 2.5e-3
SECONDS_A_ROW = 1.5e-8
"""What a statement took here, at least and for each row: enough to foresee what takes too long."""


def one_count_a_subset(question: Question, seconds: float) -> Method:
    """Return 2^k statements, each the count of one subset of the constraints."""
    statements = 1 << question.width
    foreseen = statements * (SECONDS_A_STATEMENT + question.table.rows * SECONDS_A_ROW)
    skipped = too_long(foreseen, seconds, f"2^{question.width} statements")

    def prepare(stack: ExitStack) -> Runner:
        cursor = stack.enter_context(question.catalog.cursor().cursor())
        conditions = question.conditions
        statements = [
            f"SELECT count(*) FROM (FROM {TABLE}{question.where})"
            + _where([one for j, one in enumerate(conditions) if subset >> j & 1])
            for subset in range(1 << question.width)
        ]

        def call() -> list[int]:
            return [cursor.execute(sql).fetchall()[0][0] for sql in statements]

        return Runner(call, _answer, bytes=question.columns_bytes)

    return Method("DuckDB, a count a subset", prepare, skipped=skipped)


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _answer(found: list[int]) -> Answer:
    return {"subset counts": found}
