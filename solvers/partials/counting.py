"""Counts the masks of partitions in DuckDB: one statement a batch, and where no row meets the base
a second over the base constraints alone, which then says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...catalogs.deadline import NEVER, Deadline
from ...catalogs.errors import CatalogError, excerpt
from ...catalogs.interrupts import interrupted_at
from ...catalogs.partitions.parquet_folder import FILE, ParquetFolder, Part
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
    partial = partial_of(_counted(connection, from_clause, question, until), question)
    if len(partial.masks) or not question.base:
        return partial
    above = question.only_base()
    base = partial_of(_counted(connection, from_clause, above, until), above)
    return replace(partial, base=base)


def count_partitions(
    folder: ParquetFolder, parts: Sequence[Part], question: MaskQuestion, until: Deadline = NEVER
) -> list[Partial]:
    """Return the partials of a batch of partitions, in their order; raises what one alone does."""
    if len(parts) == 1:
        return [count_partition(folder.connection, folder.clause(parts[0]), question, until)]
    partials = _each(folder, parts, question, until)
    empty = [place for place, partial in enumerate(partials) if not len(partial.masks)]
    if empty and question.base:
        unmatched = [parts[place] for place in empty]
        bases = _each(folder, unmatched, question.only_base(), until)
        for place, base in zip(empty, bases, strict=True):
            partials[place] = replace(partials[place], base=base)
    return partials


def _each(
    folder: ParquetFolder, parts: Sequence[Part], question: MaskQuestion, until: Deadline
) -> list[Partial]:
    clause = folder.clause_of(parts)
    columns = _counted(folder.connection, clause, question, until, FILE)
    order = np.argsort(columns["file"], kind="stable")
    files = np.asarray(columns["file"])[order]
    edges = np.searchsorted(files, np.arange(len(parts) + 1)).tolist()
    chosen = [order[start:stop] for start, stop in pairwise(edges)]
    return [
        partial_of({name: values[rows] for name, values in columns.items()}, question)
        for rows in chosen
    ]


def _counted(
    connection: DuckDBPyConnection,
    from_clause: str,
    question: MaskQuestion,
    until: Deadline,
    file: str | None = None,
) -> dict[str, Any]:
    statement, values = mask_statement(question, from_clause, file)
    cursor = connection.cursor()
    try:
        with as_query_error(), interrupted_at(cursor, until):
            return cast("dict[str, Any]", cursor.execute(statement, values).fetchnumpy())
    finally:
        cursor.close()


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
