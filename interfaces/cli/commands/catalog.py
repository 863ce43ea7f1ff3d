"""`concede catalog info`: what a catalog's columns hold."""

from __future__ import annotations

from typing import Any

import rich_click as click

from ..options import catalog_argument, catalog_options, format_option
from ..output import write_json, write_tables
from ..query_options import CatalogOptions
from ..query_run import read_catalog


@click.group("catalog")
def catalog_commands() -> None:
    """Look at a catalog."""


@catalog_commands.command("info")
@catalog_argument
@catalog_options
@format_option
def catalog_info(source: str | None, **given: Any) -> int:
    """Show what a catalog's columns hold."""
    if source and given["catalog"]:
        raise click.UsageError("the catalog is named twice; name it once")
    options = CatalogOptions(**(given | {"catalog": source or given["catalog"]}))
    catalog = read_catalog(options)
    profiles = catalog.profiles()
    if options.form == "table":
        from ....rendering.answer_tables import profile_table

        write_tables(profile_table(catalog.name, catalog.row_count, profiles))
        return 0
    record = {
        "name": catalog.name,
        "rows": catalog.row_count,
        "version": catalog.version,
        "cost_column": catalog.cost_column,
        "columns": [profile.record() for profile in profiles],
    }
    write_json(record, indent=2 if options.form == "json" else None)
    return 0
