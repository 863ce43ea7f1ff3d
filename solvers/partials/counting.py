"""Counts the masks of one partition in DuckDB: one statement, and where no row meets the base a
second over the base constraints alone, which then says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...catalogs.deadline import NEVER, Deadline
from ...catalogs.errors import CatalogError, excerpt
from ...catalogs.interrupts import interrupted_at
from ...catalogs.versions.predicate_evaluation import as_query_error
from .mask_statement import MaskQuestion, mask_statement
from .partial import Ends, Partial, outer_ends, summed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def count_partition(
    connection: DuckDBPyConnection,
    from_clause: str,
    question: MaskQuestion,
    until: Deadline = NEVER,
) -> Partial:
    """Return the partial of the rows of a FROM clause.

    Raises `QueryError` for what DuckDB cannot evaluate, `CatalogError` for a row without a key,
    and `DeadlinePassed`.
    """
    partial = _counted(connection, from_clause, question, until)
    if len(partial.masks) or not question.base:
        return partial
    base = _counted(connection, from_clause, question.only_base(), until)
    return replace(partial, base=base)


def _counted(
    connection: DuckDBPyConnection, from_clause: str, question: MaskQuestion, until: Deadline
) -> Partial:
    statement, values = mask_statement(question, from_clause)
    cursor = connection.cursor()
    try:
        with as_query_error(), interrupted_at(cursor, until):
            columns = cast("dict[str, Any]", cursor.execute(statement, values).fetchnumpy())
    finally:
        cursor.close()
    return partial_of(columns, question)


def partial_of(columns: Mapping[str, Any], question: MaskQuestion) -> Partial:
    """Return what `mask_statement` gave, its columns by name, as a partial.

    Raises `CatalogError` for a row without a key.
    """
    rows = np.asarray(columns["n"], dtype=np.int64)
    if np.asarray(columns["unkeyed"], dtype=np.int64).any():
        hint = "the key must tell every row from the others"
        raise CatalogError(f"a row has no key: {excerpt(question.key)} is NULL", hint=hint)
    masks = np.zeros(len(rows), dtype=np.uint64)
    for bit in range(question.width):
        met = np.asarray(columns[f"b{bit}"], dtype=np.bool_)
        masks |= met.astype(np.uint64) << np.uint64(bit)
    # Without constraints there is one group, be it empty.
    some = rows > 0
    firsts = np.ma.filled(np.ma.asarray(columns["first"]).astype(np.int64), 0)
    partial = summed(question.width, masks[some], rows[some], firsts[some])
    return replace(partial, ends=_ends(columns, question))


def _ends(columns: Mapping[str, Any], question: MaskQuestion) -> dict[str, Ends]:
    found: dict[str, Ends] = {}
    for position, column in enumerate(question.measured):
        low, high = (_doubles(columns[f"{end}{position}"]) for end in ("low", "high"))
        pairs = zip(low.tolist(), high.tolist(), strict=True)
        found[column.name] = outer_ends(pair for pair in pairs if pair[0] == pair[0])
    return found


def _doubles(values: Any) -> Any:
    return np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
