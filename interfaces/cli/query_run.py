"""Ask every query that the options name, and write the results in the format asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .output import counted, spinning, write_json, write_tables
from .query_options import CatalogOptions, QueryOptions, open_catalog, queries

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...catalogs.catalog import Catalog
    from ...catalogs.query.query import Query

Result = TypeVar("Result")

LONGER = "try a longer --deadline"


def read_catalog(options: CatalogOptions) -> Catalog:
    """Open the catalog that the options name, with a spinner where that takes a while."""
    with spinning(f"reading {options.catalog}"):
        return open_catalog(options)


def ask_each(
    catalog: Catalog,
    options: QueryOptions,
    ask: Callable[[Query], Result],
    record: Callable[[Result], dict[str, Any]],
) -> list[tuple[int, Result]]:
    """Return the result of every query; as ndjson, each is written when it is there."""
    results: list[tuple[int, Result]] = []
    numbered = queries(catalog, options)
    streams = options.form == "ndjson"
    # A bar and the lines of results would run into each other on one terminal.
    watched = numbered if streams and sys.stdout.isatty() else counted(numbered, "searching")
    for index, query in watched:
        result = ask(query)
        results.append((index, result))
        if streams:
            write_json(_numbered(options, index, record(result)), indent=None)
    return results


def _numbered(options: QueryOptions, index: int, record: dict[str, Any]) -> dict[str, Any]:
    return record if options.instances is None else {"index": index, **record}


def show_results(
    results: Sequence[tuple[int, Result]],
    options: QueryOptions,
    record: Callable[[Result], dict[str, Any]],
    table_of: Callable[[Result], RenderableType],
    many: Callable[[Sequence[tuple[int, Result]]], RenderableType],
) -> None:
    """Write the results as a table or as one JSON value."""
    if options.form == "table":
        write_tables(many(results) if options.many else table_of(results[0][1]))
    elif options.form == "json":
        records = [_numbered(options, index, record(result)) for index, result in results]
        write_json(records if options.many else records[0])
