"""`concede histogram`: count a folder's partitions by the constraints their rows meet, and keep it.

For queries that are asked again and again: the next run reads new and replaced partitions only.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from ....catalogs.errors import QueryError
from ..options import histogram_options
from ..output import spinning
from ..query_options import read_query

if TYPE_CHECKING:
    from ....catalogs.query.query import Query
    from ....catalogs.query.schema import Schema


@click.command("histogram")
@histogram_options
def histogram(
    catalog: str,
    key: str,
    query_file: str | None,
    where: str | None,
    base: str | None,
    by_file: bool,
    output: str,
) -> int:
    """Count the rows of each partition by the constraints they meet, and keep the counts."""
    from ....catalogs.partitions.parquet_folder import ParquetFolder
    from ....solvers.partials.by_file import update_histogram

    if not by_file:
        raise QueryError("histogram without --by-file", hint="add --by-file")
    if not Path(catalog).is_dir():
        raise QueryError(f"--catalog {catalog} is no folder", hint="name a folder of Parquet files")
    folder = ParquetFolder(catalog, besides=output)
    query = _query(folder.schema, query_file, where, base)
    with spinning(f"reading {catalog}"):
        done = update_histogram(folder, query, key, Path(output))
    rows = done.histogram.together.rows
    print(
        f"{output}: {rows:,} rows; partitions: {done.read} read, {done.kept} kept, "
        f"{done.removed} removed"
    )
    return 0


def _query(schema: Schema, query_file: str | None, where: str | None, base: str | None) -> Query:
    from ....catalogs.query.query import Query
    from ....catalogs.query.where_clause import parse_where

    if (query_file is None) == (where is None):
        given = "--query and --where given" if where is not None else "nothing to count"
        raise QueryError(given, hint='give --query FILE or --where "column <= value AND …"')
    if query_file is not None:
        query = read_query(query_file)
    else:
        query = Query(constraints=tuple(parse_where(where or "", schema)))
    if not query.constraints:
        hint = "name what may give way as constraints"
        raise QueryError("nothing to count: the query has no constraints", hint=hint)
    more = () if base is None else parse_where(base, schema)
    return Query(
        base=(*query.base, *more), constraints=query.constraints, objectives=query.objectives
    )
